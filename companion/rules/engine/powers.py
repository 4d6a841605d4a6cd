"""Powers that cost something: who can pay for which, and using them (rules 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from companion.errors import IllegalMoveError
from companion.rules.model.actions import Paid, UsePower, in_words
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.events import PowerPaid

if TYPE_CHECKING:
    from companion.rules.engine.djinns.base import Djinn
    from companion.rules.engine.table import Table

Wanted = Callable[["Djinn"], bool]


def payable(table: Table, wanted: Wanted, *, elders_kept: int = 0, fakirs_kept: int = 0) -> Iterator[Paid]:
    """Ways to pay for those of the mover's powers that are wanted and were not used in this turn.

    What he is not known to have is not spent, nor what is kept for something else.
    """
    if table.progress is None or not table.moving.djinns:
        return
    player = table.moving
    elders, fakirs = (player.elders or 0) - elders_kept, (player.fakirs or 0) - fakirs_kept
    for djinn in table.powers(table.mover):
        if djinn.cost.payments and wanted(djinn) and djinn.name not in table.progress.used:
            for elders_paid, fakirs_paid in djinn.cost.payments:
                if elders_paid <= elders and fakirs_paid <= fakirs:
                    yield Paid(djinn.name, elders_paid, fakirs_paid)


def pay(table: Table, paid: Paid, wanted: Wanted) -> Djinn:
    """Pay for a power that is wanted.

    Raises IllegalMoveError if the mover has no such power, or used it in this turn, or cannot pay so.
    """
    djinn = _own(table, paid.djinn, wanted)
    assert table.progress is not None
    if djinn.name in table.progress.used:
        raise IllegalMoveError(f"{djinn.name} was used in this turn already; once a turn is allowed (rules 11)")
    if (paid.elders, paid.fakirs) not in djinn.cost.payments:
        raise IllegalMoveError(f"{djinn.name} costs {djinn.cost}, not {in_words(paid.elders, paid.fakirs)} (rules 11)")
    player = table.moving
    if (player.elders is not None and player.elders < paid.elders) or not table.has_fakirs(paid.fakirs):
        raise IllegalMoveError(
            f"{djinn.name} costs {in_words(paid.elders, paid.fakirs)}; {player.colour} has "
            f"{in_words(player.elders or 0, player.fakirs or 0)} (rules 11)"
        )
    table.add(table.mover, elders=-paid.elders)
    table.discard_fakirs(paid.fakirs)
    table.advance(table.stage, used=(*table.progress.used, djinn.name))
    table.announce(PowerPaid(table.mover, djinn.name, paid.elders, paid.fakirs))
    return djinn


def _own(table: Table, name: str, wanted: Wanted) -> Djinn:
    """A djinn that the mover has, or may have, and whose power is of use here."""
    if table.progress is None:
        raise IllegalMoveError(f"{name} costs something, so it is played in a whole game only (rules 11)")
    known = table.moving.djinns
    djinn = table.djinns_in_game.get(name)
    if djinn is None or (known is not None and name not in known):
        raise IllegalMoveError(f"{table.mover} does not have {name} (rules 11)")
    if not wanted(djinn):
        raise IllegalMoveError(f"{name} has no power to use here (rules 11)")
    return djinn


def _is_action(djinn: Djinn) -> bool:
    return djinn.power is not None


def power_actions(table: Table) -> Iterator[UsePower]:
    """Every use of the mover's powers that are actions of their own, and that he can pay for."""
    for paid in payable(table, _is_action):
        power = table.djinns_in_game[paid.djinn].power
        if power is None or not power.ready(table):
            continue
        for square in power.squares(table):
            yield UsePower(paid, square)
            if square is not None:
                yield from (UsePower(paid, square, helper, onto) for helper, onto in power.helped(table, square, paid))


def use_power(table: Table, use: UsePower) -> None:
    """Pay for a power and use it. Raises IllegalMoveError if that is not possible."""
    power = _own(table, use.paid.djinn, _is_action).power
    assert power is not None
    if not power.ready(table) or use.square not in power.squares(table):
        where = "" if use.square is None else f" on {SQUARE_NAMES[use.square]}"
        raise IllegalMoveError(f"{use.paid.djinn} cannot be used{where}: it needs {power.needs} (rules 11)")
    if use.helper is not None and not power.takes_help:
        raise IllegalMoveError(f"{use.paid.djinn} places nothing for {use.helper.djinn} to divert (rules 11.5)")
    if (use.helper is None) != (use.onto is None):
        raise IllegalMoveError(f"{use}: a power that diverts needs a tile to divert to (rules 11.5)")
    pay(table, use.paid, _is_action)
    power.use(table, use)
