"""Photos that are boards, for tests of what the page makes of photos of a game in progress."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

from companion.errors import PhotoError
from companion.history.saved import GameKey
from companion.notation.tokens import format_board, parse_board
from companion.rules.model.board import SQUARE_NAMES, Board, Tile
from companion.rules.model.position import Position
from companion.system.progress import TellShare
from companion.table.games import TableGame, played
from companion.table.photo_reading import Answers, table_reading
from companion.table.photos import TableReading
from companion.vision.board.piece_corrections import numbers_of
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import Reading, TileReading
from tests.web.at_table import Phone
from tests.web.test_hint_on_photo import grey_photo

SEE = "tests.web.board_photos:seen_board"
MARK = b"the board: "
NATS = 25.0
"""What speaks against a tile for each piece that it has more or fewer than the photo."""

VIZIER = "blue: f4 > f3y"
"""A turn of which the board shows everything."""


class FromReading:
    """What a photo says of tiles: those read without a doubt are as they were read, others may be anything."""

    covered: frozenset[int] = frozenset()

    def __init__(self, photos: PhotoSession, game: Board, name: str) -> None:
        self._board, self._tiles = photos.reading.position.board, photos.reading.tiles

    def __call__(self, square: int, tile: Tile, /) -> float:
        if self._tiles[square].confidence < 0.5:
            return 0.0
        pairs = zip(numbers_of(tile), numbers_of(self._board[square]), strict=True)
        return -NATS * sum(abs(one - other) for one, other in pairs)

    def best(self, square: int, /) -> float:
        return 0.0


def photo_of(board: Board, hidden: str = "") -> bytes:
    """A photo that shows a board but for the tiles of these squares."""
    return grey_photo() + MARK + f"{format_board(board)};{hidden}".encode()


def seen_board(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """The board that a photo of `photo_of` shows; nothing of others."""
    content = Path(files[0]).read_bytes()
    if MARK not in content:
        raise PhotoError("no board found")
    text, _, hidden = content.rpartition(MARK)[2].decode().partition(";")
    shown = parse_board(text)
    confidences = (0.4 if name in hidden.split() else 0.99 for name in SQUARE_NAMES)
    tiles = tuple(TileReading(tile, sure) for tile, sure in zip(shown, confidences, strict=True))
    square_of_px = ((50.0, 0.0, 20.0), (0.0, 50.0, 20.0), (0.0, 0.0, 1.0))
    reading = Reading(Position(shown), tiles, turned=0, homography=square_of_px)
    return table_reading(PhotoSession((), reading), grey_photo(), (340, 290))


def after(game: TableGame, *lines: str) -> Board:
    """The board after turns of a game."""
    for line in lines:
        game = played(game, line)
    return game.position.board


def send(phone: Phone, key: GameKey, *boards: Board, to: str = "") -> None:
    """Photos of boards, one after another; each leads back to the living board at once."""
    for board in boards:
        answer = phone.send_photos(f"/games/{key}/turn-photos{to}", photo_of(board))
        assert answer.headers["location"] == f"/games/{key}{to and '/shutter'}", answer.text


def card(phone: Phone, key: GameKey, page: str = "") -> str:
    """The card of a photo once it's read, "" where there is none."""
    for _ in range(3):
        found = re.search('<section class="photo-turn".*?</section>', phone.get(f"/games/{key}{page}").text, re.DOTALL)
        if found is None or "<progress" not in found[0]:
            return "" if found is None else found[0]
    raise AssertionError("it is read for ever")


def words(card: str) -> str:
    """What a card says."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", card)).split())


def plays(card: str) -> list[dict[str, list[str]]]:
    """The fields of each turn that can be played at once."""
    forms = re.findall(r'<form method="post" action="[^"]*/play">(.*?)</form>', card, re.DOTALL)
    found = []
    for form in forms:
        fields: dict[str, list[str]] = {}
        for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form):
            fields.setdefault(name, []).append(value)
        found.append(fields)
    return found
