"""Where the twins begin: set-ups, and positions crowded, sparse, rich, poor and odd."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from companion.rules.engine.setup import new_game
from companion.rules.model.position import count_cards
from companion.rules.model.state import GameState
from tests.rules.twin.compare import engine_state
from tests.rules.twin.duel import COMPANIES
from tests.rules.twin.positions import random_heap, random_position


def set_up(number: int) -> GameState:
    """A game of 2, 3 or 4 players in turn; each third trio with the promo djinn."""
    return new_game(2 + number % 3, number, promo=number // 3 % 3 == 2)


def odd_position(number: int) -> GameState:
    """A position anywhere in a game: few or many meeples, camels, cards, coins, djinns of all kinds."""
    random = Random(f"odd {number}")
    djinns = list(COMPANIES[number % len(COMPANIES)])
    state = engine_state(random_position(random, djinns))
    if number % 7 == 0:
        # Cards that nobody else has seen are in no hand and no more in the deck (rules 12.2).
        unseen = sum(count.unseen for count in count_cards(state.position).values())
        most = min(2, unseen // len(state.position.players))
        return replace(state, hidden=tuple(random.randint(0, most) for _ in state.position.players))
    return state


def huge_hand(number: int) -> GameState:
    """A turn about to begin with one heap of up to 24 meeples."""
    random = Random(f"heap {number}")
    djinns = list(COMPANIES[number % len(COMPANIES)])
    return engine_state(random_heap(random, random.randint(6, 24), random.choice((0, 1, 5, 20, 40)), djinns))
