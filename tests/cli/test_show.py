"""`companion show`, and the board as it is drawn in the terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path

from hypothesis import given, settings
from rich.console import Console

from companion.cli.views.board_view import BoardView
from companion.notation.codes import encode
from companion.notation.files import parse_position, to_document
from companion.rules.model.board import Board
from tests.cli.ran import Capsys, Patch, printed_json, ran, written
from tests.notation.examples import EXAMPLE_ROWS, EXAMPLE_TOML
from tests.strategies import boards

EXAMPLE = parse_position(EXAMPLE_TOML)


def drawn(board: Board, *, width: int = 80, doubtful: tuple[int, ...] = ()) -> list[str]:
    stream = io.StringIO()
    Console(file=stream, width=width, color_system=None).print(BoardView(board, doubtful))
    return stream.getvalue().splitlines()


def test_code_and_json_tell_the_whole_position(table: str, capsys: Capsys) -> None:
    for option in ("--code", "--json"):
        assert parse_position(ran(capsys, ["show", table, option]).out) == EXAMPLE
    assert printed_json(capsys, ["show", encode(EXAMPLE)]) == to_document(EXAMPLE)
    assert ran(capsys, ["show", table, "--code", "--json"], 2).out == ""


def test_without_colour_kind_value_and_red_or_blue_are_told(table: str, capsys: Capsys) -> None:
    lines = ran(capsys, ["show", table]).out.splitlines()
    assert "\x1b" not in "".join(lines)
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == list("abcdef")
    cells = [" ".join(cell.split()) for cell in lines[2].split("│")[1:7]]
    assert cells == ["Oasis 8", "Market 4", "Market 4", "Village [5]", "Sacred [6]", "Village [5]"]
    assert [cell.strip() for cell in lines[3].split("│")[1:7]] == ["★w ■■g", "●y ▲b ◆r", "", "★w", "▲▲b", ""]
    assert [cell.strip() for cell in lines[4].split("│")[1:7]] == ["", "", "", "@P #1", "", ""]
    assert any(re.match(r"Djinns\s+Utug \(4\), Al-Amin \(5\), Nekir \(6\)", line) for line in lines)


def test_a_narrow_terminal_gets_the_notation() -> None:
    assert drawn(EXAMPLE.board, width=60)[0].split() == ["1", "O8:wgg", "M4:ybr", "M4", "V5:w@P#1", "S6:bb", "V5"]


def test_doubtful_squares_are_marked() -> None:
    marked = drawn(EXAMPLE.board, doubtful=(0, 14))
    plain = drawn(EXAMPLE.board)
    changed = [number for number, pair in enumerate(zip(marked, plain, strict=False)) if pair[0] != pair[1]]
    assert len(changed) == 2
    assert "Oasis?   8" in marked[2]
    assert "not sure" in marked[-1] and len(marked) == len(plain) + 1


@settings(max_examples=15)
@given(boards())
def test_every_board_fits_75_columns_and_shows_every_meeple(board: Board) -> None:
    lines = drawn(board)
    assert max(map(len, lines)) <= 75
    grid = " ".join(line[2:] for line in lines[2:] if line[2:3] == "│")
    for place, (shape, letter) in enumerate(zip("●★▲■◆", "ywbgr", strict=True)):
        groups = re.findall(rf"(\d*)({shape}+){letter}", grid)
        shown = sum(int(number) if number else len(shapes) for number, shapes in groups)
        assert shown == sum(tile.meeples[place] for tile in board)


def test_the_position_need_not_know_anything_else(capsys: Capsys, tmp_path: Path) -> None:
    path = written(tmp_path / "board.txt", "\n".join(EXAMPLE_ROWS))
    assert re.search(r"Card row\s+\?", ran(capsys, ["show", path]).out)


def test_no_card_of_the_row_is_parted_from_its_place(capsys: Capsys, monkeypatch: Patch) -> None:
    for columns in (64, 78, 92):
        monkeypatch.setenv("COLUMNS", str(columns))
        row = ran(capsys, ["show", "samples/mid.toml", "--lang", "qps"]).out.partition("Utug")[0].splitlines()[-5:-1]
        assert re.search(r" 9 \w", "\n".join(row)) and not [line for line in row if re.search(r" [1-9] *$", line)]
