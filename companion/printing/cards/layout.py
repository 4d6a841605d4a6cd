"""Where cards stand on a page, what is cut there, where a card's parts stand, in mm, and how they look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

from companion.drawing.palette import PAPER
from companion.errors import UsageError
from companion.printing.core.geometry import SAFE_MM, Box, Boxes, Mark
from companion.printing.core.kinds import djinn_key
from companion.printing.core.template import Table

CARD_MM = (63.0, 88.0)
"""A card as cut: what sleeves for standard cards take."""
COLUMNS, ROWS = 3, 3
ON_A_PAGE = COLUMNS * ROWS
_MARK_MM = 3.0
_MARK_GAP_MM = 0.5
_SHORTEST_MARK_MM = 1.5
_BETWEEN_MM = 1.2
_PILL_MM = 5.2
"""Height of the label on the lower edge of the emblem that says when the power works."""


def card_places(paper: Box, count: int = ON_A_PAGE) -> list[Box]:
    """The cuts of the cards of a page, row by row in the middle of the paper; neighbours share their cuts."""
    width, height = COLUMNS * CARD_MM[0], ROWS * CARD_MM[1]
    block = Box((paper.w - width) / 2, (paper.h - height) / 2, width, height)
    return block.grid(COLUMNS, ROWS)[:count]


def bleed_boxes(paper: Box, places: Sequence[Box], bleed: float) -> list[Box]:
    """What is coloured behind the cards of a page: each row of cards with its bleed, as far as can be printed."""
    printable = paper.inset(SAFE_MM)
    rows: dict[float, list[Box]] = {}
    for place in places:
        rows.setdefault(round(place.y, 3), []).append(place)
    return [reduce(Box.joined, row).inset(-bleed).common(printable) for row in rows.values()]


def crop_marks(paper: Box, places: Sequence[Box], bleed: float) -> list[Mark]:
    """Marks at both ends of every cut of a page's cards, outside their bleed where the paper has room for that."""
    printable = paper.inset(SAFE_MM)
    marks: list[Mark] = []
    for x, first, last in _cuts([(box.x, box.right, box.y, box.bottom) for box in places]):
        marks += [(x, start, x, end) for start, end in _ends(first, last, printable.y, printable.bottom, bleed)]
    for y, first, last in _cuts([(box.y, box.bottom, box.x, box.right) for box in places]):
        marks += [(start, y, end, y) for start, end in _ends(first, last, printable.x, printable.right, bleed)]
    return marks


def card_boxes(cut: Box, parts: Table) -> Boxes:
    """Where the parts of a djinn card stand: `cut`, `frame`, and what no cut and no sleeve reaches."""
    inner = cut.inset(parts.safe)
    head, emblem, cost, power = inner.rows(
        [parts.head, parts.emblem, parts.cost, inner.h - parts.head - parts.emblem - parts.cost - 2 * _BETWEEN_MM - 1]
    )
    value = Box(head.right - head.h + 0.4, head.y - 0.2, head.h - 0.8, head.h - 0.8)
    name = Box(head.x + _BETWEEN_MM, head.y, value.x - head.x - 2 * _BETWEEN_MM, head.h)
    pill = Box(emblem.x + 2, emblem.bottom - _PILL_MM / 2, emblem.w - 4, _PILL_MM)
    below = _PILL_MM / 2 + _BETWEEN_MM
    return Boxes(
        cut=cut,
        frame=cut.inset(parts.frame),
        name=name,
        value=value,
        emblem=emblem,
        timing=pill,
        cost=Box(cost.x, cost.y + _PILL_MM / 2, cost.w, cost.h),
        divider=Box(cost.x + 6, cost.bottom + _PILL_MM / 2, cost.w - 12, 1.6),
        power=Box(power.x + _BETWEEN_MM, power.y + below, power.w - 2 * _BETWEEN_MM, inner.bottom - power.y - below),
    )


def panel_boxes(frame: Box, head: float, inset: float) -> Boxes:
    """A card of rules, or a part of a page: the head's `band` with its `title` and `icon`, and the `body` below."""
    band = Box(frame.x, frame.y, frame.w, head)
    side = head * 0.66
    icon = Box(band.x + inset, band.y + (head - side) / 2, side, side)
    title = Box(icon.right + 2, band.y, band.right - inset - icon.right - 2, head)
    body = Box(frame.x + inset, band.bottom + inset, frame.w - 2 * inset, frame.h - head - 2 * inset)
    return Boxes(frame=frame, band=band, title=title, icon=icon, body=body)


def check_offset(paper: Box, offset: tuple[float, float]) -> None:
    """Refuse an offset of the backs that would leave what can be printed. Raises UsageError."""
    places, printable = card_places(paper), paper.inset(SAFE_MM)
    across, down = places[0].x - printable.x, places[0].y - printable.y
    if not (abs(offset[0]) <= across + 1e-6 and abs(offset[1]) <= down + 1e-6):
        raise UsageError(
            "--offset {offset} would move cards into the margin that printers can't reach; on this paper it "
            "can be at most {across} mm across and {down} mm down",
            offset=f"{offset[0]:g},{offset[1]:g}",
            across=round(across, 1),
            down=round(down, 1),
        )


def _cuts(spans: Sequence[tuple[float, float, float, float]]) -> list[tuple[float, float, float]]:
    """Each straight cut once: where it lies, from where to where, given the edges that cards have."""
    cuts: dict[float, list[float]] = {}
    for low, high, first, last in spans:
        for edge in (low, high):
            cuts.setdefault(round(edge, 3), []).extend((first, last))
    return [(edge, min(ends), max(ends)) for edge, ends in sorted(cuts.items())]


def _ends(first: float, last: float, low: float, high: float, bleed: float) -> Iterator[tuple[float, float]]:
    """Where the marks before and behind a cut begin and end, in mm, if it can be printed from `low` to `high`."""
    for room, is_before in ((first - low, True), (high - last, False)):
        near = max(min(bleed + _MARK_GAP_MM, room - _SHORTEST_MARK_MM), 0.0)
        far = min(near + _MARK_MM, room)
        if near != far:
            yield (first - far, first - near) if is_before else (last + near, last + far)


class Flip(StrEnum):
    """Over which edge a printer turns an upright page to print its other side."""

    LONG = "long"
    SHORT = "short"


def back_box(front: Box, paper: Box, flip: Flip, offset: tuple[float, float] = (0.0, 0.0)) -> Box:
    """The box on the back page that lies behind one on the front page of the same sheet.

    `offset` moves it by mm to the right and down, for printers that do not hit the front exactly.
    """
    x, y = front.x, front.y
    if flip is Flip.LONG:
        x = paper.w - front.right
    else:
        y = paper.h - front.bottom
    return Box(x + offset[0], y + offset[1], front.w, front.h)


@dataclass(frozen=True, slots=True)
class CardLook:
    """A template and its words, and whether surfaces are coloured."""

    template: Table
    words: Table
    full_ink: bool = True

    @property
    def sizes(self) -> Table:
        """The largest type sizes in points."""
        sizes: Table = self.template.type
        return sizes

    @property
    def palette(self) -> Table:
        """Colours of lettering, lines and grounds."""
        palette: Table = self.template.palette
        return palette

    @property
    def tints(self) -> dict[str, str]:
        """What emblems and icons are filled with, by name; white all of them where ink is saved."""
        named = {**self.template.tints, **self.template.tribes, "paper": PAPER, "accent": self.palette.accent}
        return {**(named if self.full_ink else dict.fromkeys(named, PAPER)), "ink": self.palette.ink}

    def power(self, djinn: str) -> tuple[str, str]:
        """What a djinn's power does, and what is to be known besides, "" for nothing."""
        key = djinn_key(djinn)
        return self.words.powers[key], self.words.notes.get(key, "")

    def surface(self, colour: str) -> str:
        """What a surface is filled with: its colour, or white where ink is saved."""
        return colour if self.full_ink else PAPER

    def on_dark(self, colour: str) -> str:
        """The lettering on the surface of a dark colour."""
        return PAPER if self.full_ink else colour
