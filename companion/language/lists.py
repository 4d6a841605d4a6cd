"""Lists in a sentence: "a, b and c"."""

from __future__ import annotations

from collections.abc import Sequence

from companion.language.phrase import Phrase, joined, say


def listed(words: Sequence[str]) -> Phrase:
    """Words as a list of all of them.

    >>> listed(["a", "b", "c"]), listed(["a"])
    ('a, b and c', 'a')
    """
    return joined("", words) if len(words) < 2 else say("{words} and {last}", words=_first(words), last=words[-1])


def listed_or(words: Sequence[str]) -> Phrase:
    """Words as a list of which one is meant.

    >>> listed_or(["a", "b", "c"])
    'a, b or c'
    """
    return joined("", words) if len(words) < 2 else say("{words} or {last}", words=_first(words), last=words[-1])


def _first(words: Sequence[str]) -> Phrase:
    return joined(", ", words[:-1])
