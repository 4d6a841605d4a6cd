"""The picture of what many games tell: bars as long as what they stand for, marks where their numbers are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from reportlab.graphics.shapes import Circle, Drawing, Rect, String
from reportlab.lib.colors import HexColor

from companion.history.statistics import TOTAL, DjinnFigures, PlayerFigures, PointsFigures, Spent, Statistics
from companion.printing.core.surface import PT_PER_MM
from companion.printing.core.typefaces import Fonts
from companion.printing.plots.history import _BAR, _WON, _Plot, _ticks


def player(name: str, won: int, games: int = 4) -> PlayerFigures:
    return PlayerFigures(name, None, games, won, {TOTAL: PointsFigures(games, 100.0, 120)})


def plot(players: Sequence[PlayerFigures], djinns: Sequence[DjinnFigures] = (), spent: Sequence[Spent] = ()) -> Drawing:
    return _Plot(Statistics(4, tuple(players), tuple(djinns), (), tuple(spent)), Fonts(), "en").drawing


def boxes(drawing: Drawing, colour: str) -> list[Any]:
    """The boxes of a colour, in the order in which they were drawn."""
    wanted = HexColor(colour)
    return [shape for shape in drawing.contents if isinstance(shape, Rect) and shape.fillColor == wanted]


def words(drawing: Drawing, end: str) -> Any:
    """The only words that end so."""
    (found,) = [shape for shape in drawing.contents if isinstance(shape, String) and shape.text.endswith(end)]
    return found


def test_a_bar_of_wins_is_as_long_as_the_share_of_a_players_own_games() -> None:
    all_won, half, one_of_two = boxes(plot([player("Bo", 4), player("Anna", 2), player("Cy", 1, 2)]), _BAR)
    assert half.width == pytest.approx(all_won.width / 2) == pytest.approx(one_of_two.width)
    assert all_won.width > 80 * PT_PER_MM


def test_a_djinn_that_cost_points_has_the_shortest_bar_and_its_number_behind_it() -> None:
    djinns = [DjinnFigures("Boaz", 1, 4.0, 0), DjinnFigures("Sloar", 2, 2.0, 0), DjinnFigures("Utug", 3, -9.0, 0)]
    drawing = plot([player("Bo", 4)], djinns)
    _, best, half, worst = boxes(drawing, _BAR)
    assert half.width == pytest.approx(best.width / 2)
    assert 0 < worst.width < 1 * PT_PER_MM
    assert words(drawing, "(3)").x > worst.x + worst.width


def test_bids_go_to_the_right_and_points_upwards_and_winners_are_filled() -> None:
    spent = [Spent(15, 120, True), Spent(45, 60, False)]
    drawing = plot([player("Bo", 4)], spent=spent)
    (won,) = boxes(drawing, _WON)
    (lost,) = [shape for shape in drawing.contents if isinstance(shape, Circle)]
    assert won.x + won.width < lost.cx and won.y > lost.cy
    # Each stands at its own numbers of the axes, as near as letters are wide.
    for x, y, bids, points in ((won.x, won.y, "15", "120"), (lost.cx, lost.cy, "45", "60")):
        assert words(drawing, bids).x == pytest.approx(x, abs=6)
        assert words(drawing, points).y == pytest.approx(y, abs=6)


@pytest.mark.parametrize("numbers", [[3, 61], [0, 0], [7], [-12, 140], [99, 101], [1, 10_000]])
def test_the_numbers_of_an_axis_hold_all_that_is_shown(numbers: list[int]) -> None:
    ticks = _ticks(numbers)
    assert ticks[0] <= min(numbers) and max(numbers) <= ticks[-1] and 2 <= len(ticks) <= 8
    assert len({after - before for before, after in zip(ticks, ticks[1:], strict=False)}) == 1
