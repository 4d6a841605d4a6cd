"""What lies face up beside the board, came there in a clean-up, or was drawn: typed in a line, or told by taps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from companion.asking.position_sheet import enter, sheet_of
from companion.asking.question import Asking, Kind, Question, ask
from companion.errors import NotationError, UnusableInputError
from companion.language.phrase import Phrase, joined, say, say_as
from companion.notation.names import in_english
from companion.notation.records.steps import Observation, parse_observation
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.legality import problems
from companion.rules.model.chance import ChanceNeededError
from companion.rules.model.components import CARD_COUNTS, FACE_UP_DJINNS, ROW_LENGTH
from companion.rules.model.position import Position, count_cards
from companion.table.taps import drawn_tap

FACE_UP: dict[str, tuple[Phrase, int, str, tuple[str, ...]]] = {
    "row": (say("The cards face up in the row, from its start"), ROW_LENGTH, "card", tuple(CARD_COUNTS)),
    "djinns": (say("The djinns face up"), FACE_UP_DJINNS, "djinn", tuple(DJINNS)),
}
"""What lies face up: the words that ask for it, how many there are at most, their kind, and what they may be."""


def face_up(position: Position, key: str) -> Asking[Position]:
    """Ask for the row or the djinns, unless it is known."""
    return position if getattr(position, key) is not None else (yield from ask(face_up_question(position, key)))


def face_up_question(position: Position, key: str, told: Sequence[str] = ()) -> Question[Position]:
    """What asks for the row or the djinns of a position, as far as `told` by taps; its answer is the position then."""
    words, most, kind, names = FACE_UP[key]
    there = getattr(position, key)
    return Question(
        key,
        words,
        partial(_laid, position, key),
        default=say_as("of what a player holds", "not known"),
        help=say("  Names with spaces or commas between them, {most} at the beginning of a game.", most=most),
        completions=names,
        kind=Kind.ORDER,
        taps=tuple(drawn_tap(kind, name) for name in left_for(position, key)),
        left=tuple(left_for(position, key, told) if len(told) < most else ()),
        most=most,
        known="" if there is None else ", ".join(there) or "none",
    )


def left_for(position: Position, key: str, told: Sequence[str] = ()) -> list[str]:
    """What can lie there besides what is told, by what is known of the position (rules 1)."""
    if key == "row":
        unseen = count_cards(replace(position, row=None))
        return [card for card, count in unseen.items() if count.unseen > told.count(card)]
    elsewhere = {name for player in position.players for name in player.djinns or ()}
    return [name for name in DJINNS if name not in elsewhere and name not in told]


def _laid(position: Position, key: str, line: str) -> Position:
    if not line:
        return position
    known = enter(sheet_of(position), f"{key} {line}").position or position
    check_told(position, known)
    return known


def check_told(before: Position, after: Position) -> None:
    """Raises NotationError for what an answer has put into a position that cannot be (rules 1)."""
    there = problems(before)
    if wrong := [problem for problem in problems(after) if problem not in there]:
        faults = [say("{problem} (rules {rule})", problem=problem.message, rule=problem.rule) for problem in wrong]
        raise NotationError(joined("\n", faults))


def came_up(refill: Callable[[Observation], object], told: Sequence[str]) -> tuple[Question[Observation], bool]:
    """What asks for what came next in a clean-up that a game owes (rules 8.1), and whether that is the last.

    Cards are told in the row's order, then djinns. No taps are left once all is told. Raises CompanionError for what
    cannot have come.
    """
    came = parse_observation(in_english(", ".join(told)))
    if len(told) > ROW_LENGTH + FACE_UP_DJINNS:
        raise UnusableInputError("the row has no room for that many cards")

    def wanted(came: Observation) -> ChanceNeededError | None:
        try:
            refill(came)
        except ChanceNeededError as needed:
            return needed
        return None

    question, needed = Question("came", say("Is that everything?"), parse_observation, kind=Kind.ORDER), wanted(came)
    if needed is None:
        return question, True
    is_djinn = needed.wanted == "djinn"
    # What can't have come any more stays where it is, so that nothing moves under a finger.
    first = wanted(replace(came, djinns=()) if is_djinn else Observation()) or needed
    left = tuple(name for name, number in needed.options.items() if number)
    question = replace(
        question,
        words=say("Which djinn came up?") if is_djinn else say("Which card came up in the row?"),
        taps=tuple(drawn_tap(needed.wanted, name) for name, number in first.options.items() if number),
        left=left,
    )
    return question, wanted(parse_observation(", ".join((*told, left[0])))) is None
