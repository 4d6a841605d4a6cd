"""What the games of a history tell, as one picture: wins, what djinns were worth, bids against points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.graphics.shapes import Circle, Drawing, Line, Rect, String
from reportlab.lib.colors import HexColor

from companion.history.statistics import TOTAL, PlayerFigures, Statistics
from companion.language.catalogue import translate
from companion.language.phrase import decimal, say, say_many, term
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.review.curve_svg import chart_svg

WIDTH_MM = 180.0
_ROW_MM, _GAP_MM, _HEAD_MM, _PLOT_MM = 6.0, 9.0, 7.0, 70.0
_NAME_MM, _NUMBER_MM = 34.0, 26.0
_MOST_PLAYERS, _MOST_DJINNS = 10, 11
_TEXT_PT, _HEAD_PT = 9.0, 10.5
_INK, _QUIET, _LINE, _BAR, _WON = "#2E2A26", "#4F483F", "#CDBFA9", "#B9A27C", "#8A3B1E"
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000)
_MOST_STEPS = 6


def history_plot(statistics: Statistics, ending: str, *, language: str = "en") -> bytes:
    """The picture as an SVG file or a PDF page, by the ending ".svg" or ".pdf"; there is a finished game at least.

    Letters are outlines in the SVG. Raises MissingDependencyError if the program's own fonts are gone.
    """
    fonts = Fonts()
    plot = _Plot(statistics, fonts, language)
    title = translate(say_many("Five Tribes: {count} game", "Five Tribes: {count} games", statistics.games), language)
    note = translate(say("Wins by player, what djinns were worth, and bids against points."), language)
    if ending == ".svg":
        return chart_svg(plot.drawing, title=title, note=note)
    margin = 15.0
    paper = Box(0, 0, 210, max(297.0, plot.height + 2 * margin + 12))
    page = Document(paper, fonts, title=title, language=language)
    page.text(Box(margin, margin, WIDTH_MM, 9), title, size=16, face=Face.BOLD, colour=_INK)
    page.picture(plot.drawing, margin, margin + 12, alternative=note)
    return page.to_bytes()


@dataclass(frozen=True, slots=True)
class _Row:
    """A bar with its name before it and its number behind it; `share` of the longest."""

    name: str
    share: float
    number: str


class _Plot:
    """The drawing, from its upper edge downwards, in mm."""

    def __init__(self, statistics: Statistics, fonts: Fonts, language: str) -> None:
        self._fonts, self._language = fonts, language
        players = statistics.players[:_MOST_PLAYERS]
        wins = [_Row(self._name(one), one.won / one.games, self._record(one)) for one in players]
        shown = statistics.djinns[:_MOST_DJINNS]
        most = max([1.0, *(one.points for one in shown)])
        djinns = [
            _Row(one.name, max(one.points, 0.0) / most, f"{self._said(decimal(one.points))} ({one.held})")
            for one in shown
        ]
        top = _HEAD_MM + _ROW_MM * len(wins) + _GAP_MM
        lower = bool(djinns or statistics.spent)
        self.height = top + (_HEAD_MM + _PLOT_MM + _GAP_MM if lower else 0.0)
        self.drawing = Drawing(WIDTH_MM * PT_PER_MM, self.height * PT_PER_MM)
        self._bars(Box(0, 0, WIDTH_MM, top), say("Games won"), wins, number_mm=44.0)
        half = (WIDTH_MM - 12.0) / 2
        if statistics.spent:
            self._scatter(Box(0, top, half, _HEAD_MM + _PLOT_MM), statistics)
        if djinns:
            left = half + 12.0 if statistics.spent else 0.0
            self._bars(
                Box(left, top, half, _HEAD_MM + _PLOT_MM),
                say("What a djinn was worth, VP (how often held)"),
                djinns,
                number_mm=18.0,
            )

    def _name(self, player: PlayerFigures) -> str:
        return player.name or self._said(term(player.colour) if player.colour else "")

    def _record(self, player: PlayerFigures) -> str:
        mean = decimal(player.points[TOTAL].mean)
        return self._said(say("{won} of {games}, mean {mean}", won=player.won, games=player.games, mean=mean))

    def _said(self, text: str) -> str:
        return translate(text, self._language)

    def _bars(self, box: Box, heading: str, rows: Sequence[_Row], *, number_mm: float) -> None:
        self._text(box.x, box.y + 4.5, self._said(heading), face=Face.BOLD, size=_HEAD_PT)
        room = box.w - _NAME_MM - number_mm
        for place, row in enumerate(rows):
            y = box.y + _HEAD_MM + place * _ROW_MM
            self._text(box.x, y + 4.0, self._fitted(row.name, _NAME_MM - 2))
            self._box(box.x + _NAME_MM, y + 0.9, max(room * row.share, 0.3), _ROW_MM - 1.8, _BAR)
            self._text(box.x + _NAME_MM + room * row.share + 2, y + 4.0, row.number, colour=_QUIET)

    def _scatter(self, box: Box, statistics: Statistics) -> None:
        """A mark for each player of each game: a filled square has won, a ring has not."""
        heading = self._said(say("Bids of a game in GC, and points (filled: won)"))
        self._text(box.x, box.y + 4.5, heading, face=Face.BOLD, size=_HEAD_PT)
        left, bottom = box.x + 11.0, box.y + box.h - 5.0
        width, height = box.x + box.w - left, bottom - box.y - _HEAD_MM - 2.0
        across = _ticks([one.bids for one in statistics.spent])
        up = _ticks([one.points for one in statistics.spent])

        def at(bids: float, points: float) -> tuple[float, float]:
            return (
                left + width * (bids - across[0]) / (across[-1] - across[0]),
                bottom - height * (points - up[0]) / (up[-1] - up[0]),
            )

        for tick in across:
            x, _ = at(tick, up[0])
            self._line(x, bottom, x, bottom - height)
            self._text(x, bottom + 4.5, str(tick), colour=_QUIET, anchor="middle")
        for tick in up:
            _, y = at(across[0], tick)
            self._line(left, y, left + width, y)
            self._text(left - 1.5, y + 1.2, str(tick), colour=_QUIET, anchor="end")
        for one in statistics.spent:
            x, y = at(one.bids, one.points)
            if one.won:
                self._box(x - 1.1, y - 1.1, 2.2, 2.2, _WON)
            else:
                ring = Circle(*self._at(x, y), 1.2 * PT_PER_MM, fillColor=None, strokeColor=HexColor(_INK))
                ring.strokeWidth = 0.9
                self.drawing.add(ring)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return x * PT_PER_MM, (self.height - y) * PT_PER_MM

    def _box(self, x: float, y: float, w: float, h: float, fill: str) -> None:
        left, bottom = self._at(x, y + h)
        self.drawing.add(Rect(left, bottom, w * PT_PER_MM, h * PT_PER_MM, fillColor=HexColor(fill), strokeColor=None))

    def _line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.drawing.add(Line(*self._at(x1, y1), *self._at(x2, y2), strokeColor=HexColor(_LINE), strokeWidth=0.4))

    def _text(
        self,
        x: float,
        baseline: float,
        text: str,
        *,
        face: Face = Face.REGULAR,
        size: float = _TEXT_PT,
        colour: str = _INK,
        anchor: str = "start",
    ) -> None:
        runs = self._fonts.runs(text, face)
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * sum(run.width(size) for run in runs)
        at, y = self._at(x, baseline)
        at -= shift
        for run in runs:
            self.drawing.add(String(at, y, run.text, fontName=run.font, fontSize=size, fillColor=HexColor(colour)))
            at += run.width(size)

    def _fitted(self, text: str, room_mm: float) -> str:
        """The beginning of a name that has room."""
        shown = text[:60]
        while len(shown) > 1 and self._width(shown) > room_mm:
            shown = shown.removesuffix("…")[:-1].rstrip() + "…"
        return shown

    def _width(self, text: str) -> float:
        return sum(run.width(_TEXT_PT) for run in self._fonts.runs(text, Face.REGULAR)) / PT_PER_MM


def _ticks(numbers: Sequence[int]) -> list[int]:
    """Round numbers that hold all of these, and stand apart."""
    low, high = min(numbers), max(numbers)
    for step in _STEPS:
        first, last = low // step, -(-high // step)
        if last - first <= _MOST_STEPS:
            break
    return [number * step for number in range(first, max(last, first + 1) + 1)]
