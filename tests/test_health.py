"""What `companion doctor` looks at, each check in each of its states."""

from __future__ import annotations

import io
import sqlite3
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from companion import health
from companion.cli.dialogue.drafts import DraftStore
from companion.errors import MissingDependencyError
from companion.health import Finding, Package, State
from companion.history.opening import history_path
from companion.programs import Tesseract
from companion.rules.model.components import Tribe
from tests.history.games import growing, opened, setup_text

PROJECT = Path(__file__).resolve().parents[1]


def test_versions_within_bounds() -> None:
    for version, wanted, suitable in (
        ("2.4.6", "<3,>=2.0", True),
        ("1.26.4", "<3,>=2.0", False),
        ("3.0.0", "<3,>=2.0", False),
        ("5.0.0.93", "<6,>=5.0", True),
        ("0.30.0", "<0.30,>=0.26", False),
        ("8.2", "", True),
        ("5.0.0+local", ">=5.0", True),
    ):
        assert health.is_wanted(version, wanted) is suitable, version


def test_all_that_is_needed_is_looked_at() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = {line.partition(">=")[0]: f">={line.partition('>=')[2]}" for line in project["dependencies"]}
    assert {package.distribution for package in health.PACKAGES} == set(bounds)
    for name, wanted in health.wanted_versions().items():
        assert set(wanted.split(",")) == set(bounds[name].split(",")), name
    assert {path.name for path in (PROJECT / "templates").iterdir()} == {*health.TEMPLATES, "locales"}
    weights = {path.name for path in (PROJECT / "companion/vision/weights").iterdir() if path.suffix != ".txt"}
    assert weights == set(health.WEIGHTS)
    assert len(health.SHAPES) == len(Tribe)


def test_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    typer = Package("typer", "typer", "program")
    assert health.check_package(typer, ">=0.26") == Finding("program", "typer", State.OK, metadata.version("typer"))
    finding = health.check_package(typer, ">=99")
    assert finding.state is State.MISSING and finding.found.endswith("not >=99")
    assert 'pip install "typer>=99"' in finding.remedy
    for needed, state in ((True, State.MISSING), (False, State.LIMITED)):
        finding = health.check_package(Package("no_such_module", "no-such", "photos", needed), "<3")
        assert (finding.state, finding.found) == (state, "not installed")
    (tmp_path / "broken_wheel.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')")
    monkeypatch.syspath_prepend(tmp_path)
    finding = health.check_package(Package("broken_wheel", "broken-wheel", "photos"), "")
    assert finding.state is State.MISSING and "libGL.so.1" in finding.found


def test_two_opencv_wheels_clash(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"opencv-python-headless", "opencv-python"}
    monkeypatch.setattr(health, "_installed_version", lambda name: "5.0" if name in there else "")
    finding = health.check_opencv_wheels()
    assert finding.state is State.LIMITED
    assert "pip uninstall -y opencv-python-headless opencv-python" in finding.remedy
    there.remove("opencv-python")
    assert health.check_opencv_wheels().state is State.OK


def test_what_the_program_should_have_brought(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "CompanionHangul-Regular" in health.check_fonts().found
    for path in (Path(health.__file__).parent / "printing" / "fonts").iterdir():
        if path.name not in ("PTSans-Regular.ttf", "DejaVuSans.ttf"):
            (tmp_path / path.name).symlink_to(path)
    monkeypatch.setattr("companion.printing.core.typefaces.BUNDLED", tmp_path)
    assert health.check_fonts().state is State.MISSING and "я" in health.check_fonts().found
    monkeypatch.setattr(health, "WEIGHTS", ("nowhere.onnx",))
    monkeypatch.setattr(health, "TEMPLATES", ("nowhere.toml",))
    for finding, name in ((health.check_weights(), "nowhere.onnx"), (health.check_templates(), "nowhere.toml")):
        assert (finding.state, finding.found) == (State.MISSING, f"without {name}") and "install" in finding.remedy


def test_tesseract_is_a_limit_not_a_fault() -> None:
    finding = health.check_tesseract(None)
    assert finding.state is State.LIMITED and "apt install tesseract-ocr" in finding.remedy
    program = Path("/usr/bin/tesseract")
    there = health.check_tesseract(Tesseract(program, "5.3.0", ("eng", "kor", "rus", "ukr")))
    assert (there.state, there.found, there.remedy) == (State.OK, "5.3.0 with eng kor rus ukr", "")
    latin = health.check_tesseract(Tesseract(program, "5.3.0", ("eng", "osd", "rus")))
    assert (latin.state, latin.found) == (State.LIMITED, "5.3.0 without ukr kor")
    assert latin.remedy.endswith("apt install tesseract-ocr-ukr tesseract-ocr-kor")


def test_the_data_folder_is_where_drafts_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert health.check_data_folder().state is State.OK
    assert Path(health.check_data_folder().found) in DraftStore("edit", ["table.toml"]).path.parents
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    finding = health.check_data_folder()
    assert finding.state is State.LIMITED and "drafts" in finding.remedy


def test_a_check_that_cannot_be_made_is_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise MissingDependencyError("there is no home folder, and /tmp/x belongs to somebody else: set HOME")

    def unloadable() -> Finding:
        raise ModuleNotFoundError("No module named 'reportlab'", name="reportlab")

    monkeypatch.setattr(health, "data_folder", homeless)
    monkeypatch.setattr("companion.history.opening.data_folder", homeless)
    monkeypatch.setattr(health, "check_fonts", unloadable)
    findings = {finding.name: finding for finding in health.examine({}, io.StringIO())}
    for name in ("data folder", "history"):
        assert findings[name].state is State.LIMITED and findings[name].remedy == "set HOME"
    assert (findings["fonts"].state, findings["fonts"].found) == (State.LIMITED, "unknown without reportlab")


def test_the_history_is_told_of_and_not_touched() -> None:
    path = history_path({})
    assert health.check_history({}).found == f"no game yet, {path}"
    assert not path.exists()
    with opened(path) as history:
        history.begin(setup_text())
        history.finish(history.begin(growing(3)[2]))
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    finding = health.check_history({})
    assert finding.state is State.OK
    assert finding.found == f"2 games, 1 finished, {len(before[path]) / 1e6:.1f} MB, {path}"
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before
    assert health.check_history({"COMPANION_HISTORY": "off"}).found.startswith("none is kept now (")


def test_a_history_that_cannot_be_used_is_a_limit(tmp_path: Path) -> None:
    folder, damaged, newer = (tmp_path / name for name in ("folder", "damaged.sqlite3", "newer.sqlite3"))
    folder.mkdir()
    damaged.write_bytes(b"spoilt" * 999)
    with sqlite3.connect(newer) as database:
        database.execute("PRAGMA application_id = 1179939433")
        database.execute("PRAGMA user_version = 99")
    database.close()
    for path, found, remedy in (
        (folder, "is not an ordinary file", "COMPANION_HISTORY"),
        (damaged, "is damaged: it isn't a database", "a new one"),
        (newer, "was written by a newer version", "COMPANION_HISTORY"),
        (tmp_path / ("x" * 300), "cannot read", "COMPANION_HISTORY"),
    ):
        finding = health.check_history({"COMPANION_HISTORY": str(path)})
        assert finding.state is State.LIMITED and found in finding.found and remedy in finding.remedy
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "damaged.sqlite3", "newer.sqlite3"}


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
        ({"NO_COLOR": "1"}, "utf-8, no colour (as NO_COLOR or TERM says)"),
        ({"TERM": "dumb"}, "utf-8, no colour (as NO_COLOR or TERM says)"),
    ):
        shown = health.check_terminal(environment, Screen("utf-8"))
        assert shown == Finding("terminal", "characters", State.OK, found)
    for encoding in ("ascii", "latin-1", "no-such-encoding"):
        finding = health.check_terminal({}, Screen(encoding))
        assert finding.state is State.LIMITED and "PYTHONUTF8=1" in finding.remedy
