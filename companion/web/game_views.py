"""A game as a page finds it: its current revision, opened, with what the phone that asks may see."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request

from companion.errors import ConflictError, UnusableInputError, fault_line
from companion.history.contents import TextKind
from companion.history.kept import GameKey, KeptGame, Revision
from companion.language.phrase import Phrase, joined, say, term
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.table.games import TableGame, begin_table, open_table, put_right
from companion.table.seats import Seat, conflicts, seen_game, seen_position, sees_all, told_by
from companion.web.clocks import ClockFace
from companion.web.responder import Responder

MAX_NAME = 60
NOT_YOUR_TURN = say("It is not this seat's turn; the table's own phone tells everybody's.")
NOT_OVER = say("Whether the game is over is for the table's own phone to say: all hands are open then.")


class NoBoardError(UnusableInputError):
    """A game that was counted on a score sheet: nobody knows its board."""


@dataclass(frozen=True, slots=True)
class GameView:
    """A view of a game of the history as it stands now: what a phone in a seat may see of it, and step to."""

    kept: KeptGame
    revision: Revision
    game: TableGame
    seat: Seat
    clock: ClockFace | None = None
    can_undo: bool = False
    can_redo: bool = False

    @property
    def key(self) -> GameKey:
        """The game's key."""
        return self.kept.key

    @property
    def names(self) -> Mapping[Colour, str]:
        """The players' names that are known."""
        return {colour: name for colour, name in self.kept.players.items() if name}

    @property
    def position(self) -> Position:
        """The position as the seat sees it."""
        return seen_position(self.game.position, self.seat)

    def going_on(self, position: Position, names: Mapping[Colour, str] | None = None) -> TableGame:
        """The game with a position as somebody told it, and names in place of its own if there are any.

        Raises HTTPException if it would be over by what a seat tells: all hands are open then.
        """
        kept, told = self.kept, self.names if names is None else names
        after = put_right(self.game, position, told, date=kept.date, place=kept.place)
        if after.is_over and not sees_all(self.game, self.seat):
            raise HTTPException(403, NOT_OVER)
        return after

    @property
    def visible(self) -> TableGame:
        """The game as the seat sees it, to hold against it what it tells."""
        return seen_game(self.game, self.seat)

    def told(self, change: Callable[[TableGame], TableGame]) -> TableGame:
        """The game after what the seat tells. Raises what `change` raises of what the seat sees, and no more."""
        return told_by(self.game, self.seat, change)

    @property
    def conflicts(self) -> list[str]:
        """Why the hands that were told do not go together, for whoever sees them all."""
        if not sees_all(self.game, self.seat):
            return []
        return [fault_line(problem) for problem in conflicts(self.game.position)]

    @property
    def hides_points(self) -> bool:
        """Whether this table wants points hidden until the end."""
        return bool(self.kept.settings.get("hide_points"))

    @property
    def context(self) -> dict[str, object]:
        """What every page of a game is made with."""
        return {
            "key": self.key,
            "revision": self.revision.number,
            "position": self.position,
            "names": self.names,
            "to_move": self.game.mover,
            "phase": self.game.position.phase,
            "can_undo": self.can_undo,
            "can_redo": self.can_redo,
            "clock": self.clock,
            "conflicts": self.conflicts,
        }


async def requested_view(responder: Responder, request: Request) -> GameView:
    """The game of an address. Raises NoSuchGameError if there is none of that key."""
    return await game_view(responder, GameKey(request.path_params["key"]), responder.seat(request))


async def game_view(responder: Responder, key: GameKey, seat: Seat) -> GameView:
    """A game for a phone in a seat. Raises NoSuchGameError if there is none of that key."""
    return await asyncio.to_thread(_viewed, responder, key, seat)


def _viewed(responder: Responder, key: GameKey, seat: Seat) -> GameView:
    history = responder.services.history
    revision = history.current(key)
    kept, game = history.game(key), game_of(revision)
    if game is None:
        raise NoBoardError(_result_alone(kept))
    return GameView(
        kept,
        revision,
        game,
        seat,
        responder.services.clocks.update(kept, game, revision.part),
        can_undo=revision.can_undo and _may_step(responder, key, game, seat, back=True),
        can_redo=revision.can_redo and _may_step(responder, key, game, seat, back=False),
    )


def game_of(revision: Revision) -> TableGame | None:
    """The game as it stood at a revision; None where it was counted without its board."""
    return open_table(revision.text) if revision.kind in (TextKind.POSITION, TextKind.RECORD) else None


def _may_step(responder: Responder, key: GameKey, game: TableGame, seat: Seat, *, back: bool) -> bool:
    """Whether a seat may go back or forth: not to the game's end or to its count, when all hands are open."""
    if sees_all(game, seat) or (beside := responder.services.history.beside(key, back=back)) is None:
        return True
    there = game_of(beside)
    return there is not None and not there.is_over


def _result_alone(game: KeptGame) -> Phrase:
    """What is known of a game that was counted without its board."""
    points = [
        joined(" ", (game.players.get(colour) or term(colour), str(result.total)))
        for colour, result in game.results.items()
    ]
    if not points:
        return say("Of this game a score sheet alone is kept, without its board.")
    return say("Of this game the result alone is kept: {points}.", points=joined(", ", points))


async def begin_game(
    responder: Responder,
    position: Position,
    names: Mapping[Colour, str],
    *,
    told: str,
    date: str = "",
    place: str = "",
    settings: Mapping[str, object] | None = None,
) -> tuple[GameKey, TableGame]:
    """Keep a new game that begins with a position, with its result if that is the end of it.

    `date` as in 2026-02-14; "" is today.
    """
    history, day = responder.services.history, date or responder.services.today
    game = await asyncio.to_thread(begin_table, position, names, date=day, place=place)
    key = await asyncio.to_thread(
        history.begin, game.text, names=names, place=place, date=day, settings=settings, summary=told
    )
    if position.colours:
        await keep_result(responder, await asyncio.to_thread(history.current, key), game)
    return key, game


async def change(responder: Responder, seen: GameView, game: TableGame, told: Phrase, expected: int | None) -> Revision:
    """Keep a game as it goes on, with its result if it is over, and tell all who look at it.

    A text that tells nothing of the turns before it begins a part of the game. Raises ConflictError if somebody else
    was first.
    """
    if game.text == seen.game.text:
        return seen.revision
    history = responder.services.history
    new_part = seen.game.has_turns and not game.has_turns
    revision = await asyncio.to_thread(
        history.change, seen.key, game.text, summary=str.__str__(told), expected=expected, new_part=new_part
    )
    await asyncio.to_thread(responder.services.clocks.update, seen.kept, game, revision.part)
    responder.services.hub.publish(seen.key, "changed", revision.number)
    await keep_result(responder, revision, game)
    return revision


async def keep_result(responder: Responder, revision: Revision, game: TableGame | None) -> None:
    """Keep the result of a game that is over at a revision, unless somebody has changed it since."""
    if game is not None and game.is_over:
        with suppress(ConflictError):
            await asyncio.to_thread(responder.services.history.finish, revision.game, expected=revision.number)


def check_revision(seen: GameView, expected: int | None) -> None:
    """Raises ConflictError for a form that was filled in on an earlier revision."""
    if expected is not None and expected != seen.revision.number:
        raise ConflictError(say("Somebody else at the table was first: look at the game as it is now, then try again."))


def sent_number(text: object, what: Phrase) -> int | None:
    """A whole number of a form's field, None where it was left empty. Raises UnusableInputError for anything else."""
    if not isinstance(text, str) or not text.strip():
        return None
    if not text.strip().isascii() or not text.strip().isdecimal() or len(text) > 6:
        raise UnusableInputError(say("{what}: a whole number is wanted", what=what))
    return int(text)


def sent_day(text: object) -> str:
    """A day as records have it, such as 2026-02-14; "" for what is none."""
    try:
        return datetime.date.fromisoformat(str(text)).isoformat()
    except ValueError:
        return ""


def sent_name(text: object) -> str:
    """A name as it was typed: on one line, and no longer than a page has room for."""
    return " ".join(text.split())[:MAX_NAME] if isinstance(text, str) else ""


def sent_names(form: FormData) -> dict[Colour, str]:
    """The players' names of a form, for those who play."""
    playing = form.getlist("plays")
    return {
        colour: name for colour in Colour if colour in playing and (name := sent_name(form.get(f"name_{colour.value}")))
    }
