"""What a person should look at again in a reading: one kind of doubt for tiles, resource cards and djinns' titles.

The terminal asks about doubts, the phone page shows them with buttons to tap, and the overlay lists those of tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.errors import UnusableInputError
from companion.language.phrase import Phrase, capitalised, joined, named, say, say_many, term
from companion.notation.names import parse_card, parse_djinn
from companion.notation.tokens import parse_tile
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.board import SQUARE_NAMES, SQUARES, parse_square
from companion.rules.model.components import CARD_COUNTS, FACE_UP_DJINNS, Colour
from companion.vision.board.decision import correct_tile, differences
from companion.vision.board.reading import Reading
from companion.vision.cards.detection import CardDetection
from companion.vision.cards.titles import rank_names
from companion.vision.reading.cards import NO_CARD, card_faults, is_sure, row_names, with_cards
from companion.vision.reading.table import NOTHING, Choice, Doubt, TableReading, UnclearTitle

_LIKELY = 3


def doubts(table: TableReading) -> tuple[Doubt, ...]:
    """All that is doubtful in a table's reading: tiles where most is at stake first, then cards, then titles."""
    return (*tile_doubts(table.reading), *card_doubts(table), *map(title_doubt, unclear_titles(table)))


def tile_doubts(reading: Reading) -> tuple[Doubt, ...]:
    """The doubtful tiles, first where most is at stake."""
    return tuple(tile_doubt(reading, square) for square in reading.doubtful)


def tile_lines(reading: Reading, most: int = SQUARES) -> Iterator[Phrase]:
    """A line that sums up how the tiles were read, then one for each of the first so many doubts."""
    doubtful = tile_doubts(reading)
    if reading.code is not None:
        yield say("Read from the position code in the picture.")
    elif not doubtful:
        yield say("All 30 tiles read clearly.")
    else:
        yield say_many(
            "{count} of 30 tiles is doubtful; please check it:",
            "{count} of 30 tiles are doubtful; please check them:",
            len(doubtful),
        )
        yield from (joined("", ("  ", doubt.line)) for doubt in doubtful[:most])
        if len(doubtful) > most:
            yield say("and {count} more", count=len(doubtful) - most)


def tile_doubt(reading: Reading, square: int) -> Doubt:
    """A tile, doubtful or not, with what it may be."""
    seen = reading.tiles[square]
    choices = tuple(
        Choice(str(tile), joined(", ", list(differences(seen.tile, tile)))) for tile in dict.fromkeys(seen.offered)
    )
    why = joined("; ", seen.doubts) if seen.doubts else say("read with little confidence")
    return Doubt(SQUARE_NAMES[square], SQUARE_NAMES[square], why, choices, (), seen.confidence, seen.tile)


def card_doubts(table: TableReading) -> Iterator[Doubt]:
    """The doubtful cards of the row and of players' goods; not of a row that a code gave."""
    laid: list[tuple[Colour | None, Sequence[CardDetection]]] = [*table.goods.items()]
    if table.reading.position.row == row_names(table.row):
        laid.insert(0, (None, table.row))
    choices = [Choice(name, capitalised(term(name)), f"card-{name}") for name in CARD_COUNTS]
    for holder, cards in laid:
        for number, card in enumerate(cards, 1):
            if is_sure(card):
                continue
            what = say("Card {number} of the row", number=number)
            if holder is not None:
                what = say("Card {number} of {holder}", number=number, holder=term(holder))
            others = card.likely[1:2]
            why: str = say("perhaps {other}", other=named(others[0])) if others else ""
            label = f"{holder or 'row'}-{number}"
            yield _doubt(label, what, why, card.likely, choices, say("No card"), card.confidence, card)


def unclear_titles(table: TableReading) -> tuple[UnclearTitle, ...]:
    """The titles that may be those of djinns that are missing from the position (rules 2.7)."""
    return table.titles if len(table.reading.position.djinns or ()) < FACE_UP_DJINNS else ()


def title_doubt(title: UnclearTitle) -> Doubt:
    """A djinn's title that could not be recognised."""
    text = title.detection.text
    what = say("A djinn’s title, read as {text!r}", text=text) if text else say("A djinn’s title that was not read")
    likely = [name for name, _ in rank_names(text)] if text else []
    choices = [Choice(name, named(name)) for name in DJINNS]
    return _doubt(title.label, what, "", likely, choices, say("No djinn"), 0.0)


def _doubt(
    label: str,
    what: str,
    why: str,
    likely: Sequence[str],
    choices: Sequence[Choice],
    none: Phrase,
    confidence: float,
    detection: CardDetection | None = None,
) -> Doubt:
    by_answer = {choice.answer: choice for choice in (*choices, Choice(NOTHING, none))}
    first = tuple(by_answer.pop(answer) for answer in dict.fromkeys((*likely[:_LIKELY], NOTHING)))
    return Doubt(label, what, why, first, tuple(by_answer.values()), confidence, detection=detection)


def correct(table: TableReading, label: str, answer: str) -> TableReading:
    """The table's reading with an answer to a doubt, or with any tile by its square's name, as a person says it is.

    Raises NotationError for what is no such answer, UnusableInputError if nothing of that name is doubtful.
    """
    if label in SQUARE_NAMES:
        return replace(table, reading=correct_tile(table.reading, parse_square(label), parse_tile(answer)))
    if label not in {doubt.label for doubt in doubts(table)}:
        raise UnusableInputError("there is no question called {label} about this photo", label=label)
    for title in table.titles:
        if title.label == label:
            return _correct_title(table, title, parse_title(answer))
    holder, _, number = label.rpartition("-")
    name = NO_CARD if answer == NOTHING else parse_card(answer)
    return _correct_card(table, None if holder == "row" else Colour(holder), int(number) - 1, name)


def parse_title(answer: str) -> str | None:
    """The djinn that a title names; None for what is no djinn's title. Raises NotationError for no djinn."""
    return None if answer == NOTHING else parse_djinn(answer)


def _correct_card(table: TableReading, holder: Colour | None, number: int, name: str) -> TableReading:
    cards = list(table.row if holder is None else table.goods[holder])
    cards[number] = replace(cards[number], card=name, confidence=1.0, other=None, third=None)
    position = table.reading.position
    if holder is None:
        table, position = replace(table, row=tuple(cards)), replace(position, row=row_names(cards))
    else:
        table = replace(table, goods={**table.goods, holder: tuple(cards)})
        position = position.with_player(with_cards(position.player(holder), cards))
    old = set(card_faults(table.reading.position))
    notes = (*(note for note in table.reading.notes if note not in old), *card_faults(position))
    return replace(table, reading=replace(table.reading, position=position, notes=notes))


def _correct_title(table: TableReading, title: UnclearTitle, djinn: str | None) -> TableReading:
    position = table.reading.position
    if djinn is not None and djinn not in (position.djinns or ()):
        position = replace(position, djinns=(*(position.djinns or ()), djinn))
    notes = tuple(note for note in table.reading.notes if note != title.note)
    reading = replace(table.reading, position=position, notes=notes)
    return replace(table, reading=reading, titles=tuple(other for other in table.titles if other is not title))
