"""Expected points where a position doesn't tell everything that counts (rules 10).

What isn't known is drawn as the search draws it (`sample_unknowns`), `SAMPLES` times. What is known is counted as
`score` counts it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS, score
from companion.rules.model.components import FAKIR, GOODS, NO_GOODS, Colour, Tribe
from companion.rules.model.events import CardsTaken, Event
from companion.rules.model.position import Position, count_cards
from companion.rules.model.state import GameState
from companion.simulation.unknowns import sample_unknowns, shuffled

SAMPLES = 32


class Sample(NamedTuple):
    """What one drawn world adds to what is known: viziers by colour, the mover's goods and fakirs, and the cards to be
    drawn next.
    """

    viziers: dict[Colour, int]
    goods: tuple[int, ...]
    fakirs: int
    draws: list[str]


class Expectation:
    """The mover's expected points where a turn begins and after what happens in it; `rivals` says of each whether their
    viziers are known. Positions have nothing for what isn't known.
    """

    def __init__(self, state: GameState) -> None:
        position, mover = state.position, state.mover
        assert mover is not None, "somebody is to move"
        self.mover = mover
        none_hidden = position.bag[Tribe.VIZIER] <= 0
        self.rivals = {
            player.colour: none_hidden or player.viziers is not None
            for player in position.players
            if player.colour is not mover
        }
        self.own_viziers_known = none_hidden or position.player(mover).viziers is not None
        self.own_hand_known = position.player(mover).goods is not None
        self._state = state

    @cached_property
    def _samples(self) -> list[Sample]:
        return [self._sample(Random(f"expected {number}")) for number in range(SAMPLES)]

    def _sample(self, random: Random) -> Sample:
        known, drawn = self._state.position, sample_unknowns(self._state, random).position
        viziers = {
            player.colour: (player.viziers or 0) - (known.player(player.colour).viziers or 0)
            for player in drawn.players
        }
        mine, was = drawn.player(self.mover), known.player(self.mover)
        goods, fakirs = NO_GOODS, 0
        if not self.own_hand_known:
            goods, fakirs = mine.goods or NO_GOODS, (mine.fakirs or 0) - (was.fakirs or 0)
        deck = [card for card, count in count_cards(drawn).items() for _ in range(count.unseen)]
        return Sample(viziers, goods, fakirs, shuffled(deck, random))

    @cached_property
    def exact(self) -> bool:
        """Whether everything is known that the points depend on, except cards yet to be drawn."""
        return self.own_viziers_known and self.own_hand_known and all(self.rivals.values())

    def certain(self, position: Position) -> int:
        """The mover's points that are sure, in VP: none for an opponent who may not be behind."""
        points = score(position)[self.mover].total
        if self.exact:
            return points
        return points + VP_FOR_FEWER_VIZIERS * (self.behind(position) - self._counted(position))

    def behind(self, position: Position) -> int:
        """How many opponents surely have fewer viziers than the mover (rules 10.2)."""
        if not self.own_viziers_known:
            return 0
        own = position.player(self.mover).viziers or 0
        return sum(known and (position.player(rival).viziers or 0) < own for rival, known in self.rivals.items())

    def chance_ahead(self, rival: Colour, position: Position) -> float:
        """The probability that a rival has fewer viziers than the mover (rules 10.2)."""
        own, theirs = (position.player(colour).viziers or 0 for colour in (self.mover, rival))
        if self.own_viziers_known and self.rivals[rival]:
            return theirs < own
        ahead = (theirs + sample.viziers[rival] < own + sample.viziers[self.mover] for sample in self._samples)
        return sum(ahead) / SAMPLES

    def goods_points(self, position: Position, unknown_cards: int = 0) -> float:
        """What unknown cards in the mover's hand add to those known, in expected VP; some were drawn just now."""
        if self.own_hand_known and not unknown_cards:
            return 0.0
        player = position.player(self.mover)
        goods, fakirs = player.goods or NO_GOODS, player.fakirs or 0
        total = 0
        for sample in self._samples:
            draws = sample.draws[:unknown_cards]
            held = tuple(
                own + more + draws.count(name) for own, more, name in zip(goods, sample.goods, GOODS, strict=True)
            )
            richer = replace(player, goods=held, fakirs=fakirs + sample.fakirs + draws.count(FAKIR))
            total += score(position.with_player(richer))[self.mover].goods
        return total / SAMPLES - score(position)[self.mover].goods

    def _counted(self, position: Position) -> int:
        """Opponents that `score` gives points for; it counts unknown viziers as none."""
        own = position.player(self.mover).viziers or 0
        return sum((position.player(rival).viziers or 0) < own for rival in self.rivals)


expectation_of = lru_cache(maxsize=4)(Expectation)
"""The expectation for a state; several turns from one state share its samples."""


def unknown_cards(events: Iterable[Event]) -> int:
    """How many cards that nobody knows were taken."""
    return sum(event.cards.count(None) for event in events if isinstance(event, CardsTaken))
