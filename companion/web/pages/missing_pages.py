"""What nobody has said of a game that began with a photo, and its turns need: the row and the face-up djinns.

They are told by taps, one after another, or by another photo; that nobody knows them can be said too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.errors import CompanionError
from companion.language.phrase import Phrase, say
from companion.notation.names import parse_card, parse_djinn
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH
from companion.rules.model.position import Player, Position, count_cards
from companion.table.comparing import TablePart
from companion.web.pages.forms import merged
from companion.web.pages.games import LEFT_UNKNOWN, GameVisit, game_get, game_post
from companion.web.pages.player_pages import with_checked

_MOST = {TablePart.ROW: ROW_LENGTH, TablePart.DJINNS: FACE_UP_DJINNS}
_LABELS: Mapping[TablePart, Phrase] = {TablePart.ROW: say("Cards in the row"), TablePart.DJINNS: say("Djinns on offer")}
_ENTERED: Mapping[TablePart, Phrase] = {TablePart.ROW: say("row entered"), TablePart.DJINNS: say("djinns entered")}


def _part(visit: GameVisit, name: str) -> TablePart:
    if name not in set(TablePart) or visit.view.game.is_over:
        raise HTTPException(404)
    return TablePart(name)


async def _missing(visit: GameVisit) -> Response:
    asked = visit.request.query_params
    left = visit.view.missing
    if "part" not in asked and not left:
        return visit.back()
    return _missing_page(visit, _part(visit, asked.get("part") or left[0]), asked.getlist("tap"))


def _missing_page(
    visit: GameVisit, part: TablePart, tapped: list[str], fault: CompanionError | None = None
) -> Response:
    position, most = visit.view.position, _MOST[part]
    if any(name not in _offered(position, part, tapped[:number]) for number, name in enumerate(tapped[:most])):
        tapped = []
    # What can't be tapped any more stays where it is, so that nothing moves under a finger.
    offered, left = _offered(position, part, []), _offered(position, part, tapped) if len(tapped) < most else []

    def address(taps: list[str]) -> str:
        return f"{visit.address}/missing?{urlencode([('part', part.value), *(('tap', tap) for tap in taps)])}"

    return visit.page(
        "missing.html",
        fault=fault,
        part=part,
        most=most,
        tapped=tapped[:most],
        offered={name: address([*tapped, name]) if name in left else None for name in offered},
        back=address(tapped[:-1]) if tapped else None,
        holders=[player.colour for player in visit.view.position.players if _is_unknown(visit, player)],
    )


def _is_unknown(visit: GameVisit, player: Player) -> bool:
    """Whether the seat may say something of a player that nobody has said."""
    held = (player.gold, player.viziers, player.elders, player.fakirs, player.goods, player.djinns)
    return None in held and visit.seat in (None, player.colour)


def _offered(position: Position, part: TablePart, tapped: list[str]) -> list[str]:
    """What can lie there besides what was tapped, as far as the seat sees."""
    if part is TablePart.ROW:
        unseen = count_cards(replace(position, row=None))
        return [card for card, count in unseen.items() if count.unseen > tapped.count(card)]
    elsewhere = {name for player in position.players for name in player.djinns or ()}
    return [name for name in DJINNS if name not in elsewhere and name not in tapped]


async def _tell(visit: GameVisit) -> Response:
    view, part = visit.view, _part(visit, visit.field("part"))
    tapped = [str(name) for name in visit.form.getlist("tap")][: _MOST[part]]
    if visit.field("unknown"):
        left = {*view.left_unknown, part.value}
        await asyncio.to_thread(visit.services.history.change_settings, view.key, {LEFT_UNKNOWN: sorted(left)})
        visit.services.hub.publish(view.key, "changed", None)
    else:
        read, now = parse_card if part is TablePart.ROW else parse_djinn, view.game.position
        try:
            sent: dict[str, Any] = {part.value: tuple(map(read, tapped))}
            before = await view.shown(visit.expected)
            shown = None if before is None else {part.value: getattr(before, part.value)}
            _, fault = merged(shown, sent, {part.value: getattr(now, part.value)}, lambda name: _LABELS[part])
            if fault:
                return _missing_page(visit, part, tapped, fault)
            position = with_checked(view, replace(now, **sent))
        except CompanionError as error:
            return _missing_page(visit, part, [], error)
        await view.change(await view.going_on(position), _ENTERED[part])
    await visit.look()
    return visit.go_on(visit.address + ("/missing" if visit.view.missing else ""), say("Saved."))


ROUTES = (
    game_get("/missing", _missing, changes=True),
    game_post("/missing", _tell, merges=True),
)
