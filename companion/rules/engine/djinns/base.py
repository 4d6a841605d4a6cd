"""What a djinn is: a name, a worth, a cost and the few hooks that its power needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.rules.model.components import Action, Colour, Tribe
from companion.rules.model.events import Event
from companion.rules.model.worth import Worth

if TYPE_CHECKING:
    from companion.rules.engine.table import Table
    from companion.rules.model.actions import Paid, UsePower


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


_PAYMENTS: dict[Cost, tuple[tuple[int, int], ...]] = {
    Cost.NONE: (),
    Cost.ELDER_OR_FAKIR: ((1, 0), (0, 1)),
    Cost.ELDER_AND_ELDER_OR_FAKIR: ((2, 0), (1, 1)),
    Cost.FAKIR: ((0, 1),),
    Cost.FAKIRS: (),
}


@dataclass(frozen=True, slots=True)
class Spoils:
    """What the killer gets of a victim: itself in front of him, GC, cards from the top of the resource deck."""

    kept: bool = False
    gold: int = 0
    cards: int = 0


def _always(_: Table) -> bool:
    return True


def _on_no_tile(_: Table) -> Iterable[int | None]:
    return (None,)


def _by_nothing(_: Table, __: int, ___: Paid) -> Iterable[tuple[Paid, int]]:
    return ()


@dataclass(frozen=True, slots=True)
class Power:
    """A power that is an action of its own, for the player whose turn it is.

    `use` does it, once it is paid for. `squares` are the tiles that it can work on, None for no tile.
    `ready` says, before it is paid for, whether there is anything to do; `needs` says in words what that is.
    `helped` are the other powers that can help on a tile once this one is paid for, with where they divert to.
    """

    use: Callable[[Table, UsePower], None]
    needs: str = "nothing"
    squares: Callable[[Table], Iterable[int | None]] = _on_no_tile
    ready: Callable[[Table], bool] = _always
    helped: Callable[[Table, int, Paid], Iterable[tuple[Paid, int]]] = _by_nothing

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
    diverts: Action | None = None
    kills: int = 1
    lowers_bids: bool = False
