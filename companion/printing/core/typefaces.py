"""Fonts: which one has which letter, so that no print-out ever shows an empty box for a letter.

Latin and Cyrillic come with the package; Hangul and whatever else is looked for on the system.
"""

from __future__ import annotations

import os
import struct
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from companion.errors import MissingDependencyError, UnusableInputError, UsageError

BUNDLED = Path(__file__).resolve().parents[1] / "fonts"


class Face(Enum):
    """A style of lettering; its value is the bundled file of it and the system's files for other letters."""

    REGULAR = ("PTSans-Regular.ttf", ("NanumGothic.ttf", "malgun.ttf", "AppleGothic.ttf", "UnDotum.ttf"))
    BOLD = ("PTSans-Bold.ttf", ("NanumGothicBold.ttf", "malgunbd.ttf", "NanumGothic.ttf", "AppleGothic.ttf"))
    TITLE = ("PTSerif-Bold.ttf", ("NanumMyeongjoBold.ttf", "NanumGothicBold.ttf", "malgunbd.ttf", "AppleGothic.ttf"))


_SPARE = "DejaVuSans.ttf"

MAX_FONT_BYTES = 100_000_000
"""A larger file is no font of letters."""

_DAMAGED = (
    struct.error,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
"""What reportlab's reader of fonts, written in Python, fails with on a file that is cut off or damaged."""


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one font, by the name under which reportlab knows it: the font file's path."""

    text: str
    font: str

    @property
    def typeface(self) -> str:
        """The font file's name without its ending, such as "PTSans-Regular"."""
        return Path(self.font).stem

    def width(self, size: float) -> float:
        """Its width in points at that size in points."""
        return float(pdfmetrics.stringWidth(self.text, self.font, size))


def system_folders() -> tuple[Path, ...]:
    """Where this kind of system keeps its fonts, the user's own first."""
    try:
        home = Path.home()
    except RuntimeError:
        # In a container a user may have neither a home nor a name; then only the system's fonts are there.
        home = Path("/nonexistent")
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local"))
        return (local / "Microsoft/Windows/Fonts", Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts")
    if sys.platform == "darwin":
        return (home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts"))
    return (home / ".local/share/fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts"))


class Fonts:
    """The fonts of one print-out.

    `font_dir` is a folder of the user's whose TrueType fonts are asked before the system's;
    `system` replaces the system's own folders.
    """

    def __init__(self, font_dir: Path | None = None, system: Sequence[Path] | None = None) -> None:
        if font_dir is not None and not font_dir.is_dir():
            raise UsageError(f"--font-dir {font_dir}: there is no such folder")
        self._font_dir = font_dir
        self._system = tuple(system_folders() if system is None else system)
        self._chosen: dict[tuple[Face, str], str] = {}

    def runs(self, text: str, face: Face) -> list[Run]:
        """The text cut into stretches that one font has every letter of, in NFC.

        Raises MissingDependencyError if no font has a letter, UnusableInputError for letters that
        need more than drawing one after the other (right to left, joined scripts) and for control characters.
        """
        letters = unicodedata.normalize("NFC", text)
        return [Run("".join(run), font) for font, run in groupby(letters, lambda letter: self._font(letter, face))]

    def families(self) -> dict[str, str]:
        """The family of every font used so far, such as "PT Sans", by the name under which reportlab knows the font."""
        found = {font: pdfmetrics.getFont(font).face.familyName for font in sorted(set(self._chosen.values()))}
        return {font: name.decode() if isinstance(name, bytes) else str(name) for font, name in found.items()}

    def _font(self, letter: str, face: Face) -> str:
        if (face, letter) not in self._chosen:
            _check_drawable(letter)
            self._chosen[face, letter] = self._search(letter, face)
        return self._chosen[face, letter]

    def _search(self, letter: str, face: Face) -> str:
        for path in self._candidates(face):
            font = _registered(path)
            if font is not None and ord(letter) in font.face.charToGlyph and _can_embed(path, font, letter):
                return str(font.fontName)
        raise MissingDependencyError(_missing(letter))

    def _candidates(self, face: Face) -> Iterator[Path]:
        first, others = face.value
        yield BUNDLED / first
        yield BUNDLED / _SPARE
        if self._font_dir is not None:
            own = sorted(path for path in self._font_dir.iterdir() if path.suffix.lower() == ".ttf")
            bold = [path for path in own if "bold" in path.stem.lower()]
            plain = [path for path in own if path not in bold]
            yield from plain + bold if face is Face.REGULAR else bold + plain
        for name in others:
            yield from _found(name, self._system)


@lru_cache(maxsize=64)
def _found(name: str, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(path for folder in folders if folder.is_dir() for path in sorted(folder.rglob(name))[:1])


@lru_cache(maxsize=64)
def _registered(path: Path) -> TTFont | None:
    """The font of a file, known to reportlab from now on; None if it is none that reportlab can embed."""
    try:
        if not path.is_file() or not 0 < path.stat().st_size <= MAX_FONT_BYTES:
            return None
        font = TTFont(str(path), str(path))
    except (TTFError, OSError, *_DAMAGED):
        return None
    pdfmetrics.registerFont(font)
    return font


def _can_embed(path: Path, font: TTFont, letter: str) -> bool:
    """Whether a letter can be taken out of a font: a file that was cut off has its list of letters, but not them."""
    if path.parent == BUNDLED:
        return True
    try:
        font.face.makeSubset([0, ord(letter)])
    except (TTFError, *_DAMAGED):
        return False
    return True


def _check_drawable(letter: str) -> None:
    if unicodedata.bidirectional(letter) in ("R", "AL", "AN"):
        raise UnusableInputError(f"{_named(letter)} is of a script written from right to left, which cannot be printed")
    if unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn"):
        raise UnusableInputError(f"{_named(letter)} is no letter that can be printed")


def _missing(letter: str) -> str:
    name = unicodedata.name(letter, "")
    if name.startswith(("HANGUL", "CJK")):
        remedy = "install a Korean font (Debian and Ubuntu: apt install fonts-nanum)"
    else:
        remedy = "leave it out"
    return f"no font has {_named(letter)}; {remedy} or name a folder of TrueType fonts that have it with --font-dir"


def _named(letter: str) -> str:
    shown = f"{letter!r} " if letter.isprintable() else ""
    return f"the character {shown}(U+{ord(letter):04X})"
