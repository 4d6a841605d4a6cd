"""Tables that more than one template has."""

from __future__ import annotations

from dataclasses import dataclass

from companion.printing.core.template import checked


@dataclass(frozen=True, slots=True)
class PerColour:
    """A text for each player's colour."""

    black: str
    orange: str
    blue: str
    pink: str


@dataclass(frozen=True, slots=True)
class CamelTints:
    """The colour in which each player's camel is drawn."""

    black: str = checked(colour=True)
    orange: str = checked(colour=True)
    blue: str = checked(colour=True)
    pink: str = checked(colour=True)


@dataclass(frozen=True, slots=True)
class PerTribe:
    """A text for each tribe."""

    vizier: str
    elder: str
    builder: str
    merchant: str
    assassin: str


@dataclass(frozen=True, slots=True)
class TribeTints:
    """The colour in which each tribe's meeples are drawn."""

    vizier: str = checked(colour=True)
    elder: str = checked(colour=True)
    builder: str = checked(colour=True)
    merchant: str = checked(colour=True)
    assassin: str = checked(colour=True)
