"""Photos of a game in progress: the turns that one shows, and a series with one after each turn, by its time."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import re
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

from companion.asking.photo_turns import PhotoTurns, shown_turns
from companion.asking.recording import SeriesPhoto
from companion.errors import CompanionError, PhotoError, UnusableInputError
from companion.language.phrase import Phrase, say
from companion.opening.photos import cards_shown, likelihood_of, read_in_game
from companion.opening.source import WANTED_PHOTO, Content, read_source
from companion.resources import check_address_space
from companion.rules.model.board import Board
from companion.system.progress import TellShare
from companion.table.games import TableGame
from companion.table.photos import TableReading, photo_name
from companion.vision.load import time_taken
from companion.vision.networks import keep_to_one_core
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import covered_note

MOST_READERS = 4
"""At most this many photos are read at once: each takes 360 MB."""


def photos_in_order(sources: Sequence[str], start: bytes = b"") -> list[Content]:
    """The files of photos in the order of their time, or of their names where not all tell it.

    Raises PhotoError for what is no picture, UnusableInputError if `start`, the photo that the game begins with, is one
    of them.
    """
    contents = [read_source(source, WANTED_PHOTO) for source in sources]
    for content in contents:
        if not content.is_picture:
            raise PhotoError("{content} is not a photo", content=content.name)
        if content.data == start:
            raise UnusableInputError(
                "{content} is START too: give as PHOTO only what was taken after it", content=content.name
            )
    times = [time_taken(content.data) for content in contents]
    keyed = [((time if all(times) else ""), _natural(one.name), one) for time, one in zip(times, contents, strict=True)]
    return [content for _, _, content in sorted(keyed, key=lambda one: one[:2])]


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """A key for names in natural order: photo 2 before photo 10."""
    parts = re.split(r"(\d+)", name.casefold())
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts]


def read_series(
    contents: Sequence[Content], board: Board, tell: Callable[[Phrase], None], useless: dict[str, CompanionError]
) -> Iterator[SeriesPhoto]:
    """Photos of the table of a game whose board is known, one after another; others are being read meanwhile.

    `useless` takes by name why some show nothing of use. Raises UnusableInputError for a photo of another table.
    """
    check_address_space()
    photos = _each_read(contents, board)
    for number, content in enumerate(contents, 1):
        tell(say("reading photo {number} of {photos}", number=number, photos=len(contents)))
        photo = next(photos)
        if isinstance(photo, SeriesPhoto):
            yield photo
        else:
            useless[Path(content.name).name] = photo
    tell(say("comparing the photos with what the rules allow"))


def _each_read(contents: Sequence[Content], board: Board) -> Iterator[SeriesPhoto | PhotoError]:
    """Photos as they are read, or why they aren't: several at once, each on a core of its own."""
    readers = min(len(contents), os.cpu_count() or 1, MOST_READERS)
    if readers < 2:
        yield from (_read(content, board) for content in contents)
        return
    others = multiprocessing.active_children()
    # Forking a program of several threads would copy locks that nobody lets go. Ctrl-C reaches every process of a
    # terminal, and this one ends the others.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(readers, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))
    try:
        pending = [pool.submit(_read_apart, content, board) for content in contents]
        for content, photo in zip(contents, pending, strict=True):
            try:
                yield photo.result()
            except BrokenProcessPool:
                # Where there isn't memory for several, one does it.
                yield _read(content, board)
    finally:
        for process in multiprocessing.active_children():
            if process not in others:
                process.kill()
        pool.shutdown(cancel_futures=True)


def _read_apart(content: Content, board: Board) -> SeriesPhoto | PhotoError:
    keep_to_one_core()
    return _read(content, board)


def _read(content: Content, board: Board) -> SeriesPhoto | PhotoError:
    try:
        likelihood, row = read_in_game(content, board)
        return SeriesPhoto(Path(content.name).name, likelihood, row, covered=covered_note(likelihood.covered))
    except PhotoError as error:
        return error


def turns_seen(seen: TableReading, game: TableGame, tell: TellShare) -> PhotoTurns:
    """Which turns of a game photos show that were read with its tiles.

    Raises as `turns_in_photo` and `likelihood_of`.
    """
    session: PhotoSession = pickle.loads(seen.state)
    likelihood = likelihood_of(session, game.position.board, photo_name(0, 1))
    return replace(shown_turns(game, likelihood, *cards_shown(session)), covered=covered_note(likelihood.covered))
