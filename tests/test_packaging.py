"""The wheel: it carries all its data, nothing foreign, and works away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion import __version__
from companion.health.shipped import TEMPLATES, WEIGHTS

PROJECT = Path(__file__).resolve().parents[1]
LARGEST_FILE = 16_000_000
LARGEST_WHEEL = 22_500_000

pytestmark = pytest.mark.slow


def _python(*words: str, **surroundings: str) -> str:
    """What a Python process prints on standard output; the test fails with its words if it does."""
    environment = {**os.environ, **surroundings}
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution as an installer would."""
    folder = tmp_path_factory.mktemp("dist")
    build = ("-m", "hatchling", "build", "-d", str(folder))
    subprocess.run([sys.executable, *build, "-t", "sdist"], cwd=PROJECT, check=True, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    _python("-m", "tarfile", "-e", str(archive), str(folder))
    source = folder / archive.name.removesuffix(".tar.gz")
    subprocess.run([sys.executable, *build, "-t", "wheel"], cwd=source, check=True, capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which the wheel is installed, without what it depends on."""
    folder = tmp_path_factory.mktemp("site")
    _python("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(folder), str(wheel))
    return folder


def _members(wheel: Path) -> list[zipfile.ZipInfo]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.infolist()


@pytest.mark.parametrize(
    "name",
    [
        "companion/py.typed",
        *(f"companion/templates/{name}" for name in TEMPLATES),
        *(f"companion/vision/weights/{name}" for name in (*WEIGHTS, "LICENSE-EfficientNet.txt")),
        *(f"companion/printing/fonts/{path.name}" for path in (PROJECT / "companion/printing/fonts").iterdir()),
        f"five_tribes_companion-{__version__}.dist-info/licenses/LICENSE",
    ],
)
def test_the_wheel_carries(name: str, wheel: Path) -> None:
    assert name in {member.filename for member in _members(wheel)}


def test_the_wheel_carries_every_module(wheel: Path) -> None:
    modules = {str(path.relative_to(PROJECT)) for path in (PROJECT / "companion").rglob("*.py")}
    shipped = {name for name in modules if not name.startswith("companion/lab/")}
    assert shipped <= {member.filename for member in _members(wheel)}


def test_the_wheel_leaves_the_lab_at_home(wheel: Path) -> None:
    assert not [member.filename for member in _members(wheel) if member.filename.startswith("companion/lab")]


def test_the_wheel_carries_nothing_big_or_foreign(wheel: Path) -> None:
    for member in _members(wheel):
        assert member.filename.startswith(("companion/", f"five_tribes_companion-{__version__}.dist-info/"))
        assert not member.filename.endswith((".pyc", ".jpg", ".jpeg", ".npz", ".pt")), member.filename
        assert member.file_size <= LARGEST_FILE, member.filename
    assert wheel.stat().st_size <= LARGEST_WHEEL


def test_the_wheel_brings_the_console_script(site: Path) -> None:
    (entry_points,) = site.glob("*.dist-info/entry_points.txt")
    assert "companion = companion.__main__:run" in entry_points.read_text()


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (["sheet", "-o", "pad.pdf"], {"pad.pdf": b"%PDF"}),
        (["setup", "--players", "3", "--seed", "5", "-o", "card.pdf"], {"card.pdf": b"%PDF"}),
        (
            ["read", str(PROJECT / "samples/mid.jpg"), "-o", "mid.toml", "--overlay", "seen.jpg"],
            {"mid.toml": b"", "seen.jpg": b"\xff\xd8"},
        ),
    ],
    ids=["sheet", "setup", "read"],
)
def test_installed_it_works_in_another_folder(
    words: Sequence[str], begins: dict[str, bytes], site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _python("-m", "companion", *words, PYTHONPATH=str(site))
    assert {path.name for path in tmp_path.iterdir()} == set(begins)
    for name, head in begins.items():
        assert (tmp_path / name).read_bytes().startswith(head)


def test_installed_it_is_the_wheel_that_runs(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    where = _python("-c", "import companion; print(companion.__file__)", PYTHONPATH=str(site))
    assert Path(where.strip()).is_relative_to(site)
    assert _python("-m", "companion", "--version", PYTHONPATH=str(site)) == f"companion {__version__}\n"
    checks = json.loads(_python("-m", "companion", "doctor", "--json", PYTHONPATH=str(site)))["checks"]
    assert [check["name"] for check in checks if check["state"] == "missing"] == []
