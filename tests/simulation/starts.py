"""Where games that are compared begin: set-ups, and positions crowded, sparse, rich, poor and odd."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from companion.rules.engine.djinns import EVERY_DJINN, PROMO_DJINNS, Cost
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import default_colours, new_game
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.components import (
    CARD_COUNTS,
    FAKIR,
    GOODS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TILE_KINDS,
    TRACK_PRICES_GC,
    Colour,
    Tribe,
    camels_in_box,
    markers_each,
)
from companion.rules.model.position import Bid, Phase, Player, Position, count_cards
from companion.rules.model.state import GameState, Stage, Taken

COMPANIES = [
    *([name] for name in EVERY_DJINN),
    ["Echidna", "Kandicha", "Iblis", "Nekir"],
    ["Dhenim", "Kandicha"],
    ["Echidna", "Kandicha"],
    ["Marid", "Nekir"],
    ["Bouraq", "Hagis", "Monkir"],
    ["Enki", "Lamia"],
    ["Anun-Nak", "Leta", "Utug"],
    ["Ba'al", "Sibittis"],
    ["Kandicha", "Sloar"],
]
"""Djinns that lie before the mover together: each alone, and those that meddle with one another."""


def set_up(number: int) -> GameState:
    """A game of 2, 3 or 4 players in turn; each third trio with the promo djinn."""
    return new_game(2 + number % 3, number, promo=number // 3 % 3 == 2)


def odd_position(number: int) -> GameState:
    """A position anywhere in a game: few or many meeples, camels, cards, coins, djinns of all kinds."""
    random = Random(f"odd {number}")
    state = _random_state(random, COMPANIES[number % len(COMPANIES)], _spread(random))
    if number % 7 == 0:
        # Cards that nobody else has seen are in no hand and no more in the deck (rules 12.2).
        unseen = sum(count.unseen for count in count_cards(state.position).values())
        most = min(2, unseen // len(state.position.players))
        state = replace(state, hidden=tuple(random.randint(0, most) for _ in state.position.players))
    return _inside_turn(random, state) if state.stage is Stage.MOVE and random.random() < 0.5 else state


def huge_hand(number: int) -> GameState:
    """A turn about to begin with one heap of up to 24 meeples."""
    random = Random(f"heap {number}")
    size, others = random.randint(6, 24), random.choice((0, 1, 5, 20, 40))
    pieces = _pieces(random, few_tribes=random.random() < 0.7)[: size + others]
    heap = random.randrange(SQUARES)
    standing = [(heap if place < size else random.randrange(SQUARES), tribe) for place, tribe in enumerate(pieces)]
    return _random_state(random, COMPANIES[number % len(COMPANIES)], standing, bidding=0)


def _pieces(random: Random, *, few_tribes: bool) -> list[Tribe]:
    """All meeples of the box in random order, those of two tribes first if they are to be few."""
    pieces = [tribe for tribe in Tribe for _ in range(MEEPLE_COUNTS[tribe])]
    random.shuffle(pieces)
    if few_tribes:
        first = {Tribe.ASSASSIN, random.choice(list(Tribe))}
        pieces.sort(key=lambda tribe: tribe not in first)
    return pieces


def _spread(random: Random) -> list[tuple[int, Tribe]]:
    """Meeples with the squares that they stand on."""
    pieces = _pieces(random, few_tribes=random.random() < 0.4)
    squares = random.sample(range(SQUARES), random.randint(3, SQUARES))
    return [(random.choice(squares), tribe) for tribe in pieces[: random.choice([0, 2, 4, 8, 15, 25, 40, 60, 88])]]


def _random_state(
    random: Random, djinns: Sequence[str], standing: Sequence[tuple[int, Tribe]], *, bidding: float = 0.25
) -> GameState:
    """A game at a bid or at the beginning of a turn, these djinns in front of whoever decides next."""
    count = random.choice([2, 3, 4])
    colours = default_colours(count)
    promo = not PROMO_DJINNS.keys().isdisjoint(djinns) or random.random() < 0.2
    others = [name for name in EVERY_DJINN if name not in djinns and (promo or name not in PROMO_DJINNS)]
    random.shuffle(others)
    markers = list(colours) * markers_each(count)
    random.shuffle(markers)
    done = random.randrange(len(markers))
    bid = random.random() < bidding
    prices = sorted(random.sample(TRACK_PRICES_GC, len(markers)), reverse=True)
    own: dict[Colour, list[str]] = {colour: [] for colour in colours}
    own[markers[done]] += djinns
    for _ in range(random.choice([0, random.randint(0, 12)])):
        own[random.choice(colours)].append(others.pop())
    face_up = [others.pop() for _ in range(min(len(others), random.choice([0, 1, 3, 3])))]
    cards = [card for card, number in CARD_COUNTS.items() for _ in range(number)]
    random.shuffle(cards)
    row = [cards.pop() for _ in range(random.choice([0, 1, 2, 5, 9, 9, 9]))]
    most = len(cards) // count if random.random() < 0.2 else 8
    players = tuple(_player(random, colour, own[colour], cards, most, standing, count) for colour in colours)
    position = Position(
        _board(random, colours, standing),
        players=players,
        row=tuple(row),
        djinns=tuple(face_up),
        to_move=markers[done],
        phase=Phase.BID if bid else Phase.TURN,
        bid_order=tuple(markers[done:] if bid else markers[:done]),
        turn_order=tuple(map(Bid, markers[:done] if bid else markers[done:], prices[: done if bid else None])),
        discards=tuple(cards[: random.choice([0, len(cards) // 2, len(cards) - 1, len(cards)])]),
    )
    away = others[: random.choice([0, 0, len(others)])]
    return start_game(position, promo=promo, djinn_discards=away)


def _player(
    random: Random,
    colour: Colour,
    djinns: Sequence[str],
    cards: list[str],
    most: int,
    standing: Sequence[tuple[int, Tribe]],
    players: int,
) -> Player:
    hand = [cards.pop() for _ in range(min(len(cards), random.choice([most, random.randint(0, most)])))]
    there = [tribe for _, tribe in standing]
    viziers, elders = (
        random.choice([0, 2, random.randint(0, (MEEPLE_COUNTS[tribe] - there.count(tribe)) // players)])
        for tribe in (Tribe.VIZIER, Tribe.ELDER)
    )
    return Player(
        colour,
        gold=random.choice([0, 1, random.randrange(8), random.randrange(70)]),
        viziers=min(viziers, (MEEPLE_COUNTS[Tribe.VIZIER] - there.count(Tribe.VIZIER)) // players),
        elders=min(elders, (MEEPLE_COUNTS[Tribe.ELDER] - there.count(Tribe.ELDER)) // players),
        fakirs=hand.count(FAKIR),
        goods=tuple(map(hand.count, GOODS)),
        djinns=tuple(djinns),
    )


def _board(random: Random, colours: Sequence[Colour], standing: Sequence[tuple[int, Tribe]]) -> Board:
    """Tiles in random order; often a player has one camel or two left, and now and then all palms are on the board."""
    kinds = [kind for kind in TILE_KINDS.values() for _ in range(kind.count)]
    random.shuffle(kinds)
    meeples = [[0] * len(Tribe) for _ in range(SQUARES)]
    for square, tribe in standing:
        meeples[square][tribe] += 1
    free = list(range(SQUARES))
    random.shuffle(free)
    camels: dict[int, Colour] = {}
    for colour in colours:
        box = camels_in_box(colour, len(colours))
        placed = box - random.choice([1, 1, 2, random.randint(1, box)])
        camels |= dict.fromkeys([free.pop() for _ in range(min(placed, SQUARES // len(colours)))], colour)
    palms, palaces = (
        [random.randrange(SQUARES) for _ in range(random.choice([0, random.randint(0, box), box]))]
        for box in (PALMS, PALACES)
    )
    return tuple(
        Tile(kinds[square], tuple(meeples[square]), camels.get(square), palms.count(square), palaces.count(square))
        for square in range(SQUARES)
    )


def _inside_turn(random: Random, state: GameState) -> GameState:
    """The turn after its move: meeples of the bag are in hand, or the tribe action is over as well."""
    tribes = [tribe for tribe in Tribe if state.position.bag[tribe] >= 2]
    if not tribes:
        return state
    tribe = Tribe.ASSASSIN if Tribe.ASSASSIN in tribes and random.random() < 0.5 else random.choice(tribes)
    count = random.randint(2, min(4, state.position.bag[tribe]))
    own = state.player(state.position.to_move or Colour.PINK).djinns or ()
    used = tuple(name for name in own if EVERY_DJINN[name].cost is not Cost.NONE and random.random() < 0.2)
    progress = replace(
        state.progress,
        used=used,
        taken=Taken(random.randrange(SQUARES), tribe, count),
        factor=2 if "Echidna" in used else 1,
    )
    return replace(state, stage=random.choice([Stage.TRIBE, Stage.TRIBE, Stage.TILE]), progress=progress)
