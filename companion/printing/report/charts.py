"""The charts of a report as vectors: everybody's points over the game, and by category."""

from __future__ import annotations

from collections.abc import Mapping

from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.shapes import Drawing
from reportlab.graphics.widgets.markers import makeMarker
from reportlab.lib.colors import HexColor

from companion.advisor.account import GameTold
from companion.advisor.advice import Estimate
from companion.advisor.review import CurvePoint, Moment
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.review.chart import SHAPES, CurveChart, CurveLook, write
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

_LEFT_MM, _RIGHT_MM, _ABOVE_MM, _BELOW_MM = 8.0, 2.0, 4.0, 11.0
_MARK_PT = 4.4
_MOST_STEPS = 7


def score_curve(told: GameTold) -> list[CurvePoint]:
    """Everybody's points at the start, after the bids of each round and after each turn."""

    def point(
        line: int, number: int, moment: Moment, colour: Colour | None, points: Mapping[Colour, int]
    ) -> CurvePoint:
        return CurvePoint(line, number, moment, colour, {one: Estimate(float(value)) for one, value in points.items()})

    found = [point(0, told.rounds[0].number, Moment.START, None, told.points)]
    for one in told.rounds:
        if one.points is not None:
            found.append(point(one.bids[-1].line, one.number, Moment.BID, None, one.points))
        found += [point(turn.line, one.number, Moment.TURN, turn.colour, turn.points) for turn in one.turns]
    return found


def score_chart(told: GameTold, look: CurveLook, fonts: Fonts, *, width: float, height: float) -> Drawing:
    """Everybody's points over the game, `width` by `height` mm."""
    chart = CurveChart(score_curve(told), told.names, look, fonts, width, height, written=lambda value: f"{value:.0f}")
    chart.draw_curves()
    chart.draw_marks()
    chart.draw_names()
    return chart.drawing


def category_chart(
    told: GameTold, look: CurveLook, labels: Mapping[str, str], fonts: Fonts, *, width: float, height: float
) -> Drawing:
    """Each category's points as a bar a player, with the number above it and the player's mark below, in mm."""
    drawing = Drawing(width * PT_PER_MM, height * PT_PER_MM)
    scores, sizes, palette = told.result.scores, look.sizes, look.palette
    font = fonts.file()
    plot = VerticalBarChart()
    plot.x, plot.y = _LEFT_MM * PT_PER_MM, _BELOW_MM * PT_PER_MM
    plot.width = (width - _LEFT_MM - _RIGHT_MM) * PT_PER_MM
    plot.height = (height - _ABOVE_MM - _BELOW_MM) * PT_PER_MM
    plot.data = [[score.points[category] for category in CATEGORIES] for score in scores.values()]
    plot.barWidth, plot.groupSpacing, plot.barSpacing = 10, 10, 1
    for number, colour in enumerate(scores):
        plot.bars[number].fillColor = HexColor(look.tints.of(colour))
        plot.bars[number].strokeColor = None
    plot.barLabelFormat = lambda value: f"{value:.0f}"
    plot.barLabels.fontName, plot.barLabels.fontSize = font, sizes.small_pt
    plot.barLabels.fillColor, plot.barLabels.nudge = HexColor(palette.ink), 5
    up, across = plot.valueAxis, plot.categoryAxis
    most = max(max(row) for row in plot.data)
    step = next(step for step in (5, 10, 20, 25, 50, 100, 200, 500, 1000) if most <= step * _MOST_STEPS or step == 1000)
    up.valueMin, up.valueMax, up.valueStep = 0, step * max(-(-most // step), 1), step
    up.labelTextFormat = lambda value: f"{value:.0f}"
    across.visibleLabels = 0
    for axis in (up, across):
        axis.labels.fontName, axis.labels.fontSize = font, sizes.small_pt
        axis.labels.fillColor = HexColor(palette.quiet)
        axis.strokeColor = HexColor(palette.line)
    up.visibleGrid, up.gridStrokeColor, up.gridStrokeWidth = True, HexColor(palette.line), 0.4
    across.visibleTicks = 0
    drawing.add(plot)
    group = plot.width / len(CATEGORIES)
    for place, category in enumerate(CATEGORIES):
        middle = plot.x + (place + 0.5) * group
        for number, colour in enumerate(scores):
            mark = makeMarker(SHAPES[colour][0])
            mark.x, mark.y, mark.size = middle + _bar_offset(number, len(scores), group), plot.y - 5, _MARK_PT
            mark.fillColor = mark.strokeColor = HexColor(look.tints.of(colour))
            drawing.add(mark)
        _label(drawing, labels[category], middle, plot.y - 19, group - 4, sizes.text_pt, palette.ink, fonts)
    return drawing


def _bar_offset(number: int, players: int, group: float) -> float:
    """How far a player's bar lies from the middle of its group: as the chart sets 10 a bar, 1 between, 10 around."""
    whole = 10 * players + (players - 1) + 10
    return (number - (players - 1) / 2) * 11 / whole * group


def _label(
    drawing: Drawing, text: str, middle: float, y: float, room: float, size: float, colour: str, fonts: Fonts
) -> None:
    """A text in the middle of its room, smaller where it is too wide for it."""
    runs = fonts.runs(text, Face.REGULAR)
    size = max(size * min(1.0, room / sum(run.width(size) for run in runs)), MIN_TYPE_PT)
    write(drawing, runs, middle - sum(run.width(size) for run in runs) / 2, y, size, colour)
