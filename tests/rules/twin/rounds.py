"""Rules 4.1, 8 and 9: the course of a round."""

from __future__ import annotations

from typing import Any

from companion.rules.model.components import FACE_UP_DJINNS, ROW_LENGTH
from tests.rules.twin.bidding import playing_order
from tests.rules.twin.sowing import can_move
from tests.rules.twin.state import cards_left, djinns_left, draw_card, draw_djinn, new_turn


def start_turns(state: dict[str, Any]) -> None:
    """Rules 3.3: the bids are in, the turns go from the dearest spot down."""
    state["to_play"] = playing_order(state)
    state["zeros"], state["spots"] = [], {}
    state["phase"] = "turn"
    start_turn(state)


def start_turn(state: dict[str, Any]) -> None:
    """Rules 4.1: the marker goes to the first free spot of the bid order track; 9.2: no legal move ends the game."""
    colour, _ = state["to_play"].pop(0)
    state["moved"].append(colour)
    state["turn"] = new_turn(colour)
    if not can_move(state):
        state["turn"]["must_skip"] = True
        state["last_round"] = True


def cards_to_refill(state: dict[str, Any]) -> int:
    """Rules 8.1: how many cards come to the row at clean-up."""
    return min(ROW_LENGTH - len(state["row"]), cards_left(state))


def djinns_to_refill(state: dict[str, Any]) -> int:
    """Rules 8.1: how many djinns come face up at clean-up."""
    return min(FACE_UP_DJINNS - len(state["face_up"]), djinns_left(state))


def clean_up(state: dict[str, Any], cards: list[str], djinns: list[str]) -> None:
    """Rules 8.1: row and djinns are refilled with what the decks give."""
    for card in cards:
        draw_card(state, card)
        state["row"].append(card)
    for name in djinns:
        draw_djinn(state, name)
        state["face_up"].append(name)


def next_round(state: dict[str, Any]) -> None:
    """Rules 4.1: the order in which the markers moved is the next bid order."""
    state["phase"] = "bid"
    state["to_bid"], state["moved"] = state["moved"], []
    state["turn"] = None


def end_game(state: dict[str, Any]) -> None:
    """Rules 9.1 and 9.2: the last round is over."""
    state["phase"] = "end"
    state["turn"] = None
