"""Photos of what one player has, looked through with the pictures that a person looks at while he answers doubts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.errors import MissingDependencyError, PhotoError
from companion.language.phrase import Phrase, say
from companion.progress import TellShare
from companion.resources import check_address_space
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.table.hands import HandMark, HandPhoto, MarkKind, SeenHand
from companion.table.photos import photo_name
from companion.vision.board.reading import Reading, TileReading
from companion.vision.cards.titles import TitleDetection, lacking_packages
from companion.vision.load import Picture, decode_photo
from companion.vision.reading.cards import add_cards, is_sure
from companion.vision.reading.holdings import HoldingsReading, read_holdings
from companion.vision.reading.overlay import doubt_pictures, encode_picture, title_picture
from companion.vision.reading.table import Shot, TableReading, UnclearTitle

VIEW_PX = 1200
"""The long side of a photo as it is shown on a phone."""

_OPENED, _PICTURES = 0.05, 0.05
"""The parts of the time that opening photos and cutting out takes."""

_JPEG = ".jpg"
Point = tuple[float, float]


def see_hand(photos: Sequence[bytes], position: Position, colour: Colour, tell: TellShare) -> SeenHand:
    """What photos of one player's things show; of several photos each sort is taken from the one with most of it.

    `position` is what is known of the game, where only that player's own things are looked at and changed. Raises
    PhotoError for what is no photo, and where nothing at all was found.
    """
    check_address_space()
    tell(0.0, say("opening"))
    shots = [
        Shot(name, decode_photo(content, name))
        for name, content in ((photo_name(number, len(photos)), content) for number, content in enumerate(photos))
    ]
    share = (1 - _OPENED - _PICTURES) / len(shots)
    readings = []
    for number, shot in enumerate(shots):
        begun = _OPENED + number * share

        def told(done: float, doing: str, begun: float = begun) -> None:
            tell(begun + done * share, doing)

        readings.append(read_holdings(shot, told))
    if all(reading.is_empty for reading in readings):
        raise PhotoError(_nothing(readings))
    tell(1 - _PICTURES, say("cutting out what is doubtful"))
    return _put_together(shots, readings, position, colour)


def _put_together(
    shots: Sequence[Shot], readings: Sequence[HoldingsReading], position: Position, colour: Colour
) -> SeenHand:
    with_cards = max(range(len(shots)), key=lambda number: len(readings[number].cards))
    goods = {colour: readings[with_cards].cards} if readings[with_cards].cards else {}
    tiles = tuple(TileReading(tile, confidence=1.0) for tile in position.board)
    table = TableReading(Reading(position, tiles, turned=0))
    table = add_cards(table, (), goods)
    all_titles = [(number, title) for number, reading in enumerate(readings) for title in reading.titles]
    djinns = tuple(dict.fromkeys(title.name for _, title in all_titles if title.name is not None))
    unclear = [(number, title) for number, title in all_titles if title.name is None]
    titles = tuple(UnclearTitle(number, title, "", at) for at, (number, title) in enumerate(unclear, 1))
    pictures = doubt_pictures(shots, {colour: shots[with_cards]}, table).cards
    crops = {label: encode_picture(picture, _JPEG) for label, picture in pictures.items()}
    for title in titles:
        picture = title_picture(shots[title.photo].picture, title.detection.box)
        crops[title.label] = encode_picture(picture, _JPEG)
    shown = tuple(
        _shown(
            shot.picture,
            replace(reading, cards=reading.cards if number == with_cards else ()),
        )
        for number, (shot, reading) in enumerate(zip(shots, readings, strict=True))
    )
    return SeenHand(colour, table, djinns, titles, shown, crops, _untold(readings))


def _shown(photo: Picture, reading: HoldingsReading) -> HandPhoto:
    scale = min(1.0, VIEW_PX / max(photo.shape[:2]))
    view = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    marks = tuple(
        HandMark(kind, tuple((round(x * scale, 1), round(y * scale, 1)) for x, y in outline), sure)
        for kind, outline, sure in _marks(reading)
    )
    return HandPhoto(encode_picture(view, _JPEG), (view.shape[1], view.shape[0]), marks)


def _marks(reading: HoldingsReading) -> Iterator[tuple[MarkKind, Sequence[Point], bool]]:
    for card in reading.cards:
        yield MarkKind.CARD, card.corners_px, is_sure(card)
    for title in reading.titles:
        yield MarkKind.DJINN, _box_corners(title), title.name is not None


def _box_corners(title: TitleDetection) -> list[Point]:
    left, top, wide, high = title.box
    rim = high / 3
    return [
        (left - rim, top - rim),
        (left + wide + rim, top - rim),
        (left + wide + rim, top + high + rim),
        (left - rim, top + high + rim),
    ]


def _untold(readings: Sequence[HoldingsReading]) -> Phrase | None:
    """Why djinns' names were not read, or not all; None where nothing is missing."""
    faults = [reading.title_fault for reading in readings if reading.title_fault is not None]
    if any(isinstance(fault, MissingDependencyError) for fault in faults):
        return say(
            "Djinns' names were not read, for Tesseract is not installed on the computer (apt install tesseract-ocr): "
            "tap them below."
        )
    if faults:
        return say("Djinns' names were not read ({fault}): tap them below.", fault=str(faults[0]))
    packages = lacking_packages() if any(title.name is None for one in readings for title in one.titles) else ()
    if packages:
        return say(
            "If djinns' names are in other letters, Tesseract needs more to read them: apt install {packages}",
            packages=" ".join(packages),
        )
    return None


def _nothing(readings: Sequence[HoldingsReading]) -> Phrase:
    wanted = say(
        "No goods cards or djinns were found: lay them out face up on a plain table, with an upper corner of each card "
        "showing, and photograph them from above."
    )
    untold = _untold(readings)
    return wanted if untold is None else say("{wanted} {untold}", wanted=wanted, untold=untold)
