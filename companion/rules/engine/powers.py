"""Powers that cost something: who can pay for which, and using them (rules 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.errors import IllegalMoveError
from companion.language.phrase import say
from companion.rules.engine.djinns.base import Djinn, TurnDraft
from companion.rules.model.actions import Paid, UsePower, in_words
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.events import PowerPaid

Wanted = Callable[[Djinn], bool]


def payable(draft: TurnDraft, wanted: Wanted, *, elders_kept: int = 0, fakirs_kept: int = 0) -> Iterator[Paid]:
    """Ways to pay for those of the mover's powers that are wanted and were not used in this turn.

    What he is not known to have is not spent, nor what is kept for something else.
    """
    if not draft.moving.djinns:
        return
    player = draft.moving
    elders, fakirs = (player.elders or 0) - elders_kept, (player.fakirs or 0) - fakirs_kept
    for djinn in draft.powers(draft.mover):
        if djinn.cost.payments and wanted(djinn) and djinn.name not in draft.progress.used:
            for elders_paid, fakirs_paid in djinn.cost.payments:
                if elders_paid <= elders and fakirs_paid <= fakirs:
                    yield Paid(djinn.name, elders_paid, fakirs_paid)


def pay(draft: TurnDraft, paid: Paid, wanted: Wanted) -> Djinn:
    """Pay for a power that is wanted.

    Raises IllegalMoveError if the mover has no such power, or used it in this turn, or cannot pay so.
    """
    djinn = _own(draft, paid.djinn, wanted)
    if djinn.name in draft.progress.used:
        raise IllegalMoveError(
            say("{djinn} was used in this turn already; once a turn is allowed (rules 11)", djinn=djinn.name)
        )
    if (paid.elders, paid.fakirs) not in djinn.cost.payments:
        raise IllegalMoveError(
            say(
                "{djinn} costs {cost}, not {paid} (rules 11)",
                djinn=djinn.name,
                cost=djinn.cost.words,
                paid=in_words(paid.elders, paid.fakirs),
            )
        )
    player = draft.moving
    if (player.elders is not None and player.elders < paid.elders) or not draft.has_fakirs(paid.fakirs):
        raise IllegalMoveError(
            say(
                "{djinn} costs {cost}; {colour} has {held} (rules 11)",
                djinn=djinn.name,
                cost=in_words(paid.elders, paid.fakirs),
                colour=player.colour,
                held=in_words(player.elders or 0, player.fakirs or 0),
            )
        )
    draft.add(draft.mover, elders=-paid.elders)
    draft.discard_fakirs(paid.fakirs)
    draft.progress = replace(draft.progress, used=(*draft.progress.used, djinn.name))
    draft.announce(PowerPaid(draft.mover, djinn.name, paid.elders, paid.fakirs))
    return djinn


def _own(draft: TurnDraft, name: str, wanted: Wanted) -> Djinn:
    """A djinn that the mover has, or may have, and whose power is of use here."""
    known = draft.moving.djinns
    djinn = draft.djinns_in_game.get(name)
    if djinn is None or (known is not None and name not in known):
        raise IllegalMoveError(say("{mover} does not have {name} (rules 11)", mover=draft.mover, name=name))
    if not wanted(djinn):
        raise IllegalMoveError(say("{name} has no power to use here (rules 11)", name=name))
    return djinn


def _is_action(djinn: Djinn) -> bool:
    return djinn.power is not None


def power_actions(draft: TurnDraft) -> Iterator[UsePower]:
    """Every use of the mover's powers that are actions of their own, and that he can pay for."""
    for paid in payable(draft, _is_action):
        power = draft.djinns_in_game[paid.djinn].power
        if power is None or not power.ready(draft):
            continue
        for square in power.squares(draft):
            yield UsePower(paid, square)
            if square is not None:
                yield from (UsePower(paid, square, helper, onto) for helper, onto in power.helped(draft, square, paid))


def use_power(draft: TurnDraft, use: UsePower) -> None:
    """Pay for a power and use it. Raises IllegalMoveError if that is not possible."""
    power = _own(draft, use.paid.djinn, _is_action).power
    assert power is not None
    if not power.ready(draft) or use.square not in power.squares(draft):
        where = "" if use.square is None else say(" on {square}", square=SQUARE_NAMES[use.square])
        raise IllegalMoveError(
            say(
                "{djinn} cannot be used{where}: it needs {needs} (rules 11)",
                djinn=use.paid.djinn,
                where=where,
                needs=power.needs,
            )
        )
    if use.helper is not None and not power.takes_help:
        raise IllegalMoveError(
            say(
                "{djinn} places nothing for {helper} to divert (rules 11.5)",
                djinn=use.paid.djinn,
                helper=use.helper.djinn,
            )
        )
    if (use.helper is None) != (use.onto is None):
        raise IllegalMoveError(say("{use}: a power that diverts needs a tile to divert to (rules 11.5)", use=use))
    pay(draft, use.paid, _is_action)
    power.use(draft, use)
