"""The score pad: a game counted without its board, kept with its result like any other."""

from __future__ import annotations

import asyncio

from starlette.datastructures import FormData
from starlette.responses import Response

from companion.errors import CompanionError, NotationError, fault_line
from companion.language.phrase import joined, term
from companion.notation.outcome import outcome_of
from companion.notation.score_entries import Entry, entries_of, read_entry
from companion.notation.score_sheet import ScoreSheet, format_sheet
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.scoring import GameResult, Holdings, category_name
from companion.rules.engine.setup import can_play
from companion.rules.model.components import GOODS, Colour
from companion.web.forms import WHO_CAN_PLAY, sent_colours, sent_name, sent_names, sent_number
from companion.web.home_pages import last_names
from companion.web.services import Services
from companion.web.visit import NO_FIELDS, Visit, get, post

TYPED = ("gold", "viziers", "elders", "tiles", "palms", "palaces")
"""The categories that are typed, as numbers or sums; goods and djinns are tapped."""

_LONG = ("gold", "tiles")
"""Those that are most often of two figures."""


async def _pad(visit: Visit, typed: FormData | None = None, fault: CompanionError | None = None) -> Response:
    """The pad, with what was `typed` in it where that was refused."""
    return visit.page(
        "count.html",
        fault=fault,
        typed=NO_FIELDS if typed is None else typed,
        owners={name: () if typed is None else sent_colours(typed, f"djinn {name}") for name in DJINNS},
        rows=TYPED,
        long=_LONG,
        last_names=await asyncio.to_thread(last_names, visit.services.history),
    )


async def _keep(visit: Visit) -> Response:
    try:
        sheet = _sheet(visit.form, visit.services.today)
    except CompanionError as error:
        return await _pad(visit, visit.form, error)
    return visit.go_on(f"/games/{await asyncio.to_thread(_kept, visit.services, sheet)}/score")


def _kept(services: Services, sheet: ScoreSheet) -> str:
    """The key of the new game: its sheet, then its outcome as it was counted."""
    outcome = outcome_of(GameResult(sheet.scores(), finished=True), sheet.names, date=sheet.date, place=sheet.place)
    key = services.history.begin(format_sheet(sheet), summary="score")
    services.history.change(key, outcome.text, summary="score", new_part=True)
    services.history.finish(key)
    return str(key)


def _sheet(form: FormData, today: str) -> ScoreSheet:
    """The sheet that a form fills in: those play who have a name or anything else; what is empty is nothing.

    Raises NotationError for what cannot be read, or is more than the box holds (rules 1).
    """
    names = sent_names(form)
    entries = {colour: _entries(form, colour) for colour in Colour}
    players = {colour: names.get(colour, "") for colour in Colour if colour in names or entries[colour]}
    if not can_play(players):
        raise NotationError(WHO_CAN_PLAY)
    sheet = ScoreSheet(players, {colour: entries[colour] for colour in players}, date=today).whole()
    if faults := sheet.faults():
        raise NotationError(joined("\n", [fault_line(fault) for fault in faults]))
    return sheet


def _entries(form: FormData, colour: Colour) -> dict[str, Entry]:
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
