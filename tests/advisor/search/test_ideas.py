"""Ideas of turns, and how finalists are spread over them."""

from __future__ import annotations

import numpy as np

from companion.advisor.explanation import explain_turn
from companion.advisor.search.ideas import ideas_of, shared_out
from companion.rules.model.actions import ActTribe, Sow
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
