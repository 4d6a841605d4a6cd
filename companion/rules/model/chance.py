"""What chance gives (rules 2, 8.1, 11), from a seed or from what a table saw. Decks have no order: a card is drawn,
when it is needed, from those that it can still be, so that a tool knows no more than the table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from companion.errors import UnusableInputError
from companion.language.phrase import joined, named, say, say_as, term
from companion.rules.model.components import Tribe


@dataclass(frozen=True, slots=True)
class Drawn:
    """What chance gave, in the order drawn; a card that nobody but its owner saw is None."""

    cards: tuple[str | None, ...] = ()
    djinns: tuple[str, ...] = ()
    meeples: tuple[Tribe, ...] = ()


NOTHING_DRAWN = Drawn()


WANTED = {"card": say_as("drawn", "card"), "djinn": term("djinns"), "meeple": term("meeple")}
"""What may be drawn."""


class ChanceNeededError(UnusableInputError):
    """An action draws a "card", "djinn" or "meeple" that nobody has named, any of `options` with its number, which is
    its share.
    """

    def __init__(self, wanted: str, options: Mapping[str, int]) -> None:
        self.wanted = wanted
        self.options = dict(options)
        names = joined(", ", map(named, options))
        super().__init__(
            say("a {wanted} is drawn here (rules 8.1, 11); say which: {names}", wanted=WANTED[wanted], names=names)
        )


class Chance(ABC):
    """Draws for the table: a kind of chance says in `draw` how, by name."""

    @abstractmethod
    def draw(self, wanted: str, options: Mapping[str, int], *, face_up: bool = True) -> str | None:
        """The next of `options`, each with its number; None if nobody may know it, as if it isn't `face_up`."""

    def card(self, options: Mapping[str, int], *, face_up: bool) -> str | None:
        """The next resource card; None if only its owner knows it."""
        return self.draw("card", options, face_up=face_up)

    def djinn(self, options: Mapping[str, int]) -> str:
        return str(self.draw("djinn", options))

    def meeple(self, options: Mapping[str, int]) -> Tribe:
        """The next meeple from the bag; `options` names tribes by their nouns."""
        return Tribe[str(self.draw("meeple", options)).upper()]


class UnseenChance(Chance):
    """Chance that nobody has watched: cards go into hands unseen, nothing else can be drawn."""

    def draw(self, wanted: str, options: Mapping[str, int], *, face_up: bool = True) -> str | None:
        """An unknown card. Raises ChanceNeededError for anything that must be face up."""
        if face_up:
            raise ChanceNeededError(wanted, options)
        return None


UNSEEN = UnseenChance()


class RecordedChance(Chance):
    """Another chance, with a note of everything that it gave."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._names: dict[str, list[str | None]] = {wanted: [] for wanted in WANTED}

    @property
    def drawn(self) -> Drawn:
        return _drawn(self._names)

    def draw(self, wanted: str, options: Mapping[str, int], *, face_up: bool = True) -> str | None:
        name = self._chance.draw(wanted, options, face_up=face_up)
        self._names[wanted].append(name)
        return name


class SampledChance(Chance):
    """Chance by a seeded generator; only `Random.random` is drawn from, which is the same in every Python."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def draw(self, wanted: str, options: Mapping[str, int], *, face_up: bool = True) -> str | None:
        """One of what there is, each copy equally likely."""
        rest = int(self._random.random() * sum(options.values()))
        for name, number in options.items():
            rest -= number
            if rest < 0:
                return name
        raise ValueError(f"no {wanted} to draw from")


class ScriptedChance(Chance):
    """Chance as a table saw it, card by card; what the script lacks is drawn `beyond` it, or asked for."""

    def __init__(self, drawn: Drawn = NOTHING_DRAWN, beyond: Chance | None = None) -> None:
        self._beyond = beyond
        self._names: dict[str, list[str | None]] = {
            "card": list(drawn.cards),
            "djinn": list(drawn.djinns),
            "meeple": [tribe.noun for tribe in drawn.meeples],
        }

    @property
    def left(self) -> Drawn:
        """What the script holds that hasn't been drawn."""
        return _drawn(self._names)

    def draw(self, wanted: str, options: Mapping[str, int], *, face_up: bool = True) -> str | None:
        """The next name of the script. Raises UnusableInputError for something that can't be drawn."""
        if not self._names[wanted]:
            if self._beyond is not None:
                return self._beyond.draw(wanted, options, face_up=face_up)
            raise ChanceNeededError(wanted, options)
        name = self._names[wanted].pop(0)
        if (name is None and not face_up) or options.get(name or ""):
            return name
        can_be = [named(card) for card, number in options.items() if number]
        raise UnusableInputError(
            "{name} can't be the {what} drawn here; it can be {there} (rules 1)",
            name=named(name) if name else say("an unknown card"),
            what=WANTED[wanted],
            there=joined(", ", can_be) if can_be else say_as("drawn", "nothing"),
        )


def _drawn(names: Mapping[str, list[str | None]]) -> Drawn:
    if not any(names.values()):
        return NOTHING_DRAWN
    djinns, meeples = (tuple(map(str, names[wanted])) for wanted in ("djinn", "meeple"))
    return Drawn(tuple(names["card"]), djinns, tuple(Tribe[noun.upper()] for noun in meeples))
