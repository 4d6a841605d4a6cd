"""What cards in photos mean: the row from its start, face-up djinns, and players' goods (rules 1.4, 2.6, 2.7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import MissingDependencyError, PhotoError, fault_line
from companion.language.phrase import say, say_many, term
from companion.rules.engine.legality import problems
from companion.rules.model.components import FACE_UP_DJINNS, FAKIR, GOODS, ROW_LENGTH, Colour
from companion.rules.model.position import Player, Position
from companion.system.progress import ReadingStep, TellShare, TellStep
from companion.vision.cards.hands import find_hand, overlapping
from companion.vision.cards.outlines import SAME_CARD, Quad, overlap
from companion.vision.cards.title_lines import find_card_faces
from companion.vision.cards.titles import face_up, lacking_packages, read_titles
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading, TitleDetection, UnclearTitle

NO_CARD = ""
"""What a card is when a person says that something else lies there."""

MIN_IN_LINE = 2
"""Cards that must lie in a line beside a board to be the row: one alone may be anything."""


def add_cards(reading: Reading, shots: Sequence[Shot], goods: Mapping[Colour, Shot]) -> Reading:
    """The reading with the cards seen in photos of the table and in those of players' goods.

    What a code says of the cards stands: then neither cards nor titles are looked at, nor doubted.
    """
    position, held = reading.position, {colour: shot.cards for colour, shot in goods.items()}
    row, row_notes = find_row(shots) if position.row is None else ((), ())
    if row:
        position = replace(position, row=row_names(row))
    titles = tuple(_unclear(shots)) if position.djinns is None else ()
    if position.djinns is None:
        position = replace(position, djinns=_djinns(shots))
    for colour, cards in held.items():
        position = position.with_player(with_cards(position.player(colour), cards))
    notes = (
        *reading.notes,
        *row_notes,
        *(title.note for title in titles),
        *_untitled(shots),
        *_covered(held),
        *card_faults(position),
    )
    row_photo = _photo_of(row, shots)
    return replace(reading, position=position, notes=notes, row=row, goods=held, row_photo=row_photo, titles=titles)


def read_hands(goods: Mapping[Colour, Shot], tell: TellStep) -> dict[Colour, Shot]:
    """Photos of what players have laid out, with the cards in them. Raises PhotoError for a photo without any."""
    held = {}
    for colour, shot in goods.items():
        tell(ReadingStep.CARDS, say("{name}: looking for cards", name=shot.name))
        held[colour] = replace(shot, cards=find_hand(shot.picture))
        if not held[colour].cards:
            raise PhotoError(
                "{shot}: no resource cards found; lay them out face up, so that an upper corner of each shows, "
                "and photograph them from above",
                shot=shot.name,
            )
    return held


def best_name(card: CardDetection) -> str | None:
    """What the card is, or probably is; None if not even a guess was made."""
    return card.card or card.other


def is_sure(card: CardDetection) -> bool:
    """Whether the card was recognised with a margin, so that nobody needs to look at it again."""
    return card.card is not None


def find_row(shots: Sequence[Shot]) -> tuple[tuple[CardDetection, ...], tuple[str, ...]]:
    """The row of resource cards from its start, and sentences about what could not be made of it.

    A photo of cards alone is taken for the row, in one line or several; beside a board it is the longest line. Of
    several photos the one that shows most of it is taken.
    """
    lying = [(row, photo) for photo in shots if (row := _row_in(photo))]
    if not lying:
        return (), ()
    row, photo = max(lying, key=lambda line: (len(line[0]), line[1].board is None, _confidence(line[0])))
    if len(row) > ROW_LENGTH:
        return (), (
            say(
                "{name} shows {number} cards together, but the row holds {row_length}: photograph the "
                "row alone, and what players have with --goods.",
                name=photo.name,
                number=len(row),
                row_length=ROW_LENGTH,
            ),
        )
    return row, ()


def _row_in(photo: Shot) -> tuple[CardDetection, ...]:
    if photo.board is None and photo.coded is not None:
        # A set-up card or a sheet: what looks like cards in it is printed there.
        return ()
    cards = tuple(card for card in photo.cards if not lies_on(card, photo.titles or ()))
    return cards if photo.board is None and len(cards) <= ROW_LENGTH else longest_line(cards)


def longest_line(cards: Sequence[CardDetection]) -> tuple[CardDetection, ...]:
    """The cards beside a board that lie in a line and may be the row."""
    lines = Counter(card.line for card in cards)
    if not lines:
        return ()
    # The first of the longest lines.
    longest, length = max(lines.items(), key=lambda line: (line[1], -line[0]))
    return tuple(card for card in cards if card.line == longest) if length >= MIN_IN_LINE else ()


def lies_on(card: CardDetection, titles: Sequence[TitleDetection]) -> bool:
    """Whether what looks like a resource card is a djinn's: one of these titles lies on it."""
    outline = np.array(card.corners_px, np.float32)
    middles = ((left + wide / 2, top + high / 2) for left, top, wide, high in (title.box for title in titles))
    return any(cv2.pointPolygonTest(outline, middle, False) >= 0 for middle in middles)


def _confidence(cards: Sequence[CardDetection]) -> float:
    return sum(card.confidence for card in cards)


def _photo_of(row: Sequence[CardDetection], shots: Sequence[Shot]) -> int | None:
    """The number of the photo that the row was seen in; cards of two photos may be equal, so it is the very one."""
    for number, photo in enumerate(shots):
        if any(card is first for first in row[:1] for card in photo.cards):
            return number
    return None


def without_none(cards: Sequence[CardDetection]) -> tuple[CardDetection, ...]:
    """The cards without those that a person says are none."""
    return tuple(card for card in cards if card.card != NO_CARD)


def sure_row(beside: Sequence[CardDetection]) -> tuple[str, ...] | None:
    """The row by the names of the cards beside a board, None unless all are sure."""
    row = longest_line(beside)
    return row_names(row) if 0 < len(row) <= ROW_LENGTH and all(map(is_sure, row)) else None


def row_names(cards: Sequence[CardDetection]) -> tuple[str, ...] | None:
    """The row by the cards' names, None if some card cannot be named at all."""
    lying = without_none(cards)
    names = [name for card in lying if (name := best_name(card)) is not None]
    return tuple(names) if len(names) == len(lying) else None


def with_cards(player: Player, cards: Sequence[CardDetection]) -> Player:
    """The player with these cards, and no others, in hand; one that cannot be named is not counted."""
    counts = Counter(best_name(card) for card in cards)
    return replace(player, fakirs=counts[FAKIR], goods=tuple(counts[good] for good in GOODS))


def _djinns(shots: Sequence[Shot]) -> tuple[str, ...] | None:
    """The face-up djinns of all photos; one seen in two photos is one card."""
    likeliest: dict[str, TitleDetection] = {}
    for photo in shots:
        for title in photo.titles or ():
            known = likeliest.get(title.name or "")
            if title.name is not None and (known is None or known.confidence < title.confidence):
                likeliest[title.name] = title
    return face_up(list(likeliest.values())) or None


def _unclear(shots: Sequence[Shot]) -> Iterator[UnclearTitle]:
    unclear = ((photo, title) for photo, seen in enumerate(shots) for title in seen.titles or () if title.name is None)
    for number, (photo, title) in enumerate(unclear, 1):
        yield UnclearTitle(photo, title, _unclear_note(shots[photo].name, title), number)


def _unclear_note(name: str, title: TitleDetection) -> str:
    if not title.text:
        return say(
            "{name}: the title of a card next to recognised djinns couldn't be read; add its name by hand", name=name
        )
    return say(
        "{name}: the title {title!r} can't be matched to a djinn with certainty; add its name by hand",
        name=name,
        title=title.text,
    )


def _untitled(shots: Sequence[Shot]) -> Iterator[str]:
    """What is to be said where djinns' titles were asked for and some or all could not be read."""
    for photo in shots:
        if photo.titled and not photo.titles:
            yield say(
                "no djinn names could be read in {name}: photograph the cards from straight above, filling the picture",
                name=photo.name,
            )
        if photo.titled or photo.titles:
            named = sum(title.name is not None for title in photo.titles or ())
            packages = lacking_packages() if named < FACE_UP_DJINNS else ()
            if packages:
                yield say(
                    "{name}: to read djinn names in other scripts, Tesseract needs more languages: apt install "
                    "{packages}",
                    name=photo.name,
                    packages=" ".join(packages),
                )
        if photo.title_fault is not None:
            yield say(
                "djinn names weren't looked for in {name}: {title_fault}",
                name=photo.name,
                title_fault=photo.title_fault,
            )


def _covered(goods: Mapping[Colour, tuple[CardDetection, ...]]) -> Iterator[str]:
    """What is to be said of hands in which a card may lie hidden wholly."""
    for colour, cards in goods.items():
        if overlapping(cards):
            yield say_many(
                "{count} card was counted for {player}, and cards overlap: check the number",
                "{count} cards were counted for {player}, and some overlap: check the number",
                len(cards),
                player=term(colour),
            )


def card_faults(position: Position) -> Iterator[str]:
    """What the cards together hold that the box does not: some card was misread (rules 1.4)."""
    for problem in problems(position):
        if problem.rule == "1.4":
            yield say("{fault}; check the cards", fault=fault_line(problem))


@dataclass(frozen=True, slots=True)
class HoldingsReading:
    """What a photo shows of what a player has: resource cards and djinns' titles.

    `title_fault` says why titles could not be read, None if they could be or nothing looked like a djinn's card.
    """

    cards: tuple[CardDetection, ...] = ()
    titles: tuple[TitleDetection, ...] = ()
    title_fault: PhotoError | MissingDependencyError | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing at all was found."""
        return not (self.cards or self.titles)


def read_holdings(shot: Shot, tell: TellShare = lambda share, stage: None) -> HoldingsReading:
    """The resource cards and djinns in a photo; `tell` is called with how much is done (0 to 1), and what is."""
    photo = shot.picture
    tell(0.0, say("{name}: looking for cards", name=shot.name))
    cards, faces = find_hand(photo), find_card_faces(photo)
    sure = [card for card in cards if is_sure(card) and _lies(card, cards, faces)]
    outlines = [_outline(card) for card in sure]
    titles: tuple[TitleDetection, ...] = ()
    fault: PhotoError | MissingDependencyError | None = None
    tell(0.45, say("{name}: reading djinn names", name=shot.name))
    if not sure or any(not any(overlap(face, outline) > SAME_CARD for outline in outlines) for face in faces):
        try:
            titles = tuple(read_titles(photo, others=outlines))
        except (PhotoError, MissingDependencyError) as error:
            fault = error
    held = tuple(card for card in cards if any(card is known for known in sure) or not lies_on(card, titles))
    return HoldingsReading(held, titles, fault)


def _lies(card: CardDetection, cards: Sequence[CardDetection], faces: Sequence[Quad]) -> bool:
    """Whether a card was seen whole, or as one of a fan: one made up of symbols alone may be of anything."""
    own = _outline(card)
    others = [_outline(other) for other in cards if other is not card]
    return any(overlap(own, face) > SAME_CARD for face in faces) or any(overlap(own, other) > 0 for other in others)


def _outline(card: CardDetection) -> Quad:
    return np.array(card.corners_px, np.float64)
