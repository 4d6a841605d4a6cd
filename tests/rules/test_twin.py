"""The engine against the plain game: the same decisions, results, chance and scores (rules 2 to 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.strategies._internal.random import ArtificialRandom

from companion.errors import IllegalMoveError
from companion.rules.engine.game import apply
from companion.rules.engine.setup import start_game
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.actions import Sow
from tests.rules.twin import duel, game, positions, sowing
from tests.rules.twin.compare import differences, engine_position, engine_snapshot, engine_state, snapshot, to_sowing
from tests.rules.twin.state import DJINN_VALUES, LETTERS, copied, meeples_on, new_game

RARE = [
    "bid with fakirs",
    "spare",
    "kill in front",
    "kill two",
    "kill two in front",
    "place beside",
    "Bouraq with another",
    "Enki with another",
    "keep djinn",
    "Anun-Nak",
    "Echidna",
    "Leta",
    "Sloar",
    "Utug",
    "games ended",
]
"""What random play meets seldom and the tests must have met."""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_whole_random_games_are_the_same(players: int, seed: int) -> None:
    seen = duel.play_game(seed, players)
    assert seen["games ended"] == 1


def test_random_positions_are_played_on_the_same_with_every_djinn_in_play() -> None:
    seen: Counter[str] = Counter()
    for number, djinns in enumerate(duel.COMPANIES):
        for seed in range(3 if len(djinns) == 1 else 8):
            seen += duel.play_from_position(1000 * number + seed, djinns)
    assert [name for name in RARE if not seen[name]] == []


@given(st.randoms(use_true_random=False), st.sets(st.sampled_from(sorted(DJINN_VALUES)), max_size=6))
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to shrink a whole game takes minutes
)
def test_any_position_is_played_on_the_same(random: ArtificialRandom, djinns: set[str]) -> None:
    duel.play(random, positions.random_position(random, djinns=sorted(djinns)), decisions=8, branches=1)


@pytest.mark.parametrize("seed", range(20))
def test_a_game_starts_the_same_from_a_position_3_1_and_4_1(seed: int) -> None:
    random = Random(seed)
    if seed % 2:
        state = positions.random_position(random, within_turns=False)
    else:
        state = new_game(*positions.random_start(random, 2 + seed % 3))
    started = engine_snapshot(start_game(engine_position(state), promo=state["promo"]))
    ours = snapshot(state) | {"djinn_discards": started["djinn_discards"]}
    assert started == ours


def small_boards(number: int) -> Iterator[Any]:
    """Turns about to begin whose hands are small enough to try every sowing."""
    seed = 0
    while number:
        djinns = duel.COMPANIES[seed % len(duel.COMPANIES)]
        state = positions.random_position(Random(seed), djinns, within_turns=False)
        seed += 1
        if state["phase"] == "turn" and 0 < max(map(meeples_on, state["board"])) <= 4:
            number -= 1
            yield seed, state


def test_every_sowing_is_found_and_no_other_4_2_to_4_5() -> None:
    for _, state in small_boards(15):
        board = engine_position(state).board
        for start in range(30):
            ours = {to_sowing(start, drops) for drops in sowing.all_sowings(state, start)}
            assert ours == set(legal_sowings(board, [start]))


def test_a_whole_sowing_is_taken_or_refused_as_the_clauses_say_4_2_to_4_8() -> None:
    kept = refused = 0
    for seed, state in small_boards(40):
        random = Random(seed)
        before = engine_state(state)
        for _ in range(20):
            start, drops = random_drops(random, state)
            sow = Sow(to_sowing(start, drops))
            if sowing.is_legal_sowing(state, start, drops) and not state["turn"]["must_skip"]:
                after = copied(state)
                game.do(after, ("lift", start))
                for square, letter in drops:
                    game.do(after, ("drop", square, letter))
                assert differences(after, apply(before, sow)) == []
                kept += 1
            else:
                with pytest.raises(IllegalMoveError, match="rules"):
                    apply(before, sow)
                refused += 1
    assert kept > 20
    assert refused > 20


@pytest.mark.parametrize("size", range(2, 13))
def test_hands_of_up_to_12_are_sown_the_same_step_by_step_4_5_ruling(size: int) -> None:
    """One heap and little or nothing else on the board, so that ends rest on meeples dropped in the same move."""
    ways = 0
    for seed in range(12):
        random = Random(100 * size + seed)
        state = positions.random_heap(random, size, others=seed % 4)
        engine = engine_state(state)
        if state["turn"]["must_skip"]:
            duel.compare_actions(state, engine)
            continue
        while state["turn"]["step"] in ("move", "sow"):
            duel.compare_actions(state, engine)
            steps = [action for action in game.actions(state) if action[0] != "power"]
            state, engine = duel.compare_result(random, state, engine, random.choice(steps))
            ways += 1
    assert ways or size < 5


def test_11_4_11_9_echidna_doubles_the_builder_that_kandicha_killed_before() -> None:
    doubled = 0
    for seed in range(150):
        random = Random(seed)
        state = positions.random_position(random, ["Echidna", "Kandicha"])
        if not state["turn"] or state["turn"]["step"] != "tribe":
            continue
        engine = engine_state(state)
        kills = [action for action in game.actions(state) if action[0] == "kill" and "b" in action[4]]
        for kill in random.sample(kills, min(3, len(kills))):
            killed, engine_killed = duel.compare_result(random, state, engine, kill)
            for action in game.actions(killed):
                if action[:2] == ("power", "Echidna") and killed["turn"]["builder_coins"]:
                    duel.compare_result(random, killed, engine_killed, action)
                    doubled += 1
    assert doubled > 5


def random_drops(random: Random, state: dict[Any, Any]) -> tuple[Any, ...]:
    """A walk and an order of drops that may break any clause: a step back, a wrong end, a meeple too many."""
    start = random.choice([square for square in range(30) if meeples_on(state["board"][square])])
    meeples = state["board"][start]["meeples"]
    letters = [letter for letter in LETTERS for _ in range(meeples[letter])]
    random.shuffle(letters)
    if random.random() < 0.1:
        letters[0] = random.choice(LETTERS)
    if random.random() < 0.1:
        letters.append(random.choice(LETTERS))
    here, before, drops = start, None, []
    for letter in letters:
        steps = sowing.orthogonal(here) if random.random() < 0.1 else sowing.allowed_steps(here, before)
        here, before = random.choice(steps), here
        drops.append((here, letter))
    return start, tuple(drops)


def test_5_4_and_6_1_to_6_5_whole_turns_are_the_same() -> None:
    seen: Counter[str] = Counter()
    for number, djinns in enumerate(duel.COMPANIES):
        seen += duel.play_turns(number, djinns)
    assert seen["whole turns' choices"] > 100
