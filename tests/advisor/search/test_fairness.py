"""Fair set-ups: the first of the seeds that is within the measure, the same every time, and the measure itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from companion.advisor.advice import MAX_OPEN, Estimate, Fairness
from companion.advisor.search import fairness as found_in
from companion.advisor.search.fairness import TRIES, fair_setup, measured
from companion.rules.engine.setup import random_setup
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.components import Colour
from companion.rules.model.position import Position


def _fairness(spread: float, captures: int = 0) -> Fairness:
    return Fairness((Estimate(0.0), Estimate(-spread), Estimate(-spread / 2)), tuple(range(captures)))


class Scripted:
    """A measure by hand: spreads of the quick and the closer look by seed."""

    def __init__(self, quick: dict[int, Fairness], closer: dict[int, Fairness] | None = None) -> None:
        self.quick, self.closer = quick, closer or {}
        self.seeds = {random_setup(3, seed): seed for seed in range(60)}
        self.looked: list[int] = []

    def __call__(self, positions: Sequence[Position], lanes: int, seed: int) -> list[Fairness]:
        seeds = [self.seeds[one] for one in positions]
        if lanes < 100:
            return [self.quick.get(one, _fairness(9.0)) for one in seeds]
        self.looked += seeds
        return [self.closer.get(one, self.quick.get(one, _fairness(9.0))) for one in seeds]


def test_the_first_fair_set_up_is_found_and_its_seed_gives_it_again() -> None:
    measure = Scripted({7: _fairness(1.5), 9: _fairness(0.5), 3: _fairness(1.0, captures=MAX_OPEN + 1)})
    found = fair_setup(3, 2, measure=measure)
    assert (found.seed, found.tried) == (7, 6)
    assert found.position == random_setup(3, 7)
    assert found.fairness.within
    assert measure.looked == [7], "many open captures are no matter for a closer look"
    assert fair_setup(3, 7, measure=measure).position == found.position


def test_the_fairest_has_to_do_where_none_is_fair() -> None:
    measure = Scripted({4: _fairness(3.5), 11: _fairness(2.5), 15: _fairness(0.0, captures=5)})
    found = fair_setup(3, 0, tries=30, measure=measure)
    assert (found.seed, found.tried, found.fairness.within) == (11, 30, False)
    assert fair_setup(3, 0, tries=3, measure=measure).seed == 0


def test_time_that_is_over_ends_the_search() -> None:
    shares: list[float] = []
    found = fair_setup(3, 0, measure=Scripted({}), progress=shares.append, stop=lambda: len(shares) == 2)
    assert found.tried == 32
    assert shares == [16 / TRIES, 32 / TRIES]
    assert found.position == random_setup(3, 0)


def test_a_measure_has_a_margin_for_each_turn_of_the_first_round(subtests: pytest.Subtests) -> None:
    for players in [2, 3, 4]:
        with subtests.test(msg=str(players)):
            positions = [random_setup(players, seed) for seed in (3, 4)]
            one, other = measured(positions, 8, 0)
            assert len(one.margins) == len(other.margins) == len(positions[0].bid_order or ())
            assert one != other
            assert measured(positions[1:], 8, 0) == [other], "lanes do not look at their neighbours"
            assert measured(positions, 8, 1) != [one, other]
            if players == 2:
                by_colour: dict[Colour, Estimate] = {}
                for colour, margin in zip(positions[0].bid_order or (), one.margins, strict=True):
                    assert by_colour.setdefault(colour, margin) == margin
                blue, pink = by_colour[Colour.BLUE], by_colour[Colour.PINK]
                assert blue.value == pytest.approx(-pink.value, abs=1e-3), "what one is ahead, the other is behind"


def test_open_captures_are_tiles_of_one_colour_that_a_first_move_can_end_on(subtests: pytest.Subtests) -> None:
    for seed in [1, 5, 8]:
        with subtests.test(msg=str(seed)):
            position = random_setup(4, seed)
            ends = {(sowing.end, sowing.tribe) for sowing in legal_sowings(position.board)}
            wanted = {
                end for end, tribe in ends if position.board[end].meeples[tribe] == sum(position.board[end].meeples) > 0
            }
            assert set(measured([position], 4, 0)[0].open_captures) == wanted


def test_nobody_has_paid_for_the_first_round(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def look(batch: object, weights: object, *, rounds: int, noise: float) -> int:
        seen.append((batch.gold[:3].copy(), batch.mover.copy(), batch.turn_seat[:2].copy(), rounds))  # type: ignore[attr-defined]
        return 0

    monkeypatch.setattr(found_in, "play_on", look)
    position = random_setup(3, 6)
    measured([position], 4, 0)
    gold, mover, waiting, _ = seen[0]
    assert np.all(gold == 50)
    seats = [position.colours.index(colour) for colour in position.bid_order or ()]
    assert [int(mover[0]), *map(int, waiting[:, 0])] == seats
