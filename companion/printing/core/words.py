"""Words that several prints share: meeples by their colour, and what djinns do."""

from __future__ import annotations

from collections.abc import Mapping

from companion.language.catalogue import catalogued, translate
from companion.language.phrase import Phrase, say_as
from companion.printing.core.kinds import CARDS, djinn_key
from companion.rules.model.components import Tribe

MEEPLE_COLOURS: Mapping[Tribe, Phrase] = {
    Tribe.VIZIER: say_as("meeples of a tribe", "yellow"),
    Tribe.ELDER: say_as("meeples of a tribe", "white"),
    Tribe.BUILDER: say_as("meeples of a tribe", "blue"),
    Tribe.MERCHANT: say_as("meeples of a tribe", "green"),
    Tribe.ASSASSIN: say_as("meeples of a tribe", "red"),
}
"""The colour of a tribe's meeples: those of the game have one shape, and a print in grey has no colours."""


def with_colour(name: str, tribe: Tribe, language: str) -> str:
    """A tribe's name in the plural, and the colour of its meeples in words: "Viziers (yellow)"."""
    return f"{name} ({translate(MEEPLE_COLOURS[tribe], catalogued(language))})"


def djinn_power(name: str, language: str) -> str:
    """What a djinn does, in a language of the catalogues, as the reference cards say it. Raises KeyError."""
    power: str = CARDS.words(language).powers[djinn_key(name)]
    return power
