"""What a djinn is: a name, a worth, a cost and the few hooks that its power needs, and what the hooks may do.

This lies below djinns and draft alike: a hook is given a `TurnDraft`, and `engine.draft.GameDraft` is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.language.phrase import counted, say, say_as
from companion.rules.model.actions import Paid, UsePower
from companion.rules.model.board import Tile
from companion.rules.model.chance import Chance
from companion.rules.model.components import Colour, TileAction, Tribe
from companion.rules.model.events import Event
from companion.rules.model.position import Player
from companion.rules.model.state import Stage, TurnProgress


class Cost(StrEnum):
    """What using a power costs (rules 11)."""

    NONE = "none"
    ELDER_OR_FAKIR = "1 elder or 1 fakir"
    ELDER_AND_ELDER_OR_FAKIR = "1 elder and 1 elder or fakir"
    FAKIR = "1 fakir"
    FAKIRS = "1 or more fakirs"

    @property
    def payments(self) -> tuple[tuple[int, int], ...]:
        """The ways to pay it in a turn, as elders and fakirs; none for what is not used in turns."""
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
    """VP of one thing each at the end; `fakirs_per_good` fakirs stand for one good of choice, 0 for never.

    The defaults are a player's without djinns (rules 10.2, 10.3, 10.5); a djinn's `revalue` changes them.
    """

    vizier: int = 1
    elder: int = 2
    palm: int = 3
    palace: int = 5
    fakirs_per_good: int = 0


@dataclass(frozen=True, slots=True)
class Spoils:
    """What the killer gets of a victim: itself in front of him, GC, cards from the top of the resource deck."""

    kept: bool = False
    gold: int = 0
    cards: int = 0


class TurnDraft(Protocol):
    """What powers, and the rules that they share, see and change of a game in the making.

    `mover` is the player whose turn it is. Holdings that are not known stay so, whatever is added to them.
    """

    mover: Colour
    board: list[Tile]
    players: dict[Colour, Player]
    hidden: dict[Colour, int]
    row: tuple[str, ...] | None
    djinns: tuple[str, ...] | None
    discards: tuple[str, ...] | None
    djinn_discards: tuple[str, ...]
    stage: Stage
    progress: TurnProgress
    hands_as_told: bool
    chance: Chance

    @property
    def moving(self) -> Player:
        """The player whose turn it is, with what he holds."""

    @property
    def djinns_in_game(self) -> dict[str, Djinn]:
        """All djinns that are in the game, by name."""

    @property
    def camels(self) -> int:
        """Camels that the mover still has (rules 1.5, 4.8)."""

    @property
    def palms_left(self) -> int:
        """Palms in the supply (rules 6.1)."""

    @property
    def palaces_left(self) -> int:
        """Palaces in the supply (rules 6.2)."""

    @property
    def bag(self) -> list[int]:
        """Meeples in the bag, by tribe."""

    def powers(self, colour: Colour) -> list[Djinn]:
        """The djinns that a player is known to have."""

    def announce(self, event: Event) -> None:
        """Note what happened and let every djinn pay that pays for it."""

    def add(self, colour: Colour, *, gold: int = 0, viziers: int = 0, elders: int = 0) -> None:
        """Give a player gold, viziers or elders, or take them."""

    def give_cards(self, cards: Sequence[str | None], price: int = 0) -> None:
        """Give the mover cards; None is one that nobody knows."""

    def has_fakirs(self, number: int) -> bool:
        """Whether the mover has so many fakirs, or may have them."""

    def discard_fakirs(self, count: int) -> None:
        """The mover discards fakirs (rules 5.6)."""

    def claim(self, square: int) -> None:
        """The mover puts a camel on a tile (rules 9.1, 11.7)."""


def square_of(use: UsePower) -> int:
    """The tile that a power works on. Raises ValueError for a use that names none."""
    if use.square is None:
        raise ValueError(f"{use} names no tile")
    return use.square


def _always(_: TurnDraft) -> bool:
    return True


def _on_no_tile(_: TurnDraft) -> Iterable[int | None]:
    return (None,)


def _by_nothing(_: TurnDraft, __: int, ___: Paid) -> Iterable[tuple[Paid, int]]:
    return ()


_NOTHING = say_as("needed for a power", "nothing")


@dataclass(frozen=True, slots=True)
class Power:
    """A power that is an action of its own, for the player whose turn it is.

    `use` does it, once it is paid for. `squares` are the tiles that it can work on, None for no tile.
    `ready` says, before it is paid for, whether there is anything to do; `needs` says in words what that is.
    `helped` are the other powers that can help on a tile once this one is paid for, with where they divert to.
    """

    use: Callable[[TurnDraft, UsePower], None]
    needs: str = _NOTHING
    squares: Callable[[TurnDraft], Iterable[int | None]] = _on_no_tile
    ready: Callable[[TurnDraft], bool] = _always
    helped: Callable[[TurnDraft, int, Paid], Iterable[tuple[Paid, int]]] = _by_nothing

    @property
    def takes_help(self) -> bool:
        """Whether another power can help with it (rules 11.5)."""
        return self.helped is not _by_nothing


@dataclass(frozen=True, slots=True)
class Djinn:
    """A djinn: its name, worth in VP and the cost of its power; each hook is None where it has none.

    Hooks that always work:
    `revalue` changes what things are worth to its owner at the end (rules 10, 11).
    `pays` is what the owner gets in GC when something happens in anybody's turn.
    `reaps` is what he gets of a victim of his assassins, by its tribe and by the GC that one builder
    would have earned where it was killed.
    `guards` says that his viziers and elders cannot be killed (rules 5.4).

    Hooks that are paid for:
    `power` is an action of its own. `diverts` is the kind of tile whose palm or palace it puts on a
    neighbouring tile instead (rules 11.5), `kills` how many meeples assassins kill with it (rules 11.10),
    both within the action that it changes. `lowers_bids` says that fakirs lower the price of a bid (rules 11.8).
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
