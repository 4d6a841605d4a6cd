"""Chance for the plain game: what may come, drawn with a seeded generator."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis.strategies._internal.random import ArtificialRandom

from tests.rules.twin import game, rounds
from tests.rules.twin.compare import tribe_of
from tests.rules.twin.state import CARD_COUNTS


def drawn_cards(random: Random, state: dict[str, Any], number: int) -> list[str]:
    """So many cards off the deck, the discards after it, as they would come."""
    deck = pile(state["deck"])
    discards = pile(state["discards"])
    random.shuffle(deck)
    random.shuffle(discards)
    return (deck + discards)[:number]


def pile(cards: dict[str, int]) -> list[str]:
    return [card for card in CARD_COUNTS for _ in range(cards[card])]


def drawn_djinns(random: ArtificialRandom | Random, state: dict[str, Any], number: int) -> list[str]:
    """So many djinns off the deck, the discards after it."""
    deck, discards = list(state["djinn_deck"]), list(state["djinn_discards"])
    random.shuffle(deck)
    random.shuffle(discards)
    return (deck + discards)[:number]


def drawn_meeples(
    random: ArtificialRandom | Random,
    state: dict[str, Any],
    action: tuple[Any, ...],
    number: int,
) -> list[str]:
    """So many meeples out of the bag."""
    bag = [letter for letter, count in bag_after_paying(state, action).items() for _ in range(count)]
    return random.sample(bag, number)


def bag_after_paying(state: dict[str, Any], action: tuple[Any, ...]) -> dict[str, int]:
    """The bag as it is when meeples are drawn: with the elders that the action costs (rules 11)."""
    return state["bag"] | {"w": state["bag"]["w"] + action[2][0]}


def sample(random: Random, state: dict[str, Any], action: tuple[Any, ...]) -> list[str] | tuple[list[str], list[str]]:
    """What chance gives for this action: a list, or (cards, djinns) where clean-up follows."""
    if game.clean_up_due(state, action):
        cards = drawn_cards(random, state, rounds.cards_to_refill(state))
        return cards, drawn_djinns(random, state, rounds.djinns_to_refill(state))
    kind, number = game.chance_of(state, action)
    if kind == "djinn":
        return drawn_djinns(random, state, number)
    if kind == "meeple":
        return drawn_meeples(random, state, action, number)
    if kind == "card":
        return drawn_cards(random, with_fakirs_discarded(state, action), number)
    return ()


def with_fakirs_discarded(state: dict[str, Any], action: tuple[Any, ...]) -> Any:
    """The piles as they are when the card is drawn: the fakirs that the action costs already discarded."""
    fakirs = game.fakirs_paid(action)
    discards = dict(state["discards"])
    discards["fakir"] += fakirs
    return {"deck": state["deck"], "discards": discards}


def first_options(state: dict[str, Any], action: tuple[Any, ...]) -> dict[str, int]:
    """What the first draw of this action can bring, by the engine's names, with how many of each; {} if none is."""
    if game.clean_up_due(state, action):
        if rounds.cards_to_refill(state):
            return card_options(state)
        return djinn_options(state) if rounds.djinns_to_refill(state) else {}
    kind, number = game.chance_of(state, action)
    if number == 0:
        return {}
    if kind == "djinn":
        return djinn_options(state)
    if kind == "meeple":
        return {tribe_of(letter).noun: count for letter, count in bag_after_paying(state, action).items() if count}
    return card_options(with_fakirs_discarded(state, action))


def card_options(piles: Any) -> dict[str, int]:
    deck = {card: count for card, count in piles["deck"].items() if count}
    return deck or {card: count for card, count in piles["discards"].items() if count}


def djinn_options(state: dict[str, Any]) -> dict[str, int]:
    return dict.fromkeys(state["djinn_deck"] or state["djinn_discards"], 1)


def everything(state: dict[str, Any], action: tuple[Any, ...]) -> dict[tuple[str, ...], Fraction]:
    """All that chance can give one action that draws, as {what it gives, in order: probability}."""
    kind, number = game.chance_of(state, action)
    if kind == "djinn":
        piles = [dict.fromkeys(state["djinn_deck"], 1), dict.fromkeys(state["djinn_discards"], 1)]
    elif kind == "meeple":
        piles = [bag_after_paying(state, action), {}]
    else:
        after = with_fakirs_discarded(state, action)
        piles = [after["deck"], after["discards"]]
    return dict(draws(*piles, number))


def draws(deck: dict[str, int], discards: dict[object, object], number: int) -> Iterator[Any]:
    """Every order in which `number` things can come off a deck that its discards remake, with its probability."""
    if number == 0:
        yield (), Fraction(1)
        return
    if sum(deck.values()) == 0:
        deck, discards = discards, {}
    total = sum(deck.values())
    for name, count in deck.items():
        if count == 0:
            continue
        for rest, probability in draws(deck | {name: count - 1}, discards, number - 1):
            yield (name, *rest), Fraction(count, total) * probability
