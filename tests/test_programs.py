"""Tesseract as it is found: there, not there, broken, hanging. Each is a small script put on the path."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from companion.system.programs import Tesseract, find_tesseract

ANSWERING = """#!/bin/sh
case "$1" in
    --version) printf 'tesseract 5.3.0\\n leptonica-1.82.0\\n' ;;
    --list-langs)
        echo 'Error opening a data file that nobody needs' >&2
        printf 'List of available languages in "/data/" (3):\\nrus\\neng\\nscript/Hangul\\n' ;;
esac
"""


def _put_on_path(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    program = folder / "tesseract"
    program.write_text(script)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return program


def test_version_and_languages_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _put_on_path(tmp_path, ANSWERING, monkeypatch)
    assert find_tesseract() == Tesseract(program, "5.3.0", ("eng", "rus", "script/Hangul"))


def test_version_on_standard_error_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _put_on_path(tmp_path, "#!/bin/sh\necho 'tesseract v4.1.1' >&2\n", monkeypatch)
    found = find_tesseract()
    assert found is not None
    assert (found.version, found.languages) == ("4.1.1", ())


def test_none_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_tesseract() is None


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 127\n", "#!/no/such/interpreter\n", "#!/bin/sh\necho hello\n"])
def test_broken_one_counts_as_none(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _put_on_path(tmp_path, script, monkeypatch)
    assert find_tesseract() is None


def test_hanging_one_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _put_on_path(tmp_path, "#!/bin/sh\nexec sleep 30\n", monkeypatch)
    began = time.monotonic()
    assert find_tesseract(timeout_s=0.2) is None
    assert time.monotonic() - began < 10
