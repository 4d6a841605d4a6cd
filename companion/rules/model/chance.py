"""What chance gives: cards, djinns and meeples drawn (rules 2, 8.1, 11), from a seed or from what a table saw.

The order of a deck is not part of a game's state: a card is drawn, when it is needed, from those that the
deck can still hold. That is the same game, and a tool knows no more than the table does (rules 12).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol

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
    """An action draws something that nobody has named.

    `wanted` is "card", "djinn" or "meeple"; `options` holds what can come and how many of each there
    are, so that their shares are the probabilities.
    """

    def __init__(self, wanted: str, options: Mapping[str, int]) -> None:
        self.wanted = wanted
        self.options = dict(options)
        names = joined(", ", map(named, options))
        super().__init__(
            say("a {wanted} is drawn here (rules 8.1, 11); tell which: {names}", wanted=WANTED[wanted], names=names)
        )


class Chance(Protocol):
    """Draws for the table. Each method is given what can come, by name, with how many of it there are."""

    def card(self, options: Mapping[str, int], *, face_up: bool) -> str | None:
        """The next resource card; None if nobody may know it, which only a card that is not `face_up` can be."""

    def djinn(self, options: Mapping[str, int]) -> str:
        """The next djinn of the deck."""

    def meeple(self, options: Mapping[str, int]) -> Tribe:
        """The next meeple from the bag; `options` names tribes by their nouns."""


class UnseenChance:
    """Chance that nobody has watched: cards go into hands unseen, nothing else can be drawn."""

    def card(self, options: Mapping[str, int], *, face_up: bool) -> str | None:
        """An unknown card. Raises ChanceNeededError for one that must be face up."""
        if face_up:
            raise ChanceNeededError("card", options)
        return None

    def djinn(self, options: Mapping[str, int]) -> str:
        """Raises ChanceNeededError."""
        raise ChanceNeededError("djinn", options)

    def meeple(self, options: Mapping[str, int]) -> Tribe:
        """Raises ChanceNeededError."""
        raise ChanceNeededError("meeple", options)


UNSEEN = UnseenChance()


class RecordedChance:
    """Another chance, with a note of everything that it gave."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._cards: list[str | None] = []
        self._djinns: list[str] = []
        self._meeples: list[Tribe] = []

    @property
    def drawn(self) -> Drawn:
        """What was drawn so far."""
        if not (self._cards or self._djinns or self._meeples):
            return NOTHING_DRAWN
        return Drawn(tuple(self._cards), tuple(self._djinns), tuple(self._meeples))

    def card(self, options: Mapping[str, int], *, face_up: bool) -> str | None:
        """A card of the other chance."""
        self._cards.append(self._chance.card(options, face_up=face_up))
        return self._cards[-1]

    def djinn(self, options: Mapping[str, int]) -> str:
        """A djinn of the other chance."""
        self._djinns.append(self._chance.djinn(options))
        return self._djinns[-1]

    def meeple(self, options: Mapping[str, int]) -> Tribe:
        """A meeple of the other chance."""
        self._meeples.append(self._chance.meeple(options))
        return self._meeples[-1]


class SampledChance:
    """Chance by a seeded generator; only `Random.random` is drawn from, which is the same in every Python."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def card(self, options: Mapping[str, int], *, face_up: bool) -> str | None:
        """A card, each copy being equally likely."""
        return self._pick(options)

    def djinn(self, options: Mapping[str, int]) -> str:
        """A djinn, each being equally likely."""
        return self._pick(options)

    def meeple(self, options: Mapping[str, int]) -> Tribe:
        """A meeple, each in the bag being equally likely."""
        return Tribe[self._pick(options).upper()]

    def _pick(self, options: Mapping[str, int]) -> str:
        rest = int(self._random.random() * sum(options.values()))
        for name, number in options.items():
            rest -= number
            if rest < 0:
                return name
        raise ValueError("nothing to draw from")


class ScriptedChance:
    """Chance by a script, card by card, as a table saw it; ChanceNeededError asks for what the script lacks."""

    def __init__(self, drawn: Drawn = NOTHING_DRAWN) -> None:
        self._cards = list(drawn.cards)
        self._djinns = list(drawn.djinns)
        self._meeples = list(drawn.meeples)

    @property
    def left(self) -> Drawn:
        """What the script holds and has not been drawn."""
        return Drawn(tuple(self._cards), tuple(self._djinns), tuple(self._meeples))

    def card(self, options: Mapping[str, int], *, face_up: bool) -> str | None:
        """The next card of the script. Raises UnusableInputError for one that the deck cannot hold."""
        if not self._cards:
            raise ChanceNeededError("card", options)
        card = self._cards.pop(0)
        if card is None and not face_up:
            return None
        return _checked("card", card or say("an unknown card"), options)

    def djinn(self, options: Mapping[str, int]) -> str:
        """The next djinn of the script. Raises UnusableInputError for one that the deck cannot hold."""
        if not self._djinns:
            raise ChanceNeededError("djinn", options)
        return _checked("djinn", self._djinns.pop(0), options)

    def meeple(self, options: Mapping[str, int]) -> Tribe:
        """The next meeple of the script. Raises UnusableInputError for one that the bag cannot hold."""
        if not self._meeples:
            raise ChanceNeededError("meeple", options)
        tribe = self._meeples.pop(0)
        _checked("meeple", tribe.noun, options)
        return tribe


def _checked(what: str, name: str, options: Mapping[str, int]) -> str:
    if not options.get(name):
        can_be = [named(known) for known, number in options.items() if number]
        there = joined(", ", can_be) if can_be else say_as("drawn", "nothing")
        raise UnusableInputError(
            "{name} cannot be the {what} drawn here; it can be {there} (rules 1)",
            name=named(name),
            what=WANTED[what],
            there=there,
        )
    return name
