"""Hints: the best turns of the player to move, each with a sowing to play it by and the reasons in words."""

from __future__ import annotations

from dataclasses import dataclass

from companion.advisor.assume import assume
from companion.advisor.explanation import Explanation, explain
from companion.advisor.paths import find_sowing
from companion.advisor.ranking import Candidate, rank, skipped_starts
from companion.advisor.walk_groups import LONGEST_HAND, NO_INCOME, DropIncome, drop_income
from companion.rules.engine.draft import GameDraft
from companion.rules.engine.turn import Move, lone_turn
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.position import Phase, Position


@dataclass(frozen=True, slots=True)
class Hint:
    """One advised turn.

    `taken` is how many meeples of `move.sowing.tribe` are taken in hand; `gain` in VP at once, `value`
    what turns are ranked by; `also_from` are other starts for the same, where those were merged.
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
    """The best turns of a player, best first, and sentences on what was assumed or left out."""

    to_move: Colour
    moves: tuple[Hint, ...]
    notes: tuple[str, ...]


def hints(position: Position, top: int, mover: Colour | None = None, *, merge_starts: bool = False) -> Hints:
    """The `top` best complete turns, at most one for each outcome of moving meeples.

    With `merge_starts`, turns that differ in nothing but the start tile are one hint. `mover` is whose
    turn to look at, if not the one whom the position names. What is not known is assumed as `assume` says.
    There are no moves when the game is over or the player has no legal one (rules 9.2).
    """
    assumed = assume(position, mover)
    known = assumed.position
    assert known.to_move is not None
    if position.phase is Phase.END:
        return Hints(known.to_move, (), ("The game is over, so there is no turn to advise on.",))
    notes = [*assumed.notes, *_left_out(known)]
    ranked = rank(known)
    if not ranked and not skipped_starts(known):
        notes.append(
            f"{known.to_move} has no legal move: the round ends the game (rules 9.2); powers and selling remain."
        )
    table = GameDraft.of(lone_turn(known))
    rates, dues = drop_income(table, table.mover), _dues(table)
    alike = _merged(ranked) if merge_starts else [[candidate] for candidate in ranked]
    moves = tuple(_hint(known, group, rates, dues) for group in alike[:top])
    return Hints(known.to_move, moves, tuple(notes))


def _left_out(position: Position) -> list[str]:
    return [
        f"Moves of the {sum(position.board[start].meeples)} meeples of {SQUARE_NAMES[start]} are left out: "
        f"hands of up to {LONGEST_HAND} are thought through."
        for start in skipped_starts(position)
    ]


def _dues(table: GameDraft) -> DropIncome:
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


def _hint(position: Position, alike: list[Candidate], rates: DropIncome, dues: DropIncome) -> Hint:
    candidate = min(alike, key=lambda one: sum(position.board[one.sown.start].meeples))
    sowing = find_sowing(position.board, candidate.sown, candidate.constraint, rates, dues)
    move = Move(sowing, candidate.tribe, candidate.tile)
    explanation = explain(position, move)
    if explanation.gain != candidate.gain:
        raise RuntimeError(f"{move} gains {explanation.gain}, not {candidate.gain} as ranked")
    others = tuple(one.sown.start for one in alike if one is not candidate)
    return Hint(move, candidate.sown.count, explanation, candidate.gain, candidate.value, others)
