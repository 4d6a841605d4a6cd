"""Programs of other people that the companion can use: found, and asked without ever waiting for long."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

TIMEOUT_S = 10.0
"""Seconds after which a program that does not answer counts as broken."""


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The Tesseract on this machine: its program, version ("5.3.0") and languages ("eng", "rus"), sorted."""

    path: Path
    version: str
    languages: tuple[str, ...]


def find_tesseract(timeout_s: float = TIMEOUT_S) -> Tesseract | None:
    """Tesseract as it is installed; None if there is none or it does not answer."""
    program = shutil.which("tesseract")
    if program is None:
        return None
    version = re.search(r"tesseract\s+v?(\d[\w.]*)", _ask(program, "--version", timeout_s))
    if version is None:
        return None
    # A language stands alone on its line ("kor_vert", "script/Hangul"); headings and complaints have spaces.
    languages = re.findall(r"^[A-Za-z]\w*(?:/\w+)*$", _ask(program, "--list-langs", timeout_s), re.MULTILINE)
    return Tesseract(Path(program), version[1], tuple(sorted(languages)))


def _ask(program: str, option: str, timeout_s: float) -> str:
    """What a program prints on both streams; nothing if it cannot be started or takes too long."""
    try:
        answer = subprocess.run(
            [program, option],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout_s,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return answer.stdout.decode(errors="replace")
