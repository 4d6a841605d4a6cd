"""Drafts of positions being typed, kept so that nothing typed is lost."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from companion.errors import NotationError, UnusableInputError
from companion.resources import data_folder
from companion.storage import write_private

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Draft:
    """What was typed: the position it started from, as a document or None, and the lines since."""

    start: dict[str, object] | None = None
    doubtful: tuple[int, ...] = ()
    lines: tuple[str, ...] = ()


def draft_path(output: Path) -> Path:
    """Where the draft for a file is kept: a place of its own for each file, in the user's data folder."""
    key = hashlib.sha256(str(output.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    return data_folder() / "drafts" / f"{key}.json"


def save_draft(path: Path, draft: Draft) -> None:
    """Write the draft, in place of an older one. Raises UnusableInputError or NoRoomError if it cannot be kept."""
    document = {"draft": _VERSION, "start": draft.start, "doubtful": draft.doubtful, "lines": draft.lines}
    write_private(path, json.dumps(document, indent=1).encode())


def load_draft(path: Path) -> Draft:
    """Read a draft. Raises UnusableInputError if there is none, NotationError if it is damaged."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["draft"] != _VERSION:
            raise ValueError
        return Draft(document["start"], tuple(map(int, document["doubtful"])), tuple(map(str, document["lines"])))
    except FileNotFoundError:
        raise UnusableInputError("there is no draft for this file; leave out --resume to begin") from None
    except OSError as error:
        raise UnusableInputError(f"cannot read the draft {path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise NotationError(f"the draft {path} is damaged; begin anew with --force") from None
