"""Position codes: a whole position as `FT1-` and base32 letters, short enough for a QR code or to be typed.

The position is a row of choices (`arrangement`), the choices one large number, the number letters, and
six check letters follow. docs/notation.md tells it in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate

from companion.errors import NotationError, printable, with_odd_signs
from companion.language.phrase import say_many
from companion.notation.arrangement import Weights, grow
from companion.rules.engine.legality import check_position
from companion.rules.model.components import Colour
from companion.rules.model.position import Position

PREFIX = "FT1-"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
"""The 32 letters of a code by value (RFC 4648)."""

CHECK_LETTERS = 6
LONGEST = 1000
"""Letters that a code may have; no position comes near it."""

_SAYS_CODE = re.compile(r"FT\d")
_FILLERS = re.compile(r"[\s\-\u2010-\u2015\u2212\ufeff\u200b]+")

# The check letters of BIP 350 (bech32m), known from payment addresses: every slip of up to four letters
# in a short code, every slip in neighbouring letters in a code of any length, and all but one in a
# thousand million others are found.
_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_TARGET = 0x2BC830A3
_PREFIX_VALUES = tuple(ord(letter) & 31 for letter in "FT1")


def looks_like_code(text: str) -> bool:
    """Whether a text means to be a position code, of whatever version."""
    return bool(_SAYS_CODE.match(_compact(text[:64])))


def encode(position: Position) -> str:
    """The code of a position, with all that is known of it. Raises ImpossiblePositionError."""
    check_position(position)
    players = sorted(position.players, key=lambda player: list(Colour).index(player.colour))
    return _to_code(replace(position, players=tuple(players)))


@lru_cache(maxsize=64)
def decode(text: str) -> Position:
    """The position of a code, in either case and with any spaces. Raises NotationError for a damaged or foreign one."""
    letters = _letters(text)
    values = [LETTERS.index(letter) for letter in letters]
    if _polymod((*_PREFIX_VALUES, *values)) != _TARGET:
        raise NotationError(
            "the position code is damaged: its check letters don't match. A letter is wrong, missing or extra; "
            "compare it with the original or scan it again"
        )
    number = 0
    for value in values[:-CHECK_LETTERS]:
        number = number * len(LETTERS) + value
    position = _from_number(number)
    if position is None or _to_code(position) != PREFIX + letters:
        raise NotationError("the position code's check letters match, but it doesn't stand for any position")
    return position


def _compact(text: str) -> str:
    return _FILLERS.sub("", text).upper()


def _letters(text: str) -> str:
    """The letters after the prefix, check letters included."""
    if len(text) > 4 * LONGEST:
        raise NotationError("not a position code: {number} characters are too many", number=len(text))
    version = re.match(r"\s*FT(\d+)\s*[-\u2010-\u2015\u2212]", text, re.IGNORECASE)
    compact = _compact(text)
    if not _SAYS_CODE.match(compact):
        raise NotationError("not a position code: a code begins with FT1-")
    if compact[2] != "1" or (version and version[1] != "1"):
        shown = version[1] if version else compact[2]
        raise NotationError(
            "a position code of version {shown}; this program only reads FT1-…, so you may need a newer one",
            shown=shown[:20],
        )
    letters = compact[len(PREFIX) - 1 :]
    strange = dict.fromkeys(letter for letter in letters if letter not in LETTERS)
    if strange:
        shown = with_odd_signs(printable(" ".join(list(strange)[:10])), "".join(strange))
        raise NotationError(
            "{shown} can't be in a position code: its letters are A-Z and 2-7, so what looks like 0, 1 or 8 is "
            "O, I or B",
            shown=shown,
        )
    if not CHECK_LETTERS < len(letters) <= LONGEST:
        raise NotationError(
            say_many(
                "{count} letter can't be a whole position code",
                "{count} letters can't be a whole position code",
                len(letters),
            )
        )
    return letters


def _polymod(values: Iterable[int]) -> int:
    check = 1
    for value in values:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_GENERATOR):
            if top >> bit & 1:
                check ^= generator
    return check


def _to_code(position: Position) -> str:
    number = _to_number(position)
    values: list[int] = []
    while number:
        number, value = divmod(number, len(LETTERS))
        values.append(value)
    values = values[::-1] or [0]
    check = _polymod((*_PREFIX_VALUES, *values, *(0,) * CHECK_LETTERS)) ^ _TARGET
    values += [check >> 5 * (CHECK_LETTERS - 1 - place) & 31 for place in range(CHECK_LETTERS)]
    return PREFIX + "".join(LETTERS[value] for value in values)


def _to_number(position: Position) -> int:
    """The choices of a position as one number; the last choice goes in first, so the first comes out first."""
    growing = grow(position)
    spans: list[tuple[int, int, int]] = []
    weights, value = next(growing)
    with suppress(StopIteration):
        while True:
            spans.append((sum(weights[:value]), weights[value], sum(weights)))
            weights, value = growing.send(value)
    number = 0
    for before, weight, total in reversed(spans):
        number = number // weight * total + before + number % weight
    return number


def _from_number(number: int) -> Position | None:
    """The position whose choices make up the number; None if something is left over, or nothing left to choose."""
    growing = grow()
    weights, _ = next(growing)
    while True:
        if not any(weights):
            # Only a forged number comes here: such as four markers on the three spots of price 0.
            return None
        value, number = _take(number, weights)
        try:
            weights, _ = growing.send(value)
        except StopIteration as grown:
            position: Position = grown.value
            return position if number == 0 else None


def _take(number: int, weights: Weights) -> tuple[int, int]:
    """The value of the next choice, and what is left of the number."""
    rest, place = divmod(number, sum(weights))
    reach: Sequence[int] = list(accumulate(weights))
    value = next(value for value, end in enumerate(reach) if place < end)
    return value, weights[value] * rest + place - (reach[value] - weights[value])
