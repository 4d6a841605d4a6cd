"""What the meeples taken in hand do: the tribe actions (rules 5)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from companion.errors import IllegalMoveError
from companion.rules.board import SQUARE_NAMES, SQUARES, distance
from companion.rules.components import Colour, Tribe
from companion.rules.events import AssassinsKilled, BuildersPaid, MeeplesKept, Victim, VictimReaped
from companion.rules.table import Table, Taken

KILLABLE_IN_FRONT = (Tribe.VIZIER, Tribe.ELDER)


@dataclass(frozen=True, slots=True)
class TribeChoice:
    """What the player decides in a tribe action: fakirs discarded for it, and whom the assassins kill."""

    fakirs: int = 0
    victim: Victim | None = None


NOTHING_TO_CHOOSE = TribeChoice()


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
        for victim in victims(table, taken.end, taken.count + fakirs):
            yield TribeChoice(fakirs, victim)


def victims(table: Table, end: int, reach: int) -> Iterator[Victim]:
    """Whom assassins on `end` can kill: on tiles within a distance, or in front of opponents (rules 5.4)."""
    for square in range(SQUARES):
        if distance(end, square) <= reach:
            for tribe in Tribe:
                if table.board[square].meeples[tribe]:
                    yield Victim(tribe, square=square)
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
    return next(victims(table, taken.end, taken.count), None) is not None


def do_tribe_action(table: Table, taken: Taken, choice: TribeChoice) -> None:
    """Let the meeples in hand act. Raises IllegalMoveError for a choice that they do not allow."""
    fakirs = table.moving.fakirs
    if choice.fakirs < 0 or (fakirs is not None and choice.fakirs > fakirs):
        raise IllegalMoveError(f"{choice.fakirs} fakirs to discard, but {table.mover} has {fakirs} (rules 5.3, 5.4)")
    if choice.fakirs and taken.tribe not in (Tribe.BUILDER, Tribe.ASSASSIN):
        raise IllegalMoveError(f"{taken.tribe.noun}s have no use for fakirs (rules 5)")
    if choice.victim is not None and taken.tribe is not Tribe.ASSASSIN:
        raise IllegalMoveError(f"{taken.tribe.noun}s kill nobody (rules 5.4)")
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
    income = BuildersPaid(table.mover, taken.end, taken.count, choice.fakirs, table.blue_tiles(taken.end))
    table.discard_fakirs(choice.fakirs)
    table.add(table.mover, gold=income.gold)
    table.announce(income)


def _assassins(table: Table, taken: Taken, choice: TribeChoice) -> None:
    victim = choice.victim
    if victim is None:
        if choice.fakirs or must_kill(table, taken):
            raise IllegalMoveError(f"the assassins of {SQUARE_NAMES[taken.end]} must kill somebody (rules 5.4)")
        return
    if victim not in victims(table, taken.end, taken.count + choice.fakirs):
        place = f"in front of {victim.owner}" if victim.square is None else f"on {SQUARE_NAMES[victim.square]}"
        raise IllegalMoveError(
            f"no {victim.tribe.noun} {place} that {taken.count} assassin(s) from {SQUARE_NAMES[taken.end]} "
            f"with {choice.fakirs} fakir(s) can kill (rules 5.4)"
        )
    table.discard_fakirs(choice.fakirs)
    _remove(table, victim)
    table.announce(AssassinsKilled(table.mover, (victim,), choice.fakirs))
    _reap(table, victim)
    if victim.square is not None:
        table.claim_if_bare(victim.square)


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
    income = 0 if victim.square is None else table.blue_tiles(victim.square)
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
        if spoils.cards:
            table.give_cards([table.draw() for _ in range(spoils.cards)])


_ACTIONS: dict[Tribe, Callable[[Table, Taken, TribeChoice], None]] = {
    Tribe.VIZIER: _viziers,
    Tribe.ELDER: _elders,
    Tribe.BUILDER: _builders,
    Tribe.MERCHANT: _merchants,
    Tribe.ASSASSIN: _assassins,
}
