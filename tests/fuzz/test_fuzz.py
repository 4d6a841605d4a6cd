"""A short part of the fuzzing, the same each time, and the harness itself; `make fuzz` does it at length."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

import pytest

from companion.errors import NotationError
from tests.fuzz import kills, running
from tests.fuzz.campaign import fuzz
from tests.fuzz.cases import CLASSES, Case, make
from tests.fuzz.running import run

SAMPLE = (Path(__file__).resolve().parents[2] / "samples" / "mid.toml").read_bytes()


@pytest.mark.slow
def test_spoilt_inputs_of_every_class_end_as_they_should() -> None:
    counts, faults, _ = fuzz(150, seed=20)
    assert faults == []
    assert set(counts) >= set(CLASSES) - {"qr"}
    assert sum(counted[0] for counted in counts.values()) >= 20


def test_the_same_numbers_make_the_same_input() -> None:
    for kind in CLASSES:
        assert make(7, 3, kind) == make(7, 3, kind)
        assert make(7, 3, kind) != make(7, 4, kind) or kind == "kept"


def _break(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    def broken(*_: object, **__: object) -> None:
        if how == "fault":
            raise ZeroDivisionError
        if how == "hang":
            while True:
                time.sleep(0.01)
        if how == "control":
            sys.stdout.write("\x1b]0;title\x07")
        if how == "litter":
            Path("litter").touch()
        if how == "temporary":
            Path(".companion-999999999-a.tmp").touch()
        if how == "input":
            Path("in.toml").write_bytes(b"")
        if how == "half":
            Path("out.toml").write_bytes(b"board = ")
        raise NotationError("broken")

    monkeypatch.setattr("companion.opening.position.read_inputs", broken)
    if how == "hang":
        monkeypatch.setattr(running, "MAX_WAIT_S", 0.5)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("fault", "ends in status 1"),
        ("hang", "hangs"),
        ("control", "control characters"),
        ("litter", "nobody asked for"),
        ("temporary", "leaves .* behind"),
        ("input", "changed or removed in.toml"),
        ("half", "not whole"),
    ],
)
def test_what_goes_wrong_is_noticed(how: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(("show", "in.toml"), {"in.toml": SAMPLE}, outputs=("out.toml",))
    assert run(case, tmp_path / "sound").faults == []
    _break(monkeypatch, how)
    outcome = run(case, tmp_path / "broken")
    assert len(outcome.faults) >= 1

    assert re.search(words, outcome.faults[0])


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_commands_that_are_killed_lose_nothing_and_leave_nothing_half_written() -> None:
    done, _, faults = kills.kills(3, seed=1)
    assert faults == []
    assert done.total() == 3


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_what_a_kill_leaves_is_noticed(tmp_path: Path) -> None:
    scenario = kills.SCENARIOS["play"]
    data = tmp_path / "data"
    assert kills._lost(scenario, tmp_path, data, "  noted\n  noted\n") == [
        "lost: 'note 0 of the game'",
        "lost: 'note 1 of the game'",
    ]
    (tmp_path / "out.pdf").write_bytes(b"%PDF-1.4 half")
    assert kills._half_written(kills.SCENARIOS["setup"], tmp_path, {}) == ["out.pdf is not whole: no whole PDF"]
