"""Hints as a person reads them: a block for each turn, the sum first, then how to play it and what it brings."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.advisor.explanation import NO_POINTS
from companion.cli.locale import translate
from companion.cli.wrapping import TIE, wrapped
from companion.language.phrase import Phrase, joined, say, say_as, term
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe

if TYPE_CHECKING:
    from companion.advisor.search.gains import Hint, Hints
    from companion.rules.engine.scoring import GameResult
    from companion.rules.model.actions import Sowing

MEEPLE_COLOURS: dict[Tribe, Phrase] = {
    Tribe.VIZIER: say_as("a meeple", "yellow"),
    Tribe.ELDER: say_as("a meeple", "white"),
    Tribe.BUILDER: say_as("a meeple", "blue"),
    Tribe.MERCHANT: say_as("a meeple", "green"),
    Tribe.ASSASSIN: say_as("a meeple", "red"),
}

Doubts = Mapping[int, float]
"""The doubtful squares of a photo's reading, each with the confidence (0 to 1) that it was read with."""

NO_DOUBTS: Doubts = MappingProxyType({})
INDENT = " " * 10
_HANGING = INDENT + "  "
WIDEST = 100
"""Columns that lines of words are broken at in a wider terminal."""


def hint_lines(found: Hints, names: Mapping[Colour, str] | None = None, doubts: Doubts = NO_DOUBTS) -> Iterator[str]:
    """The lines to print, no wider than the terminal; `names` are the players' where they are known.

    A hint says which of the tiles in doubt it rests on.
    """
    width = min(WIDEST, shutil.get_terminal_size((80, 24)).columns)
    if found.result is not None:
        yield over_line(found.result, names or {})
        return
    if not found.moves or found.to_move is None:
        yield translate(no_turn_words(found.to_move))
        return
    title = say("Best turns for {player} by the points they bring at once", player=term(found.to_move))
    if any(one.explanation.possible for one in found.moves):
        title = say(
            "Best turns for {player} by the points they bring at once, those that are not sure (~) as they are to be "
            "expected",
            player=term(found.to_move),
        )
    yield from wrapped(translate(title), width)
    for number, one in enumerate(found.moves, 1):
        yield ""
        yield from _block(number, one, width, doubts)


def no_turn_words(player: Colour | None) -> Phrase:
    """What is said where there is no turn to advise."""
    who = say("nobody") if player is None else term(player)
    return say("No turn to suggest for {player}.", player=who)


def over_line(result: GameResult, names: Mapping[Colour, str]) -> Phrase:
    """What is said in place of advice when the game is over: how it ended."""
    from companion.table.results import standing

    over = say("The game is over.")
    return joined(" ", (over, standing(result, names))) if result.scores else over


def _block(number: int, one: Hint, width: int, doubts: Doubts) -> Iterator[str]:
    explanation = one.explanation
    points = f"~{round(explanation.expected):+d}" if explanation.possible else f"{one.gain:+d}"
    yield from wrapped(_sowing(one), width, f"{number:>2}. {points:>4}  ", _HANGING)
    for effect in explanation.effects:
        text = translate(str(effect) if effect.points else effect.text)
        yield from wrapped(re.sub(r" (?=[+-]\d)", TIE, text), width, INDENT, _HANGING)
    if not explanation.effects:
        yield INDENT + translate(NO_POINTS)
    for text in _rests_on(one, doubts):
        yield from wrapped(translate(text), width, INDENT, _HANGING)


def _rests_on(one: Hint, doubts: Doubts) -> Iterator[str]:
    """What else is to be known of a turn: what hangs on what is not known, and other tiles to begin at."""
    explanation = one.explanation
    for possible in explanation.possible:
        yield (
            possible.text
            if possible.chance is None
            else say("{possible} ({percent} likely)", possible=possible.text, percent=percent(possible.chance))
        )
    yield from explanation.conditions
    if squares := doubtful_squares(one, doubts):
        yield say("rests on {tiles}", tiles=read_with(squares, doubts))
    if one.also_from:
        starts = ", ".join(SQUARE_NAMES[square] for square in one.also_from)
        yield say("the same from {tiles}", tiles=starts)


def doubtful_squares(one: Hint, doubts: Doubts) -> tuple[int, ...]:
    """The squares in doubt that a hint's turn starts on, passes, ends on or claims, in the order of the turn."""
    return resting_on(one.sowing, one.explanation.claims, doubts)


def resting_on(sowing: Sowing, claims: Iterable[int], doubts: Doubts) -> tuple[int, ...]:
    """The squares in doubt that meeples are taken from, that they pass or end on, or that are claimed."""
    touched = dict.fromkeys((sowing.start, *sowing.path, *claims))
    return tuple(square for square in touched if square in doubts)


def read_with(squares: Iterable[int], doubts: Doubts) -> Phrase:
    """Squares with the confidence that they were read with: "a2, read with 50%, and c3, read with 72%"."""
    read = [
        say("{tile}, read with {percent}", tile=SQUARE_NAMES[square], percent=percent(doubts[square]))
        for square in squares
    ]
    return joined(say(", and "), read)


def percent(chance: float) -> str:
    """A probability for people, never quite certain: "<1%", "72%", ">99%"."""
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def hint_document(found: Hints, doubts: Doubts = NO_DOUBTS) -> dict[str, object]:
    """Hints for JSON; `assumed` is there when something was not known, or a turn rests on a tile in doubt."""
    document: dict[str, object] = {
        "to_move": None if found.to_move is None else str(found.to_move),
        "moves": [_move_document(one) for one in found.moves],
    }
    resting = {square for one in found.moves for square in doubtful_squares(one, doubts)}
    assumed = [*found.assumed]
    if resting:
        assumed.append(say("turns rest on {tiles}.", tiles=read_with(sorted(resting, key=doubts.__getitem__), doubts)))
    if assumed:
        document["assumed"] = assumed
    return document


def _move_document(one: Hint) -> dict[str, object]:
    from companion.notation.records.recording import actions_line
    from companion.notation.tokens import sowing_document

    return {
        **sowing_document(one.sowing),
        "take": {"colour": one.sowing.tribe.letter, "count": _taken(one)},
        "claims": [SQUARE_NAMES[square] for square in one.explanation.claims],
        "actions": one.explanation.actions,
        "gain": one.gain,
        "value": one.value,
        "why": one.explanation.why,
        "line": actions_line(one.explained.begins, one.actions, open_ended=one.open_ended),
    }


def _taken(one: Hint) -> int:
    taken = one.explained.taken
    assert taken is not None, "hints move meeples"
    return taken.count


def _sowing(one: Hint) -> str:
    """The move of the meeples in words, in the language of the run; a step is not broken over lines."""
    sowing = one.sowing
    begin = say("{square}: take {count}", square=SQUARE_NAMES[sowing.start], count=len(sowing.path))
    steps = [
        f">{TIE}{SQUARE_NAMES[square]}{TIE}{translate(MEEPLE_COLOURS[tribe])}"
        for square, tribe in zip(sowing.path, sowing.drops, strict=True)
    ]
    hand = translate(say("in hand {count} {colour}", count=_taken(one), colour=MEEPLE_COLOURS[sowing.tribe]))
    return f"{' '.join([translate(begin), *steps])}; {hand.replace(' ', TIE)}"
