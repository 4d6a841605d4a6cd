"""Compiles the catalogues of `templates/locales`: hatchling does it as it builds or installs the package.

    python hatch_build.py      # compiles what has changed since, in a checkout

The standard library alone is needed for that.
"""

from __future__ import annotations

import re
import struct
from ast import literal_eval
from pathlib import Path
from typing import Any

LOCALES = Path(__file__).resolve().parent / "templates" / "locales"
_PART = re.compile(r'^(msgctxt|msgid_plural|msgid|msgstr)(?:\[\d\])?((?:\s*"(?:[^"\\]|\\.)*")+)', re.MULTILINE)
_MAGIC, _HEAD = 0x950412DE, 28


def compiled(po: str) -> bytes:
    """A catalogue as gettext reads it: lengths and places of all messages, of their translations, and the texts."""
    messages: dict[str, str] = {}
    context = key = ""
    for part, quoted in _PART.findall(po):
        text = literal_eval(f"({quoted.strip()})")
        match part:
            case "msgctxt":
                context = f"{text}\4"
            case "msgid":
                key, context = context + text, ""
            case "msgid_plural":
                key = f"{key}\0{text}"
            case _:
                messages[key] = f"{messages[key]}\0{text}" if key in messages else text
    # English speaks for what is not translated yet.
    pairs = sorted((key.encode(), text.encode()) for key, text in messages.items() if text.strip("\0"))
    tables, texts, size = b"", b"", 8 * len(pairs)
    for side in zip(*pairs, strict=True):
        for text in side:
            tables += struct.pack("<II", len(text), _HEAD + 2 * size + len(texts))
            texts += text + b"\0"
    return struct.pack("<7I", _MAGIC, 0, len(pairs), _HEAD, _HEAD + size, 0, _HEAD + 2 * size) + tables + texts


def compile_catalogues(folder: Path = LOCALES) -> None:
    """Compile each catalogue in a folder beside itself, unless that was done since it changed."""
    for po in folder.rglob("*.po"):
        mo = po.with_suffix(".mo")
        if not mo.exists() or mo.stat().st_mtime < po.stat().st_mtime:
            mo.write_bytes(compiled(po.read_text(encoding="utf-8")))


def get_build_hook() -> type[Any]:
    """What hatchling calls before it puts a package together."""
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class CompileCatalogues(BuildHookInterface[Any]):
        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            compile_catalogues()

    return CompileCatalogues


if __name__ == "__main__":
    compile_catalogues()
