"""A game's outcome as text that a QR code on a sheet has room for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.notation.outcome import Outcome, known_points
from companion.printing.core.geometry import Box
from companion.printing.core.lettering import cleaned
from companion.printing.core.qr import qr_modules
from companion.rules.engine.scoring import GameResult
from companion.rules.model.components import Colour

PHONE_MODULE_MM = 0.6
"""Smaller modules of a code of this many are lost in a phone's photo of the whole sheet."""

_NAME_LETTERS = (60, 40, 24, 16, 10)
"""How long names may be: the longest that leaves the code's modules large enough."""


def outcome_text(result: GameResult, names: Mapping[Colour, str], date: str, place: str, box: Box) -> str:
    """When and where, then a line a player, the best first: rank, name, colour, total and the points of each category.

    It is English in every language, as files and codes are. A game that goes on, or of which something that counts is
    unknown, has no ranks. Of what is longer than a QR code in `box` holds, the ends of names and of the place are left
    out, then the points of the categories, and at last all names and the place. Raises UnusableInputError if there is
    not even room for the rest.
    """
    for outcome in _shorter_and_shorter(result, names, date, place):
        try:
            module = qr_modules(outcome.text, box)[0].w
        except UnusableInputError:
            continue
        if module >= PHONE_MODULE_MM:
            return outcome.text
    raise UnusableInputError(
        say("the result has no room in a QR code of {w:.0f} mm: make `filled.code` larger", w=box.w)
    )


def _shorter_and_shorter(result: GameResult, names: Mapping[Colour, str], date: str, place: str) -> Iterator[Outcome]:
    best_first = dict(sorted(result.scores.items(), key=lambda scored: -scored[1].total))
    decided = bool(result.winners)
    totals = {colour: score.total for colour, score in best_first.items()}
    points = {colour: known_points(score) for colour, score in best_first.items()}
    clean = {colour: _on_a_line(name) for colour, name in names.items()}
    date, place = _on_a_line(date), _on_a_line(place)
    for told in (points, {}):
        for letters in _NAME_LETTERS:
            short = {colour: _cut(name, letters) for colour, name in clean.items()}
            yield Outcome(totals, result.finished, decided, short, told, _cut(date, letters), _cut(place, letters))
    yield Outcome(totals, result.finished, decided, date=_cut(date, _NAME_LETTERS[-1]))


def _on_a_line(text: str) -> str:
    """A text without line breaks, each of which would begin another player."""
    return " ".join(cleaned(text).split())


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1].rstrip() + "…"
