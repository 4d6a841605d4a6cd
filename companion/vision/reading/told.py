"""Cards of a table that a person should look at again, and the reading with what the person says of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.rules.model.components import FACE_UP_DJINNS, Colour
from companion.vision.cards.laid_out import is_sure, row_names, with_cards
from companion.vision.cards.sight import CardSight
from companion.vision.reading.reading import Reading
from companion.vision.reading.table import TableReading, UnclearTitle, card_faults


@dataclass(frozen=True, slots=True)
class DoubtfulCard:
    """A resource card not told for sure: in a player's hand, or in the row if `holder` is None; `number` from 0."""

    holder: Colour | None
    number: int
    sight: CardSight


def doubtful_cards(table: TableReading) -> list[DoubtfulCard]:
    """The doubtful cards of the row and of players' goods; not of a row that a code told."""
    laid: list[tuple[Colour | None, tuple[CardSight, ...]]] = [*table.goods.items()]
    if table.reading.position.row == row_names(table.row):
        laid.insert(0, (None, table.row))
    return [
        DoubtfulCard(holder, number, sight)
        for holder, cards in laid
        for number, sight in enumerate(cards)
        if not is_sure(sight)
    ]


def unclear_titles(table: TableReading) -> tuple[UnclearTitle, ...]:
    """The titles that may be those of djinns that are missing from the position (rules 2.7)."""
    return table.titles if len(table.reading.position.djinns or ()) < FACE_UP_DJINNS else ()


def told_card(table: TableReading, doubtful: DoubtfulCard, name: str) -> TableReading:
    """The table's reading with a doubtful card as a person says it is."""
    cards = list(table.row if doubtful.holder is None else table.goods[doubtful.holder])
    cards[doubtful.number] = replace(doubtful.sight, card=name, confidence=1.0, other=None, third=None)
    position = table.reading.position
    if doubtful.holder is None:
        table, position = replace(table, row=tuple(cards)), replace(position, row=row_names(cards))
    else:
        table = replace(table, goods={**table.goods, doubtful.holder: tuple(cards)})
        position = position.with_player(with_cards(position.player(doubtful.holder), cards))
    old = set(card_faults(table.reading.position))
    notes = (*(note for note in table.reading.notes if note not in old), *card_faults(position))
    return replace(table, reading=replace(table.reading, position=position, notes=notes))


def told_title(table: TableReading, title: UnclearTitle, djinn: str) -> TableReading:
    """The table's reading with the djinn that a person says an unclear title names."""
    known = table.reading.position.djinns or ()
    position = replace(table.reading.position, djinns=known if djinn in known else (*known, djinn))
    reading = replace(table.reading, position=position, notes=tuple(_without(table.reading, title.note)))
    return replace(table, reading=reading, titles=tuple(other for other in table.titles if other is not title))


def _without(reading: Reading, note: str) -> Iterator[str]:
    return (other for other in reading.notes if other != note)
