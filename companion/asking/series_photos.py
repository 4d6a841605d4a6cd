"""Photos of a game in progress: the turns that one shows, and a series with one after each turn, by its time."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.asking.photo_record import SeriesPhoto
from companion.asking.photo_turns import PhotoTurns, shown_turns
from companion.errors import CompanionError, PhotoError, UnusableInputError
from companion.language.phrase import Phrase, say
from companion.opening.photos import cards_shown, likelihood_of, read_photos
from companion.opening.source import WANTED_PHOTO, Content, read_source
from companion.resources import check_address_space
from companion.rules.model.board import Board
from companion.system.progress import TellShare
from companion.table.games import TableGame
from companion.table.photos import TableReading, photo_name
from companion.vision.load import time_taken
from companion.vision.reading.session import PhotoSession


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
    contents: Sequence[Content], board: Board, tell: Callable[[Phrase], None]
) -> tuple[list[SeriesPhoto], dict[str, CompanionError]]:
    """Photos of the table of a game whose board is known; and by name, why some show nothing of use.

    Raises UnusableInputError for a photo of another table.
    """
    check_address_space()
    read: list[SeriesPhoto] = []
    useless: dict[str, CompanionError] = {}
    for number, content in enumerate(contents, 1):
        tell(say("reading photo {number} of {photos}", number=number, photos=len(contents)))
        try:
            photo = _read(content, board)
        except PhotoError as error:
            useless[Path(content.name).name] = error
            continue
        read.append(photo)
    return read, useless


def _read(content: Content, board: Board) -> SeriesPhoto:
    session = read_photos([content], own_set=True, board=board)
    return SeriesPhoto(Path(content.name).name, likelihood_of(session, board, content.name), *cards_shown(session))


def turns_seen(seen: TableReading, game: TableGame, tell: TellShare) -> PhotoTurns:
    """Which turns of a game photos show that were read with its tiles.

    Raises as `turns_in_photo` and `likelihood_of`.
    """
    session: PhotoSession = pickle.loads(seen.state)
    likelihood = likelihood_of(session, game.position.board, photo_name(0, 1))
    return shown_turns(game, likelihood, *cards_shown(session))
