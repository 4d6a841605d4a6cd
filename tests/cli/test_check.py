from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.ran import Capsys, ran
from tests.notation.examples import EXAMPLE_TOML


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(EXAMPLE_TOML, encoding="utf-8")
    return path


def spoil(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_valid_position(table: Path, capsys: Capsys) -> None:
    assert json.loads(ran(capsys, ["check", str(table), "--json"]).out) == {"valid": True, "problems": []}


def test_an_invalid_position_is_5_and_the_document_is_printed(table: Path, capsys: Capsys) -> None:
    spoil(table, "M4:ybr", "S6")
    spoil(table, '"Jafaar"', '"Utug"')
    document = json.loads(ran(capsys, ["check", str(table), "--json"], 5).out)
    assert document["valid"] is False
    assert [(fault["where"], fault["rule"]) for fault in document["problems"]] == [("board", "1.1"), ("pink", "1.5")]
    assert all(list(fault) == ["where", "rule", "message"] for fault in document["problems"])


def test_malformed_text_is_4_and_prints_nothing(table: Path, capsys: Capsys) -> None:
    spoil(table, "S10", "S11")
    printed = ran(capsys, ["check", str(table), "--json"], 4)
    assert printed.out == ""
    assert "b4" in printed.err and "S11" in printed.err


def test_people_get_counts_and_a_verdict(table: Path, capsys: Capsys) -> None:
    printed = ran(capsys, ["check", str(table)]).out
    rows = [line.split() for line in printed.splitlines()]
    assert any(row[-6:] == ["y", "viziers", "5", "2", "9", "16"] for row in rows)
    assert any(row[-6:] == ["fish", "2", "2", "1", "1", "6"] for row in rows)
    assert "can stand on a table" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_people_get_every_fault(table: Path, capsys: Capsys) -> None:
    spoil(table, '"ivory", "fish"', '"ivory", "ivory", "ivory", "fish"')
    spoil(table, '"Jafaar"', '"Utug"')
    printed = " ".join(ran(capsys, ["check", str(table)], 5).out.split())
    assert "ivory" in printed and "rules 1.4" in printed and "Utug" in printed and "2 problems" in printed


def test_what_is_odd_goes_to_standard_error(table: Path, capsys: Capsys) -> None:
    spoil(table, "S6@P S6", "S6@P S6^1")
    printed = ran(capsys, ["check", str(table), "--json"])
    assert json.loads(printed.out)["valid"] is True
    assert "f5: a palm" in printed.err
