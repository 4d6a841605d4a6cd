"""What each djinn does, in one line of our own words: those of the reference cards, for whatever else prints them."""

from __future__ import annotations

import tomllib
from functools import cache

from companion.installation import template_path
from companion.language.catalogue import translate
from companion.language.phrase import marked

_SOURCE = "reference_cards.toml"


def djinn_key(name: str) -> str:
    """A djinn's name as a key of a template.

    >>> djinn_key("Anun-Nak"), djinn_key("Ba'al")
    ('anun_nak', 'baal')
    """
    return name.lower().replace("-", "_").replace("'", "")


@cache
def _powers() -> dict[str, str]:
    """The powers in English, by djinn's key."""
    document = tomllib.loads(template_path(_SOURCE).read_text(encoding="utf-8"))
    powers: dict[str, str] = document["words"]["powers"]
    return powers


def djinn_power(name: str, language: str) -> str:
    """What a djinn of the game does, in a language of the catalogues. Raises KeyError for a djinn that there is not."""
    key = djinn_key(name)
    return translate(marked(_powers()[key], f"reference_cards.powers.{key}"), language)
