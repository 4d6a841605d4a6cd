"""A search whose advice is known beforehand, where a test is about what a command does with it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from companion.advisor.advice import AdvisedBid, BidAdvice, Budget, Estimate, TurnAdvice
from companion.rules.model.actions import PlaceBid
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from tests.advisor.advised import advised


class KnownSearch:
    """Takes the place of the search, and notes what it was asked; with `patience_s` it goes on until it is stopped."""

    def __init__(self, patience_s: float = 0.0) -> None:
        self.patience_s = patience_s
        self.asked: list[dict[str, object]] = []

    def advise(
        self, table: Position | GameState, *, player: Colour | None = None, top: int = 5, **more: Any
    ) -> TurnAdvice:
        """See `companion.advisor.search.advise.advise`."""
        position = self._thought(table, **more)
        return advised(replace(position, to_move=player or position.to_move or Colour.BLACK), top, equal=2)

    def advise_bid(self, table: Position | GameState, *, player: Colour | None = None, **more: Any) -> BidAdvice:
        """See `companion.advisor.search.bids.advise_bid`."""
        position = self._thought(table, **more)
        bidder = player or position.to_move or (position.bid_order or (Colour.BLACK,))[0]
        turns = advised(replace(position, to_move=bidder), 2).turns
        bids = [
            AdvisedBid(PlaceBid(5 - 2 * place), Estimate(6.2 - place, 0.3), place + 1, turn=turn)
            for place, turn in enumerate(turns)
        ]
        return BidAdvice(bidder, position, tuple(bids), assumed=("black: gold not known.",))

    def _thought(
        self,
        table: Position | GameState,
        *,
        budget: Budget,
        seed: int = 0,
        progress: Callable[[float], None] = lambda share: None,
        stop: Callable[[], bool] = lambda: True,
        alternatives: object = None,
    ) -> Position:
        self.asked.append({"table": table, "budget": budget, "seed": seed})
        until = time.monotonic() + self.patience_s
        for share in range(100):
            progress(share / 100)
        while time.monotonic() < until and not stop():
            time.sleep(0.01)
        return table.position if isinstance(table, GameState) else table


def searching(monkeypatch: pytest.MonkeyPatch, patience_s: float = 0.0) -> KnownSearch:
    """Let commands find this search in place of the program's."""
    search = KnownSearch(patience_s)
    for name in ("advise", "bids"):
        module = ModuleType(f"companion.advisor.search.{name}")
        module.advise = search.advise  # type: ignore[attr-defined]
        module.advise_bid = search.advise_bid  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return search
