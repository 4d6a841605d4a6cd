"""Decks of a batch stacked so that it draws what the rules drew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np

from companion.rules.model.chance import Drawn
from companion.simulation import decks
from companion.simulation.batch import Batch
from companion.simulation.layout import CARD_ID, CARDS_IN_BOX, DJINN_COUNT, DJINN_ID, NONE, TRIBES, Index, Ints


class Stacked:
    """What the lanes of a batch are to draw. Asserts that their decks and bags can give it."""

    def __init__(self) -> None:
        # What a lane draws from a deck remade of its discards, after the old one is empty; and from the bag.
        self._cards: dict[int, list[int]] = {}
        self._djinns: dict[int, list[int]] = {}
        self._meeples: dict[int, list[int]] = {}
        self.remade: Counter[str] = Counter()
        self._shuffle_cards, self._shuffle_djinns = decks.card_order, decks.djinn_order
        self._pick = decks.pick_meeples

    def stack(self, batch: Batch, lane: int, drawn: Drawn) -> None:
        """See that the lane draws this next."""
        cards = [CARD_ID[card] for card in drawn.cards if card is not None]
        top, size = int(batch.deck_next[lane]), int(batch.deck_size[lane])
        _bring_up(batch.deck[top:size, lane], cards, free=bool(batch.hidden[:, lane].any()))
        self._cards[lane] = cards[size - top :]
        djinns = [DJINN_ID[name] for name in drawn.djinns]
        top, size = int(batch.djinn_next[lane]), int(batch.djinn_size[lane])
        _bring_up(batch.djinn_deck[top:size, lane], djinns)
        self._djinns[lane] = djinns[size - top :]
        self._meeples[lane] = [int(tribe) for tribe in drawn.meeples]

    @contextmanager
    def drawing(self) -> Iterator[None]:
        """Within it, decks are remade and meeples drawn as stacked."""
        with (
            patch.object(decks, "card_order", self._card_order),
            patch.object(decks, "djinn_order", self._djinn_order),
            patch.object(decks, "pick_meeples", self._pick_meeples),
        ):
            yield

    def _card_order(self, batch: Batch, at: Index, counts: Ints) -> Ints:
        order = self._shuffle_cards(batch, at, counts)
        for place, lane in enumerate(at.tolist()):
            size = int(counts[:, place].sum())
            wanted = self._cards.get(lane, [])
            _bring_up(order[:size, place], wanted, free=bool(batch.hidden[:, lane].any()))
            # A small deck can be remade twice in a turn.
            self._cards[lane] = wanted[size:]
            self.remade["deck remade"] += 1
        assert order.shape == (CARDS_IN_BOX, len(at))
        return order

    def _djinn_order(self, batch: Batch, at: Index, there: Ints) -> Ints:
        order = self._shuffle_djinns(batch, at, there)
        for place, lane in enumerate(at.tolist()):
            size = int(there[:, place].sum())
            wanted = self._djinns.get(lane, [])
            _bring_up(order[:size, place], wanted)
            self._djinns[lane] = wanted[size:]
            self.remade["djinn deck remade"] += 1
        assert order.shape == (DJINN_COUNT, len(at))
        return order

    def _pick_meeples(self, batch: Batch, at: Index, left: Ints) -> Ints:
        drawn = np.zeros((TRIBES, len(at)), dtype=np.int16)
        for place, lane in enumerate(at.tolist()):
            for tribe in self._meeples.pop(lane):
                drawn[tribe, place] += 1
        assert (drawn <= left).all(), "the bag has what is drawn (rules 11.11)"
        assert (drawn.sum(axis=0) == np.minimum(left.sum(axis=0), decks.MEEPLES_REVIVED)).all()
        picked = self._pick(batch, at, left)
        assert (picked <= left).all()
        assert (picked.sum(axis=0) == drawn.sum(axis=0)).all()
        return drawn


def _bring_up(deck: Ints, wanted: list[int], *, free: bool = False) -> None:
    """Lay what is wanted on top of a deck that holds it; a `free` deck may lack it, as nobody knows what is hidden."""
    for place, card in enumerate(wanted[: len(deck)]):
        found = np.nonzero(deck[place:] == card)[0]
        assert len(found) or free, f"{card} is in the deck"
        if len(found):
            deck[place + found[0]] = deck[place]
        deck[place] = card
    assert NONE not in deck
