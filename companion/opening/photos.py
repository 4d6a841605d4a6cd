"""Photos of one table, decoded and read together; the turn of a game in progress that they show."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from companion.errors import PhotoError, UnusableInputError, UsageError
from companion.language.phrase import say
from companion.opening.source import WANTED_PHOTO, Content, Source, read_inputs, read_source
from companion.rules.engine.resuming import start_game
from companion.rules.model.board import Board
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from companion.system.progress import TellStep
from companion.tracking.inference import PlayedTurns
from companion.tracking.inference import played_turns as turns_shown
from companion.vision.board.contents_likelihood import ContentsLikelihood
from companion.vision.board.owner_tiles import own_tiles
from companion.vision.load import decode_photo
from companion.vision.networks import load_network
from companion.vision.reading.cards import add_cards, read_hands
from companion.vision.reading.pipeline import read_table, see_in_game
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


def read_in_game(content: Content, board: Board) -> tuple[ContentsLikelihood, tuple[str, ...] | None]:
    """What a photo of a game in progress says of the contents of its tiles, and the row where it's sure.

    Raises as `likelihood_of`.
    """
    seen = see_in_game(decode_photo(content.data, content.name), board, own_tiles(os.environ))
    if seen is None:
        session = read_photos([content], own_set=True, board=board)
        seen = likelihood_of(session, board, content.name), cards_shown(session)[0]
    return seen


def open_photo(source: Source) -> Picture:
    """One photo decoded: (H, W, 3), 8 bits a channel, BGR, upright. Raises UnusableInputError if it can't be."""
    content = read_source(source, WANTED_PHOTO)
    return decode_photo(content.data, content.name)


# The turn that they show.


SAME_TILES = 15
"""With this many of 30 tiles of the game's kinds a photo is of its table, however bad."""


def played_turns(before: Position | GameState, *photos: Source, own_set: bool = True) -> PlayedTurns:
    """Which legal turn, or which two or three, lead from the game before to what photos show; `own_set` uses the tiles
    learnt. Raises PhotoError, and UnusableInputError where no turn begins.
    """
    if not photos:
        raise UsageError("give a photo of the table after the turn")
    state = start_game(before) if isinstance(before, Position) else before
    session = read_photos(read_inputs(photos, photos_only=True), own_set=own_set, board=state.position.board)
    return turns_shown(state, likelihood_of(session, state.position.board, say("the photo")))


def cards_shown(session: PhotoSession) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The row of cards and the djinns on offer that photos show without a doubt; None for what they don't."""
    reading = session.reading
    unsure = any(card.card is None for card in reading.row)
    return None if unsure else reading.position.row, None if reading.titles else reading.position.djinns


def likelihood_of(session: PhotoSession, board: Board, name: str) -> ContentsLikelihood:
    """What photos of that name say of each tile's contents on a board that they were read with.

    Raises PhotoError where they don't show it well enough, UnusableInputError where they show another.
    """
    evidence, read = session.evidence, session.as_read.position.board
    if evidence is None:
        raise PhotoError("{content} shows no board", content=name)
    if evidence.known is None:
        same = max(sum(a.kind is b.kind for a, b in zip(way, board, strict=True)) for way in (read, read[::-1]))
        if same < SAME_TILES:
            raise UnusableInputError("{content} shows another table: its tiles don't lie as in this game", content=name)
        raise PhotoError("{content} doesn't show the tiles clearly enough", content=name)
    return ContentsLikelihood.of(evidence.pieces, evidence.hypotheses, evidence.covered)
