"""Photos of one table, decoded and read together."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.opening.source import WANTED_PHOTO, Inputs, Source, read_source
from companion.progress import TellStep
from companion.rules.model.board import Board
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.vision.board.owner_tiles import own_tiles
from companion.vision.board.reading import Reading, TileReading
from companion.vision.load import decode_photo
from companion.vision.networks import load_network
from companion.vision.reading.cards import add_cards, read_hands
from companion.vision.reading.pipeline import read_table
from companion.vision.reading.table import Shot, TableReading

if TYPE_CHECKING:
    from companion.vision.load import Picture


@dataclass(frozen=True, slots=True)
class Photos:
    """The photos that a table was read from: of the table, and of the cards that players have laid out."""

    shots: tuple[Shot, ...]
    goods: Mapping[Colour, Shot]

    @property
    def keys(self) -> tuple[str, ...]:
        """What identifies these pictures, whatever their files are called."""
        import hashlib

        named = [("table", shot) for shot in self.shots]
        named += [(f"goods {colour}", shot) for colour, shot in sorted(self.goods.items())]
        return tuple(f"{name} {hashlib.sha256(shot.picture.tobytes()).hexdigest()[:16]}" for name, shot in named)

    def board_photo(self, table: TableReading) -> Picture:
        """The photo that shows the board as it was read, or the first if a code gave it."""
        return self.shots[next(iter(table.views), 0)].picture


def read_photos(
    inputs: Inputs, known: Position | None = None, *, own_set: bool, tell: TellStep, board: Board | None = None
) -> tuple[TableReading, Photos]:
    """Photos of one table read together; or photos of players' cards added to a position that is `known`.

    `board` is the board of the game in progress. With `own_set`, tiles are recognised by the user's own, if learnt.
    Raises PhotoError for a photo that can't be decoded, and what `read_table` raises.
    """
    # The networks' engine and the largest of them take 0.3 s to load, as long as a photo takes to decode.
    beside = ThreadPoolExecutor(1)
    beside.submit(load_network, "pieces")
    beside.shutdown(wait=False)
    shots = [Shot(photo.name, decode_photo(photo.data, photo.name), photo.titled) for photo in inputs.photos]
    goods = {
        colour: Shot(photo.name, decode_photo(photo.data, photo.name)) for colour, photo in (inputs.goods or {}).items()
    }
    if known is not None:
        tiles = tuple(TileReading(tile, confidence=1.0) for tile in known.board)
        table = add_cards(TableReading(Reading(known, tiles, turned=0)), (), read_hands(goods, tell))
    else:
        table = read_table(shots, goods, own_tiles(os.environ) if own_set else None, tell, board)
    return table, Photos(tuple(shots), goods)


def open_photo(source: Source) -> Picture:
    """One photo decoded: (H, W, 3), 8 bits a channel, BGR, upright. Raises UnusableInputError if it can't be."""
    content = read_source(source, WANTED_PHOTO)
    return decode_photo(content.data, content.name)
