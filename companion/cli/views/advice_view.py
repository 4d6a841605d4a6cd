"""Advice as a person reads it in the terminal: the board with the best turn's path, then the turns in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from companion.advisor.advice import AdviceLevel, AdvisedTurn, BidAdvice, TurnAdvice
from companion.advisor.bid_wording import (
    bid_equals,
    bid_headline,
    bid_look_words,
    bid_words,
    no_bid_words,
    plays_words,
    purpose,
)
from companion.advisor.turn_wording import (
    behind_first,
    best_sentence,
    best_ways,
    chance_words,
    equals,
    look_words,
    outlook,
    points_now,
    reasons,
    sure_words,
    turns_then,
)
from companion.cli.locale import translate
from companion.cli.output import TIE, console, text_width, wrapped
from companion.cli.views.board_view import MEEPLE_STYLES, BoardView
from companion.cli.views.tables import Column, figures, number
from companion.language.phrase import Phrase, capitalised, decimal, joined, listed_or, say, say_as, say_many, term
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import TRIBE_LETTERS, Colour
from companion.table.results import player_name

if TYPE_CHECKING:
    from companion.rules.engine.scoring import GameResult

Doubts = Mapping[int, float]
"""The doubtful squares of a photo's reading, each with the confidence (0 to 1) that it was read with."""

NO_DOUBTS: Doubts = MappingProxyType({})
_INDENT = "     "
_HANGING = _INDENT + "  "
_COLUMN_HEADS = (
    say_as("head of the bids", "Wins"),
    say_as("head of the bids", "Ahead"),
    say_as("head of the bids", "Now"),
)
_COLUMN = 7
_WIDE = 60
"""Columns of a terminal in which an idea stands beside its numbers; in a narrower one it goes on below them."""
_STEP = re.compile(rf"\b[a-f][1-5]([{TRIBE_LETTERS}])\b")
_NUMBER = re.compile(r"^ *\d+\. ")


def over_line(result: GameResult, names: Mapping[Colour, str]) -> Phrase:
    """What is said in place of advice when the game is over: how it ended."""
    from companion.table.results import standing

    over = say("The game is over.")
    return joined(" ", (over, standing(result, names))) if result.scores else over


def resting_on(turn: AdvisedTurn, doubts: Doubts) -> tuple[int, ...]:
    """The squares in doubt that meeples are taken from, that they pass or end on, or that are claimed with a move."""
    sowing = turn.sowing
    touched = () if sowing is None else dict.fromkeys((sowing.start, *sowing.path, *turn.explained.claims))
    return tuple(square for square in touched if square in doubts)


def read_with(squares: Iterable[int], doubts: Doubts) -> Phrase:
    """Squares with the confidence that they were read with: "a2 (50% sure) and c3 (72% sure)"."""
    read = [
        say("{tile} ({percent} sure)", tile=SQUARE_NAMES[square], percent=percent(doubts[square])) for square in squares
    ]
    return joined(say(" and "), read)


def percent(chance: float) -> str:
    """A probability for people, never quite certain: "<1%", "72%", ">99%"."""
    if chance < 0.01:
        return "<1%"
    return ">99%" if chance > 0.99 else f"{chance:.0%}"


def all_reasons(turn: AdvisedTurn, doubts: Doubts) -> Iterator[Phrase]:
    """What a turn is worth, a sentence each, and which tiles in doubt it rests on."""
    yield from reasons(turn)
    if squares := resting_on(turn, doubts):
        yield say(
            "depends on doubtful tiles: {tiles}", tiles=joined(", ", [SQUARE_NAMES[square] for square in squares])
        )


@dataclass(frozen=True, slots=True)
class Detail:
    """How much of advice is shown: up to which level, and whether sums and replies, and other `ways` of each idea."""

    level: AdviceLevel = AdviceLevel.FULL
    why: bool = False
    ways: bool = False


BRIEF = Detail()


def answer_lines(
    advice: TurnAdvice, detail: Detail = BRIEF, names: Mapping[Colour, str] | None = None
) -> Iterator[str]:
    """The lines of what is said last: the best turn as a player says it; none where the level tells less."""
    if advice.result is None and advice.turns and detail.level is AdviceLevel.FULL:
        best = best_sentence(advice.turns[0], advice.to_move, lambda colour: (names or {}).get(colour) or term(colour))
        end = outlook(advice.turns[0], len(advice.position.players), brief=True)
        yield from _sentence(joined("", (best, " ", capitalised(end), ".")), text_width(), "", "")


def _sure_lines(turns: Sequence[AdvisedTurn]) -> Iterator[str]:
    """How likely the turns can be played as they are said, where a photo leaves doubt of that, in one sentence."""
    sure = [f"{place} ({percent})" for place, one in enumerate(turns, 1) if (percent := sure_words(one))]
    if sure:
        yield from _sentence(
            say("The photo leaves these turns in some doubt: {turns}.", turns=", ".join(sure)), text_width(), "", ""
        )


def look_first(advice: TurnAdvice) -> Iterator[str]:
    """What to look at on the table before the first turn is played, and what to play if something else lies there."""
    from companion.vision.board.decision import differences

    for tile in advice.worth_a_look:
        seen, name = advice.position.board[tile.square], SQUARE_NAMES[tile.square]
        cases = [
            say(
                "if you see {contents}, {turn} instead",
                contents=listed_or(
                    [joined(say(" and "), differences(seen, other)) or say("what is shown") for other in tiles]
                ),
                turn=turn,
            )
            for tiles, turn in turns_then(tile)[:2]
        ]
        sentence = say("Look at {tile} before you play: {cases}.", tile=name, cases=joined("; ", cases))
        yield from _sentence(sentence, text_width(), "", _INDENT)


def advice_lines(
    advice: TurnAdvice,
    detail: Detail = BRIEF,
    names: Mapping[Colour, str] | None = None,
    doubts: Doubts = NO_DOUBTS,
) -> Iterator[str]:
    """The lines below the board, no wider than the terminal: an idea each, best first, or as much as is wished for."""
    width = text_width()
    if advice.result is not None:
        yield translate(over_line(advice.result, names or {}))
        return
    if not advice.turns or advice.to_move is None:
        who = say("nobody") if advice.to_move is None else term(advice.to_move)
        yield translate(say("No turn to suggest for {player}.", player=who))
        return
    best = best_ways(advice.turns)
    if detail.level is AdviceLevel.NUDGE:
        yield from _nudge(best, width)
        return
    player = player_name(advice.to_move, names or {})
    yield from wrapped(translate(say("Best turns for {player}", player=player)), width)
    if detail.level is not AdviceLevel.PATH:
        yield _columns(_COLUMN_HEADS)
    for place, one in enumerate(best, 1):
        explained = one.explained
        if detail.level is AdviceLevel.PATH:
            yield from wrapped(_untied(explained.path or explained.headline), width, f"{place:>2}. ", _INDENT)
            continue
        if detail.why:
            yield ""
        words = explained.headline if place == 1 or detail.why or detail.ways else explained.aim
        margin = decimal(one.estimate.value, signed=True)
        chance = "" if one.win is None else chance_words(one.win)
        head = _columns((chance, margin, points_now(explained)), f"{place}.")
        yield from wrapped(_untied(words), width, head, _HANGING if width < _WIDE else " " * len(head))
        for reason in all_reasons(one, doubts) if detail.why else ():
            yield from _sentence(reason, width)
        for other in _other_ways(one, advice.turns) if detail.ways else ():
            way = say("or {turn}: {compared}", turn=other.explained.headline, compared=behind_first(other))
            yield from wrapped(_untied(way), width, _INDENT, _HANGING)
    if detail.level is AdviceLevel.FULL:
        yield from _sure_lines(best)
    if alike := equals(best):
        if detail.why:
            yield ""
        yield from wrapped(translate(alike), width)


def _columns(cells: Sequence[str], number: str = "") -> str:
    """What stands before an idea: its number, the chance to win, the margin and what it brings now."""
    wide = [max(_COLUMN, cell_len(translate(head)) + 2) for head in _COLUMN_HEADS]
    said = [translate(cell) for cell in cells]
    padded = [" " * (room - cell_len(cell)) + cell for cell, room in zip(said, wide, strict=True)]
    return f"{number:>3}{''.join(padded)}  "


def _other_ways(best: AdvisedTurn, turns: Sequence[AdvisedTurn]) -> list[AdvisedTurn]:
    return [one for one in turns if one.idea == best.idea and one is not best]


def more_words(turns: Sequence[AdvisedTurn], detail: Detail) -> Iterator[Phrase]:
    """What other options show, a few words each."""
    if detail.level is not AdviceLevel.FULL or not turns:
        return
    if not detail.why:
        yield say("Sums and replies: --why.")
    if not detail.ways and (ways := _other_ways(turns[0], turns)):
        yield say_many("{count} more way to play it: --ways.", "{count} more ways to play it: --ways.", len(ways))


def _nudge(turns: Sequence[AdvisedTurn], width: int) -> Iterator[str]:
    """Where the best turn begins, and those that are as good, each tile once."""
    starts = list(dict.fromkeys(one.explained.start for place, one in enumerate(turns) if place == 0 or one.equal))
    yield from wrapped(translate(look_words(starts[0])), width)
    for other in starts[1:]:
        yield from wrapped(translate(say("Just as good: {start}.", start=other)), width)


def _sentence(text: str, width: int, head: str = _INDENT, indent: str = _HANGING) -> list[str]:
    """A sentence below a turn, whose numbers are not parted from their signs."""
    return wrapped(re.sub(r"(?<!\.) (?=[+-]\d|±)|(?<=±) ", TIE, translate(text)), width, head, indent)


def _untied(path: str) -> str:
    """A headline in the language of the run, whose steps are not broken over lines."""
    return translate(path).replace(" > ", f" >{TIE}")


def coloured(line: str) -> Text:
    """A line of advice with its steps in the colours of the meeples that are left, and its number in bold."""
    text = Text(line)
    for step in _STEP.finditer(line):
        text.stylize(MEEPLE_STYLES[TRIBE_LETTERS.index(step[1])], step.start(1), step.end(1))
    if place := _NUMBER.match(line):
        text.stylize("bold", 0, place.end())
    return text


# Bids.


def bid_table(advice: BidAdvice, most: int | None = None) -> Table:
    """The free spots or the `most` best, best first: price, place in the round, chance, margin, what each is for."""
    columns = [
        Column(wraps=False),
        Column(say_as("head of the bids", "Bid")),
        Column(say_as("head of the bids", "Plays")),
        number(say_as("head of the bids", "Wins")),
        number(say_as("head of the bids", "Ahead")),
        Column(say_as("head of the bids", "What for")),
    ]
    rows = []
    for place, bid in enumerate(advice.bids[:most]):
        sign = say_as("of a bid", "best") if place == 0 else say_as("of a bid", "equal") if bid.equal else ""
        ahead, wins = decimal(bid.estimate.value, signed=True), "" if bid.win is None else chance_words(bid.win)
        rows.append((sign, bid_words(bid.bid), plays_words(bid), wins, ahead, purpose(advice, bid)))
    table = figures(columns, rows)
    if table.rows:
        table.rows[0].style = "bold"
    return table


def bid_answer_lines(advice: BidAdvice, names: Mapping[Colour, str] | None = None) -> Iterator[str]:
    """The lines of what is said last: the best bid, and the turn that it's for."""
    head = bid_headline(advice, None if advice.player is None else player_name(advice.player, names or {}))
    aim, doing = advice.bids[0].turn, purpose(advice, advice.bids[0])
    if aim is not None and aim.sowing is not None:
        doing = say("{doing}. {points} now.", doing=aim.explained.doing, points=points_now(aim.explained))
    elif doing:
        doing += "."
    yield from _sentence(joined(" ", filter(None, (capitalised(head) + ".", capitalised(doing)))), text_width(), "", "")


def print_bids(
    advice: BidAdvice,
    names: Mapping[Colour, str] | None = None,
    level: AdviceLevel = AdviceLevel.FULL,
    *,
    most: int | None = None,
) -> None:
    """Print the bids, or the `most` best, which are as good, and the best; a nudge names no price."""
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
    screen.print(bid_table(advice, most))
    if alike := bid_equals(advice):
        screen.print(alike)
    for line in bid_answer_lines(advice, names):
        screen.print(line, style="bold", soft_wrap=True)


def print_advice(
    advice: TurnAdvice,
    detail: Detail = BRIEF,
    *,
    names: Mapping[Colour, str] | None = None,
    doubts: Doubts = NO_DOUBTS,
) -> None:
    """Print the board with the best turn's path, save for a nudge, the ideas, and last the best one in a sentence."""
    screen = console()
    if advice.turns and detail.level is not AdviceLevel.NUDGE:
        best = advice.turns[0]
        screen.print(BoardView(advice.position.board, tuple(doubts), best.sowing, best.explained.claims))
        screen.print()
    for line in advice_lines(advice, detail, names, doubts):
        screen.print(coloured(line), soft_wrap=True)
    for line in look_first(advice) if detail.level is AdviceLevel.FULL else ():
        screen.print(line, soft_wrap=True)
    for line in answer_lines(advice, detail, names):
        screen.print(line, style="bold", soft_wrap=True)
