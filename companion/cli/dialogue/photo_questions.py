"""The questions about turns that photos show: which turn it was, what no board shows, bids, the clean-up."""

from __future__ import annotations

from collections.abc import Callable

from companion.cli.dialogue.conversation import Answer, NumberedList, Question, State
from companion.errors import NotationError, quoted
from companion.language.phrase import joined, say, say_as, term
from companion.notation.names import in_english
from companion.notation.records.steps import parse_observation
from companion.rules.model.components import CARD_COUNTS, Colour
from companion.table import playing
from companion.table.photo_record import (
    Ask,
    Recording,
    chosen,
    dropped,
    line_of,
    read_bids,
    refill,
    settled,
    tap,
    typed,
)
from companion.table.results import player_name

_MAX_LISTED = 12
_NEARLY = 0.995


def photo_question(now: Recording, answer: Callable[[Recording], Answer[State]]) -> Question[State]:
    """What is to be known before a recording goes on; `answer` makes the conversation's answer of it then."""
    asked = {Ask.BIDS: _bids, Ask.REFILL: _refill, Ask.TURN: _turn, Ask.TAP: _tap}
    assert now.ask is not None, "something is asked"
    return asked[now.ask](now, lambda after: answer(settled(after)))


def _bids(now: Recording, answer: Callable[[Recording], Answer[State]]) -> Question[State]:
    return Question(
        "bids",
        say("Bids of this round, such as pink 5, blue 0; or just the order of the turns"),
        lambda line: answer(read_bids(now, line)),
        default=joined(" ", map(term, now.order)),
        help=say(
            "  With prices, each player's bids in their order: pink 5, blue 0, black 1. Where nobody knows\n"
            "  the prices, the players in the order of their turns; the cheapest bids are then recorded."
        ),
        completions=tuple(Colour),
    )


def _refill(now: Recording, answer: Callable[[Recording], Answer[State]]) -> Question[State]:
    def parse(line: str) -> Answer[State]:
        return answer(refill(now, parse_observation(in_english(line)) if line and line != "?" else None))

    return Question(
        "refill",
        playing.prompt(now.state, now.record.header.names, owes_refill=True),
        parse,
        default=say_as("of what a player holds", "not known"),
        help=say("  What came into the row, in order, then beside the djinns: fish, silk, Utug."),
        completions=tuple(CARD_COUNTS),
        own=frozenset({"?"}),
    )


def _turn(now: Recording, answer: Callable[[Recording], Answer[State]]) -> Question[State]:
    said = []
    for number, (shown, probability) in enumerate(now.choices, 1):
        line = line_of(now.game, shown.turns) or say("nobody has played yet")
        share = ">99%" if probability > _NEARLY else "<1%" if probability < 1 - _NEARLY else f"{probability:.0%}"
        said.append((joined("", (f"{share:>4}  ", line)), str(number)))

    def parse(line: str) -> Answer[State]:
        if line.casefold() == "no":
            return answer(dropped(now))
        if line and not line.isdecimal():
            return answer(typed(now, line))
        if line and line not in {number for _, number in said}:
            raise NotationError("type the number of a turn, Enter for the first, or no for none of them")
        return answer(chosen(now, int(line or 1) - 1))

    return Question(
        "turn",
        say("{photo}: which turn was it? (no: none of these; or type it)", photo=now.photos[0].name),
        parse,
        default="1",
        help=say(
            "  The turns that the photo may show, the likeliest first. Enter accepts the first. A turn that isn't\n"
            "  among them can be typed, such as c3 > c4g > d4y; pass."
        ),
        completions=("no",),
        intro=(NumberedList.of(said),),
    )


def _tap(now: Recording, answer: Callable[[Recording], Answer[State]]) -> Question[State]:
    question = now.question
    assert question is not None, "the turn's question is asked"
    tokens = {tap.words.casefold(): tap.token for tap in question.offered}
    tokens |= {tap.token.casefold(): tap.token for tap in question.offered}
    nothing = next((tap for tap in question.taps if tap.token in ("nothing", "on", "0")), None)

    def parse(line: str) -> Answer[State]:
        if not line and question.may_end:
            return answer(tap(now, None))
        token = nothing.token if not line and nothing else tokens.get(in_english(line).casefold())
        token = token or tokens.get(line.casefold())
        if token is None:
            raise NotationError("{text} isn't one of the answers", text=quoted(line))
        return answer(tap(now, token))

    few = 0 < len(question.offered) <= _MAX_LISTED
    listed = NumberedList.of([(tap.words, tap.token) for tap in question.offered]) if question.offered else None
    return Question(
        "tap",
        joined(" ", (player_name(now.left[0].player, now.record.header.names) + ":", question.words)),
        parse,
        default=say("yes") if question.may_end else "" if nothing is None else nothing.words,
        completions=tuple(tap.token for tap in question.offered),
        intro=(listed,) if few and listed else (),
        listing=None if listed is None else lambda: (listed,),
        mark=": " if question.may_end or nothing else " ",
        own=frozenset({"?"} & set(tokens.values())),
    )
