"""Sowings as text and as JSON: "c3>c4g>d4b>d5y", or from, path and drops apart."""

from __future__ import annotations

import re

from companion.errors import NotationError, quoted
from companion.language.phrase import say
from companion.rules.model.actions import Sowing
from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.rules.model.components import TRIBE_LETTERS, Tribe

_STEP = re.compile(rf"([a-f][1-5])([{TRIBE_LETTERS}])")


def parse_sowing(text: str) -> Sowing:
    """The sowing that a text stands for, as `str` of a sowing writes it; spaces and case do not matter.

    >>> str(parse_sowing("C3 > c4G > d4b"))
    'c3>c4g>d4b'

    Whether it is legal is for `rules.sowing.check_sowing` to say. Raises NotationError with the part that
    cannot be read.
    """
    start, *steps = text.lower().replace(" ", "").split(">")
    if start not in SQUARE_NAMES or not steps:
        raise NotationError(
            say("{text} is not a move: expected a start tile and steps, such as c3>c4g>d4b", text=quoted(text))
        )
    path, drops = [], []
    for step in steps:
        match = _STEP.fullmatch(step)
        if match is None:
            raise NotationError(
                say(
                    "{text}: {step} is not a step: expected a tile and a meeple, such as c4g",
                    text=quoted(text),
                    step=quoted(step),
                )
            )
        path.append(parse_square(match[1]))
        drops.append(Tribe(TRIBE_LETTERS.index(match[2])))
    return Sowing(parse_square(start), tuple(path), tuple(drops))


def sowing_document(sowing: Sowing) -> dict[str, object]:
    """A sowing for JSON: {"from": "c3", "path": ["c4", "d4"], "drops": "gb"}."""
    return {
        "from": SQUARE_NAMES[sowing.start],
        "path": [SQUARE_NAMES[square] for square in sowing.path],
        "drops": "".join(tribe.letter for tribe in sowing.drops),
    }
