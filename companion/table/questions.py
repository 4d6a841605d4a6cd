"""What photos did not tell for sure besides tiles, as questions with answers to tap: cards and titles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.errors import UnusableInputError
from companion.language.phrase import Phrase, capitalised, named, say, term
from companion.notation.names import parse_card, parse_djinn
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import CARD_COUNTS

if TYPE_CHECKING:
    from companion.vision.reading.cards import DoubtfulCard
    from companion.vision.reading.table import TableReading, UnclearTitle

NOTHING = "none"
"""The answer for what is no card or no djinn's title."""

_LIKELY = 3


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to tap: what is sent, in words, and the name of its drawing (`icon_fragment`) if there is one."""

    answer: str
    words: str
    icon: str = ""


@dataclass(frozen=True, slots=True)
class PhotoQuestion:
    """Something not told for sure: what it is called ("row-2", "djinn-1"), what is asked, and the answers.

    `likely` are likeliest first, `others` all that it may be besides. There may be a picture by the name of `label`.
    """

    label: str
    what: Phrase
    likely: tuple[Choice, ...]
    others: tuple[Choice, ...]


def questions(table: TableReading) -> tuple[PhotoQuestion, ...]:
    """All that is to be asked of a table's reading besides its tiles."""
    from companion.vision.reading.cards import doubtful_cards, unclear_titles

    return (
        *map(_about_card, doubtful_cards(table)),
        *map(_about_title, unclear_titles(table)),
    )


def answered(table: TableReading, label: str, answer: str) -> TableReading:
    """The table's reading with an answer to one of its `questions`.

    Raises NotationError for an answer that there is not, UnusableInputError if nothing of that name is asked.
    """
    from companion.vision.reading.cards import NO_CARD, correct_card, correct_title, doubtful_cards, unclear_titles

    for card in doubtful_cards(table):
        if card.label == label:
            return correct_card(table, card, NO_CARD if answer == NOTHING else parse_card(answer))
    for title in unclear_titles(table):
        if title.label == label:
            return correct_title(table, title, None if answer == NOTHING else parse_djinn(answer))
    raise UnusableInputError(say("nothing called {label} is asked about this photo", label=label))


def _about_card(card: DoubtfulCard) -> PhotoQuestion:
    number = card.number + 1
    if card.holder is None:
        what = say("Card {number} of the row", number=number)
    else:
        what = say("Card {number} of {holder}", number=number, holder=term(card.holder))
    names = [Choice(name, capitalised(term(name)), f"card-{name}") for name in CARD_COUNTS]
    return _question(card.label, what, names, card.detection.likely, say("No card"))


def _about_title(title: UnclearTitle) -> PhotoQuestion:
    from companion.vision.cards.djinn_names import rank_names

    text = title.detection.text
    what = say("A djinn’s title, read as {text!r}", text=text) if text else say("A djinn’s title that was not read")
    likely = [name for name, _ in rank_names(text)] if text else []
    return _question(title.label, what, [Choice(name, named(name)) for name in DJINNS], likely, say("No djinn"))


def _question(
    label: str, what: Phrase, choices: list[Choice], likely: list[str] | tuple[str, ...], none: Phrase
) -> PhotoQuestion:
    by_answer = {choice.answer: choice for choice in (*choices, Choice(NOTHING, none))}
    first = tuple(by_answer.pop(answer) for answer in dict.fromkeys(likely[:_LIKELY]))
    return PhotoQuestion(label, what, first, tuple(by_answer.values()))
