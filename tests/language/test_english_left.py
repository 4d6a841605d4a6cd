"""No English is left in what commands print in another language, and no line is too wide. The cases: commands.toml."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.app import NAMES
from companion.errors import IllegalMoveError
from companion.history.database import open_history
from companion.history.opening import history_path
from companion.language.catalogue import translate
from companion.notation.records.lines import format_record
from companion.resources import data_folder
from companion.rules.engine.game import apply
from companion.rules.model.actions import Lift, PlaceBid
from companion.rules.model.state import Stage
from tests.history.games import clock, setup_text
from tests.language.output import Output, english_left, run_in
from tests.notation.recorded_example import THREE_ROUNDS
from tests.notation.recorded_games import random_record
from tests.rules.tables import at_turn

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
CASES = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))
RECORD = THREE_ROUNDS.read_text(encoding="utf-8").splitlines(keepends=True)
FIRST_TURN = next(number for number, line in enumerate(RECORD) if line.startswith("blue:"))
FILES = {
    **CASES["files"],
    "game.txt": "".join(RECORD),
    "record.txt": "".join(RECORD).replace("setup", "setpu", 1),
    "short.txt": "".join(RECORD[:4]).rstrip(),
    "short_game.txt": "".join(RECORD[: FIRST_TURN + 1]),
}
KEYS = ("aaaa1111bbbb", "cccc2222dddd")
HISTORY = (
    f"|{KEYS[0]}|{KEYS[1]}|none-such|--forget|{KEYS[0]} --forget|--backup copy.sqlite3|--export games.json"
    "|--import missing.json|--plot plot.svg|--keep|--no-history|--keep --no-history|-o x.txt|--forget --force"
).split("|")
NAMES_GIVEN = ("Enter", "12 for the first move is dear", "Марія", "민수", "Київ")
OPTION_VALUES = (
    "list str path int float range full light letter auto always never long short nudge start path full round turn"
    " tribes tiles goods end djinns aids winner folders copy mark action player category none advice backs cut learn"
    " er tur ned Path"
)
"""Values of options that helps show as they are typed."""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with samples and with files that are wrong in many ways, to work in."""
    for name in ("start.toml", "mid.toml", "end.toml", "mid.jpg", "start.jpg"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    cv2.imwrite(str(tmp_path / "blank.png"), np.full((600, 800, 3), (90, 120, 150), np.uint8))
    # A short path: where a long one is broken into two lines its halves look like words.
    monkeypatch.setenv("COMPANION_HISTORY", "h")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def look(output: Output, kept: str, *given: str) -> None:
    """Fail if a command printed nothing, English other than what was given, or a line that is too wide."""
    assert output.out or output.err
    assert set(output.english(*given, *NAMES_GIVEN)) <= set(re.findall(r"[^\W\d_]+", kept))
    assert output.too_wide() == []


def test_commands(table: Path, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests) -> None:
    for command, kept in CASES["commands"].items():
        with subtests.test(command):
            look(run_in("qps", capsys, *shlex.split(command)), kept, str(table), str(data_folder()))


@pytest.mark.slow
def test_in_other_languages(table: Path, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests) -> None:
    cases = [(language, *case) for case in CASES["commands"].items() for language in ("ru", "uk", "ko")]
    for language, command, kept in [*cases, *(("qps", *case) for case in CASES["slow"].items())]:
        with subtests.test(f"{command} in {language}"):
            look(run_in(language, capsys, *shlex.split(command)), kept, str(table), str(data_folder()))


def test_helps(capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests) -> None:
    for command in NAMES:
        with subtests.test(command):
            output = run_in("qps", capsys, command, "--help")
            assert output.status == 0
            look(output, OPTION_VALUES)


def test_dialogues(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    for command, typed in CASES["typed"].items():
        with subtests.test(command):
            monkeypatch.setattr(sys, "stdin", io.StringIO(typed + "\n"))
            output = run_in("qps", capsys, *shlex.split(command))
            assert set(output.english(str(table), *typed.splitlines())) <= set(CASES["helps"][command].split())


def test_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(tmp_path)
    keys = iter(KEYS)
    with open_history(history_path(os.environ), now=clock(), new_key=lambda: next(keys)) as history:
        history.finish(history.begin(format_record(random_record(2, 3)[0])))
        history.begin(setup_text())
    for words in HISTORY:
        with subtests.test(words):
            look(run_in("qps", capsys, "history", *words.split()), "none such copy sqlite FILE", *KEYS)


def test_actions_at_the_wrong_stage_are_refused_in_every_language() -> None:
    for stage in Stage:
        action = Lift(14) if stage is Stage.BID else PlaceBid(8, 2)
        with pytest.raises(IllegalMoveError) as refused:
            apply(replace(at_turn(), stage=stage), action)
        message = str(refused.value)
        assert str(action) in message and "(rules " in message
        assert english_left(translate(message, "qps"), "qps", [str(action)]) == []
