"""Whole turns in arrays, against the readable engine (rules 4 to 7, 11)."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from companion.rules.engine.counting import sowing_outcomes
from companion.rules.engine.game import step
from companion.rules.model.board import parse_square
from companion.rules.model.components import Tribe
from companion.rules.model.state import GameState
from companion.simulation import enumeration
from companion.simulation.bridge import turns_to_actions
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import scores
from companion.simulation.layout import NONE, Batch, Turns
from companion.simulation.playing import play_turns
from tests.rules.tables import BLACK, BLUE, PINK, at_bid, at_turn, player
from tests.simulation.roots import beginnings, gained, rooted, with_holdings
from tests.simulation.twin import as_turn, assert_same

DJINNS = (
    (),
    ("Kandicha", "Jafaar", "Iblis"),
    ("Marid", "Nekir", "Al-Amin", "Boaz"),
    ("Hagis", "Lamia", "Ba'al", "Bouraq", "Enki", "Monkir"),
    ("Dhenim", "Echidna", "Utug", "Leta"),
)
TURNS_TRIED = 10


def positions(seed: int) -> list[GameState]:
    """Beginnings of turns from one game, the mover with other djinns in each."""
    found = []
    for number, state in enumerate(beginnings(2 + seed % 3, seed, every=5)):
        djinns = DJINNS[(seed + number) % len(DJINNS)]
        found.append(with_holdings(state, number, djinns))
    return found


def outcomes(root_turns: Turns, state: GameState) -> set[tuple[int, int, int, int, bool]]:
    """Start, end, tribe, number taken and whether the end is emptied of turns, by counting on the board."""
    found = set()
    for column in range(len(root_turns)):
        length = int(root_turns.length[column])
        start = int(root_turns.start[column])
        path, drops = root_turns.path[:length, column].tolist(), root_turns.drops[:length, column].tolist()
        board = [list(tile.meeples) for tile in state.position.board]
        board[start] = [0] * len(Tribe)
        for square, tribe in zip(path, drops, strict=True):
            board[square][tribe] += 1
        end, tribe = path[-1], drops[-1]
        found.add((start, end, tribe, board[end][tribe], sum(board[end]) == board[end][tribe]))
    return found


def counted(state: GameState) -> set[tuple[int, int, int, int, bool]]:
    return {
        (one.start, one.end, int(one.tribe), one.count, one.emptied) for one in sowing_outcomes(state.position.board)
    }


def best_gain(state: GameState, root: Batch, turns: Turns) -> int:
    """The most that a turn gains, found by playing all in a batch and played once more with the rules."""
    lanes = np.arange(len(turns))
    batch = root.select([0] * len(turns))
    play_turns(batch, lanes, turns)
    totals = scores(batch)[:, int(root.mover[0])].sum(axis=0)
    return gained(state, root, turns, int(totals.argmax()))


def plain(turns: Turns) -> Turns:
    """Those turns in which no power is used."""
    return turns.select(np.nonzero(turns.power[0] == NONE)[0])


def test_4_6_every_outcome_is_enumerated_and_no_other() -> None:
    for seed in range(2):
        for state in positions(seed):
            assert outcomes(whole_turns(rooted(state), seed=seed), state) == counted(state)


def test_4_every_turn_is_legal_and_played_as_its_actions() -> None:
    for seed in range(3):
        random = Random(seed)
        for state in positions(seed):
            root = rooted(state)
            turns = whole_turns(root, seed=seed)
            turns = turns.select(random.sample(range(len(turns)), min(len(turns), TURNS_TRIED)))
            batch = root.select([0] * len(turns))
            play_turns(batch, np.arange(len(turns)), turns)
            for lane in range(len(turns)):
                actions, open_ended = turns_to_actions(root, turns, lane, state)
                if open_ended:
                    continue
                reached = state
                for action in actions[:-1]:
                    reached = step(reached, action).state
                assert_same(batch, [lane], [reached], ["; ".join(map(str, actions))])
                again = root.select([0])
                play_turns(again, np.array([0]), as_turn(state, actions))
                assert np.array_equal(again.data[:, 0], batch.data[:, lane])


def test_of_too_many_turns_the_best_of_each_outcome_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    state = positions(0)[0]
    root = rooted(state)
    every = plain(whole_turns(root))
    best = best_gain(state, root, every)
    monkeypatch.setattr(enumeration, "MAX_TURNS", 200)
    kept = plain(whole_turns(root))
    assert len(kept) < len(every)
    assert outcomes(kept, state) == counted(state)
    assert best_gain(state, root, kept) == best


def test_turns_are_enumerated_from_their_beginning_only() -> None:
    with pytest.raises(ValueError, match="beginning"):
        whole_turns(rooted(at_bid(player(PINK), player(BLUE))))


def test_a_heavy_hand_has_all_its_outcomes() -> None:
    state = at_turn(player(PINK, fakirs=3), c3="M6:yyywwwbbbgggrrr", d3="V5:yr", a1="M6:w")
    turns = whole_turns(rooted(state))
    assert outcomes(turns, state) == counted(state)
    assert (turns.length == 15).any()


def test_5_4_a_lone_assassin_kills_nobody_where_nobody_is() -> None:
    state = at_turn(a5="M6:r", b5="M6:r", f1="S6:y")
    turns = whole_turns(rooted(state))
    taken = [column for column in range(len(turns)) if turns.start[column] == parse_square("a5")]
    assert {int(turns.victim[0, column]) for column in taken} == {NONE}
    gained(state, rooted(state), turns, taken[0])


def test_11_the_path_chosen_spares_what_an_opponents_marid_would_get() -> None:
    tiles = {"c3": "M6:ggy", "e4": "M4:yb", "c4": "M6@K", "d4": "M6@K", "d3": "M6@K"}
    state = at_turn(player(BLACK, djinns=("Marid",)), **tiles)
    turns = whole_turns(rooted(state))
    to_e4 = np.flatnonzero(turns.path[2] == parse_square("e4"))
    assert len(to_e4)
    assert {tuple(turns.path[:3, column].tolist()) for column in to_e4} == {
        tuple(map(parse_square, ("d3", "e3", "e4")))
    }
