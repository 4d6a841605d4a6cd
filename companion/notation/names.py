"""Names of cards, djinns, colours and tribes as people write them, in any of the five languages.

Case, accents, hyphens and apostrophes don't matter; the table of all forms is `companion.language.glossary`.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TypeVar

from companion.errors import NotationError, quoted
from companion.language.glossary import glossary, spellings
from companion.language.phrase import Phrase, joined, named, say, term
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import COLOUR_BY_LETTER, Colour, Tribe
from companion.rules.model.position import Phase

_Name = TypeVar("_Name", bound=str)

_MAX_SHOWN = 40
# Finding the nearest names of a longer word would take seconds, and no name is half as long.
_MAX_LETTERS = 60


# Of a misspelt word three letters in four are right: slik for silk.
_MISSPELT = 0.7
_PARTED = re.compile(r"[,;，、；]")


@lru_cache(maxsize=1 << 14)
def fold(name: str) -> str:
    """A name reduced to its lower-case letters and digits: "Ba’al" and "BAAL" both give "baal"."""
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(letter for letter in plain if letter.isalnum())


def name_key(name: str) -> str:
    """A player's name as it is compared with others': whatever its case, its spaces, and how accents are written."""
    return " ".join(unicodedata.normalize("NFC", name).casefold().split())


def check_names(names: Iterable[str]) -> None:
    """Raises NotationError where two players would have one name; those without a name are told apart by colour."""
    known: set[str] = set()
    for name in filter(str.strip, names):
        if name_key(name) in known:
            raise NotationError("{name} is named twice; give each player a different name", name=name)
        known.add(name_key(name))


class UnknownNameError(NotationError):
    """A word that isn't any of the names expected there; `nearest` is what it may be a misspelling of, or `meant`."""

    def __init__(self, message: str, word: str, known: Iterable[str] = (), *, meant: str = "") -> None:
        super().__init__(message)
        self.word = word
        self.nearest = meant or next(iter(nearest_names(word, known, _MISSPELT)), "")

    def is_part_of(self, line: str) -> bool:
        """Whether the word is misspelt and the rest of the line is worth keeping."""
        return bool(self.nearest) and fold(line) != fold(self.word) and self._place_in(line) is not None

    def mended(self, line: str, typed: str) -> str:
        """A line with what was typed in place of the word, of its part between commas, or of the line.

        >>> error = UnknownNameError("", "slik", ["silk"])
        >>> error.mended("fish, 3 slik", "silk"), error.mended("fish, 3 slik", "2 silk"), error.mended("slik", "a, b")
        ('fish, 3 silk', 'fish, 2 silk', 'a, b')
        """
        place = self._place_in(line)
        if place is None or _PARTED.search(typed):
            return typed
        line = unicodedata.normalize("NFC", line)
        start, end = place.span()
        if any(letter.isdecimal() for letter in typed):
            # With a number of its own it stands for the number before the word too.
            start = max((comma.end() for comma in _PARTED.finditer(line, 0, start)), default=0)
            following = _PARTED.search(line, end)
            end = following.start() if following else len(line)
            start += len(line[start:end]) - len(line[start:end].lstrip())
        return line[:start] + typed + line[end:]

    def _place_in(self, line: str) -> re.Match[str] | None:
        return re.search(rf"(?<![^\W\d_]){re.escape(self.word)}(?![^\W\d_])", unicodedata.normalize("NFC", line))


CARD_NAMES: dict[str, tuple[str, ...]] = {**spellings("card"), **spellings("good")}
"""How each resource card may be called (rules 1.4)."""

TRIBE_NAMES: dict[Tribe, tuple[str, ...]] = {Tribe[key.upper()]: forms for key, forms in spellings("tribe").items()}
"""How a meeple of each tribe may be called."""

COLOUR_NAMES: dict[Colour, tuple[str, ...]] = {Colour(key): forms for key, forms in spellings("colour").items()}
"""How each player's colour may be called (rules 1.5)."""

# The promo djinn can be named too; whether it is in a game is not for names to say.
DJINN_NAMES: dict[str, tuple[str, ...]] = {name: spellings("djinn")[name] for name in EVERY_DJINN}
"""How each djinn may be called (rules 11); Russian, Ukrainian and Korean spellings are transliterations."""

GOLD_CARD_NAMES: dict[str, tuple[str, ...]] = {"gold": spellings("gold card")["gold card"]}
"""The good gold in words that never mean coins."""

CARDS_TOGETHER: dict[str, tuple[str, ...]] = spellings("together")
"""What all goods, and all resource cards, are called together."""

HELD_NAMES: dict[str, tuple[str, ...]] = spellings("held")
"""What else a player holds."""


def by_form(names: Mapping[_Name, Iterable[str]]) -> dict[str, _Name]:
    """The name that each form stands for."""
    return {form: name for name, forms in names.items() for form in forms}


_CARDS: Mapping[str, str] = by_form(CARD_NAMES)
_DJINNS: Mapping[str, str] = by_form(DJINN_NAMES)
_COLOURS: Mapping[str, str] = {form: colour.value for form, colour in by_form(COLOUR_NAMES).items()}


def folded(forms: Mapping[str, _Name]) -> dict[str, _Name]:
    """The same names by folded form."""
    return {fold(form): name for form, name in forms.items()}


PHASE_NAMES: dict[Phase, tuple[str, ...]] = {
    Phase.BID: ("bid", "bids", "bidding", "ставка", "ставки", "입찰", "offerta", "offerte"),
    Phase.TURN: ("turn", "turns", "ход", "ходы", "хід", "ходи", "차례", "턴", "turno", "turni"),
    Phase.END: (
        "end",
        "end of the game",
        "конец",
        "конец игры",
        "кінець",
        "кінець гри",
        "끝",
        "게임 끝",
        "fine",
        "fine del gioco",
    ),
}
"""How each phase of a position may be called."""

_ONE_CODE = {"oasis": "O8", "village": "V5", "small market": "M6", "large market": "M4"}
"""The code of each kind of tile that has one value."""

_UNKNOWN: dict[str, Callable[[str, str], Phrase]] = {
    "resource card": lambda word, guess: say("no resource card is called {word}{guess}", word=word, guess=guess),
    "djinn": lambda word, guess: say("no djinn is called {word}{guess}", word=word, guess=guess),
    "player's colour": lambda word, guess: say("no player's colour is called {word}{guess}", word=word, guess=guess),
}
_FOLDED = {"resource card": folded(_CARDS), "djinn": folded(_DJINNS), "player's colour": folded(_COLOURS)}


NOTHING = frozenset(
    map(fold, ("0", "none", "no", "nothing", "нет", "ничего", "немає", "нічого", "없음", "niente", "nessuno", "nulla"))
)
"""Whole answers for none, folded."""

NO = frozenset(map(fold, ("no", "нет", "без", "немає", "없음", "nessun", "nessuno", "nessuna", "senza")))
"""Words for none of a thing, folded: "no fakirs"."""

AND = ("and", "и", "та", "і", "й", "e", "ed")
"""Words that separate things as a comma does."""


_OF_THE_NOTATION = frozenset(
    fold(form)
    for entry in glossary().values()
    if entry.kind in ("tribe", "card", "good", "djinn", "colour", "held")
    for form in (*entry.forms["en"], *entry.also["en"])
)
_ENGLISH: dict[str, str] = {
    form: name
    for form, name in {
        **folded({form: tribe.noun for tribe, forms in TRIBE_NAMES.items() for form in forms}),
        **folded(_CARDS),
        **folded(_DJINNS),
        **folded(_COLOURS),
        **folded({form: key[:-1] for key in ("palms", "palaces") for form in HELD_NAMES[key]}),
    }.items()
    if form not in _OF_THE_NOTATION
} | folded({form: "gold" for form in GOLD_CARD_NAMES["gold"]})
"""What a name of another language is in the notation, by its folded form; each form stands for one thing."""

_TILE_CODES = {
    **folded({form: code for key, code in _ONE_CODE.items() for form in spellings("tile")[key]}),
    **folded({form: "S" for form in spellings("tile")["sacred place"]}),
}
_MAX_WORDS = 4
_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")


def in_english(text: str) -> str:
    """A typed text with its names as the notation has them: "2 визиря" becomes "2 vizier".

    >>> in_english("buy слоновая кость, Джафар on c3"), in_english("sell fish")
    ('buy ivory, Jafaar on c3', 'sell fish')

    Tribes, cards, djinns, colours, palms and palaces in five languages; all else stays as it is.
    """
    return _replaced(text, lambda name, after: _ENGLISH.get(name))


def tiles_in_letters(text: str) -> str:
    """A typed text with tiles' names as the notation has them: "оазис ggw" becomes "O8 ggw".

    >>> tiles_in_letters("Villaggio@K Luogo Sacro 12 O8"), tiles_in_letters("small market6")
    ('V5@K S12 O8', 'M6')
    """

    def code(name: str, after: str) -> str | None:
        code = _TILE_CODES.get(name)
        return code[0] if code is not None and after[:1].isdecimal() else code

    return re.sub(r"\bS (?=1[025]\b|6\b)", "S", _replaced(text, code))


def _replaced(text: str, instead: Callable[[str, str], str | None]) -> str:
    """Text with its names replaced, longest first; `instead` takes a folded name and what follows it."""
    made, at = [], 0
    words = list(_WORD.finditer(text))
    number = 0
    while number < len(words):
        for last in range(min(number + _MAX_WORDS, len(words)) - 1, number - 1, -1):
            start, end = words[number].start(), words[last].end()
            named = text[start:end]
            if not re.fullmatch(r"\D*", named) or "," in named:
                continue
            name = instead(fold(named), text[end:])
            if name is not None:
                made += [text[at:start], name]
                at, number = end, last
                break
        number += 1
    return "".join((*made, text[at:]))


def nearest_names(name: str, known: Iterable[str], likeness: float = 0.6) -> list[str]:
    """Up to four of the known names that are like a name, nearest first; `likeness` runs from 0 to 1."""
    word = fold(name[: 2 * _MAX_LETTERS])
    if len(word) > _MAX_LETTERS:
        return []
    by_folded = {fold(candidate): candidate for candidate in known}
    return [by_folded[match] for match in difflib.get_close_matches(word, by_folded, n=4, cutoff=likeness)]


def _question(names: Iterable[str]) -> str:
    marks = ((name, '"' if "'" in name else "'") for name in names)
    shown = joined(say(" or "), [joined("", (mark, name, mark)) for name, mark in marks])
    return say("; did you mean {names}?", names=shown) if shown else ""


def nearest(name: str, known: Iterable[str]) -> str:
    """What was probably meant, as the end of a sentence: "; did you mean 'ivory'?"; "" if nothing is near."""
    return _question(nearest_names(name, known)[:2])


def nearest_form(name: str, forms: Mapping[str, str]) -> str:
    """As `nearest`, for words in any language; the guess is in the reader's language."""
    likest = dict.fromkeys(forms[form] for form in nearest_names(name, forms))
    # "viziers" is the plural of a word of the glossary.
    plurals = [meant[:-1] if meant.endswith("s") and meant[:-1] in glossary() else "" for meant in likest]
    called = [term(one, plural=True) if one else named(meant) for meant, one in zip(likest, plurals, strict=True)]
    return _question(called[:2])


def _parse(name: str, what: str, forms: Mapping[str, str]) -> str:
    """The name that a word stands for. Raises NotationError with the nearest names."""
    if (found := _FOLDED[what].get(fold(name))) is not None:
        return found
    known = joined(", ", map(term, dict.fromkeys(forms.values())))
    message = _UNKNOWN[what](
        quoted(name, _MAX_SHOWN), nearest_form(name, forms) or say("; expected one of: {names}", names=known)
    )
    raise NotationError(message) if what == "player's colour" else UnknownNameError(message, name.strip(), forms)


def parse_card(text: str) -> str:
    """The resource card of that name, as in `components.CARD_COUNTS` (rules 1.4).

    >>> parse_card("Papyrus"), parse_card("slave"), parse_card("шёлк")
    ('papyrus', 'fakir', 'silk')
    """
    return _parse(text, "resource card", _CARDS)


def is_djinn(text: str) -> bool:
    return fold(text) in _FOLDED["djinn"]


def parse_djinn(text: str) -> str:
    """The djinn of that name, as in `djinns.EVERY_DJINN` (rules 11).

    >>> parse_djinn("baal"), parse_djinn("Anun Nak"), parse_djinn("Джафар")
    ("Ba'al", 'Anun-Nak', 'Jafaar')
    """
    return _parse(text, "djinn", _DJINNS)


def parse_colour(text: str) -> Colour:
    """The player's colour of that name, in any of the five languages."""
    return Colour(_parse(text, "player's colour", _COLOURS))


def parse_player(text: str) -> Colour:
    """A colour by its name or the letter of its camel: "pink", "P"."""
    return COLOUR_BY_LETTER.get(text.upper()) or parse_colour(text)


def is_read(parse: Callable[[str], str], text: str) -> bool:
    """Whether a parser of names accepts a text."""
    try:
        parse(text)
    except NotationError:
        return False
    return True
