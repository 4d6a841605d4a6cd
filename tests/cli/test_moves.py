"""`companion moves`: the three counts as JSON and as a person reads them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.notation.tokens import parse_board
from companion.rules.engine.sowing import check_sowing
from tests.cli.ran import Capsys, printed_json, ran, written
from tests.notation.examples import EXAMPLE_ROWS
from tests.rules.tables import parse_sowing


@pytest.fixture
def board(tmp_path: Path) -> str:
    return written(tmp_path / "board.txt", "\n".join(EXAMPLE_ROWS))


def test_json_is_the_contract_and_nothing_else(board: str, capsys: Capsys) -> None:
    assert printed_json(capsys, ["moves", board]) == {"sequences": 34, "boards": 34, "outcomes": 18}


def test_a_person_sees_each_start_tile(board: str, capsys: Capsys) -> None:
    out = ran(capsys, ["moves", board]).out
    assert "sequences  34" in out
    assert [line.split() for line in out.splitlines() if line[:2] == " 1"] == [["1", "9", "2", ".", "0", "3", "."]]
    assert max(map(len, out.splitlines())) <= 80


def test_rules_9_2_a_tile_without_moves_says_nothing_of_the_round(board: str, tmp_path: Path, capsys: Capsys) -> None:
    for tile in ("c1", "d1"):
        out = ran(capsys, ["moves", board, "--from", tile]).out
        assert f"No legal move begins on {tile}; without --from" in out and "9.2" not in out
    bare = written(
        tmp_path / "bare.txt", "\n".join(" ".join(tile.split(":")[0] for tile in row.split()) for row in EXAMPLE_ROWS)
    )
    assert "this round is the last (rules 9.2)" in ran(capsys, ["moves", bare]).out


def test_listed_moves_are_legal_and_limited(board: str, capsys: Capsys) -> None:
    out = ran(capsys, ["moves", board, "--top", "5"]).out
    listed = [line for line in out.splitlines() if ">" in line]
    assert len(listed) == 5
    for text in listed:
        check_sowing(parse_board("\n".join(EXAMPLE_ROWS)), parse_sowing(text))
    assert "29 more" in out


def test_listed_moves_in_json(board: str, capsys: Capsys) -> None:
    assert printed_json(capsys, ["moves", board, "--from", "A1"])["sequences"] == 9
    document = printed_json(capsys, ["moves", board, "--top", "9", "--from", "b1"])
    assert document["sequences"] == len(document["moves"]) == 2
    assert set(document["moves"][0]) == {"from", "path", "drops"}


def test_too_many_boards_are_null_and_said(tmp_path: Path, capsys: Capsys) -> None:
    path = written(tmp_path / "heap.txt", "\n".join(EXAMPLE_ROWS).replace("S12:yyw", "S12:" + "w" * 10 + "r" * 7))
    captured = ran(capsys, ["moves", path, "--json"])
    assert json.loads(captured.out)["boards"] is None
    assert "hands of up to 16" in captured.err
    assert "too many to count" in ran(capsys, ["moves", path]).out


def test_wrong_usage_and_an_impossible_position(board: str, tmp_path: Path, capsys: Capsys) -> None:
    for arguments in (["--from", "g7"], ["--top", "-1"]):
        printed = ran(capsys, ["moves", board, *arguments], 2)
        assert printed.out == "" and arguments[0] in printed.err
    path = written(tmp_path / "impossible.txt", "\n".join(EXAMPLE_ROWS).replace("S12", "S15"))
    assert ran(capsys, ["moves", path, "--json"], 5).out == ""
