"""The questions about turns that photos show: which turn it was, what no board shows, bids, the clean-up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.asking.photo_record import chosen, doubted, dropped, line_of, settled, tap, typed
from companion.asking.question import Question
from companion.asking.recorded_rounds import read_bids, refill
from companion.asking.recording import Ask, Recording
from companion.errors import NotationError
from companion.language.phrase import joined, listed, say, say_as, term
from companion.notation.names import in_english
from companion.notation.records.steps import parse_observation
from companion.rules.model.components import CARD_COUNTS, Colour
from companion.table import playing
from companion.table.results import player_name

_NEARLY = 0.995


def photo_question(now: Recording) -> Question[Recording]:
    """What is to be known before a recording goes on; its answer is the recording then."""
    asked = {Ask.BIDS: _bids, Ask.REFILL: _refill, Ask.TURN: _turn, Ask.TAP: _tap}
    assert now.ask is not None, "something is asked"
    return asked[now.ask](now)


def _bids(now: Recording) -> Question[Recording]:
    return Question(
        "bids",
        say("Bids of this round, such as pink 5, blue 0; or just the order of the turns"),
        lambda line: settled(read_bids(now, line)),
        default=joined(" ", map(term, now.order)),
        help=say(
            "  Bids in bid order: pink 5, blue 0, black 1. If nobody remembers the prices, the players in\n"
            "  turn order; the cheapest bids are then recorded."
        ),
        completions=tuple(Colour),
    )


def _refill(now: Recording) -> Question[Recording]:
    def parse(line: str) -> Recording:
        return settled(refill(now, parse_observation(in_english(line)) if line and line != "?" else None))

    return Question(
        "refill",
        playing.prompt(now.state, now.record.header.names, owes_refill=True),
        parse,
        default=say_as("of what a player holds", "not known"),
        help=say("  New cards in the row, in order, then new djinns: fish, silk, Utug."),
        completions=tuple(CARD_COUNTS),
        own=frozenset({"?"}),
    )


def _turn(now: Recording) -> Question[Recording]:
    said = []
    for number, (shown, probability) in enumerate(now.choices, 1):
        line = line_of(now.game, shown.turns) or say("nobody has played yet")
        share = ">99%" if probability > _NEARLY else "<1%" if probability < 1 - _NEARLY else f"{probability:.0%}"
        said.append((joined("", (f"{share:>4}  ", line)), str(number)))

    def parse(line: str) -> Recording:
        if line.casefold() == "no":
            return settled(dropped(now))
        number = line.removesuffix("more").strip() if now.proposes else line
        if number and not number.isdecimal():
            return settled(typed(now, line))
        if number and number not in {number for _, number in said}:
            raise NotationError("type the number of a turn, Enter for the first, or no for none of them")
        return settled(chosen(now, int(number or 1) - 1, more=number != line))

    help_ = say(
        "  Turns that the photo may show, likeliest first. Enter takes the first. If it's none of these,\n"
        "  type the turn, such as c3 > c4g > d4y; pass."
    )
    more = say("  more: the first, and something was sold too, or a djinn was used; 2 more: the second.")
    tiles = doubted(now)
    wrong = say("The game may have a meeple too many or too few on {tiles}.", tiles=listed(tiles)) if tiles else None
    return Question(
        "turn",
        say("{photo}: which turn was it? (no: none of these; or type it)", photo=now.photos[0].name),
        parse,
        default="1",
        choices=tuple(said),
        why=tuple(filter(None, (now.photos[0].covered, wrong))),
        help=joined("\n", (help_, more) if now.proposes else (help_,)),
        completions=("no", "more") if now.proposes else ("no",),
    )


def _tap(now: Recording) -> Question[Recording]:
    question: Question[Any] | None = now.question
    assert question is not None, "the turn's question is asked"
    words = joined(" ", (player_name(now.left[0].player, now.record.header.names) + ":", question.words))
    return replace(question, words=words, parse=lambda line: settled(tap(now, question.parse(line))))
