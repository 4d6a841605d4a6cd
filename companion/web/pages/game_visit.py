"""A game as a page finds it: its current revision, opened, with what the phone that asks may see of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from starlette.datastructures import FormData, QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from companion.asking.sheets import Sheet, number_in
from companion.errors import ConflictError, Problem, UnusableInputError, fault_line
from companion.history.database import CHANGED
from companion.history.saved import GameKey, Revision, SavedGame
from companion.history.saved_results import TextKind, whole_record
from companion.language.phrase import Phrase, joined, say, term
from companion.rules.engine.resuming import next_decision
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.table.comparing import TablePart, new_faults
from companion.table.games import TableGame, begin_table, open_table, put_right
from companion.table.seats import Seat, changed_by_seat, conflicts, is_own, sees_all, visible_game, visible_position
from companion.web.pages.forms import REVISION, merged, sent_lines
from companion.web.pages.visit import NO_CONTEXT, Handler, Visit, get, post
from companion.web.store.clocks import ClockFace
from companion.web.store.services import Services

LEFT_UNKNOWN = "left_unknown"
"""The setting of a game that names what nobody knows of its table."""

NOT_YOUR_TURN = say("It isn't this seat's turn; the shared phone can enter everybody's.")
NOT_OVER = say("Only the shared phone can end the game, because all hands are shown then.")


class NoBoardError(UnusableInputError):
    """A game that was counted on a score sheet: nobody knows its board."""


@dataclass(frozen=True, slots=True)
class GameView:
    """A view of a game of the history as it stands now: what a phone in a seat may see of it, and step to."""

    services: Services = field(repr=False)
    saved: SavedGame
    revision: Revision
    game: TableGame
    seat: Seat
    clock: ClockFace | None = None
    can_undo: bool = False
    can_redo: bool = False

    @property
    def key(self) -> GameKey:
        return self.saved.key

    @property
    def names(self) -> Mapping[Colour, str]:
        """The players' names that are known."""
        return {colour: name for colour, name in self.saved.players.items() if name}

    def called(self, colour: Colour) -> str:
        """What a player is called: the name, or else the colour."""
        return self.names.get(colour) or term(colour)

    @property
    def letters(self) -> dict[Colour, str]:
        """The letters that stand for players on the board: initials, with a letter that tells those alike apart."""
        names = {colour: self.names.get(colour, "").upper() for colour in self.position.colours}
        letters = {colour: colour.letter for colour, name in names.items() if not name}
        for colour, name in ((colour, name) for colour, name in names.items() if name):
            alike = [other for one, other in names.items() if one is not colour and other[:1] == name[:1]]
            telling = [name[at] for at in range(1, len(name)) if all(other[at : at + 1] != name[at] for other in alike)]
            ways = [name[0] + letter for letter in (*telling, *name[1:]) if letter.strip()]
            free = (way for way in ([] if alike else [name[0]]) + ways if way not in letters.values())
            letters[colour] = next(free, colour.letter)
        return {colour: letters[colour] for colour in names}

    @property
    def position(self) -> Position:
        """The position as the seat sees it."""
        return visible_position(self.game.position, self.seat)

    @property
    def visible(self) -> TableGame:
        """The game as the seat sees it, to hold against it what the seat says."""
        return visible_game(self.game, self.seat)

    @property
    def conflicts(self) -> list[str]:
        """Why the players' hands do not go together, for whoever sees them all."""
        if not sees_all(self.game, self.seat):
            return []
        return [fault_line(problem) for problem in conflicts(self.game.position)]

    def new_faults(self, after: Position) -> tuple[Problem, ...]:
        """What comes into the game that cannot be, as far as the seat sees; what others said stays (rules 12.2)."""
        return new_faults(self.position, visible_position(after, self.seat))

    @property
    def hides_points(self) -> bool:
        """Whether this table wants points hidden until the end, and the game goes on."""
        return bool(self.saved.settings.get("hide_points")) and not self.game.is_over

    @property
    def left_unknown(self) -> frozenset[str]:
        """The parts of the table, by `TablePart`, of which somebody has said that nobody knows them."""
        return frozenset(map(str, self.saved.settings.get(LEFT_UNKNOWN) or ()))

    @property
    def missing(self) -> list[TablePart]:
        """What turns need and nobody has said yet: cards that can be taken or bought, and djinns (rules 5, 6)."""
        position = self.game.position
        if self.game.is_over or self.game.mover is None:
            return []
        unknown = [part for part in TablePart if getattr(position, part.value) is None]
        return [part for part in unknown if part.value not in self.left_unknown]

    @property
    def context(self) -> dict[str, object]:
        """What every page of a game is made with."""
        return {
            "key": self.key,
            "place": f"/games/{self.key}",
            "revision": self.revision.number,
            "position": self.position,
            "names": self.names,
            "owners": self.letters,
            "to_move": self.game.mover,
            "phase": self.game.position.phase,
            "can_undo": self.can_undo,
            "can_redo": self.can_redo,
            "clock": self.clock,
            "conflicts": self.conflicts,
            "missing": self.missing,
        }

    async def continued(self, position: Position, names: Mapping[Colour, str] | None = None) -> TableGame:
        """The game with a position as somebody gave it, and names in place of its own if there are any.

        Raises HTTPException if it would be over by what a seat says: all hands are open then.
        """
        saved, players = self.saved, self.names if names is None else names

        def changed() -> TableGame:
            return put_right(
                self.game, position, players, date=saved.date, place=saved.place, earlier=self._before_the_rules_ended()
            )

        after = await asyncio.to_thread(changed)
        if after.is_over and not sees_all(self.game, self.seat):
            raise HTTPException(403, NOT_OVER)
        return after

    def _before_the_rules_ended(self) -> TableGame | None:
        """The game as its record ends, where the rules could not go on since."""
        if self.game.playing is not None:
            return None
        record = whole_record(self.services.history.parts(self.key)[:-1])
        return None if record is None else open_table(record)

    async def after(self, change: Callable[[TableGame], TableGame]) -> TableGame:
        """The game after a change by the seat. Raises what `change` raises of what the seat sees, and no more."""
        return await asyncio.to_thread(changed_by_seat, self.game, self.seat, change)

    async def at(self, number: int | None) -> TableGame | None:
        """The game at the revision that a form or a page was made of, whole; None where that is saved no longer.

        One without a number is of the game as it stands.
        """
        if number in (None, self.revision.number):
            return self.game
        revision = await asyncio.to_thread(self.services.history.revision, self.key, number)
        return None if revision is None else await asyncio.to_thread(game_of, revision)

    async def shown(self, number: int | None) -> Position | None:
        """The position of the game `at` a revision."""
        game = await self.at(number)
        return None if game is None else game.position

    async def change(self, game: TableGame, summary: Phrase) -> Revision:
        """Keep a game as it goes on, with its result if it is over, and tell all who look at it.

        A text that tells nothing of the turns before it begins a part of the game. Raises ConflictError if somebody
        else was first.
        """
        if game.text == self.game.text:
            return self.revision
        revision = await asyncio.to_thread(
            self.services.history.change,
            self.key,
            game.text,
            summary=str.__str__(summary),
            expected=self.revision.number,
            new_part=self.game.has_turns and not game.has_turns,
        )
        await asyncio.to_thread(self.services.clocks.update, self.saved, game, revision.part)
        await tell_change(self.services, revision, game)
        return revision


class GameVisit(Visit):
    """A request about a game, which is seen from the phone's seat."""

    view: GameView

    @property
    def address(self) -> str:
        """Where the game's page is."""
        return f"/games/{self.param('key')}"

    @property
    def sent(self) -> FormData | QueryParams:
        """The fields of a form, or of an address."""
        return self.form if hasattr(self, "form") else self.request.query_params

    @property
    def home(self) -> str:
        """Where a form leads back to: the game's page, or that of the phone that only takes photos."""
        return f"{self.address}/shutter" if self.sent.get("from") == "shutter" else self.address

    @property
    def expected(self) -> int | None:
        """The revision that a form, or an address, was made of. Raises UnusableInputError for what is no number."""
        return number_in(self.sent.get("revision"), REVISION)

    def check_revision(self) -> None:
        """Raises ConflictError for a form that was filled in on an earlier revision."""
        if self.expected not in (None, self.view.revision.number):
            raise ConflictError(CHANGED)

    async def check_decision(self) -> None:
        """Raises ConflictError for taps of another decision than the one that is open; corrections leave it open."""
        if self.expected not in (None, self.view.revision.number):
            before = await self.view.shown(self.expected)
            if before is None or next_decision(before) != next_decision(self.view.game.position):
                raise ConflictError(CHANGED)

    async def merged_lines(
        self, sheet_of: Callable[[Position], Sheet], sent: Mapping[str, str] | None = None
    ) -> tuple[dict[str, str], ConflictError | None]:
        """The lines of a form that asks a sheet, as `merged` has them, whatever has changed since it was shown."""
        before, now = await self.view.shown(self.expected), sheet_of(self.view.game.position)
        shown = None if before is None else sheet_of(before)
        return merged(shown, sent_lines(shown or now, self.form) if sent is None else sent, now, self.form)

    async def reload(self) -> GameView:
        """Look at the game as it is now. Raises NoSuchGameError if there is none of that key."""
        self.view = await game_view(self.services, self.param("key"), self.seat)
        return self.view

    def page(
        self, template: str, context: Mapping[str, object] = NO_CONTEXT, /, *, fault: object = None, **more: object
    ) -> Response:
        return super().page(template, {**self.view.context, **context}, fault=fault, **more)

    def back(self, notice: Phrase | None = None) -> Response:
        """On to the game's page."""
        return self.go_on(self.home, notice)

    async def change(self, game: TableGame, words: Phrase, *, summary: Phrase | None = None, to: str = "") -> Response:
        """Keep the game as it goes on, and go to a page below its own with a notice, by which it can be undone.

        `summary` is what the history has of it, if it is not the same. Raises as `GameView.change`.
        """
        number = (await self.view.change(game, summary or words)).number
        return self.go_on(
            self.address + to if to else self.home, words, None if number == self.view.revision.number else number
        )


def game_get(path: str, handler: Handler[GameVisit], *, changes: bool = False) -> Route:
    """The route of a page below a game's; one that `changes` is for nobody who only looks on."""

    async def answer(visit: GameVisit) -> Response:
        if changes:
            visit.check_open()
        await visit.reload()
        return await handler(visit)

    return get(f"/games/{{key}}{path}", answer, GameVisit)


def game_post(
    path: str, handler: Handler[GameVisit], *, checks: bool = True, merges: bool = False, reads_form: bool = True
) -> Route:
    """The route of a form below a game's page.

    A form that was filled in on an earlier revision is refused if it `checks`. One that `merges` is held against the
    game as it is, and again as often as somebody else is quicker. Photos are read by the handler.
    """

    async def answer(visit: GameVisit) -> Response:
        while True:
            await visit.reload()
            if not merges:
                if checks and reads_form:
                    visit.check_revision()
                return await handler(visit)
            with suppress(ConflictError):
                return await handler(visit)

    return post(f"/games/{{key}}{path}", answer, GameVisit, reads_form=reads_form)


async def game_view(services: Services, key: str, seat: Seat) -> GameView:
    """A game for a phone in a seat. Raises NoSuchGameError if there is none of that key."""
    return await asyncio.to_thread(_view, services, GameKey(key), seat)


def _view(services: Services, key: GameKey, seat: Seat) -> GameView:
    revision = services.history.current(key)
    saved, game = services.history.game(key), game_of(revision)
    if game is None:
        raise NoBoardError(_result_alone(saved))
    return GameView(
        services,
        saved,
        revision,
        game,
        seat,
        services.clocks.update(saved, game, revision.part),
        can_undo=revision.can_undo and _may_step(services, key, game, seat, back=True),
        can_redo=revision.can_redo and _may_step(services, key, game, seat, back=False),
    )


def game_of(revision: Revision) -> TableGame | None:
    """The game as it stood at a revision; None where it was counted without its board."""
    return open_table(revision.text) if revision.kind in (TextKind.POSITION, TextKind.RECORD) else None


def _may_step(services: Services, key: GameKey, game: TableGame, seat: Seat, *, back: bool) -> bool:
    """Whether a seat may go back or forth: by what is its own, and not to the game's end, when all hands are open."""
    if seat is None or (saved := services.history.adjacent(key, back=back)) is None:
        return True
    there = game_of(saved)
    if there is None or there.is_over:
        return sees_all(game, seat)
    return isinstance(seat, Colour) and (is_own(there, game, seat) if back else is_own(game, there, seat))


def _result_alone(game: SavedGame) -> Phrase:
    points = [
        joined(" ", (game.players.get(colour) or term(colour), result.total_words))
        for colour, result in game.results.items()
    ]
    if not points:
        return say("Only a score sheet of this game is saved, without its board.")
    return say("Only this game's result is saved: {points}.", points=joined(", ", points))


async def begin_game(
    services: Services,
    position: Position,
    names: Mapping[Colour, str],
    *,
    summary: str,
    date: str = "",
    place: str = "",
    settings: Mapping[str, object] | None = None,
) -> tuple[GameKey, TableGame]:
    """Keep a new game that begins with a position, with its result if that is the end of it.

    `date` as in 2026-02-14; "" is today.
    """
    day = date or services.today
    game = await asyncio.to_thread(begin_table, position, names, date=day, place=place)
    key = await asyncio.to_thread(
        services.history.begin, game.text, names=names, place=place, date=day, settings=settings, summary=summary
    )
    if position.colours:
        await save_result(services, await asyncio.to_thread(services.history.current, key), game)
    return key, game


async def tell_change(services: Services, revision: Revision, game: TableGame | None) -> None:
    """Tell all who look at a game that it has another revision, and keep the result if it is over there."""
    services.hub.publish(revision.game, "changed", revision.number)
    if game is not None:
        services.adviser.drop_past(revision.game, game)
    await save_result(services, revision, game)


async def save_result(services: Services, revision: Revision, game: TableGame | None) -> None:
    """Keep the result of a game that is over at a revision, unless somebody has changed it since."""
    if game is not None and game.is_over:
        with suppress(ConflictError):
            await asyncio.to_thread(services.history.finish, revision.game, expected=revision.number)
