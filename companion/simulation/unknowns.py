"""One whole game that fits what is known: every unknown thing drawn, none that is known changed (rules 1, 12).

How each is drawn follows 60 games of the greedy bot. *Viziers and elders* that aren't visible are divided among the
players with unknown ones and the bag; few viziers are in the bag, and most elders have been paid. *Cards*: each
merchant that has left the board brought somebody a card, and markets some more; those in no known hand and no known
discards are shared out among unknown hands and unknown discards. *Gold*: around the 50 GC of the start, wider the
longer the game has lasted. *Djinns*: more the longer it has lasted, and the fewer play. *Tracks*: in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from companion.rules.engine.decks import cards_known
from companion.rules.engine.djinns import djinns_in_game
from companion.rules.engine.legality import max_markers
from companion.rules.engine.resuming import off_tracks
from companion.rules.model.board import meeples_on
from companion.rules.model.components import (
    CARD_COUNTS,
    COINS_GC,
    FACE_UP_DJINNS,
    FAKIR,
    GOODS,
    NO_GOODS,
    ROW_LENGTH,
    START_GOLD_GC,
    TOTAL_MEEPLES,
    TRACK_PRICES_GC,
    Colour,
    Tribe,
)
from companion.rules.model.position import HELD, Bid, Player, Position, cards_left
from companion.rules.model.state import GameState, Stage

GOLD_DEVIATION = 22.0
"""How far unknown gold lies from its mean, as a standard deviation in GC, times the share of meeples off the board."""
MIN_OWN_GOLD = 24
"""GC that a mover of unknown gold has at least, so that what is advised can be paid: a bid of 18 and a market."""
DJINN_TRIES = 4
DJINN_PROBABILITY = 1.3
"""A player may have this many unknown djinns, each as likely as the share of meeples off the board, by players, times
this.
"""
CARDS_A_MERCHANT = 1.3
"""Cards that players have got, with those from markets, for each merchant that has left the board."""
DISCARDED_SHARE = 0.25
"""Cards that go to unknown discards, a player, for each that goes to an unknown hand."""
DIVIDED = {Tribe.VIZIER: (2.0, 0.3), Tribe.ELDER: (0.5, 1.0)}
"""How viziers and elders are divided: the weight of a player, and that of the bag for each who plays.

The next one goes to a place as likely as its weight and what it has already are in all (Pólya's urn).
Fitted by maximum likelihood on positions of the greedy bot with slips, of 2 to 4 players.
"""
FAKIR_SHARE = CARD_COUNTS[FAKIR] / sum(CARD_COUNTS.values())

_Item = TypeVar("_Item")
_ORDERS_TRIED = 200


def is_known(state: GameState) -> bool:
    """Whether nothing is unknown but the order of the decks."""
    return not (any(state.hidden) or unknown_parts(state))


def unknown_parts(state: GameState) -> frozenset[str]:
    """What is not known, named as in position files: "row", "turn_order", "black.gold", "black.hidden"."""
    position = state.position
    parts = {name for name in ("row", "djinns", "discards", "bid_order", "turn_order") if _lacks(position, name)}
    for player in position.players:
        parts.update(f"{player.colour}.{name}" for name in HELD if _lacks(player, name))
    for player, hidden in zip(position.players, state.hidden, strict=False):
        if hidden:
            parts.add(f"{player.colour}.hidden")
    return frozenset(parts)


def sample_unknowns(state: GameState, random: Random) -> GameState:
    """The possible game with every unknown thing drawn as likely as any that fits, by `Random.random` alone."""
    position = state.position
    drawn = _with_tracks(state, random)
    in_front = {tribe: iter(_divided(state, tribe, random)) for tribe in (Tribe.VIZIER, Tribe.ELDER)}
    gold = iter(_gold(position, random))
    face_up, djinns = _djinns(state, random)
    cards = _Cards(state, random)
    players = []
    for seat, player in enumerate(position.players):
        goods, fakirs = cards.hand(seat)
        players.append(
            Player(
                player.colour,
                gold=next(gold) if player.gold is None else player.gold,
                viziers=next(in_front[Tribe.VIZIER]) if player.viziers is None else player.viziers,
                elders=next(in_front[Tribe.ELDER]) if player.elders is None else player.elders,
                fakirs=fakirs,
                goods=goods,
                djinns=djinns[player.colour],
            )
        )
    row = cards.row()
    filled = replace(drawn, players=tuple(players), row=row, djinns=face_up, discards=cards.discards())
    return replace(state, position=filled, hidden=(0,) * len(players))


def without_unknown_holdings(position: Position) -> Position:
    """The position in which nobody holds anything but what is known; unknown gold counts as the 50 GC of the start."""
    players = tuple(
        Player(
            player.colour,
            gold=START_GOLD_GC if player.gold is None else player.gold,
            viziers=player.viziers or 0,
            elders=player.elders or 0,
            fakirs=player.fakirs or 0,
            goods=player.goods or NO_GOODS,
            djinns=player.djinns or (),
        )
        for player in position.players
    )
    return replace(position, players=players)


def surely_held(state: GameState) -> GameState:
    """The game without all that isn't known, row and djinns empty: every turn listed can be played."""
    position = without_unknown_holdings(_with_tracks(state, Random(0)))
    sure = replace(position, row=position.row or (), djinns=position.djinns or (), discards=position.discards or ())
    return replace(state, position=sure, hidden=(0,) * len(sure.players))


def _lacks(thing: object, name: str) -> bool:
    return getattr(thing, name) is None


def shuffled(items: Iterable[_Item], random: Random) -> list[_Item]:
    """The items in an order drawn by `Random.random` alone, which is the same in every Python."""
    return [item for _, _, item in sorted((random.random(), place, item) for place, item in enumerate(items))]


# Pieces and coins.


def _out_of_sight(state: GameState, tribe: Tribe) -> int:
    """Meeples of a tribe that aren't visible: neither on the board, in hand, nor known in front."""
    return state.position.bag[tribe] - state.progress.in_hand(state.stage)[tribe]


def _divided(state: GameState, tribe: Tribe, random: Random) -> list[int]:
    """Unseen viziers or elders of the players of unknown ones, by `DIVIDED`."""
    players = state.position.players
    own, bag = DIVIDED[tribe]
    unknown = sum(_lacks(player, "viziers" if tribe is Tribe.VIZIER else "elders") for player in players)
    weights = [own] * unknown + [bag * len(players)]
    held = [0] * len(weights)
    for _ in range(max(0, _out_of_sight(state, tribe)) if unknown else 0):
        place = _weighed([weight + there for weight, there in zip(weights, held, strict=True)], random)
        held[place] += 1
    return held[:-1]


def _gone(position: Position) -> float:
    """The share of all meeples that have left the board, from 0: how long the game has gone on."""
    return 1 - sum(meeples_on(position.board)) / TOTAL_MEEPLES


def _gold(position: Position, random: Random) -> Iterator[int]:
    """Unknown gold, in the order of the players: round the start's less what markers on the track have paid."""
    known = sum(player.gold or 0 for player in position.players)
    unknown = [player.colour for player in position.players if player.gold is None]
    left, deviation = COINS_GC - known, GOLD_DEVIATION * _gone(position)
    for place, colour in enumerate(unknown):
        paid = sum(bid.price for bid in position.turn_order or () if bid.colour is colour)
        # Twelve uniform numbers less six are near enough to a normal one, and the same everywhere.
        wide = deviation * (sum(random.random() for _ in range(12)) - 6)
        least = MIN_OWN_GOLD if colour is position.to_move else 0
        most = left // (len(unknown) - place)
        gold = min(max(round(START_GOLD_GC - paid + wide), least), most)
        left -= gold
        yield gold


def _djinns(state: GameState, random: Random) -> tuple[tuple[str, ...], dict[Colour, tuple[str, ...]]]:
    """Face-up djinns and everybody's."""
    position = state.position
    visible = {*(position.djinns or ()), *state.djinn_discards, *state.progress.drawn}
    for player in position.players:
        visible.update(player.djinns or ())
    unseen = shuffled((name for name in djinns_in_game(promo=state.promo) if name not in visible), random)
    face_up = position.djinns
    if face_up is None:
        face_up = tuple(unseen.pop() for _ in range(min(FACE_UP_DJINNS, len(unseen))))
    probability = DJINN_PROBABILITY * _gone(position) / max(1, len(position.players))
    held = {}
    for player in position.players:
        own = player.djinns
        if own is None:
            number = sum(random.random() < probability for _ in range(DJINN_TRIES))
            own = tuple(unseen.pop() for _ in range(min(number, len(unseen))))
        held[player.colour] = own
    return face_up, held


# Cards.


class _Cards:
    """Resource cards that aren't visible, in the order in which they are dealt to the places that are not known."""

    def __init__(self, state: GameState, random: Random) -> None:
        position = state.position
        self._position = position
        self._hidden = state.hidden or (0,) * len(position.players)
        left = cards_left(position.row, position.discards, position.players)
        self._unseen = shuffled((card for card, count in left.items() for _ in range(max(0, count))), random)
        self._sizes, self._discarded = self._shared_out(state, random)

    def _shared_out(self, state: GameState, random: Random) -> tuple[list[int], int]:
        """How many cards each hand has that are not known, and how many unknown discards there are."""
        position = self._position
        brought = _out_of_sight(state, Tribe.MERCHANT)
        known = len(position.discards or ()) + sum(self._hidden) + sum(map(cards_known, position.players))
        weights = [
            (player.goods is None) * (1 - FAKIR_SHARE) + (player.fakirs is None) * FAKIR_SHARE
            for player in position.players
        ]
        weights.append(DISCARDED_SHARE * len(weights) if position.discards is None else 0.0)
        sizes = [0] * len(weights)
        if any(weights):
            # A part of a card is one as likely as it is large.
            for _ in range(max(0, int(CARDS_A_MERCHANT * brought + random.random()) - known)):
                sizes[_weighed(weights, random)] += 1
        discarded = sizes.pop()
        return [size + hidden for size, hidden in zip(sizes, self._hidden, strict=True)], discarded

    def _deal(self, number: int, fits: Callable[[str], bool] | None = None) -> list[str]:
        dealt = [card for card in self._unseen if fits is None or fits(card)][:number]
        for card in dealt:
            self._unseen.remove(card)
        return dealt

    def hand(self, seat: int) -> tuple[tuple[int, ...], int]:
        """A player's goods and fakirs, known and dealt ones together; to be called once a seat."""
        player = self._position.players[seat]
        hidden = self._hidden[seat]
        dealt = self._deal(hidden)
        more = self._sizes[seat] - hidden
        if player.goods is not None:
            dealt += self._deal(more, lambda card: card == FAKIR)
        elif player.fakirs is not None:
            dealt += self._deal(more, lambda card: card != FAKIR)
        else:
            dealt += self._deal(more)
        goods = tuple(held + dealt.count(good) for good, held in zip(GOODS, player.goods or NO_GOODS, strict=True))
        return goods, (player.fakirs or 0) + dealt.count(FAKIR)

    def row(self) -> tuple[str, ...]:
        """The row, full if it is not known."""
        return tuple(self._deal(ROW_LENGTH)) if self._position.row is None else self._position.row

    def discards(self) -> tuple[str, ...]:
        return tuple(self._deal(self._discarded)) if self._position.discards is None else self._position.discards


def _weighed(weights: Sequence[float], random: Random) -> int:
    """A place drawn by weight."""
    rest = random.random() * sum(weights)
    for place, weight in enumerate(weights):
        rest -= weight
        if rest < 0:
            return place
    return max(place for place, weight in enumerate(weights) if weight)


# Tracks.


def _with_tracks(state: GameState, random: Random) -> Position:
    """The position with both tracks filled: any place in the round for the mover, any order of the others."""
    position, mover = state.position, state.position.to_move
    if mover is None or (position.bid_order is not None and position.turn_order is not None):
        return replace(position, bid_order=position.bid_order or (), turn_order=position.turn_order or ())
    away = off_tracks(position)
    if position.bid_order is None:
        away[mover] -= 1
    others = [colour for colour, number in away.items() for _ in range(max(0, number))]
    if len(position.players) > 2:
        return _drawn_tracks(state, mover, shuffled(others, random), random)
    most = {colour: max_markers(position, colour) for colour in away}
    for _ in range(_ORDERS_TRIED):
        drawn = _drawn_tracks(state, mover, shuffled(others, random), random)
        # No colour has more markers on a track than the box gives it (rules 1.5).
        tracks = (drawn.bid_order or (), [bid.colour for bid in drawn.turn_order or ()])
        if all(number <= most[colour] for track in tracks for colour, number in Counter(track).items()):
            break
    return drawn


def _drawn_tracks(state: GameState, mover: Colour, others: list[Colour], random: Random) -> Position:
    """Tracks with the other markers that lie on neither in this order."""
    position = state.position
    if state.stage is Stage.BID:
        if position.bid_order is not None:
            return replace(position, turn_order=_priced(others, random))
        return replace(position, bid_order=(mover, *others), turn_order=position.turn_order or ())
    if position.bid_order is not None:
        return replace(position, turn_order=_priced(others, random))
    if position.turn_order is not None:
        return replace(position, bid_order=(*others, mover))
    played = int(random.random() * (len(others) + 1))
    return replace(position, bid_order=(*others[:played], mover), turn_order=_priced(others[played:], random))


def _priced(colours: Sequence[Colour], random: Random) -> tuple[Bid, ...]:
    """Markers on the turn order track in this order, on any spots."""
    spots = shuffled(TRACK_PRICES_GC, random)[: len(colours)]
    return tuple(Bid(colour, price) for colour, price in zip(colours, sorted(spots, reverse=True), strict=True))
