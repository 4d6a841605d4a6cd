from __future__ import annotations

import json
from pathlib import Path

from tests.cli.ran import Capsys, printed_json, ran


def spoil(table: str, old: str, new: str) -> None:
    text = Path(table).read_text(encoding="utf-8")
    assert old in text
    Path(table).write_text(text.replace(old, new, 1), encoding="utf-8")


def test_an_invalid_position_is_5_and_the_document_is_printed(table: str, capsys: Capsys) -> None:
    spoil(table, "M4:ybr", "S6")
    spoil(table, '"Jafaar"', '"Utug"')
    assert printed_json(capsys, ["check", "samples/mid.toml"]) == {"valid": True, "problems": []}
    document = printed_json(capsys, ["check", table], 5)
    assert document["valid"] is False
    assert [(fault["where"], fault["rule"]) for fault in document["problems"]] == [("board", "1.1"), ("pink", "1.5")]
    assert all(list(fault) == ["where", "rule", "message"] for fault in document["problems"])


def test_people_get_counts_and_a_verdict(table: str, capsys: Capsys) -> None:
    printed = ran(capsys, ["check", table]).out
    rows = [line.split() for line in printed.splitlines()]
    assert any(row[-6:] == ["y", "viziers", "5", "2", "9", "16"] for row in rows)
    assert any(row[-6:] == ["fish", "2", "2", "1", "1", "6"] for row in rows)
    assert "This position is possible" in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_people_get_every_fault(table: str, capsys: Capsys) -> None:
    spoil(table, '"ivory", "fish"', '"ivory", "ivory", "ivory", "fish"')
    spoil(table, '"Jafaar"', '"Utug"')
    printed = " ".join(ran(capsys, ["check", table], 5).out.split())
    assert "ivory" in printed and "rules 1.4" in printed and "Utug" in printed and "2 problems" in printed


def test_what_is_odd_goes_to_standard_error(table: str, capsys: Capsys) -> None:
    spoil(table, "S6@P S6", "S6@P S6^1")
    printed = ran(capsys, ["check", table, "--json"])
    assert json.loads(printed.out)["valid"] is True
    assert "f5: a palm" in printed.err
