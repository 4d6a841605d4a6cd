"""Points as they are to be expected where a position does not tell everything that counts (rules 10).

Two things are reckoned with. *Viziers*: those seen nowhere lie in front of players of whom nobody knows how many
they have, or in the bag; every division of them among these places is as likely. *Cards*: each that nobody knows is as
likely to be any of those seen nowhere, and a hand that is not known has its share of the cards that merchants
brought, one for each that has left the board. Whatever is known is counted as `player_points` counts it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from math import comb
from random import Random
from typing import NamedTuple

from companion.rules.engine.djinns import EVERY_DJINN, Worth
from companion.rules.engine.scoring import VP_FOR_FEWER_VIZIERS, player_points
from companion.rules.model.board import meeples_on
from companion.rules.model.components import FAKIR, GOODS, MEEPLE_COUNTS, NO_GOODS, Colour, Tribe, best_goods_value
from companion.rules.model.events import CardsTaken, Event
from companion.rules.model.position import Position, count_cards

HAND_SAMPLES = 32
"""Hands and draws that an expectation over cards is averaged over; their standard error is some 0.3 VP."""

_SEED = 0


class HandSample(NamedTuple):
    """A hand that a player may hold, by good, with its fakirs, and cards that may be drawn next, in order."""

    goods: tuple[int, ...]
    fakirs: int
    draws: tuple[str, ...]


class Rival(NamedTuple):
    """An opponent as far as viziers go: `colour` is None for one who must be there but is not known (rules 2.1)."""

    colour: Colour | None
    known: bool


class Expectation:
    """What the mover's points are to be expected to be, in a position and after turns in it.

    `rivals` are the opponents whose viziers are compared with the mover's; `own_known` says whether the mover's
    are known, `unseen_viziers` how many are seen nowhere; `hand_size` is how many cards a hand is taken to hold
    that is not known, 0 for one that is.
    """

    def __init__(self, position: Position, mover: Colour) -> None:
        self.mover = mover
        self.unseen_viziers = max(0, unseen(position, Tribe.VIZIER))
        none_hidden = self.unseen_viziers == 0
        opponents = [colour for colour in position.colours if colour is not mover]
        self.rivals = tuple(
            Rival(colour, none_hidden or position.player(colour).viziers is not None) for colour in opponents
        ) or (Rival(None, none_hidden),)
        self.own_known = none_hidden or position.player(mover).viziers is not None
        self.places = 1 + (not self.own_known) + sum(not rival.known for rival in self.rivals)
        self.hand_size = 0 if position.player(mover).goods is not None else _expected_hand(position)
        self._position = position
        self._goods_known: dict[tuple[tuple[int, ...], int, Worth, int], float] = {}

    @cached_property
    def _samples(self) -> tuple[HandSample, ...]:
        return tuple(_samples(self._position, self.hand_size))

    @cached_property
    def exact(self) -> bool:
        """Whether everything is known that the points depend on, save cards yet to be drawn."""
        return self.own_known and not self.hand_size and all(rival.known for rival in self.rivals)

    def certain(self, position: Position) -> int:
        """The mover's points as far as they are sure, in VP: nothing for an opponent who may not be behind."""
        points = player_points(position, self.mover)
        if self.exact and self.rivals[0].colour is not None:
            return points
        return points + VP_FOR_FEWER_VIZIERS * (self.behind(position) - self._counted(position))

    def behind(self, position: Position) -> int:
        """Opponents who surely have fewer viziers than the mover (rules 10.2)."""
        return sum(self._is_behind(rival, position) for rival in self.rivals) if self.own_known else 0

    def points(self, position: Position, unknown_cards: int = 0) -> float:
        """The mover's expected points in VP, with so many cards in hand that he drew and nobody knows."""
        if self.exact and not unknown_cards:
            return float(self.certain(position))
        ahead = sum(self.chance_ahead(rival, position) for rival in self.rivals)
        known = player_points(position, self.mover) - VP_FOR_FEWER_VIZIERS * self._counted(position)
        return known + VP_FOR_FEWER_VIZIERS * ahead + self.goods_points(position, unknown_cards)

    def chance_ahead(self, rival: Rival, position: Position) -> float:
        """How likely it is that a rival has strictly fewer viziers than the mover (rules 10.2)."""
        own = position.player(self.mover).viziers or 0
        if self.own_known:
            return self._is_behind(rival, position) if rival.known else fewer(self.unseen_viziers, self.places, own)
        if rival.known:
            # He is behind unless the mover has no more than him: fewer hidden ones than the difference and one.
            return 1 - fewer(self.unseen_viziers, self.places, self._viziers(rival, position) - own + 1)
        return fewer_than_another(self.unseen_viziers, self.places, own)

    def goods_points(self, position: Position, unknown_cards: int = 0) -> float:
        """What cards in the mover's hand that are not known add to those that are, in expected VP."""
        if not self.hand_size and not unknown_cards:
            return 0.0
        player = position.player(self.mover)
        worth = worth_of(player.djinns or ())
        key = (player.goods or NO_GOODS, player.fakirs or 0, worth, unknown_cards)
        if key not in self._goods_known:
            self._goods_known[key] = self._sampled_goods(*key)
        return self._goods_known[key]

    def _sampled_goods(self, goods: tuple[int, ...], fakirs: int, worth: Worth, drawn: int) -> float:
        def value(held: tuple[int, ...], fakirs: int) -> int:
            return best_goods_value(held, fakirs // worth.fakirs_per_good if worth.fakirs_per_good else 0)

        total = 0
        for sample in self._samples:
            draws = sample.draws[:drawn]
            held = tuple(
                own + more + draws.count(name) for own, more, name in zip(goods, sample.goods, GOODS, strict=True)
            )
            total += value(held, fakirs + sample.fakirs + draws.count(FAKIR))
        return total / len(self._samples) - value(goods, fakirs)

    def _viziers(self, rival: Rival, position: Position) -> int:
        return 0 if rival.colour is None else position.player(rival.colour).viziers or 0

    def _is_behind(self, rival: Rival, position: Position) -> bool:
        """Whether a rival surely has fewer viziers than the mover."""
        return rival.known and self._viziers(rival, position) < (position.player(self.mover).viziers or 0)

    def _counted(self, position: Position) -> int:
        """Opponents for whom `player_points` gives points, which takes what is not known as none."""
        own = position.player(self.mover).viziers or 0
        return sum(
            (position.player(colour).viziers or 0) < own for colour in position.colours if colour is not self.mover
        )


def unseen(position: Position, tribe: Tribe) -> int:
    """Viziers or elders that neither stand on the board nor are known to be in front of anybody (rules 1.2, 5.1)."""
    field = "viziers" if tribe is Tribe.VIZIER else "elders"
    in_front = sum(getattr(player, field) or 0 for player in position.players)
    return MEEPLE_COUNTS[tribe] - meeples_on(position.board)[tribe] - in_front


def unknown_cards(events: Iterable[Event]) -> int:
    """How many cards that nobody knows are taken in what happened."""
    return sum(event.cards.count(None) for event in events if isinstance(event, CardsTaken))


def worth_of(djinns: tuple[str, ...]) -> Worth:
    """What things are worth to the owner of these djinns (rules 10, 11)."""
    worth = Worth()
    for name in djinns:
        revalue = EVERY_DJINN[name].revalue
        worth = worth if revalue is None else revalue(worth)
    return worth


def divisions(things: int, places: int) -> int:
    """In how many ways so many like things can lie in so many places."""
    return comb(things + places - 1, places - 1) if places else int(not things)


@cache
def fewer(things: int, places: int, bound: int) -> float:
    """How likely fewer than `bound` of the things lie in one of the places, every division of them as likely."""
    elsewhere = (divisions(things - here, places - 1) for here in range(min(bound, things + 1)))
    return sum(elsewhere) / divisions(things, places)


@cache
def fewer_than_another(things: int, places: int, more: int) -> float:
    """How likely one place has fewer things than another has with `more` on top, every division as likely."""
    return sum(
        divisions(things - other, places - 1)
        / divisions(things, places)
        * fewer(things - other, places - 1, other + more)
        for other in range(things + 1)
    )


def _expected_hand(position: Position) -> int:
    """How many cards a hand has that is not known: each merchant that has left the board brought somebody one."""
    brought = MEEPLE_COUNTS[Tribe.MERCHANT] - meeples_on(position.board)[Tribe.MERCHANT]
    return round(brought / max(2, len(position.colours)))


def _samples(position: Position, hand_size: int) -> Iterator[HandSample]:
    """Hands and draws from the cards that are seen nowhere, always the same for a position."""
    unseen_cards = [name for name, count in count_cards(position).items() for _ in range(max(0, count.unseen))]
    random = Random(_SEED)
    for _ in range(HAND_SAMPLES):
        random.shuffle(unseen_cards)
        hand, draws = unseen_cards[:hand_size], unseen_cards[hand_size:]
        fakirs = hand.count(FAKIR)
        yield HandSample(tuple(hand.count(name) for name in GOODS), fakirs, tuple(draws))
