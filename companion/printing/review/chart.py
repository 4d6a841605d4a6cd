"""The curve of the expected margins as a vector drawing, for the report and as a picture of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from reportlab.graphics.charts.lineplots import LinePlot
from reportlab.graphics.shapes import Circle, Drawing, Polygon, String
from reportlab.graphics.widgets.markers import makeMarker
from reportlab.lib.colors import Color, HexColor

from companion.advisor.advice import Estimate
from companion.advisor.review import CurvePoint, DecisiveTurn, GameReview, Moment
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.template import CamelTints, PerColour
from companion.printing.core.typefaces import Face, Fonts, Run
from companion.printing.review.curve_svg import chart_svg
from companion.printing.review.numbers import signed
from companion.printing.review.template import ReportPalette, ReportSizes, ReportTemplate, ReportWords
from companion.rules.model.components import Colour

_LEFT_MM, _RIGHT_MM, _ABOVE_MM, _BELOW_MM = 11.0, 27.0, 5.0, 9.0
"""Room around the plot: for the numbers, for the players' names at the ends of their curves, for the rounds."""
_LINE_PT, _MARK_PT, _NUMBER_PT = 1.1, 4.8, 4.6
_BAND = 0.16
_STEPS_VP = (1, 2, 5, 10, 20, 25, 50, 100)
_MOST_STEPS = 8

SHAPES: dict[Colour, tuple[str, list[float] | None]] = {
    Colour.BLACK: ("FilledSquare", None),
    Colour.ORANGE: ("FilledDiamond", [8, 2.4]),
    Colour.BLUE: ("FilledCircle", [2.4, 1.8]),
    Colour.PINK: ("FilledTriangle", [8, 1.8, 1.4, 1.8]),
}
"""The mark and the dashes (in points) of each player's curve, so that they can be told apart without colour."""


def margin_chart(
    review: GameReview, template: ReportTemplate, words: ReportWords, fonts: Fonts, *, width: float, height: float
) -> Drawing:
    """The curve of everybody's margin over the game, `width` by `height` mm.

    Raises MissingDependencyError if the program's own fonts are gone.
    """
    look = CurveLook(template.curves, template.palette, template.type, words.colours, words.round)
    chart = CurveChart(review.curve, review.names, look, fonts, width, height)
    chart.draw_bands()
    chart.draw_curves()
    chart.draw_marks()
    chart.draw_decisive(review.decisive)
    chart.draw_names()
    return chart.drawing


def curve_svg(review: GameReview, template: ReportTemplate, words: ReportWords, fonts: Fonts) -> bytes:
    """The curve as an SVG picture of 180 by 95 mm, its letters as outlines."""
    drawing = margin_chart(review, template, words, fonts, width=180, height=95)
    return chart_svg(drawing, title=words.curve, note=words.curve_note)


@dataclass(frozen=True, slots=True)
class CurveLook:
    """How curves look, and their words: each colour's tint and name, and what the axis across counts."""

    tints: CamelTints
    palette: ReportPalette
    sizes: ReportSizes
    colours: PerColour
    round: str


def write(drawing: Drawing, runs: Sequence[Run], x: float, y: float, size: float, colour: str) -> None:
    """Write runs of letters one after the other from the start of their baseline, in points."""
    for run in runs:
        drawing.add(String(x, y, run.text, fontName=run.font, fontSize=size, fillColor=HexColor(colour)))
        x += run.width(size)


class CurveChart:
    """Draws a value of each player over a game, part by part; lengths in points from the lower left corner.

    `written` puts a value into words: a whole number, which all languages write alike.
    """

    def __init__(
        self,
        curve: Sequence[CurvePoint],
        names: Mapping[Colour, str],
        look: CurveLook,
        fonts: Fonts,
        width: float,
        height: float,
        written: Callable[[float], str] = lambda value: signed(value, "en", 0),
    ) -> None:
        self.drawing = Drawing(width * PT_PER_MM, height * PT_PER_MM)
        self._curve, self._names, self._look, self._fonts, self._written = curve, names, look, fonts, written
        self._x, self._y = _LEFT_MM * PT_PER_MM, _BELOW_MM * PT_PER_MM
        self._w = (width - _LEFT_MM - _RIGHT_MM) * PT_PER_MM
        self._h = (height - _ABOVE_MM - _BELOW_MM) * PT_PER_MM
        self._ticks = _ticks([estimate for point in self._curve for estimate in point.margins.values()])
        self._colours = tuple(self._curve[0].margins)

    def _at(self, place: float, value: float) -> tuple[float, float]:
        low, high = self._ticks[0], self._ticks[-1]
        return (
            self._x + self._w * place / max(len(self._curve) - 1, 1),
            self._y + self._h * (value - low) / (high - low),
        )

    def _tint(self, colour: Colour) -> Color:
        return HexColor(self._look.tints.of(colour))

    def draw_bands(self) -> None:
        """One standard error around each curve."""
        for colour in self._colours:
            estimates = [point.margins[colour] for point in self._curve]
            upper = [self._at(at, one.value + (one.error or 0.0)) for at, one in enumerate(estimates)]
            lower = [self._at(at, one.value - (one.error or 0.0)) for at, one in enumerate(estimates)]
            corners = [number for corner in (*upper, *reversed(lower)) for number in corner]
            tint = self._tint(colour)
            fill = Color(tint.red, tint.green, tint.blue, alpha=_BAND)
            self.drawing.add(Polygon(corners, fillColor=fill, strokeColor=None))

    def draw_curves(self) -> None:
        """The axes, and each player's curve in a colour and dashes of its own."""
        palette, sizes = self._look.palette, self._look.sizes
        font = self._fonts.runs("0", Face.REGULAR)[0].font
        plot = LinePlot()
        plot.x, plot.y, plot.width, plot.height = self._x, self._y, self._w, self._h
        plot.data = [
            [(at, point.margins[colour].value) for at, point in enumerate(self._curve)] for colour in self._colours
        ]
        for number, colour in enumerate(self._colours):
            line = plot.lines[number]
            line.strokeColor, line.strokeWidth, line.strokeDashArray = self._tint(colour), _LINE_PT, SHAPES[colour][1]
        rounds = _round_starts(self._curve)
        across, up = plot.xValueAxis, plot.yValueAxis
        across.valueMin, across.valueMax = 0, max(len(self._curve) - 1, 1)
        across.valueSteps = list(rounds)
        # A round that was under way where the record begins has no number.
        across.labelTextFormat = lambda value: str(rounds[int(value)] or "")
        up.valueMin, up.valueMax, up.valueSteps = self._ticks[0], self._ticks[-1], list(self._ticks)
        up.labelTextFormat = self._written
        # The lower axis lies at 0 only by chance; its numbers stand below everything.
        across.joinAxis, across.joinAxisMode = up, "bottom"
        for axis in (across, up):
            axis.labels.fontName, axis.labels.fontSize = font, sizes.small_pt
            axis.labels.fillColor = HexColor(palette.quiet)
            axis.strokeColor = HexColor(palette.line)
            axis.visibleGrid, axis.gridStrokeColor, axis.gridStrokeWidth = True, HexColor(palette.line), 0.4
        self.drawing.add(plot)
        left, zero = self._at(0, 0.0)
        right, _ = self._at(len(self._curve) - 1, 0.0)
        self.drawing.add(Polygon([left, zero, right, zero], strokeColor=HexColor(palette.quiet), strokeWidth=0.8))
        baseline = self._y - 8.4 * PT_PER_MM
        runs = self._fonts.runs(self._look.round, Face.REGULAR)
        write(self.drawing, runs, self._x, baseline, sizes.small_pt, palette.quiet)

    def draw_marks(self) -> None:
        """A mark of the player's own shape on his curve after each of his turns."""
        for at, point in enumerate(self._curve):
            if point.after is Moment.TURN and point.colour is not None:
                self._mark(point.colour, *self._at(at, point.margins[point.colour].value))

    def _mark(self, colour: Colour, x: float, y: float) -> None:
        mark = makeMarker(SHAPES[colour][0])
        mark.x, mark.y, mark.size = x, y, _MARK_PT
        mark.fillColor = mark.strokeColor = self._tint(colour)
        self.drawing.add(mark)

    def draw_decisive(self, decisive: Sequence[DecisiveTurn]) -> None:
        """The numbers of the turns that decided the game, on the curve of whoever has won."""
        palette = self._look.palette
        font = self._fonts.runs("1", Face.BOLD)[0].font
        for number, one in enumerate(decisive, 1):
            at = next(
                place
                for place, point in enumerate(self._curve)
                if point.after is Moment.TURN and point.line == one.decision.line
            )
            x, y = self._at(at, one.after)
            rising = one.swing.value >= 0
            y += (_NUMBER_PT * 2.1) * (1 if rising else -1)
            y = min(max(y, self._y + _NUMBER_PT), self._y + self._h + _NUMBER_PT)
            self.drawing.add(
                Circle(x, y, _NUMBER_PT, fillColor=HexColor(palette.card), strokeColor=HexColor(palette.accent))
            )
            size = _NUMBER_PT * 1.5
            self.drawing.add(
                String(
                    x,
                    y - size * 0.35,
                    str(number),
                    fontName=font,
                    fontSize=size,
                    fillColor=HexColor(palette.accent),
                    textAnchor="middle",
                )
            )

    def draw_names(self) -> None:
        """Who each curve is, at its end, with his mark; names that would overlap are moved apart."""
        size = self._look.sizes.text_pt
        last = self._curve[-1]
        wanted = {colour: self._at(0, last.margins[colour].value)[1] for colour in self._colours}
        places = _apart(wanted, size * 1.35, self._y, self._y + self._h)
        x = self._x + self._w + 2.2 * PT_PER_MM
        room = _RIGHT_MM * PT_PER_MM - 7 * PT_PER_MM
        for colour, y in places.items():
            self._mark(colour, x + 2, y)
            name = self._names.get(colour) or getattr(self._look.colours, colour.value)
            runs = self._named(name, self._written(last.margins[colour].value), size, room)
            write(self.drawing, runs, x + 7, y - size * 0.35, size, self._look.palette.ink)

    def _named(self, name: str, number: str, size: float, room: float) -> list[Run]:
        """A name, cut where it has no room, and its number after it, whichever way the name is written."""
        after = self._fonts.runs(f" {number}", Face.REGULAR)
        before = self._fonts.runs(name, Face.REGULAR)
        while name and sum(run.width(size) for run in (*before, *after)) > room:
            name = name[:-1].rstrip()
            before = self._fonts.runs(f"{name}…", Face.REGULAR)
        fonts = groupby((*before, *after), lambda run: run.font)
        return [Run("".join(run.text for run in runs), font) for font, runs in fonts]


def _ticks(estimates: Sequence[Estimate]) -> list[int]:
    """Steps of the upright axis, in round numbers, that hold all values and 0."""
    low = min(0.0, *(one.value - (one.error or 0.0) for one in estimates))
    high = max(0.0, *(one.value + (one.error or 0.0) for one in estimates))
    for step in _STEPS_VP:
        first, last = int(low // step), int(-(-high // step))
        if last - first <= _MOST_STEPS:
            break
    return [number * step for number in range(first, max(last, first + 1) + 1)]


def _round_starts(curve: Sequence[CurvePoint]) -> dict[int, int]:
    """Where each round begins along the curve, by place, with its number."""
    starts = {0: curve[0].round}
    for place, (before, after) in enumerate(pairwise(curve)):
        if after.round != before.round:
            starts[place] = after.round
    return starts


def _apart(wanted: Mapping[Colour, float], gap: float, low: float, high: float) -> dict[Colour, float]:
    """Heights as near to those that are wanted as a gap between them allows, from `low` to `high`."""
    order = sorted(wanted, key=lambda colour: wanted[colour])
    places = {colour: wanted[colour] for colour in order}
    for before, after in pairwise(order):
        places[after] = max(places[after], places[before] + gap)
    top = high
    for colour in reversed(order):
        places[colour] = max(min(places[colour], top), low)
        top = places[colour] - gap
    return places
