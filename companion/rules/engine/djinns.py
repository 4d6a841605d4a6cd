"""All djinns, each with a name, a worth, a cost and the few hooks that its power needs (rules 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.errors import UnusableInputError
from companion.language.phrase import counted, say, say_as
from companion.rules.engine.decks import djinns_in_deck, draw_card, draw_djinn, draw_meeples
from companion.rules.engine.powers import build, diversions, supply
from companion.rules.model.actions import Paid, UsePower
from companion.rules.model.components import Colour, TileAction, Tribe
from companion.rules.model.events import (
    AssassinsKilled,
    DjinnsDrawn,
    DjinnTaken,
    Event,
    IncomeMultiplied,
    MeepleDropped,
    MeeplesAdded,
    MeeplesKept,
    PalacePlaced,
    VictimReaped,
)
from companion.rules.model.state import Stage

if TYPE_CHECKING:
    from companion.rules.engine.mutable_game import MutableGame


class Cost(StrEnum):
    """What using a power costs (rules 11)."""

    NONE = "none"
    ELDER_OR_FAKIR = "1 elder or 1 fakir"
    ELDER_AND_ELDER_OR_FAKIR = "1 elder and 1 elder or fakir"
    FAKIR = "1 fakir"
    FAKIRS = "1 or more fakirs"

    @property
    def payments(self) -> tuple[tuple[int, int], ...]:
        """The ways to pay it in a turn, as elders and fakirs."""
        return _PAYMENTS[self]

    @property
    def words(self) -> str:
        """The cost as sentences name it."""
        return _COST_WORDS[self]


_COST_WORDS: dict[Cost, str] = {
    Cost.NONE: say_as("a price", "none"),
    Cost.ELDER_OR_FAKIR: say("1 elder or 1 fakir"),
    Cost.ELDER_AND_ELDER_OR_FAKIR: say("1 elder and 1 elder or fakir"),
    Cost.FAKIR: counted(1, "fakir"),
    Cost.FAKIRS: say("1 or more fakirs"),
}


_PAYMENTS: dict[Cost, tuple[tuple[int, int], ...]] = {
    Cost.NONE: (),
    Cost.ELDER_OR_FAKIR: ((1, 0), (0, 1)),
    Cost.ELDER_AND_ELDER_OR_FAKIR: ((2, 0), (1, 1)),
    Cost.FAKIR: ((0, 1),),
    Cost.FAKIRS: (),
}


@dataclass(frozen=True, slots=True)
class Worth:
    """VP of one thing each at the end, without djinns (rules 10); `fakirs_per_good` fakirs count as any one good."""

    vizier: int = 1
    elder: int = 2
    palm: int = 3
    palace: int = 5
    fakirs_per_good: int = 0


@dataclass(frozen=True, slots=True)
class Spoils:
    """What the killer gets for a victim: the meeple itself, GC, cards from the resource deck."""

    kept: bool = False
    gold: int = 0
    cards: int = 0


def square_of(use: UsePower) -> int:
    """The tile that a power works on. Raises ValueError if there is none."""
    if use.square is None:
        raise ValueError(f"{use} names no tile")
    return use.square


def _always(_: MutableGame) -> bool:
    return True


def _on_no_tile(_: MutableGame) -> Iterable[int | None]:
    return (None,)


def _by_nothing(_: MutableGame, __: int, ___: Paid) -> Iterable[tuple[Paid, int]]:
    return ()


_NOTHING = say_as("needed for a power", "nothing")


@dataclass(frozen=True, slots=True)
class Power:
    """A power that is an action of its own: `use` does it, once it's paid for.

    `squares` are the tiles that it works on, None for no tile. `ready` says whether there is anything to do, `needs`
    what that takes. `helped` are other powers that can help on a tile, with where they divert to. `draws`: it brings
    what nobody has seen.
    """

    use: Callable[[MutableGame, UsePower], None]
    needs: str = _NOTHING
    squares: Callable[[MutableGame], Iterable[int | None]] = _on_no_tile
    ready: Callable[[MutableGame], bool] = _always
    helped: Callable[[MutableGame, int, Paid], Iterable[tuple[Paid, int]]] = _by_nothing
    draws: bool = False

    @property
    def takes_help(self) -> bool:
        """Whether another power can help with it (rules 11.5)."""
        return self.helped is not _by_nothing


@dataclass(frozen=True, slots=True)
class Djinn:
    """A djinn: its name, worth in VP, the cost of its power and its hooks.

    Always at work: `revalue` changes what things are worth to the owner at the end (rules 10). `pays` is what the
    owner gets in GC for an event. `reaps` is what he gets for a victim of his assassins, by its tribe and the GC that
    one builder would have earned there. `guards`: his viziers and elders can't be killed (rules 5.4).

    Paid for: `power` is an action of its own. `diverts` is the kind of tile whose palm or palace goes on a neighbouring
    tile instead (rules 11.5), `kills` how many meeples assassins kill with it (rules 11.10). `lowers_bids`: fakirs
    lower the price of a bid (rules 11.8).
    """

    name: str
    vp: int
    cost: Cost = Cost.NONE
    revalue: Callable[[Worth], Worth] | None = None
    pays: Callable[[Event, Colour], int] | None = None
    reaps: Callable[[Tribe, int], Spoils] | None = None
    guards: bool = False
    power: Power | None = None
    diverts: TileAction | None = None
    kills: int = 1
    lowers_bids: bool = False


# What things are worth at the end (rules 10).
# Al-Amin: each pair of own fakirs is one good of choice, also one whose cards are all taken (rules 11.12).


# Income: 1 GC for the owner's own doing, 2 GC for another's.


def _share(by: Colour, owner: Colour) -> int:
    return 1 if by is owner else 2


def _for_djinns(event: Event, owner: Colour) -> int:
    # A djinn does not pay for being taken itself (rules 11.1).
    if isinstance(event, DjinnTaken) and event.djinn != "Ba'al":
        return _share(event.by, owner)
    return 0


def _for_drops(event: Event, owner: Colour) -> int:
    return _share(event.by, owner) if isinstance(event, MeepleDropped) and event.owner is owner else 0


def _for_palaces(event: Event, owner: Colour) -> int:
    return _share(event.by, owner) if isinstance(event, PalacePlaced) else 0


def _for_kills(event: Event, owner: Colour) -> int:
    # Once for an action, one meeple killed or two, on a tile or in front of a player (rules 11.3, 11.6).
    return _share(event.by, owner) if isinstance(event, AssassinsKilled) else 0


def _for_viziers(event: Event, owner: Colour) -> int:
    # Viziers from the board: taken in hand, or killed on a tile and kept.
    if isinstance(event, MeeplesKept) and event.tribe is Tribe.VIZIER:
        return event.count * _share(event.by, owner)
    if isinstance(event, VictimReaped) and event.kept and event.victim.square is not None:
        return _share(event.by, owner) if event.victim.tribe is Tribe.VIZIER else 0
    return 0


# Assassins: the owner's victims, and his viziers and elders as victims (rules 5.4).


def _reap(tribe: Tribe, builder_income: int) -> Spoils:
    if tribe is Tribe.MERCHANT:
        return Spoils(cards=1)
    if tribe is Tribe.BUILDER:
        return Spoils(gold=builder_income)
    return Spoils(kept=tribe in (Tribe.VIZIER, Tribe.ELDER))


# On tiles: palms and palaces, camels, meeples.

MEEPLES_REVIVED = 3
BUILDERS_FACTOR = 2
"""What builders bring is multiplied by, where that is paid for."""
_DJINNS_DRAWN = 3


def _tiles(kind: TileAction) -> Callable[[MutableGame], Iterator[int]]:
    return lambda game: (square for square, tile in enumerate(game.board) if tile.kind.action is kind)


def _has(kind: TileAction) -> Callable[[MutableGame], bool]:
    return lambda game: supply(game, kind) > 0


def _build(game: MutableGame, use: UsePower) -> None:
    build(game, square_of(use), use.helper, use.onto)


def _building(needs: str, kind: TileAction) -> Power:
    return Power(_build, needs, _tiles(kind), _has(kind), diversions)


BUILD_PALACE = _building(say("a palace in the supply and a village"), TileAction.VILLAGE)
BUILD_PALM = _building(say("a palm in the supply and an oasis"), TileAction.OASIS)


def _empty(game: MutableGame) -> Iterator[int]:
    return (square for square, tile in enumerate(game.board) if tile.is_empty)


def _with_meeples_only(game: MutableGame) -> Iterator[int]:
    return (
        square
        for square, tile in enumerate(game.board)
        if any(tile.meeples) and tile.camel is None and not tile.palms and not tile.palaces
    )


def _has_camel(game: MutableGame) -> bool:
    return game.camels > 0


def _claim(game: MutableGame, use: UsePower) -> None:
    game.claim(square_of(use))


CLAIM_EMPTY = Power(_claim, say("a camel and a tile with nothing on it"), _empty, _has_camel)
CLAIM_PEOPLED = Power(_claim, say("a camel and a tile with only meeples on it"), _with_meeples_only, _has_camel)


def _bag_has_meeples(game: MutableGame) -> bool:
    return any(game.bag)


def _revive(game: MutableGame, use: UsePower) -> None:
    square = square_of(use)
    meeples = draw_meeples(game, MEEPLES_REVIVED)
    game.board[square] = replace(game.board[square], meeples=meeples)
    game.announce(MeeplesAdded(game.mover, square, meeples))


REVIVE = Power(_revive, say("a meeple in the bag and a tile with nothing on it"), _empty, _bag_has_meeples, draws=True)


# From the decks.


def _deck_has_djinns(game: MutableGame) -> bool:
    return bool(djinns_in_deck(game) or game.djinn_discards)


def _draw_djinns(game: MutableGame, _: UsePower) -> None:
    drawn: tuple[str, ...] = ()
    for _draw in range(_DJINNS_DRAWN):
        drawn += draw_djinn(game, drawn)
    game.announce(DjinnsDrawn(game.mover, drawn))
    # The turn goes on where it was interrupted once one of them is kept.
    game.progress = replace(game.progress, drawn=drawn, resume=game.stage)
    game.stage = Stage.KEEP


def _draw_card(game: MutableGame, _: UsePower) -> None:
    game.give_cards(draw_card(game, face_up=False))


DRAW_DJINNS = Power(_draw_djinns, say("a djinn in the deck or put away"), ready=_deck_has_djinns, draws=True)
DRAW_CARD = Power(_draw_card, draws=True)


# Within another action, or a bid (rules 11.5, 11.8 to 11.10).


def _double_builders(game: MutableGame, _: UsePower) -> None:
    # Builders may bring their gold before or after this is paid (rules 11.9).
    earned = game.progress.income
    game.progress = replace(game.progress, factor=BUILDERS_FACTOR)
    if earned:
        game.add(game.mover, gold=earned)
        game.announce(IncomeMultiplied(game.mover, earned))


DOUBLE_BUILDERS = Power(_double_builders)


DJINNS: dict[str, Djinn] = {
    djinn.name: djinn
    for djinn in (
        # Each pair of own fakirs is one good of choice, also one whose cards are all taken (rules 11.12).
        Djinn("Al-Amin", 5, revalue=lambda worth: replace(worth, fakirs_per_good=2)),
        Djinn("Anun-Nak", 8, Cost.ELDER_OR_FAKIR, power=REVIVE),
        Djinn("Ba'al", 6, pays=_for_djinns),
        Djinn("Boaz", 6, guards=True),
        Djinn("Bouraq", 6, Cost.ELDER_OR_FAKIR, power=BUILD_PALACE),
        Djinn("Echidna", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=DOUBLE_BUILDERS),
        Djinn("Enki", 8, Cost.ELDER_OR_FAKIR, power=BUILD_PALM),
        Djinn("Hagis", 10, Cost.ELDER_OR_FAKIR, diverts=TileAction.VILLAGE),
        Djinn("Haurvatat", 8, revalue=lambda worth: replace(worth, palm=5)),
        Djinn("Iblis", 8, Cost.ELDER_OR_FAKIR, kills=2),
        Djinn("Jafaar", 6, revalue=lambda worth: replace(worth, vizier=3)),
        Djinn("Kandicha", 6, reaps=_reap),
        Djinn("Kumarbi", 6, Cost.FAKIRS, lowers_bids=True),
        Djinn("Lamia", 10, Cost.ELDER_OR_FAKIR, diverts=TileAction.OASIS),
        Djinn("Leta", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=CLAIM_EMPTY),
        Djinn("Marid", 6, pays=_for_drops),
        Djinn("Monkir", 6, pays=_for_palaces),
        Djinn("Nekir", 6, pays=_for_kills),
        Djinn("Shamhat", 6, revalue=lambda worth: replace(worth, elder=4)),
        Djinn("Sibittis", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=DRAW_DJINNS),
        Djinn("Sloar", 8, Cost.FAKIR, power=DRAW_CARD),
        Djinn("Utug", 4, Cost.ELDER_AND_ELDER_OR_FAKIR, power=CLAIM_PEOPLED),
    )
}
"""Every djinn of the game by name. The order is part of position codes: a new djinn goes to the end."""

PROMO_DJINNS: dict[str, Djinn] = {"Dhenim": Djinn("Dhenim", 6, pays=_for_viziers)}
"""Djinns that are in a game only by choice."""

EVERY_DJINN: dict[str, Djinn] = {**DJINNS, **PROMO_DJINNS}
"""All djinns, whether in the game or not."""


def djinn_named(name: str) -> Djinn:
    """The djinn of that name. Raises UnusableInputError if there is none."""
    try:
        return EVERY_DJINN[name]
    except KeyError:
        raise UnusableInputError("there is no djinn {name!r} (rules 11)", name=name) from None


def djinns_in_game(*, promo: bool) -> dict[str, Djinn]:
    """The djinns of a game, by name."""
    return EVERY_DJINN if promo else DJINNS
