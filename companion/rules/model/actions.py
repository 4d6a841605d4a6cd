"""Everything that a player can decide, one type a kind of decision (rules 3 to 7, 11); `str()` as in records."""

from __future__ import annotations

from dataclasses import dataclass

from companion.language.phrase import Phrase, counted, joined, listed, named, say_as, term
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
        djinn = named(self.djinn)
        if not (self.elders or self.fakirs):
            return djinn
        cost = in_words(self.elders, self.fakirs, brief=True)
        return say_as("in a record", "{djinn} for {cost}", djinn=djinn, cost=cost)


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
        words: list[Phrase] = []
        if self.fakirs:
            words.append(say_as("in a record", "with {more}", more=counted(self.fakirs, "fakir")))
        if self.victims:
            words.append(say_as("in a record", "kill {whom}", whom=listed(list(map(_victim, self.victims)))))
        if self.helper is not None:
            words += [] if self.victims else [say_as("in a record", "kill nobody")]
            words.append(say_as("in a record", "with {more}", more=self.helper))
        return joined(" ", words)


@dataclass(frozen=True, slots=True)
class TileChoice:
    """A tile action (rules 6): places in the row, from 0, of `cards` bought, or a `djinn` taken.

    `with_fakir`: it's paid with an elder and a fakir. `helper` puts the palm or palace `onto` another square
    (rules 11.5).
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
        return say_as("an action", "bid {price}", price=self.words)

    @property
    def words(self) -> Phrase:
        """The bid as records have it: "3", or "5 with 2 fakirs"."""
        if not self.fakirs:
            return joined("", (str(self.price),))
        return say_as("in a record", "{what} with {more}", what=self.price, more=counted(self.fakirs, "fakir"))


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
        words = say_as("in a record", "use {djinn}", djinn=self.paid)
        if self.square is not None:
            words = say_as("in a record", "{doing} on {square}", doing=words, square=_name(self.square))
        return diverted(words, self.helper, self.onto)


@dataclass(frozen=True, slots=True)
class KeepDjinn:
    """Keep one of the djinns drawn, so that the others are discarded (rules 11)."""

    djinn: str

    def __str__(self) -> str:
        return say_as("in a record", "keep {djinn}", djinn=named(self.djinn))


@dataclass(frozen=True, slots=True)
class Lift:
    """Take all meeples of a tile in hand (rules 4.2); `Drop`s follow."""

    square: int

    def __str__(self) -> str:
        return joined("", (_name(self.square),))


@dataclass(frozen=True, slots=True)
class Drop:
    """Step to a square and leave a meeple of that tribe there (rules 4.2 to 4.5)."""

    square: int
    tribe: Tribe

    def __str__(self) -> str:
        return joined("", ("> ", _name(self.square), self.tribe.letter))


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
        return joined("", (str(self.sowing).replace(">", " > "),))


@dataclass(frozen=True, slots=True)
class ActTribe:
    """Let the meeples in hand act (rules 5)."""

    choice: TribeChoice = NOTHING_TO_CHOOSE

    def __str__(self) -> str:
        return str(self.choice) or say_as("an action", "tribe action")


@dataclass(frozen=True, slots=True)
class ActTile:
    """Do the action of the end tile (rules 6)."""

    choice: TileChoice = LEAVE_IT

    def __str__(self) -> str:
        choice = self.choice
        if choice.djinn is not None:
            price = (1, 1) if choice.with_fakir else (2, 0)
            return say_as("in a record", "take {djinn}", djinn=Paid(choice.djinn, *price))
        if choice.cards:
            return say_as("in a record", "buy {cards}", cards=", ".join(f"({place + 1})" for place in choice.cards))
        return diverted(say_as("an action", "tile action"), choice.helper, choice.onto)


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell one set of different goods (rules 7.1), named in the order of `components.GOODS`."""

    goods: tuple[str, ...]

    def __str__(self) -> str:
        return say_as("in a record", "sell {cards}", cards=joined(", ", map(named, self.goods)))


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Sell nothing more and use no more powers; after the round's last turn comes the clean-up (rules 7, 8)."""

    def __str__(self) -> str:
        return say_as("in a record", "the end of the turn")


Action = PlaceBid | UsePower | KeepDjinn | Lift | Drop | Sow | ActTribe | ActTile | Sell | EndTurn
"""Any decision of the game."""


def in_words(elders: int, fakirs: int, *, brief: bool = False) -> str:
    """A price in elders and fakirs: "1 elder and 1 fakir", or "elder and fakir" if it is to be `brief`."""
    parts = [
        term(noun) if brief and number == 1 else counted(number, noun)
        for number, noun in ((elders, "elder"), (fakirs, "fakir"))
        if number
    ]
    return listed(parts) if parts else say_as("a price", "nothing")


def diverted(words: Phrase, helper: Paid | None, onto: int | None) -> Phrase:
    """An action in words, with the power that puts its palm or palace elsewhere if there is one."""
    if helper is None or onto is None:
        return words
    return say_as("in a record", "{doing} with {djinn} onto {square}", doing=words, djinn=helper, square=_name(onto))


def _name(square: int) -> str:
    if 0 <= square < len(SQUARE_NAMES):
        return SQUARE_NAMES[square]
    return say_as("an action", "square {square}", square=square)


_KILLED = {
    Tribe.VIZIER: say_as("whom assassins kill, in a record", "y"),
    Tribe.ELDER: say_as("whom assassins kill, in a record", "w"),
    Tribe.BUILDER: say_as("whom assassins kill, in a record", "b"),
    Tribe.MERCHANT: say_as("whom assassins kill, in a record", "g"),
    Tribe.ASSASSIN: say_as("whom assassins kill, in a record", "r"),
}
_KILLED_IN_FRONT = {
    Tribe.VIZIER: say_as("whom assassins kill, in a record", "vizier"),
    Tribe.ELDER: say_as("whom assassins kill, in a record", "elder"),
}
"""Nobody else stands in front of players (rules 5.4)."""


def _victim(victim: Victim) -> Phrase:
    if victim.square is not None:
        tribe = _KILLED[victim.tribe]
        return say_as("in a record", "{tribe} on {square}", tribe=tribe, square=_name(victim.square))
    tribe = _KILLED_IN_FRONT.get(victim.tribe, term(victim.tribe.noun))
    return say_as("in a record", "{tribe} of {colour}", tribe=tribe, colour=term(str(victim.owner)))
