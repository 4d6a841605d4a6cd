"""What lies face up beside the board, told by taps one after another: what nobody has said of it, and a clean-up.

What turns need of a game that began with a photo are the row and the djinns; that nobody knows them can be said too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.asking.position_sheet import came_up, face_up_question, left_for
from companion.asking.question import Question
from companion.asking.taps import drawn_tap
from companion.errors import CompanionError, ConflictError
from companion.language.phrase import Phrase, say
from companion.notation.names import in_english
from companion.notation.records.steps import parse_observation
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH
from companion.rules.model.position import HELD
from companion.table.comparing import TablePart
from companion.table.games import refilled
from companion.web.pages.game_visit import LEFT_UNKNOWN, GameVisit, game_get, game_post

_ENTERED: Mapping[TablePart, Phrase] = {TablePart.ROW: say("row entered"), TablePart.DJINNS: say("djinns entered")}


def tapped_page(
    visit: GameVisit,
    action: str,
    question: Question[Any],
    taps: Sequence[str] = (),
    rooms: tuple[int, int] = (0, 0),
    *,
    fields: Sequence[tuple[str, str]] = (),
    button: str = "",
    fault: object = None,
    **more: object,
) -> Response:
    """The page of a question that is told by `taps`, with those so far in `rooms` for cards and djinns.

    Taps that are not left any more stay where they are, so that nothing moves under a finger. Each leads to the page
    with that tap added, or sends the form as a `button` of that name.
    """

    def address(taps: Sequence[str]) -> str:
        return f"{visit.address}/{action}?{urlencode([*fields, *(('tap', one) for one in taps)])}"

    return visit.page(
        "tapped.html",
        fault=fault,
        action=action,
        question=question,
        links={name: address([*taps, name]) for name in question.left},
        button=button,
        fields=[*fields, *(("tap", one) for one in taps)],
        taps=[drawn_tap("djinn" if one in DJINNS else "card", one) for one in taps],
        rooms=rooms,
        back=address(taps[:-1]) if taps else None,
        **{"line": "", "holders": (), **more},
    )


# What nobody has said.


def _part(visit: GameVisit, name: str) -> TablePart:
    if name not in set(TablePart) or visit.view.game.is_over:
        raise HTTPException(404)
    return TablePart(name)


async def _missing(visit: GameVisit) -> Response:
    asked, left = visit.request.query_params, visit.view.missing
    if "part" not in asked and not left:
        return visit.back()
    return _missing_page(visit, _part(visit, asked.get("part") or left[0]), asked.getlist("tap"))


def _missing_page(visit: GameVisit, part: TablePart, taps: list[str], fault: CompanionError | None = None) -> Response:
    position = visit.view.position
    if any(name not in left_for(position, part, taps[:number]) for number, name in enumerate(taps)):
        taps = []
    question = face_up_question(position, part, taps)
    room = question.most or 0
    # Of whom the seat may say something that nobody has said.
    tellers = [one for one in position.players if visit.seat in (None, one.colour)]
    return tapped_page(
        visit,
        "missing",
        question,
        taps[:room],
        (room, 0) if part is TablePart.ROW else (0, room),
        fields=[("part", part.value)],
        fault=fault,
        holders=[one.colour for one in tellers if None in [getattr(one, name) for name in HELD]],
    )


async def _tell(visit: GameVisit) -> Response:
    view, part = visit.view, _part(visit, visit.field("part"))
    taps = [str(name) for name in visit.form.getlist("tap")]
    if visit.field("unknown"):
        left = {*view.left_unknown, part.value}
        await asyncio.to_thread(visit.services.history.change_settings, view.key, {LEFT_UNKNOWN: sorted(left)})
        visit.services.hub.publish(view.key, "changed", None)
    else:
        lines, fault = await visit.merged_lines(
            lambda position: {part: face_up_question(position, part)}, {part: ", ".join(taps) or "none"}
        )
        try:
            if fault:
                raise fault
            # What a wrong card tells of what others hold is no more than the seat sees (rules 12.2).
            after = face_up_question(view.position, part).parse(lines[part])
        except ConflictError as error:
            return _missing_page(visit, part, taps, error)
        except CompanionError as error:
            return _missing_page(visit, part, [], error)
        position = replace(view.game.position, **{part.value: getattr(after, part.value)})
        await view.change(await view.continued(position), _ENTERED[part])
    await visit.reload()
    return visit.go_on(visit.address + ("/missing" if visit.view.missing else ""), say("Saved."))


# A clean-up (rules 8.1).


async def _refill(visit: GameVisit) -> Response:
    try:
        await visit.check_decision()
        return await _refill_page(visit, visit.request.query_params.getlist("tap"))
    except CompanionError as error:
        return await _refill_page(visit, (), error)


async def _refill_page(visit: GameVisit, taps: Sequence[str], fault: CompanionError | None = None) -> Response:
    """The page that asks for what came next, if the clean-up wants more; the last tap sends them all."""
    view, position = visit.view, visit.view.game.position
    question, is_last = await asyncio.to_thread(came_up, lambda seen: refilled(view.visible, seen), taps)
    rooms = (ROW_LENGTH - len(position.row or ()), FACE_UP_DJINNS - len(position.djinns or ()))
    fields = [("revision", str(view.revision.number))]
    button = "tap" if is_last else ""
    return tapped_page(visit, "refill", question, taps, rooms, fields=fields, button=button, fault=fault)


async def _save_refill(visit: GameVisit) -> Response:
    await visit.check_decision()
    try:
        came = parse_observation(in_english(", ".join(map(str, visit.form.getlist("tap")))))
        after = await visit.view.after(lambda game: refilled(game, came))
    except CompanionError as error:
        if not visit.view.game.owes_refill:
            raise
        return await _refill_page(visit, (), error)
    return await visit.change(after, say("row refilled"))


ROUTES = (
    game_get("/missing", _missing, changes=True),
    game_post("/missing", _tell, merges=True),
    game_get("/refill", _refill, changes=True),
    game_post("/refill", _save_refill, checks=False),
)
