"""What the program runs in: folders, Tesseract, the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from companion.errors import MissingDependencyError
from companion.health.findings import Finding, State
from companion.language.phrase import joined, say
from companion.programs import Tesseract
from companion.resources import data_folder

TESSERACT_LANGUAGE = "eng"
"""The language that the names on most djinn cards are read in: they are in Latin letters."""


MORE_LANGUAGES = ("rus", "ukr", "kor")
"""Languages whose own letters the names on djinn cards are read in besides."""


SHAPES = "●★▲■◆"
"""What a terminal must be able to show for `companion show` to read well."""


_DATA_FOLDER = say("data folder")


_WORKING_FOLDER = say("working folder")


_KEPT_THERE = say(
    "make it writable to keep drafts of companion edit, answers to --ask and paints; all else works without"
)


def check_working_folder() -> Finding:
    """Whether the folder that commands are run in is still there; without it most of them cannot work."""
    try:
        folder = Path.cwd()
    except OSError:
        remedy = say("change to another folder (cd) and run again")
        return Finding("program", _WORKING_FOLDER, State.LIMITED, say("was deleted, or cannot be entered"), remedy)
    return Finding("program", _WORKING_FOLDER, State.OK, str(folder))


def check_tesseract(tesseract: Tesseract | None) -> Finding:
    """Whether the names on djinn cards can be read; boards need no Tesseract."""
    part, name = "photos", "Tesseract"
    if tesseract is None:
        remedy = say(
            "Debian and Ubuntu: apt install tesseract-ocr; all but the names on djinn cards is read without it"
        )
        return Finding(part, name, State.LIMITED, say("not found"), remedy)
    if TESSERACT_LANGUAGE not in tesseract.languages:
        remedy = say("Debian and Ubuntu: apt install tesseract-ocr-{language}", language=TESSERACT_LANGUAGE)
        return Finding(
            part,
            name,
            State.LIMITED,
            say(
                "{version} without {lacking}",
                version=tesseract.version,
                lacking=TESSERACT_LANGUAGE,
            ),
            remedy,
        )
    lacking = [language for language in MORE_LANGUAGES if language not in tesseract.languages]
    if lacking:
        packs = " ".join(f"tesseract-ocr-{language}" for language in lacking)
        remedy = say("for djinn cards in those letters, Debian and Ubuntu: apt install {packs}", packs=packs)
        return Finding(
            part,
            name,
            State.LIMITED,
            say("{version} without {lacking}", version=tesseract.version, lacking=joined(" ", lacking)),
            remedy,
        )
    return Finding(
        part,
        name,
        State.OK,
        say("{version} with {languages}", version=tesseract.version, languages=joined(" ", tesseract.languages)),
    )


def check_data_folder() -> Finding:
    """Whether the folder for the user's own data can be written, or made."""
    try:
        folder = data_folder()
    except ImportError:
        return Finding("program", _DATA_FOLDER, State.LIMITED, say("unknown without platformdirs"))
    except MissingDependencyError as error:
        found, _, remedy = str(error).partition(": ")
        return Finding("program", _DATA_FOLDER, State.LIMITED, found, remedy)
    standing = next(place for place in (folder, *folder.parents) if _can_be_seen(place))
    if not standing.is_dir() or not os.access(standing, os.W_OK | os.X_OK):
        return Finding(
            "program",
            _DATA_FOLDER,
            State.LIMITED,
            say("{standing} cannot be written", standing=standing),
            _KEPT_THERE,
        )
    return Finding("program", _DATA_FOLDER, State.OK, str(folder))


def _can_be_seen(place: Path) -> bool:
    """Whether something stands there, as far as this user may look."""
    try:
        return place.exists()
    except OSError:
        return False


def check_terminal(environment: Mapping[str, str], terminal: IO[str]) -> Finding:
    """Whether the terminal shows the shapes of the meeples, and colour."""
    encoding = getattr(terminal, "encoding", None) or "ascii"
    try:
        SHAPES.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        remedy = say("set PYTHONUTF8=1 or a UTF-8 locale (export LANG=C.UTF-8); letters stand beside the shapes")
        return Finding(
            "terminal",
            say("characters"),
            State.LIMITED,
            say("{encoding} has no {shapes}", encoding=encoding, shapes=SHAPES),
            remedy,
        )
    if not terminal.isatty():
        colour = say("no colour (not a terminal)")
    elif environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        colour = say("no colour (as NO_COLOR or TERM says)")
    else:
        colour = say("colour")
    return Finding("terminal", say("characters"), State.OK, joined(", ", (encoding, colour)))
