"""Which words a line must not part: a number and what it counts, a word of one letter and the next."""

from __future__ import annotations

import re

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
