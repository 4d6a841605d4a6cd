"""Fonts: which one has which letter, so that no print-out ever shows an empty box for a letter.

Latin, Cyrillic, Hangul and much else come with the package; what they lack is looked for on the system. A letter that
no font has is shown as a question mark in a frame.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFError, TTFont

from companion.errors import MissingDependencyError, UsageError
from companion.language.phrase import Phrase, say
from companion.printing.core.lettering import LETTERS, cleaned, in_visual_order, is_unshaped

BUNDLED = Path(__file__).resolve().parents[1] / "fonts"


class Face(Enum):
    """A style of lettering; its value is the bundled files of it and the system's files for other letters."""

    REGULAR = (
        ("PTSans-Regular.ttf", "DejaVuSans.ttf", "CompanionHangul-Regular.ttf"),
        ("NanumGothic.ttf", "malgun.ttf", "AppleGothic.ttf", "UnDotum.ttf"),
    )
    BOLD = (
        ("PTSans-Bold.ttf", "DejaVuSans.ttf", "CompanionHangul-Bold.ttf"),
        ("NanumGothicBold.ttf", "malgunbd.ttf", "NanumGothic.ttf", "AppleGothic.ttf"),
    )
    TITLE = (
        ("PTSerif-Bold.ttf", "DejaVuSans.ttf", "CompanionHangul-Bold.ttf"),
        ("NanumMyeongjoBold.ttf", "NanumGothicBold.ttf", "malgunbd.ttf", "AppleGothic.ttf"),
    )


LAST_RESORT = "\u2370"
"""A question mark in a frame, for a letter that no font has."""
_LAST_RESORT_FILE = "LastResort.ttf"

MAX_FONT_BYTES = 100_000_000
"""A larger file is no font of letters."""

_ENDINGS = frozenset({".ttf", ".ttc", ".otf", ".otc"})
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
    # In a container a user may have neither a home nor a name, and `~` stays as it is.
    home = Path(os.path.expanduser("~"))  # noqa: PTH111
    if sys.platform == "win32":
        local = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local"))
        return (local / "Microsoft/Windows/Fonts", Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts")
    if sys.platform == "darwin":
        return (home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts"))
    return (home / ".local/share/fonts", home / ".fonts", Path("/usr/local/share/fonts"), Path("/usr/share/fonts"))


class Fonts:
    """The fonts of one print-out.

    `font_dir` is a folder of the user's whose TrueType fonts, those in folders within it too, are asked before the
    system's; `system` replaces the system's own folders.
    """

    def __init__(self, font_dir: Path | None = None, system: Sequence[Path] | None = None) -> None:
        if font_dir is not None and not font_dir.is_dir():
            raise UsageError("--font-dir {font_dir}: no such folder", font_dir=font_dir)
        self._font_dir = font_dir
        self._system = tuple(system_folders() if system is None else system)
        self._chosen: dict[tuple[Face, str], tuple[str, str]] = {}

    def runs(self, text: str, face: Face) -> list[Run]:
        """The text as it is seen from left to right, cut into stretches that one font has every letter of.

        Control characters are left out, and what no font has is the framed question mark. Raises
        MissingDependencyError if the program's own fonts are gone.
        """
        letters = [(letter, *self._font(letter, face)) for letter in in_visual_order(cleaned(text))]
        return [
            Run("".join(shown for _, shown, _ in run), font) for font, run in groupby(letters, lambda letter: letter[2])
        ]

    def lacking(self, text: str) -> list[str]:
        """The letters of a text that no font has, each once, in their order."""
        shown = in_visual_order(cleaned(text))
        drawn = ((letter, self._font(letter, Face.REGULAR)[0]) for letter in shown)
        return list(dict.fromkeys(letter for letter, sign in drawn if sign == LAST_RESORT != letter))

    def _font(self, letter: str, face: Face) -> tuple[str, str]:
        if (face, letter) not in self._chosen:
            self._chosen[face, letter] = self._search(letter, face)
        return self._chosen[face, letter]

    def _search(self, letter: str, face: Face) -> tuple[str, str]:
        for path in self._candidates(face):
            font = _registered(path)
            if isinstance(font, Phrase):
                if path in self._own:
                    LETTERS.get().unusable[path.name] = font
            elif ord(letter) in font.face.charToGlyph and _can_embed(path, font, letter):
                if is_unshaped(letter):
                    LETTERS.get().unshaped[letter] = None
                return letter, str(font.fontName)
        spare = _registered(BUNDLED / _LAST_RESORT_FILE)
        if isinstance(spare, Phrase):
            raise MissingDependencyError(
                "the font {bundled} is missing; install the program again", bundled=BUNDLED / _LAST_RESORT_FILE
            )
        if letter != LAST_RESORT:
            LETTERS.get().replaced[letter] = None
        return LAST_RESORT, str(spare.fontName)

    def _candidates(self, face: Face) -> Iterator[Path]:
        bundled, others = face.value
        yield from (BUNDLED / name for name in bundled)
        yield from sorted(self._own, key=lambda path: ("bold" in path.stem.lower()) is (face is Face.REGULAR))
        for name in others:
            yield from _font_files(name, self._system)

    @cached_property
    def _own(self) -> list[Path]:
        if self._font_dir is None:
            return []
        return sorted(path for path in self._font_dir.rglob("*") if path.suffix.lower() in _ENDINGS)


@lru_cache(maxsize=64)
def _font_files(name: str, folders: tuple[Path, ...]) -> tuple[Path, ...]:
    return tuple(path for folder in folders if folder.is_dir() for path in sorted(folder.rglob(name))[:1])


@lru_cache(maxsize=256)
def _registered(path: Path) -> TTFont | Phrase:
    """A font of a file, known to reportlab from now on; else why it is none that reportlab can embed."""
    try:
        if not path.is_file() or not 0 < path.stat().st_size <= MAX_FONT_BYTES:
            return say("it isn't a font")
        font = TTFont(str(path), str(path))
    except TTFError as error:
        if "postscript outlines" in str(error):
            return say("it has PostScript outlines (CFF), which can't be embedded; use a TrueType font")
        return say("it's damaged or isn't a font")
    except (OSError, *_DAMAGED):
        return say("it's damaged or isn't a font")
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
