"""Advice for a table: bids while those are open, else turns."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.advisor.advice import BidAdvice, TurnAdvice
from companion.advisor.search import advise, bids
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import SPOT_PRICES_GC
from companion.rules.model.position import Bid, Position
from companion.table.advising import advise_table
from tests.advisor.advised import advised


def test_turns_are_advised_when_all_bids_are_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules 3.1, 3.3."""

    def known_turns(position: Position, *, top: int, **_: object) -> TurnAdvice:
        return advised(replace(position, to_move=position.colours[0]), top)

    def known_bids(position: Position, **_: object) -> BidAdvice:
        return BidAdvice(position.colours[0], position)

    monkeypatch.setattr(advise, "advise", known_turns)
    monkeypatch.setattr(bids, "advise_bid", known_bids)
    setup = random_setup(3, 1)
    placed = replace(setup, bid_order=(), turn_order=tuple(map(Bid, setup.bid_order or (), SPOT_PRICES_GC[2::-1])))
    assert advise_table(setup, 1, 0, None, lambda share, what: None).bids is not None
    assert advise_table(placed, 1, 0, None, lambda share, what: None).turns is not None
