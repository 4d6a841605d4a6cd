"""Which kills are worth thinking about, without walking every sowing (rules 5.4, 5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.advisor.walk_groups import KillConstraint, Reach, VisitConstraint
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.tribe_actions import victims_in_front
from companion.rules.model.actions import TribeChoice
from companion.rules.model.board import NO_MEEPLES, SQUARES, distance
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import Victim

Meeples = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SowingClass:
    """How a sowing ends, whatever its path.

    `visits` of the end tile, of which `dropped` left a meeple of `tribe`; `count` are taken, `emptied`
    says whether that empties the tile; `income` in GC is paid by the mover's djinns on the way.
    """

    start: int
    end: int
    tribe: Tribe
    count: int
    emptied: bool
    visits: int
    dropped: int
    income: int

    @property
    def others_dropped(self) -> int:
        """Meeples of other tribes dropped on the end tile."""
        return self.visits - self.dropped


@dataclass(frozen=True, slots=True)
class Kill:
    """A kill: the choice, what the sowing must have done for it, and what it brings.

    `empties` says that it takes the last meeple of a tile without a camel, which claims the tile while
    there are camels (rules 5.5); `spoils` by djinns are viziers, elders, GC and cards.
    """

    choice: TribeChoice
    constraint: KillConstraint | None
    empties: bool
    spoils: tuple[int, int, int, int]


def held_on(table: MutableGame, sown: SowingClass, square: int) -> Meeples:
    """Meeples that stand on a square before the drops; the start tile is lifted."""
    return NO_MEEPLES if square == sown.start else table.board[square].meeples


def others_left(table: MutableGame, sown: SowingClass) -> Meeples:
    """Meeples of other tribes that stood on the end tile before the move and stay there."""
    held = list(held_on(table, sown, sown.end))
    held[sown.tribe] = 0
    return tuple(held)


def undominated_kills(
    table: MutableGame, classes: Iterable[tuple[SowingClass, Reach]]
) -> list[tuple[SowingClass, Kill]]:
    """The kills of these classes that no other one betters in everything that can give points.

    `table` stands before the move. Two kinds of kills are rivals only among themselves: a vizier in front
    of an opponent, since the scoring says whom that overtakes, and a kill that claims the end tile, since
    the tile action then puts its palm or palace on an own tile.
    """
    best: dict[tuple[Colour | None, bool], list[tuple[tuple[int, ...], SowingClass, Kill]]] = {}
    for sown, reach in classes:
        for kill in _kills(table, sown, reach):
            worth = _criteria(table, sown, kill)
            rivals = best.setdefault((_overtaken(kill), _claims_end(sown, kill)), [])
            if any(_dominates(rival, worth) for rival, _, _ in rivals):
                continue
            rivals[:] = [entry for entry in rivals if not _dominates(worth, entry[0])]
            rivals.append((worth, sown, kill))
    return [(sown, kill) for rivals in best.values() for _, sown, kill in rivals]


def _dominates(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(mine >= yours for mine, yours in zip(one, other, strict=True))


def _overtaken(kill: Kill) -> Colour | None:
    victim = kill.choice.victim
    return victim.owner if victim is not None and victim.tribe is Tribe.VIZIER else None


def _claims_end(sown: SowingClass, kill: Kill) -> bool:
    victim = kill.choice.victim
    return kill.empties and victim is not None and victim.square == sown.end


def _criteria(table: MutableGame, sown: SowingClass, kill: Kill) -> tuple[int, ...]:
    """Everything about a kill that can give points, each the more the better."""
    victim = kill.choice.victim
    tile = table.board[victim.square] if kill.empties and victim is not None and victim.square is not None else None
    claimed = (tile.kind.vp, tile.palms, tile.palaces) if tile is not None else (0, 0, 0)
    viziers, elders, gold, cards = kill.spoils
    in_front = int(victim is not None and victim.owner is not None)
    return (*claimed, viziers, elders, gold + sown.income, cards, -kill.choice.fakirs, in_front)


def _kills(table: MutableGame, sown: SowingClass, reach: Reach) -> Iterator[Kill]:
    for victim in victims_in_front(table):
        yield Kill(TribeChoice(0, victim), None, False, _spoils(table, victim))
    fakirs = table.moving.fakirs or 0
    for square in range(SQUARES):
        needed = max(0, distance(sown.end, square) - sown.count)
        if needed > fakirs:
            continue
        free = table.board[square].camel is None
        on_end = square == sown.end
        for tribe, constraint, alone in _on_end(table, sown) if on_end else _beside(table, sown, reach, square):
            victim = Victim(tribe, square=square)
            yield Kill(TribeChoice(needed, victim), constraint, alone and free, _spoils(table, victim))


Found = tuple[Tribe, KillConstraint | None, bool]
"""A tribe that can be killed on a square, what that needs, and whether it stands there alone."""


def _on_end(table: MutableGame, sown: SowingClass) -> Iterator[Found]:
    left = others_left(table, sown)
    alone = sum(left) + sown.others_dropped == 1
    for tribe in Tribe:
        if left[tribe]:
            yield tribe, None, alone
        elif tribe is not sown.tribe and sown.others_dropped and table.board[sown.start].meeples[tribe]:
            yield tribe, KillConstraint(sown.end, VisitConstraint.SOME, tribe), alone


def _beside(table: MutableGame, sown: SowingClass, reach: Reach, square: int) -> Iterator[Found]:
    held = held_on(table, sown, square)
    standing = sum(held)
    if standing == 1 and reach.allows(square, VisitConstraint.NEVER):
        yield Tribe(held.index(1)), KillConstraint(square, VisitConstraint.NEVER), True
    elif standing:
        yield from ((tribe, None, False) for tribe in Tribe if held[tribe])
    need = VisitConstraint.SOME if standing else VisitConstraint.ONCE
    for tribe in Tribe:
        if not can_drop_beside(table.board[sown.start].meeples, sown, tribe):
            continue
        if reach.allows(square, need):
            yield tribe, KillConstraint(square, need, tribe), not standing
        elif not standing and reach.allows(square, VisitConstraint.SOME):
            yield tribe, KillConstraint(square, VisitConstraint.SOME, tribe), False


def can_drop_beside(hand: Meeples, sown: SowingClass, tribe: Tribe) -> bool:
    """Whether a meeple of the tribe can be left on another tile than the end tile."""
    if tribe is sown.tribe:
        return hand[tribe] > sown.dropped
    return hand[tribe] > 0 and sum(hand) - hand[sown.tribe] - 1 >= sown.others_dropped


def _spoils(table: MutableGame, victim: Victim) -> tuple[int, int, int, int]:
    """What the mover's djinns make of a victim: viziers, elders, GC, cards."""
    viziers = elders = gold = cards = 0
    for djinn in table.powers(table.mover):
        if djinn.reaps is not None:
            spoils = djinn.reaps(victim.tribe, 0 if victim.square is None else table.blue_tiles(victim.square))
            viziers += spoils.kept and victim.tribe is Tribe.VIZIER
            elders += spoils.kept and victim.tribe is Tribe.ELDER
            gold += spoils.gold
            cards += spoils.cards
    return viziers, elders, gold, cards
