"""Photos of a table, or of what one player has, read to the end with the pictures that a person looks at."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.errors import CompanionError, MissingDependencyError, PhotoError
from companion.inputs import LIMITS, read_file
from companion.language.phrase import Phrase, joined, say
from companion.notation.tokens import parse_board
from companion.opening.photos import read_photos
from companion.opening.source import Content
from companion.resources import check_address_space
from companion.rules.model.board import SQUARES
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.system.progress import ReadingStep, TellShare
from companion.table.photos import (
    HandMark,
    HandPhoto,
    HandReading,
    TableReading,
    board_box,
    cut_homography,
    photo_name,
    upright,
)
from companion.table.scanning import ScannedCodes, scan_codes
from companion.vision.cards.titles import lacking_packages
from companion.vision.load import Picture, decode_photo
from companion.vision.reading.cards import HoldingsReading, add_cards, is_sure, read_holdings
from companion.vision.reading.doubts import card_doubts, doubts, title_doubt
from companion.vision.reading.merge import TILES_FROM_CODE, BoardUnseenError
from companion.vision.reading.overlay import LONG_SIDE_PX, doubt_pictures, encode_picture
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import Box, Homography, Reading, UnclearTitle, certain_tiles

if TYPE_CHECKING:
    from companion.printing.hint.drawing import TurnMarks

_SCAN, _BOARD, _CARDS, _PICTURES = 0.40, 0.35, 0.20, 0.05
"""The parts of the time that the stages take, of photos of a whole board."""

_OPENED = 0.05
"""The part of the time that opening photos of a hand takes."""

CARD_DOUBTS = 6
"""With this many tiles in doubt beside a code, its card was photographed and no board."""

HAND_PX = 1200
"""The long side of a photo of a hand as it is shown on a phone."""

_JPEG = ".jpg"
Point = tuple[float, float]
Answers = Sequence[tuple[str, str]]
"""Answers to doubts, or tiles, by their labels, in the order in which they were given."""


def see_photos(
    files: Sequence[str], own_set: bool, board: str, answers: Answers, tell: TellShare
) -> TableReading | ScannedCodes:
    """The photos of one table in these files, read together, as `pipeline.read_table` reads them, and `answers` taken.

    Of printed cards and score sheets, which show no table, it gives what their codes tell. `own_set` reads them with
    the user's own tiles, if they were learnt; `board` is that of the game that they are of, as `format_board` writes
    it, "" for a new one. Answers that no longer fit are left out. Raises PhotoError for what cannot be read.
    """
    tell(0.0, say("opening"))
    check_address_space()
    contents = tuple(
        Content(photo_name(number, len(files)), read_file(Path(path), LIMITS.photo_bytes), is_picture=True)
        for number, path in enumerate(files)
    )
    share = _Share(len(files), tell)
    game = parse_board(board) if board else None
    try:
        session = read_photos(contents, own_set=own_set, board=game, tell=share.step)
    except PhotoError as error:
        codes = _codes_in(contents, tell)
        if codes is None:
            # Phones have no commands.
            raise PhotoError(error.in_short) if isinstance(error, BoardUnseenError) else error from None
        return codes
    if _is_card(session.as_read) and (codes := _codes_in(contents, tell)):
        return codes
    tell(1 - _PICTURES, say("cutting out the doubtful tiles and cards"))
    pictures = doubt_pictures(session, range(SQUARES))
    crops = {label: encode_picture(picture, _JPEG) for label, picture in pictures.items()}
    if not session.as_read.views:
        return answered(table_reading(session, crops=crops), answers)
    photo, homography = session.board_picture(), session.as_read.homography
    assert homography is not None, "what shows a board knows where it lies"
    left, top, right, bottom = board_box(homography, (photo.shape[1], photo.shape[0]))
    quarters, homography = upright(cut_homography(homography, left, top), (right - left, bottom - top))
    view, scale = _shrunk(np.rot90(photo[top:bottom, left:right], quarters), LONG_SIDE_PX)
    session = replace(session, as_read=replace(session.as_read, homography=_scaled(homography, scale)))
    return answered(table_reading(session, encode_picture(view, _JPEG), (view.shape[1], view.shape[0]), crops), answers)


def table_reading(
    session: PhotoSession,
    view: bytes | None = None,
    size: tuple[int, int] = (0, 0),
    crops: Mapping[str, bytes] = MappingProxyType({}),
) -> TableReading:
    """Photos as they are shown, with their pictures as `TableReading` has them."""
    reading = session.reading
    # How a card was detected no page asks.
    questions = tuple(replace(doubt, detection=None) for doubt in doubts(reading) if doubt.tile is None)
    state = pickle.dumps(session.without_pictures())
    return TableReading(session.as_read, reading, questions, view, size, dict(crops), frozenset(session.answers), state)


def take_answers(seen: TableReading, answers: Answers, tell: TellShare) -> TableReading:
    """The same with answers to doubts, or tiles by their squares' names. Raises as `PhotoSession.answered`."""
    session: PhotoSession = pickle.loads(seen.state)
    return table_reading(session.answered(dict(answers)), seen.view, seen.size, seen.crops)


def answered(seen: TableReading, answers: Answers) -> TableReading:
    """The same with answers given before; those that no longer fit are left out."""
    for answer in answers:
        with suppress(CompanionError):
            seen = take_answers(seen, [answer], lambda share, doing: None)
    return seen


def draw_turn(seen: TableReading, marks: TurnMarks, language: str, tell: TellShare) -> bytes:
    """A turn as numbered arrows on the photo of the board, as JPEG."""
    from companion.printing.hint.picture import marked_photo

    homography = seen.reading.homography
    assert seen.view is not None and homography is not None, "there is a photo of the board"
    feet = {square: [(x, y) for _, x, y in tile.detections] for square, tile in enumerate(seen.reading.tiles)}
    return marked_photo(decode_photo(seen.view, photo_name(0, 1)), homography, feet, marks, (), _JPEG, language)


def _is_card(reading: Reading) -> bool:
    """Whether photos show a printed card with its code, and no table: drawn pieces leave a great many doubts."""
    if not reading.views:
        return reading.code is not None
    return TILES_FROM_CODE in reading.notes and len(reading.doubtful) >= CARD_DOUBTS


def _codes_in(contents: Sequence[Content], tell: TellShare) -> ScannedCodes | None:
    """What the codes of cards and sheets in photos tell; None without any."""
    try:
        return scan_codes([content.data for content in contents], tell)
    except CompanionError:
        return None


class _Share:
    """Makes shares of the whole of the reader's steps, in the order in which it comes to them."""

    def __init__(self, photos: int, tell: TellShare) -> None:
        self._photos = photos
        self._tell = tell
        self._scanned = 0
        self._read = 0

    def step(self, step: ReadingStep, words: str) -> None:
        """A step begins: all photos are scanned first, then each one's board and cards are read."""
        if step is ReadingStep.SCAN:
            self._tell(_SCAN * self._scanned / self._photos, words)
            self._scanned += 1
            return
        is_board = step is ReadingStep.BOARD
        self._read += is_board
        done = max(0, self._read - 1) * (_BOARD + _CARDS) + (0.0 if is_board else _BOARD)
        self._tell(min(_SCAN + done / self._photos, 1 - _PICTURES), words)


def _shrunk(photo: Picture, long_side: int) -> tuple[Picture, float]:
    """The photo as large as it is shown, and by how much it was made smaller."""
    scale = min(1.0, long_side / max(photo.shape[:2]))
    if scale == 1.0:
        return photo, scale
    return np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def _scaled(homography: Homography, scale: float) -> Homography:
    (a, b, c), (d, e, f), last = homography
    return (scale * a, scale * b, scale * c), (scale * d, scale * e, scale * f), last


def see_hand(photos: Sequence[bytes], position: Position, colour: Colour, tell: TellShare) -> HandReading:
    """What photos of one player's things show, each sort from the photo with most of it; only that player's things are
    looked at in `position`. Raises PhotoError for no photo, or where nothing was found.
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

        def tell_part(done: float, doing: str, begun: float = begun) -> None:
            tell(begun + done * share, doing)

        readings.append(read_holdings(shot, tell_part))
    if all(reading.is_empty for reading in readings):
        raise PhotoError(_nothing(readings))
    tell(1 - _PICTURES, say("cutting out the doubtful tiles and cards"))
    return _put_together(shots, readings, position, colour)


def _put_together(
    shots: Sequence[Shot], readings: Sequence[HoldingsReading], position: Position, colour: Colour
) -> HandReading:
    with_cards = max(range(len(shots)), key=lambda number: len(readings[number].cards))
    cards = readings[with_cards].cards
    goods = {colour: replace(shots[with_cards], cards=cards)} if cards else {}
    reading = add_cards(Reading(position, certain_tiles(position.board)), (), goods)
    all_titles = [(number, title) for number, seen in enumerate(readings) for title in seen.titles]
    djinns = tuple(dict.fromkeys(title.name for _, title in all_titles if title.name is not None))
    unclear = [(number, title) for number, title in all_titles if title.name is None]
    titles = tuple(UnclearTitle(number, title, "", at) for at, (number, title) in enumerate(unclear, 1))
    # Djinns that titles name are the player's.
    reading = replace(reading, position=replace(reading.position, djinns=()), titles=titles)
    session = PhotoSession(tuple(shots), reading, goods=goods)
    views = tuple(
        _shown(shot.picture, replace(seen, cards=seen.cards if number == with_cards else ()))
        for number, (shot, seen) in enumerate(zip(shots, readings, strict=True))
    )
    crops = {label: encode_picture(picture, _JPEG) for label, picture in doubt_pictures(session).items()}
    return _held(HandReading(colour, None, djinns, photos=views, crops=crops, unread=_unread_titles(readings)), session)


def _held(hand: HandReading, session: PhotoSession) -> HandReading:
    """The hand as it is known by now."""
    reading = session.reading
    asked = (*card_doubts(reading), *map(title_doubt, reading.titles))
    return replace(
        hand,
        cards=reading.position.player(hand.colour) if reading.goods else None,
        djinns=tuple(dict.fromkeys((*hand.djinns, *(reading.position.djinns or ())))),
        doubts=tuple(replace(one, detection=None) for one in asked),
        notes=reading.notes,
        state=pickle.dumps(session.without_pictures()),
    )


def answer_hand(hand: HandReading, label: str, answer: str, tell: TellShare) -> HandReading:
    """The same with an answer to a doubt. Raises as `PhotoSession.answered`."""
    session: PhotoSession = pickle.loads(hand.state)
    return _held(hand, session.answered({label: answer}))


def _shown(photo: Picture, reading: HoldingsReading) -> HandPhoto:
    view, scale = _shrunk(photo, HAND_PX)
    marks = tuple(
        HandMark(tuple((round(x * scale, 1), round(y * scale, 1)) for x, y in outline), sure)
        for outline, sure in _marks(reading)
    )
    return HandPhoto(encode_picture(view, _JPEG), (view.shape[1], view.shape[0]), marks)


def _marks(reading: HoldingsReading) -> Iterator[tuple[Sequence[Point], bool]]:
    yield from ((card.corners_px, is_sure(card)) for card in reading.cards)
    yield from ((_box_corners(title.box), title.name is not None) for title in reading.titles)


def _box_corners(box: Box) -> list[Point]:
    left, top, wide, high = box
    rim = high / 3
    right, bottom = left + wide + rim, top + high + rim
    return [(left - rim, top - rim), (right, top - rim), (right, bottom), (left - rim, bottom)]


def _unread_titles(readings: Sequence[HoldingsReading]) -> Phrase | None:
    """Why djinns' names were not read, or not all; None where nothing is missing."""
    faults = [reading.title_fault for reading in readings if reading.title_fault is not None]
    if any(isinstance(fault, MissingDependencyError) for fault in faults):
        return say(
            "Djinn names weren't read, because Tesseract isn't installed on the computer (apt install "
            "tesseract-ocr): tap them below."
        )
    if faults:
        return say("Djinn names weren't read ({fault}): tap them below.", fault=str(faults[0]))
    packages = lacking_packages() if any(title.name is None for reading in readings for title in reading.titles) else ()
    if packages:
        return say(
            "To read djinn names in other scripts, Tesseract needs more languages: apt install {packages}",
            packages=" ".join(packages),
        )
    return None


def _nothing(readings: Sequence[HoldingsReading]) -> Phrase:
    wanted = say(
        "No goods cards or djinns were found: lay them out face up on a plain table, with an upper corner of each card "
        "showing, and photograph them from above."
    )
    unread = _unread_titles(readings)
    return wanted if unread is None else joined(" ", (wanted, unread))
