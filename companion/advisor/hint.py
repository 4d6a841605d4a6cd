"""Hints: the best turns of the player to move, each with a sowing to play it by and the reasons in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.advisor.completion import Completion, complete
from companion.advisor.explanation import Explanation, explain
from companion.advisor.paths import find_sowing
from companion.advisor.ranking import Candidate, rank, skipped_starts
from companion.advisor.walk_groups import LONGEST_HAND, NO_INCOME, DropIncome, drop_income
from companion.language.phrase import Phrase, counted, say, term
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.turn import Move, lone_turn
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import FRESH, NOTHING_HIDDEN, GameState, Stage, TurnProgress

if TYPE_CHECKING:
    from companion.rules.engine.scoring import GameResult

_EXPECTED_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Hint:
    """One advised turn.

    `taken` is how many meeples of `move.sowing.tribe` are taken in hand; `gain` in VP is what the turn surely
    brings at once, `value` what turns are ranked by: the expected gain in VP with small tie-breaks; `also_from`
    are other starts for the same, where those were merged.
    """

    move: Move
    taken: int
    explanation: Explanation
    gain: int
    value: float
    also_from: tuple[int, ...] = ()

    @property
    def tribe(self) -> Tribe:
        """The tribe taken in hand."""
        return self.move.sowing.tribe


@dataclass(frozen=True, slots=True)
class Hints:
    """The best turns of a player, best first.

    `assumed` are sentences on what was not known and how it was reckoned with, `notes` others worth telling.
    `position` is the position as it was completed, on which each move can be played. In a game that is over
    nobody is to move, and `result` says who has won. `progress` is what was done in the turn before.
    """

    to_move: Colour | None
    position: Position
    moves: tuple[Hint, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    result: GameResult | None = None
    progress: TurnProgress = FRESH


def hints(
    position: Position | GameState,
    top: int,
    mover: Colour | None = None,
    *,
    unseen: Mapping[Colour, int] = NOTHING_HIDDEN,
    merge_starts: bool = False,
) -> Hints:
    """The `top` best complete turns, at most one for each outcome of moving meeples.

    A `GameState` before the meeples are moved counts with what was paid for in its turn, any other by its position.
    With `merge_starts`, turns that differ in nothing but the start tile are one hint. `mover` is whose
    turn to look at, if not the one whom the position names. What is not known is reckoned with as
    `expectation` says; `unseen` is for the result alone, as in `result_of`. There are no moves when the game is over
    or the player has no legal one (rules 9.2).
    """
    known, progress = _begun(position, mover)
    if known.phase is Phase.END:
        # Loaded here, since few ask for advice on a game that is over.
        from companion.rules.engine.scoring import result_of

        return Hints(None, known, result=result_of(known, unseen=unseen))
    completion = complete(known, mover, progress)
    colour = completion.expectation.mover
    notes = [*completion.notes, *_left_out(known)]
    ranked = rank(completion)
    if not ranked and not skipped_starts(known):
        notes.append(no_move_words(colour))
    table = MutableGame.of(lone_turn(completion.position))
    rates, dues = drop_income(table, colour), _dues(table)
    alike = _merged(ranked) if merge_starts else [[candidate] for candidate in ranked]
    moves = tuple(_hint(completion, group, rates, dues) for group in alike[:top])
    return Hints(colour, completion.position, moves, completion.assumed, tuple(notes), progress=progress)


def _begun(position: Position | GameState, mover: Colour | None) -> tuple[Position, TurnProgress]:
    """The position, and what was done in the turn of `mover` before, or of the player to move."""
    if not isinstance(position, GameState):
        return position, FRESH
    goes_on = position.stage is Stage.MOVE and mover in (None, position.mover)
    return position.position, position.progress if goes_on else FRESH


def no_move_words(colour: Colour) -> Phrase:
    """That a player has no legal move, and what remains."""
    return say(
        "{player} has no legal move: the round ends the game (rules 9.2); powers and selling remain.",
        player=term(colour),
    )


def _left_out(position: Position) -> list[Phrase]:
    return [
        say(
            "Moves of the {meeples} of {square} are left out: hands of up to {most} are thought through.",
            meeples=counted(sum(position.board[start].meeples), "meeple"),
            square=SQUARE_NAMES[start],
            most=LONGEST_HAND,
        )
        for start in skipped_starts(position)
    ]


def _dues(table: MutableGame) -> DropIncome:
    """What the djinns of all opponents get for the mover's drops, by square, in GC."""
    by_opponent = [drop_income(table, colour) for colour in table.players if colour is not table.mover]
    return tuple(map(sum, zip(*by_opponent, strict=True))) or NO_INCOME


def _merged(ranked: list[Candidate]) -> list[list[Candidate]]:
    """Candidates that differ in nothing but the start tile together, in order."""
    groups: dict[tuple[object, ...], list[Candidate]] = {}
    for candidate in ranked:
        sown = candidate.sown
        result = (sown.end, sown.tribe, sown.count, sown.emptied, candidate.tribe, candidate.tile, candidate.value)
        groups.setdefault(result, []).append(candidate)
    return list(groups.values())


def _hint(completion: Completion, alike: list[Candidate], rates: DropIncome, dues: DropIncome) -> Hint:
    board = completion.position.board
    candidate = min(alike, key=lambda one: sum(board[one.sown.start].meeples))
    sowing = find_sowing(board, candidate.sown, candidate.constraint, rates, dues)
    move = Move(sowing, candidate.tribe, candidate.tile)
    explanation = explain(completion, move)
    if explanation.gain != candidate.gain or not math.isclose(
        explanation.expected, candidate.expected, abs_tol=_EXPECTED_TOLERANCE
    ):
        raise RuntimeError(
            f"{move} gains {explanation.gain}, {explanation.expected} expected, "
            f"not {candidate.gain} and {candidate.expected} as ranked"
        )
    others = tuple(one.sown.start for one in alike if one is not candidate)
    return Hint(move, candidate.sown.count, explanation, candidate.gain, candidate.value, others)
