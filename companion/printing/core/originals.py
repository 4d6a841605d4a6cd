"""The project's own templates, of which people make copies: each with the commands that print by it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from companion.errors import UsageError
from companion.installation import template_path
from companion.language.phrase import say

_ANY = "setup_card.toml"
"""A template beside which all the others lie."""
_KIND = re.compile(r'^kind = "(\w+)"$', re.MULTILINE)
_COMMAND = re.compile(r"`(companion [^`]+)`")


@dataclass(frozen=True, slots=True)
class Original:
    """A template: its name, which is its kind, its file, and the commands that its first line names."""

    name: str
    path: Path
    commands: tuple[str, ...]


def originals() -> tuple[Original, ...]:
    """All templates of this installation, by name."""
    found = []
    for path in sorted(template_path(_ANY).parent.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        if kind := _KIND.search(text):
            first = text.partition("\n")[0]
            found.append(Original(kind[1], path, tuple(_COMMAND.findall(first))))
    return tuple(found)


def original(name: str) -> Original:
    """The template of that name, with or without its ending. Raises UsageError if there is none."""
    known = {one.name: one for one in originals()}
    try:
        return known[name.removesuffix(".toml")]
    except KeyError:
        raise UsageError(
            say("there is no template {name}; there are {known}", name=repr(name), known=", ".join(known))
        ) from None
