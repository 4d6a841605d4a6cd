"""A game's outcome as a few lines of text in a QR code, which any phone's camera shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.printing.core.geometry import Box
from companion.printing.core.qr import qr_modules
from companion.rules.model.components import Colour

if TYPE_CHECKING:
    from companion.rules.engine.result import GameResult

PHONE_MODULE_MM = 0.6
"""Smaller modules of a code of this many are lost in a phone's photo of the whole sheet."""

_NAME_LETTERS = (60, 40, 24, 16, 10)
"""How long names may be: the longest that leaves the code's modules large enough."""


def outcome_text(result: GameResult, names: Mapping[Colour, str], date: str, place: str, box: Box) -> str:
    """When and where, then a line a player: rank, name, colour and total.

        Five Tribes, 2026-02-14, Lviv
        1. Anna (black) 208
        2. orange 172

    It is English in every language, as files and codes are. A game that goes on, or of which something that counts is
    unknown, has no ranks. Of what is longer than a QR code in `box` holds, the ends of names and of the place are left
    out, and at last all names and the place.
    """
    for text in _shorter_and_shorter(result, names, date, place):
        try:
            module = qr_modules(text, box)[0].w
        except UnusableInputError:
            continue
        if module >= PHONE_MODULE_MM:
            return text
    raise UnusableInputError(
        say("the result has no room in a QR code of {w:.0f} mm: make `filled.code` larger", w=box.w)
    )


def _shorter_and_shorter(result: GameResult, names: Mapping[Colour, str], date: str, place: str) -> Iterator[str]:
    for letters in _NAME_LETTERS:
        short = {colour: _cut(name, letters) for colour, name in names.items()}
        yield _text(result, short, _cut(date, letters), _cut(place, letters))
    yield _text(result, {}, _cut(date, _NAME_LETTERS[-1]), "")


def _text(result: GameResult, names: Mapping[Colour, str], date: str, place: str) -> str:
    lines = [", ".join(part for part in ("Five Tribes", date, place) if part)]
    best_first = sorted(result.scores.items(), key=lambda scored: -scored[1].total)
    for colour, score in best_first:
        rank = 1 + sum(other.total > score.total for other in result.scores.values())
        who = f"{names[colour]} ({colour})" if names.get(colour) else str(colour)
        lines.append(f"{rank}. {who} {score.total}" if result.crowned else f"{who} {score.total}")
    return "\n".join(lines)


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"
