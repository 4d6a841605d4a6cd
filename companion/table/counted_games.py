"""Games that were counted on a score sheet: their result line by line, though nobody knows their board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.errors import CompanionError, UnusableInputError
from companion.history.saved_results import GamePart, TextKind
from companion.language.phrase import Phrase, say
from companion.notation.files import parse_position
from companion.notation.outcome import Outcome, parse_outcome
from companion.notation.score_entries import Entries, held_of
from companion.notation.score_sheet import parse_sheet
from companion.rules.engine.scoring import (
    CATEGORIES,
    NONE,
    GameResult,
    Score,
    counted_as_0,
    score,
    score_holdings,
)
from companion.rules.model.components import Colour


def counted_result(parts: Sequence[GamePart]) -> GameResult:
    """The result of a game whose last text is an outcome. Raises UnusableInputError for totals alone."""
    outcome = parse_outcome(parts[-1].text)
    if outcome is None or set(outcome.points) != set(outcome.totals):
        raise UnusableInputError("Only the totals of this game are saved.")
    lines, reckoned = _before(parts[:-1])
    scores = {
        colour: _score(outcome.points[colour], lines.get(colour, {}), reckoned.get(colour, Score()))
        for colour in Colour
        if colour in outcome.totals
    }
    return GameResult(scores, outcome.finished, what_was_unknown(outcome))


def _before(parts: Sequence[GamePart]) -> tuple[Mapping[Colour, Entries], Mapping[Colour, Score]]:
    """What the text before the outcome tells of each player: the lines as typed, and the points that it comes to."""
    last = next((part for part in reversed(parts) if part.kind in (TextKind.SHEET, TextKind.POSITION)), None)
    if last is None:
        return {}, {}
    try:
        if last.kind is TextKind.POSITION:
            return {}, score(parse_position(last.text))
        entries = parse_sheet(last.text).entries
        return entries, score_holdings({colour: held_of(known) for colour, known in entries.items()})
    except CompanionError:
        # The outcome says what matters; a text of another time may be read no more.
        return {}, {}


def _score(points: Sequence[int | None], typed: Entries, reckoned: Score) -> Score:
    """The points as they are, told as the rules count what is held, or as they were typed."""
    score = reckoned
    for category, one in zip(CATEGORIES, points, strict=True):
        text = typed[category].how if category in typed else ""
        # "12+29" says more than "41 GC".
        is_sum = category == "gold" and one and text and not text.isdecimal()
        if is_sum or one != reckoned.known[category]:
            score = score.with_points(category, one, (text or str(one)) if one else NONE)
    return score


def what_was_unknown(outcome: Outcome) -> tuple[str, ...]:
    """A sentence for each player of whom a category was not known, one of a result that is open for another reason."""
    sentences: list[Phrase] = []
    for colour, points in outcome.points.items():
        missing = [category for category, one in zip(CATEGORIES, points, strict=True) if one is None]
        if missing:
            sentences.append(counted_as_0(colour, missing))
    if outcome.finished and not outcome.decided and not sentences:
        # Cards that only their owner had seen, say, of which a code of a result does not tell.
        sentences.append(say("Something that counts was unknown."))
    return tuple(sentences)
