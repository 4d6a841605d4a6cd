"""`companion doctor`: the table, the JSON and the exit status, and each check in each of its states."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from companion.cli.commands import doctor
from companion.cli.commands.doctor import Finding, State
from companion.cli.dialogue.drafts import DraftStore
from companion.cli.main import main
from companion.errors import MissingDependencyError
from companion.history.opening import history_path
from companion.system.programs import Tesseract
from tests.cli.ran import Capsys, Patch, printed_json, ran
from tests.history.games import growing, opened, setup_text

GOOD = Finding("program", "Python", State.OK, "3.11.7")
LIMIT = Finding("photos", "Tesseract", State.LIMITED, "not found", "apt install tesseract-ocr")
LACK = Finding("photos", "cv2", State.MISSING, "not installed", "pip install opencv-python-headless")


@pytest.fixture
def found(monkeypatch: Patch) -> list[Finding]:
    findings: list[Finding] = []
    monkeypatch.setattr(doctor, "examine", lambda environment, terminal: iter(findings))
    monkeypatch.setenv("COLUMNS", "80")
    return findings


def test_status_and_verdict(found: list[Finding], capsys: Capsys) -> None:
    for finding, status, verdict in (
        (GOOD, 0, "Everything is there."),
        (LIMIT, 0, "Everything required is there; limited: Tesseract."),
        (LACK, 3, "Something required is missing: cv2."),
    ):
        found.append(finding)
        assert verdict in ran(capsys, ["doctor"], status).out


def test_states_stand_in_words_and_remedies_below(found: list[Finding], capsys: Capsys) -> None:
    found.extend([GOOD, LIMIT, LACK])
    main(["doctor"])
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "program  Python     ok         3.11.7",
        "photos   Tesseract  ! limited  not found",
        "         cv2        x missing  not installed",
        "",
        "Something required is missing: cv2.",
        "",
        "What to do:",
        "Tesseract  apt install tesseract-ocr",
        "cv2        pip install opencv-python-headless",
    ]


def test_json_is_one_document_with_the_same_status(found: list[Finding], capsys: Capsys) -> None:
    found.extend([GOOD, LACK])
    document = printed_json(capsys, ["doctor"], 3)
    assert document["ok"] is False
    assert document["checks"][1] == {
        "part": "photos",
        "name": "cv2",
        "state": "missing",
        "found": "not installed",
        "remedy": "pip install opencv-python-headless",
    }


def test_an_installation_that_runs_these_tests_lacks_nothing_needed(capsys: Capsys) -> None:
    status = main(["doctor", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert [check for check in document["checks"] if check["state"] == "missing"] == []
    assert (status, document["ok"]) == (0, True)
    assert {check["part"] for check in document["checks"]} == {"program", "photos", "terminal"}


def test_packages(monkeypatch: Patch) -> None:
    asked = ["typer>=0.26", "no-such<3; extra == 'lab'"]
    monkeypatch.setattr(metadata, "requires", lambda distribution: asked)
    assert doctor.check_packages() == Finding("program", "packages", State.OK, "1 package")
    asked += ["rich>=99", "no-such<3"]
    lacking = Finding("program", "packages", State.MISSING, "without rich>=99, no-such<3")
    assert doctor.check_packages() == replace(lacking, remedy=f'{sys.executable} -m pip install "rich>=99" "no-such<3"')


def test_tesseract_is_a_limit_not_a_fault() -> None:
    finding = doctor.check_tesseract(None)
    assert finding.state is State.LIMITED and "apt install tesseract-ocr" in finding.remedy
    program = Path("/usr/bin/tesseract")
    there = doctor.check_tesseract(Tesseract(program, "5.3.0", ("eng", "kor", "rus", "ukr")))
    assert (there.state, there.found, there.remedy) == (State.OK, "5.3.0 with eng kor rus ukr", "")
    latin = doctor.check_tesseract(Tesseract(program, "5.3.0", ("eng", "osd", "rus")))
    assert (latin.state, latin.found) == (State.LIMITED, "5.3.0 without ukr kor")
    assert latin.remedy.endswith("apt install tesseract-ocr-ukr tesseract-ocr-kor")


def test_the_data_folder_is_where_drafts_are_kept(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert doctor.check_data_folder().state is State.OK
    assert Path(doctor.check_data_folder().found) in DraftStore("edit", ["table.toml"]).path.parents
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    finding = doctor.check_data_folder()
    assert finding.state is State.LIMITED and "drafts" in finding.remedy


def test_a_check_that_cannot_be_made_is_a_limit(monkeypatch: Patch) -> None:
    def homeless() -> Path:
        raise MissingDependencyError("there is no home folder, and /tmp/x belongs to somebody else: set HOME")

    def unloadable() -> Finding:
        raise ModuleNotFoundError("No module named 'packaging'", name="packaging")

    monkeypatch.setattr(doctor, "data_folder", homeless)
    monkeypatch.setattr("companion.history.opening.data_folder", homeless)
    monkeypatch.setattr(doctor, "check_packages", unloadable)
    findings = {finding.name: finding for finding in doctor.examine({}, io.StringIO())}
    for name in ("data folder", "history"):
        assert findings[name].state is State.LIMITED and findings[name].remedy == "set HOME"
    assert (findings["packages"].state, findings["packages"].found) == (State.LIMITED, "unknown without packaging")


def test_the_history_is_told_of_and_not_touched() -> None:
    path = history_path({})
    assert doctor.check_history({}).found == f"no game yet, {path}"
    assert not path.exists()
    with opened(path) as history:
        history.begin(setup_text())
        history.finish(history.begin(growing(3)[2]))
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    finding = doctor.check_history({})
    assert finding.state is State.OK
    assert finding.found == f"2 games, 1 finished, {len(before[path]) / 1e6:.1f} MB, {path}"
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before
    off = doctor.check_history({"COMPANION_HISTORY": "off"}).found
    assert off.startswith("games aren't being saved (COMPANION_HISTORY says off)")


def test_a_history_that_cannot_be_used_is_a_limit(tmp_path: Path) -> None:
    names = ("folder", "damaged.sqlite3", "newer.sqlite3", "letter.txt")
    folder, damaged, newer, letter = (tmp_path / name for name in names)
    folder.mkdir()
    damaged.write_bytes(b"SQLite format 3\0" + b"spoilt" * 999)
    letter.write_text("Dear Anna", encoding="utf-8")
    with sqlite3.connect(newer) as database:
        database.execute("PRAGMA application_id = 1179939433")
        database.execute("PRAGMA user_version = 99")
    database.close()
    for path, found, remedy in (
        (folder, "is not an ordinary file", "COMPANION_HISTORY"),
        (damaged, "is damaged: it isn't a database", "a new one"),
        (letter, "letter.txt isn't a history", "COMPANION_HISTORY"),
        (newer, "was written by another version", "COMPANION_HISTORY"),
        (tmp_path / ("x" * 300), "cannot read", "COMPANION_HISTORY"),
    ):
        finding = doctor.check_history({"COMPANION_HISTORY": str(path)})
        assert finding.state is State.LIMITED and found in finding.found and remedy in finding.remedy
    assert {path.name for path in tmp_path.iterdir()} == {*names}


class Screen(io.StringIO):
    """A terminal of that encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__()
        self._encoding = encoding

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return True


def test_terminals() -> None:
    for environment, found in (
        ({}, "utf-8, colour"),
        ({"NO_COLOR": "1"}, "utf-8, no colour (switched off by NO_COLOR or TERM)"),
        ({"TERM": "dumb"}, "utf-8, no colour (switched off by NO_COLOR or TERM)"),
    ):
        shown = doctor.check_terminal(environment, Screen("utf-8"))
        assert shown == Finding("terminal", "characters", State.OK, found)
    for encoding in ("ascii", "latin-1", "no-such-encoding"):
        finding = doctor.check_terminal({}, Screen(encoding))
        assert finding.state is State.LIMITED and "PYTHONUTF8=1" in finding.remedy
