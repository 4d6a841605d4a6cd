"""What `companion doctor` looks at, each check in each of its states."""

from __future__ import annotations

import errno
import io
import os
import sqlite3
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from companion.cli.dialogue.drafts import DraftStore
from companion.errors import MissingDependencyError
from companion.health import packages, shipped, surroundings, user_data
from companion.health.findings import Finding, State
from companion.health.packages import Package
from companion.history.opening import history_path
from companion.programs import Tesseract
from companion.rules.model.components import Tribe
from tests.history.games import growing, opened, setup_text

PROJECT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize(
    ("version", "wanted", "suitable"),
    [
        ("2.4.6", "<3,>=2.0", True),
        ("2.0", ">=2.0", True),
        ("1.26.4", "<3,>=2.0", False),
        ("3.0.0", "<3,>=2.0", False),
        ("5.0.0.93", "<6,>=5.0", True),
        ("4.14.0.94", "<6,>=5.0", False),
        ("0.29.1", "<0.30,>=0.26", True),
        ("0.30.0", "<0.30,>=0.26", False),
        ("8.2", "", True),
        ("5.0.0+local", ">=5.0", True),
    ],
)
def test_versions_within_bounds(version: str, wanted: str, suitable: bool) -> None:
    assert packages.is_wanted(version, wanted) is suitable


def test_wanted_versions_are_those_of_the_project_file() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = packages.wanted_versions()
    for line in project["dependencies"]:
        name, _, bounds = line.partition(">=")
        assert set(wanted[name].split(",")) == set(f">={bounds}".split(",")), line
    assert "pytest" not in wanted


def test_every_dependency_is_looked_at() -> None:
    assert {package.distribution for package in packages.PACKAGES} == set(packages.wanted_versions())


def test_every_template_and_every_weights_file_is_looked_at() -> None:
    assert {path.name for path in (PROJECT / "templates").iterdir()} == {*shipped.TEMPLATES, "locales"}
    weights = {path.name for path in (PROJECT / "companion/vision/weights").iterdir() if path.suffix != ".txt"}
    assert weights == set(shipped.WEIGHTS)


@pytest.mark.parametrize(("version", "state"), [((3, 11, 0), State.OK), ((3, 10, 12), State.MISSING)])
def test_python(version: tuple[int, int, int], state: State) -> None:
    assert packages.check_python(version).state is state


def test_package_there() -> None:
    finding = packages.check_package(Package("typer", "typer", "program"), ">=0.26")
    assert finding == Finding("program", "typer", State.OK, metadata.version("typer"))


def test_package_too_old_names_the_bounds() -> None:
    finding = packages.check_package(Package("typer", "typer", "program"), ">=99")
    assert finding.state is State.MISSING
    assert finding.found.endswith("not >=99")
    assert 'pip install "typer>=99"' in finding.remedy


@pytest.mark.parametrize(("needed", "state"), [(True, State.MISSING), (False, State.LIMITED)])
def test_package_absent(needed: bool, state: State) -> None:
    finding = packages.check_package(Package("no_such_module", "no-such", "photos", needed), "<3")
    assert (finding.state, finding.found) == (state, "not installed")
    assert 'pip install "no-such<3"' in finding.remedy


def test_package_that_cannot_be_loaded_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_wheel.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')")
    monkeypatch.syspath_prepend(tmp_path)
    finding = packages.check_package(Package("broken_wheel", "broken-wheel", "photos"), "")
    assert finding.state is State.MISSING
    assert "libGL.so.1" in finding.found


def test_two_opencv_wheels_clash(monkeypatch: pytest.MonkeyPatch) -> None:
    there = {"opencv-python-headless", "opencv-python"}
    monkeypatch.setattr(packages, "_installed", lambda name: name in there)
    finding = packages.check_opencv_wheels()
    assert finding.state is State.LIMITED
    assert "pip uninstall -y opencv-python-headless opencv-python" in finding.remedy
    there.remove("opencv-python")
    assert packages.check_opencv_wheels().state is State.OK


def test_lacking_weights_and_templates_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "WEIGHTS", ("nowhere.onnx",))
    monkeypatch.setattr(shipped, "TEMPLATES", ("nowhere.toml",))
    for finding, name in ((shipped.check_weights(), "nowhere.onnx"), (shipped.check_templates(), "nowhere.toml")):
        assert (finding.state, finding.found) == (State.MISSING, f"without {name}")
        assert "install" in finding.remedy


def test_without_tesseract_it_is_a_limit_not_a_fault() -> None:
    finding = surroundings.check_tesseract(None)
    assert finding.state is State.LIMITED
    assert "apt install tesseract-ocr" in finding.remedy


def test_tesseract_needs_its_latin_letters() -> None:
    there = surroundings.check_tesseract(Tesseract(Path("/usr/bin/tesseract"), "5.3.0", ("eng", "kor", "rus", "ukr")))
    assert (there.state, there.found, there.remedy) == (State.OK, "5.3.0 with eng kor rus ukr", "")
    useless = surroundings.check_tesseract(Tesseract(Path("/usr/bin/tesseract"), "5.3.0", ("fra",)))
    assert (useless.state, useless.found) == (State.LIMITED, "5.3.0 without eng")
    assert useless.remedy.endswith("apt install tesseract-ocr-eng")


def test_letters_that_tesseract_lacks_are_named() -> None:
    latin = surroundings.check_tesseract(Tesseract(Path("/usr/bin/tesseract"), "5.3.0", ("eng", "osd", "rus")))
    assert (latin.state, latin.found) == (State.LIMITED, "5.3.0 without ukr kor")
    assert latin.remedy.endswith("apt install tesseract-ocr-ukr tesseract-ocr-kor")


def test_bundled_fonts_have_latin_cyrillic_and_hangul() -> None:
    finding = shipped.check_fonts()
    assert finding.state is State.OK and "CompanionHangul-Regular" in finding.found


@pytest.mark.parametrize("gone", ["CompanionHangul-Regular.ttf", "PTSans-Regular.ttf"])
def test_a_font_that_is_gone_is_said(gone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = Path(shipped.__file__).parents[1] / "printing" / "fonts"
    for path in bundled.iterdir():
        if path.name not in (gone, "DejaVuSans.ttf"):
            (tmp_path / path.name).symlink_to(path)
    monkeypatch.setattr("companion.printing.core.typefaces.BUNDLED", tmp_path)
    finding = shipped.check_fonts()
    assert finding.state is State.MISSING and ("한" if "Hangul" in gone else "я") in finding.found


def test_data_folder_below_a_file_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert surroundings.check_data_folder().state is State.OK
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    finding = surroundings.check_data_folder()
    assert finding.state is State.LIMITED
    assert "drafts" in finding.remedy


def test_a_home_that_may_not_be_looked_into_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(closed / "home"))
    stat = Path.stat

    def refused(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        if closed in path.parents:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return stat(path, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(Path, "stat", refused)
    monkeypatch.setattr(os, "access", lambda path, mode: path != closed)
    finding = surroundings.check_data_folder()
    assert (finding.state, finding.found) == (State.LIMITED, f"{closed} cannot be written")


def test_a_user_without_a_folder_of_his_own_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise MissingDependencyError("there is no home folder, and /tmp/x belongs to somebody else: set HOME")

    monkeypatch.setattr(surroundings, "data_folder", homeless)
    monkeypatch.setattr("companion.vision.board.owner_tiles.data_folder", homeless)
    monkeypatch.setattr("companion.history.opening.data_folder", homeless)
    checks = (surroundings.check_data_folder(), user_data.check_calibration({}), user_data.check_history({}))
    for finding in checks:
        assert finding.state is State.LIMITED and finding.remedy.endswith("set HOME")


def test_the_data_folder_looked_at_is_where_drafts_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert Path(surroundings.check_data_folder().found) in DraftStore("edit", ["table.toml"]).path.parents


def test_the_history_is_told_of_and_not_touched() -> None:
    path = history_path({})
    assert user_data.check_history({}).found == f"no game yet, {path}"
    assert not path.exists()
    with opened(path) as history:
        history.begin(setup_text())
        history.finish(history.begin(growing(3)[2]))
    before = {one: one.read_bytes() for one in path.parent.iterdir()}
    finding = user_data.check_history({})
    assert finding.state is State.OK
    assert finding.found == f"2 games, 1 finished, {len(before[path]) / 1e6:.1f} MB, {path}"
    assert {one: one.read_bytes() for one in path.parent.iterdir()} == before
    with opened(path) as history:
        history.begin(setup_text(2))
        assert user_data.check_history({}).found.startswith("3 games, 1 finished, ")
    assert user_data.check_history({"COMPANION_HISTORY": "off"}).found.startswith("none is kept now (")


@pytest.mark.parametrize(
    ("spoilt", "found", "remedy"),
    [
        (b"spoilt" * 999, "is damaged: it is no database", "begins a new one"),
        (None, "was written by a newer version", "COMPANION_HISTORY"),
        ("folder", "is not an ordinary file", "COMPANION_HISTORY"),
    ],
)
def test_a_history_that_cannot_be_used_is_a_limit(
    spoilt: bytes | str | None, found: str, remedy: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.sqlite3"
    if spoilt == "folder":
        path.mkdir()
    elif isinstance(spoilt, bytes):
        path.write_bytes(spoilt)
    else:
        with sqlite3.connect(path) as newer:
            newer.execute("PRAGMA application_id = 1179939433")
            newer.execute("PRAGMA user_version = 99")
        newer.close()
    finding = user_data.check_history({"COMPANION_HISTORY": str(path)})
    assert finding.state is State.LIMITED and found in finding.found and remedy in finding.remedy
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


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


@pytest.mark.parametrize(
    ("encoding", "environment", "found"),
    [
        ("utf-8", {}, "utf-8, colour"),
        ("utf-8", {"NO_COLOR": "1"}, "utf-8, no colour (as NO_COLOR or TERM says)"),
        ("utf-8", {"TERM": "dumb"}, "utf-8, no colour (as NO_COLOR or TERM says)"),
    ],
)
def test_terminal_that_shows_the_shapes(encoding: str, environment: dict[str, str], found: str) -> None:
    assert surroundings.check_terminal(environment, Screen(encoding)) == Finding(
        "terminal", "characters", State.OK, found
    )


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "no-such-encoding"])
def test_terminal_without_the_shapes(encoding: str) -> None:
    finding = surroundings.check_terminal({}, Screen(encoding))
    assert finding.state is State.LIMITED
    assert "PYTHONUTF8=1" in finding.remedy


def test_there_is_a_shape_for_each_tribe() -> None:
    assert len(surroundings.SHAPES) == len(Tribe)


def test_a_history_that_cannot_be_looked_at_is_a_limit(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 300)
    finding = user_data.check_history({"COMPANION_HISTORY": str(path)})
    assert finding.state is State.LIMITED and "cannot read" in finding.found
