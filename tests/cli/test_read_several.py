"""`companion read` with several photos: board, cards, goods and codes of one table made one position."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import qrcode

from companion.cli import progress
from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.rules.model.board import parse_square
from companion.rules.model.components import GOODS, Colour
from companion.vision.reading import cards as reading_cards
from companion.vision.reading import pipeline
from companion.vision.readings import CardDetection, TitleDetection
from tests import samples
from tests.cli.ran import Capsys, Patch, printed_json, ran
from tests.samples import SAMPLES

SETUP = samples.START

Write = Callable[..., str]


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: Patch) -> None:
    """Cards are told by their pictures; files go to a folder of the test's own."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(pipeline, "find_tesseract", lambda: None)
    monkeypatch.setattr(pipeline, "find_cards", lambda picture: _cards_in(picture))
    monkeypatch.setattr(reading_cards, "find_hand", lambda picture: _cards_in(picture))


def _cards_in(picture: np.ndarray) -> tuple[CardDetection, ...]:
    """Our test cards are told by the first pixel of a plain picture."""
    return _laid.get(tuple(int(value) for value in picture[0, 0]), ()) if picture.std(axis=(0, 1)).max() < 1 else ()


_laid: dict[tuple[int, ...], tuple[CardDetection, ...]] = {}


@pytest.fixture
def photo(tmp_path: Path) -> Write:
    """Writes a picture, or the sample, as a file in the folder that commands run in."""

    def write(name: str, picture: np.ndarray | None = None) -> str:
        path = tmp_path / "here" / name
        if picture is None:
            shutil.copy(SAMPLES / "start.jpg", path)
        else:
            cv2.imwrite(str(path), picture)
        return name

    return write


def laid(*names: str, sure: float = 0.97) -> np.ndarray:
    """A picture that shows these resource cards; a name with "?" is not told for sure."""
    shade = (10 + len(_laid) * 7, 90, 40)
    _laid[shade] = tuple(
        CardDetection(
            None if name.endswith("?") else name, 0.5 if "?" in name else sure, name.strip("?"), ((0, 0),) * 4, 0
        )
        for name in names
    )
    return np.full((400, 600, 3), shade, np.uint8)


def read(capsys: Capsys, *words: str) -> Any:
    return printed_json(capsys, ["read", *words])


def refused(capsys: Capsys, *words: str, status: int = 4) -> str:
    before = sorted(Path().iterdir())
    out, err = ran(capsys, ["read", *words, "-o", "table.toml"], status)
    assert out == "" and err.startswith("companion: ") and "Traceback" not in err
    assert sorted(Path().iterdir()) == before, "nothing is half written"
    return err


def start() -> np.ndarray:
    return cv2.resize(np.asarray(cv2.imread(str(SAMPLES / "start.jpg"))), None, fx=0.6, fy=0.6)


PLAIN = np.full((300, 400, 3), (30, 30, 200), np.uint8)


def warm(picture: np.ndarray) -> np.ndarray:
    """The same table under another lamp, photographed from the other side."""
    return cv2.rotate(cv2.convertScaleAbs(picture * np.array([0.8, 0.95, 1.0])), cv2.ROTATE_180)


@pytest.mark.slow
def test_two_photos_from_opposite_sides_make_one_board(photo: Write, capsys: Capsys) -> None:
    document = read(capsys, photo("a.jpg"), photo("b.jpg", warm(start())))
    board = parse_position("\n".join(document["rows"])).board
    wrong = [square for square in range(30) if board[square] != SETUP.board[square]]
    doubtful = [parse_square(name) for name, tile in document["tiles"].items() if tile["doubts"]]
    assert len(wrong) <= 2 and set(wrong) <= set(doubtful)
    assert list(document)[:5] == ["rows", "tiles", "row", "djinns", "turned"]


def test_the_row_and_goods_go_where_they_belong(photo: Write, capsys: Capsys) -> None:
    row, goods = photo("row.png", laid("fish", "silk?", "fakir")), photo("goods.png", laid("ivory", "fish", "fakir"))
    words = [photo("a.jpg"), row, "--goods", f"pink={goods}"]
    document = read(capsys, *words)
    assert document["row"] == ["fish", "silk", "fakir"]
    assert [(card["card"], card["doubtful"]) for card in document["cards"]] == [
        ("fish", False),
        (None, True),
        ("fakir", False),
    ]
    assert document["players"]["pink"]["goods"] == {"ivory": 1, "fish": 1}
    shown = ran(capsys, ["read", *words, "-o", "table.toml"]).out
    assert "Row: fish, silk?, fakir" in shown and "Card 2 of the row: Silk" in shown
    assert "Pink has: ivory, fish, fakir" in shown
    written = parse_position(Path("table.toml").read_text(encoding="utf-8"))
    assert written.row == ("fish", "silk", "fakir") and written.player(Colour.PINK).fakirs == 1
    assert dict(zip(GOODS, written.player(Colour.PINK).goods or (), strict=True))["ivory"] == 1


def test_djinns_of_a_photo_without_a_board_are_read(photo: Write, capsys: Capsys, monkeypatch: Patch) -> None:
    titles = [TitleDetection("Jafaar", "JAFAAR", 1.0, (0, 0, 9, 9)), TitleDetection(None, "Shmt", 0.6, (9, 0, 9, 9))]
    monkeypatch.setattr(pipeline, "find_tesseract", lambda: object())
    monkeypatch.setattr(pipeline, "read_titles", lambda picture, others: titles)
    document = read(capsys, photo("a.jpg"), photo("djinns.png", PLAIN))
    assert document["djinns"] == ["Jafaar"] and "'Shmt'" in document["notes"][0]


def with_code(picture: np.ndarray, text: str) -> np.ndarray:
    """The photo with a card that bears a code in its corner."""
    code = qrcode.QRCode(border=4)
    code.add_data(text)
    code.make()
    cells = np.array(code.get_matrix(), dtype=np.uint8)
    card = cv2.resize(230 * (1 - cells), (300, 300), interpolation=cv2.INTER_NEAREST)
    result = picture.copy()
    result[10:310, 10:310] = cv2.GaussianBlur(card, (0, 0), 0.8)[:, :, None]
    return result


def test_a_setup_cards_code_tells_the_tiles_and_the_rest(photo: Write, capsys: Capsys) -> None:
    document = read(capsys, photo("a.jpg", with_code(start(), encode(SETUP))))
    assert document["row"] == list(SETUP.row or ()) and document["djinns"] == list(SETUP.djinns or ())
    assert parse_position("\n".join(document["rows"])).board == SETUP.board
    assert document["turned"] != 0, "the board itself was read"


def test_one_bad_photo_among_good_ones_is_named(photo: Write, capsys: Capsys) -> None:
    first, last = photo("a.jpg"), photo("c.jpg", PLAIN)
    for name, content, why in (
        ("gone.jpg", None, "there is no file gone.jpg"),
        ("rules.pdf", b"%PDF-1.7 and so on", "rules.pdf is a PDF"),
        ("cut.jpg", (SAMPLES / "start.jpg").read_bytes()[:40_000], "cut.jpg is damaged or cut off"),
        ("words.txt", b"O8:ggw", "words.txt is not a picture"),
    ):
        if content is not None:
            Path(name).write_bytes(content)
        err = refused(capsys, first, name, last)
        assert why in err and len(err.splitlines()) == 1


def test_a_photo_of_something_else_is_named(photo: Write, capsys: Capsys) -> None:
    rug = photo("rug.png", PLAIN)
    assert refused(capsys, photo("a.jpg"), rug).startswith("companion: rug.png: ")


def test_wrong_usage_is_told_before_anything_is_read(photo: Write, capsys: Capsys) -> None:
    first = photo("a.jpg")
    for words, why in (
        (["--goods", "pink"], "COLOUR=PHOTO"),
        (["--goods", "green=a.jpg"], "--goods: no player's colour"),
        (["--goods", "pink=b.jpg", "--goods", "Pink=c.jpg"], "pink is given twice"),
        (["-", "--ask"], "--ask reads the answers from standard input"),
        (["--goods", "pink=-", "--ask"], "--ask reads the answers from standard input"),
    ):
        assert why in refused(capsys, first, *words, status=2)


def test_the_line_of_progress_comes_and_goes(photo: Write, capsys: Capsys, monkeypatch: Patch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(progress, "SHOWN_AFTER_S", 0.0)
    err = ran(capsys, ["read", photo("a.jpg")]).err
    assert "a.jpg: reading the board …" in err and err.endswith("\r\x1b[2K")
    assert ran(capsys, ["read", "a.jpg", "--json"]).err == ""


def test_quick_readings_say_nothing_of_their_progress(capsys: Capsys) -> None:
    stream = io.StringIO()
    line = progress.Progress(stream)
    line.say("reading")
    line.start()
    line.stop()
    assert stream.getvalue() == ""
