"""Powers that cost something: who can pay for which, and using them (rules 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.errors import IllegalMoveError
from companion.language.phrase import say
from companion.rules.model.actions import Paid, UsePower, in_words
from companion.rules.model.board import SQUARE_NAMES, SURROUNDINGS, Tile
from companion.rules.model.components import TileAction
from companion.rules.model.events import PalacePlaced, PalmPlaced, PowerPaid

Wanted = Callable[["Djinn"], bool]

if TYPE_CHECKING:
    from companion.rules.engine.djinns import Djinn
    from companion.rules.engine.mutable_game import MutableGame


def payable(game: MutableGame, wanted: Wanted, *, elders_kept: int = 0, fakirs_kept: int = 0) -> Iterator[Paid]:
    """Ways to pay for the mover's powers that are wanted and unused, with what he's known to have and needn't keep."""
    if not game.moving.djinns:
        return
    player = game.moving
    elders, fakirs = (player.elders or 0) - elders_kept, (player.fakirs or 0) - fakirs_kept
    for djinn in game.powers(game.mover):
        if djinn.cost.payments and wanted(djinn) and djinn.name not in game.progress.used:
            for elders_paid, fakirs_paid in djinn.cost.payments:
                if elders_paid <= elders and fakirs_paid <= fakirs:
                    yield Paid(djinn.name, elders_paid, fakirs_paid)


def pay(game: MutableGame, paid: Paid, wanted: Wanted) -> Djinn:
    """Pay for a power. Raises IllegalMoveError if the mover doesn't have it, has used it or can't pay for it."""
    djinn = _own(game, paid.djinn, wanted)
    if djinn.name in game.progress.used:
        raise IllegalMoveError("{djinn} has already been used this turn; once is allowed (rules 11)", djinn=djinn.name)
    if (paid.elders, paid.fakirs) not in djinn.cost.payments:
        raise IllegalMoveError(
            "{djinn} costs {cost}, not {paid} (rules 11)",
            djinn=djinn.name,
            cost=djinn.cost.words,
            paid=in_words(paid.elders, paid.fakirs),
        )
    player = game.moving
    if (player.elders is not None and player.elders < paid.elders) or not game.has_fakirs(paid.fakirs):
        raise IllegalMoveError(
            "{djinn} costs {cost}; {colour} has {held} (rules 11)",
            djinn=djinn.name,
            cost=in_words(paid.elders, paid.fakirs),
            colour=player.colour,
            held=in_words(player.elders or 0, player.fakirs or 0),
        )
    game.add(game.mover, elders=-paid.elders)
    game.discard_fakirs(paid.fakirs)
    game.progress = replace(game.progress, used=(*game.progress.used, djinn.name))
    game.announce(PowerPaid(game.mover, djinn.name, paid.elders, paid.fakirs))
    return djinn


def _own(game: MutableGame, name: str, wanted: Wanted) -> Djinn:
    """A djinn that the mover has, or may have, and whose power is of use here."""
    known = game.moving.djinns
    djinn = game.djinns_in_game.get(name)
    if djinn is None or (known is not None and name not in known):
        raise IllegalMoveError("{mover} does not have {name} (rules 11)", mover=game.mover, name=name)
    if not wanted(djinn):
        raise IllegalMoveError("{name} has no power to use here (rules 11)", name=name)
    return djinn


def _is_action(djinn: Djinn) -> bool:
    return djinn.power is not None


def power_actions(game: MutableGame) -> Iterator[UsePower]:
    """Every use of the mover's powers that are actions of their own, and that he can pay for."""
    for paid in payable(game, _is_action):
        power = game.djinns_in_game[paid.djinn].power
        if power is None or not power.ready(game):
            continue
        for square in power.squares(game):
            yield UsePower(paid, square)
            if square is not None:
                yield from (UsePower(paid, square, helper, onto) for helper, onto in power.helped(game, square, paid))


def use_power(game: MutableGame, use: UsePower) -> None:
    """Pay for a power and use it. Raises IllegalMoveError if that is not possible."""
    power = _own(game, use.paid.djinn, _is_action).power
    assert power is not None
    if not power.ready(game) or use.square not in power.squares(game):
        where = "" if use.square is None else say(" on {square}", square=SQUARE_NAMES[use.square])
        raise IllegalMoveError(
            "{djinn} can't be used{where}: it needs {needs} (rules 11)",
            djinn=use.paid.djinn,
            where=where,
            needs=power.needs,
        )
    if use.helper is not None and not power.takes_help:
        raise IllegalMoveError(
            "{djinn} places nothing for {helper} to divert (rules 11.5)", djinn=use.paid.djinn, helper=use.helper.djinn
        )
    if (use.helper is None) != (use.onto is None):
        raise IllegalMoveError("{use}: a power that diverts needs a tile to divert to (rules 11.5)", use=use)
    pay(game, use.paid, _is_action)
    power.use(game, use)


BUILT_ON = (TileAction.OASIS, TileAction.VILLAGE)
"""Tiles that bring a palm and a palace."""


def supply(game: MutableGame, kind: TileAction) -> int:
    """What the supply has left of what that kind of tile brings."""
    return game.palms_left if kind is TileAction.OASIS else game.palaces_left


def _diverts(kind: TileAction) -> Wanted:
    return lambda djinn: djinn.diverts is kind


def diversions(game: MutableGame, square: int, spent: Paid | None = None) -> Iterator[tuple[Paid, int]]:
    """Powers that divert what this tile brings, with each tile they divert to (rules 11.5), after paying `spent`."""
    kind = game.board[square].kind.action
    if kind not in BUILT_ON:
        return
    elders, fakirs = (0, 0) if spent is None else (spent.elders, spent.fakirs)
    for helper in payable(game, _diverts(kind), elders_kept=elders, fakirs_kept=fakirs):
        for onto in SURROUNDINGS[square]:
            yield helper, onto


def build(game: MutableGame, square: int, helper: Paid | None = None, onto: int | None = None) -> None:
    """Put what this tile brings on it, or by a helping power `onto` a neighbouring one, if the supply has any.

    Raises IllegalMoveError if the power can't do that.
    """
    kind = game.board[square].kind.action
    if (helper is None) != (onto is None):
        raise IllegalMoveError(
            "{square}: a power that diverts and a tile go together (rules 11.5)", square=SQUARE_NAMES[square]
        )
    if supply(game, kind) <= 0:
        if helper is not None:
            raise IllegalMoveError(
                "the supply is empty, so {djinn} has nothing to divert (rules 6.1, 6.2)", djinn=helper.djinn
            )
        return
    if helper is not None and onto is not None:
        if onto not in SURROUNDINGS[square]:
            raise IllegalMoveError(
                "{square} is not one of the tiles around {start} (rules 11.2)",
                square=SQUARE_NAMES[onto],
                start=SQUARE_NAMES[square],
            )
        pay(game, helper, _diverts(kind))
    at = square if onto is None else onto
    tile = game.board[at]
    if kind is TileAction.OASIS:
        game.board[at] = Tile(tile.kind, tile.meeples, tile.camel, tile.palms + 1, tile.palaces)
        game.announce(PalmPlaced(game.mover, at))
    else:
        game.board[at] = Tile(tile.kind, tile.meeples, tile.camel, tile.palms, tile.palaces + 1)
        game.announce(PalacePlaced(game.mover, at))
