"""Photos of one table, decoded and read together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from companion.opening.source import WANTED_PHOTO, Content, Source, read_source
from companion.rules.model.board import Board
from companion.rules.model.position import Position
from companion.system.progress import TellStep
from companion.vision.board.owner_tiles import own_tiles
from companion.vision.load import decode_photo
from companion.vision.networks import load_network
from companion.vision.reading.cards import add_cards, read_hands
from companion.vision.reading.pipeline import read_table
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import Reading, certain_tiles

if TYPE_CHECKING:
    from companion.vision.load import Picture


def read_photos(
    contents: Sequence[Content],
    known: Position | None = None,
    *,
    own_set: bool,
    tell: TellStep = lambda step, words: None,
    board: Board | None = None,
) -> PhotoSession:
    """Photos of one table read together, in a game with this `board`; or players' cards added to a `known` position.
    `own_set` uses the tiles learnt. Raises PhotoError, and as `read_table`.
    """
    # The networks' engine and the largest of them take 0.3 s to load, as long as a photo takes to decode.
    beside = ThreadPoolExecutor(1)
    beside.submit(load_network, "pieces")
    beside.shutdown(wait=False)
    decoded = [
        (photo.holder, Shot(photo.name, decode_photo(photo.data, photo.name), photo.titled))
        for photo in contents
        if known is None or photo.holder is not None
    ]
    shots = [shot for holder, shot in decoded if holder is None]
    goods = {holder: shot for holder, shot in decoded if holder is not None}
    if known is not None:
        held = read_hands(goods, tell)
        return PhotoSession((), add_cards(Reading(known, certain_tiles(known.board)), (), held), goods=held)
    return read_table(shots, goods, own_tiles(os.environ) if own_set else None, tell, board)


def open_photo(source: Source) -> Picture:
    """One photo decoded: (H, W, 3), 8 bits a channel, BGR, upright. Raises UnusableInputError if it can't be."""
    content = read_source(source, WANTED_PHOTO)
    return decode_photo(content.data, content.name)
