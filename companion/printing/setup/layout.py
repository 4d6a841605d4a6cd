"""Where everything of a set-up card stands, worked out in mm before anything is drawn.

The steps of laying a table follow one another from top to bottom, in the order of the rulebook (rules 2).
"""

from __future__ import annotations

from typing import Any

from companion.errors import UnusableInputError
from companion.printing.core.geometry import Box, Boxes, ruler_boxes
from companion.printing.core.surface import MIN_TYPE_PT
from companion.printing.core.template import Table
from companion.rules.model.board import COLUMNS, ROWS
from companion.rules.model.components import BID_SPOTS, FACE_UP_DJINNS, ROW_LENGTH

_NAMES_MM = 4.0
"""Room for the names of columns and rows beside the board."""
_HEADING_MM = 6.0
_CODE_HEADING_MM = 4.2
_CODE_TEXT_MM = 17.5
"""Room below the QR code for its heading, what a photo is good for, and three lines of code."""
_MIN_TILE_MM = 15.0
_MIN_DJINNS_MM = 80.0
_MIN_PANEL_MM = 80.0


_ON_HALF = {
    **dict.fromkeys(("header", "players", "bids", "row", "gap", "tile_gap"), 0.66),
    "legend": 0.95,
    "djinns": 0.8,
    "reach": 0.78,
    "heading": 0.69,
    "bag": 0.75,
    "code": 0.68,
}
"""The shares of a whole page's parts that a card on half a page has: words get no smaller than 6 pt and need room."""

_HALF_TYPE = 0.78

_HALF_MARGINS = {"side": 5.5, "top": 5.5, "bottom": 12.0}


def on_half(template: Table) -> Table:
    """The template for a card on half a page: its parts smaller, its type too, though not below 6 pt."""
    parts = {name: template.parts[name] * share for name, share in _ON_HALF.items()}
    sizes = {name: max(size * _HALF_TYPE, MIN_TYPE_PT) for name, size in template.type.items()}
    return Table({**template, "page": Table(_HALF_MARGINS), "parts": Table(parts), "type": Table(sizes)})


def lay_out_halves(template: Table, paper: Box) -> tuple[Box, list[Boxes]]:
    """Two cards side by side on paper that lies on its side, by the template of `on_half`. Raises as `lay_out` does."""
    page = Box(0, 0, paper.h, paper.w)
    card = lay_out(template, Box(0, 0, page.w / 2, page.h))
    return page, [card, card.moved(page.w / 2)]


def lay_out(template: Table, paper: Box) -> Boxes:
    """The card of that template on that paper; `tiles` by square, `bag` by row, `row` and `bids` from the first spot.

    Raises UnusableInputError if the parts leave too little for the board, with what to change.
    """
    page, parts = template.page, template.parts
    inner = Box(page.side, page.top, paper.w - 2 * page.side, paper.h - page.top - page.bottom)
    foot_height = parts.djinns + parts.gap + parts.reach
    given = parts.header + parts.players + parts.legend + parts.bids + parts.row + foot_height
    board_height = inner.h - given - 6 * parts.gap
    header, players, board, legend, bids, row, foot = inner.rows(
        [parts.header, parts.players, board_height, parts.legend, parts.bids, parts.row, foot_height], parts.gap
    )
    tile = min(
        (board.w - parts.bag - parts.gap - _NAMES_MM - (COLUMNS - 1) * parts.tile_gap) / COLUMNS,
        (board.h - _HEADING_MM - _NAMES_MM - (ROWS - 1) * parts.tile_gap) / ROWS,
    )
    panel_width = players.w - parts.heading - parts.gap
    _check_room(tile, foot.w - parts.code - parts.gap, panel_width)
    upper, ornament = header.rows([header.h - 4.4, 3.2], 1.2)
    title, facts = upper.columns([upper.w * 0.5, upper.w * 0.5])
    players_heading, players_room = players.columns([parts.heading, panel_width], parts.gap)
    bids_heading, bids_room = bids.columns([parts.heading, panel_width], parts.gap)
    row_heading, cards = row.rows([_HEADING_MM, row.h - _HEADING_MM])
    ruler, ruler_text = ruler_boxes(paper, page.side)
    return Boxes(
        title=title,
        facts=facts,
        ornament=ornament,
        players_heading=players_heading,
        players=players_room,
        **_board(board, tile, template),
        legend=legend,
        bids_heading=bids_heading,
        bids=tuple(bids_room.grid(BID_SPOTS, 1, 1.6)),
        row_heading=row_heading,
        row=tuple(cards.grid(ROW_LENGTH, 1, 1.6)),
        **_foot(foot, parts),
        ruler=ruler,
        ruler_text=ruler_text,
    )


def _foot(foot: Box, parts: Table) -> dict[str, Any]:
    """The boxes below the row: the djinns and what is to lie within reach on the left, the code on the right."""
    left, right = foot.columns([foot.w - parts.code - parts.gap, parts.code], parts.gap)
    djinns, reach = left.rows([parts.djinns, parts.reach], parts.gap)
    djinns_heading, faces = djinns.rows([_HEADING_MM, djinns.h - _HEADING_MM])
    reach_heading, reached = reach.columns([parts.heading, left.w - parts.heading - parts.gap], parts.gap)
    side = min(right.w, right.h - _CODE_TEXT_MM)
    qr, code_heading, photo, code = right.rows(
        [side, _CODE_HEADING_MM, _CODE_HEADING_MM * 0.85, right.h - side - _CODE_HEADING_MM * 1.85]
    )
    return {
        "djinns_heading": djinns_heading,
        "djinns": tuple(faces.grid(1, FACE_UP_DJINNS, 1.4)),
        "reach_heading": reach_heading,
        "reach": reached,
        "qr": qr,
        "code_heading": code_heading,
        "photo": photo,
        "code": code,
    }


def _check_room(tile: float, djinns: float, panels: float) -> None:
    if tile < _MIN_TILE_MM:
        raise UnusableInputError(
            "the template's parts leave tiles of {tile:.1f} mm on this paper, and {needed:.0f} are needed: make "
            "header, players, legend, bids, row, djinns, reach, gap or bag smaller",
            tile=tile,
            needed=_MIN_TILE_MM,
        )
    if djinns < _MIN_DJINNS_MM:
        raise UnusableInputError(
            "the template's parts leave {width:.0f} mm for the djinns on this paper, and {needed:.0f} are needed: "
            "make code smaller",
            width=djinns,
            needed=_MIN_DJINNS_MM,
        )
    if panels < _MIN_PANEL_MM:
        raise UnusableInputError(
            "the template's parts leave {width:.0f} mm for what each player takes on this paper, and {needed:.0f} "
            "are needed: make heading smaller",
            width=panels,
            needed=_MIN_PANEL_MM,
        )


def _board(part: Box, tile: float, template: Table) -> dict[str, Any]:
    gap, bag_width = template.parts.tile_gap, template.parts.bag
    width, height = COLUMNS * tile + (COLUMNS - 1) * gap, ROWS * tile + (ROWS - 1) * gap
    spare = max(part.w - _NAMES_MM - width - template.parts.gap - bag_width, 0.0)
    # What is left beside the tiles makes the bag's panels wider, though not twice as wide, and moves all to the middle.
    bag_width += min(spare, bag_width * 0.9)
    left = part.x + max(part.w - _NAMES_MM - width - template.parts.gap - bag_width, 0.0) / 2
    grid = Box(left + _NAMES_MM, part.y + _HEADING_MM + _NAMES_MM, width, height)
    tiles = tuple(grid.grid(COLUMNS, ROWS, gap))
    bag_x = grid.right + template.parts.gap
    return dict(
        tiles_heading=Box(part.x, part.y, bag_x - template.parts.gap - part.x, _HEADING_MM),
        column_names=tuple(Box(box.x, grid.y - _NAMES_MM, box.w, _NAMES_MM) for box in tiles[:COLUMNS]),
        row_names=tuple(Box(grid.x - _NAMES_MM, box.y, _NAMES_MM, box.h) for box in tiles[::COLUMNS]),
        tiles=tiles,
        meeples_heading=Box(bag_x, part.y, part.right - bag_x, _HEADING_MM),
        meeples_hint=Box(bag_x, part.y + _HEADING_MM, part.right - bag_x, _NAMES_MM),
        bag=tuple(Box(bag_x, box.y, bag_width, box.h) for box in tiles[::COLUMNS]),
    )
