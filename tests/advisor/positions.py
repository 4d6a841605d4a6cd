"""Random small positions with everything in play."""

from __future__ import annotations

from random import Random

from companion.rules.engine.djinns import DJINNS
from companion.rules.model.board import Tile
from companion.rules.model.components import CARD_COUNTS, FAKIR, GOODS, MEEPLE_COUNTS, TILE_KINDS, Colour, Tribe
from companion.rules.model.position import Phase, Player, Position

TABLES = ((Colour.BLUE, Colour.PINK), tuple(Colour)[:3], tuple(Colour), (Colour.BLACK,))
AT_WORK = ("Kandicha", "Marid", "Nekir", "Ba'al", "Monkir", "Boaz", "Haurvatat", "Al-Amin", "Jafaar", "Shamhat")
"""Djinns that bear on what a turn gains; they are dealt more often than others."""


def random_position(seed: int) -> Position:
    """A position with a sparse board, hands of up to four, one to four players, and all sorts of holdings.

    Camels may be more than a box holds, so that players run out of them now and then.
    """
    random = Random(seed)
    colours = random.choice(TABLES)
    cards = [card for card, count in CARD_COUNTS.items() for _ in range(count)]
    djinns = [name for name in DJINNS if name not in AT_WORK]
    at_work = list(AT_WORK)
    for things in (cards, djinns, at_work):
        random.shuffle(things)
    players = []
    for colour in colours:
        hand = [cards.pop() for _ in range(random.choice((0, 2, 5)))]
        own = [things.pop() for things in (djinns, at_work, at_work) if random.random() < 0.5]
        players.append(
            Player(
                colour,
                gold=random.choice((0, 2, 3, 6, 20)),
                viziers=random.randint(0, 3),
                elders=random.randint(0, 2),
                fakirs=hand.count(FAKIR),
                goods=tuple(hand.count(name) for name in GOODS),
                djinns=tuple(own),
            )
        )
    row = tuple(cards.pop() for _ in range(random.choice((0, 1, 4, 9))))
    face_up = tuple([*at_work[:2], *djinns[:1]])
    return Position(
        board=_board(random, colours),
        players=tuple(players),
        row=random.choice((row, row, row, None)),
        djinns=random.choice((face_up, face_up, None)),
        to_move=random.choice(colours),
        phase=Phase.TURN,
    )


def _board(random: Random, colours: tuple[Colour, ...]) -> tuple[Tile, ...]:
    kinds = [kind for kind in TILE_KINDS.values() for _ in range(kind.count)]
    bag = [tribe for tribe in Tribe for _ in range(MEEPLE_COUNTS[tribe])]
    random.shuffle(kinds)
    random.shuffle(bag)
    crowd, owned = random.choice((0.15, 0.3)), random.choice((0.1, 0.3, 0.9))
    sizes = (1, 1, 1, 2, 2, 3, 4)
    tiles = []
    for kind in kinds:
        standing = [bag.pop() for _ in range(random.choice(sizes))] if random.random() < crowd else []
        tiles.append(
            Tile(
                kind,
                tuple(standing.count(tribe) for tribe in Tribe),
                random.choice(colours) if random.random() < owned * (0.3 if standing else 1) else None,
                palms=random.choice((0, 0, 0, 1, 2)) if kind.code == "O8" else 0,
                palaces=random.choice((0, 0, 1)) if kind.code == "V5" else 0,
            )
        )
    return tuple(tiles)
