"""`companion learn`, `calibrate` by its old name, and `markers`: what is kept, shown, dropped and refused."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.commands import learn
from companion.cli.main import main
from companion.errors import UnusableInputError
from companion.health.findings import State
from companion.health.user_data import check_calibration
from companion.lab.rendering.profiles import PROFILES
from companion.lab.rendering.sampling import PIECE_SETS
from companion.vision.colour.paints import (
    PIECE_NAMES,
    SWITCH,
    format_paints,
    load_paints,
    own_paints,
    paints_path,
    parse_paints,
)
from companion.vision.own import showing
from companion.vision.own.kept import load_pieces, pieces_path
from tests.shown_row import row_photo
from tests.vision.cards_laid import PIECES, laid, seen

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv(SWITCH, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("photos") / "card.jpg"
    cv2.imwrite(str(path), seen(laid()))
    return path


def test_paints_are_kept_shown_and_dropped(card: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(card), "--json", "--overlay", "measured.png"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["calibrated"] is True
    assert list(document["paints"]) == list(PIECES) == list(PIECE_NAMES)
    assert set(document["paints"]["y"]) == {"lit", "shaded", "highlight"}
    assert cv2.imread("measured.png") is not None
    kept = load_paints(paints_path())
    assert kept is not None and own_paints({}) == kept
    assert own_paints({SWITCH: "off"}) is None
    assert sorted(path.name for path in paints_path().parent.iterdir()) == ["paints.json", "pieces.json"]
    assert document["pieces"] == list(PIECES)
    assert main(["learn", "--show"]) == 0
    shown = capsys.readouterr().out
    assert all(name.removeprefix("the ") in shown for name in PIECE_NAMES.values())
    assert max(map(len, shown.splitlines())) <= 80
    assert main(["learn", "--forget"]) == 0
    assert own_paints({}) is None
    assert main(["learn", "--show", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"calibrated": False, "paints": None, "pieces": [], "tiles": None}


def test_a_refused_photo_leaves_the_calibration_alone(capsys: pytest.CaptureFixture[str]) -> None:
    path = paints_path()
    path.parent.mkdir(parents=True)
    path.write_text("mine", encoding="utf-8")
    assert main(["learn", str(SAMPLES / "mid.jpg")]) == 4
    assert "no row of pieces found beside the board, and no calibration card" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "mine"
    cv2.imwrite("gap.jpg", seen(laid({piece: paint for piece, paint in PIECES.items() if piece != "K"})))
    assert main(["learn", "gap.jpg", "--overlay", "seen.png"]) == 4
    assert "the field of the black camel" in capsys.readouterr().err
    assert not Path("seen.png").exists()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["card.jpg", "--show"],
        ["--show", "--forget"],
        ["--show", "--overlay", "seen.png"],
        ["card.jpg", "--overlay", "x"],
        ["--show", "--ask"],
    ],
)
@pytest.mark.parametrize("command", ["learn"])
def test_what_does_not_fit_together_is_wrong_usage(command: str, words: list[str]) -> None:
    assert main([command, *words]) == 2


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"paints": 2}', '{"paints": 1, "bgr_linear": {"y": {}}}', "\x00", '{"paints": 1}' * 2]
)
def test_a_damaged_calibration_says_what_to_do(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = paints_path()
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnusableInputError, match="--forget"):
        own_paints({})
    assert own_paints({SWITCH: "off"}) is None
    assert main(["learn", "--show"]) == 4
    finding = check_calibration({})
    assert finding.state is State.LIMITED and "--forget" in finding.remedy
    assert main(["learn", "--forget"]) == 0
    assert not path.exists()


def test_doctor_says_whether_a_calibration_is_in_use(card: Path) -> None:
    assert check_calibration({}).found.startswith("none")
    assert main(["learn", str(card)]) == 0
    assert check_calibration({}).found == f"in use, {pieces_path()}"
    pieces_path().unlink()
    assert check_calibration({}).found == f"in use, {paints_path()}"
    assert "switches it off" in check_calibration({SWITCH: "off"}).found


def test_paints_come_back_as_they_were_written(card: Path) -> None:
    assert main(["learn", str(card)]) == 0
    text = paints_path().read_text(encoding="utf-8")
    assert format_paints(parse_paints(text)) == text


def test_markers_are_printed_and_nothing_is_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["markers", "--paper", "letter", "--lang", "it"]) == 0
    assert Path("markers.pdf").read_bytes().startswith(b"%PDF")
    assert "2 pagine" in capsys.readouterr().err
    assert main(["markers"]) == 2
    assert main(["markers", "-o", "markers.txt"]) == 2
    assert main(["markers", "--lang", "xx", "--force"]) == 2


def test_a_damaged_calibration_is_named_and_can_be_switched_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paints_path().parent.mkdir(parents=True)
    paints_path().write_text("{", encoding="utf-8")
    assert main(["read", str(SAMPLES / "start.jpg"), "--json"]) == 4
    assert "companion learn --forget" in capsys.readouterr().err
    monkeypatch.setenv(SWITCH, "off")
    assert main(["read", str(SAMPLES / "start.jpg"), "--json"]) == 0


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rendered photo of a row of usual pieces beside the board."""
    rng = np.random.default_rng(5)
    box = PIECE_SETS["box"](rng)
    picture, _ = row_photo(rng, box, replace(PROFILES["table"], tables=("plain",)), (1400, 1050))
    path = tmp_path_factory.mktemp("photos") / "row.jpg"
    cv2.imwrite(str(path), picture)
    return path


def test_a_row_learnt_after_a_card_drops_the_card_s_paints(
    card: Path, own_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["learn", str(card)]) == 0
    shown = load_pieces(pieces_path())[:2]
    monkeypatch.setattr(showing, "read_shown_card", lambda photo: None)
    monkeypatch.setattr(learn, "_from_row", lambda photo, wanted, *, ask: (list(shown), None))
    capsys.readouterr()
    assert main(["learn", str(card), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"calibrated": False, "paints": None, "pieces": ["y", "w"], "tiles": None}
    assert "the paints measured before, on a card, are dropped" in captured.err
    assert own_paints({}) is None and len(load_pieces(pieces_path())) == 2
    assert main(["learn", str(card)]) == 0
    assert "are dropped" not in capsys.readouterr().err


@pytest.mark.slow
def test_a_row_beside_the_board_is_learnt_and_read_with(row: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["learn", str(row), "--json", "--overlay", "found.png"]) == 0
    captured = capsys.readouterr()
    document = {"calibrated": False, "paints": None, "pieces": list(PIECES), "tiles": None}
    assert json.loads(captured.out) == document
    assert "11 pieces found in the row" in captured.err
    assert cv2.imread("found.png") is not None
    assert load_paints(paints_path()) is None
    assert [piece.kind for piece in load_pieces(pieces_path())] == list(PIECES)
    assert main(["learn", "--show"]) == 0
    assert "known by sight: vizier" in capsys.readouterr().out
    assert main(["read", str(SAMPLES / "start.jpg"), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["tiles"]) == 30
    pieces_path().write_text("{", encoding="utf-8")
    assert main(["read", str(SAMPLES / "start.jpg"), "--json"]) == 4
    assert "companion learn --forget" in capsys.readouterr().err
    assert main(["learn", "--forget"]) == 0
    assert not pieces_path().exists()


@pytest.mark.slow
def test_a_person_can_tell_which_piece_is_which(
    row: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # Enter takes what is offered; the vizier is told to be a builder, and the reverse; one is not there.
    monkeypatch.setattr("sys.stdin", io.StringIO("3\nx\n\n1\n-\n" + "\n" * 7))
    assert main(["learn", str(row), "--ask"]) == 0
    told = capsys.readouterr().err
    assert "type a number from 1 to" in told
    kept = {piece.kind: piece for piece in load_pieces(pieces_path())}
    assert list(kept) == [kind for kind in PIECES if kind != "g"]
    # The builder's picture is kept as the vizier's, and the reverse.
    light = {kind: kept[kind].picture[12:28, 14:26].reshape(-1, 3).mean(axis=0) for kind in ("y", "b")}
    assert light["y"][0] / light["y"][2] > 2 * light["b"][0] / light["b"][2]
    assert (tmp_path / "cache").is_dir()
    before = pieces_path().read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n"))
    assert main(["learn", str(row), "--ask"]) == 4
    assert pieces_path().read_bytes() == before


def test_a_folder_that_cannot_be_written_is_told(card: Path, own_folder: Path) -> None:
    (own_folder / "data").write_text("a file in the way", encoding="utf-8")
    assert main(["learn", str(card)]) in (2, 4)
