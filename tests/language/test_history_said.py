"""What `companion history` says, in the language that shows English left over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.history.database import open_history
from companion.history.opening import history_path
from companion.notation.records.lines import format_record
from tests.history.games import clock, setup_text
from tests.language.said import say_in
from tests.notation.recorded_games import random_record

KEYS = ("aaaa1111bbbb", "cccc2222dddd")


@pytest.fixture
def keys() -> tuple[str, ...]:
    """A history with a finished game and one that goes on, their keys the given ones."""
    left = iter(KEYS)
    with open_history(history_path(os.environ), now=clock(), new_key=lambda: next(left)) as history:
        history.finish(history.begin(format_record(random_record(2, 3)[0])))
        history.begin(setup_text())
    return KEYS


@pytest.mark.parametrize(
    "words",
    [
        (),
        (KEYS[0],),
        (KEYS[1],),
        ("none-such",),
        ("--forget",),
        (KEYS[0], "--forget"),
        ("--forget", "--force"),
        ("--backup", "copy.sqlite3"),
        ("--export", "games.json"),
        ("--import", "missing.json"),
        ("--plot", "plot.svg"),
        ("--keep",),
        ("--no-history",),
        ("--keep", "--no-history"),
        ("-o", "x.txt"),
    ],
    ids=" ".join,
)
def test_no_english_is_left(
    keys: tuple[str, ...],
    words: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    said = say_in("qps", capsys, "history", *words)
    assert said.out or said.err
    assert said.english(*keys, "none such copy sqlite FILE") == []
    assert said.too_wide() == []


def test_no_english_is_left_where_the_file_is_damaged(
    keys: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    history_path(os.environ).write_bytes(b"spoilt" * 999)
    said = say_in("qps", capsys, "history")
    kept = next(history_path(os.environ).parent.glob("*.damaged-*"))
    assert said.english(*keys, str(kept)) == []
