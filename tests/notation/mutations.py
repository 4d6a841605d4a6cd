"""Texts damaged as hands and programs damage them: the other half of every property of reading and writing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import strategies as st

STRANGE = [
    *"\0\t\n\r\x0b\x0c\x1b\x1c\x85\xa0\u2028\u2029\u200b\u202e\ufeff\ud800",
    *"#:;,.>/|\"'=[]{}()@^-+*?…–—×_~\\",
    *"0123456789٣²½",
    *"aAbBcCxXyYwWgGrRkKoOpPїЖшК비İıßǅ",
]
"""Characters that a text may hold and that a careless reader stumbles on."""

LONG = [
    "9" * 30,
    "0" * 30,
    " " * 30,
    "(" * 30,
    "a." * 30,
    "...",
    "…",
    "\r\n",
    "\n\n",
    "\n    \n",
    "# ",
    " # ",
    ": ",
    "; ",
]


def _pieces(text: str, unit: str) -> list[str]:
    if unit == "lines":
        return text.splitlines(keepends=True)
    if unit == "words":
        return re.findall(r"\w+|\W", text)
    return list(text)


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[str], others: Sequence[str] = (), most: int = 4) -> str:
    """One of the texts with up to `most` pieces deleted, inserted, swapped, doubled or changed.

    `others` are words of the same grammar that may be put in.
    """
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, most))):
        pieces = _pieces(text, draw(st.sampled_from(["lines", "words", "words", "letters"])))
        if not pieces:
            return text
        places = st.integers(0, len(pieces) - 1)
        at = draw(places)
        match draw(st.sampled_from(["delete", "insert", "insert", "swap", "double", "replace", "case", "number"])):
            case "delete":
                del pieces[at : at + draw(st.integers(1, 3))]
            case "insert":
                pieces.insert(at, draw(st.sampled_from([*STRANGE, *LONG, *others]) | st.text(max_size=3)))
            case "swap":
                other = draw(places)
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case "double":
                pieces.insert(draw(places), pieces[at])
            case "replace":
                pieces[at] = draw(st.sampled_from([*STRANGE, *others, *pieces[:50]]))
            case "case":
                pieces[at] = pieces[at].swapcase()
            case _:
                pieces[at] = re.sub(r"\d+", str(draw(st.integers(0, 1000))), pieces[at])
        text = "".join(pieces)
    return text
