"""What a filled-in score sheet has besides an empty one: names, numbers, sums, the winner, the position's code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from companion.language.catalogue import translate
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CAMEL, CATEGORY_ICONS, draw_icon
from companion.printing.core.page import Document
from companion.printing.core.qr import draw_code_text, draw_qr
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.typefaces import Face
from companion.printing.score.layout import CATEGORY_ROWS, SlipBoxes
from companion.printing.score.template import Layout, ScoreTemplate, ScoreWords
from companion.rules.engine.result import GameResult
from companion.rules.engine.scoring import NONE
from companion.rules.model.components import Colour

_WORD = re.compile(r"not known|[A-Za-z]+(?:[-'][A-Za-z]+)*")
_TIMES = re.compile(r"(?<=\d )x(?= \d)")
_LEADING = 1.18
_MIN_SUM_PT = 4.5
_SUM_STEP_PT = 0.25
_NUMBER_HEIGHT = 1.1
"""Height kept for a number as a share of its type size."""


@dataclass(frozen=True, slots=True)
class Filling:
    """What is written in: the result, names by player, the position's FT1 code or None, and the language of sums.

    Only the winners of a game that is over are marked, and only if nothing that counts is unknown.
    """

    result: GameResult
    names: Mapping[Colour, str]
    code: str | None
    language: str = "en"


def draw_filling(
    page: Document, slip: SlipBoxes, template: ScoreTemplate, layout: Layout, words: ScoreWords, filling: Filling
) -> None:
    """Write a filling into a sheet whose lines are drawn already."""
    crowned = filling.result.crowned
    for column, (colour, score) in enumerate(filling.result.scores.items()):
        name = filling.names.get(colour) or getattr(words.colours, colour.value)
        _draw_player(page, slip.names[column], template, layout, words, name=name, colour=colour, won=colour in crowned)
        for number, category in enumerate(CATEGORY_ROWS):
            cell = slip.cells[number][column]
            if category == "total":
                _draw_total(page, cell, template, score.total, won=colour in crowned)
            else:
                points = getattr(score, category)
                how = score.arithmetic[category]
                said_already = how in (NONE, str(points), f"{points} GC")
                text = "" if said_already else arithmetic_text(how, filling.language, words.arithmetic)
                _draw_points(page, cell, template, points, text)
    if slip.code is not None and filling.code is not None:
        _draw_code(page, slip.code, template, layout, words, filling.code)


def arithmetic_text(how: str, language: str, words: Mapping[str, str]) -> str:
    """The arithmetic of a category as it is printed.

    `words` are those that a template of the user's own has for English ones; djinns' names are none of them.
    """
    if words:
        return _WORD.sub(lambda match: words.get(match[0], match[0]), how)
    return _TIMES.sub("×", translate(how, language))


def _draw_player(
    page: Document,
    box: Box,
    template: ScoreTemplate,
    layout: Layout,
    words: ScoreWords,
    *,
    name: str,
    colour: Colour,
    won: bool,
) -> None:
    palette = template.palette
    inner = box.inset(1.0)
    camel, name_box, below = inner.rows([inner.h * 0.42, inner.h * 0.34, inner.h * 0.24])
    size = camel.h
    tint = getattr(template.camels, colour.value)
    middle = Box(camel.centre[0] - size / 2, camel.y, size, size)
    draw_icon(page, CAMEL, middle, ink=palette.ink, tint=tint, weight=1.1)
    page.text(name_box, name, layout.label_pt, face=Face.BOLD, colour=palette.ink, align="centre")
    word = getattr(words.colours, colour.value)
    parts = ([word] if word != name else []) + ([words.winner] if won else [])
    page.text(below, " · ".join(parts), layout.hint_pt, colour=palette.quiet, align="centre")


def _draw_points(page: Document, cell: Box, template: ScoreTemplate, points: int, how: str) -> None:
    """The points with their sum below, both together in the middle of the cell."""
    palette, number_pt = template.palette, template.filled.number_pt
    room = cell.inset(1.2, 1.4)
    number_height = number_pt * _NUMBER_HEIGHT / PT_PER_MM
    lines, size = _fitted_sum(page, how, template.filled.sum_pt, Box(room.x, 0, room.w, room.h - number_height))
    sums = _height(len(lines), size)
    top = room.y + (room.h - number_height - sums) / 2
    page.text(Box(room.x, top, room.w, number_height), str(points), number_pt, colour=palette.ink, align="centre")
    below = Box(room.x, top + number_height, room.w, sums).rows([_height(1, size)] * len(lines))
    for line, box in zip(lines, below, strict=True):
        page.text(box, line, size, colour=palette.quiet, align="centre")


def _fitted_sum(page: Document, how: str, size: float, room: Box) -> tuple[list[str], float]:
    """The sum in lines that fit the room, and their type size: smaller if need be, the rest on the last line."""
    lines = page.wrapped(how, size, room.w)
    while _height(len(lines), size) > room.h and size > _MIN_SUM_PT:
        size -= _SUM_STEP_PT
        lines = page.wrapped(how, size, room.w)
    fitting = max(1, int(room.h / _height(1, size)))
    if len(lines) > fitting:
        lines = [*lines[: fitting - 1], " ".join(lines[fitting - 1 :])]
    return lines, size


def _height(lines: int, size: float) -> float:
    return lines * size * _LEADING / PT_PER_MM


def _draw_total(page: Document, cell: Box, template: ScoreTemplate, total: int, *, won: bool) -> None:
    palette = template.palette
    size = template.filled.number_pt * 1.25
    room = cell
    if won:
        page.box(cell.inset(0.2), fill=palette.winner)
        crown = min(cell.h * 0.42, cell.w * 0.22)
        room = Box(cell.x + crown, cell.y, cell.w - crown, cell.h)
        width = page.width(str(total), size, Face.BOLD)
        box = Box(room.centre[0] - width / 2 - crown - 1.5, cell.centre[1] - crown / 2, crown, crown)
        draw_icon(page, CATEGORY_ICONS["total"], box, ink=palette.ink, tint=template.tints.total)
    page.text(room, str(total), size, face=Face.BOLD, colour=palette.ink, align="centre")


def _draw_code(page: Document, box: Box, template: ScoreTemplate, layout: Layout, words: ScoreWords, code: str) -> None:
    """The QR code at the left, the same as text beside it."""
    draw_qr(page, code, box)
    beside = Box(box.x + box.h + 4, box.y, box.w - box.h - 4, box.h).inset(0, box.h * 0.12)
    heading, text = beside.rows([layout.small_pt * 2 / PT_PER_MM, beside.h - layout.small_pt * 2 / PT_PER_MM])
    page.text(heading, words.code, layout.small_pt, face=Face.BOLD, colour=template.palette.ink)
    draw_code_text(page, code, text, layout.small_pt, colour=template.palette.ink)
