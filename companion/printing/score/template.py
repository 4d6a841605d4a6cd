"""The shape of `templates/score_sheet.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import UsageError, quoted
from companion.language.phrase import joined, say
from companion.printing.core.geometry import SAFE_MM
from companion.printing.core.ruler import RULER_GAP_MM, RULER_HEIGHT_MM
from companion.printing.core.shape import TemplateFault
from companion.printing.core.template import CamelTints, PerColour, TribeTints, checked, load_template, names

NAME = "score_sheet.toml"

MIN_CAPTION_PT = 6.5
"""Smaller lettering is lost where a sheet is copied."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Cut marks: length and line width in mm."""

    length: float = checked(low=1, high=5)
    width: float = checked(low=0.05, high=0.5)


@dataclass(frozen=True, slots=True)
class ScorePalette:
    """Colours of the sheet: lettering, quiet lettering, lines, bands behind every other row, heads, the winner."""

    ink: str = checked(colour=True)
    quiet: str = checked(colour=True)
    line: str = checked(colour=True)
    band: str = checked(colour=True)
    accent: str = checked(colour=True)
    winner: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class PerCategory:
    """A text for each category of a score in the order of rules 10, and one for the total."""

    gold: str
    viziers: str
    elders: str
    djinns: str
    palms: str
    palaces: str
    tiles: str
    goods: str
    total: str


@dataclass(frozen=True, slots=True)
class PerGood:
    """A name for each good, in the order of `GOODS`."""

    ivory: str
    jewels: str
    gold: str
    papyrus: str
    silk: str
    spice: str
    fish: str
    wheat: str
    pottery: str


@dataclass(frozen=True, slots=True)
class Tints:
    """The colour of each category's icon."""

    gold: str = checked(colour=True)
    viziers: str = checked(colour=True)
    elders: str = checked(colour=True)
    djinns: str = checked(colour=True)
    palms: str = checked(colour=True)
    palaces: str = checked(colour=True)
    tiles: str = checked(colour=True)
    goods: str = checked(colour=True)
    total: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class RowShares:
    """How high each row of the table is, beside the others."""

    gold: float = checked(low=0.5, high=5)
    viziers: float = checked(low=0.5, high=5)
    elders: float = checked(low=0.5, high=5)
    djinns: float = checked(low=0.5, high=5)
    palms: float = checked(low=0.5, high=5)
    palaces: float = checked(low=0.5, high=5)
    tiles: float = checked(low=0.5, high=5)
    goods: float = checked(low=0.5, high=5)
    total: float = checked(low=0.5, high=5)


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to put sheets on a page: how many, heights and widths in mm, type sizes in points.

    The paper is shared equally among them. `padding` is what stays free along a sheet's edges, `ruler` the height
    kept for the 50 mm scale (0: none). `total`, `count`, `good` and `sets` are heights of rows as shares of a
    category's: the total, the viziers' number, each good of the grid (0: no grid), what sets somebody has.
    """

    landscape: bool
    columns: int = checked(low=1, high=6)
    rows: int = checked(low=1, high=8)
    padding: float = checked(low=SAFE_MM, high=30)
    ruler: float = checked(low=0, high=20)
    header: float = checked(low=8, high=60)
    names: float = checked(low=10, high=40)
    gap: float = checked(low=0.5, high=20)
    label: float = checked(low=15, high=150)
    ladder: float = checked(low=7, high=60)
    icon: float = checked(low=2, high=30)
    total: float = checked(low=0.5, high=5)
    count: float = checked(low=0, high=5)
    good: float = checked(low=0, high=5)
    sets: float = checked(low=0.5, high=5)
    title_pt: float = checked(low=MIN_CAPTION_PT, high=60)
    subtitle_pt: float = checked(low=MIN_CAPTION_PT, high=40)
    label_pt: float = checked(low=MIN_CAPTION_PT, high=24)
    hint_pt: float = checked(low=MIN_CAPTION_PT, high=14)
    small_pt: float = checked(low=MIN_CAPTION_PT, high=14)


@dataclass(frozen=True, slots=True)
class Filled:
    """The filled-in sheet: its layout by number to the page, and what only it has; mm and points.

    `shares`, `good` and `sets` are heights of rows in place of the layout's, `code` the height of the QR codes.
    """

    layout: str
    shares: RowShares
    good: float = checked(low=0.2, high=5)
    sets: float = checked(low=0.2, high=5)
    code: float = checked(low=20, high=80)
    number_pt: float = checked(low=8, high=40)
    sum_pt: float = checked(low=MIN_CAPTION_PT, high=20)


@dataclass(frozen=True, slots=True)
class ScoreWords:
    """All words of the sheet in one language; `arithmetic` replaces English words in the small sums."""

    title: str
    subtitle: str
    players: str
    date: str
    place: str
    count: str
    cards: str
    sets: str
    sets_hint: str
    scale: str
    winner: str
    code: str
    result: str
    result_hint: str
    labels: PerCategory
    hints: PerCategory
    colours: PerColour = names()
    goods: PerGood = names(capital=True)
    arithmetic: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoreTemplate:
    """All of `templates/score_sheet.toml`."""

    marks: Marks
    palette: ScorePalette
    tints: Tints
    tribes: TribeTints
    camels: CamelTints
    layouts: dict[str, Layout]
    filled: Filled
    words: Mapping[str, ScoreWords]


def load_score_template(own: Path | None) -> ScoreTemplate:
    """The user's own template, or the project's. Raises UnusableInputError if it cannot be used."""
    return load_template(NAME, own, ScoreTemplate, _check_layouts)


def _check_layouts(template: ScoreTemplate) -> None:
    """Refuse layouts that do not fit their name or the edge of the paper. Raises TemplateFault."""
    for name, layout in template.layouts.items():
        if name != str(layout.columns * layout.rows):
            sheets = {"columns": layout.columns, "rows": layout.rows}
            raise TemplateFault(
                f"layouts.{name}", say("has {columns} x {rows} sheets: call it by their number", **sheets)
            )
        below = SAFE_MM + RULER_GAP_MM + RULER_HEIGHT_MM
        if layout.ruler and layout.padding + layout.ruler < below:
            raise TemplateFault(
                f"layouts.{name}",
                say("padding and ruler must be {below:g} mm together at least, or ruler 0", below=below),
            )
    if template.filled.layout not in template.layouts:
        named, layouts = quoted(template.filled.layout), joined(", ", template.layouts)
        raise TemplateFault(
            "filled.layout", say("must be one of its layouts, {layouts}, not {named}", layouts=layouts, named=named)
        )


def pick_layout(template: ScoreTemplate, per_page: str) -> Layout:
    """The layout with that many sheets to the page. Raises UsageError if the template has none."""
    if per_page not in template.layouts:
        raise UsageError(
            say(
                "no layout with {per_page} to the page; there are {layouts}",
                per_page=per_page,
                layouts=joined(", ", template.layouts),
            )
        )
    return template.layouts[per_page]
