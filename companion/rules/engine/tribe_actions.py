"""What the meeples taken in hand do: the tribe actions (rules 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations_with_replacement

from companion.errors import IllegalMoveError
from companion.rules.engine.decks import draw_card
from companion.rules.engine.djinns.base import Djinn
from companion.rules.engine.powers import pay, payable
from companion.rules.engine.table import Table
from companion.rules.model.actions import NOTHING_TO_CHOOSE, TribeChoice
from companion.rules.model.board import LONGEST_DISTANCE, NO_MEEPLES, SQUARE_NAMES, WITHIN
from companion.rules.model.components import Colour, Tribe
from companion.rules.model.events import AssassinsKilled, BuildersPaid, MeeplesKept, Victim, VictimReaped
from companion.rules.model.state import Stage, Taken

KILLABLE_IN_FRONT = (Tribe.VIZIER, Tribe.ELDER)


def tribe_choices(table: Table, taken: Taken) -> Iterator[TribeChoice]:
    """Every choice that the meeples in hand allow; unknown fakirs are taken as none."""
    match taken.tribe:
        case Tribe.BUILDER:
            yield from (TribeChoice(fakirs) for fakirs in _fakir_numbers(table))
        case Tribe.ASSASSIN:
            yield from _assassin_choices(table, taken)
        case _:
            yield NOTHING_TO_CHOOSE


def _fakir_numbers(table: Table) -> range:
    return range((table.moving.fakirs or 0) + 1)


def _assassin_choices(table: Table, taken: Taken) -> Iterator[TribeChoice]:
    if not must_kill(table, taken):
        yield NOTHING_TO_CHOOSE
    for fakirs in _fakir_numbers(table):
        for victim in victims(table, taken, fakirs):
            yield _kill(fakirs, victim)
        yield from _helped_choices(table, taken, fakirs)


@lru_cache(maxsize=1 << 13)
def _kill(fakirs: int, victim: Victim) -> TribeChoice:
    return TribeChoice(fakirs, victim)


@cache
def _on_tile(square: int) -> tuple[Victim, ...]:
    """A victim of each tribe on a tile."""
    return tuple(Victim(tribe, square=square) for tribe in Tribe)


def _kills_more(djinn: Djinn) -> bool:
    return djinn.kills > 1


def _helped_choices(table: Table, taken: Taken, fakirs: int) -> Iterator[TribeChoice]:
    """Choices in which a power kills more than one where more than one are (rules 11.10)."""
    for helper in payable(table, _kills_more, fakirs_kept=fakirs):
        for killed in _groups(table, taken, fakirs):
            yield TribeChoice(fakirs, killed[0], killed[1] if len(killed) > 1 else None, helper)


def _in_reach(table: Table, taken: Taken, fakirs: int) -> list[int]:
    """Squares with meeples that assassins and fakirs reach (rules 5.4)."""
    reach = min(taken.count + fakirs, LONGEST_DISTANCE)
    return [square for square in WITHIN[taken.end][reach] if table.board[square].meeples != NO_MEEPLES]


def _groups(table: Table, taken: Taken, fakirs: int) -> Iterator[tuple[Victim, ...]]:
    """Whom assassins can kill two at a time: on one tile, or in front of one opponent (rules 11.10)."""
    for square in _in_reach(table, taken, fakirs):
        yield from _pairs(_on_tile(square), table.board[square].meeples)
    for colour in table.players if not fakirs else ():
        if colour is not table.mover and not is_guarded(table, colour):
            in_front = [Victim(tribe, owner=colour) for tribe in KILLABLE_IN_FRONT]
            yield from _pairs(in_front, [_in_front(table, colour, tribe) for tribe in KILLABLE_IN_FRONT])


def _pairs(there: Sequence[Victim], counts: Sequence[int]) -> Iterator[tuple[Victim, ...]]:
    """Two of those who are there, or the only one."""
    if sum(counts) == 1:
        yield from ((victim,) for victim, count in zip(there, counts, strict=True) if count)
        return
    for first, second in combinations_with_replacement(range(len(there)), 2):
        if counts[first] and counts[second] and (first != second or counts[first] > 1):
            yield there[first], there[second]


def victims(table: Table, taken: Taken, fakirs: int) -> Iterator[Victim]:
    """Whom assassins can kill: on tiles within a distance, or in front of opponents (rules 5.4).

    Fakirs lengthen the distance; a kill in front of an opponent takes none.
    """
    for square in _in_reach(table, taken, fakirs):
        for victim, count in zip(_on_tile(square), table.board[square].meeples, strict=True):
            if count:
                yield victim
    if not fakirs:
        yield from victims_in_front(table)


def victims_in_front(table: Table) -> Iterator[Victim]:
    """Viziers and elders in front of opponents whom no djinn guards (rules 5.4)."""
    for colour in table.players:
        if colour is not table.mover and not is_guarded(table, colour):
            yield from (Victim(tribe, owner=colour) for tribe in KILLABLE_IN_FRONT if _in_front(table, colour, tribe))


def is_guarded(table: Table, colour: Colour) -> bool:
    """Whether a djinn keeps the player's viziers and elders from being killed (rules 11)."""
    return any(djinn.guards for djinn in table.powers(colour))


def _in_front(table: Table, colour: Colour, tribe: Tribe) -> int:
    player = table.players[colour]
    return (player.viziers if tribe is Tribe.VIZIER else player.elders) or 0


def must_kill(table: Table, taken: Taken) -> bool:
    """Whether there is somebody to kill without spending fakirs, so that one must be (rules 5.4, ruling)."""
    return next(victims(table, taken, 0), None) is not None


def do_tribe_action(table: Table, taken: Taken, choice: TribeChoice) -> None:
    """Let the meeples in hand act. Raises IllegalMoveError for a choice that they do not allow."""
    fakirs = choice.fakirs
    if fakirs < 0 or not table.has_fakirs(fakirs):
        has = table.moving.fakirs
        raise IllegalMoveError(f"{fakirs} fakirs to discard, but {table.mover} has {has} (rules 5.3, 5.4)")
    if fakirs and taken.tribe not in (Tribe.BUILDER, Tribe.ASSASSIN):
        raise IllegalMoveError(f"{taken.tribe.noun}s have no use for fakirs (rules 5)")
    if (choice.victims or choice.helper) and taken.tribe is not Tribe.ASSASSIN:
        raise IllegalMoveError(f"{taken.tribe.noun}s kill nobody (rules 5.4)")
    # The meeples are out of hand now: kept, or back in the bag.
    table.advance(Stage.TILE)
    _ACTIONS[taken.tribe](table, taken, choice)


def _viziers(table: Table, taken: Taken, _: TribeChoice) -> None:
    table.add(table.mover, viziers=taken.count)
    table.announce(MeeplesKept(table.mover, taken.tribe, taken.count))


def _elders(table: Table, taken: Taken, _: TribeChoice) -> None:
    table.add(table.mover, elders=taken.count)
    table.announce(MeeplesKept(table.mover, taken.tribe, taken.count))


def _merchants(table: Table, taken: Taken, _: TribeChoice) -> None:
    if table.row is None:
        table.give_cards((None,) * taken.count)
        return
    cards, table.row = table.row[: taken.count], table.row[taken.count :]
    table.give_cards(cards)


def _builders(table: Table, taken: Taken, choice: TribeChoice) -> None:
    factor = 1 if table.progress is None else table.progress.factor
    income = BuildersPaid(table.mover, taken.end, taken.count, choice.fakirs, table.blue_tiles(taken.end), factor)
    table.discard_fakirs(choice.fakirs)
    table.add(table.mover, gold=income.gold)
    _note_income(table, income.gold)
    table.announce(income)


def _note_income(table: Table, gold: int) -> None:
    """Remember what builders brought in this turn (rules 11.9)."""
    if table.progress is not None:
        table.advance(table.stage, income=table.progress.income + gold)


def _assassins(table: Table, taken: Taken, choice: TribeChoice) -> None:
    end = SQUARE_NAMES[taken.end]
    if choice.victim is None:
        if choice.fakirs or choice.helper or choice.second or must_kill(table, taken):
            raise IllegalMoveError(f"the assassins of {end} must kill somebody (rules 5.4)")
        return
    for victim in choice.victims:
        if victim not in victims(table, taken, choice.fakirs):
            place = f"in front of {victim.owner}" if victim.square is None else f"on {SQUARE_NAMES[victim.square]}"
            raise IllegalMoveError(
                f"no {victim.tribe.noun} {place} that {taken.count} assassin(s) from {end} "
                f"with {choice.fakirs} fakir(s) can kill (rules 5.4)"
            )
    _check_number(table, taken, choice)
    table.discard_fakirs(choice.fakirs)
    if choice.helper is not None:
        pay(table, choice.helper, _kills_more)
    for victim in choice.victims:
        _remove(table, victim)
    table.announce(AssassinsKilled(table.mover, choice.victims, choice.fakirs))
    for victim in choice.victims:
        _reap(table, victim)
    if choice.victim.square is not None:
        table.claim_if_bare(choice.victim.square)


def _check_number(table: Table, taken: Taken, choice: TribeChoice) -> None:
    """One is killed, or with a helping power as many as are there, up to two (rules 5.4, 11.10)."""
    if choice.helper is None:
        if choice.second is not None:
            raise IllegalMoveError("assassins kill exactly one meeple (rules 5.4)")
        return
    wanted = sorted(map(repr, choice.victims))
    if all(sorted(map(repr, group)) != wanted for group in _groups(table, taken, choice.fakirs)):
        raise IllegalMoveError(
            f"{choice.helper.djinn} kills two meeples of one tile or in front of one opponent, "
            f"one only where no other is (rules 11, 11.10)"
        )


def _remove(table: Table, victim: Victim) -> None:
    if victim.square is None:
        assert victim.owner is not None
        table.add(victim.owner, viziers=-(victim.tribe is Tribe.VIZIER), elders=-(victim.tribe is Tribe.ELDER))
        return
    tile = table.board[victim.square]
    meeples = tuple(count - (tribe == victim.tribe) for tribe, count in enumerate(tile.meeples))
    table.board[victim.square] = replace(tile, meeples=meeples)


def _reap(table: Table, victim: Victim) -> None:
    """Give the killer what his djinns make of the victim (rules 11)."""
    factor = 1 if table.progress is None else table.progress.factor
    income = 0 if victim.square is None else table.blue_tiles(victim.square) * factor
    for djinn in table.powers(table.mover):
        if djinn.reaps is None:
            continue
        spoils = djinn.reaps(victim.tribe, income)
        table.add(
            table.mover,
            gold=spoils.gold,
            viziers=spoils.kept and victim.tribe is Tribe.VIZIER,
            elders=spoils.kept and victim.tribe is Tribe.ELDER,
        )
        if spoils.kept or spoils.gold:
            table.announce(VictimReaped(table.mover, djinn.name, victim, spoils.kept, spoils.gold))
        if victim.tribe is Tribe.BUILDER:
            _note_income(table, spoils.gold)
        for _ in range(spoils.cards):
            table.give_cards(draw_card(table, face_up=False))


_ACTIONS: dict[Tribe, Callable[[Table, Taken, TribeChoice], None]] = {
    Tribe.VIZIER: _viziers,
    Tribe.ELDER: _elders,
    Tribe.BUILDER: _builders,
    Tribe.MERCHANT: _merchants,
    Tribe.ASSASSIN: _assassins,
}
