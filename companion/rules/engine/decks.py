"""Drawing from the two decks and the bag (rules 8.1, 11): what can come, and a deck made of its discards."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.engine.mutable_game import MutableGame
from companion.rules.model.components import FAKIR, Tribe
from companion.rules.model.position import Player, cards_left
from companion.rules.model.state import GameState


def draw_card(game: MutableGame, *, face_up: bool) -> tuple[str | None, ...]:
    """The next resource card, None if nobody knows it; empty if there is no card anywhere (rules 8.1)."""
    options = _cards(game)
    return (game.chance.card(options, face_up=face_up),) if options else ()


def _cards(game: MutableGame) -> dict[str, int]:
    """Cards that can come next, the deck remade of the discards if it is empty."""
    # Cards in hands that nobody has seen are still among the options, but no longer in the deck: its size, not
    # the options, says when it is empty.
    options, size = _deck_of(game)
    if size <= 0 and game.discards:
        game.discards = ()
        options, size = _deck_of(game)
    return options if size > 0 else {}


def unseen_cards(game: MutableGame) -> dict[str, int]:
    """Cards that lie nowhere in sight, by name: in the deck, or in hands that nobody else has seen (rules 12.2)."""
    return _deck_of(game)[0]


def has_fakirs(game: MutableGame, number: int) -> bool:
    """Whether the mover has that many fakirs, or may have them."""
    fakirs = game.moving.fakirs
    beyond = number - (fakirs or 0)
    if beyond <= 0:
        return True
    return (fakirs is None or beyond <= game.hidden[game.mover]) and beyond <= unseen_cards(game).get(FAKIR, 0)


def cards_in_deck(state: GameState) -> int:
    """How many cards the deck holds if all else is known; below 0 if more cards are known than there are."""
    at = state.position
    return _deck(at.row, at.discards, at.players, sum(state.hidden), unchecked_hands=state.unchecked_hands)[1]


def cards_known(player: Player) -> int:
    """How many resource cards a player is known to hold."""
    return (player.fakirs or 0) + sum(player.goods or ())


def _deck_of(game: MutableGame) -> tuple[dict[str, int], int]:
    hidden = sum(game.hidden.values())
    return _deck(game.row, game.discards, game.players.values(), hidden, unchecked_hands=game.unchecked_hands)


def _deck(
    row: Iterable[str] | None,
    discards: Iterable[str] | None,
    players: Iterable[Player],
    hidden: int,
    *,
    unchecked_hands: bool,
) -> tuple[dict[str, int], int]:
    """Cards that the deck may hold, by name, and how many it holds if all else is known."""
    # Somebody may have told a card that lies in the deck: how many cards are in hands counts, and not which.
    left = cards_left(row, discards, () if unchecked_hands else players)
    held = hidden + sum(map(cards_known, players)) * unchecked_hands
    return {card: count for card, count in left.items() if count > 0}, sum(left.values()) - held


def draw_djinn(game: MutableGame, drawn: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The next djinn, while those `drawn` are out of the deck; empty if there is none anywhere (rules 8.1)."""
    options = djinns_in_deck(game, drawn)
    if not options and game.djinn_discards:
        game.djinn_discards = ()
        options = djinns_in_deck(game, drawn)
    return (game.chance.djinn(options),) if options else ()


def djinns_in_deck(game: MutableGame, drawn: tuple[str, ...] = ()) -> dict[str, int]:
    """Djinns that the deck may hold, each once."""
    seen = {*(game.djinns or ()), *game.djinn_discards, *drawn}
    for player in game.players.values():
        seen.update(player.djinns or ())
    return {name: 1 for name in game.djinns_in_game if name not in seen}


def draw_meeples(game: MutableGame, number: int) -> tuple[int, ...]:
    """Meeples from the bag, by tribe; fewer if the bag has fewer (rules 11.11)."""
    bag, drawn = game.bag, [0] * len(Tribe)
    for _ in range(min(number, sum(bag))):
        tribe = game.chance.meeple({tribe.noun: bag[tribe] for tribe in Tribe if bag[tribe] > 0})
        bag[tribe] -= 1
        drawn[tribe] += 1
    return tuple(drawn)
