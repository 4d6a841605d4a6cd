"""A Tesseract that is there and does not work: it fails, prints rubbish, writes nothing, hangs."""

from __future__ import annotations

import time
from pathlib import Path

import pytesseract
import pytest

from companion.errors import CompanionError, MissingDependencyError, PhotoError
from companion.vision.cards import tesseract, titles
from tests.vision.test_titles import cards

HEAD = "level\\tpage_num\\tblock_num\\tpar_num\\tline_num\\tword_num\\tleft\\ttop\\twidth\\theight\\tconf\\ttext\\n"

ANSWERS = """#!/bin/sh
case "$1" in
    --version) printf 'tesseract 5.3.0\\n'; exit 0 ;;
    --list-langs) printf 'List of available languages (1):\\neng\\n'; exit 0 ;;
esac
"""


@pytest.fixture(autouse=True)
def no_version_kept() -> None:
    """Every Tesseract is asked anew for its version."""
    asked = pytesseract.pytesseract.get_tesseract_version
    if hasattr(asked, "cache_clear"):
        asked.cache_clear()


@pytest.mark.parametrize(
    ("does", "error"),
    [
        ("echo broken >&2; exit 1", MissingDependencyError),
        ("kill -SEGV $$", MissingDependencyError),
        ("exit 0", MissingDependencyError),
        (': > "$2.tsv"', MissingDependencyError),
        ("printf 'rubbish\\n1\\t2\\n' > \"$2.tsv\"", MissingDependencyError),
        ("printf '\\377\\376\\000\\t\\n\\n' > \"$2.tsv\"", MissingDependencyError),
        ('head -c 5000 /dev/urandom > "$2.tsv"', MissingDependencyError),
        (f"printf '{HEAD}5\\t1\\t1\\t1\\t1\\t1\\tx\\ty\\tz\\t-\\t-\\tJafaar\\n' > \"$2.tsv\"", MissingDependencyError),
        (f"printf '{HEAD}5\\t1\\t1\\n' > \"$2.tsv\"", None),
        (f"printf '{HEAD}5\\t1\\t1\\t1\\t1\\t1\\t0\\t99999999\\t10\\t-5\\tnan\\tJafaar\\n' > \"$2.tsv\"", None),
        ("exec sleep 60", PhotoError),
    ],
)
def test_it_is_told_and_not_waited_for(
    does: str, error: type[CompanionError] | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "tesseract"
    program.write_text(ANSWERS + does + "\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    if "sleep" in does:
        monkeypatch.setattr(tesseract, "TIMEOUT_S", 2)
    began = time.monotonic()
    if error is None:
        assert titles.read_titles(cards(["Jafaar"])) == []
    else:
        with pytest.raises(error, match="Tesseract"):
            titles.read_titles(cards(["Jafaar"]))
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("version", ["3.01", "99.99.99-weird", "5"])
def test_another_version_works_or_is_told_of(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "tesseract"
    program.write_text(ANSWERS.replace("5.3.0", version) + f"printf '{HEAD}' > \"$2.tsv\"\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    try:
        assert titles.read_titles(cards(["Jafaar"])) == []
    except MissingDependencyError as error:
        assert "Tesseract" in str(error)
