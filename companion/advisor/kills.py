"""Which kills are worth thinking about, without walking every sowing (rules 5.4, 5.5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from companion.advisor.ways import Need, Reach, Scene
from companion.rules.engine.table import Table
from companion.rules.engine.tribe_actions import victims_in_front
from companion.rules.model.actions import TribeChoice
from companion.rules.model.board import NO_MEEPLES, SQUARES, distance
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import Victim

Meeples = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """How a sowing ends, whatever its path.

    `visits` of the end tile, of which `dropped` left a meeple of `tribe`; `count` are taken, `emptied`
    says whether that empties the tile; `toll` in GC is paid by the mover's djinns on the way.
    """

    start: int
    end: int
    tribe: Tribe
    count: int
    emptied: bool
    visits: int
    dropped: int
    toll: int

    @property
    def others_dropped(self) -> int:
        """Meeples of other tribes dropped on the end tile."""
        return self.visits - self.dropped


@dataclass(frozen=True, slots=True)
class Kill:
    """A kill: the choice, what the sowing must have done for it, and what it brings.

    `bares` says that it takes the last meeple of a tile without a camel, which claims the tile while
    there are camels (rules 5.5); `spoils` by djinns are viziers, elders, GC and cards.
    """

    choice: TribeChoice
    scene: Scene | None
    bares: bool
    spoils: tuple[int, int, int, int]


def held_on(table: Table, ending: Ending, square: int) -> Meeples:
    """Meeples that stand on a square before the drops; the start tile is lifted."""
    return NO_MEEPLES if square == ending.start else table.board[square].meeples


def others_left(table: Table, ending: Ending) -> Meeples:
    """Meeples of other tribes that stood on the end tile before the move and stay there."""
    held = list(held_on(table, ending, ending.end))
    held[ending.tribe] = 0
    return tuple(held)


def worthwhile_kills(table: Table, endings: Iterable[tuple[Ending, Reach]]) -> list[tuple[Ending, Kill]]:
    """The kills of these endings that no other one betters in everything that can give points.

    `table` stands before the move. Two kinds of kills are rivals only among themselves: a vizier in front
    of an opponent, since the scoring says whom that overtakes, and a kill that claims the end tile, since
    the tile action then puts its palm or palace on an own tile.
    """
    best: dict[tuple[Colour | None, bool], list[tuple[tuple[int, ...], Ending, Kill]]] = {}
    for ending, reach in endings:
        for kill in _kills(table, ending, reach):
            worth = _worth(table, ending, kill)
            rivals = best.setdefault((_overtaken(kill), _claims_end(ending, kill)), [])
            if any(_betters(rival, worth) for rival, _, _ in rivals):
                continue
            rivals[:] = [entry for entry in rivals if not _betters(worth, entry[0])]
            rivals.append((worth, ending, kill))
    return [(ending, kill) for rivals in best.values() for _, ending, kill in rivals]


def _betters(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(mine >= yours for mine, yours in zip(one, other, strict=True))


def _overtaken(kill: Kill) -> Colour | None:
    victim = kill.choice.victim
    return victim.owner if victim is not None and victim.tribe is Tribe.VIZIER else None


def _claims_end(ending: Ending, kill: Kill) -> bool:
    victim = kill.choice.victim
    return kill.bares and victim is not None and victim.square == ending.end


def _worth(table: Table, ending: Ending, kill: Kill) -> tuple[int, ...]:
    """Everything about a kill that can give points, each the more the better."""
    victim = kill.choice.victim
    tile = table.board[victim.square] if kill.bares and victim is not None and victim.square is not None else None
    claimed = (tile.kind.vp, tile.palms, tile.palaces) if tile is not None else (0, 0, 0)
    viziers, elders, gold, cards = kill.spoils
    in_front = int(victim is not None and victim.owner is not None)
    return (*claimed, viziers, elders, gold + ending.toll, cards, -kill.choice.fakirs, in_front)


def _kills(table: Table, ending: Ending, reach: Reach) -> Iterator[Kill]:
    for victim in victims_in_front(table):
        yield Kill(TribeChoice(0, victim), None, False, _spoils(table, victim))
    fakirs = table.moving.fakirs or 0
    for square in range(SQUARES):
        needed = max(0, distance(ending.end, square) - ending.count)
        if needed > fakirs:
            continue
        free = table.board[square].camel is None
        on_end = square == ending.end
        for tribe, scene, alone in _on_end(table, ending) if on_end else _beside(table, ending, reach, square):
            victim = Victim(tribe, square=square)
            yield Kill(TribeChoice(needed, victim), scene, alone and free, _spoils(table, victim))


Found = tuple[Tribe, Scene | None, bool]
"""A tribe that can be killed on a square, what that needs, and whether it stands there alone."""


def _on_end(table: Table, ending: Ending) -> Iterator[Found]:
    left = others_left(table, ending)
    alone = sum(left) + ending.others_dropped == 1
    for tribe in Tribe:
        if left[tribe]:
            yield tribe, None, alone
        elif tribe is not ending.tribe and ending.others_dropped and table.board[ending.start].meeples[tribe]:
            yield tribe, Scene(ending.end, Need.SOME, tribe), alone


def _beside(table: Table, ending: Ending, reach: Reach, square: int) -> Iterator[Found]:
    held = held_on(table, ending, square)
    standing = sum(held)
    if standing == 1 and reach.allows(square, Need.NEVER):
        yield Tribe(held.index(1)), Scene(square, Need.NEVER), True
    elif standing:
        yield from ((tribe, None, False) for tribe in Tribe if held[tribe])
    need = Need.SOME if standing else Need.ONCE
    for tribe in Tribe:
        if not can_drop_beside(table.board[ending.start].meeples, ending, tribe):
            continue
        if reach.allows(square, need):
            yield tribe, Scene(square, need, tribe), not standing
        elif not standing and reach.allows(square, Need.SOME):
            yield tribe, Scene(square, Need.SOME, tribe), False


def can_drop_beside(hand: Meeples, ending: Ending, tribe: Tribe) -> bool:
    """Whether a meeple of the tribe can be left on another tile than the end tile."""
    if tribe is ending.tribe:
        return hand[tribe] > ending.dropped
    return hand[tribe] > 0 and sum(hand) - hand[ending.tribe] - 1 >= ending.others_dropped


def _spoils(table: Table, victim: Victim) -> tuple[int, int, int, int]:
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
