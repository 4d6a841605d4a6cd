"""Boards at random, as full as at the start, in the middle and at the end of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.components import (
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TILE_KINDS,
    Colour,
    TileAction,
    TileKind,
    Tribe,
    camels_in_box,
)

FILLINGS = ("start", "mid", "end")
CROWDED = "crowded"
BARE = "bare"
MEEPLES_A_TILE = 3

Company: TypeAlias = "Mapping[TileAction, tuple[Tribe, ...]]"
"""Which tribes stand among palms and palaces, by the action of the tile."""
MAX_ON_A_TILE = 10


def shuffled_kinds(rng: np.random.Generator) -> list[TileKind]:
    """The thirty tiles of the box in random order (rules 2.3)."""
    kinds = [kind for kind in TILE_KINDS.values() for _ in range(kind.count)]
    return [kinds[i] for i in rng.permutation(len(kinds))]


def _drawn_meeples(rng: np.random.Generator) -> list[Tribe]:
    """All meeples of the box in random order (rules 1.2)."""
    bag = [tribe for tribe in Tribe for _ in range(MEEPLE_COUNTS[tribe])]
    return [bag[i] for i in rng.permutation(len(bag))]


def _counts(tribes: list[Tribe]) -> tuple[int, ...]:
    return tuple(tribes.count(tribe) for tribe in Tribe)


def start_board(rng: np.random.Generator) -> Board:
    """A set-up: three random meeples on each tile (rules 2.3, 2.4)."""
    bag = _drawn_meeples(rng)
    return tuple(
        Tile(kind, _counts(bag[MEEPLES_A_TILE * i : MEEPLES_A_TILE * (i + 1)]))
        for i, kind in enumerate(shuffled_kinds(rng))
    )


def _spread(total: int, rng: np.random.Generator) -> list[int]:
    """`total` meeples spread unevenly over the board, some tiles empty, none above the most."""
    weights = rng.gamma(0.9, 1.0, SQUARES) * (rng.random(SQUARES) < 0.75)
    weights = weights if weights.any() else np.ones(SQUARES)
    counts = [0] * SQUARES
    for square in rng.choice(SQUARES, total, p=weights / weights.sum()):
        if counts[square] < MAX_ON_A_TILE:
            counts[square] += 1
    return counts


def _owners(claimed: int, rng: np.random.Generator) -> list[Colour | None]:
    """Who owns which square when that many are claimed, within the camels of a game of 2 to 4 (rules 1.5)."""
    players = int(rng.integers(2, 5))
    everyone = list(Colour)
    colours = (
        [Colour.BLUE, Colour.PINK] if players == 2 else [everyone[i] for i in rng.permutation(len(Colour))[:players]]
    )
    camels = [colour for colour in colours for _ in range(camels_in_box(colour, players))]
    chosen = [camels[i] for i in rng.permutation(len(camels))[:claimed]]
    owners: list[Colour | None] = [None] * SQUARES
    for square, colour in zip(rng.permutation(SQUARES)[: len(chosen)], chosen, strict=True):
        owners[square] = colour
    return owners


def _buildings(kinds: list[TileKind], action: TileAction, total: int, rng: np.random.Generator) -> list[int]:
    """`total` palms or palaces on the tiles of that action, now and then several on one (rules 6.1, 6.2)."""
    places = [square for square, kind in enumerate(kinds) if kind.action is action]
    counts = [0] * SQUARES
    for square in rng.choice(places, total):
        counts[square] += 1
    return counts


def played_board(rng: np.random.Generator, *, meeples: int, claimed: int, buildings: float) -> Board:
    """A board after some turns: that many meeples and owned tiles, and that share of the palms and palaces."""
    kinds = shuffled_kinds(rng)
    counts = _spread(meeples, rng)
    owners = _owners(claimed, rng)
    palms = _buildings(kinds, TileAction.OASIS, int(rng.binomial(PALMS, buildings)), rng)
    palaces = _buildings(kinds, TileAction.VILLAGE, int(rng.binomial(PALACES, buildings)), rng)
    bag = _drawn_meeples(rng)
    tiles = []
    for square, kind in enumerate(kinds):
        # A claimed tile was emptied; only some have been sown on since.
        number = counts[square] if owners[square] is None or rng.random() < 0.4 else 0
        here, bag = bag[:number], bag[number:]
        tiles.append(Tile(kind, _counts(here), owners[square], palms[square], palaces[square]))
    return tuple(tiles)


def _gathered(total: int, tiles: int, rng: np.random.Generator) -> list[int]:
    """`total` meeples on some tiles in crowds, some few elsewhere."""
    counts = [0] * SQUARES
    crowds = rng.permutation(SQUARES)[:tiles]
    for square in np.concatenate([rng.choice(crowds, round(0.85 * total)), rng.integers(0, SQUARES, total // 7)]):
        if counts[square] < MAX_ON_A_TILE:
            counts[square] += 1
    return counts


def _clannish(bag: list[Tribe], alike: float, rng: np.random.Generator) -> list[Tribe]:
    """The bag with runs of one colour in it: each meeple is of its forerunner's colour with that chance, if any is."""
    left, ordered = list(bag), [bag[0]]
    left.pop(0)
    while left:
        same = rng.random() < alike and ordered[-1] in left
        ordered.append(left.pop(left.index(ordered[-1]) if same else 0))
    return ordered


def crowded_board(rng: np.random.Generator) -> Board:
    """A board with what is hard to count: crowds of a colour or two, heaps of palms and palaces."""
    kinds = shuffled_kinds(rng)
    counts = _gathered(int(rng.integers(30, 88)), int(rng.integers(5, 14)), rng)
    owners = _owners(int(rng.integers(0, 22)), rng)
    palms = _heaped(kinds, TileAction.OASIS, int(rng.integers(4, PALMS + 1)), rng)
    palaces = _heaped(kinds, TileAction.VILLAGE, int(rng.integers(4, PALACES + 1)), rng)
    bag = _clannish(_drawn_meeples(rng), float(rng.uniform(0, 0.75)), rng)
    tiles = []
    for square, kind in enumerate(kinds):
        # Who claims a tile has emptied it; some have been sown on since.
        number = counts[square] if owners[square] is None or rng.random() < 0.5 else 0
        number = min(number, max(MAX_ON_A_TILE + 2 - palms[square] - palaces[square], 2))
        here, bag = bag[:number], bag[number:]
        tiles.append(Tile(kind, _counts(here), owners[square], palms[square], palaces[square]))
    return tuple(tiles)


def _heaped(kinds: list[TileKind], action: TileAction, total: int, rng: np.random.Generator) -> list[int]:
    """`total` palms or palaces, two to four of them on a tile that has any, as far as there is room."""
    places = [square for square, kind in enumerate(kinds) if kind.action is action]
    places = [places[i] for i in rng.permutation(len(places))]
    counts = [0] * SQUARES
    while total > 0:
        for square in places:
            more = min(int(rng.integers(1, 5)), total, 4 - counts[square])
            counts[square] += more
            total -= more
    return counts


GREEN_PALMS: Company = {TileAction.OASIS: (Tribe.MERCHANT,), TileAction.VILLAGE: (Tribe.ELDER, Tribe.VIZIER)}
"""The tribes that palms of the merchants' green and palaces of pale or golden paint are taken for."""

SAND_PALMS: Company = {TileAction.OASIS: (Tribe.ELDER, Tribe.VIZIER), TileAction.VILLAGE: (Tribe.VIZIER, Tribe.ELDER)}
"""The tribes that the game's own palms of bare wood and golden palaces are taken for."""


def confusing_board(board: Board, rng: np.random.Generator, wanted: Company = GREEN_PALMS) -> Board:
    """The board with its meeples exchanged, until those of the wanted tribes stand among palms and among palaces."""
    slots = [
        (square, tribe) for square, tile in enumerate(board) for tribe in Tribe for _ in range(tile.meeples[tribe])
    ]
    tribes = [tribe for _, tribe in slots]
    for number, (square, _) in enumerate(slots):
        tile = board[square]
        if not tile.palms + tile.palaces or tile.kind.action not in wanted or rng.random() < 0.3:
            continue
        good = wanted[tile.kind.action]
        if tribes[number] in good:
            continue
        elsewhere = [
            k
            for k, (other, _) in enumerate(slots)
            if tribes[k] in good and board[other].kind.action is not tile.kind.action
        ]
        if elsewhere:
            swap = elsewhere[int(rng.integers(len(elsewhere)))]
            tribes[number], tribes[swap] = tribes[swap], tribes[number]
    counts = [[0] * len(Tribe) for _ in board]
    for (square, _), tribe in zip(slots, tribes, strict=True):
        counts[square][tribe] += 1
    return tuple(replace(tile, meeples=tuple(counts[square])) for square, tile in enumerate(board))


def random_board(filling: str, rng: np.random.Generator) -> Board:
    """A board as full as at the "start", "mid" or "end" of a game; "crowded" or "bare" ones are to train on."""
    if filling == BARE:
        return tuple(Tile(kind) for kind in shuffled_kinds(rng))
    if filling == CROWDED:
        return crowded_board(rng)
    if filling == "start":
        return start_board(rng)
    if filling == "mid":
        return played_board(
            rng,
            meeples=int(rng.integers(30, 82)),
            claimed=int(rng.integers(0, 15)),
            buildings=float(rng.uniform(0.05, 0.5)),
        )
    return played_board(
        rng, meeples=int(rng.integers(4, 40)), claimed=int(rng.integers(13, 29)), buildings=float(rng.uniform(0.3, 0.8))
    )
