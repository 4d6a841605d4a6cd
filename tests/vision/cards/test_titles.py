"""Djinns are told by their titles, read with Tesseract and matched with a margin, in each language (rules 2.7, 11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytesseract
import pytest
from PIL import Image, ImageDraw, ImageFont

from companion.errors import ExitStatus, MissingDependencyError, PhotoError
from companion.notation.names import DJINN_NAMES
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.board import SQUARES, Tile
from companion.rules.model.components import TILE_KINDS
from companion.rules.model.position import Position
from companion.system.programs import Tesseract, find_tesseract
from companion.vision.cards import tesseract, titles
from companion.vision.cards.title_lines import TitleLine
from companion.vision.cards.titles import face_up, lacking_packages, rank_names, read_titles
from companion.vision.load import Picture
from companion.vision.locate.lattice import NoSultanateError
from companion.vision.numerics import GreyImage
from companion.vision.reading import pipeline
from companion.vision.reading.cards import add_cards, find_row
from companion.vision.reading.scan import PhotoScan
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading, TitleDetection, certain_tiles
from tests.vision.cards.tables import djinn_photo, titled

OUR_FONT = Path(titles.__file__).parents[2] / "printing" / "fonts" / "DejaVuSans.ttf"


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


@pytest.fixture
def english_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tesseract with English alone, which is quicker."""
    monkeypatch.setattr(titles, "find_tesseract", lambda: Tesseract(Path("tesseract"), "5.3.0", ("eng",)))


@pytest.mark.usefixtures("english_letters")
@pytest.mark.parametrize("quarters", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_titles_are_read_in_order_from_any_side(quarters: int) -> None:
    names = ["Jafaar", "Shamhat", "Kumarbi"]
    found = read_titles(np.ascontiguousarray(np.rot90(cards(names), quarters)))
    assert [title.name for title in found] == names
    assert face_up(found) == tuple(names)


@pytest.mark.usefixtures("english_letters")
def test_a_title_s_box_is_where_it_stands_in_the_photo() -> None:
    found = read_titles(np.ascontiguousarray(np.rot90(cards(["Marid"]), 3)))
    left, top, wide, high = found[0].box
    x, y = left + wide / 2, top + high / 2
    # Turned by three quarters, what was x from the left is x from the top, and y from the top is y from the right.
    assert (x, y) == pytest.approx((700 - 145, 185), abs=12)


def test_of_the_latin_languages_one_is_read_and_of_the_cyrillic_all(monkeypatch: pytest.MonkeyPatch) -> None:
    packs = ("eng", "ita", "kor", "osd", "rus", "ukr")
    monkeypatch.setattr(titles, "find_tesseract", lambda: Tesseract(Path("tesseract"), "5.3.0", packs))
    assert titles._language_groups() == ["eng", "rus+ukr", "kor"]


@pytest.mark.usefixtures("english_letters")
def test_a_title_seen_but_not_told_is_flagged() -> None:
    found = read_titles(cards(["Jxfqar", "Marid", "Utug"]))
    assert [title.name for title in found] == [None, "Marid", "Utug"]
    assert found[0].text == "Jxfqar" and found[0].confidence < 0.74
    assert face_up(found) == ("Marid", "Utug")


def _told(word: str) -> tuple[str, float] | None:
    """The djinn that a card is told to be on which this alone is read, and how like its name it is."""
    blank = np.zeros((4, 4), np.uint8)
    line = TitleLine(blank, blank, 0, np.zeros((4, 2)))
    readings = [titles._Reading(name, likeness, word, 99.0, line) for name, likeness in rank_names(word)[:2]]
    told = titles._recognised(readings)
    return None if told is None else (told.name, told.likeness)


def test_every_name_and_spelling_matches_its_djinn_alone() -> None:
    assert set(DJINN_NAMES) >= set(DJINNS)
    for name in DJINNS:
        spellings = DJINN_NAMES[name]
        for spelling in (name, *spellings):
            assert _told(spelling) == (name, 1.0), spelling


def test_other_words_match_nothing() -> None:
    for word in ("", "the", "Market", "Five Tribes", "1234567", "Enk Utug", "султан", "카드", "---"):
        assert _told(word) is None, word


def test_a_slightly_misread_name_is_still_told() -> None:
    misread = {"Jafoar": "Jafaar", "SHAMHAT": "Shamhat", "Ba’al": "Ba'al", "|blis": "Iblis", "КУМАРБІ": "Kumarbi"}
    for word, name in {**misread, "Хаурватаг": "Haurvatat", "쿠 마 르 비": "Kumarbi"}.items():
        told = _told(word)
        assert told is not None and told[0] == name


def test_without_tesseract_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "find_tesseract", lambda: None)
    with pytest.raises(MissingDependencyError, match="apt install tesseract-ocr") as caught:
        read_titles(cards(["Jafaar"]))
    assert caught.value.status is ExitStatus.MISSING


def test_a_language_that_is_not_there_is_named_with_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "find_tesseract", lambda: Tesseract(Path("tesseract"), "5.3.0", ("osd",)))
    with pytest.raises(MissingDependencyError, match="apt install tesseract-ocr-eng"):
        read_titles(cards(["Jafaar"]))


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Put a Tesseract on the path that knows its version and languages, and then does as told."""

    def install(does: str, version: str = "5.3.0") -> None:
        program = tmp_path / "bin" / "tesseract"
        program.parent.mkdir(exist_ok=True)
        program.write_text(
            "#!/bin/sh\n"
            'case "$1" in\n'
            f"  --version) echo 'tesseract {version}' ;;\n"
            "  --list-langs) printf 'List of languages (1):\\neng\\n' ;;\n"
            f"  *) {does} ;;\n"
            "esac\n"
        )
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
        asked = pytesseract.pytesseract.get_tesseract_version
        if hasattr(asked, "cache_clear"):
            asked.cache_clear()

    return install


HEAD = "level\\tpage_num\\tblock_num\\tpar_num\\tline_num\\tword_num\\tleft\\ttop\\twidth\\theight\\tconf\\ttext\\n"


def test_a_tesseract_that_fails_is_told_and_not_waited_for(
    broken: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = cards(["Jafaar"])
    for does in (
        "printf '\\033]0;owned\\007 segment fault' >&2; exit 7",
        "kill -SEGV $$",
        "exit 0",
        ': > "$2.tsv"',
        "printf 'rubbish\\n1\\t2\\n' > \"$2.tsv\"",
        "printf '\\377\\376\\000\\t\\n\\n' > \"$2.tsv\"",
        f"printf '{HEAD}5\\t1\\t1\\t1\\t1\\t1\\tx\\ty\\tz\\t-\\t-\\tJafaar\\n' > \"$2.tsv\"",
    ):
        broken(does)
        with pytest.raises(MissingDependencyError, match="Tesseract") as raised:
            read_titles(picture)
        assert str(raised.value).isprintable(), does
    for does in (f"printf '{HEAD}5\\t1\\t1\\n' > \"$2.tsv\"", f"printf '{HEAD}' > \"$2.tsv\""):
        broken(does)
        assert read_titles(picture) == []
    broken("exec sleep 60")
    monkeypatch.setattr(tesseract, "TIMEOUT_S", 0.3)
    with pytest.raises(PhotoError, match="timeout.*photograph the djinn cards alone"):
        read_titles(picture)


def test_titles_that_were_not_asked_for_are_not_insisted_on(
    broken: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken("exit 0")
    card = CardDetection("fish", 0.99, None, ((0.0, 0.0),) * 4, 0)
    monkeypatch.setattr(pipeline, "scan_photo", lambda picture: PhotoScan(fault=NoSultanateError("no board")))
    monkeypatch.setattr(pipeline, "find_cards", lambda picture: (card,))
    with pytest.raises(PhotoError, match="shows cards, but no photo shows the board"):
        pipeline.read_table([Shot("row.jpg", cards(["Jafaar"]))])
    with pytest.raises(MissingDependencyError, match="reinstall it"):
        pipeline.read_table([Shot("row.jpg", cards(["Jafaar"]), titled=True)])


def test_titles_are_not_read_where_that_would_help_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """No photo shows a board to put djinns beside; or part of one is in view, which is what has to be said."""
    read: list[int] = []
    monkeypatch.setattr(pipeline, "find_tesseract", lambda: object())

    def titles(picture: Picture, others: object) -> tuple[TitleDetection, ...]:
        read.append(1)
        return ()

    monkeypatch.setattr(pipeline, "read_titles", titles)
    picture, board = cards(["Jafaar"]), (Tile(TILE_KINDS["O8"]),) * SQUARES
    nothing, part = NoSultanateError("no board"), PhotoError("cut off")
    for fault, game, times in ((nothing, None, 0), (part, board, 0), (nothing, board, 1)):
        monkeypatch.setattr(pipeline, "scan_photo", lambda picture, fault=fault: PhotoScan(fault=fault))
        read.clear()
        with pytest.raises(PhotoError):
            pipeline.read_table([Shot("row.jpg", picture)], game=game)
        assert len(read) == times


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
    photo, faces, lines = titled()
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
    fault = NoSultanateError("no board")
    photo = Shot("djinns.jpg", np.zeros((4, 4, 3), np.uint8), titled, fault=fault, titles=found)
    board = tuple(Tile(kind) for kind in TILE_KINDS.values() for _ in range(kind.count))
    return add_cards(Reading(Position(board), certain_tiles(board)), [photo], {}).notes


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
    assert "the title of a card" in notes[0] and "djinns.jpg" in notes[0]


def test_djinns_cards_are_not_taken_for_the_row() -> None:
    djinn, fish = (
        ((0.0, 0.0), (40.0, 0.0), (40.0, 60.0), (0.0, 60.0)),
        ((90.0, 0.0), (130.0, 0.0), (130.0, 60.0), (90.0, 60.0)),
    )
    cards = (CardDetection(None, 0.3, "papyrus", djinn, 0), CardDetection("fish", 0.98, "gold", fish, 0))
    title = TitleDetection("Utug", "Utug", 1.0, (5, 40, 30, 10))
    picture, fault = np.zeros((4, 4, 3), np.uint8), NoSultanateError("no board")
    photo = Shot("djinns.jpg", picture, fault=fault, cards=cards, titles=(title,))
    assert find_row([photo]) == ((cards[1],), ())
    assert find_row([replace(photo, titles=())]) == (cards, ())
