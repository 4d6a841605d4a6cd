"""The wheel: it carries all its data, nothing foreign, and works away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion import __version__

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


def test_the_wheel_carries_what_is_needed_and_nothing_big_or_foreign(wheel: Path) -> None:
    about = f"five_tribes_companion-{__version__}.dist-info/"
    modules = {str(path.relative_to(PROJECT)) for path in (PROJECT / "companion").rglob("*.py")}
    needed = {
        "companion/py.typed",
        f"{about}licenses/LICENSE",
        *(name for name in modules if not name.startswith("companion/lab/")),
        *(f"companion/templates/{path.name}" for path in (PROJECT / "templates").iterdir() if path.is_file()),
        *(f"companion/templates/locales/{language}/LC_MESSAGES/companion.mo" for language in ("ru", "uk", "ko", "it")),
        *(f"companion/vision/weights/{path.name}" for path in (PROJECT / "companion/vision/weights").iterdir()),
        *(f"companion/printing/fonts/{path.name}" for path in (PROJECT / "companion/printing/fonts").iterdir()),
    }
    members = {member.filename: member for member in _members(wheel)}
    assert needed - members.keys() == set()
    foreign = (".pyc", ".jpg", ".jpeg", ".npz", ".pt")
    assert [name for name in members if not name.startswith(("companion/", about)) or name.endswith(foreign)] == []
    assert [name for name in members if name.startswith("companion/lab/")] == []
    assert max(member.file_size for member in members.values()) <= LARGEST_FILE
    assert wheel.stat().st_size <= LARGEST_WHEEL


def test_the_wheel_brings_the_console_script(site: Path) -> None:
    (entry_points,) = site.glob("*.dist-info/entry_points.txt")
    assert "companion = companion.__main__:run" in entry_points.read_text()


def test_installed_it_works_in_another_folder(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    photo = str(PROJECT / "samples/mid.jpg")
    for words in (
        ("sheet", "-o", "pad.pdf"),
        ("setup", "--players", "3", "--seed", "5", "-o", "card.pdf"),
        ("read", photo, "-o", "mid.toml", "--overlay", "seen.jpg"),
    ):
        _python("-m", "companion", *words, PYTHONPATH=str(site))
    begins = {"pad.pdf": b"%PDF", "card.pdf": b"%PDF", "mid.toml": b"", "seen.jpg": b"\xff\xd8"}
    assert {path.name for path in tmp_path.iterdir()} == begins.keys()
    assert all((tmp_path / name).read_bytes().startswith(head) for name, head in begins.items())


def test_installed_it_is_the_wheel_that_runs(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    where = _python("-c", "import companion; print(companion.__file__)", PYTHONPATH=str(site))
    assert Path(where.strip()).is_relative_to(site)
    assert _python("-m", "companion", "--version", PYTHONPATH=str(site)) == f"companion {__version__}\n"
    checks = json.loads(_python("-m", "companion", "doctor", "--json", PYTHONPATH=str(site)))["checks"]
    assert [check["name"] for check in checks if check["state"] == "missing"] == []
