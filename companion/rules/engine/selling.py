"""Selling sets of different goods at the end of a turn (rules 7)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from companion.errors import IllegalMoveError
from companion.language.phrase import joined, named, say, say_many
from companion.rules.engine.decks import unseen_cards
from companion.rules.engine.draft import GameDraft
from companion.rules.model.actions import Sell
from companion.rules.model.components import FAKIR, GOODS, SET_PRICES_GC
from companion.rules.model.events import GoodsSold


def sales(goods: tuple[int, ...]) -> tuple[Sell, ...]:
    """Every set that can be sold from these goods, counted in the order of `GOODS` (rules 7.1)."""
    return _sales(tuple(good for good, count in zip(GOODS, goods, strict=True) if count))


@lru_cache(maxsize=1 << 9)
def _sales(held: tuple[str, ...]) -> tuple[Sell, ...]:
    return tuple(Sell(chosen) for size in range(1, len(held) + 1) for chosen in combinations(held, size))


def sell(draft: GameDraft, sale: Sell) -> None:
    """Sell a set for its price (rules 7.1).

    Raises IllegalMoveError if it is no set of different goods that the mover has, or may have.
    """
    player = draft.moving
    for good, number in Counter(sale.goods).items():
        if good == FAKIR:
            raise IllegalMoveError(say("fakirs cannot be sold (rules 7.1)"))
        if good not in GOODS:
            raise IllegalMoveError(
                say(
                    "{good!r} is no good to sell; goods are {goods} (rules 1.4)",
                    good=good,
                    goods=joined(", ", map(named, GOODS)),
                )
            )
        if number > 1:
            raise IllegalMoveError(
                say(
                    "a set is of different goods; {good} is named {times} (rules 7.1)",
                    good=named(good),
                    times=say_many("{count} time", "{count} times", number),
                )
            )
    if not sale.goods:
        raise IllegalMoveError(say("a set has at least one good (rules 7.1)"))
    # What is not known to be in the hand may be among the cards that nobody has seen (rules 12.2).
    wanting = [good for good in sale.goods if player.goods is None or not player.goods[GOODS.index(good)]]
    may_be = unseen_cards(draft) if player.goods is None or len(wanting) <= draft.hidden[draft.mover] else {}
    lacking = [good for good in wanting if good not in may_be]
    if lacking:
        raise IllegalMoveError(
            say(
                "{mover} has no {wanting} to sell (rules 7.1)",
                mover=draft.mover,
                wanting=joined(say(" and no "), map(named, lacking)),
            )
        )
    if player.goods is not None:
        draft.hidden[draft.mover] -= len(wanting)
        shown = set(sale.goods) - set(wanting)
        goods = tuple(count - (good in shown) for good, count in zip(GOODS, player.goods, strict=True))
        draft.players[draft.mover] = replace(player, goods=goods)
    price = SET_PRICES_GC[len(sale.goods)]
    if draft.discards is not None:
        draft.discards += sale.goods
    draft.add(draft.mover, gold=price)
    draft.announce(GoodsSold(draft.mover, sale.goods, price))
