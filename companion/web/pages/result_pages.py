"""Points explained, a score pad, a game to print and share, the saved games and what they tell taken together."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.asking.sheets import MAX_DIGITS, MAX_SEED_DIGITS, TYPED, answers, entries_from, names_of, pad_sheet
from companion.errors import CompanionError, NotationError, UnusableInputError, fault_line
from companion.history.saved import GameKey, SavedGame, turns_of
from companion.history.saved_results import contents_of, whole_record
from companion.history.statistics import Statistics, statistics_of
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, joined, say, term
from companion.notation.codes import encode
from companion.notation.names import check_names
from companion.notation.outcome import outcome_of, push_link
from companion.notation.records.lines import parse_record
from companion.notation.score_entries import Entries
from companion.notation.score_sheet import ScoreSheet, format_sheet
from companion.rules.engine.scoring import CATEGORIES, GameResult
from companion.rules.engine.setup import can_play
from companion.rules.model.components import Colour
from companion.system.local_time import noon_of
from companion.table.counted_games import counted_result
from companion.table.games import TableGame
from companion.table.results import result_csv, result_json, result_text, standing
from companion.table.seats import sees_all
from companion.web.pages.forms import WHO_CAN_PLAY, filled, sent_lines
from companion.web.pages.game_visit import GameVisit, NoBoardError, game_get, game_post
from companion.web.pages.home_pages import MAX_GAMES_SHOWN, asked_again, listed_games, save_outcome
from companion.web.pages.visit import Visit, get, post
from companion.web.store.services import Services

if TYPE_CHECKING:
    from companion.advisor.account import GameSummary


_HIDDEN = say("Points and records reveal what others hold: until the game is over only the shared phone shows them.")
_UNTIL_THE_END = say("This table hides the points until the end.")
_NO_RECORD = say("There's no record yet: it begins once the player order is entered.")
_NO_PLAYERS = say("Enter the players first.")


@dataclass(frozen=True, slots=True)
class _CountedGame:
    """A game with its points, and what its page is made with; `game` is None where no board is known."""

    saved: SavedGame
    context: Mapping[str, object]
    result: GameResult
    names: Mapping[Colour, str]
    game: TableGame | None = None
    is_hidden: bool = False

    @property
    def title(self) -> Phrase:
        """The heading of what is shared."""
        return joined(", ", [part for part in ("Five Tribes", self.saved.date, self.saved.place) if part])


async def _counted(visit: Visit, *, hidden_too: bool = False) -> _CountedGame:
    """A game and its points, for a phone that may see them; `hidden_too` to say that the table hides them."""
    try:
        view = await GameVisit(visit.request).reload()
    except NoBoardError:
        return await asyncio.to_thread(_counted_alone, visit.services, GameKey(visit.param("key")))
    if not sees_all(view.game, view.seat):
        raise HTTPException(403, _HIDDEN)
    if view.hides_points and not hidden_too:
        raise HTTPException(403, _UNTIL_THE_END)
    result = await asyncio.to_thread(lambda: view.game.result)
    if not result.scores:
        raise CompanionError(_NO_PLAYERS)
    return _CountedGame(view.saved, view.context, result, view.names, view.game, view.hides_points)


def _counted_alone(services: Services, key: GameKey) -> _CountedGame:
    saved, revision = services.history.game(key), services.history.current(key)
    result = counted_result(services.history.parts(key))
    names = {colour: name for colour, name in saved.players.items() if name}
    context = {"key": key, "place": f"/games/{key}", "names": names, "revision": revision.number}
    # A sheet may be of another day than that on which it was saved.
    contents = contents_of(revision.text)
    saved = replace(saved, date=contents.date or saved.date, place=contents.place or saved.place)
    return _CountedGame(saved, context, result, names)


async def _score(visit: Visit) -> Response:
    """The points, line by line; where the table hides them, what can be done about that."""
    counted = await _counted(visit, hidden_too=True)
    if counted.is_hidden:
        return visit.page("hidden.html", counted.context)
    saved = counted.saved
    # At noon of its day, so that a link made twice is the same.
    played = noon_of(saved.date) or visit.services.now()
    return visit.page(
        "score.html",
        counted.context,
        result=counted.result,
        standing=standing(counted.result, counted.names),
        text=_result_text(visit, counted),
        categories=CATEGORIES,
        times={colour: time for colour, time in saved.clock.items() if time >= 1},
        turns={colour: turns_of(saved, colour) for colour in saved.clock},
        has_board=counted.game is not None,
        is_saved=saved.finished is not None,
        again=f"/?again={saved.key}" if counted.game else f"/count?again={saved.key}",
        has_record=counted.game is not None and counted.game.playing is not None,
        has_curve=counted.game is not None and counted.game.has_turns,
        bgstats_link=push_link(counted.result, counted.names, played=played, place=saved.place),
    )


async def _show_points(visit: GameVisit) -> Response:
    """The table has changed its mind: points are shown from now on, or hidden again."""
    hidden, key = bool(visit.field("hide")), visit.view.key
    await asyncio.to_thread(visit.services.history.change_settings, key, {"hide_points": hidden})
    # The game is the same; other phones fetch their page anew all the same.
    visit.services.hub.publish(key, "changed", None)
    return visit.go_on(visit.address + ("" if hidden else "/score"))


async def _sheet(visit: Visit) -> Response:
    from companion.printing.score.sheet import filled_sheet

    counted = await _counted(visit)
    try:
        code = None if counted.game is None else encode(counted.game.position)
    except CompanionError:
        code = None
    content = await asyncio.to_thread(
        filled_sheet,
        counted.result,
        names=counted.names,
        code=code,
        language=visit.language,
        date=counted.saved.date,
        place=counted.saved.place,
    )
    return _file(content, "application/pdf", counted.saved, ".pdf")


async def _setup_card(visit: GameVisit) -> Response:
    from companion.printing.setup.card import setup_card

    view = visit.view
    if view.game.playing is None or not sees_all(view.game, view.seat):
        raise HTTPException(404)
    # A game that was imported may hold anything there.
    seed, spread = (view.saved.settings.get(name) for name in ("seed", "spread"))
    content = await asyncio.to_thread(
        setup_card,
        view.game.playing.record.header.setup,
        seed=int(seed) if _is_number(seed) else None,
        spread=spread if _is_number(spread) else None,
        language=visit.language,
    )
    return _file(content, "application/pdf", view.saved, "-setup.pdf")


def _is_number(value: object) -> TypeGuard[float]:
    """Whether a setting is a number that a card has room for."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 10**MAX_SEED_DIGITS


async def _record(visit: GameVisit) -> Response:
    """The game as text: its record, with all that was put right, or the position while it is none."""
    if not sees_all(visit.view.game, visit.seat):
        raise HTTPException(403, _HIDDEN)
    parts = await asyncio.to_thread(visit.services.history.parts, visit.view.key)
    record = await asyncio.to_thread(whole_record, parts)
    return _file((record or parts[-1].text).encode(), "text/plain; charset=utf-8", visit.view.saved, ".txt")


async def _record_pages(visit: GameVisit) -> Response:
    from companion.printing.report.report import game_report

    content = await asyncio.to_thread(game_report, await _summary(visit), language=visit.language)
    return _file(content, "application/pdf", visit.view.saved, "-record.pdf")


async def _curve(visit: GameVisit) -> Response:
    from companion.printing.report.report import score_chart

    summary = await _summary(visit)
    if not summary.rounds:
        raise HTTPException(404)
    content = await asyncio.to_thread(score_chart, summary, language=visit.language)
    return Response(content, media_type="image/svg+xml")


async def _summary(visit: GameVisit) -> GameSummary:
    """The game's record played back. Raises HTTPException where the seat, or the table, is not to see points."""
    from companion.advisor.account import summarise_game
    from companion.notation.records.replay import replay

    view = visit.view
    if not sees_all(view.game, view.seat):
        raise HTTPException(403, _HIDDEN)
    if view.hides_points:
        raise HTTPException(403, _UNTIL_THE_END)
    record = whole_record(await asyncio.to_thread(visit.services.history.parts, view.key))
    if record is None:
        raise UnusableInputError(_NO_RECORD)
    return await asyncio.to_thread(lambda: summarise_game(replay(parse_record(record), unchecked_hands=True)))


def _result_text(visit: Visit, counted: _CountedGame) -> str:
    return result_text(counted.result, counted.names, counted.title, lambda words: translate(words, visit.language))


async def _result(visit: Visit) -> Response:
    """The result as a file of the kind that the address asks for."""
    counted = await _counted(visit)
    result, names, language = counted.result, counted.names, visit.language

    def drawn() -> bytes:
        from companion.printing.report.result_picture import result_picture

        sentence = standing(result, names)
        return result_picture(result, names=names, title=counted.title, sentence=sentence, language=language)

    kinds: dict[str, tuple[str, Callable[[], str | bytes]]] = {
        "txt": ("text/plain; charset=utf-8", lambda: _result_text(visit, counted)),
        "json": ("application/json", lambda: result_json(result, names)),
        "csv": ("text/csv; charset=utf-8", lambda: result_csv(result, names, language)),
        "png": ("image/png", drawn),
    }
    ending = visit.param("kind")
    if ending not in kinds:
        raise HTTPException(404)
    kind, made = kinds[ending]
    content = await asyncio.to_thread(made)
    return _file(content if isinstance(content, bytes) else content.encode(), kind, counted.saved, f"-result.{ending}")


def _file(content: bytes, kind: str, saved: SavedGame, ending: str) -> Response:
    """A file of our own making, shown by a phone where it can."""
    # Its date is as somebody wrote it in a record, and headers take few letters.
    name = re.sub(r"[^A-Za-z0-9.-]+", "-", f"five-tribes-{saved.date}{ending}")
    return Response(content, media_type=kind, headers={"Content-Disposition": f'inline; filename="{name}"'})


async def _history(visit: Visit) -> Response:
    """A page of the games, and who won how often: what is counted are finished games, whose hands all have seen."""
    asked = visit.request.query_params.get("page", "1")
    page = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= MAX_DIGITS else 0
    first = max(0, (page - 1) * MAX_GAMES_SHOWN)
    # One more than is shown tells whether there are earlier ones.
    games = await asyncio.to_thread(visit.services.history.games, first=first, most=MAX_GAMES_SHOWN + 1)
    if page < 1 or (page > 1 and not games):
        raise HTTPException(404)
    statistics = await asyncio.to_thread(_statistics, visit.services)
    return visit.page(
        "history.html",
        games=await asyncio.to_thread(listed_games, visit, games[:MAX_GAMES_SHOWN]),
        later=f"/history?page={page - 1}" if page > 1 else None,
        earlier=f"/history?page={page + 1}" if len(games) > MAX_GAMES_SHOWN else None,
        statistics=statistics,
        players=statistics.players if statistics.games else None,
        plot_url="/history/plot.svg" if statistics.games else None,
    )


async def _plot(visit: Visit) -> Response:
    from companion.printing.report.history_plot import history_plot

    statistics = await asyncio.to_thread(_statistics, visit.services)
    if not statistics.games:
        raise HTTPException(404)
    narrow = bool(visit.request.query_params.get("narrow"))
    content = await asyncio.to_thread(history_plot, statistics, ".svg", language=visit.language, narrow=narrow)
    return Response(content, media_type="image/svg+xml")


def _statistics(services: Services) -> Statistics:
    return statistics_of(services.history.finished_games())


# The score pad: a game counted without its board, saved with its result like any other.


async def _pad(
    visit: Visit,
    lines: Mapping[str, str] | None = None,
    fault: CompanionError | None = None,
    unnamed: Collection[Colour] = (),
) -> Response:
    """The pad, with the `lines` in it that were refused, or whether those who are `unnamed` play is asked."""
    again = await asked_again(visit)
    return visit.page(
        "count.html",
        fault=fault,
        asked=filled(pad_sheet({} if again is None else again.players), lines),
        rows=TYPED,
        unnamed=[term(colour) for colour in unnamed],
        last_names=await asyncio.to_thread(visit.services.history.names),
    )


async def _save_counts(visit: Visit) -> Response:
    sheet, answer = pad_sheet({}), visit.field("unnamed")
    lines = sent_lines(sheet, visit.form)
    try:
        told = answers(sheet, lines)
        names, entries = names_of(told), {colour: entries_from(told, colour) for colour in Colour}
        check_names(names.values())
        unnamed = _unnamed(names, entries)
        if unnamed and not answer:
            return await _pad(visit, lines, unnamed=unnamed)
        left_out = unnamed if answer == "leave" else ()
        counted = {colour: entries[colour] for colour in Colour if colour not in left_out}
        counts = _counts(names, counted, visit.services.today)
    except CompanionError as error:
        return await _pad(visit, lines, error)
    result = GameResult(counts.scores(), finished=True)
    outcome = outcome_of(result, counts.names, date=counts.date, place=counts.place)
    key, new = await asyncio.to_thread(save_outcome, visit.services, outcome, format_sheet(counts))
    return visit.go_on(f"/games/{key}/score", None if new else say("This result was already saved."))


def _unnamed(names: Mapping[Colour, str], entries: Mapping[Colour, Entries]) -> list[Colour]:
    """Those without a name who may have figures by mistake: a game's players are named, or others have far more."""
    most = max(map(len, entries.values()))
    few = [colour for colour in Colour if colour not in names and 0 < 2 * len(entries[colour]) < most]
    return few if not can_play(names) else [colour for colour in Colour if colour not in names and entries[colour]]


def _counts(names: Mapping[Colour, str], entries: Mapping[Colour, Entries], today: str) -> ScoreSheet:
    """The sheet of what was typed: those play who have a name or anything else; what is empty is nothing.

    Raises NotationError for what is more than the box holds (rules 1), and for people who can't play together.
    """
    players = {colour: names.get(colour, "") for colour in Colour if colour in names or entries.get(colour)}
    if not can_play(players):
        raise NotationError(WHO_CAN_PLAY)
    sheet = ScoreSheet(players, {colour: entries.get(colour, {}) for colour in players}, date=today).whole()
    if faults := sheet.faults():
        raise NotationError(joined("\n", [fault_line(fault) for fault in faults]))
    return sheet


ROUTES = (
    get("/games/{key}/score", _score),
    game_post("/points", _show_points, checks=False),
    get("/games/{key}/sheet.pdf", _sheet),
    game_get("/record.txt", _record),
    game_get("/record.pdf", _record_pages),
    game_get("/points.svg", _curve),
    game_get("/setup-card.pdf", _setup_card),
    get("/games/{key}/result.{kind}", _result),
    get("/history", _history),
    get("/history/plot.svg", _plot),
    get("/count", _pad),
    post("/count", _save_counts),
)
