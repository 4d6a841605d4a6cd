"""Hints as a person reads them: a block for each turn, the sum first, then how to play it and what it brings."""

from __future__ import annotations

import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe

if TYPE_CHECKING:
    from companion.advisor.hint import Hint, Hints
    from companion.rules.engine.result import GameResult
    from companion.rules.model.actions import Sowing
    from companion.rules.model.position import Position

COLOUR_NAMES: dict[Tribe, str] = {
    Tribe.VIZIER: "yellow",
    Tribe.ELDER: "white",
    Tribe.BUILDER: "blue",
    Tribe.MERCHANT: "green",
    Tribe.ASSASSIN: "red",
}

Doubts = Mapping[int, float]
"""The doubtful squares of a photo's reading, each with the confidence (0 to 1) that it was read with."""

NO_DOUBTS: Doubts = MappingProxyType({})
INDENT = " " * 10
WIDEST = 100
"""Columns that lines of words are broken at in a wider terminal."""
TIE = "\xa0"
"""A space that no line is broken at; it is printed as a plain one."""


def hint_lines(found: Hints, names: Mapping[Colour, str] | None = None, doubts: Doubts = NO_DOUBTS) -> Iterator[str]:
    """The lines to print, no wider than the terminal; `names` are the players' where they are known.

    A hint says which of the tiles in doubt it rests on.
    """
    width = min(WIDEST, shutil.get_terminal_size((80, 24)).columns)
    if found.result is not None:
        yield over_line(found.result, names or {})
        return
    if not found.moves:
        yield f"No turn to suggest for {found.to_move}."
        return
    unsure = any(one.explanation.possible for one in found.moves)
    expected = ", those that are not sure (~) as they are to be expected" if unsure else ""
    yield from wrapped(f"Best turns for {found.to_move} by the points they bring at once{expected}", width, "", "")
    for number, one in enumerate(found.moves, 1):
        yield ""
        yield from _block(number, one, width, doubts)


def over_line(result: GameResult, names: Mapping[Colour, str]) -> str:
    """What is said in place of advice when the game is over: how it ended."""
    from companion.cli.views.score_table import WON, verdict

    return f"The game is over. {verdict(result, names).removeprefix(WON)}" if result.scores else "The game is over."


def _block(number: int, one: Hint, width: int, doubts: Doubts) -> Iterator[str]:
    explanation = one.explanation
    points = f"~{round(explanation.expected):+d}" if explanation.possible else f"{one.gain:+d}"
    yield from wrapped(_sowing(one), width, f"{number:>2}. {points:>4}  ")
    for effect in explanation.effects:
        text = str(effect) if effect.points else effect.text
        yield from wrapped(re.sub(r" (?=[+-]\d)", TIE, text), width, INDENT)
    if not explanation.effects:
        yield INDENT + "brings no points at once"
    for possible in explanation.possible:
        likely = "" if possible.chance is None else f" ({percent(possible.chance)} likely)"
        yield from wrapped(possible.text + likely, width, INDENT)
    for condition in explanation.conditions:
        yield from wrapped(f"only {condition}", width, INDENT)
    if explanation.uncounted:
        yield from wrapped(explanation.left_out, width, INDENT)
    if squares := doubtful_squares(one, doubts):
        yield from wrapped(f"rests on {read_with(squares, doubts)}", width, INDENT)
    if one.also_from:
        starts = ", ".join(SQUARE_NAMES[square] for square in one.also_from)
        yield from wrapped(f"the same from {starts}", width, INDENT)


def doubtful_squares(one: Hint, doubts: Doubts) -> tuple[int, ...]:
    """The squares in doubt that a hint's turn starts on, passes, ends on or claims, in the order of the turn."""
    return resting_on(one.move.sowing, one.explanation.claims, doubts)


def resting_on(sowing: Sowing, claims: Iterable[int], doubts: Doubts) -> tuple[int, ...]:
    """The squares in doubt that meeples are taken from, that they pass or end on, or that are claimed."""
    touched = dict.fromkeys((sowing.start, *sowing.path, *claims))
    return tuple(square for square in touched if square in doubts)


def read_with(squares: Iterable[int], doubts: Doubts) -> str:
    """Squares with the confidence that they were read with: "a2, read with 50%, and c3, read with 72%"."""
    return ", and ".join(f"{SQUARE_NAMES[square]}, read with {percent(doubts[square])}" for square in squares)


def percent(chance: float) -> str:
    """A probability for people, never quite certain: "<1%", "72%", ">99%"."""
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def hint_document(found: Hints, doubts: Doubts = NO_DOUBTS) -> dict[str, object]:
    """Hints for JSON; `assumed` is there when something was not known, or a turn rests on a tile in doubt."""
    document: dict[str, object] = {
        "to_move": None if found.to_move is None else str(found.to_move),
        "moves": [_move_document(found.position, one) for one in found.moves],
    }
    resting = {square for one in found.moves for square in doubtful_squares(one, doubts)}
    assumed = [*found.assumed]
    if resting:
        assumed.append(f"turns rest on {read_with(sorted(resting, key=doubts.__getitem__), doubts)}.")
    if assumed:
        document["assumed"] = assumed
    return document


def _move_document(position: Position, one: Hint) -> dict[str, object]:
    from companion.notation.moves import sowing_document
    from companion.notation.records.recording import turn_line

    return {
        **sowing_document(one.move.sowing),
        "take": {"colour": one.tribe.letter, "count": one.taken},
        "claims": [SQUARE_NAMES[square] for square in one.explanation.claims],
        "actions": one.explanation.actions,
        "gain": one.gain,
        "value": one.value,
        "why": one.explanation.why,
        "line": turn_line(position, one.move),
    }


def wrapped(text: str, width: int, head: str, indent: str = INDENT + "  ") -> list[str]:
    """Lines of a text under its head; what `TIE` joins stays on one line."""
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=head,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [line.replace(TIE, " ") for line in lines]


def _sowing(one: Hint) -> str:
    """The move of the meeples in words; a step is not broken over lines."""
    sowing = one.move.sowing
    steps = [
        f">{TIE}{SQUARE_NAMES[square]}{TIE}{COLOUR_NAMES[tribe]}"
        for square, tribe in zip(sowing.path, sowing.drops, strict=True)
    ]
    words = " ".join([f"{SQUARE_NAMES[sowing.start]}: take {len(steps)}", *steps])
    return f"{words}; in{TIE}hand{TIE}{one.taken}{TIE}{COLOUR_NAMES[one.tribe]}"
