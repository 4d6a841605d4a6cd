"""The shape of `templates/score_sheet.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import UnusableInputError, UsageError
from companion.printing.core.geometry import SAFE_MM
from companion.printing.core.ruler import RULER_GAP_MM, RULER_HEIGHT_MM
from companion.printing.core.template import CamelTints, PerColour, TribeTints, checked, load_template, names

NAME = "score_sheet.toml"


@dataclass(frozen=True, slots=True)
class PageMargins:
    """What lies between the paper's edges and the trimmed sheets, in mm; the ruler stands in the lower one."""

    side: float = checked(low=5, high=40)
    top: float = checked(low=5, high=40)
    bottom: float = checked(low=5, high=60)


@dataclass(frozen=True, slots=True)
class Marks:
    """Cut marks: gap to the trim, length and line width in mm."""

    gap: float = checked(low=0.5, high=3)
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
class Layout:
    """One way to put sheets on a page: how many, heights and widths in mm, type sizes in points."""

    columns: int = checked(low=1, high=6)
    rows: int = checked(low=1, high=8)
    padding: float = checked(low=2, high=30)
    header: float = checked(low=8, high=60)
    names: float = checked(low=5, high=40)
    sets: float = checked(low=0, high=40)
    gap: float = checked(low=0.5, high=20)
    label: float = checked(low=15, high=150)
    icon: float = checked(low=2, high=30)
    title_pt: float = checked(low=5, high=60)
    subtitle_pt: float = checked(low=4, high=40)
    label_pt: float = checked(low=5, high=40)
    hint_pt: float = checked(low=4, high=30)
    small_pt: float = checked(low=4, high=30)


@dataclass(frozen=True, slots=True)
class Filled:
    """The filled-in sheet: its layout by number to the page, and what only it has; mm and points."""

    layout: str
    goods_share: float = checked(low=1, high=4)
    code: float = checked(low=20, high=80)
    number_pt: float = checked(low=8, high=40)
    sum_pt: float = checked(low=4, high=20)


@dataclass(frozen=True, slots=True)
class ScoreWords:
    """All words of the sheet in one language; `arithmetic` replaces English words in the small sums."""

    title: str
    subtitle: str
    players: str
    date: str
    place: str
    sets: str
    points: str
    scale: str
    winner: str
    code: str
    labels: PerCategory
    hints: PerCategory
    colours: PerColour = names()
    arithmetic: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoreTemplate:
    """All of `templates/score_sheet.toml`."""

    page: PageMargins
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
    template = load_template(NAME, own, ScoreTemplate)
    for name, layout in template.layouts.items():
        if name != str(layout.columns * layout.rows):
            raise _fault(own, f"layouts.{name} has {layout.columns} x {layout.rows} sheets: call it by their number")
    if template.filled.layout not in template.layouts:
        raise _fault(
            own, f"filled.layout {template.filled.layout!r} is none of its layouts, {', '.join(template.layouts)}"
        )
    side = template.marks.gap + template.marks.length + SAFE_MM
    below = side + RULER_HEIGHT_MM + RULER_GAP_MM
    for key, value, least in (
        ("side", template.page.side, side),
        ("top", template.page.top, side),
        ("bottom", template.page.bottom, below),
    ):
        if value < least:
            raise _fault(own, f"page.{key} must be at least {least:g} to hold the cut marks, not {value:g}")
    return template


def _fault(own: Path | None, message: str) -> UnusableInputError:
    return UnusableInputError(f"the template {own or NAME}: {message}")


def pick_layout(template: ScoreTemplate, per_page: str) -> Layout:
    """The layout with that many sheets to the page. Raises UsageError if the template has none."""
    if per_page not in template.layouts:
        raise UsageError(f"no layout with {per_page} to the page; there are {', '.join(template.layouts)}")
    return template.layouts[per_page]
