"""Where everything of a score sheet stands, worked out in mm before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import UnusableInputError
from companion.printing.core.geometry import SAFE_MM, Box, Mark, cut_marks
from companion.printing.core.ruler import RULER_GAP_MM, RULER_HEIGHT_MM, RULER_MM
from companion.printing.score.template import Layout, ScoreTemplate

CATEGORY_ROWS: tuple[str, ...] = (
    "gold",
    "viziers",
    "elders",
    "djinns",
    "palms",
    "palaces",
    "tiles",
    "goods",
    "total",
)
"""The rows of the table: the categories in the order of rules 10, then the total."""

_MIN_ROW_MM = 5.5
_MIN_COLUMN_MM = 9.0
_SIDE_BY_SIDE_MM = 0.45
"""Share of the header that the title takes; date and place stand to its right."""


@dataclass(frozen=True, slots=True)
class SlipBoxes:
    """One sheet, inside its trim. `cells` are by category, then by player; a box that is not wanted is None."""

    trim: Box
    title: Box
    blanks: tuple[Box, Box]
    ornament: Box
    names_label: Box
    names: tuple[Box, ...]
    labels: tuple[Box, ...]
    cells: tuple[tuple[Box, ...], ...]
    sets: Box | None
    code: Box | None

    @property
    def parts(self) -> list[Box]:
        """Every box that must not overlap another."""
        boxes = [self.title, *self.blanks, self.ornament, self.names_label, *self.names, *self.labels]
        boxes += [cell for row in self.cells for cell in row]
        boxes += [box for box in (self.sets, self.code) if box is not None]
        return boxes


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """One page: its sheets, cut marks and ruler."""

    paper: Box
    slips: tuple[SlipBoxes, ...]
    marks: tuple[Mark, ...]
    ruler: Box
    ruler_text: Box


def lay_out(
    template: ScoreTemplate, paper: Box, layout: Layout, players: int, *, code: float = 0.0, goods_share: float = 1.0
) -> PageBoxes:
    """The page of that template for so many players.

    `code` is the height in mm kept at the foot of each sheet for a position code, `goods_share` how
    much taller the goods' row is than the others. Raises UnusableInputError if rows or columns become
    too small to write in, with what to change.
    """
    page = template.page
    block = Box(page.side, page.top, paper.w - 2 * page.side, paper.h - page.top - page.bottom)
    trims = block.grid(layout.columns, layout.rows)
    slips = tuple(_slip(trim, layout, players, code, goods_share) for trim in trims)
    marks = cut_marks(block, layout.columns, layout.rows, gap=template.marks.gap, length=template.marks.length)
    ruler = Box(block.x + 4, paper.h - SAFE_MM - RULER_HEIGHT_MM - RULER_GAP_MM, RULER_MM, RULER_HEIGHT_MM)
    text = Box(ruler.right + 4, ruler.y, block.right - ruler.right - 8, ruler.h)
    return PageBoxes(paper, slips, tuple(marks), ruler, text)


def _slip(trim: Box, layout: Layout, players: int, code: float, goods_share: float) -> SlipBoxes:
    inner = trim.inset(layout.padding)
    fixed = layout.header + layout.names + layout.gap
    fixed += layout.sets + layout.gap if layout.sets else 0
    fixed += code + layout.gap if code else 0
    shares = [goods_share if category == "goods" else 1.0 for category in CATEGORY_ROWS]
    unit = (inner.h - fixed) / sum(shares)
    column = (inner.w - layout.label) / players
    if unit < _MIN_ROW_MM or column < _MIN_COLUMN_MM:
        raise UnusableInputError(
            f"the template's layout leaves rows of {unit:.1f} mm and columns of {column:.1f} mm for {players} players; "
            f"writing needs {_MIN_ROW_MM} mm and {_MIN_COLUMN_MM} mm: "
            "put fewer on a page, or make header, names, sets, padding or label smaller"
        )
    header = Box(inner.x, inner.y, inner.w, layout.header)
    ornament_height = min(3.4, layout.header * 0.22)
    upper = Box(header.x, header.y, header.w, header.h - ornament_height - 1.2)
    title, right = upper.columns([upper.w * _SIDE_BY_SIDE_MM, upper.w * (1 - _SIDE_BY_SIDE_MM)])
    blanks = Box(right.x + 3, right.y, right.w - 3, right.h).grid(1, 2)
    ornament = Box(header.x, upper.bottom + 0.4, header.w, ornament_height)
    widths = [layout.label, *[column] * players]
    names = Box(inner.x, header.bottom, inner.w, layout.names).columns(widths)
    table = Box(inner.x, header.bottom + layout.names, inner.w, unit * sum(shares))
    rows = [row.columns(widths) for row in table.rows([unit * share for share in shares])]
    below = table.bottom + layout.gap
    sets = Box(inner.x, below, inner.w, layout.sets) if layout.sets else None
    if sets is not None:
        below = sets.bottom + layout.gap
    return SlipBoxes(
        trim=trim,
        title=title,
        blanks=(blanks[0], blanks[1]),
        ornament=ornament,
        names_label=names[0],
        names=tuple(names[1:]),
        labels=tuple(row[0] for row in rows),
        cells=tuple(tuple(row[1:]) for row in rows),
        sets=sets,
        code=Box(inner.x, below, inner.w, code) if code else None,
    )
