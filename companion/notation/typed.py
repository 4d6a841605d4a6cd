"""Tiles as people type them: short, in either case, with meeple letters of their own language.

`O8:ggw` may be typed `o8ggw`, `8ggw` or `О8ззб`. Whatever could mean two things is refused.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from companion.errors import NotationError, quoted
from companion.language.phrase import Phrase, joined, say
from companion.notation.names import parse_colour
from companion.notation.tokens import parse_tile
from companion.rules.model.board import SQUARE_NAMES, Tile, parse_square
from companion.rules.model.components import COLOUR_BY_LETTER, TILE_KINDS, TRIBE_LETTERS

MEEPLE_LETTERS: dict[str, str] = {
    # Russian: жёлтый, белый, зелёный, синий, красный; Ukrainian differs in червоний.
    **dict(zip("ЖБЗСКЧ", "ywgbrr", strict=True)),
    # Korean: 노랑, 흰색, 초록, 파랑, 빨강.
    **dict(zip("노흰초파빨", "ywgbr", strict=True)),
}
"""Local letters of meeples, in upper case, and the notation's letter for each."""

# Cyrillic letters that look like letters of tiles, squares and camels.
_TILE_TWINS = {"О": "O", "М": "M", "Ѕ": "S"}
_CAMEL_TWINS = {"К": "K", "О": "O", "В": "B", "Р": "P"}
_SQUARE_TWINS = {"А": "a", "В": "b", "С": "c", "Е": "e"}
# In the meeples' part these look like one letter and stand for another, or for none.
_TRAPS = {
    "В": say("looks like b (blue): type b, or С for синий, синій"),
    "У": say("looks like y (yellow): type y, or Ж for жёлтый, жовтий"),
    "Р": say("looks like P, and r was perhaps meant: type r, or К for красный, Ч for червоний"),
    "О": say("is not a meeple; is there a space missing before the next tile?"),
    "М": say("is not a meeple; is there a space missing before the next tile?"),
}

_KIND = r"(?P<kind>[^\W\d_]?\d{1,2}|[^\W\d_])"
_TYPED = re.compile(
    _KIND + r":?(?P<meeples>[^\W\d_]*)(@(?P<camel>[^\W\d_]*))?(\^(?P<palms>\d{0,3}))?(#(?P<palaces>\d{0,3}))?"
)
_BY_VALUE = {
    str(kind.vp): kind.code
    for kind in TILE_KINDS.values()
    if sum(other.vp == kind.vp for other in TILE_KINDS.values()) == 1
}
_BY_LETTER = {code[0]: code for code in TILE_KINDS if sum(other.startswith(code[0]) for other in TILE_KINDS) == 1}


@dataclass(frozen=True, slots=True)
class Typed:
    """A tile as understood; `notes` say which letters were read as others."""

    tile: Tile
    notes: tuple[str, ...] = ()


def parse_typed_tile(text: str) -> Typed:
    """The tile that somebody typed.

    >>> parse_typed_tile("8gGw").tile == parse_tile("O8:ggw")
    True

    Raises NotationError with what was expected, above all where a letter could mean two things.
    """
    upper = unicodedata.normalize("NFC", text).upper()
    match = _TYPED.fullmatch(upper)
    if match is None:
        raise NotationError(
            "{text} is not a tile: type its letter and value, meeples, @ and a camel, ^ and # with "
            "the number of palms and palaces, such as O8ggw or V5@K#1",
            text=quoted(text),
        )
    notes: list[str] = []
    token = _kind(match["kind"], text, notes)
    if match["meeples"]:
        token += ":" + "".join(_meeple(letter, text) for letter in match["meeples"])
    if match["camel"] is not None:
        token += "@" + _camel(match["camel"], text, notes)
    for sign, number in (("^", match["palms"]), ("#", match["palaces"])):
        if number is not None:
            # A bare sign is one palm or palace.
            token += f"{sign}{number or 1}"
    return Typed(parse_tile(token), tuple(dict.fromkeys(notes)))


def _twin_read(text: str, typed: str, twin: str) -> Phrase:
    return say("{text}: Cyrillic {typed} read as {twin}", text=quoted(text), typed=typed, twin=twin)


def _kind(typed: str, text: str, notes: list[str]) -> str:
    letter = typed[0]
    if letter in _TILE_TWINS:
        notes.append(_twin_read(text, letter, _TILE_TWINS[letter]))
        typed = _TILE_TWINS[letter] + typed[1:]
    kind = _BY_VALUE.get(typed) or _BY_LETTER.get(typed) or typed
    if kind in TILE_KINDS:
        return kind
    near = [code for code in TILE_KINDS if code[1:] == typed or code[0] == typed]
    if near:
        raise NotationError(
            "{text}: {typed} may be {near}; type letter and value",
            text=quoted(text),
            typed=typed,
            near=joined(say(" or "), near),
        )
    raise NotationError(
        "{text}: no tile {typed}; the tiles are {tiles}", text=quoted(text), typed=typed, tiles=joined(", ", TILE_KINDS)
    )


def _meeple(letter: str, text: str) -> str:
    if letter.lower() in TRIBE_LETTERS:
        return letter.lower()
    if letter in MEEPLE_LETTERS:
        return MEEPLE_LETTERS[letter]
    if letter in _TRAPS:
        raise NotationError(
            "{text}: the Cyrillic letter {letter} {trap}", text=quoted(text), letter=letter, trap=_TRAPS[letter]
        )
    raise NotationError(
        "{text}: no meeple {letter}; y vizier, w elder, b builder, g merchant, r assassin",
        text=quoted(text),
        letter=letter,
    )


def _camel(typed: str, text: str, notes: list[str]) -> str:
    if typed in _CAMEL_TWINS:
        notes.append(_twin_read(text, typed, _CAMEL_TWINS[typed]))
        typed = _CAMEL_TWINS[typed]
    if typed in COLOUR_BY_LETTER:
        return typed
    try:
        return parse_colour(typed).letter
    except NotationError:
        raise NotationError(
            "{text}: no camel {typed}; K black, O orange, B blue, P pink",
            text=quoted(text),
            typed=typed or say("letter after @"),
        ) from None


def typed_square(text: str) -> tuple[int, tuple[str, ...]] | None:
    """The square that a word names, with a note if a Cyrillic letter was read as its twin; None if it is none."""
    word = unicodedata.normalize("NFC", text)
    twin = _SQUARE_TWINS.get(word[:1].upper())
    if twin is not None and twin + word[1:] in SQUARE_NAMES:
        return parse_square(twin + word[1:]), (_twin_read(text, word[0], twin),)
    return (parse_square(word), ()) if word.lower() in SQUARE_NAMES else None
