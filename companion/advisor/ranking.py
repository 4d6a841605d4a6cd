"""The best choices for every outcome of moving meeples, ranked by what the turn gains at once.

Sowings are not walked: an outcome's gain depends on its path only through what own djinns pay on the way
and through what the assassins find, and `ways` and `kills` know that for all walks together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.advisor.kills import Ending, Kill, others_left, worthwhile_kills
from companion.advisor.ways import LONGEST_HAND, Group, Reach, Scene, Tolls, groups, plain_groups, tolls
from companion.rules.engine.scoring import player_points
from companion.rules.engine.sowing import end_visits
from companion.rules.engine.table import Table
from companion.rules.engine.tile_actions import do_tile_action, tile_choices
from companion.rules.engine.tribe_actions import do_tribe_action, must_kill, tribe_choices
from companion.rules.engine.turn import claim_end
from companion.rules.model.actions import LEAVE_IT, NOTHING_TO_CHOOSE, TileChoice, TribeChoice
from companion.rules.model.board import NO_MEEPLES, SQUARES
from companion.rules.model.components import Tribe
from companion.rules.model.events import CardsTaken
from companion.rules.model.position import Position
from companion.rules.model.state import Taken

LARGEST_TIE_BREAK = 0.4
"""Tie-breaks never outweigh a point of gain."""

UNKNOWN_CARD_VALUE = 0.1
FAKIR_VALUE = 0.03
OPPONENT_POINT_VALUE = 0.02
"""Tie-breaks: a card that nobody knows, a fakir kept or gained, a point that an opponent loses or gains."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The best turn for one outcome.

    `gain` in VP: the mover's points just after the turn less those just before it (rules 10). `value` is
    what turns are ranked by: the gain and small tie-breaks. `scene` is what the sowing must have done.
    """

    ending: Ending
    scene: Scene | None
    tribe: TribeChoice
    tile: TileChoice
    gain: int
    value: float


@dataclass(frozen=True, slots=True)
class _Best:
    scene: Scene | None
    tribe: TribeChoice
    tile: TileChoice
    gain: int
    value: float


def skipped_starts(position: Position) -> list[int]:
    """Squares whose hands are too large to be thought through: more than `LONGEST_HAND` meeples."""
    return [square for square, tile in enumerate(position.board) if sum(tile.meeples) > LONGEST_HAND]


def rank(position: Position) -> list[Advice]:
    """The best turn for each outcome, best first; `position` must have nothing unknown but row and djinns.

    Starts of `skipped_starts` are left out. Raises ValueError if nobody is to move.
    """
    search = _Search(position)
    advice = list(search.advice())
    advice.sort(key=lambda one: (-one.value, one.ending.start, one.ending.end, one.ending.tribe, one.ending.count))
    return advice


class _Search:
    """The search of one position; results are kept for outcomes that differ in their start alone."""

    def __init__(self, position: Position) -> None:
        self.table = Table(position)
        self.points = player_points(position, self.table.mover)
        self.rates: Tolls = tolls(self.table, self.table.mover)
        self.known: dict[tuple[int, Tribe, int, bool, int], _Best] = {}

    def advice(self) -> Iterator[Advice]:
        skipped = skipped_starts(self.table.before)
        for start in range(SQUARES):
            if any(self.table.board[start].meeples) and start not in skipped:
                for ends in self._outcomes(start):
                    ending, best = self._best(ends)
                    yield Advice(ending, best.scene, best.tribe, best.tile, best.gain, best.value)

    def _outcomes(self, start: int) -> Iterator[list[tuple[Ending, Reach]]]:
        """The ways to each outcome from a start, as endings of like walks."""
        hand = self.table.board[start].meeples
        path_matters = hand[Tribe.ASSASSIN] or any(self.rates)
        walks = groups(start, sum(hand), self.rates) if path_matters else plain_groups(start, sum(hand))
        for end, by_group in walks.items():
            for tribe in Tribe:
                by_outcome: dict[tuple[int, bool], list[tuple[Ending, Reach]]] = {}
                for ending, reach in self._endings(start, end, tribe, by_group):
                    by_outcome.setdefault((ending.count, ending.emptied), []).append((ending, reach))
                yield from by_outcome.values()

    def _endings(
        self, start: int, end: int, tribe: Tribe, by_group: dict[Group, Reach]
    ) -> Iterator[tuple[Ending, Reach]]:
        held = NO_MEEPLES if end == start else self.table.board[end].meeples
        bare = sum(held) == held[tribe]
        possible = dict(end_visits(self.table.before.board, start, end, tribe))
        for (visits, toll), reach in by_group.items():
            for dropped in possible.get(visits, ()):
                emptied = bare and dropped == visits
                yield Ending(start, end, tribe, held[tribe] + dropped, emptied, visits, dropped, toll), reach

    def _best(self, ends: list[tuple[Ending, Reach]]) -> tuple[Ending, _Best]:
        """The best that an outcome comes to, over its endings."""
        if ends[0][0].tribe is Tribe.ASSASSIN:
            return max(self._assassinations(ends), key=lambda found: found[1].value)
        ending = max((ending for ending, _ in ends), key=lambda ending: ending.toll)
        key = (ending.end, ending.tribe, ending.count, ending.emptied, ending.toll)
        if key not in self.known:
            table, taken = self._after_sowing(ending)
            choices = list(tribe_choices(table, taken))
            self.known[key] = max(
                (best for choice in choices for best in self._finished(table, taken, choice)),
                key=lambda best: best.value,
            )
        return ending, self.known[key]

    def _assassinations(self, ends: list[tuple[Ending, Reach]]) -> Iterator[tuple[Ending, _Best]]:
        for ending, kill in worthwhile_kills(self.table, ends):
            table, taken = self._after_sowing(ending)
            _set_scene(table, kill)
            for best in self._finished(table, taken, kill.choice):
                yield ending, replace(best, scene=kill.scene)
        # A hand of two or more leaves a meeple beside the end, so only a single one can find nobody to kill.
        for ending, _ in ends:
            if sum(self.table.board[ending.start].meeples) == 1:
                table, taken = self._after_sowing(ending)
                if not must_kill(table, taken):
                    yield from ((ending, best) for best in self._finished(table, taken, NOTHING_TO_CHOOSE))

    def _after_sowing(self, ending: Ending) -> tuple[Table, Taken]:
        """The table after 4.8, true in all but which meeples were dropped where."""
        table = self.table.fork()
        left = list(others_left(table, ending))
        left[(ending.tribe + 1) % len(Tribe)] += ending.others_dropped
        table.board[ending.start] = replace(table.board[ending.start], meeples=NO_MEEPLES)
        table.board[ending.end] = replace(table.board[ending.end], meeples=tuple(left))
        table.add(table.mover, gold=ending.toll)
        taken = Taken(ending.end, ending.tribe, ending.count)
        claim_end(table, taken)
        return table, taken

    def _finished(self, table: Table, taken: Taken, choice: TribeChoice) -> Iterator[_Best]:
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
            gain = player_points(after, done.mover) - self.points
            yield _Best(None, choice, tile, gain, round(gain + _tie_break(done), 2))


def _set_scene(table: Table, kill: Kill) -> None:
    """Put the victim on its square, alone if the kill is to empty it."""
    victim = kill.choice.victim
    if victim is not None and victim.square is not None:
        meeples = [0] * len(Tribe)
        meeples[victim.tribe] = 1 if kill.bares else 2
        table.board[victim.square] = replace(table.board[victim.square], meeples=tuple(meeples))


def _tie_break(table: Table) -> float:
    """Small worths of what gives no points yet, within `LARGEST_TIE_BREAK` of 0."""
    before = table.before
    worth = 0.0
    for event in table.events:
        if isinstance(event, CardsTaken):
            worth += UNKNOWN_CARD_VALUE * event.cards.count(None)
    for colour, player in table.players.items():
        was = before.player(colour)
        if colour is table.mover:
            worth += FAKIR_VALUE * ((player.fakirs or 0) - (was.fakirs or 0))
        else:
            lost = (was.viziers or 0) - (player.viziers or 0) + 2 * ((was.elders or 0) - (player.elders or 0))
            worth += OPPONENT_POINT_VALUE * (lost + (was.gold or 0) - (player.gold or 0))
    return max(-LARGEST_TIE_BREAK, min(LARGEST_TIE_BREAK, worth))
