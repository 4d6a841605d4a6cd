"""What a seat may know of a game: everything but the cards that others drew from the deck unseen (rules 12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from companion.rules.engine.game import Step
from companion.rules.model.components import FAKIR, GOODS, Colour
from companion.rules.model.events import Refilled
from companion.rules.model.position import Player
from companion.rules.model.state import GameState

UnseenCards = Mapping[Colour, Counter[str]]
"""For each player the cards in his hand that nobody else has seen, by name."""


def note_unseen(unseen: UnseenCards, before: GameState, done: Step) -> dict[Colour, Counter[str]]:
    """What is unseen after an action.

    Cards from the row are seen by all; those that Sloar and Kandicha bring from the deck are not. Of several
    alike the seen ones are spent first, as `MutableGame.discard_fakirs` has it.
    """
    now = {colour: Counter(cards) for colour, cards in unseen.items()}
    # Cards drawn at clean-up lie face up in the row (rules 8.1); all others go into the mover's hand.
    if before.mover is not None and not any(isinstance(event, Refilled) for event in done.events):
        drawn = Counter(card for card in done.drawn.cards if card is not None)
        now[before.mover] = now.get(before.mover, Counter()) + drawn
    # An intersection keeps the smaller count: an unseen card that is shown, spent or sold is one no more.
    return {colour: cards & _held(done.state.player(colour)) for colour, cards in now.items()}


def seen_by(state: GameState, seat: Colour, unseen: UnseenCards) -> GameState:
    """The game as one player knows it.

    Cards of others in `unseen` are taken out of what they hold and counted in `hidden` instead. Coins are not
    hidden: every one of them is paid in the open, so whoever counts knows them (rules 12.1).
    """
    if not any(cards for colour, cards in unseen.items() if colour is not seat):
        return state
    players, hidden = [], []
    for player, already in zip(state.position.players, state.hidden, strict=True):
        cards = unseen.get(player.colour, Counter()) if player.colour is not seat else Counter()
        players.append(_without(player, cards) if cards else player)
        hidden.append(already + cards.total())
    return replace(state, position=replace(state.position, players=tuple(players)), hidden=tuple(hidden))


def _held(player: Player) -> Counter[str]:
    """All that a player is known to hold, as cards."""
    goods = dict(zip(GOODS, player.goods, strict=True)) if player.goods is not None else {}
    return Counter({**goods, FAKIR: player.fakirs or 0})


def _without(player: Player, cards: Counter[str]) -> Player:
    """A player's holdings with some of the cards left out."""
    goods = player.goods
    if goods is not None:
        goods = tuple(count - cards[name] for count, name in zip(goods, GOODS, strict=True))
    fakirs = player.fakirs if player.fakirs is None else player.fakirs - cards[FAKIR]
    return replace(player, goods=goods, fakirs=fakirs)
