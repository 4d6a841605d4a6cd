"""Which letters of a text are printed, and in which order: whatever was typed becomes a line of letters.

Fonts are asked letter by letter (`typefaces.py`), so that scripts which are written from right to left or joined are
put into the order and the shapes in which they are seen before that.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from companion.language.phrase import Phrase

MAX_MARKS = 2
"""Accents above one another on one letter; more would reach into the lines above."""

_RIGHT_TO_LEFT = ("R", "AL", "AN")
_NOT_JOINED = "\u200c"
_NO_LETTERS = "\ufffe\uffff"
"""What Unicode never makes letters of."""
_LAM = "\u0644"
_TATWEEL = "\u0640"
"""Draws out the line between two letters, and so joins on both sides."""
_MARK = "\u034f"
"""A mark that is not seen and goes where the sign before it goes."""
_JOINED_EMOJI = re.compile("[\ufe0f\U0001f3fb-\U0001f3ff]|\u200d[\u2190-\u2bff\U0001f000-\U0001ffff]")
"""What only changes the emoji before it: how it is shown, the colour of its skin, what it is joined with."""

_UNSHAPED = ((0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x17FF))
"""Scripts whose letters change their places and shapes beside one another: those of India, Tibetan, Burmese, Khmer."""


@dataclass(frozen=True, slots=True)
class LetterProblems:
    """What to tell the user about the letters of a print, each once.

    `replaced` are drawn as a question mark in a frame, since no font has them; `unshaped` one beside the other, though
    their script joins them; `unusable` are fonts of the user's own that cannot be printed with, and why.
    """

    replaced: dict[str, None] = field(default_factory=dict)
    unshaped: dict[str, None] = field(default_factory=dict)
    unusable: dict[str, Phrase] = field(default_factory=dict)


LETTERS: ContextVar[LetterProblems] = ContextVar("letters", default=LetterProblems())  # noqa: B039
"""Where those who draw letters note what to tell; outside `letter_problems` nobody reads it."""


@contextmanager
def letter_problems() -> Iterator[LetterProblems]:
    """Collects what to tell about the letters that are drawn inside the block."""
    before = LETTERS.set(LetterProblems())
    try:
        yield LETTERS.get()
    finally:
        LETTERS.reset(before)


def is_unshaped(letter: str) -> bool:
    """Whether a letter's script changes it within a word, which nothing here does."""
    return any(first <= ord(letter) <= last for first, last in _UNSHAPED)


def cleaned(text: str) -> str:
    r"""The text in NFC without what cannot be seen: control characters go, tabs and line breaks become spaces.

    >>> cleaned("Jose\u0301\tA\u200bnn\uffffa\x07")
    'José Anna'
    """
    if text.isascii() and text.isprintable():
        return text
    text = _JOINED_EMOJI.sub("", unicodedata.normalize("NFC", text))
    text = "".join(" " if letter.isspace() and not letter.isprintable() else letter for letter in text)
    unseen = {*_NO_LETTERS, *(letter for letter in text if unicodedata.category(letter) in ("Cc", "Cf", "Cs"))}
    visible = [letter for letter in text if letter == _NOT_JOINED or letter not in unseen]
    return "".join(
        "".join(list(run)[: MAX_MARKS if mark else None])
        for mark, run in groupby(visible, lambda letter: unicodedata.category(letter) in ("Mn", "Me"))
    )


def in_visual_order(text: str) -> str:
    """A cleaned text as it is seen from left to right: what is written from right to left turned round, Arabic joined.

    A text with any letter written from left to right reads so as a whole, since all of the program's languages do.
    Vowel points of the other scripts are left out, as they are in most print.
    """
    directions = {unicodedata.bidirectional(letter) for letter in text}
    if directions.isdisjoint(_RIGHT_TO_LEFT):
        return text.replace(_NOT_JOINED, "")
    plain: list[str] = []
    for letter in text:
        pointed = plain and unicodedata.bidirectional(plain[-1]) in _RIGHT_TO_LEFT
        if not (pointed and unicodedata.category(letter) == "Mn"):
            plain.append(letter)
    seen = _turned(_joined("".join(plain)), "L" if "L" in directions else "R")
    return seen.replace(_NOT_JOINED, "")


def _turned(text: str, base: str) -> str:
    """A text in the order in which it is seen, its brackets too, in a line that reads from left ("L") or right ("R").

    The library leaves brackets as they are: a mark behind each shows whether it was turned, for then it stands before.
    """
    from bidi import get_display
    from bidi.mirror import MIRRORED

    marked = "".join(f"{sign}{_MARK}" if sign in MIRRORED else sign for sign in text.replace(_MARK, ""))
    turned: str = get_display(marked, base_dir=base)
    signs = "".join(map(re.escape, MIRRORED))
    return re.sub(
        f"{_MARK}([{signs}])|([{signs}]){_MARK}", lambda match: MIRRORED[match[1]] if match[1] else match[2], turned
    )


def _joined(text: str) -> str:
    """Arabic letters in the shapes that they take beside their neighbours, in the order of speech."""
    forms = _arabic_forms()
    letters = re.findall(f"{_LAM}(?:{'|'.join(pair[1] for pair in forms if len(pair) == 2)})|.", text)
    shaped = []
    for place, letter in enumerate(letters):
        before = forms.get(letters[place - 1], {}) if place else {}
        after = forms.get(letters[place + 1], {}) if place + 1 < len(letters) else {}
        own = forms.get(letter, {})
        from_right = "initial" in before and "final" in own
        to_left = "initial" in own and "final" in after
        shape = {(False, False): "isolated", (False, True): "initial", (True, False): "final", (True, True): "medial"}
        shaped.append(own.get(shape[from_right, to_left], letter))
    return "".join(shaped)


@cache
def _arabic_forms() -> dict[str, dict[str, str]]:
    """The presentation forms of each Arabic letter, and of lam with alef, by their place in a word."""
    forms = {_TATWEEL: dict.fromkeys(("isolated", "final", "initial", "medial"), _TATWEEL)}
    for code in (*range(0xFB50, 0xFC00), *range(0xFE80, 0xFEFD)):
        place, *letters = unicodedata.decomposition(chr(code)).split() or [""]
        if place in ("<isolated>", "<final>", "<initial>", "<medial>"):
            text = "".join(chr(int(letter, 16)) for letter in letters)
            if len(text) == 1 or text.startswith(_LAM):
                forms.setdefault(text, {})[place.strip("<>")] = chr(code)
    return forms


_COUNTED = re.compile(r"(?<=\d) (?=[^\W\d])")
_BEFORE_NUMBER = re.compile(r"(?<!\w)([^\W\d_]{1,3}) (?=\d)")
"""A short word before a number, such as "for" and "of", which does not end a line."""
_PREPOSITION = re.compile(r"(?<!\w)([а-яіїєґ]) ", re.IGNORECASE)
"""A Cyrillic word of one letter, which does not end a line."""


def glued(text: str) -> str:
    r"""The text with each number kept together with the words around it, and one letter with the next word.

    >>> glued("give 3 GC or more for 12").split(" ")
    ['give', '3\xa0GC', 'or', 'more', 'for\xa012']
    """
    return _PREPOSITION.sub("\\1\u00a0", _BEFORE_NUMBER.sub("\\1\u00a0", _COUNTED.sub("\u00a0", text)))
