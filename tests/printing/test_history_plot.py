"""The picture of what many games tell: bars as long as what they stand for, marks where their numbers are."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.history.statistics import TOTAL, DjinnFigures, PlayerFigures, PointsFigures, Spent, Statistics
from companion.palette import ACCENT, INK
from companion.printing.report.charts import round_ticks
from companion.printing.report.history import _BAR, history_plot
from tests.printing.checks import check_all
from tests.printing.drawing import Drawn, drawn_by


def player(name: str, won: int, games: int = 4) -> PlayerFigures:
    return PlayerFigures(name, None, games, won, {TOTAL: PointsFigures(games, 100.0, 120)})


def plot(players: Sequence[PlayerFigures], djinns: Sequence[DjinnFigures] = (), spent: Sequence[Spent] = ()) -> Drawn:
    statistics = Statistics(4, tuple(players), tuple(djinns), (), tuple(spent))
    return drawn_by(lambda: history_plot(statistics, ".svg"))


def test_a_bar_of_wins_is_as_long_as_the_share_of_a_players_own_games() -> None:
    all_won, half, one_of_two = plot([player("Bo", 4), player("Anna", 2), player("Cy", 1, 2)]).filled(_BAR)
    assert half.w == pytest.approx(all_won.w / 2) == pytest.approx(one_of_two.w)
    assert all_won.w > 80


def test_a_djinn_that_cost_points_has_the_shortest_bar_and_its_number_behind_it() -> None:
    djinns = [DjinnFigures("Boaz", 1, 4.0, 0), DjinnFigures("Sloar", 2, 2.0, 0), DjinnFigures("Utug", 3, -9.0, 0)]
    drawn = plot([player("Bo", 4)], djinns)
    _, best, half, worst = drawn.filled(_BAR)
    assert half.w == pytest.approx(best.w / 2)
    assert 0 < worst.w < 1
    (number,) = (written.box for written in drawn.written if written.text.endswith("(3)"))
    assert worst.right < number.x < worst.right + 4


def test_bids_go_to_the_right_and_points_upwards_and_winners_are_filled() -> None:
    drawn = plot([player("Bo", 4)], spent=[Spent(15, 120, True), Spent(45, 60, False)])
    (won,) = drawn.filled(ACCENT)
    (lost,) = (box for box in drawn.outlined(INK) if box.w == pytest.approx(2.4))
    assert won.right < lost.x and won.bottom < lost.y
    # Each stands at its own numbers of the axes.
    for mark, bids, points in ((won, "15", "120"), (lost, "45", "60")):
        across = next(written.box for written in drawn.written if written.text == bids and written.box.y > lost.y)
        up = next(written.box for written in drawn.written if written.text == points and written.box.right < won.x)
        assert across.centre[0] == pytest.approx(mark.centre[0], abs=0.1)
        assert up.centre[1] == pytest.approx(mark.centre[1], abs=0.6)


def test_the_page_keeps_to_what_prints_do() -> None:
    statistics = Statistics(4, (player("Bo", 4),), (DjinnFigures("Boaz", 1, 4.0, 0),), (), (Spent(15, 120, True),))
    assert check_all(history_plot(statistics, ".pdf", language="ru")) == []


def test_the_numbers_of_an_axis_hold_all_that_is_shown() -> None:
    for numbers in ([3, 61], [0, 0], [7], [-12, 140], [99, 101], [1, 10_000]):
        ticks = round_ticks(numbers, 6)
        assert ticks[0] <= min(numbers) and max(numbers) <= ticks[-1] and 2 <= len(ticks) <= 8
        assert len({after - before for before, after in zip(ticks, ticks[1:], strict=False)}) == 1
    assert round_ticks([0, 65], 7) == [0, 10, 20, 30, 40, 50, 60, 70]
    assert round_ticks([-3, 14], 8) == [-5, 0, 5, 10, 15]
