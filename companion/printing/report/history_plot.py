"""What the games of a history tell, as one picture: wins, what djinns were worth, bids against points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.drawing.palette import ACCENT, INK, QUIET
from companion.history.statistics import TOTAL, PlayerFigures, Statistics
from companion.language.catalogue import translate
from companion.language.phrase import decimal, say, say_many, term
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.surface import Surface
from companion.printing.core.tagging import Tag
from companion.printing.core.template import Table
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.core.vector import SCREEN, Vector
from companion.printing.report.charts import Plot, round_ticks

WIDTH_MM, NARROW_MM = 180.0, 92.0
_MARGIN_MM = 15.0
_RIM_MM = 4.0
_ROW_MM, _GAP_MM, _HEAD_MM, _PLOT_MM = 6.0, 9.0, 7.0, 70.0
_NAME_MM = 34.0
_MAX_PLAYERS, _MAX_DJINNS = 10, 11
_TEXT_PT, _HEAD_PT = 9.0, 10.5
_LINE, _BAR = "#CDBFA9", "#B9A27C"
_AXIS = Table(line=_LINE, quiet=QUIET)


def history_plot(statistics: Statistics, ending: str, *, language: str = "en", narrow: bool = False) -> bytes:
    """The picture as an SVG file or a PDF page, by the ending ".svg" or ".pdf"; there is a finished game at least.

    A `narrow` SVG is for a phone: its charts stand below one another. Letters are outlines in the SVG. Raises
    MissingDependencyError if the program's own fonts are gone.
    """
    title = translate(say_many("Five Tribes: {count} game", "Five Tribes: {count} games", statistics.games), language)
    note = translate(say("Wins by player, what djinns were worth, and bids against points."), language)
    plot = _HistoryPlot(statistics, language, narrow=narrow)
    if ending == ".svg":
        paper = Box(0, 0, NARROW_MM if narrow else WIDTH_MM, plot.height)
        picture = Vector(paper, Fonts(), ground=None, title=title, note=note, zoom=SCREEN)
        plot.draw(picture, paper.inset(_RIM_MM, 0) if narrow else paper)
        return picture.to_bytes()
    head = Box(_MARGIN_MM, _MARGIN_MM, WIDTH_MM, 9)
    room = Box(_MARGIN_MM, head.bottom + 3, WIDTH_MM, plot.height)
    page = Document(Box(0, 0, 210, max(297.0, room.bottom + _MARGIN_MM)), Fonts(), title=title, language=language)
    page.text(head, title, size=16, face=Face.BOLD, colour=INK, tag=Tag.HEADING_1)
    with page.tagged(Tag.FIGURE, alternative=note):
        plot.draw(page, room)
    return page.to_bytes()


@dataclass(frozen=True, slots=True)
class _Row:
    """A bar with its name before it and its number behind it; `share` of the longest."""

    name: str
    share: float
    number: str


class _HistoryPlot:
    """The drawing, as high as what there is to show."""

    def __init__(self, statistics: Statistics, language: str, *, narrow: bool) -> None:
        self._language, self._spent, self._narrow = language, statistics.spent, narrow
        players = statistics.players[:_MAX_PLAYERS]
        self._wins = [_Row(self._name(player), player.won / player.games, self._record(player)) for player in players]
        djinns = statistics.djinns[:_MAX_DJINNS]
        best = max([1.0, *(djinn.points for djinn in djinns)])
        self._djinns = [
            _Row(djinn.name, max(djinn.points, 0.0) / best, f"{self._said(decimal(djinn.points))} ({djinn.held})")
            for djinn in djinns
        ]
        self._top = _HEAD_MM + _ROW_MM * len(self._wins) + _GAP_MM
        below = bool(self._djinns) + bool(self._spent)
        self.height = self._top + (below if narrow else min(below, 1)) * (_HEAD_MM + _PLOT_MM + _GAP_MM)

    def draw(self, surface: Surface, box: Box) -> None:
        self._draw_bars(surface, Box(box.x, box.y, box.w, self._top), say("Games won"), self._wins, number_mm=44.0)
        first = Box(box.x, box.y + self._top, box.w, _HEAD_MM + _PLOT_MM)
        if self._narrow:
            second = Box(first.x, first.bottom + _GAP_MM, first.w, first.h)
        else:
            half = (box.w - 12.0) / 2
            first, second = first.columns([half, half], 12.0)
        if self._spent:
            self._draw_bids(surface, first)
        if self._djinns:
            place = second if self._spent else first
            self._draw_bars(
                surface, place, say("What a djinn was worth, VP (how often held)"), self._djinns, number_mm=18.0
            )

    def _name(self, player: PlayerFigures) -> str:
        return self._said(player.name or (term(player.colour) if player.colour else ""))

    def _record(self, player: PlayerFigures) -> str:
        mean = decimal(player.points[TOTAL].mean)
        return self._said(say("{won} of {games}, mean {mean}", won=player.won, games=player.games, mean=mean))

    def _said(self, text: str) -> str:
        return translate(text, self._language)

    def _draw_head(self, surface: Surface, box: Box, text: str) -> None:
        head = Box(box.x, box.y, box.w, _HEAD_MM - 1)
        surface.text(head, self._said(text), _HEAD_PT, face=Face.BOLD, colour=INK)

    def _draw_bars(self, surface: Surface, box: Box, heading: str, rows: Sequence[_Row], *, number_mm: float) -> None:
        self._draw_head(surface, box, heading)
        room = box.w - _NAME_MM - number_mm
        for place, row in enumerate(rows):
            line = Box(box.x, box.y + _HEAD_MM + place * _ROW_MM, _NAME_MM - 2, _ROW_MM)
            bar = Box(box.x + _NAME_MM, line.y + 0.9, max(room * row.share, 0.3), _ROW_MM - 1.8)
            surface.text(line, row.name, _TEXT_PT, colour=INK)
            surface.box(bar, fill=_BAR)
            surface.text(Box(bar.right + 2, line.y, number_mm, _ROW_MM), row.number, _TEXT_PT, colour=QUIET)

    def _draw_bids(self, surface: Surface, box: Box) -> None:
        """A mark for each player of each game: a filled square has won, a ring has not."""
        self._draw_head(surface, box, say("Bids of a game in GC, and points (filled: won)"))
        across = round_ticks([player.bids for player in self._spent], 6)
        up = round_ticks([player.points for player in self._spent], 6)
        room = Box(box.x + 11, box.y + _HEAD_MM + 2, box.w - 11, box.h - _HEAD_MM - 7)
        plot = Plot(surface, room, (across[0], across[-1]), (up[0], up[-1]))
        plot.draw_axis({tick: str(tick) for tick in across}, _TEXT_PT, _AXIS, upright=False)
        plot.draw_axis({tick: str(tick) for tick in up}, _TEXT_PT, _AXIS, upright=True)
        for player in self._spent:
            x, y = plot.at(player.bids, player.points)
            if player.won:
                surface.box(Box(x - 1.1, y - 1.1, 2.2, 2.2), fill=ACCENT)
            else:
                surface.box(Box(x - 1.2, y - 1.2, 2.4, 2.4), stroke=INK, width=0.3, radius=1.2)
