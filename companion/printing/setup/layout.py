"""Where everything of a set-up card stands, worked out in mm before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import UnusableInputError
from companion.printing.core.geometry import SAFE_MM, Box
from companion.printing.core.ruler import RULER_GAP_MM, RULER_HEIGHT_MM, RULER_MM
from companion.printing.setup.template import SetupTemplate
from companion.rules.model.board import COLUMNS, ROWS
from companion.rules.model.components import BID_SPOTS, FACE_UP_DJINNS, ROW_LENGTH

_NAMES_MM = 4.5
"""Room for the names of columns and rows beside the board."""
_HEADING_MM = 6.0
_CODE_HEADING_MM = 4.2
_CODE_TEXT_MM = 17.0
"""Room below the QR code for its heading and three lines of code."""
_BETWEEN_MM = 2.0
"""Between the bid order and what to fetch."""
_MIN_TILE_MM = 15.0
_MIN_MIDDLE_MM = 40.0


@dataclass(frozen=True, slots=True)
class CardBoxes:
    """One set-up card; `tiles` by square, `row` and `bids` from the first spot."""

    paper: Box
    title: Box
    facts: Box
    ornament: Box
    column_names: tuple[Box, ...]
    row_names: tuple[Box, ...]
    tiles: tuple[Box, ...]
    legend: Box
    row_heading: Box
    row: tuple[Box, ...]
    djinn_heading: Box
    djinns: tuple[Box, ...]
    bid_heading: Box
    bids: tuple[Box, ...]
    fetch_heading: Box
    fetch: Box
    qr: Box
    code_heading: Box
    code: Box
    ruler: Box
    ruler_text: Box

    @property
    def parts(self) -> list[Box]:
        """Every box that must not overlap another."""
        single = [self.title, self.facts, self.ornament, self.legend, self.row_heading, self.djinn_heading]
        single += [self.bid_heading, self.fetch_heading, self.fetch, self.qr, self.code_heading, self.code]
        single += [self.ruler, self.ruler_text]
        many = [self.column_names, self.row_names, self.tiles, self.row, self.djinns, self.bids]
        return [*single, *(box for boxes in many for box in boxes)]


def lay_out(template: SetupTemplate, paper: Box) -> CardBoxes:
    """The card of that template on that paper.

    Raises UnusableInputError if the parts leave too little for the board, with what to change.
    """
    page, parts = template.page, template.parts
    inner = Box(page.side, page.top, paper.w - 2 * page.side, paper.h - page.top - page.bottom)
    board_height = inner.h - parts.header - parts.legend - parts.row - parts.foot - 4 * parts.gap
    header, board, legend, row, foot = inner.rows(
        [parts.header, board_height, parts.legend, parts.row, parts.foot], parts.gap
    )
    tile = min(
        (board.w - 2 * _NAMES_MM - (COLUMNS - 1) * parts.tile_gap) / COLUMNS,
        (board.h - _NAMES_MM - (ROWS - 1) * parts.tile_gap) / ROWS,
    )
    middle_width = foot.w - parts.djinns - parts.code - 2 * parts.gap
    if tile < _MIN_TILE_MM or middle_width < _MIN_MIDDLE_MM:
        raise UnusableInputError(
            f"the template's parts leave tiles of {tile:.1f} mm, and {middle_width:.1f} mm between djinns and code, on "
            f"this paper; {_MIN_TILE_MM:.0f} and {_MIN_MIDDLE_MM:.0f} are needed: make header, legend, row, foot, "
            "djinns or code smaller"
        )
    columns, rows, tiles = _board(board, tile, parts.tile_gap)
    upper, ornament = header.rows([header.h - 4.6, 3.4], 1.2)
    title, facts = upper.columns([upper.w * 0.55, upper.w * 0.45])
    row_heading, cards = row.rows([_HEADING_MM, row.h - _HEADING_MM])
    left, middle, right = foot.columns([parts.djinns, middle_width, parts.code], parts.gap)
    djinn_heading, djinns = left.rows([_HEADING_MM, left.h - _HEADING_MM])
    bid_height = (middle.h - 2 * _HEADING_MM - _BETWEEN_MM) * 0.37
    fetch_height = middle.h - 2 * _HEADING_MM - _BETWEEN_MM - bid_height
    bid_heading, bids, _, fetch_heading, fetch = middle.rows(
        [_HEADING_MM, bid_height, _BETWEEN_MM, _HEADING_MM, fetch_height]
    )
    side = min(right.w, right.h - _CODE_TEXT_MM)
    qr, code_heading, code = right.rows([side, _CODE_HEADING_MM, right.h - side - _CODE_HEADING_MM])
    ruler = Box(inner.x, paper.h - SAFE_MM - RULER_HEIGHT_MM - RULER_GAP_MM, RULER_MM, RULER_HEIGHT_MM)
    return CardBoxes(
        paper=paper,
        title=title,
        facts=facts,
        ornament=ornament,
        column_names=columns,
        row_names=rows,
        tiles=tiles,
        legend=legend,
        row_heading=row_heading,
        row=tuple(cards.grid(ROW_LENGTH, 1, 1.6)),
        djinn_heading=djinn_heading,
        djinns=tuple(djinns.grid(1, FACE_UP_DJINNS, 1.4)),
        bid_heading=bid_heading,
        bids=tuple(bids.grid(BID_SPOTS, 1, 1.4)),
        fetch_heading=fetch_heading,
        fetch=fetch,
        qr=qr,
        code_heading=code_heading,
        code=code,
        ruler=ruler,
        ruler_text=Box(ruler.right + 4, ruler.y, inner.right - ruler.right - 4, ruler.h),
    )


def _board(board: Box, tile: float, gap: float) -> tuple[tuple[Box, ...], tuple[Box, ...], tuple[Box, ...]]:
    """Names of columns and of rows and the tiles, in the middle of the board's part."""
    width, height = COLUMNS * tile + (COLUMNS - 1) * gap, ROWS * tile + (ROWS - 1) * gap
    grid = Box(board.x + (board.w - width) / 2, board.y + _NAMES_MM, width, height)
    tiles = tuple(grid.grid(COLUMNS, ROWS, gap))
    columns = tuple(Box(box.x, board.y, box.w, _NAMES_MM) for box in tiles[:COLUMNS])
    rows = tuple(Box(grid.x - _NAMES_MM, box.y, _NAMES_MM, box.h) for box in tiles[::COLUMNS])
    return columns, rows, tiles
