"""The fields of a score sheet that is filled in on a screen; the viewer adds up the totals."""

from __future__ import annotations

from collections.abc import Sequence

from companion.printing.core.geometry import Box
from companion.printing.score.contents import SheetContents
from companion.printing.score.layout import CATEGORY_ROWS
from companion.printing.score.pen import ScorePen

_RIM_MM = 0.5
"""Between a field and the lines around it."""
_NUMBER_SHARE = 1.1
"""Type size of numbers, as a share of the labels'."""


class FormFields(SheetContents):
    """Fields in every place where something is written; Tab goes from left to right, row by row.

    They are named `date`, `place`, `name1`, `gold1` ... `total1`, `count1` for viziers, `ivory_cards1` ... and `sets1`;
    the number is the player's, from 1. `names` stand in their fields from the start.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names

    def draw_blank(self, pen: ScorePen, box: Box, name: str) -> None:
        """See `SheetContents`."""
        pen.page.field(name, getattr(pen.words, name), box, pen.layout.small_pt)

    def draw_name(self, pen: ScorePen, box: Box, column: int) -> None:
        """See `SheetContents`."""
        given = self._names[column] if self._names else ""
        said = f"{pen.words.players} {column + 1}"
        pen.page.field(f"name{column + 1}", said, box, pen.layout.label_pt, align="centre", value=given)

    def draw_count(self, pen: ScorePen, box: Box, column: int) -> None:
        """See `SheetContents`."""
        self._draw_number(pen, box, column, "count", f"{pen.words.labels.viziers}, {pen.words.count}")

    def draw_points(self, pen: ScorePen, box: Box, category: str, column: int) -> None:
        """See `SheetContents`."""
        summed = [f"{one}{column + 1}" for one in CATEGORY_ROWS if one != "total"] if category == "total" else []
        self._draw_number(pen, box, column, category, getattr(pen.words.labels, category), sum_of=summed)

    def draw_cards(self, pen: ScorePen, box: Box, good: str, column: int) -> None:
        """See `SheetContents`."""
        # The good gold must not share its field's name with the category.
        self._draw_number(pen, box, column, f"{good}_cards", getattr(pen.words.goods, good), small=True)

    def draw_sets(self, pen: ScorePen, box: Box, column: int) -> None:
        """See `SheetContents`."""
        pen.page.field(
            f"sets{column + 1}",
            f"{self._player(pen, column)}: {pen.words.sets}",
            box.inset(_RIM_MM),
            pen.layout.small_pt,
            align="centre",
        )

    def _player(self, pen: ScorePen, column: int) -> str:
        return (self._names[column] if self._names else "") or f"{pen.words.players} {column + 1}"

    def _draw_number(
        self,
        pen: ScorePen,
        box: Box,
        column: int,
        name: str,
        said: str,
        *,
        sum_of: Sequence[str] = (),
        small: bool = False,
    ) -> None:
        size = pen.layout.small_pt if small else pen.layout.label_pt * _NUMBER_SHARE
        pen.page.field(
            f"{name}{column + 1}",
            f"{self._player(pen, column)}: {said}",
            box.inset(_RIM_MM),
            size,
            align="centre",
            number=not sum_of,
            sum_of=sum_of,
        )
