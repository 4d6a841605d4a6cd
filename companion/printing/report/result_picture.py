"""A result as a picture to send to others: the points of all by category, on one phone's screen."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.language.catalogue import translate
from companion.language.phrase import Phrase, capitalised, say_as, term
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CAMEL, CATEGORY_ICONS, draw_icon
from companion.printing.core.kinds import SETUP
from companion.printing.core.raster import Raster
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.template import Table
from companion.printing.core.typefaces import Face, Fonts
from companion.rules.engine.scoring import CATEGORIES, GameResult, category_name
from companion.rules.model.components import Colour

WIDTH_PX = 1080
_RIM, _ROW, _HEAD, _ICON = 48.0, 68.0, 150.0, 44.0
_NAMES = 0.34
"""The share of the width that the categories' names take."""

_PAPER, _STRIPE, _INK, _QUIET = "#FFFDF8", "#F3EADB", "#241F1A", "#6B5F52"
_TEXT_PX, _TITLE_PX, _TOTAL_PX = 32.0, 38.0, 44.0


def result_picture(
    result: GameResult,
    *,
    names: Mapping[Colour, str] = MappingProxyType({}),
    title: str = "",
    sentence: Phrase | None = None,
    language: str = "en",
) -> bytes:
    """A PNG of everybody's points, "?" where not known, the winners starred; `title` and `sentence` stand above."""
    lines = [line for line in (title, translate(sentence, language) if sentence is not None else "") if line]
    fonts, template = Fonts(), SETUP.load()
    ruler = Raster(Box(0, 0, 1, 1), fonts, ground=_PAPER)
    room = WIDTH_PX - 2 * _RIM
    wrapped = [
        (part, face)
        for line, face in zip(lines, (Face.BOLD, Face.REGULAR), strict=False)
        for part in ruler.wrapped(line, _TITLE_PX * PT_PER_MM, room, face)
    ]
    top = _RIM + len(wrapped) * 1.4 * _TITLE_PX
    height = top + _HEAD + _ROW * (len(CATEGORIES) + 1) + 1.5 * _RIM
    picture = Raster(Box(0, 0, WIDTH_PX, height), fonts, ground=_PAPER)
    for number, (part, face) in enumerate(wrapped):
        line_box = Box(_RIM, _RIM + number * 1.4 * _TITLE_PX, room, 1.4 * _TITLE_PX)
        picture.text(line_box, part, _TITLE_PX * PT_PER_MM, face=face, colour=_INK)
    _draw_heads(picture, result, names, top, template, language)
    y = top + _HEAD
    for number, category in enumerate(CATEGORIES):
        row = Box(_RIM, y + number * _ROW, room, _ROW)
        if number % 2 == 0:
            picture.box(row, fill=_STRIPE, radius=8)
        icon = Box(row.x + 8, row.y + (_ROW - _ICON) / 2, _ICON, _ICON)
        draw_icon(picture, CATEGORY_ICONS[category], icon, ink=_INK, tint="#FFFFFF")
        name = translate(capitalised(category_name(category)), language)
        place = Box(row.x + _ICON + 24, row.y, _NAMES * room - _ICON - 24, _ROW)
        picture.text(place, name, _TEXT_PX * PT_PER_MM, colour=_INK)
        for column, score in zip(_columns(result, row), result.scores.values(), strict=True):
            points = score.known[category]
            shown = "?" if points is None else str(points)
            picture.text(column, shown, _TEXT_PX * PT_PER_MM, colour=_INK, align="centre")
    _draw_totals(picture, result, Box(_RIM, y + len(CATEGORIES) * _ROW + 8, room, _ROW), language)
    return picture.to_bytes(".png")


def _columns(result: GameResult, row: Box) -> list[Box]:
    width = (1 - _NAMES) * row.w / len(result.scores)
    left = row.x + _NAMES * row.w
    return [Box(left + number * width, row.y, width, row.h) for number in range(len(result.scores))]


def _draw_heads(
    picture: Raster, result: GameResult, names: Mapping[Colour, str], top: float, template: Table, language: str
) -> None:
    row = Box(_RIM, top, WIDTH_PX - 2 * _RIM, _HEAD)
    for column, colour in zip(_columns(result, row), result.scores, strict=True):
        tint: str = template.camels[colour.value]
        side = 72.0
        camel = Box(column.x + (column.w - side) / 2, top + 12, side, side)
        draw_icon(picture, CAMEL, camel, ink=_INK, tint=tint)
        letter = Box(camel.right, camel.y + side / 2, side / 2, side / 2)
        picture.text(letter, colour.letter, 26 * PT_PER_MM, face=Face.BOLD, colour=_QUIET)
        name = names.get(colour) or translate(capitalised(term(colour)), language)
        place = Box(column.x + 6, top + 12 + side, column.w - 12, _HEAD - side - 24)
        picture.text(place, name, _TEXT_PX * PT_PER_MM, face=Face.BOLD, colour=_INK, align="centre")


def _draw_totals(picture: Raster, result: GameResult, row: Box, language: str) -> None:
    picture.line(row.x, row.y, row.right, row.y, colour=_INK, width=3)
    total = translate(capitalised(say_as("of the score", "total")), language)
    picture.text(
        Box(row.x + 8, row.y, _NAMES * row.w, row.h), total, _TOTAL_PX * PT_PER_MM, face=Face.BOLD, colour=_INK
    )
    for column, colour in zip(_columns(result, row), result.scores, strict=True):
        won = colour in result.winners and len(result.scores) > 1
        total_words = result.total_words(colour)
        text = f"★ {total_words}" if won else total_words
        picture.text(column, text, _TOTAL_PX * PT_PER_MM, face=Face.BOLD, colour=_INK, align="centre")
