"""The score pad: a game counted without its board, kept with its result like any other."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from starlette.responses import Response

from companion.asking.sheets import TYPED, answers, entries_told, names_of, pad_sheet
from companion.errors import CompanionError, NotationError, fault_line
from companion.language.phrase import joined, say, term
from companion.notation.names import check_names
from companion.notation.outcome import outcome_of
from companion.notation.score_entries import Entries
from companion.notation.score_sheet import ScoreSheet, format_sheet
from companion.rules.engine.scoring import GameResult
from companion.rules.engine.setup import can_play
from companion.rules.model.components import Colour
from companion.web.pages.forms import WHO_CAN_PLAY, filled, sent_lines
from companion.web.pages.home_pages import asked_again, keep_outcome
from companion.web.pages.visit import Visit, get, post


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


async def _keep(visit: Visit) -> Response:
    sheet, answer = pad_sheet({}), visit.field("unnamed")
    lines = sent_lines(sheet, visit.form)
    try:
        told = answers(sheet, lines)
        names, entries = names_of(told), {colour: entries_told(told, colour) for colour in Colour}
        check_names(names.values())
        unnamed = _unnamed(names, entries)
        if unnamed and not answer:
            return await _pad(visit, lines, unnamed=unnamed)
        left_out = unnamed if answer == "leave" else ()
        counted = {colour: entries[colour] for colour in Colour if colour not in left_out}
        counts = _sheet(names, counted, visit.services.today)
    except CompanionError as error:
        return await _pad(visit, lines, error)
    result = GameResult(counts.scores(), finished=True)
    outcome = outcome_of(result, counts.names, date=counts.date, place=counts.place)
    key, new = await asyncio.to_thread(keep_outcome, visit.services, outcome, format_sheet(counts))
    return visit.go_on(f"/games/{key}/score", None if new else say("This result was already saved."))


def _unnamed(names: Mapping[Colour, str], entries: Mapping[Colour, Entries]) -> list[Colour]:
    """Those without a name who may have figures by mistake: a game's players are named, or others have far more."""
    most = max(map(len, entries.values()))
    few = [colour for colour in Colour if colour not in names and 0 < 2 * len(entries[colour]) < most]
    return few if not can_play(names) else [colour for colour in Colour if colour not in names and entries[colour]]


def _sheet(names: Mapping[Colour, str], entries: Mapping[Colour, Entries], today: str) -> ScoreSheet:
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


ROUTES = (get("/count", _pad), post("/count", _keep))
