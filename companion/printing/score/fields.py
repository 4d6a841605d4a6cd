"""The fields of a score sheet that is filled in on a screen; the viewer adds up the totals."""

from __future__ import annotations

from collections.abc import Sequence

from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.tagging import Tag
from companion.printing.score.layout import CATEGORY_ROWS, SlipBoxes
from companion.printing.score.template import Layout, ScoreWords

_RIM_MM = 0.5
"""Between a field and the lines around it."""
_NUMBER_SHARE = 1.1
"""Type size of numbers, as a share of the labels'."""


def add_fields(page: Document, slip: SlipBoxes, layout: Layout, words: ScoreWords, names: Sequence[str]) -> None:
    """Put fields over the places of an empty sheet where something is written: names, points, date and place.

    They are named `name1`, `gold1` ... `total1`, `date`, `place`; the number is the player's, from 1. Tab goes from
    left to right, row by row.
    """
    for name, word, box in zip(("date", "place"), (words.date, words.place), slip.blanks, strict=True):
        width = page.width(word, layout.small_pt)
        line = box.inset(0, box.h * 0.1)
        page.field(name, word, Box(line.x + width + 1.5, line.y, line.w - width - 1.5, line.h), layout.small_pt)
    columns = range(len(slip.names))
    with page.tagged(Tag.TABLE) as table:
        with page.tagged(Tag.ROW, within=table):
            for column in columns:
                given = names[column] if names else ""
                box = slip.names[column].inset(_RIM_MM)
                with page.tagged(Tag.HEADER_CELL, across=True):
                    said = f"{words.players} {column + 1}"
                    page.field(f"name{column + 1}", said, box, layout.label_pt, align="centre", value=given)
        for row, category in enumerate(CATEGORY_ROWS):
            with page.tagged(Tag.ROW, within=table):
                for column in columns:
                    _add_points(page, slip, layout, words, names, row, column, category)


def _add_points(
    page: Document,
    slip: SlipBoxes,
    layout: Layout,
    words: ScoreWords,
    names: Sequence[str],
    row: int,
    column: int,
    category: str,
) -> None:
    number = column + 1
    total = category == "total"
    player = names[column] if names else f"{words.players} {number}"
    with page.tagged(Tag.CELL):
        page.field(
            f"{category}{number}",
            f"{player}: {getattr(words.labels, category)}",
            slip.cells[row][column].inset(_RIM_MM),
            layout.label_pt * _NUMBER_SHARE,
            align="centre",
            number=not total,
            sum_of=[f"{one}{number}" for one in CATEGORY_ROWS if one != "total"] if total else (),
        )
