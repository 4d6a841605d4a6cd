"""The score pad: a game counted without its board, kept with its result like any other."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping

from starlette.datastructures import FormData
from starlette.responses import Response

from companion.errors import CompanionError, NotationError, fault_line
from companion.language.phrase import joined, say, term
from companion.notation.names import check_names
from companion.notation.outcome import outcome_of
from companion.notation.score_entries import Entries, Entry, entries_of, read_entry
from companion.notation.score_sheet import ScoreSheet, format_sheet
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.scoring import GameResult, Holdings, category_name
from companion.rules.engine.setup import can_play
from companion.rules.model.components import GOODS, Colour
from companion.web.pages.forms import WHO_CAN_PLAY, sent_colours, sent_name, sent_names, sent_number
from companion.web.pages.home_pages import asked_again, keep_outcome
from companion.web.pages.visit import NO_FIELDS, Visit, get, post

TYPED = ("gold", "viziers", "elders", "tiles", "palms", "palaces")
"""The categories that are typed, as numbers or sums; goods and djinns are tapped."""


async def _pad(
    visit: Visit,
    typed: FormData | None = None,
    fault: CompanionError | None = None,
    unnamed: Collection[Colour] = (),
) -> Response:
    """The pad, with what was `typed` in it where that was refused, or whether those who are `unnamed` play is asked."""
    again = await asked_again(visit)
    names = {f"name_{colour.value}": name for colour, name in again.names.items()} if again else NO_FIELDS
    return visit.page(
        "count.html",
        fault=fault,
        typed=names if typed is None else typed,
        owners={name: () if typed is None else sent_colours(typed, f"djinn {name}") for name in DJINNS},
        rows=TYPED,
        unnamed=[term(colour) for colour in unnamed],
        last_names=await asyncio.to_thread(visit.services.history.names),
    )


async def _keep(visit: Visit) -> Response:
    form, answer = visit.form, visit.field("unnamed")
    try:
        names, entries = sent_names(form), {colour: _entries(form, colour) for colour in Colour}
        check_names(names.values())
        unnamed = _unnamed(names, entries)
        if unnamed and not answer:
            return await _pad(visit, form, unnamed=unnamed)
        left_out = unnamed if answer == "leave" else ()
        counted = {colour: entries[colour] for colour in Colour if colour not in left_out}
        sheet = _sheet(names, counted, visit.services.today)
    except CompanionError as error:
        return await _pad(visit, form, error)
    result = GameResult(sheet.scores(), finished=True)
    outcome = outcome_of(result, sheet.names, date=sheet.date, place=sheet.place)
    key, new = await asyncio.to_thread(keep_outcome, visit.services, outcome, format_sheet(sheet))
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


def _entries(form: FormData, colour: Colour) -> Entries:
    """What was typed and tapped of a player. Raises NotationError for what cannot be read."""
    entries: dict[str, Entry] = {}
    for category in TYPED:
        if text := sent_name(form.get(f"{category}_{colour.value}")):
            try:
                entries[category] = read_entry(category, text)
            except NotationError as error:
                raise NotationError(
                    "{player}, {what}: {fault}", player=term(colour), what=category_name(category), fault=error
                ) from None
    goods = tuple(sent_number(form.get(f"goods.{good}_{colour.value}"), term(good)) or 0 for good in GOODS)
    djinns = tuple(name for name in DJINNS if colour in sent_colours(form, f"djinn {name}"))
    held = Holdings(goods=goods if any(goods) else None, djinns=djinns or None)
    return {**entries, **entries_of(held)}


ROUTES = (get("/count", _pad), post("/count", _keep))
