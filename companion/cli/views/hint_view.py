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

_NONE: Doubts = MappingProxyType({})
_INDENT = " " * 10
_WIDEST = 100
_TIE = "\xa0"


def hint_lines(found: Hints, names: Mapping[Colour, str] | None = None, doubts: Doubts = _NONE) -> Iterator[str]:
    """The lines to print, no wider than the terminal; `names` are the players' where they are known.

    A hint says which of the tiles in doubt it rests on.
    """
    width = min(_WIDEST, shutil.get_terminal_size((80, 24)).columns)
    if found.result is not None:
        yield over_line(found.result, names or {})
        return
    if not found.moves:
        yield f"No turn to suggest for {found.to_move}."
        return
    unsure = any(one.explanation.possible for one in found.moves)
    expected = ", those that are not sure (~) as they are to be expected" if unsure else ""
    yield from _wrapped(f"Best turns for {found.to_move} by the points they bring at once{expected}", width, "", "")
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
    yield from _wrapped(_sowing(one), width, f"{number:>2}. {points:>4}  ")
    for effect in explanation.effects:
        text = str(effect) if effect.points else effect.text
        yield from _wrapped(re.sub(r" (?=[+-]\d)", _TIE, text), width, _INDENT)
    if not explanation.effects:
        yield _INDENT + "brings no points at once"
    for possible in explanation.possible:
        likely = "" if possible.chance is None else f" ({_percent(possible.chance)} likely)"
        yield from _wrapped(possible.text + likely, width, _INDENT)
    for condition in explanation.conditions:
        yield from _wrapped(f"only {condition}", width, _INDENT)
    if explanation.uncounted:
        yield from _wrapped(explanation.left_out, width, _INDENT)
    if squares := doubtful_squares(one, doubts):
        yield from _wrapped(f"rests on {_read_with(squares, doubts)}", width, _INDENT)
    if one.also_from:
        starts = ", ".join(SQUARE_NAMES[square] for square in one.also_from)
        yield from _wrapped(f"the same from {starts}", width, _INDENT)


def doubtful_squares(one: Hint, doubts: Doubts) -> tuple[int, ...]:
    """The squares in doubt that a hint's turn starts on, passes, ends on or claims, in the order of the turn."""
    sowing = one.move.sowing
    touched = dict.fromkeys((sowing.start, *sowing.path, *one.explanation.claims))
    return tuple(square for square in touched if square in doubts)


def _read_with(squares: Iterable[int], doubts: Doubts) -> str:
    """Squares with the confidence that they were read with: "a2, read with 50%, and c3, read with 72%"."""
    return ", and ".join(f"{SQUARE_NAMES[square]}, read with {_percent(doubts[square])}" for square in squares)


def _percent(chance: float) -> str:
    """A probability for people, never quite certain: "<1%", "72%", ">99%"."""
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def hint_document(found: Hints, doubts: Doubts = _NONE) -> dict[str, object]:
    """Hints for JSON; `assumed` is there when something was not known, or a turn rests on a tile in doubt."""
    document: dict[str, object] = {
        "to_move": None if found.to_move is None else str(found.to_move),
        "moves": [_move_document(found.position, one) for one in found.moves],
    }
    resting = {square for one in found.moves for square in doubtful_squares(one, doubts)}
    assumed = [*found.assumed]
    if resting:
        assumed.append(f"turns rest on {_read_with(sorted(resting, key=doubts.__getitem__), doubts)}.")
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


def _wrapped(text: str, width: int, head: str, indent: str = _INDENT + "  ") -> list[str]:
    """Lines of a text under its head; what `_TIE` joins stays on one line."""
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=head,
        subsequent_indent=indent,
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
