"""Hints as a person reads them: a block for each turn, the sum first, then how to play it and what it brings."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterator

from companion.advisor.hint import Hint, Hints
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Tribe

COLOUR_NAMES: dict[Tribe, str] = {
    Tribe.VIZIER: "yellow",
    Tribe.ELDER: "white",
    Tribe.BUILDER: "blue",
    Tribe.MERCHANT: "green",
    Tribe.ASSASSIN: "red",
}

_INDENT = " " * 10
_WIDEST = 100
_TIE = "\xa0"


def hint_lines(found: Hints) -> Iterator[str]:
    """The lines to print, no wider than the terminal."""
    width = min(_WIDEST, shutil.get_terminal_size((80, 24)).columns)
    if not found.moves:
        yield f"No turn to suggest for {found.to_move}."
        return
    yield f"Best turns for {found.to_move} by the points they bring at once"
    for number, one in enumerate(found.moves, 1):
        yield ""
        yield from _block(number, one, width)


def _block(number: int, one: Hint, width: int) -> Iterator[str]:
    head = f"{number:>2}. {one.gain:>+4}  "
    yield from _wrapped(_sowing(one), width, head)
    for item in one.explanation.effects:
        text = str(item) if item.points else item.text
        yield from _wrapped(re.sub(r" (?=[+-]\d)", _TIE, text), width, _INDENT)
    if not one.explanation.effects:
        yield _INDENT + one.explanation.why
    if one.also_from:
        starts = ", ".join(SQUARE_NAMES[square] for square in one.also_from)
        yield from _wrapped(f"the same from {starts}", width, _INDENT)


def _wrapped(text: str, width: int, head: str) -> list[str]:
    """Lines of a text under its head; what `_TIE` joins stays on one line."""
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=head,
        subsequent_indent=_INDENT + "  ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(_TIE, " ") for line in lines]


def _sowing(one: Hint) -> str:
    """The move of the meeples in words; a step is not broken over lines."""
    sowing = one.move.sowing
    steps = [
        f">{_TIE}{SQUARE_NAMES[square]}{_TIE}{COLOUR_NAMES[tribe]}"
        for square, tribe in zip(sowing.path, sowing.drops, strict=True)
    ]
    words = " ".join([f"{SQUARE_NAMES[sowing.start]}: take {len(steps)}", *steps])
    return f"{words}; in{_TIE}hand{_TIE}{one.taken}{_TIE}{COLOUR_NAMES[one.tribe]}"
