"""Photos of one table: all of them opened first, then read together; what was told of them before is taken over."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from companion.errors import UsageError
from companion.opening.source import Content
from companion.rules.model.components import Colour
from companion.vision.colour.paints import own_paints
from companion.vision.load import decode_photo
from companion.vision.reading.crops import tile_pictures
from companion.vision.reading.examples import examples_folder, recall
from companion.vision.reading.table import Shot, TableReading, read_table

if TYPE_CHECKING:
    from companion.vision.load import Picture

Say = Callable[[str], None]
"""Told what is being done, in a few words, for a line of progress."""


@dataclass(frozen=True, slots=True)
class Photos:
    """The photos that a table was read from: of the table, and of what players have laid out."""

    shots: tuple[Shot, ...]
    goods: Mapping[Colour, Shot]

    def board_pictures(self, table: TableReading) -> dict[int, tuple[Picture, Picture]]:
        """For each doubtful square the picture to keep and the one to look at, both from straight above."""
        views = [(self.shots[number].picture, np.array(homography)) for number, homography in table.views.items()]
        return tile_pictures(views, table.reading.doubtful) if views else {}

    def board_photo(self, table: TableReading) -> Picture:
        """The photo that shows the board as it was read, or the first where a code told all."""
        return self.shots[next(iter(table.views), 0)].picture


def read_photos(
    contents: Sequence[Content],
    goods: Mapping[Colour, Content],
    cards: Content | None,
    *,
    own_set: bool,
    say: Say,
) -> tuple[TableReading, Photos]:
    """Photos of one table read together; `cards` is the one in which djinns' titles are to be read.

    With `own_set`, paints that were calibrated or learnt are used, and tiles are what the user said of these very
    pictures before. Raises PhotoError for a photo that cannot be decoded or read, UsageError if two are the same,
    and what `read_table` raises.
    """
    given = [*contents, *([cards] if cards is not None and cards not in contents else [])]
    shots = tuple(_decoded(content, titled=content is cards) for content in given)
    held = {colour: _decoded(content) for colour, content in goods.items()}
    _check_distinct([*shots, *held.values()])
    table = read_table(shots, held, own_paints(os.environ) if own_set else None, say)
    photos = Photos(shots, held)
    return (_with_recalled(table, photos) if own_set else table), photos


def open_photo(content: Content) -> Picture:
    """One photo decoded. Raises PhotoError if it cannot be."""
    return decode_photo(content.data, content.name)


def _decoded(content: Content, *, titled: bool = False) -> Shot:
    return Shot(content.name, open_photo(content), titled)


def _check_distinct(shots: Iterable[Shot]) -> None:
    """A copy under another name would count as a second witness."""
    seen: list[Shot] = []
    for shot in shots:
        for other in seen:
            if np.array_equal(other.picture, shot.picture):
                raise UsageError(f"{other.name} and {shot.name} are the same photo; give each photo once")
        seen.append(shot)


def _with_recalled(table: TableReading, photos: Photos) -> TableReading:
    """The reading with what was told of these very pictures before."""
    if not table.reading.doubtful:
        return table
    reading, recalled = table.reading, 0
    for square, (kept, _) in photos.board_pictures(table).items():
        tile = recall(examples_folder(), kept)
        if tile is not None:
            reading = reading.told(square, tile)
            recalled += 1
    if not recalled:
        return table
    before = f"{recalled} {'tile is' if recalled == 1 else 'tiles are'} as you told of this photo before."
    return replace(table, reading=replace(reading, notes=(*reading.notes, before)))
