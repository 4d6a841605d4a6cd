"""Titles of djinn cards are read with Tesseract and matched with a margin (rules 11)."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from companion.errors import ExitStatus, MissingDependencyError, PhotoError
from companion.notation.names import DJINN_NAMES
from companion.programs import Tesseract, find_tesseract
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.setup import random_setup
from companion.vision.cards import titles
from companion.vision.cards.detection import CardDetection
from companion.vision.cards.title_lines import TitleLine
from companion.vision.cards.titles import TitleDetection, face_up, rank_names, read_titles
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.locate.scan import PhotoScan
from companion.vision.reading import pipeline
from companion.vision.reading.cards import add_cards
from companion.vision.reading.merge import merge_photos
from companion.vision.reading.table import PhotoReading, Shot, TableReading

OUR_FONT = Path(titles.__file__).parents[2] / "printing" / "fonts" / "DejaVuSans.ttf"
HANGUL = OUR_FONT.with_name("CompanionHangul-Regular.ttf")


def cards(names: list[str], font: Path = OUR_FONT) -> np.ndarray:
    """A photo-like picture of cards on a table with a title on each."""
    picture = Image.new("RGB", (1500, 700), (120, 90, 60))
    pen = ImageDraw.Draw(picture)
    for number, name in enumerate(names):
        left = 60 + 480 * number
        pen.rectangle((left, 60, left + 400, 640), fill=(235, 225, 190))
        pen.ellipse((left + 80, 280, left + 320, 520), fill=(40, 90, 150))
        pen.text((left + 40, 110), name, fill=(30, 20, 20), font=ImageFont.truetype(str(font), 60))
    return cv2.GaussianBlur(np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), (0, 0), 1.2)


def need(*packs: str) -> None:
    tesseract = find_tesseract()
    if tesseract is None or not set(packs) <= set(tesseract.languages):
        pytest.skip(f"needs Tesseract with {' '.join(packs)}")


@pytest.mark.parametrize("quarters", [0, 1, 2])
def test_titles_are_read_in_order_from_any_side(quarters: int) -> None:
    names = ["Jafaar", "Shamhat", "Kumarbi"]
    found = read_titles(np.ascontiguousarray(np.rot90(cards(names), quarters)), ["en"])
    assert [title.name for title in found] == names
    assert face_up(found) == tuple(names)


@pytest.mark.parametrize("quarters", [0, 3])
def test_a_title_s_box_is_where_it_stands_in_the_photo(quarters: int) -> None:
    found = read_titles(np.ascontiguousarray(np.rot90(cards(["Marid"]), quarters)), ["it"])
    left, top, wide, high = found[0].box
    x, y = left + wide / 2, top + high / 2
    # Turned by three quarters, what was x from the left is x from the top, and y from the top is y from the right.
    expected = (185, 145) if quarters == 0 else (700 - 145, 185)
    assert (x, y) == pytest.approx(expected, abs=12)


@pytest.mark.parametrize(
    ("language", "words", "names"),
    [
        ("ru", ["Джафар", "Шамхат", "Энки"], ["Jafaar", "Shamhat", "Enki"]),
        ("uk", ["Кандіша", "Ламія", "Ібліс"], ["Kandicha", "Lamia", "Iblis"]),
        ("it", ["Al-Amin", "Utug", "Sloar"], ["Al-Amin", "Utug", "Sloar"]),
    ],
)
def test_titles_in_other_languages(language: str, words: list[str], names: list[str]) -> None:
    need(*(["eng"] if language == "it" else ["rus", "ukr"]))
    assert [title.name for title in read_titles(cards(words), [language])] == names


def test_titles_in_korean() -> None:
    need("kor")
    found = read_titles(cards(["칸디샤", "바알", "쿠마르비"], HANGUL), ["ko"])
    assert [title.name for title in found] == ["Kandicha", "Ba'al", "Kumarbi"]


def test_a_title_seen_but_not_told_is_flagged() -> None:
    found = read_titles(cards(["Jxfqar", "Marid", "Utug"]), ["en"])
    assert [title.name for title in found] == [None, "Marid", "Utug"]
    assert found[0].text == "Jxfqar" and found[0].confidence < 0.74
    assert face_up(found) == ("Marid", "Utug")


def test_no_more_djinns_are_face_up_than_the_rules_lay_out() -> None:  # rules 2.7
    found = [
        TitleDetection(name, name, confidence, (0, 0, 9, 9))
        for name, confidence in (("Utug", 0.8), ("Marid", 1.0), ("Enki", 0.9), ("Boaz", 1.0))
    ]
    assert face_up(found) == ("Marid", "Enki", "Boaz")


def _told(word: str) -> tuple[str, float] | None:
    """The djinn that a card is told to be on which this alone is read, and how like its name it is."""
    blank = np.zeros((4, 4), np.uint8)
    line = TitleLine(blank, blank, 0, np.zeros((4, 2)))
    told = titles._told([titles._Reading(name, likeness, word, 99.0, line) for name, likeness in rank_names(word)[:2]])
    return None if told is None else (told.name, told.likeness)


def test_every_name_and_spelling_matches_its_djinn_alone() -> None:
    assert set(DJINN_NAMES) >= set(DJINNS)
    for name in DJINNS:
        spellings = DJINN_NAMES[name]
        for spelling in (name, *spellings):
            assert _told(spelling) == (name, 1.0), spelling


@pytest.mark.parametrize(
    "word", ["", "the", "Market", "Oasis", "Five Tribes", "1234567", "Enk Utug", "правила", "султан", "카드", "---"]
)
def test_other_words_match_nothing(word: str) -> None:
    assert _told(word) is None


@pytest.mark.parametrize(
    ("read", "name"),
    [
        ("Jafoar", "Jafaar"),
        ("SHAMHAT", "Shamhat"),
        ("Ba’al", "Ba'al"),
        ("|blis", "Iblis"),
        ("КУМАРБІ", "Kumarbi"),
        ("Хаурватаг", "Haurvatat"),
        ("쿠 마 르 비", "Kumarbi"),
    ],
)
def test_a_slightly_misread_name_is_still_told(read: str, name: str) -> None:
    told = _told(read)
    assert told is not None and told[0] == name


def test_a_word_is_only_likened_to_names_in_its_own_letters() -> None:
    assert rank_names("Лета")[0] == ("Leta", 1.0)
    assert all(likeness < 0.74 for _, likeness in rank_names("Leto Лет")[1:])
    assert rank_names("123 456") == []


def test_without_tesseract_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "find_tesseract", lambda: None)
    with pytest.raises(MissingDependencyError, match="apt install tesseract-ocr") as caught:
        read_titles(cards(["Jafaar"]))
    assert caught.value.status is ExitStatus.MISSING


def test_a_language_that_is_not_there_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "find_tesseract", lambda: Tesseract(Path("tesseract"), "5.3.0", ("eng", "osd")))
    with pytest.raises(MissingDependencyError, match="apt install tesseract-ocr-kor"):
        read_titles(cards(["Jafaar"]), ["en", "ko"])
    with pytest.raises(ValueError, match="not in 'fr'"):
        read_titles(cards(["Jafaar"]), ["fr"])


def test_when_tesseract_gives_up_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise RuntimeError("Tesseract process timeout")

    monkeypatch.setattr("companion.vision.cards.tesseract.pytesseract.image_to_data", give_up)
    with pytest.raises(PhotoError, match="timeout.*photograph the djinn cards alone"):
        read_titles(cards(["Jafaar"]), ["en"])


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a Tesseract on the path that knows its version and languages, and then does as told."""

    def install(does: str) -> None:
        program = tmp_path / "bin" / "tesseract"
        program.parent.mkdir()
        program.write_text(
            "#!/bin/sh\n"
            'case "$1" in\n'
            "  --version) echo 'tesseract 5.3.0' ;;\n"
            "  --list-langs) printf 'List of languages (1):\\neng\\n' ;;\n"
            f"  *) {does} ;;\n"
            "esac\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")

    return install


def test_what_a_broken_tesseract_says_reaches_no_terminal_as_it_is(broken: Callable[[str], None]) -> None:
    broken("printf '\\033]0;owned\\007 segment fault' >&2; exit 7")
    with pytest.raises(MissingDependencyError, match="install it anew") as raised:
        read_titles(cards(["Jafaar"]), ["en"])
    assert str(raised.value).isprintable()


def test_a_broken_tesseract_takes_nothing_from_who_did_not_ask_for_it(broken: Callable[[str], None]) -> None:
    broken("exit 0")
    position = random_setup(3, 7)
    row = PhotoReading(
        Shot("row.jpg", cards([])),
        None,
        None,
        None,
        NoSultanateError("no board"),
        (),
        None,
        MissingDependencyError("broken"),
    )
    with pytest.raises(PhotoError, match=r"no board; and djinns' names were not looked for: broken"):
        merge_photos([row])
    card = CardDetection("fish", 0.99, None, ((0.0, 0.0),) * 4, 0)
    code = PhotoReading(Shot("code.jpg", cards([])), None, "FT1-", replace(position, row=None), None, (), None)
    seen = [code, replace(row, cards=(card,))]
    table = add_cards(TableReading(*merge_photos(seen)), seen, {})
    assert table.reading.position.row == ("fish",)
    assert table.reading.notes == ("djinns' names were not looked for in row.jpg: broken",)


def test_titles_that_were_not_asked_for_are_not_insisted_on(
    broken: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken("exit 0")
    card = CardDetection("fish", 0.99, None, ((0.0, 0.0),) * 4, 0)
    monkeypatch.setattr(pipeline, "scan_photo", lambda picture: PhotoScan(fault=NoSultanateError("no board")))
    monkeypatch.setattr(pipeline, "find_cards", lambda picture: (card,))
    with pytest.raises(PhotoError, match="shows cards, but no photo shows the board"):
        pipeline.read_table([Shot("row.jpg", cards(["Jafaar"]))])
    with pytest.raises(MissingDependencyError, match="install it anew"):
        pipeline.read_table([Shot("row.jpg", cards(["Jafaar"]), titled=True)])
