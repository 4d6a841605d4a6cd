"""Photos of one table, decoded and read together; what was said of them before is taken over."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from companion.language.phrase import say_many
from companion.opening.source import Inputs, Source, read_source
from companion.rules.model.board import Board
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.vision.board.decision import all_decided_anew
from companion.vision.board.reading import Reading, TileReading
from companion.vision.board.rectify import rectify
from companion.vision.board.tiles import crop_tile
from companion.vision.load import decode_photo
from companion.vision.reading.cards import add_cards, read_hands
from companion.vision.reading.coins import add_coins, read_coins
from companion.vision.reading.examples import PICTURE_PX, examples_folder, has_examples, picture_key, recall
from companion.vision.reading.own_set import load_own_set
from companion.vision.reading.pipeline import Tell, read_table
from companion.vision.reading.table import Shot, TableReading

if TYPE_CHECKING:
    from companion.vision.load import Picture


@dataclass(frozen=True, slots=True)
class Photos:
    """The photos that a table was read from: of the table, and of the cards and coins that players have laid out."""

    shots: tuple[Shot, ...]
    goods: Mapping[Colour, Shot]
    coins: Mapping[Colour, Shot]

    @property
    def keys(self) -> tuple[str, ...]:
        """What tells these pictures from any others, whatever their files are called."""
        named = [("table", shot) for shot in self.shots]
        named += [(f"goods {colour}", shot) for colour, shot in sorted(self.goods.items())]
        named += [(f"coins {colour}", shot) for colour, shot in sorted(self.coins.items())]
        return tuple(f"{name} {picture_key(shot.picture)}" for name, shot in named)

    def board_photo(self, table: TableReading) -> Picture:
        """The photo that shows the board as it was read, or the first where a code told all."""
        return self.shots[next(iter(table.views), 0)].picture


def read_photos(
    inputs: Inputs, known: Position | None = None, *, own_set: bool, tell: Tell, board: Board | None = None
) -> tuple[TableReading, Photos]:
    """Photos of one table read together; or what players have laid out in photos put into a position that is `known`.

    `board` is that of the game which the photos are of, if they are of one in progress. With `own_set`, photos are
    read by what was learnt of the own pieces, and tiles are what the user said of these very pictures before. Raises
    PhotoError for a photo that cannot be decoded or read, and what `read_table` raises.
    """
    shots = [Shot(photo.name, decode_photo(photo.data, photo.name), photo.titled) for photo in inputs.photos]
    goods = {
        colour: Shot(photo.name, decode_photo(photo.data, photo.name)) for colour, photo in (inputs.goods or {}).items()
    }
    coins = {
        colour: Shot(photo.name, decode_photo(photo.data, photo.name)) for colour, photo in (inputs.coins or {}).items()
    }
    if known is not None:
        tiles = tuple(TileReading(tile, confidence=1.0) for tile in known.board)
        table = add_cards(TableReading(Reading(known, tiles, turned=0)), (), read_hands(goods, tell))
    else:
        table = read_table(shots, goods, load_own_set(os.environ) if own_set else None, tell, board)
    table = add_coins(table, read_coins(coins, tell))
    if own_set and table.views and has_examples(examples_folder()):
        table = _as_told_before(table, shots)
    return table, Photos(tuple(shots), goods, coins)


def _as_told_before(table: TableReading, shots: Sequence[Shot]) -> TableReading:
    """The reading with the tiles, doubtful ones or not, that the user has told of these very pictures."""
    number, homography = next(iter(table.views.items()))
    board = rectify(shots[number].picture, np.array(homography))
    told = {}
    for square, seen in enumerate(table.reading.tiles):
        tile = recall(examples_folder(), crop_tile(board, square, PICTURE_PX))
        if tile is not None and (tile != seen.tile or seen.is_doubtful):
            told[square] = tile
    if not told:
        return table
    reading = all_decided_anew(table.reading, told)
    before = say_many(
        "{count} tile is as you told of this photo before.",
        "{count} tiles are as you told of this photo before.",
        len(told),
    )
    return replace(table, reading=replace(reading, notes=(*reading.notes, before)))


def open_photo(source: Source) -> Picture:
    """One photo decoded: (H, W, 3), 8 bits a channel, BGR, upright.

    Raises UnusableInputError or PhotoError if it cannot be.
    """
    content = read_source(source)
    return decode_photo(content.data, content.name)
