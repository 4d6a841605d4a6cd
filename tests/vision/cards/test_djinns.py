"""Djinns are told by their titles whichever way their cards lie, in each language's spelling (rules 2.7, 11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from companion.programs import Tesseract, find_tesseract
from companion.rules.model.board import Tile
from companion.rules.model.components import TILE_KINDS
from companion.rules.model.position import Position
from companion.vision.board.reading import Reading, TileReading
from companion.vision.cards import titles
from companion.vision.cards.detection import CardDetection
from companion.vision.cards.title_lines import find_card_faces, find_title_lines
from companion.vision.cards.titles import TitleDetection, face_up, lacking_packages, read_titles
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.numerics import GreyImage
from companion.vision.reading.cards import add_cards, find_row
from companion.vision.reading.table import PhotoReading, Shot, TableReading
from tests.vision.cards.tables import djinn_photo


@pytest.mark.slow
@pytest.mark.parametrize(("language", "pack"), [("en", "eng"), ("uk", "ukr"), ("ko", "kor")])
def test_djinns_on_photographed_cards_are_told_from_left_to_right(language: str, pack: str) -> None:
    tesseract = find_tesseract()
    if tesseract is None or pack not in tesseract.languages:
        pytest.skip(f"needs Tesseract with {pack}")
    photo, djinns = djinn_photo(language, np.random.default_rng([0, 1, *language.encode()]))
    assert list(face_up(read_titles(photo))) == djinns


@pytest.mark.usefixtures("some_letters")
def test_print_is_looked_for_on_all_cards_but_those_known_to_be_others(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def blind(pictures: Sequence[GreyImage], _: str) -> list[list[tuple[str, float]]]:
        read.append(len(pictures))
        return [[] for _ in pictures]

    monkeypatch.setattr(titles, "read_lines", blind)
    photo, _ = djinn_photo("it", np.random.default_rng(6))
    faces = find_card_faces(photo)
    lines = find_title_lines(photo, faces)
    assert len(faces) >= 3 and {line.card for line in lines} >= {0, 1, 2}
    assert all(line.picture.max() == 255 and line.picture.shape[0] == lines[0].picture.shape[0] for line in lines)
    monkeypatch.setattr(titles, "find_card_faces", lambda photo: faces)
    assert read_titles(photo, others=faces) == [] and read == []
    read_titles(photo, others=faces[:1])
    assert 0 < read[0] < len(lines)


@pytest.fixture
def some_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "find_tesseract", lambda: Tesseract(Path("tesseract"), "5.3.0", ("eng", "osd", "ukr")))


def _notes(*found: TitleDetection, titled: bool = False) -> tuple[str, ...]:
    shot = Shot("djinns.jpg", np.zeros((4, 4, 3), np.uint8), titled)
    photo = PhotoReading(shot, None, None, None, NoSultanateError("no board"), (), found)
    board = tuple(Tile(kind) for kind in TILE_KINDS.values() for _ in range(kind.count))
    reading = Reading(Position(board), tuple(TileReading(tile, 1.0) for tile in board), turned=0)
    return add_cards(TableReading(reading), [photo], {}).reading.notes


@pytest.mark.usefixtures("some_letters")
def test_what_tesseract_lacks_is_said_with_the_packages_that_have_it() -> None:
    assert lacking_packages() == ("tesseract-ocr-rus", "tesseract-ocr-kor")
    told = [TitleDetection(name, name, 1.0, (0, 0, 9, 9)) for name in ("Utug", "Enki", "Boaz")]
    assert _notes(*told) == ()
    assert any("apt install tesseract-ocr-rus tesseract-ocr-kor" in note for note in _notes(*told[:2]))
    assert any("apt install tesseract-ocr-rus" in note for note in _notes(titled=True))
    assert not any("tesseract-ocr" in note for note in _notes()), "nobody asked for djinns there"


@pytest.mark.usefixtures("some_letters")
def test_a_djinn_card_whose_title_could_not_be_read_is_told_of() -> None:
    notes = _notes(TitleDetection("Utug", "Utug", 1.0, (0, 0, 9, 9)), TitleDetection(None, "", 0.0, (20, 0, 9, 9)))
    assert "no title could be read" in notes[0] and "djinns.jpg" in notes[0]


def test_djinns_cards_are_not_taken_for_the_row() -> None:
    djinn, fish = (
        ((0.0, 0.0), (40.0, 0.0), (40.0, 60.0), (0.0, 60.0)),
        ((90.0, 0.0), (130.0, 0.0), (130.0, 60.0), (90.0, 60.0)),
    )
    cards = (CardDetection(None, 0.3, "papyrus", djinn, 0), CardDetection("fish", 0.98, "gold", fish, 0))
    shot = Shot("djinns.jpg", np.zeros((4, 4, 3), np.uint8))
    title = TitleDetection("Utug", "Utug", 1.0, (5, 40, 30, 10))
    photo = PhotoReading(shot, None, None, None, NoSultanateError("no board"), cards, (title,))
    assert find_row([photo]) == ((cards[1],), ())
    assert find_row([replace(photo, titles=())]) == (cards, ())
