"""Everything that a player can decide, one type a kind of decision (rules 3 to 7, 11); `str()` is plain English."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.language.phrase import counted, listed, say_as, term
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Tribe
from companion.rules.model.events import Victim


@dataclass(frozen=True, slots=True)
class Paid:
    """The power of a djinn and what is paid for it: elders and fakirs (rules 11)."""

    djinn: str
    elders: int = 0
    fakirs: int = 0

    def __str__(self) -> str:
        """A djinn with its price: "Enki for elder", "Leta for elder and fakir"."""
        paid = ((self.elders, "elder"), (self.fakirs, "fakir"))
        price = " and ".join(noun if number == 1 else f"{number} {noun}s" for number, noun in paid if number)
        return f"{self.djinn} for {price}" if price else self.djinn


@dataclass(frozen=True, slots=True)
class TribeChoice:
    """A tribe action (rules 5): fakirs discarded, whom assassins kill, and a power to kill a `second` (rules 11.10)."""

    fakirs: int = 0
    victim: Victim | None = None
    second: Victim | None = None
    helper: Paid | None = None

    @property
    def victims(self) -> tuple[Victim, ...]:
        """Whom the assassins kill, in order."""
        return tuple(victim for victim in (self.victim, self.second) if victim is not None)

    def __str__(self) -> str:
        """What is decided: "with 1 fakir kill b on c2"; "" where nothing is."""
        killed = " and ".join(map(str, self.victims)) or ("nobody" if self.helper else "")
        helped = f"with {self.helper}" if self.helper else ""
        return " ".join(filter(None, (_with_fakirs(self.fakirs), f"kill {killed}" if killed else "", helped)))


@dataclass(frozen=True, slots=True)
class TileChoice:
    """A tile action (rules 6): `cards` bought, by place in the row from 0, or a `djinn` taken, `with_fakir` for one
    elder; a `helper` puts palm or palace `onto` another square (rules 11.5).
    """

    cards: tuple[int, ...] = ()
    djinn: str | None = None
    with_fakir: bool = False
    helper: Paid | None = None
    onto: int | None = None


NOTHING_TO_CHOOSE = TribeChoice()
LEAVE_IT = TileChoice()


@dataclass(frozen=True, slots=True)
class PlaceBid:
    """Put the next marker on a spot of that price in GC (rules 3.1), less for `fakirs` (rules 11.8)."""

    price: int
    fakirs: int = 0

    def __str__(self) -> str:
        return f"bid {self.price} {_with_fakirs(self.fakirs)}".strip()


@dataclass(frozen=True, slots=True)
class UsePower:
    """Use a power that is an action of its own (rules 11), on a `square` if it needs one.

    `helper` is another power, which puts the palm or palace `onto` another square (rules 11.5).
    """

    paid: Paid
    square: int | None = None
    helper: Paid | None = None
    onto: int | None = None

    def __str__(self) -> str:
        return f"use {self.paid}{_on(self.square)}{_diverted(self.helper, self.onto)}"


@dataclass(frozen=True, slots=True)
class KeepDjinn:
    """Keep one of the djinns drawn, so that the others are discarded (rules 11)."""

    djinn: str

    def __str__(self) -> str:
        return f"keep {self.djinn}"


@dataclass(frozen=True, slots=True)
class Lift:
    """Take all meeples of a tile in hand (rules 4.2); `Drop`s follow."""

    square: int

    def __str__(self) -> str:
        return _name(self.square)


@dataclass(frozen=True, slots=True)
class Drop:
    """Step to a square and leave a meeple of that tribe there (rules 4.2 to 4.5)."""

    square: int
    tribe: Tribe

    def __str__(self) -> str:
        return f"> {_name(self.square)}{self.tribe.letter}"


@dataclass(frozen=True, slots=True)
class Sowing:
    """A move: the tile lifted, the tiles stepped on, the meeple left on each: "c3>c4g>d4b>d5y"."""

    start: int
    path: tuple[int, ...]
    drops: tuple[Tribe, ...]

    @property
    def end(self) -> int:
        """The square of the last drop."""
        return self.path[-1]

    @property
    def tribe(self) -> Tribe:
        """The tribe taken in hand at the end (rules 4.7)."""
        return self.drops[-1]

    def __str__(self) -> str:
        steps = zip(self.path, self.drops, strict=True)
        return ">".join([SQUARE_NAMES[self.start], *(SQUARE_NAMES[square] + tribe.letter for square, tribe in steps)])


@dataclass(frozen=True, slots=True)
class Sow:
    """A `Lift` and all its `Drop`s as one action (rules 4.2 to 4.8)."""

    sowing: Sowing

    def __str__(self) -> str:
        return str(self.sowing).replace(">", " > ")


@dataclass(frozen=True, slots=True)
class ActTribe:
    """Let the meeples in hand act (rules 5)."""

    choice: TribeChoice = NOTHING_TO_CHOOSE

    def __str__(self) -> str:
        return str(self.choice) or "tribe action"


@dataclass(frozen=True, slots=True)
class ActTile:
    """Do the action of the end tile (rules 6)."""

    choice: TileChoice = LEAVE_IT

    def __str__(self) -> str:
        choice = self.choice
        if choice.djinn is not None:
            return f"take {Paid(choice.djinn, *((1, 1) if choice.with_fakir else (2, 0)))}"
        if choice.cards:
            return f"buy {', '.join(f'({place + 1})' for place in choice.cards)}"
        return f"tile action{_diverted(choice.helper, choice.onto)}"


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell one set of different goods (rules 7.1), named in the order of `components.GOODS`."""

    goods: tuple[str, ...]

    def __str__(self) -> str:
        return f"sell {', '.join(self.goods)}"


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Sell nothing more and use no more powers; after the round's last turn comes the clean-up (rules 7, 8)."""

    def __str__(self) -> str:
        return "the end of the turn"


Action = PlaceBid | UsePower | KeepDjinn | Lift | Drop | Sow | ActTribe | ActTile | Sell | EndTurn
"""Any decision of the game."""


def sowing_in(actions: Iterable[Action]) -> Sowing | None:
    """The move among the actions of a turn, if there is one."""
    return next((action.sowing for action in actions if isinstance(action, Sow)), None)


def in_words(elders: int, fakirs: int, *, brief: bool = False) -> str:
    """A price in elders and fakirs: "1 elder and 1 fakir", or "elder and fakir" if it is to be `brief`."""
    parts = [
        term(noun) if brief and number == 1 else counted(number, noun)
        for number, noun in ((elders, "elder"), (fakirs, "fakir"))
        if number
    ]
    return listed(parts) if parts else say_as("a price", "nothing")


def _with_fakirs(number: int) -> str:
    return f"with {number} fakir{'s' * (number > 1)}" if number else ""


def _on(square: int | None) -> str:
    return "" if square is None else f" on {_name(square)}"


def _diverted(helper: Paid | None, onto: int | None) -> str:
    return "" if helper is None or onto is None else f" with {helper} onto {_name(onto)}"


def _name(square: int) -> str:
    return SQUARE_NAMES[square] if 0 <= square < len(SQUARE_NAMES) else f"square {square}"
