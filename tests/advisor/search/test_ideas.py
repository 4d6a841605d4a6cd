"""Ideas of turns, and how finalists are spread over them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from companion.advisor.advice import Budget
from companion.advisor.explanation import explain_turn
from companion.advisor.search.advise import advise
from companion.advisor.search.ideas import ideas_of, shared_out
from companion.rules.engine.sowing import has_legal_sowing
from companion.rules.model.actions import ActTribe, Sow
from companion.rules.model.board import with_meeples
from companion.rules.model.state import GameState
from companion.simulation.bridge import pack, turns_to_actions
from companion.simulation.enumeration import whole_turns
from tests.simulation.roots import beginnings


def test_turns_of_one_idea_end_claim_and_kill_alike() -> None:
    """By the rules' own account of each turn."""
    state = list(beginnings(3, 7, 1))[9]
    root = pack([state], [0])
    turns = whole_turns(root)
    turns = turns.select(list(range(0, len(turns), max(1, len(turns) // 120))))
    ideas = ideas_of(root.select([0] * len(turns)), turns)
    told: dict[int, set[object]] = {}
    for number, idea in enumerate(ideas.tolist()):
        actions, _ = turns_to_actions(root, turns, number, state)
        sowing = next(action.sowing for action in actions if isinstance(action, Sow))
        kills = sorted(
            (victim.square or -1, str(victim.owner), victim.tribe)
            for action in actions
            if isinstance(action, ActTribe)
            for victim in action.choice.victims
        )
        claims = sorted(explain_turn(state, actions).claims)
        told.setdefault(idea, set()).add((sowing.end, sowing.tribe, tuple(claims), tuple(kills)))
    assert len(told) > 10
    assert all(len(accounts) == 1 for accounts in told.values())
    assert len(set.union(*told.values())) == len(told)


def test_finalists_are_shared_out_ideas() -> None:
    ideas = np.array([7, 7, 7, 7, 7, 3, 3, 3, 5, 5, 9])
    order = np.arange(len(ideas))
    assert shared_out(order, ideas, 4, 1).tolist() == [0, 5, 8, 10]
    # Of the best two so many ways, of the others the best first.
    assert shared_out(order, ideas, 6, 2).tolist() == [0, 1, 5, 6, 8, 10]
    # Where there are too few ideas, whatever follows in the order.
    assert shared_out(order, ideas, 7, 2).tolist() == [0, 1, 2, 5, 6, 8, 10]
    assert shared_out(order[::-1], ideas, 3, 1).tolist() == [10, 9, 7]
    assert shared_out(order, ideas, 20, 3).tolist() == order.tolist()


@pytest.mark.slow
def test_five_ideas_are_shown_wherever_there_are_five(subtests: pytest.Subtests) -> None:
    """Of all whole turns, on full boards and on all but empty ones; a quick look must do."""
    for players in (2, 3, 4):
        for number, state in enumerate(beginnings(players, 20 + players, 9)):
            for meeples in (90, 20, 9):
                thin = thinned(state, meeples)
                if not has_legal_sowing(thin.position.board):
                    continue
                with subtests.test(msg=f"{players} players, turn {9 * number}, {meeples} meeples"):
                    root = pack([thin], [0])
                    turns = whole_turns(root)
                    ideas = len(np.unique(ideas_of(root.select([0] * len(turns)), turns)))
                    shown = {turn.idea for turn in advise(thin, budget=Budget(300)).turns}
                    assert shown == set(range(1, min(5, ideas) + 1))


def thinned(state: GameState, meeples: int) -> GameState:
    """The same turn with so many meeples on the board at most."""
    random, board = Random(meeples), list(state.position.board)
    standing = [square for square, tile in enumerate(board) for _ in range(sum(tile.meeples))]
    for square in random.sample(standing, max(len(standing) - meeples, 0)):
        left = list(board[square].meeples)
        left[random.choice([tribe for tribe, count in enumerate(left) if count])] -= 1
        board[square] = with_meeples(board[square], tuple(left))
    return replace(state, position=state.position.with_board(tuple(board)))
