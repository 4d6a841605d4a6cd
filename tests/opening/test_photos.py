"""What photos add to a position: goods beside text, and what was said of the same photo before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.errors import PhotoError, UnusableInputError
from companion.opening import photos
from companion.opening.photos import open_photo, read_in_game
from companion.opening.position import open_position
from companion.opening.source import WANTED_PHOTO, read_source
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import SQUARES, Board
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.vision.board.contents_hypotheses import Hypotheses
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.tile_similarity import KINDS
from companion.vision.reading import cards as reading_cards
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading, certain_tiles
from tests.notation.examples import EXAMPLE_TOML
from tests.samples import SAMPLES


def card(name: str) -> CardDetection:
    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 15.0), (0.0, 15.0))
    return CardDetection(name, 0.99, None, corners, line=0)


def test_goods_in_a_photo_go_into_a_position_that_is_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, photo = tmp_path / "table.toml", tmp_path / "pink.png"
    path.write_text(EXAMPLE_TOML, encoding="utf-8")
    Image.fromarray(np.zeros((300, 300, 3), np.uint8)).save(photo)
    monkeypatch.setattr(reading_cards, "find_hand", lambda picture: (card("ivory"), card("fakir"), card("fakir")))
    said: list[str] = []
    opened = open_position(path, goods={Colour.PINK: photo}, tell=lambda step, words: said.append(words))
    pink, before = opened.position.player(Colour.PINK), open_position(path).position.player(Colour.PINK)
    assert (pink.fakirs, sum(pink.goods or ())) == (2, 1) and pink.gold == before.gold == 41
    assert opened.photos is not None and not opened.photos.shots and list(opened.photos.goods) == [Colour.PINK]
    assert said[-1] == f"{photo}: looking for cards"
    monkeypatch.setattr(reading_cards, "find_hand", lambda picture: ())
    with pytest.raises(PhotoError, match="pink.png: no resource cards found"):
        open_position(path, goods={Colour.PINK: photo})


def test_one_photo_is_opened_as_a_picture(tmp_path: Path) -> None:
    shot = Shot("a", open_photo(SAMPLES / "start.jpg"))
    assert shot.picture.ndim == 3 and shot.picture.dtype == np.uint8
    with pytest.raises(UnusableInputError, match="there is no file"):
        open_photo(tmp_path / "gone.jpg")


def test_where_a_few_tiles_do_not_tell_all_of_a_photo_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which shows another table, or the game's on tiles of another printing."""
    content = read_source(SAMPLES / "mid.jpg", WANTED_PHOTO)
    game, other = random_setup(3, 1).board, random_setup(3, 2).board
    monkeypatch.setattr(photos, "see_in_game", lambda *given: None)

    def reads(board: Board, known: Board | None) -> None:
        empty = np.zeros((SQUARES, len(KINDS), 4))
        evidence = BoardEvidence(
            empty, (), (), np.eye(3), (Hypotheses(np.zeros((1, 8), int), np.zeros(1)),) * 30, empty
        )
        read = Reading(Position(board=board), certain_tiles(board))
        session = PhotoSession((), read, replace(evidence, known=known))
        monkeypatch.setattr(photos, "read_table", lambda *given: session)

    reads(game, game)
    likelihood, row = read_in_game(content, game)
    assert likelihood.ranked[0] and row is None
    reads(other, None)
    with pytest.raises(UnusableInputError, match="another table"):
        read_in_game(content, game)
