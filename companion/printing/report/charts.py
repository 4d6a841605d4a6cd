"""Charts on any surface: values over a game, and points by category. Each player has their own mark and dashes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.advisor.account import GameSummary
from companion.advisor.advice import Estimate
from companion.advisor.review import CurvePoint, DecisiveTurn, GameReview, Moment
from companion.printing.core.geometry import PT_PER_MM, Box, Outline, parse_outline
from companion.printing.core.surface import Align, Surface
from companion.printing.core.template import Table
from companion.printing.core.typefaces import Face
from companion.printing.report.pages import signed
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

_LEFT_MM, _RIGHT_MM, _ABOVE_MM, _BELOW_MM = 11.0, 27.0, 5.0, 9.0
"""Room around curves: for the numbers, for the players' names at the ends of their curves, for the rounds."""
_BARS_LEFT_MM, _BARS_RIGHT_MM, _BARS_ABOVE_MM, _BARS_BELOW_MM = 8.0, 2.0, 4.0, 11.0
_CURVE_MM, _MARK_MM, _NUMBER_MM, _GRID_MM = 0.39, 1.7, 1.62, 0.14
_BAND = 0.16
_TEXT_MM = 6.0
"""Height of the boxes that texts are set in the middle of."""
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000, 5000)
_UNIT = Box(0.0, 0.0, 1.0, 1.0)

_Point = tuple[float, float]

SHAPES: dict[Colour, str] = {
    Colour.BLACK: "M0 0 L24 0 L24 24 L0 24 Z",
    Colour.ORANGE: "M12 0 L24 12 L12 24 L0 12 Z",
    Colour.BLUE: "O12 12 12",
    Colour.PINK: "M12 0 L24 24 L0 24 Z",
}
DASHES_MM: dict[Colour, tuple[float, ...]] = {
    Colour.BLACK: (),
    Colour.ORANGE: (2.82, 0.85),
    Colour.BLUE: (0.85, 0.64),
    Colour.PINK: (2.82, 0.64, 0.49, 0.64),
}
"""The mark and the dashes of each player's curve, so that they can be told apart without colour."""


def round_ticks(values: Iterable[float], most_steps: int) -> list[int]:
    """Round numbers that hold all of these, with at most that many steps from the first to the last."""
    known = tuple(values)
    for step in _STEPS:
        first, last = math.floor(min(known) / step), math.ceil(max(known) / step)
        if last - first <= most_steps:
            break
    return [number * step for number in range(first, max(last, first + 1) + 1)]


@dataclass(frozen=True, slots=True)
class Plot:
    """The room of a chart: its box, and the numbers at its left and right, and at its foot and top."""

    surface: Surface
    box: Box
    across: _Point
    up: _Point

    def at(self, x: float, y: float) -> _Point:
        """Where a value lies on the surface, in mm."""
        (left, right), (low, high) = self.across, self.up
        return (
            self.box.x + self.box.w * (x - left) / (right - left),
            self.box.bottom - self.box.h * (y - low) / (high - low),
        )

    def draw_axis(self, ticks: Mapping[float, str], size: float, palette: Table, *, upright: bool) -> None:
        """A line with its number at each tick, on the upright axis or on the one across."""
        for tick, number in ticks.items():
            x, y = self.at(self.across[0], tick) if upright else self.at(tick, self.up[0])
            end = (self.box.right, y) if upright else (x, self.box.y)
            self.surface.line(x, y, *end, colour=palette.line, width=_GRID_MM)
            if upright:
                self.text(x - 21.8, y, 20, number, size, palette.quiet, "right")
            else:
                self.text(x - 10, y + 3.1, 20, number, size, palette.quiet, "centre")

    def text(
        self,
        x: float,
        y: float,
        width: float,
        text: str,
        size: float,
        colour: str,
        align: Align = "left",
        face: Face = Face.REGULAR,
    ) -> float:
        """Write a line in that much room from x to the right, its middle at y; the width that it takes."""
        box = Box(x, y - _TEXT_MM / 2, width, _TEXT_MM)
        return self.surface.text(box, text, size, face=face, colour=colour, align=align)


def draw_mark(surface: Surface, colour: Colour, x: float, y: float, tint: str) -> None:
    """Draw a player's mark around a point."""
    box = Box(x - _MARK_MM / 2, y - _MARK_MM / 2, _MARK_MM, _MARK_MM)
    surface.outline(parse_outline(SHAPES[colour]), box, fill=tint)


def draw_margins(surface: Surface, box: Box, review: GameReview, template: Table, words: Table) -> None:
    """The curve of everybody's expected margin, with its standard error and the turns that decided the game."""
    chart = _Curves(surface, box, review.curve, template, lambda value: signed(value, "en", 0))
    chart.draw_bands()
    chart.draw_curves(words.round)
    chart.draw_decisive(review.decisive)
    chart.draw_names(review.names, words.colours)


def draw_scores(surface: Surface, box: Box, summary: GameSummary, template: Table, words: Table) -> None:
    """Everybody's points over the game."""
    chart = _Curves(surface, box, score_curve(summary), template, lambda value: f"{value:.0f}")
    chart.draw_curves(words.round)
    chart.draw_names(summary.names, words.colours)


def score_curve(summary: GameSummary) -> list[CurvePoint]:
    """Everybody's points at the start, after the bids of each round and after each turn."""

    def point(
        line: int, number: int, moment: Moment, colour: Colour | None, points: Mapping[Colour, int]
    ) -> CurvePoint:
        margins = {player: Estimate(float(value)) for player, value in points.items()}
        return CurvePoint(line, number, moment, colour, margins)

    curve = [point(0, summary.rounds[0].number, Moment.START, None, summary.points)]
    for part in summary.rounds:
        if part.points is not None:
            curve.append(point(part.bids[-1].line, part.number, Moment.BID, None, part.points))
        curve += [point(turn.line, part.number, Moment.TURN, turn.colour, turn.points) for turn in part.turns]
    return curve


class _Curves:
    """Draws a value of each player over a game, part by part; `written` puts a value into a number."""

    def __init__(
        self, surface: Surface, box: Box, curve: Sequence[CurvePoint], template: Table, written: Callable[[float], str]
    ) -> None:
        estimates = [estimate for point in curve for estimate in point.margins.values()]
        bounds = [estimate.value + sign * (estimate.error or 0.0) for estimate in estimates for sign in (-1, 1)]
        self._ticks = round_ticks([0.0, *bounds], 8)
        room = Box(box.x + _LEFT_MM, box.y + _ABOVE_MM, box.w - _LEFT_MM - _RIGHT_MM, box.h - _ABOVE_MM - _BELOW_MM)
        self._plot = Plot(surface, room, (0, max(len(curve) - 1, 1)), (self._ticks[0], self._ticks[-1]))
        self._surface, self._curve, self._written = surface, curve, written
        self._tints, self._palette, self._sizes = template.curves, template.palette, template.type

    def draw_bands(self) -> None:
        """One standard error around each curve."""
        for colour in self._curve[0].margins:
            estimates = list(enumerate(point.margins[colour] for point in self._curve))
            upper = [self._plot.at(at, estimate.value + (estimate.error or 0.0)) for at, estimate in estimates]
            lower = [self._plot.at(at, estimate.value - (estimate.error or 0.0)) for at, estimate in estimates]
            band = (*_polyline([*upper, *reversed(lower)]), ("Z", ()))
            self._surface.outline(band, _UNIT, fill=self._tints[colour.value], opacity=_BAND)

    def draw_curves(self, round_word: str) -> None:
        """The axes, each player's curve, and on it a mark after each turn."""
        palette, size, plot = self._palette, self._sizes.small_pt, self._plot
        # A round that was under way where the record begins has no number.
        rounds = {at: str(number or "") for at, number in _round_starts(self._curve).items()}
        plot.draw_axis(rounds, size, palette, upright=False)
        plot.draw_axis({tick: self._written(tick) for tick in self._ticks}, size, palette, upright=True)
        zero = plot.at(0, 0.0)[1]
        for colour in self._curve[0].margins:
            points = [plot.at(at, point.margins[colour].value) for at, point in enumerate(self._curve)]
            curve = dashed(points, DASHES_MM[colour])
            self._surface.outline(curve, _UNIT, stroke=self._tints[colour.value], width=_CURVE_MM)
        self._surface.line(plot.box.x, zero, plot.box.right, zero, colour=palette.quiet, width=0.28)
        plot.text(plot.box.x, plot.box.bottom + 7.6, 40, round_word, size, palette.quiet)
        for at, point in enumerate(self._curve):
            if point.after is Moment.TURN and point.colour is not None:
                x, y = plot.at(at, point.margins[point.colour].value)
                draw_mark(self._surface, point.colour, x, y, self._tints[point.colour.value])

    def draw_decisive(self, decisive: Sequence[DecisiveTurn]) -> None:
        """The numbers of the turns that decided the game, on the curve of whoever has won."""
        room = self._plot.box
        turns = {point.line: at for at, point in enumerate(self._curve) if point.after is Moment.TURN}
        for number, turn in enumerate(decisive, 1):
            x, y = self._plot.at(turns[turn.decision.line], turn.after)
            y -= 2.1 * _NUMBER_MM * (1 if turn.swing.value >= 0 else -1)
            y = min(max(y, room.y - _NUMBER_MM), room.bottom - _NUMBER_MM)
            disc = Box(x - _NUMBER_MM, y - _NUMBER_MM, 2 * _NUMBER_MM, 2 * _NUMBER_MM)
            self._surface.box(disc, fill=self._palette.card, stroke=self._palette.accent, width=0.35, radius=_NUMBER_MM)
            size = 1.5 * _NUMBER_MM * PT_PER_MM
            self._plot.text(disc.x, y, disc.w, str(number), size, self._palette.accent, "centre", Face.BOLD)

    def draw_names(self, names: Mapping[Colour, str], colours: Mapping[str, str]) -> None:
        """Whose each curve is, at its end, with that player's mark; names that would overlap are moved apart."""
        size, plot, last = self._sizes.text_pt, self._plot, self._curve[-1].margins
        wanted = {colour: plot.at(0, estimate.value)[1] for colour, estimate in last.items()}
        x = plot.box.right + 2.9
        for colour, y in _apart(wanted, size * 1.35 / PT_PER_MM, plot.box.y, plot.box.bottom).items():
            draw_mark(self._surface, colour, x, y, self._tints[colour.value])
            number = f" {self._written(last[colour].value)}"
            wide = self._surface.width(number, size) + 0.1
            room = _RIGHT_MM - 4.7 - wide
            name = names.get(colour) or colours[colour.value]
            used = plot.text(x + 1.8, y, room, name, size, self._palette.ink)
            plot.text(x + 1.8 + used, y, wide, number, size, self._palette.ink)


def dashed(points: Sequence[_Point], dashes: Sequence[float]) -> Outline:
    """A line through points, in strokes and gaps of these lengths, the first a stroke; whole if there are none."""
    if not dashes:
        return _polyline(points)
    outline: list[tuple[str, _Point]] = [("M", points[0])]
    number, left = 0, dashes[0]
    for (x1, y1), (x2, y2) in pairwise(points):
        length, gone = math.hypot(x2 - x1, y2 - y1), 0.0
        while length - gone > 1e-9:
            step = min(left, length - gone)
            gone, left = gone + step, left - step
            share = gone / length
            point = (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share)
            outline.append(("M" if number % 2 else "L", point))
            if left <= 1e-9:
                number = (number + 1) % len(dashes)
                left = dashes[number]
    return tuple(outline)


def _polyline(points: Sequence[_Point]) -> Outline:
    return (("M", points[0]), *(("L", point) for point in points[1:]))


def _round_starts(curve: Sequence[CurvePoint]) -> dict[float, int]:
    starts: dict[float, int] = {0: curve[0].round}
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


def draw_categories(
    surface: Surface, box: Box, summary: GameSummary, template: Table, labels: Mapping[str, str]
) -> None:
    """Each category's points as a bar a player, with the number above it and the player's mark below."""
    scores, palette, sizes, tints = summary.result.scores, template.palette, template.type, template.curves
    ticks = round_ticks([0, *(score.points[name] for score in scores.values() for name in CATEGORIES)], 7)
    wide, high = box.w - _BARS_LEFT_MM - _BARS_RIGHT_MM, box.h - _BARS_ABOVE_MM - _BARS_BELOW_MM
    room = Box(box.x + _BARS_LEFT_MM, box.y + _BARS_ABOVE_MM, wide, high)
    plot = Plot(surface, room, (0, len(CATEGORIES)), (ticks[0], ticks[-1]))
    plot.draw_axis({tick: str(tick) for tick in ticks}, sizes.small_pt, palette, upright=True)
    # Bars are ten times as wide as the gap between them, and one is left free between two groups.
    unit = 1 / (11 * len(scores) + 9)
    for place, category in enumerate(CATEGORIES):
        for number, (colour, score) in enumerate(scores.items()):
            middle = place + 0.5 + (number - (len(scores) - 1) / 2) * 11 * unit
            tint, points = tints[colour.value], score.points[category]
            (left, top), (right, foot) = plot.at(middle - 5 * unit, points), plot.at(middle + 5 * unit, 0)
            if points:
                surface.box(Box(left, top, right - left, foot - top), fill=tint)
            x = plot.at(middle, 0)[0]
            plot.text(x - 5, top - 1.8, 10, str(points), sizes.small_pt, palette.ink, "centre")
            draw_mark(surface, colour, x, foot + 1.8, tint)
        (left, foot), (right, _) = plot.at(place, 0), plot.at(place + 1, 0)
        plot.text(left + 0.7, foot + 5.6, right - left - 1.4, labels[category], sizes.text_pt, palette.ink, "centre")
