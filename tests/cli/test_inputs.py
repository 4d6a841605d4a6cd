"""Every command that needs a position takes the same inputs with the same options, and refuses the same."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from companion.cli.inputs import game_of, open_inputs
from companion.cli.main import main
from companion.cli.output import check_outputs
from companion.errors import UsageError
from companion.inputs import LIMITS
from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.state import GameState
from tests.cli.ran import Capsys, Patch, ran
from tests.notation.examples import EXAMPLE_TOML
from tests.notation.recorded_example import THREE_ROUNDS
from tests.opening.readings import photo_reading_as
from tests.samples import MID, SAMPLES

EXAMPLE = parse_position(EXAMPLE_TOML)
COMMANDS = ("check", "show", "score", "moves", "hint --playouts 60")
TAKERS = (*COMMANDS, "read", "edit -o typed.toml")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: Patch) -> Path:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def each(subtests: pytest.Subtests, commands: tuple[str, ...], *sources: str) -> Iterator[list[str]]:
    """The words of each command with these inputs, each in a test of its own."""
    for command in commands:
        with subtests.test(msg=command):
            name, *options = command.split()
            yield [name, *sources, *options]


def test_files_codes_records_and_standard_input_are_taken(
    monkeypatch: Patch, capsys: Capsys, subtests: pytest.Subtests
) -> None:
    Path("table").write_text(EXAMPLE_TOML, encoding="utf-8")
    for source in (encode(EXAMPLE), str(THREE_ROUNDS)):
        assert main(["check", source, "--json"]) == 0, capsys.readouterr().err
    for words in each(subtests, COMMANDS):
        capsys.readouterr()
        from_file = ran(capsys, [*words, "table", "--json"]).out
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(EXAMPLE_TOML.encode())))
        assert ran(capsys, [*words, "-", "--json"]).out == from_file


def test_photos_are_taken_with_the_same_options(
    tmp_path: Path, monkeypatch: Patch, capsys: Capsys, subtests: pytest.Subtests
) -> None:
    photo = photo_reading_as(EXAMPLE, monkeypatch, tmp_path / "mid.ppm", notes=("taken at night",))
    other = tmp_path / "other.png"
    other.write_bytes(Path(photo).read_bytes() + b"\0")
    for words in each(subtests, COMMANDS, photo, str(other)):
        printed = ran(capsys, [*words, "--json"])
        json.loads(printed.out)
        assert "taken at night" in printed.err and "\n\n" not in printed.err
        assert "COLOUR=PHOTO" in ran(capsys, [*words, "--goods", "pink"], 2).err


def test_the_position_is_written(tmp_path: Path, monkeypatch: Patch, capsys: Capsys, subtests: pytest.Subtests) -> None:
    photo = photo_reading_as(EXAMPLE, monkeypatch, tmp_path / "mid.png")
    for words in each(subtests, ("show", "hint --playouts 60"), photo):
        assert main([*words, "-o", "table.toml", "--force"]) == 0
        assert parse_position(Path("table.toml").read_text(encoding="utf-8")) == EXAMPLE
        assert "written: table.toml" in capsys.readouterr().err
        assert main([*words, "-o", photo]) == 2


def test_no_impossible_position_is_written(here: Path, capsys: Capsys, subtests: pytest.Subtests) -> None:
    Path("table").write_text(EXAMPLE_TOML.replace("S15", "S12"), encoding="utf-8")
    for words in each(subtests, ("show", "hint", "score"), "table"):
        assert "rules 1.1" in ran(capsys, [*words, "-o", "again.toml"], 5).err
    for words in each(subtests, ("moves", "bid"), "table"):
        assert "rules 1.1" in ran(capsys, words, 5).err
    assert [path.name for path in here.iterdir()] == ["table"]


@pytest.mark.skipif(os.name != "posix", reason="memory, pipes and devices as POSIX has them")
def test_what_is_no_input_is_refused_alike_everywhere(
    here: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capsys, subtests: pytest.Subtests
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "empty").touch()
    (tmp_path / "rules").write_bytes(b"%PDF-1.7\n\x80\x81")
    (tmp_path / "table.raf").write_bytes(b"FUJIFILMCCD-RAW".ljust(LIMITS.text_bytes + 1, b"\0"))
    refused = {
        "nowhere": "there is no file",
        "here": "is a folder",
        "pipe": "is a pipe, not a file",
        "/dev/zero": "is a device, not a file",
        "loop": "links",
        "empty": "is empty",
        "rules": "a PDF; send a photo or a picture of the page",
        "table.raf": "a camera's raw file; save it as JPEG",
    }
    for source, sentence in refused.items():
        with subtests.test(msg=source):
            assert sentence in ran(capsys, ["check", str(tmp_path / source)], 4).err
    for words in each(subtests, (*TAKERS, "replay"), str(tmp_path / "pipe")):
        printed = ran(capsys, words, 4)
        assert printed.out == "" and len(printed.err.splitlines()) == 1
    assert not list(here.iterdir())
    reading, writing = os.pipe()
    with os.fdopen(reading), os.fdopen(writing, "w") as stream:
        stream.write(EXAMPLE_TOML)
        stream.close()
        assert main(["show", f"/dev/fd/{reading}", "--json"]) == 0, "a pipe that the shell opened is taken"
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda _: (500_000_000, 500_000_000))
    for words in each(subtests, TAKERS, str(SAMPLES / "mid.jpg")):
        assert "0.5 GB" in ran(capsys, words, 3).err


def test_a_sheet_or_a_code_where_it_is_of_no_use_is_called_what_it_is(capsys: Capsys) -> None:
    Path("sheet.toml").write_text('score_sheet = 1\n[players.pink]\ngold = "12"\n', encoding="utf-8")
    for command in ("check", "hint"):
        assert "a score sheet without a board" in ran(capsys, [command, "sheet.toml"], 4).err
    for command in ("read", "replay"):
        assert ran(capsys, [command, encode(EXAMPLE)], 4).err.startswith("companion: the code")


def test_goods_may_be_photographed_beside_a_position_file(monkeypatch: Patch, capsys: Capsys) -> None:
    from companion.vision.reading import cards
    from companion.vision.readings import CardDetection

    corners = ((0.0, 0.0), (10.0, 0.0), (10.0, 15.0), (0.0, 15.0))
    found = (CardDetection("ivory", 0.99, None, corners, 0), CardDetection(None, 0.4, "silk", corners, 0))
    monkeypatch.setattr(cards, "find_hand", lambda picture: found)
    Path("table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")
    Image.new("RGB", (300, 300)).save("pink.png")
    printed = ran(capsys, ["show", "table.toml", "--goods", "pink=pink.png", "--json"])
    assert json.loads(printed.out)["players"]["pink"]["goods"] == {"ivory": 1, "silk": 1}
    assert "card 2 of pink: silk (40%)" in printed.err.lower() and "tiles" not in printed.err
    assert main(["show", "table.toml", "--goods", "pink=table.toml"]) == 2


def test_what_is_told_beside_a_record_goes_with_what_the_record_tells(tmp_path: Path) -> None:
    mover = MID.player(Colour.BLUE)
    other, third = (player for player in MID.players if player.colour in (Colour.BLACK, Colour.ORANGE))
    start = MID.with_player(replace(mover, elders=4, djinns=("Echidna",), gold=None))
    record = tmp_path / "game.txt"
    record.write_text(
        f"Five Tribes record 1\nunseen: {other.colour} 2, {third.colour} 1\nsetup: {encode(start)}\n\n"
        f"{mover.colour}: use Echidna for 2 elders ...\n",
        encoding="utf-8",
    )
    opened = open_inputs([str(record)])
    known = opened.position.with_player(replace(opened.position.player(mover.colour), gold=31))
    known = known.with_player(replace(known.player(third.colour), goods=(2, *[0] * (len(GOODS) - 1))))
    game = game_of(opened, known)
    assert isinstance(game, GameState)
    assert (game.position, game.progress.used, game.unseen) == (known, ("Echidna",), {other.colour: 2})
    assert opened.record is not None and game_of(opened, opened.position) == opened.record.state
    assert game_of(opened, known, other.colour) is known


# Outputs.


def test_every_output_has_the_ending_of_what_it_holds(here: Path, capsys: Capsys, subtests: pytest.Subtests) -> None:
    Path("table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")
    for words, wanted in {
        "score table.toml --pdf noending": ".pdf",
        "score table.toml -o end.txt": ".toml or .json",
        "edit -o new.yaml": ".toml or .json",
        "read photo.jpg -o table.txt": ".toml or .json",
        "read photo.jpg --overlay seen.gif": ".jpg, .jpeg or .png",
    }.items():
        with subtests.test(msg=words):
            printed = ran(capsys, words.split(), 2)
            assert f"must end in {wanted}" in printed.err and printed.out == ""
    assert [path.name for path in here.iterdir()] == ["table.toml"]
    assert main(["score", "table.toml", "-o", "END.JSON"]) == 0
    assert parse_position(Path("END.JSON").read_text(encoding="utf-8")) == EXAMPLE
    with pytest.raises(UsageError, match="given for two files"):
        check_outputs((here / "one.json", (".json",)), (here / "." / "one.json", (".json",)), force=True)


def test_no_output_is_written_over_an_input(here: Path, capsys: Capsys, subtests: pytest.Subtests) -> None:
    for words in (
        "score table.toml -o OUT.toml --force",
        "setup --template table.toml -o OUT.pdf --force",
        "read table.toml -o OUT.json --force",
        "read other.jpg --cards table.toml --overlay OUT.png --force",
        "read other.jpg --goods pink=table.toml --overlay OUT.png --force",
        "replay table.toml -o OUT.toml --force",
    ):
        output = next(Path(word) for word in words.split() if word.startswith("OUT"))
        for link in ("same", "symlink", "hardlink") if words.startswith("score") else ("same",):
            with subtests.test(msg=f"{words} {link}"):
                table = Path("table.toml") if link != "same" else output
                table.write_text(EXAMPLE_TOML, encoding="utf-8")
                if link == "symlink":
                    output.symlink_to(table.absolute())
                elif link == "hardlink":
                    output.hardlink_to(table)
                assert "never overwritten" in ran(capsys, words.replace("table.toml", str(table)).split(), 2).err
                assert table.read_text(encoding="utf-8") == EXAMPLE_TOML
            output.unlink(missing_ok=True)


def test_edit_may_write_over_what_it_read_and_keeps_that_beside_it(monkeypatch: Patch, capsys: Capsys) -> None:
    Path("table.toml").write_text(EXAMPLE_TOML, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("done\n"))
    assert "table.toml.bak" in ran(capsys, ["edit", "table.toml", "-o", "table.toml", "--force"]).out
    assert Path("table.toml.bak").read_text(encoding="utf-8") == EXAMPLE_TOML
    assert parse_position(Path("table.toml").read_text(encoding="utf-8")) == EXAMPLE
