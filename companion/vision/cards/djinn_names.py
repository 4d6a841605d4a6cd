"""Djinns' names as cards may print them, and the one that a word read off a card means."""

from __future__ import annotations

import difflib
import unicodedata

from companion.notation.names import DJINN_NAMES, fold
from companion.rules.engine.djinns import DJINNS

MIN_LIKENESS = 0.74
MIN_MARGIN = 0.12
"""A word must be this like a name, and this much more so than like the next name."""

NEAR_LIKENESS = 0.55
"""A word this like a name is a title that could not be told, if it is none that could."""

MIN_LETTERS = 4

_BY_SCRIPT: dict[str, list[tuple[str, str]]] = {}
for _name in DJINNS:
    for _spelling in DJINN_NAMES[_name]:
        _script = unicodedata.name(_spelling[0]).split()[0]
        _BY_SCRIPT.setdefault(_script, []).append((fold(_spelling), _name))


def rank_names(text: str) -> list[tuple[str, float]]:
    """Every djinn with how like its name a word is (0 to 1), the likeliest first; empty for what is no word.

    >>> rank_names("Sharnhat")[0], rank_names("Ламия")[0]
    (('Shamhat', 0.8), ('Lamia', 1.0))
    """
    word = fold(text)
    letters = [letter for letter in text if letter.isalpha()]
    if not letters or len(word) < MIN_LETTERS:
        return []
    script = unicodedata.name(letters[len(letters) // 2], "?").split()[0]
    likeness: dict[str, float] = {}
    for spelling, name in _BY_SCRIPT.get(script, []):
        ratio = difflib.SequenceMatcher(None, word, spelling).ratio()
        likeness[name] = max(likeness.get(name, 0.0), ratio)
    return sorted(likeness.items(), key=lambda item: -item[1])
