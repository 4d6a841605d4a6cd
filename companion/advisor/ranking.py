"""The best choices for every outcome of moving meeples, ranked by what the turn gains at once.

Sowings are not walked: an outcome's gain depends on its path only through what own djinns pay on the way
and through what the assassins find, and `walk_groups` and `kills` know that for all walks together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.advisor.completion import Completion
from companion.advisor.expectation import unknown_cards
from companion.advisor.kills import Kill, SowingClass, others_left, undominated_kills
from companion.advisor.walk_groups import (
    LONGEST_HAND,
    DropIncome,
    KillConstraint,
    Reach,
    WalkGroup,
    drop_income,
    groups,
    plain_groups,
)
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.sowing import end_visits
from companion.rules.engine.tile_actions import do_tile_action, tile_choices
from companion.rules.engine.tribe_actions import do_tribe_action, must_kill, tribe_choices
from companion.rules.engine.turn import claim_end, lone_turn
from companion.rules.model.actions import LEAVE_IT, NOTHING_TO_CHOOSE, TileChoice, TribeChoice
from companion.rules.model.board import NO_MEEPLES, SQUARES
from companion.rules.model.components import Tribe
from companion.rules.model.position import Position
from companion.rules.model.state import Taken

LARGEST_TIE_BREAK = 0.4
"""Tie-breaks never outweigh a point of gain."""

FAKIR_VALUE = 0.03
OPPONENT_POINT_VALUE = 0.02
"""Tie-breaks: a fakir kept or gained, a point that an opponent loses or gains."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """The best turn for one outcome.

    `gain` in VP: what the turn surely adds to the mover's points at once (rules 10). `expected` in VP adds what
    is likely of the things that are not known; the two are equal where all is. `value` is what turns are ranked
    by: the expected gain and small tie-breaks. `constraint` is what the sowing must have done.
    """

    sown: SowingClass
    constraint: KillConstraint | None
    tribe: TribeChoice
    tile: TileChoice
    gain: int
    expected: float
    value: float


@dataclass(frozen=True, slots=True)
class _Evaluation:
    """The best choices after a sowing, for one outcome; fields as of `Candidate`."""

    constraint: KillConstraint | None
    tribe: TribeChoice
    tile: TileChoice
    gain: int
    expected: float
    value: float


def skipped_starts(position: Position) -> list[int]:
    """Squares whose hands are too large to be thought through: more than `LONGEST_HAND` meeples."""
    return [square for square, tile in enumerate(position.board) if sum(tile.meeples) > LONGEST_HAND]


def rank(completion: Completion) -> list[Candidate]:
    """The best turn for each outcome, best first; of equal values the one from the first start, to the first end.

    Starts of `skipped_starts` are left out.
    """
    search = _Search(completion)
    candidates = list(search.candidates())
    candidates.sort(key=lambda one: (-one.value, one.sown.start, one.sown.end, one.sown.tribe, one.sown.count))
    return candidates


class _Search:
    """The search of one position; results are kept for outcomes that differ in their start alone."""

    def __init__(self, completion: Completion) -> None:
        self.table = MutableGame.of(lone_turn(completion.position, completion.progress))
        self.expectation = completion.expectation
        self.certain = self.expectation.certain(completion.position)
        self.points = self.expectation.points(completion.position)
        self.rates: DropIncome = drop_income(self.table, self.table.mover)
        self.known: dict[tuple[int, Tribe, int, bool, int], _Evaluation] = {}

    def candidates(self) -> Iterator[Candidate]:
        skipped = skipped_starts(self.table.before)
        for start in range(SQUARES):
            if any(self.table.board[start].meeples) and start not in skipped:
                for ends in self._outcomes(start):
                    sown, best = self._best(ends)
                    yield Candidate(sown, best.constraint, best.tribe, best.tile, best.gain, best.expected, best.value)

    def _outcomes(self, start: int) -> Iterator[list[tuple[SowingClass, Reach]]]:
        """The ways to each outcome from a start, as classes of like walks."""
        hand = self.table.board[start].meeples
        path_matters = hand[Tribe.ASSASSIN] or any(self.rates)
        walks = groups(start, sum(hand), self.rates) if path_matters else plain_groups(start, sum(hand))
        for end, by_group in walks.items():
            for tribe in Tribe:
                by_outcome: dict[tuple[int, bool], list[tuple[SowingClass, Reach]]] = {}
                for sown, reach in self._classes(start, end, tribe, by_group):
                    by_outcome.setdefault((sown.count, sown.emptied), []).append((sown, reach))
                yield from by_outcome.values()

    def _classes(
        self, start: int, end: int, tribe: Tribe, by_group: dict[WalkGroup, Reach]
    ) -> Iterator[tuple[SowingClass, Reach]]:
        held = NO_MEEPLES if end == start else self.table.board[end].meeples
        bare = sum(held) == held[tribe]
        possible = dict(end_visits(self.table.before.board, start, end, tribe))
        for (visits, income), reach in by_group.items():
            for dropped in possible.get(visits, ()):
                emptied = bare and dropped == visits
                yield SowingClass(start, end, tribe, held[tribe] + dropped, emptied, visits, dropped, income), reach

    def _best(self, ends: list[tuple[SowingClass, Reach]]) -> tuple[SowingClass, _Evaluation]:
        """The best that an outcome comes to, over its classes."""
        if ends[0][0].tribe is Tribe.ASSASSIN:
            return max(self._assassinations(ends), key=lambda found: found[1].value)
        sown = max((sown for sown, _ in ends), key=lambda sown: sown.income)
        key = (sown.end, sown.tribe, sown.count, sown.emptied, sown.income)
        if key not in self.known:
            table, taken = self._after_sowing(sown)
            choices = list(tribe_choices(table, taken))
            self.known[key] = max(
                (best for choice in choices for best in self._finished(table, taken, choice)),
                key=lambda best: best.value,
            )
        return sown, self.known[key]

    def _assassinations(self, ends: list[tuple[SowingClass, Reach]]) -> Iterator[tuple[SowingClass, _Evaluation]]:
        for sown, kill in undominated_kills(self.table, ends):
            table, taken = self._after_sowing(sown)
            _set_victim(table, kill)
            for best in self._finished(table, taken, kill.choice):
                yield sown, replace(best, constraint=kill.constraint)
        # A hand of two or more leaves a meeple beside the end, so only a single one can find nobody to kill.
        for sown, _ in ends:
            if sum(self.table.board[sown.start].meeples) == 1:
                table, taken = self._after_sowing(sown)
                if not must_kill(table, taken):
                    yield from ((sown, best) for best in self._finished(table, taken, NOTHING_TO_CHOOSE))

    def _after_sowing(self, sown: SowingClass) -> tuple[MutableGame, Taken]:
        """The table after 4.8, true in all but which meeples were dropped where."""
        table = self.table.fork()
        left = list(others_left(table, sown))
        left[(sown.tribe + 1) % len(Tribe)] += sown.others_dropped
        table.board[sown.start] = replace(table.board[sown.start], meeples=NO_MEEPLES)
        table.board[sown.end] = replace(table.board[sown.end], meeples=tuple(left))
        table.add(table.mover, gold=sown.income)
        taken = Taken(sown.end, sown.tribe, sown.count)
        claim_end(table, taken)
        return table, taken

    def _finished(self, table: MutableGame, taken: Taken, choice: TribeChoice) -> Iterator[_Evaluation]:
        """What the turn comes to with a choice for the tribe, for each choice on the tile."""
        acted = table.fork()
        do_tribe_action(acted, taken, choice)
        baskets = set()
        for tile in tile_choices(acted, taken.end):
            basket = tuple(sorted((acted.row or ())[place] for place in tile.cards))
            if tile is not LEAVE_IT and tile.cards and basket in baskets:
                continue
            baskets.add(basket)
            done = acted.fork()
            do_tile_action(done, taken.end, tile)
            after = done.position
            gain = self.expectation.certain(after) - self.certain
            unknown = unknown_cards(done.events)
            is_sure = self.expectation.exact and not unknown
            expected = gain if is_sure else self.expectation.points(after, unknown) - self.points
            yield _Evaluation(None, choice, tile, gain, expected, round(expected + _tie_break(done), 2))


def _set_victim(table: MutableGame, kill: Kill) -> None:
    """Put the victim on its square, alone if the kill is to empty it."""
    victim = kill.choice.victim
    if victim is not None and victim.square is not None:
        meeples = [0] * len(Tribe)
        meeples[victim.tribe] = 1 if kill.empties else 2
        table.board[victim.square] = replace(table.board[victim.square], meeples=tuple(meeples))


def _tie_break(table: MutableGame) -> float:
    """Small worths of what gives no points yet, never more than `LARGEST_TIE_BREAK` from 0."""
    before = table.before
    worth = 0.0
    for colour, player in table.players.items():
        was = before.player(colour)
        if colour is table.mover:
            worth += FAKIR_VALUE * ((player.fakirs or 0) - (was.fakirs or 0))
        else:
            lost = (was.viziers or 0) - (player.viziers or 0) + 2 * ((was.elders or 0) - (player.elders or 0))
            worth += OPPONENT_POINT_VALUE * (lost + (was.gold or 0) - (player.gold or 0))
    # What opponents lose is little and a row holds nine fakirs, but what they are paid has no bound.
    return max(-LARGEST_TIE_BREAK, worth)
