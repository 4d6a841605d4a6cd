"""Where everything of a score sheet stands, worked out in mm before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import UnusableInputError
from companion.printing.core.geometry import SAFE_MM, Box, Boxes, Mark, ruler_boxes
from companion.printing.core.template import Table
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import GOODS

CATEGORY_ROWS = (*CATEGORIES, "total")
"""The rows of the table: the categories in the order of rules 10, then the total."""

COUNTED = "viziers"
"""The category of which everybody's number is written down first: its points follow from all of them (rules 10.2)."""

_MIN_ROW_MM = 5.2
_MIN_GOOD_MM = 3.6
_MIN_COLUMN_MM = 9.0
_MIN_LABEL_MM = 16.0
_TITLE_SHARE = 0.45
"""Share of the header that the title takes; date and place stand to its right."""
_HEAD_SHARE = 1.0
"""Height of the line over the goods, as a share of a good's row."""


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """One page: its sheets, the marks where it is cut, and the ruler with its words where there is one."""

    paper: Box
    slips: tuple[Boxes, ...]
    marks: tuple[Mark, ...]
    ruler: tuple[Box, Box] | None


def lay_out(template: Table, paper: Box, layout: Table, players: int) -> PageBoxes:
    """A page of empty sheets for that many players, on a paper that is upright.

    Raises UnusableInputError if rows or columns become too small to write in, with what to change.
    """
    shares = [layout.total if category == "total" else 1.0 for category in CATEGORY_ROWS]
    return _page(template, paper, layout, players, shares)


def lay_out_filled(template: Table, paper: Box, players: int) -> PageBoxes:
    """The page of a sheet that is filled in, with its codes at the foot. Raises as `lay_out` does."""
    filled = template.filled
    layout = Table({**template.layouts[filled.layout], "count": 0.0, "good": filled.good, "sets": filled.sets})
    shares = [filled.shares[category] for category in CATEGORY_ROWS]
    return _page(template, paper, layout, players, shares, code=filled.code)


def _page(
    template: Table, paper: Box, layout: Table, players: int, shares: Sequence[float], *, code: float = 0.0
) -> PageBoxes:
    page = Box(0, 0, paper.h, paper.w) if layout.landscape else paper
    slips = tuple(_slip(trim, layout, players, shares, code) for trim in page.grid(layout.columns, layout.rows))
    marks = _cuts(page, layout.columns, layout.rows, template.marks.length)
    return PageBoxes(page, slips, tuple(marks), ruler_boxes(page, layout.padding) if layout.ruler else None)


def _cuts(page: Box, columns: int, rows: int, length: float) -> list[Mark]:
    """Marks for cutting a page into equal sheets: at both ends of each cut, and a cross where two cuts meet.

    The outer edges are the paper's own, so nothing is marked there.
    """
    across = [page.h * row / rows for row in range(1, rows)]
    down = [page.w * column / columns for column in range(1, columns)]
    ends = (SAFE_MM, SAFE_MM + length)
    marks = [(x, start, x, stop) for x in down for start, stop in (ends, (page.h - ends[1], page.h - ends[0]))]
    marks += [(start, y, stop, y) for y in across for start, stop in (ends, (page.w - ends[1], page.w - ends[0]))]
    half = length / 2
    for x in down:
        for y in across:
            marks += [(x - half, y, x + half, y), (x, y - half, x, y + half)]
    return marks


def _slip(trim: Box, layout: Table, players: int, shares: Sequence[float], code: float) -> Boxes:
    inner = trim.inset(layout.padding)
    inner = Box(inner.x, inner.y, inner.w, inner.h - layout.ruler)
    fixed = layout.header + layout.names + sum(layout.gap for part in (layout.good, code) if part) + code
    count = layout.count
    goods_shares = layout.good * (_HEAD_SHARE + len(GOODS)) + layout.sets if layout.good else 0.0
    unit = (inner.h - fixed) / (sum(shares) + count + goods_shares)
    column = (inner.w - layout.label) / players
    _check_room(layout, unit, min(shares), column, players)

    header = Box(inner.x, inner.y, inner.w, layout.header)
    title, blanks, ornament = _header(header, layout)
    widths = [layout.label, *[column] * players]
    names = Box(inner.x, header.bottom, inner.w, layout.names).columns(widths)
    heights = [
        unit * (share + (count if name == COUNTED else 0)) for name, share in zip(CATEGORY_ROWS, shares, strict=True)
    ]
    rows = [row.columns(widths) for row in Box(inner.x, names[0].bottom, inner.w, sum(heights)).rows(heights)]
    counted = rows[CATEGORY_ROWS.index(COUNTED)]
    counts: list[Box] = []
    if count:
        split = [cell.rows([unit * count, cell.h - unit * count]) for cell in counted[1:]]
        counts = [upper for upper, _ in split]
        counted[1:] = [lower for _, lower in split]
    below = Box(inner.x, rows[-1][0].bottom + layout.gap, inner.w, goods_shares * unit)
    goods = _goods(below, layout, unit, widths) if layout.good else None
    return Boxes(
        trim=trim,
        title=title,
        blanks=blanks,
        ornament=ornament,
        names_label=names[0],
        names=tuple(names[1:]),
        labels=tuple(row[0] for row in rows),
        counts=tuple(counts),
        cells=tuple(tuple(row[1:]) for row in rows),
        goods=goods,
        code=Box(inner.x, inner.bottom - code, inner.w, code) if code else None,
    )


def _check_room(layout: Table, unit: float, least: float, column: float, players: int) -> None:
    row, good, name = unit * least, unit * layout.good, layout.label - layout.ladder
    if (
        row < _MIN_ROW_MM
        or column < _MIN_COLUMN_MM
        or (layout.good and min(good / _MIN_GOOD_MM, name / _MIN_LABEL_MM) < 1)
    ):
        raise UnusableInputError(
            "the template's layout leaves rows of {row:.1f} mm, rows of {good:.1f} mm and names of "
            "{name:.1f} mm for goods, and columns of {column:.1f} mm for {players} players; writing "
            "needs {min_row_mm}, {min_good_mm}, {min_label_mm} and {min_column_mm} mm: put fewer on "
            "a page, or make header, names, padding, ladder or label smaller",
            row=row,
            good=good,
            name=name,
            column=column,
            players=players,
            min_row_mm=_MIN_ROW_MM,
            min_good_mm=_MIN_GOOD_MM,
            min_label_mm=_MIN_LABEL_MM,
            min_column_mm=_MIN_COLUMN_MM,
        )


def _header(header: Box, layout: Table) -> tuple[Box, tuple[Box, Box], Box]:
    ornament_height = min(3.4, layout.header * 0.2)
    upper = Box(header.x, header.y, header.w, header.h - ornament_height - 1.2)
    title, right = upper.columns([upper.w * _TITLE_SHARE, upper.w * (1 - _TITLE_SHARE)])
    date, place = Box(right.x + 3, right.y, right.w - 3, right.h).grid(1, 2)
    return title, (date, place), Box(header.x, upper.bottom + 0.4, header.w, ornament_height)


def _goods(box: Box, layout: Table, unit: float, widths: Sequence[float]) -> Boxes:
    """The grid of goods, its players' columns those of the table above."""
    good = layout.good * unit
    heights = [_HEAD_SHARE * good, *[good] * len(GOODS), layout.sets * unit]
    head, *goods, sets = box.rows(heights)
    step = layout.ladder
    inner = [row.columns([step, layout.label - step, *widths[1:]]) for row in goods]
    last = sets.columns(widths)
    return Boxes(
        ladder_head=Box(head.x, head.y, step, head.h),
        head=Box(head.x + step, head.y, head.w - step, head.h),
        steps=tuple(row[0] for row in inner),
        labels=tuple(row[1] for row in inner),
        cells=tuple(tuple(row[2:]) for row in inner),
        sets_label=last[0],
        sets=tuple(last[1:]),
    )
