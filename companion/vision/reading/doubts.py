"""What a person should look at again in a reading: one kind of doubt for tiles, resource cards and djinns' titles.

The terminal asks about doubts, the phone page shows them with buttons to tap, and the overlay lists those of tiles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from companion.language.phrase import Phrase, capitalised, joined, named, say, say_many, term
from companion.notation.names import parse_card, parse_djinn
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.board import SQUARE_NAMES, SQUARES
from companion.rules.model.components import CARD_COUNTS, FACE_UP_DJINNS, Colour
from companion.vision.board.decision import differences
from companion.vision.cards.titles import rank_names
from companion.vision.reading.cards import NO_CARD, card_faults, is_sure, row_names, with_cards
from companion.vision.readings import NOTHING, CardDetection, Choice, Doubt, Reading, UnclearTitle

_LIKELY = 3
"""How many answers stand before the long list: what was seen, and what it may be besides."""


def doubts(reading: Reading) -> tuple[Doubt, ...]:
    """All that is doubtful in a reading: tiles where most is at stake first, then cards, then titles."""
    return (*tile_doubts(reading), *card_doubts(reading), *map(title_doubt, unclear_titles(reading)))


def tile_doubts(reading: Reading) -> tuple[Doubt, ...]:
    """The doubtful tiles, first where most is at stake."""
    return tuple(tile_doubt(reading, square) for square in reading.doubtful)


def tile_lines(reading: Reading, most: int = SQUARES) -> Iterator[Phrase]:
    """A line that sums up how the tiles were read, then one for each of the first `most` doubts."""
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


def card_doubts(reading: Reading) -> Iterator[Doubt]:
    """The doubtful cards of the row and of players' goods; not of a row that a code gave."""
    laid: list[tuple[Colour | None, Sequence[CardDetection]]] = [*reading.goods.items()]
    if reading.position.row == row_names(reading.row):
        laid.insert(0, (None, reading.row))
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


def unclear_titles(reading: Reading) -> tuple[UnclearTitle, ...]:
    """The titles that may be those of djinns that are missing from the position (rules 2.7)."""
    return reading.titles if len(reading.position.djinns or ()) < FACE_UP_DJINNS else ()


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


def correct_cards(reading: Reading, answers: Mapping[str, str]) -> Reading:
    """The reading with answers to doubts about cards and titles, by their labels.

    Raises NotationError for what is no card or djinn.
    """
    titles = {title.label: title for title in reading.titles}
    for label, answer in answers.items():
        if label in titles:
            reading = _correct_title(reading, titles[label], parse_title(answer))
        else:
            holder, _, number = label.rpartition("-")
            name = NO_CARD if answer == NOTHING else parse_card(answer)
            reading = _correct_card(reading, None if holder == "row" else Colour(holder), int(number) - 1, name)
    return reading


def parse_title(answer: str) -> str | None:
    """The djinn that a title names; None for what is no djinn's title. Raises NotationError for no djinn."""
    return None if answer == NOTHING else parse_djinn(answer)


def _correct_card(reading: Reading, holder: Colour | None, number: int, name: str) -> Reading:
    cards = list(reading.row if holder is None else reading.goods[holder])
    cards[number] = replace(cards[number], card=name, confidence=1.0, other=None, third=None)
    position = reading.position
    if holder is None:
        reading, position = replace(reading, row=tuple(cards)), replace(position, row=row_names(cards))
    else:
        reading = replace(reading, goods={**reading.goods, holder: tuple(cards)})
        position = position.with_player(with_cards(position.player(holder), cards))
    old = set(card_faults(reading.position))
    notes = (*(note for note in reading.notes if note not in old), *card_faults(position))
    return replace(reading, position=position, notes=notes)


def _correct_title(reading: Reading, title: UnclearTitle, djinn: str | None) -> Reading:
    position = reading.position
    if djinn is not None and djinn not in (position.djinns or ()):
        position = replace(position, djinns=(*(position.djinns or ()), djinn))
    notes = tuple(note for note in reading.notes if note != title.note)
    left = tuple(other for other in reading.titles if other is not title)
    return replace(reading, position=position, notes=notes, titles=left)
