"""Names of cards, djinns and colours as people write them: without regard to case, accents and apostrophes."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Mapping

from companion.errors import NotationError
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import CARD_COUNTS, FAKIR, Colour


def fold(name: str) -> str:
    """A name reduced to its lower-case letters and digits: "Ba’al" and "BAAL" both give "baal"."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


_CARDS: dict[str, str] = {fold(card): card for card in CARD_COUNTS}
# Older printings call the fakir so (rules 1.4).
_OLD_CARDS = {"slave": FAKIR, "worker": FAKIR}
# The promo djinn can be named too; whether it is in a game is not for names to say.
_DJINNS: dict[str, str] = {fold(name): name for name in EVERY_DJINN}
_COLOURS: dict[str, str] = {colour.value: colour.value for colour in Colour}


def nearest(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as a sentence's end: "; did you mean 'ivory'?", or "" if nothing is near."""
    by_folded = {fold(candidate): candidate for candidate in known}
    near = difflib.get_close_matches(fold(name), by_folded, n=2, cutoff=0.6)
    return "; did you mean " + " or ".join(repr(by_folded[match]) for match in near) + "?" if near else ""


def _parse(name: str, what: str, known: Mapping[str, str]) -> str:
    try:
        return known[fold(name)]
    except KeyError:
        names = list(dict.fromkeys(known.values()))
        guess = nearest(name, names) or f"; expected one of: {', '.join(names)}"
        shown = name if len(name) <= 40 else name[:40] + "…"
        raise NotationError(f"no {what} is called {shown!r}{guess}") from None


def parse_card(text: str) -> str:
    """The resource card of that name, as in `components.CARD_COUNTS` (rules 1.4).

    >>> parse_card("Papyrus"), parse_card("slave")
    ('papyrus', 'fakir')

    Raises NotationError with the nearest names.
    """
    old = _OLD_CARDS.get(fold(text))
    return old if old is not None else _parse(text, "resource card", _CARDS)


def parse_djinn(text: str) -> str:
    """The djinn of that name, as in `djinns.EVERY_DJINN` (rules 11).

    >>> parse_djinn("baal"), parse_djinn("Anun Nak")
    ("Ba'al", 'Anun-Nak')

    Raises NotationError with the nearest names.
    """
    return _parse(text, "djinn", _DJINNS)


def parse_colour(text: str) -> Colour:
    """The player's colour of that name: black, orange, blue or pink.

    Raises NotationError with the nearest names.
    """
    return Colour(_parse(text, "player's colour", _COLOURS))
