"""`companion read --ask`: the doubtful cards of a reading gone through, one question each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from companion.cli.dialogue.ask_photo import Pass, choose
from companion.cli.dialogue.asking import Terminal
from companion.notation.names import parse_card, parse_djinn

if TYPE_CHECKING:
    from companion.vision.load import Picture
    from companion.vision.reading.cards import DoubtfulCard
    from companion.vision.reading.table import TableReading

HOW = "Enter takes the first reading, 2 the second; or type the card's name.\ns skips a card, q stops.\n"
HOW_TITLE = "Enter takes the first djinn, 2 the second; or type its name.\ns skips what is no djinn, q stops.\n"


def card_label(doubtful: DoubtfulCard) -> str:
    """What a doubtful card is called, by whose it is and its place from 1: "row-2", "pink-1"."""
    return f"{doubtful.holder or 'row'}-{doubtful.number + 1}"


def ask_cards(
    terminal: Terminal,
    table: TableReading,
    pictures: Mapping[str, Picture],
    show: Callable[[Picture], None],
) -> TableReading:
    """Ask for the doubtful cards of the row and of players, then for unclear djinns, until the answers end.

    `pictures` are those of the cards by `card_label`, and of djinns' titles by "djinn-" and their number from 1.
    """
    from companion.vision.cards.djinn_names import rank_names
    from companion.vision.reading.cards import correct_card, correct_title, doubtful_cards, unclear_titles

    def look(label: str) -> None:
        if label in pictures:
            show(pictures[label])

    doubtful = doubtful_cards(table)
    if doubtful:
        terminal.say(f"{len(doubtful)} {'card is' if len(doubtful) == 1 else 'cards are'} doubtful.\n{HOW}")
    for card in doubtful:
        label, sight = card_label(card), card.detection
        whose = "the row" if card.holder is None else f"what {card.holder} has"
        terminal.say(f"\ncard {card.number + 1} of {whose}:\n")
        look(label)
        choices = [(name, name) for name in sight.likely[:2]]
        if choices:
            choices[0] = (choices[0][0], f"{choices[0][0]}  ({sight.confidence:.0%})")
        told = choose(terminal, label, choices, parse_card, HOW, "type the card's name")
        if told is Pass.STOP:
            return table
        if isinstance(told, str):
            table = correct_card(table, card, told)
    for number, title in enumerate(unclear_titles(table), 1):
        if not unclear_titles(table):
            # All djinns that lie face up are known by now.
            break
        label = f"djinn-{number}"
        terminal.say(f"\na djinn's title, read as {title.detection.text!r}.\n{HOW_TITLE}")
        look(label)
        names = [name for name, _ in rank_names(title.detection.text)[:2]]
        told = choose(terminal, label, [(name, name) for name in names], parse_djinn, HOW_TITLE, "type its name")
        if told is Pass.STOP:
            return table
        if isinstance(told, str):
            table = correct_title(table, title, told)
    return table
