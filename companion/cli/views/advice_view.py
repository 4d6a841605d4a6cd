"""Advice as a person reads it in the terminal: the board with the best turn's path, then the turns in words."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.advisor.advice import AdvisedBid, AdvisedTurn, BidAdvice, TurnAdvice
from companion.advisor.level import AdviceLevel
from companion.advisor.wording import (
    TurnWords,
    bid_equals,
    bid_headline,
    bid_look_words,
    bid_words,
    equals,
    look_words,
    no_bid_words,
    plays_words,
    purpose,
    record_line,
)
from companion.cli.locale import translate
from companion.cli.output import console
from companion.cli.views.board_view import MEEPLE_STYLES, BoardView
from companion.cli.views.hint_view import (
    NO_DOUBTS,
    WIDEST,
    Doubts,
    no_turn_words,
    over_line,
    read_with,
    resting_on,
)
from companion.cli.wrapping import TIE, wrapped
from companion.language.phrase import Phrase, decimal, joined, say, say_as
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import TRIBE_LETTERS, Colour, Tribe
from companion.table.results import player_name

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


_INDENT = "     "
_HANGING = _INDENT + "  "
_STEP = re.compile(rf"\b[a-f][1-5]([{TRIBE_LETTERS}])\b")
_NUMBER = re.compile(r"^ ?\d+\. ")
_VP_DIGITS = 2
"""Decimals of values in JSON: more would be noise."""


def with_doubts(words: Sequence[TurnWords], doubts: Doubts) -> list[TurnWords]:
    """The words with one reason more for each turn that rests on tiles in doubt, as pictures and pages have it."""
    return [replace(one, reasons=(*one.reasons, *_doubted(one, doubts))) for one in words]


def _doubted(one: TurnWords, doubts: Doubts) -> Iterator[Phrase]:
    claims = one.explained.explanation.claims
    if one.turn.sowing is not None and (squares := resting_on(one.turn.sowing, claims, doubts)):
        yield say("rests on {tiles}", tiles=read_with(squares, doubts))


def best_board(advice: TurnAdvice, words: Sequence[TurnWords], doubtful: Sequence[int] = ()) -> BoardView:
    """The board with the path of the best turn numbered on it."""
    best = words[0]
    return BoardView(advice.position.board, doubtful, best.turn.sowing, best.explained.explanation.claims)


def advice_lines(
    advice: TurnAdvice,
    words: Sequence[TurnWords],
    level: AdviceLevel = AdviceLevel.FULL,
    names: Mapping[Colour, str] | None = None,
    doubts: Doubts = NO_DOUBTS,
) -> Iterator[str]:
    """The lines to print, no wider than the terminal; a turn says which of the tiles in doubt it rests on."""
    width = min(WIDEST, shutil.get_terminal_size((80, 24)).columns)
    if advice.result is not None:
        yield translate(over_line(advice.result, names or {}))
        return
    if not words or advice.to_move is None:
        yield translate(no_turn_words(advice.to_move))
        return
    if level is AdviceLevel.NUDGE:
        yield from _nudge(words, width)
        return
    player = player_name(advice.to_move, names or {})
    title = say("Best turns for {player}, by how far ahead the game is expected to end", player=player)
    yield from wrapped(translate(title), width)
    for number, one in enumerate(words, 1):
        if level is AdviceLevel.FULL:
            yield ""
            yield from _block(number, one, width, doubts)
        else:
            yield from wrapped(_untied(one.path or one.headline), width, f"{number:>2}. ", _INDENT)
    if alike := equals([one.turn.equal for one in words]):
        yield ""
        yield from wrapped(translate(alike), width)


def _nudge(words: Sequence[TurnWords], width: int) -> Iterator[str]:
    """Where the best turn begins, and those that are as good, each tile once."""
    starts = list(dict.fromkeys(one.start for place, one in enumerate(words) if place == 0 or one.turn.equal))
    yield from wrapped(translate(look_words(starts[0])), width)
    for other in starts[1:]:
        yield from wrapped(translate(say("As good: {start}.", start=other)), width)


def _block(number: int, one: TurnWords, width: int, doubts: Doubts) -> Iterator[str]:
    yield from wrapped(_untied(one.headline), width, f"{number:>2}. ", _INDENT)
    for reason in one.reasons:
        yield from wrapped(re.sub(r" (?=[+-]\d|±)|(?<=±) ", TIE, translate(reason)), width, _INDENT, _HANGING)
    for doubted in _doubted(one, doubts):
        yield from wrapped(translate(doubted), width, _INDENT, _HANGING)


def _untied(path: str) -> str:
    """A headline in the language of the run, whose steps are not broken over lines."""
    return translate(path).replace(" > ", f" >{TIE}")


def coloured(line: str) -> Text:
    """A line of advice with its steps in the colours of the meeples that are left, and its number in bold."""
    from rich.text import Text

    text = Text(line)
    for step in _STEP.finditer(line):
        text.stylize(MEEPLE_STYLES[TRIBE_LETTERS.index(step[1])], step.start(1), step.end(1))
    if number := _NUMBER.match(line):
        text.stylize("bold", 0, number.end())
    return text


# Bids.


def bid_table(advice: BidAdvice, most: int | None = None, *, ascii_only: bool = False) -> Table:
    """The free spots or the `most` best, best first: price, place in the round, expected margin, what each is for."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.ASCII2 if ascii_only else box.SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    table.add_column("", no_wrap=True)
    table.add_column(say_as("head of the bids", "Bid"))
    table.add_column(say_as("head of the bids", "Plays"))
    table.add_column(say_as("head of the bids", "Ahead"), justify="right", no_wrap=True)
    table.add_column(say_as("head of the bids", "What for"))
    for place, one in enumerate(advice.bids[:most]):
        sign = say_as("of a bid", "best") if place == 0 else say_as("of a bid", "equal") if one.equal else ""
        aim = purpose(advice, one)
        style = "bold" if place == 0 else None
        table.add_row(sign, bid_words(one.bid), plays_words(one), _value(one), aim, style=style)
    return table


def _value(one: AdvisedBid) -> Phrase:
    value = decimal(one.estimate.value, signed=True)
    return value if one.estimate.error is None else joined(" ± ", (value, decimal(one.estimate.error)))


def print_bids(
    advice: BidAdvice,
    names: Mapping[Colour, str] | None = None,
    level: AdviceLevel = AdviceLevel.FULL,
    *,
    most: int | None = None,
) -> None:
    """Print the best bid, the table of all (or the `most` best), and which are as good; who has won if it is over.

    A nudge names the place to bid for and no price.
    """
    screen = console()
    if advice.result is not None:
        screen.print(over_line(advice.result, names or {}), soft_wrap=True)
        return
    if not advice.bids:
        screen.print(no_bid_words(advice))
        return
    if level is AdviceLevel.NUDGE:
        screen.print(bid_look_words(advice))
        return
    screen.print(bid_headline(advice, None if advice.player is None else player_name(advice.player, names or {})))
    screen.print()
    screen.print(bid_table(advice, most, ascii_only=screen.options.ascii_only))
    if alike := bid_equals(advice):
        screen.print()
        screen.print(alike)


def print_advice(
    advice: TurnAdvice,
    words: Sequence[TurnWords],
    level: AdviceLevel = AdviceLevel.FULL,
    *,
    names: Mapping[Colour, str] | None = None,
    doubts: Doubts = NO_DOUBTS,
) -> None:
    """Print the board with the best turn's path, save for a nudge, and the lines of advice below it."""
    screen = console()
    if words and level is not AdviceLevel.NUDGE:
        screen.print(best_board(advice, words, tuple(doubts)))
        screen.print()
    for line in advice_lines(advice, words, level, names, doubts):
        screen.print(coloured(line), soft_wrap=True)


# JSON.


def advice_document(advice: TurnAdvice, words: Sequence[TurnWords], doubts: Doubts = NO_DOUBTS) -> dict[str, object]:
    """Turns for JSON; `assumed` is there when something was not known, or a turn rests on a tile in doubt."""
    return _turns_document(advice.to_move, words, advice.assumed, doubts)


def _turns_document(
    mover: Colour | None, words: Sequence[TurnWords], told: Sequence[str], doubts: Doubts = NO_DOUBTS
) -> dict[str, object]:
    document: dict[str, object] = {
        "to_move": None if mover is None else str(mover),
        "moves": [_turn_document(one) for one in words],
    }
    resting = {
        square
        for one in words
        if one.turn.sowing is not None
        for square in resting_on(one.turn.sowing, one.explained.explanation.claims, doubts)
    }
    assumed = [*told]
    if resting:
        assumed.append(say("turns rest on {tiles}.", tiles=read_with(sorted(resting, key=doubts.__getitem__), doubts)))
    if assumed:
        document["assumed"] = assumed
    return document


def _turn_document(one: TurnWords) -> dict[str, object]:
    turn, told, taken = one.turn, one.explained.explanation, one.explained.taken
    document: dict[str, object] = {
        **_path_document(turn),
        "take": None if taken is None else {"colour": taken.tribe.letter, "count": taken.count},
        "claims": [SQUARE_NAMES[square] for square in told.claims],
        "actions": told.actions,
        "gain": told.gain,
        "value": _rounded(turn.estimate.value),
    }
    if turn.estimate.error is not None:
        document["error"] = _rounded(turn.estimate.error)
    document["why"] = "; ".join(one.reasons)
    document["line"] = record_line(one)
    document["equal"] = turn.equal
    document["behind"] = {"value": _rounded(turn.behind.value), "error": _rounded(turn.behind.error)}
    if turn.categories:
        document["categories"] = {name: _rounded(points) for name, points in turn.categories.items()}
    if turn.best_capture_left is not None:
        document["leaves"] = _rounded(turn.best_capture_left)
    if turn.reply is not None:
        document["reply"] = {
            "player": None if turn.reply.colour is None else str(turn.reply.colour),
            "to": SQUARE_NAMES[turn.reply.end],
            "colour": Tribe(turn.reply.tribe).letter,
            "gain": _rounded(turn.reply.gain),
            "share": _rounded(turn.reply.share),
        }
    return document


def _path_document(turn: AdvisedTurn) -> dict[str, object]:
    from companion.notation.tokens import sowing_document

    return {"from": None, "path": [], "drops": ""} if turn.sowing is None else sowing_document(turn.sowing)


def bid_document(advice: BidAdvice) -> dict[str, object]:
    """Bids for JSON, best first; `best` is null when nobody is to bid."""
    document: dict[str, object] = {
        "player": None if advice.player is None else str(advice.player),
        "bids": [_bid_document(advice, one) for one in advice.bids],
        "best": advice.bids[0].bid.price if advice.bids else None,
    }
    if advice.assumed:
        document["assumed"] = [*advice.assumed]
    return document


def bidding_document(advice: BidAdvice, words: Sequence[TurnWords]) -> dict[str, object]:
    """What `hint` prints as JSON while bids are open: the bids, and the turns that they are for, see `bid_turns`."""
    bids = bid_document(advice)
    return {**_turns_document(advice.player, words, advice.assumed), "bids": bids["bids"], "best": bids["best"]}


def _bid_document(advice: BidAdvice, one: AdvisedBid) -> dict[str, object]:
    document: dict[str, object] = {
        "price": one.bid.price,
        "fakirs": one.bid.fakirs,
        "value": _rounded(one.estimate.value),
        "error": _rounded(one.estimate.error),
        "place": one.place,
        "equal": one.equal,
        "behind": {"value": _rounded(one.behind.value), "error": _rounded(one.behind.error)},
    }
    if one.plays is not None:
        document["plays"] = {"place": one.plays[0], "share": _rounded(one.plays[1])}
    if one.turn is not None:
        document["for"] = purpose(advice, one)
    return document


def _rounded(points: float | None) -> float | None:
    # Adding 0 turns a minus nothing into nothing.
    return None if points is None else round(float(points), _VP_DIGITS) + 0.0
