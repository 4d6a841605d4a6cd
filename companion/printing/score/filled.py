"""What a filled-in score sheet has besides an empty one: names, numbers, sums, the winner, the codes at the foot."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from companion.errors import UnusableInputError
from companion.language.catalogue import catalogued, translate
from companion.language.phrase import say
from companion.notation.outcome import Outcome, outcome_of
from companion.printing.core.geometry import Box
from companion.printing.core.icons import CATEGORY_ICONS
from companion.printing.core.kinds import MIN_CAPTION_PT
from companion.printing.core.lettering import cleaned
from companion.printing.core.page import Document
from companion.printing.core.qr import draw_code_text, draw_qr, qr_modules
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Surface
from companion.printing.core.tagging import Tag
from companion.printing.core.typefaces import Face
from companion.printing.score.pen import LEADING, ColumnHead, ScorePen, fitting_lines, line_mm
from companion.rules.engine.scoring import NONE, GameResult, Score
from companion.rules.model.components import Colour

_NUMBER_HEIGHT = 1.05
"""Height kept for a number as a share of its type size."""
_GAP_MM = 3.0
_CROWN_MM = 1.5
"""Between the winner's crown and the total."""
_WILD = "(*"
"""What the arithmetic of goods ends in where fakirs stand for some: "(* = 2 fakirs, Al-Amin)"."""


class Filling:
    """What is written on a sheet, each method into one box: everybody's points with their arithmetic in small.

    `names` by player; `code` is the position's FT1 code or None; `date` and `place` are those of the game or "". Only
    the winners of a game that is over are marked, and only if nothing that counts is unknown.
    """

    def __init__(
        self, result: GameResult, names: Mapping[Colour, str], code: str | None, date: str = "", place: str = ""
    ) -> None:
        self._result = result
        self._names = names
        self._code = code
        self._blanks = {"date": date, "place": place}
        self._colours = list(result.scores)

    @property
    def heads(self) -> list[ColumnHead]:
        """The heads of the columns; a name that nobody knows is left to be written in."""
        crowned = self._result.winners
        return [ColumnHead((colour,), self._names.get(colour, ""), colour in crowned) for colour in self._colours]

    def draw_blank(self, pen: ScorePen, box: Box, name: str) -> None:
        pen.page.text(box, self._blanks[name], pen.layout.small_pt, face=Face.BOLD, colour=pen.palette.ink)

    def draw_note(self, pen: ScorePen, box: Box) -> None:
        if self._result.finished:
            return
        said = translate(say("The game isn't over; these are the points so far."), pen.language)
        with pen.page.tagged(Tag.PARAGRAPH):
            size = pen.layout.subtitle_pt
            lines = fitting_lines(pen.page.wrapped(said, size, box.w, Face.BOLD), size, box.h)
            pen.lines(box, lines, size, face=Face.BOLD, colour=pen.palette.accent)

    def draw_points(self, pen: ScorePen, box: Box, category: str, column: int) -> None:
        score = self._score(column)
        if category == "total":
            colour = self._colours[column]
            _draw_total(pen, box, self._result.total_words(colour), won=colour in self._result.winners)
        else:
            how = printed_sum(score, category, pen.language, pen.words.arithmetic)
            _draw_points(pen, box, getattr(score, category), how)

    def draw_cards(self, pen: ScorePen, box: Box, good: str, column: int) -> None:
        cards, size = printed_cards(self._score(column), good), pen.layout.small_pt
        pen.page.text(box.inset(0.6, 0), cards, size, colour=pen.palette.ink, align="centre")

    def draw_sets(self, pen: ScorePen, box: Box, column: int) -> None:
        room = box.inset(0.6, 0.3)
        text = printed_sets(self._score(column))
        lines, size = fitted_sum(pen.page, text, pen.layout.small_pt, room)
        pen.lines(room, lines, size, colour=pen.palette.ink, align="centre")

    def draw_foot(self, pen: ScorePen, box: Box) -> None:
        """The result as a QR code for any phone; before it the position's code as QR and as text if there is one."""
        halves = box.columns([(box.w - _GAP_MM) / 2] * 2, _GAP_MM)
        words, size = pen.words, pen.layout.small_pt
        if self._code is not None:
            text_room = _draw_code(pen, halves.pop(0), self._code, words.code)
            draw_code_text(pen.page, self._code, text_room, size, colour=pen.palette.ink)
        place = halves[0]
        square = Box(place.x, place.y, place.h, place.h)
        text = outcome_text(self._result, self._names, self._blanks["date"], self._blanks["place"], square)
        text_room = _draw_code(pen, place, text, words.result)
        lines = pen.page.balanced(words.result_hint, size, text_room.w)
        with pen.page.tagged(Tag.PARAGRAPH):
            pen.lines(Box(text_room.x, text_room.y, text_room.w, line_mm(size) * len(lines)), lines, size)

    def _score(self, column: int) -> Score:
        return self._result.scores[self._colours[column]]


def printed_cards(score: Score, good: str) -> str:
    """The cards of a good that a score was counted from, those that fakirs stand for starred: "2", "1*", "1 + 1*"."""
    wild = sum(good in sold.wild for sold in score.sets)
    own = sum(good in sold.goods for sold in score.sets) - wild
    return " + ".join([str(own)] * bool(own) + [f"{wild}*"] * bool(wild))


def printed_sets(score: Score) -> str:
    """The prices of the sets that a score was counted from; "" if points alone are known."""
    return " + ".join(str(sold.price) for sold in score.sets)


def printed_sum(score: Score, category: str, language: str, words: Mapping[str, str]) -> str:
    """The small sum under a category's points, as it is printed; "" where it would say the points again.

    Of goods only what the grid below does not say: what fakirs stand for. `words` as for `arithmetic_text`.
    """
    how, points = score.arithmetic[category], getattr(score, category)
    if how in (NONE, str(points), f"{points} GC", f"{points} VP"):
        return ""
    text = arithmetic_text(how, language, words)
    if category == "goods" and score.sets:
        return text[text.index(_WILD) :] if _WILD in text else ""
    return text


def _draw_code(pen: ScorePen, box: Box, text: str, heading: str) -> Box:
    """Draw a QR code into the left of a box, with its heading beside it; the room below the heading."""
    size = pen.layout.small_pt
    draw_qr(pen.page, text, box)
    text_room = Box(box.x + box.h + 1, box.y, box.w - box.h - 1, box.h).inset(0, box.h * 0.11)
    head, free = text_room.rows([size * 1.7 / PT_PER_MM, text_room.h - size * 1.7 / PT_PER_MM])
    pen.page.text(head, heading, size, face=Face.BOLD, colour=pen.palette.ink, tag=Tag.HEADING_2)
    return free


def _draw_points(pen: ScorePen, cell: Box, points: int, how: str) -> None:
    """The points with their sum below, both together in the middle of the cell; alone where it is too low for two."""
    page, palette, number_pt = pen.page, pen.palette, pen.template.filled.number_pt
    room = cell.inset(1.0, 0.6)
    most = room.h - line_mm(MIN_CAPTION_PT) if how else room.h
    if most < MIN_TYPE_PT * _NUMBER_HEIGHT / PT_PER_MM:
        how, most = "", room.h
    number = min(number_pt * _NUMBER_HEIGHT / PT_PER_MM, most)
    lines, size = fitted_sum(page, how, pen.template.filled.sum_pt, Box(room.x, 0, room.w, room.h - number))
    sums = len(lines) * line_mm(size)
    top = room.y + (room.h - number - sums) / 2
    page.text(Box(room.x, top, room.w, number), str(points), number_pt, colour=palette.ink, align="centre")
    pen.lines(Box(room.x, top + number, room.w, sums), lines, size, align="centre")


def _draw_total(pen: ScorePen, cell: Box, total: str, *, won: bool) -> None:
    size = pen.template.filled.number_pt * 1.25
    crown = min(cell.h * 0.42, cell.w * 0.22) if won else 0.0
    if won:
        pen.page.box(cell.inset(0.2), fill=pen.palette.winner)
    room = Box(cell.x + crown, cell.y, cell.w - crown, cell.h)
    inner = room.inset(_CROWN_MM, 0)
    width = pen.page.text(inner, total, size, face=Face.BOLD, colour=pen.palette.ink, align="centre")
    if won:
        box = Box(room.centre[0] - width / 2 - _CROWN_MM - crown, cell.centre[1] - crown / 2, crown, crown)
        pen.icon(CATEGORY_ICONS["total"], box, pen.template.tints.total)


NO_BREAK = "\N{NO-BREAK SPACE}"
_WORD = re.compile(r"not known|[A-Za-z]+(?:[-'][A-Za-z]+)*")
_TIMES = re.compile(r"(?<=\d )x(?= \d)")
_STEP_PT = 0.25


def arithmetic_text(how: str, language: str, words: Mapping[str, str]) -> str:
    """The arithmetic of a category as it is printed.

    `words` are those that a template of the user's own has for English ones; djinns' names are none of them.
    """
    if words:
        return _WORD.sub(lambda match: words.get(match[0], match[0]), how)
    # A template of the user's own may speak a language that the program does not.
    text = translate(how, catalogued(language))
    return _TIMES.sub("×", text)


def sum_lines(page: Surface, text: str, size: float, width: float) -> list[str]:
    """A sum in lines no wider than `width` mm, which end after a plus: "15 +" and "2 × 8".

    A term that is wider by itself is broken at its spaces.
    """
    lines: list[str] = []
    for line in page.wrapped(text.replace(" ", NO_BREAK).replace(f"+{NO_BREAK}", "+ "), size, width):
        plain = line.replace(NO_BREAK, " ")
        lines += [plain] if page.width(plain, size) <= width else page.wrapped(plain, size, width)
    return lines


def fitted_sum(page: Surface, text: str, size: float, room: Box) -> tuple[list[str], float]:
    """The sum in lines that fit the room, and their type size: smaller if need be, the rest on the last line."""
    while len(lines := sum_lines(page, text, size, room.w)) * line_mm(size) > room.h and size > MIN_CAPTION_PT:
        size = max(size - _STEP_PT, MIN_CAPTION_PT)
    return fitting_lines(lines, size, room.h), size


PHONE_MODULE_MM = 0.6
"""Smaller modules of a code of this many are lost in a phone's photo of the whole sheet."""

_NAME_LETTERS = (60, 40, 24, 16, 10)
"""How long names may be: the longest that leaves the code's modules large enough."""


def outcome_text(result: GameResult, names: Mapping[Colour, str], date: str, place: str, box: Box) -> str:
    """When and where, then a line a player, the best first: rank, name, colour, total and the points of each category.

    It is English in every language, as files and codes are. A game that goes on, or of which something that counts is
    unknown, has no ranks. Of what is longer than a QR code in `box` holds, the ends of names and of the place are left
    out, then the points of the categories, and at last all names and the place. Raises UnusableInputError if there is
    not even room for the rest.
    """
    for outcome in _shorter_and_shorter(result, names, date, place):
        try:
            module = qr_modules(outcome.text, box)[0].w
        except UnusableInputError:
            continue
        if module >= PHONE_MODULE_MM:
            return outcome.text
    raise UnusableInputError("the result doesn't fit in a QR code of {w:.0f} mm: make `filled.code` larger", w=box.w)


def _shorter_and_shorter(result: GameResult, names: Mapping[Colour, str], date: str, place: str) -> Iterator[Outcome]:
    clean = {colour: cleaned(name) for colour, name in names.items()}
    whole = outcome_of(result, clean, date=cleaned(date), place=cleaned(place))
    for points, letters in product((whole.points, {}), _NAME_LETTERS):
        short = {colour: _cut(name, letters) for colour, name in whole.names.items()}
        date, place = _cut(whole.date, letters), _cut(whole.place, letters)
        yield replace(whole, names=short, points=points, date=date, place=place)
    yield replace(whole, names={}, points={}, date=_cut(whole.date, _NAME_LETTERS[-1]), place="")


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"


_MARGIN_MM = 20.0
_CODE_MM = 120.0
"""Side of the code; the largest has modules of 0.6 mm then."""

_TITLE_PT, _TEXT_PT = 18.0, 11.0
_PLAY_GAP_MM = 4.0


def draw_play(page: Document, paper: Box, link: str, *, language: str, ink: str) -> None:
    """Draw the page: what to do with the link, and the link as a QR code.

    `link` is as `notation.bgstats.push_link` makes it, of `core.qr.MAX_LONG_BYTES` at most; `ink` a colour.
    """
    room = paper.inset(_MARGIN_MM)
    title = Box(room.x, room.y, room.w, line_mm(_TITLE_PT))
    page.text(title, "BG Stats", _TITLE_PT, face=Face.TITLE, colour=ink, tag=Tag.HEADING_1)
    words = translate(say("Scan this with your phone: the app opens with this play, ready to save."), language)
    below = Box(room.x, title.bottom + _PLAY_GAP_MM, room.w, room.h)
    lines = page.balanced(words, _TEXT_PT, room.w)
    with page.tagged(Tag.PARAGRAPH):
        page.lines(below, lines, _TEXT_PT, LEADING, colour=ink)
    y, side = below.y + line_mm(_TEXT_PT) * len(lines) + _PLAY_GAP_MM, min(_CODE_MM, room.w)
    draw_qr(page, link, Box(room.x + (room.w - side) / 2, y, side, side), is_long=True)
