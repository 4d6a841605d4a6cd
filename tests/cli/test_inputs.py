"""Every command that needs a position takes the same inputs with the same options, and refuses the same."""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from companion.cli.inputs import game_of, open_inputs
from companion.cli.main import main
from companion.inputs import LIMITS
from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.state import GameState
from tests.notation.examples import EXAMPLE_TOML
from tests.notation.recorded_example import THREE_ROUNDS
from tests.opening.readings import photo_reading_as

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
EXAMPLE = parse_position(EXAMPLE_TOML)
COMMANDS = ("check", "show", "score", "moves", "hint")
TAKERS = (*COMMANDS, "read", "edit")


def words(command: str, *sources: str) -> list[str]:
    """The command with what it needs besides its input."""
    rest = {"edit": ["-o", "typed.toml"]}.get(command, [])
    return [command, *sources, *rest]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


@pytest.mark.parametrize("command", COMMANDS)
def test_files_codes_records_and_standard_input_are_taken(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("table").write_text(EXAMPLE_TOML, encoding="utf-8")
    for source in ("table", encode(EXAMPLE), str(THREE_ROUNDS)):
        assert main([command, source, "--json"]) == 0, capsys.readouterr().err
    capsys.readouterr()
    assert main([command, "table", "--json"]) == 0
    from_file = capsys.readouterr().out
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(EXAMPLE_TOML.encode())))
    assert main([command, "-", "--json"]) == 0
    assert capsys.readouterr().out == from_file


@pytest.mark.parametrize("command", COMMANDS)
def test_photos_are_taken_with_the_same_options(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = photo_reading_as(EXAMPLE, monkeypatch, tmp_path / "mid.ppm", notes=("taken at night",))
    other = tmp_path / "other.png"
    other.write_bytes(Path(photo).read_bytes() + b"\0")
    assert main([command, photo, str(other), "--json"]) == 0
    printed = capsys.readouterr()
    json.loads(printed.out)
    assert "taken at night" in printed.err and "\n\n" not in printed.err
    assert main([command, photo, str(other), "--goods", "pink"]) == 2
    assert "COLOUR=PHOTO" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "show", "moves", "hint"])
def test_the_position_and_the_overlay_are_written(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = photo_reading_as(EXAMPLE, monkeypatch, tmp_path / "mid.png")
    assert main([command, photo, "-o", "table.toml"]) == 0
    assert parse_position(Path("table.toml").read_text(encoding="utf-8")) == EXAMPLE
    assert "written: table.toml" in capsys.readouterr().err
    assert main([command, photo, "-o", photo]) == 2
    assert main([command, "table.toml", "--overlay", "seen.jpg"]) == 2
    assert "--overlay draws on a photo" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["check", "show", "moves"])
@pytest.mark.parametrize("option", ["--ask", "--resume"])
def test_there_is_nothing_to_ask_without_a_photo(
    command: str, option: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("table").write_text(EXAMPLE_TOML, encoding="utf-8")
    assert main([*words(command, "table"), option]) == 2
    assert "--ask goes through what is doubtful in a photo" in capsys.readouterr().err
    assert [path.name for path in here.iterdir()] == ["table"]


@pytest.mark.parametrize("command", ["show", "moves", "bid", "hint", "score"])
def test_no_impossible_position_is_written_from_text(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("table").write_text(EXAMPLE_TOML.replace("S15", "S12"), encoding="utf-8")
    assert main([command, "table", "-o", "again.toml"]) == 5
    assert "rules 1.1" in capsys.readouterr().err
    assert [path.name for path in here.iterdir()] == ["table"]


@pytest.mark.slow
def test_a_hint_from_a_large_ppm_writes_position_and_overlay(capsys: pytest.CaptureFixture[str]) -> None:
    Image.open(SAMPLES / "mid.jpg").save("mid.ppm")
    assert Path("mid.ppm").stat().st_size > 1_000_000
    assert main(["hint", "mid.ppm", "--player", "blue", "-o", "table.toml", "--overlay", "seen.jpg", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["moves"]
    assert main(["read", str(SAMPLES / "mid.jpg"), "-o", "read.toml"]) == 0
    assert Path("table.toml").read_text(encoding="utf-8") == Path("read.toml").read_text(encoding="utf-8")
    with Image.open("seen.jpg") as seen:
        assert seen.width == 1800


REFUSED = {
    "nothing there": "there is no file",
    "a folder": "is a folder",
    "a pipe": "is a pipe, not a file",
    "a device": "is a device, not a file",
    "a loop of links": "links",
    "empty": "is empty",
}


@pytest.mark.skipif(os.name != "posix", reason="memory is limited so on POSIX alone")
@pytest.mark.parametrize("command", TAKERS)
def test_a_photo_is_not_begun_with_too_little_memory(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import resource

    def limited(_: int) -> tuple[int, int]:
        return 500_000_000, 500_000_000

    monkeypatch.setattr(resource, "getrlimit", limited)
    assert main(words(command, str(SAMPLES / "mid.jpg"))) == 3
    assert "may have 0.5 GB; raise the limit (ulimit -v)" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices have names on POSIX alone")
@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("command", [*TAKERS, "replay", "learn"])
def test_what_is_no_input_is_refused_alike_everywhere(
    case: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "empty").touch()
    names = {"nothing there": "nowhere", "a folder": "here", "a pipe": "pipe", "a loop of links": "loop"}
    source = "/dev/zero" if case == "a device" else str(tmp_path / names.get(case, case))
    assert main(words(command, source)) == 4
    printed = capsys.readouterr()
    assert printed.out == "" and REFUSED[case] in printed.err and len(printed.err.splitlines()) == 1
    assert not list(Path.cwd().iterdir())


@pytest.mark.skipif(os.name != "posix", reason="pipes have names on POSIX alone")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_pipe_that_the_shell_opened_is_taken(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w") as stream:
        stream.write(EXAMPLE_TOML)
        stream.close()
        assert main([command, f"/dev/fd/{reading}", "--json"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "score"])
def test_a_score_sheet_without_a_board_is_called_what_it_is(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("sheet.toml").write_text('score_sheet = 1\n[players.pink]\ngold = "12"\n', encoding="utf-8")
    assert main([command, "sheet.toml"]) == 4
    assert (
        "sheet.toml: this is a score sheet without a board; only companion score FILE reads those"
    ) in capsys.readouterr().err


@pytest.mark.parametrize("command", ["read", "replay"])
def test_a_code_where_it_is_of_no_use_is_called_one(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, encode(EXAMPLE)]) == 4
    assert capsys.readouterr().err.startswith("companion: the code")


@pytest.mark.parametrize("command", [*TAKERS, "replay"])
def test_a_document_is_called_what_it_is(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("rules").write_bytes(b"%PDF-1.7\n\x80\x81")
    assert main(words(command, "rules")) == 4
    assert "a PDF; send a photo or a picture of the page" in capsys.readouterr().err


def test_what_is_no_photo_is_called_what_it_is_however_large_and_beside_whatever(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("table.raf").write_bytes(b"FUJIFILMCCD-RAW".ljust(LIMITS.text_bytes + 1, b"\0"))
    Path("small.raf").write_bytes(b"FUJIFILMCCD-RAW")
    Path("table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")
    photo = str(SAMPLES / "mid.jpg")
    for name in ("table.raf", "small.raf"):
        beside = ["show", "table.toml", "--goods", f"pink={name}"]
        for given in (["check", name], ["read", name], ["show", photo, name], beside, ["learn", "--tiles", name]):
            assert main(given) == 4, given
            printed = capsys.readouterr().err
            assert f"{name} is " in printed and "a camera's raw file; save it as JPEG\n" in printed, given


@pytest.mark.parametrize("command", TAKERS)
def test_flags_are_shown_as_flags(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "--no-" not in shown.replace("--no-history", "") and "--goods" in shown and "--cards" in shown


def test_goods_may_be_photographed_beside_a_position_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.vision.cards.detection import CardDetection
    from companion.vision.reading import cards

    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 15.0), (0.0, 15.0))
    found = (CardDetection("ivory", 0.99, None, corners, 0), CardDetection(None, 0.4, "silk", corners, 0))
    monkeypatch.setattr(cards, "find_hand", lambda picture: found)
    Path("table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")
    Image.new("RGB", (300, 300)).save("pink.png")
    assert main(["show", "table.toml", "--goods", "pink=pink.png", "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["players"]["pink"]["goods"] == {"ivory": 1, "silk": 1}
    assert "Card 2 of pink: Silk (40%)" in printed.err and "tiles" not in printed.err
    assert main(["show", "table.toml", "--goods", "pink=pink.png", "--overlay", "seen.png"]) == 2
    assert main(["show", "table.toml", "--goods", "pink=table.toml"]) == 2


def test_what_is_told_beside_a_record_goes_with_what_the_record_tells(tmp_path: Path) -> None:
    start = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    assert start.to_move is not None
    mover = start.player(start.to_move)
    other, third = (one for one in start.players if one.colour in (Colour.BLACK, Colour.ORANGE))
    start = start.with_player(replace(mover, elders=4, djinns=("Echidna",), gold=None))
    record = tmp_path / "game.txt"
    record.write_text(
        f"Five Tribes record 1\nunseen: {other.colour} 2, {third.colour} 1\nsetup: {encode(start)}\n\n"
        f"{mover.colour}: use Echidna for 2 elders ...\n",
        encoding="utf-8",
    )
    opened = open_inputs([str(record)])
    told = opened.position.with_player(replace(opened.position.player(mover.colour), gold=31))
    told = told.with_player(replace(told.player(third.colour), goods=(2, *[0] * (len(GOODS) - 1))))
    game = game_of(opened, told)
    assert isinstance(game, GameState)
    assert (game.position, game.progress.used, game.unseen) == (told, ("Echidna",), {other.colour: 2})
    assert game_of(opened, opened.position) == opened.record.state if opened.record else False
    assert game_of(opened, told, other.colour) is told
