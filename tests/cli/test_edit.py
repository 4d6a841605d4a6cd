"""`companion edit`: positions typed row by row, corrected, kept as drafts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.errors import ExitStatus
from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from tests.cli.ran import Capsys, Patch, ran
from tests.cli.scored import type_in
from tests.notation.examples import EXAMPLE_ROWS, EXAMPLE_TOML
from tests.opening.readings import photo_reading_as

EXAMPLE = parse_position(EXAMPLE_TOML)
SHORT_ROWS = [
    "8ggw 4ybr 4 5w@P# S6bb V",
    "5r O8@K^ 12yyw M6g O8 O8сз",
    "O8 M4ww M6 M6y M6bb M6r",
    "V5g 10 О8жз M6w M6 M6",
    "M4r 15b S6 V5 S6@pink S6",
]
BESIDE = [
    "fa iv fi fi silk",
    "utug, al amin nekir",
    "pink gold 41, viziers 2, elders 3, fakirs 1, ivory 1, fish 2, djinns jafaar",
    "black gold 38",
    "phase turn",
    "move pink",
    "bids black pink",
    "turns pink 5 black 0",
    "discards fish fakir",
]


@pytest.fixture(autouse=True)
def output(tmp_path: Path, monkeypatch: Patch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "t.toml"


def drafts(tmp_path: Path) -> list[Path]:
    return list((tmp_path / "data").rglob("*.json"))


def read(path: Path) -> Position:
    return parse_position(path.read_text(encoding="utf-8"))


def test_what_goes_with_photos_is_refused_without_any(output: Path, capsys: Capsys) -> None:
    for words in (["--goods", "pink=none.jpg"], ["--cards", "none.jpg", "--resume"]):
        assert "need a position or photos" in ran(capsys, ["edit", "-o", str(output), *words], 2).err
    assert list(output.parent.iterdir()) == []
    for begin, status in ((["-"], 2), (["nowhere.toml"], 4), (["x", "--resume"], 2), (["--resume"], 4)):
        assert main(["edit", *begin, "-o", str(output)]) == status


def test_a_position_typed_from_nothing(output: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    for path in (output, output.with_suffix(".json")):
        type_in(monkeypatch, *SHORT_ROWS, *BESIDE, "done")
        assert main(["edit", "-o", str(path)]) == 0
        assert read(path) == EXAMPLE and drafts(output.parent) == []
    printed = capsys.readouterr().out
    assert "O8 5  M6 8  M4 2  V5 3  S6 3  S10 1  S12 1  S15 1" in printed, "counts of what is missing follow each line"
    assert "●y 15  ★w 18  ▲b 15  ■g 16  ◆r 17" in printed


def test_a_position_is_corrected_and_lines_are_taken_back(output: Path, monkeypatch: Patch) -> None:
    type_in(monkeypatch, "", "с3 M6:rr", "", ". . . . . M6g", "a1 V5", "undo", "row none", "undo", "done")
    assert main(["edit", encode(EXAMPLE), "-o", str(output)]) == 0
    rows = [row.split() for row in EXAMPLE_ROWS]
    rows[2][2], rows[2][5] = "M6:rr", "M6:g"
    changed = read(output)
    assert changed.board == parse_position("\n".join(map(" ".join, rows))).board
    assert (changed.players, changed.row) == (EXAMPLE.players, EXAMPLE.row)


def test_a_fault_is_marked_and_nothing_impossible_is_written(output: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, "S15 S15 S6 S6 S6 S6", "1: O8yyyyyyyyyyyyyyyyy M4 M4 V5 S6 V5", "done", "quit")
    printed = ran(capsys, ["edit", "-o", str(output)]).out
    assert "S15 -1" in printed
    assert "●y -1" in printed
    assert "24 tiles are still missing" in printed and not output.exists()
    output.write_text("mine", encoding="utf-8")
    type_in(monkeypatch, "b1 S6", "done", "b1 M4ybr", "done")
    assert main(["edit", encode(EXAMPLE), "-o", str(output)]) == 2 and output.read_text(encoding="utf-8") == "mine"
    assert main(["edit", encode(EXAMPLE), "-o", str(output), "--force"]) == 0
    assert "position is impossible" in capsys.readouterr().out and read(output) == EXAMPLE


NOT_UNDERSTOOD = {
    "": "row 1 lacks 6 tiles",
    "O8 O8": "row 1: 2 tiles",
    "O8 O8 O8 O8 O8 6": "f1: '6': 6 may be M6 or S6",
    ". O8 O8 O8 O8 M4": "a1: there is no tile to keep",
    "a1": "a1: type the square and its tile",
    "pink gold 41 42": "'gold 41 42' makes no sense here",
    "pink ivory 2 silk": "'ivory 2 silk' makes no sense here; type each thing as a number and a name",
    "pink viziers two": "nothing that a player holds is called 'two'",
    "pink viziers 12 VP": "not points",
    "turns pink": "type colours and prices",
    "row": "type what it holds",
    "djinns Utug Nobody": "no djinn is called 'Nobody'",
    "phase night": "expected bid, turn or end",
}


def test_a_line_that_is_not_understood_changes_nothing(output: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, *NOT_UNDERSTOOD, *SHORT_ROWS, "done")
    printed = ran(capsys, ["edit", "-o", str(output)]).out
    assert [words for words in NOT_UNDERSTOOD.values() if words not in printed] == []
    assert read(output) == Position(EXAMPLE.board)


def test_what_was_typed_is_kept_when_the_input_ends_and_taken_up_again(
    output: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    type_in(monkeypatch, *SHORT_ROWS[:2], "^C")
    assert main(["edit", "-o", str(output)]) == ExitStatus.INTERRUPTED
    (draft,) = drafts(tmp_path)
    assert json.loads(draft.read_text(encoding="utf-8"))["lines"] == [["line", row] for row in SHORT_ROWS[:2]]
    type_in(monkeypatch, *SHORT_ROWS[2:3])
    assert (
        f"continue with companion edit -o {output} --resume"
        in ran(capsys, ["edit", "-o", str(output), "--resume"], 4).err
    )
    assert "--resume" in ran(capsys, ["edit", "-o", str(output)], 2).err
    type_in(monkeypatch, *SHORT_ROWS[3:], *BESIDE, "done")
    assert main(["edit", "-o", str(output), "--resume"]) == 0
    assert read(output) == EXAMPLE and drafts(tmp_path) == []
    type_in(monkeypatch, "c3 M6:rr", "quit")
    assert main(["edit", encode(EXAMPLE), "-o", str(output), "--force"]) == 0
    type_in(monkeypatch, "c3 M6", "done")
    assert main(["edit", "-o", str(output), "--resume", "--force"]) == 0
    assert read(output) == EXAMPLE, "a draft remembers what it started from"


def test_a_damaged_draft_is_said(output: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, SHORT_ROWS[0], "quit")
    main(["edit", "-o", str(output)])
    (draft,) = drafts(tmp_path)
    damaged: list[object] = [{"draft": 1}]
    for start, lines in (
        ({"doubtful": [99], "position": None}, []),
        ({"doubtful": "c3", "position": None}, []),
        ({"doubtful": [], "position": {"board": "O8"}}, []),
        ({"doubtful": [], "position": None}, [["line", "c3 O8ggggggggggggggggggggggggggggggggggg@Q"]]),
    ):
        damaged.append({"draft": 2, "kind": "edit", "start": start, "lines": lines})
    for document in damaged:
        draft.write_text(json.dumps(document), encoding="utf-8")
        assert "is damaged" in ran(capsys, ["edit", "-o", str(output), "--resume"], 4).err


def test_a_photo_is_a_beginning_and_its_doubts_are_shown(
    output: Path, tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    # A misreading may be impossible; that is what editing is for.
    misread = EXAMPLE.with_board((parse_position("\n".join(EXAMPLE_ROWS)).board[4], *EXAMPLE.board[1:]))
    photo = photo_reading_as(misread, monkeypatch, tmp_path / "photo.png", doubtful=(0, 14))
    type_in(monkeypatch, "done", "a1 O8ggw", "show", "done")
    printed = ran(capsys, ["edit", photo, "-o", str(output)]).out
    assert "a1, c3" in printed and "S6 tiles" in printed
    shown = printed.split("> show")[1]
    assert "Oasis    8" in shown and "Market?  6" in shown
    assert read(output) == EXAMPLE


def test_players_are_typed_as_what_lies_in_front_of_them(output: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    lines = [
        "pink 41 gold, 2 viziers, 2 silk, fish, 3 fakirs, Jafaar",
        "pink 3 elders",
        "black goods none, djinns none",
    ]
    type_in(monkeypatch, *SHORT_ROWS, "", "", *lines, "done")
    assert main(["edit", "-o", str(output)]) == 0
    pink, black = (read(output).player(colour) for colour in (Colour.PINK, Colour.BLACK))
    assert (pink.gold, pink.viziers, pink.elders, pink.fakirs, pink.djinns) == (41, 2, 3, 3, ("Jafaar",))
    assert pink.goods == (0, 0, 0, 0, 2, 0, 1, 0, 0)
    assert (black.gold, black.goods, black.djinns) == (None, (0,) * 9, ())
    printed = capsys.readouterr().out
    assert "  pink: 41 gold, 2 viziers, 2 silk, 1 fish, 3 fakirs, Jafaar (goods 4 VP)\n" in printed
    assert "  black: no goods, no djinns\n" in printed
