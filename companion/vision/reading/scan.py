"""What a photo holds, found before its tiles are read: a position code, the sultanate, both or neither."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.errors import PhotoError, printable, quoted
from companion.language.phrase import say
from companion.notation.codes import decode
from companion.notation.outcome import Outcome, parse_outcome
from companion.rules.model.position import Position
from companion.vision.board.tiles import foreign_fault
from companion.vision.load import Picture
from companion.vision.locate.code_detection import DetectedCode, codes_in, locate_codes
from companion.vision.locate.grid import HALF_TURN, Lattice
from companion.vision.locate.lattice import TwoSultanatesError, UnreadableLatticeError, find_lattice
from companion.vision.numerics import Points, brightest_channel, darkest_channel, project, scaled_and_moved

MIN_COLOUR = 1.5
"""Mean difference between a pixel's largest and smallest channel under which a photo counts as grey."""

DIM_LEVEL = 64.0
"""Mean brightness under which a photo needs less colour than that, in proportion: dark is not grey."""

CODE_SIDES_TILES = (0.9, 4.5)
"""How many of its drawn tiles wide a card's code is: 1.3 on A4, 1.5 on Letter, 1.4 and 1.6 in the first cards. Beside
tiles of the game it is half a tile wide."""

CODE_MIDDLES = np.array([(6.6, 8.1), (8.0, 8.6), (5.6, 7.9)])
"""The middle of a card's code in board coordinates: on A4, on Letter, in the first cards."""

CODE_PLACE_TILES = ((4.0, 6.0), (12.0, 15.0))
"""Between these places, in board coordinates, the middle of a card's code lies; with a template of one's own it may be
farther from `CODE_MIDDLES`."""

MAX_SKEW = np.sin(np.radians(15))
"""A code is printed straight below the drawn board; this much of its side may run across that, of a curled page."""

WINDOW_TILES = ((4.0, 6.3), (10.0, 10.6))
"""Where a card's code is looked for once more, in board coordinates: left and top, right and bottom."""

WINDOW_TILE_PX = 150
"""How large a tile is where it is looked for."""

SHARPENED, SHARPENED_PX = 3.0, 5.0
"""How much of what is finer than this many px is added there: of blurred codes one in three more can be read."""


def is_drawn(lattice: Lattice, codes: Sequence[DetectedCode]) -> bool:
    """Whether the sultanate found in a photo is the drawing on a card that has one of these codes."""
    to_board = np.asarray(np.linalg.inv(lattice.homography), dtype=np.float64)
    cards = [project(to_board, code.corners) for code in codes if code.is_ours or not code.text]
    return any(_is_cards(corners) for card in cards for corners in (card, project(HALF_TURN, card)))


def _is_cards(corners: Points) -> bool:
    """Whether a code with these corners in board coordinates is that of a card on which the board is drawn."""
    middle = corners.mean(axis=0)
    across = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    down = (corners[3] + corners[2] - corners[0] - corners[1]) / 2
    width, height = float(np.linalg.norm(across)), float(np.linalg.norm(down))
    least, most = CODE_SIDES_TILES
    return bool(
        (CODE_PLACE_TILES[0] < middle).all()
        and (middle < CODE_PLACE_TILES[1]).all()
        and least < min(width, height)
        and max(width, height) < most
        and across[0] > 0
        and down[1] > 0
        and abs(across[1]) < MAX_SKEW * width
        and abs(down[0]) < MAX_SKEW * height
    )


def find_cards_code(photo: Picture, lattice: Lattice) -> list[DetectedCode]:
    """The codes, read or not, where a card has its own if the sultanate found in the photo is the drawing on it."""
    size = tuple(round((far - near) * WINDOW_TILE_PX) for near, far in zip(*WINDOW_TILES, strict=True))
    (left, top), tile = WINDOW_TILES[0], WINDOW_TILE_PX
    to_window = scaled_and_moved(tile, -left * tile, -top * tile)
    detected: list[DetectedCode] = []
    high, wide = photo.shape[:2]
    for homography in (lattice.homography, lattice.homography @ HALF_TURN):
        middles = project(homography, CODE_MIDDLES)
        if not ((middles >= 0) & (middles < (wide, high))).all(axis=1).any():
            continue
        to_photo = homography @ np.linalg.inv(to_window)
        way = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        window = cv2.warpPerspective(photo, to_photo, size, flags=way)
        soft = cv2.GaussianBlur(window, (0, 0), SHARPENED_PX)
        sharp = np.asarray(cv2.addWeighted(window, 1 + SHARPENED, soft, -SHARPENED, 0), dtype=np.uint8)
        # A viewer's dark mode shows them light on dark.
        codes = codes_in(sharp) or codes_in(inverted(sharp))
        detected += [replace(code, corners=project(to_photo, code.corners)) for code in codes]
    return detected


@dataclass(frozen=True, slots=True)
class PhotoScan:
    """What was found in a photo, before any tile was read.

    `code` is the position code in it and `coded` the position that it holds; `lattice` is where the sultanate of tiles
    lies, none that is drawn on a card; `fault` says why none was found, None where one was. `outcome` is what a score
    sheet's result code says, `codes` are all codes in the photo.
    """

    code: str | None = None
    coded: Position | None = None
    lattice: Lattice | None = None
    fault: PhotoError | None = None
    outcome: Outcome | None = None
    codes: tuple[DetectedCode, ...] = ()


def scan_photo(photo: Picture, *, for_code: bool = True) -> PhotoScan:
    """Look for position codes, result codes and the sultanate in a photo (H, W, 3), BGR.

    Unless it's looked at `for_code`, only the code of a card is noticed on which the sultanate is drawn. Raises
    PhotoError if there are codes of two positions, NotationError for a damaged or newer code.
    """
    with ThreadPoolExecutor(1) as executor:
        # OpenCV works without Python's lock.
        pending = executor.submit(locate_codes, photo) if for_code else None
        lattice, fault = _find_table(photo, pending.result if pending else lambda: locate_codes(photo))
        codes = pending.result() if pending else []
    if lattice is not None and not is_drawn(lattice, codes):
        codes += find_cards_code(photo, lattice)
    if lattice is None and not codes and for_code:
        codes = locate_codes(inverted(photo))
    if lattice is not None and is_drawn(lattice, codes):
        lattice, fault = None, _drawn_alone(codes)
    if lattice is None and any(code.is_ours for code in codes):
        # A second card may be smaller. A score sheet has its result in a larger code of smaller squares.
        codes += locate_codes(photo, all_sizes=True)
    texts = [code.text for code in codes if code.text]
    ours = [code.text for code in codes if code.is_ours]
    outcome = next((outcome for outcome in map(parse_outcome, texts) if outcome is not None), None)
    if fault is not None and texts and not ours and outcome is None:
        # Its class says whether a board was seen at all.
        fault = type(fault)(
            say(
                "the QR code in the photo is not one of this program's ({quoted}); {error}",
                quoted=quoted(texts[0]),
                error=fault,
            )
        )
    code, coded = (printable(ours[0].strip()), read_codes(ours)) if ours else (None, None)
    return PhotoScan(code, coded, lattice, fault, outcome, tuple(codes))


def _find_table(
    photo: Picture, codes: Callable[[], Sequence[DetectedCode]]
) -> tuple[Lattice | None, PhotoError | None]:
    """The sultanate in a photo, or why there is none; of two the one of this game that no card with a code shows."""
    if is_grey(photo):
        return None, PhotoError(
            "the photo has no colour, but tiles and meeples are told apart by colour: send a colour photo"
        )
    try:
        return find_lattice(photo), None
    except UnreadableLatticeError as error:
        faults = [foreign_fault(photo, lattice) for lattice in error.lattices]
        if all(faults):
            return None, faults[0]
        seen = [lattice for lattice, fault in zip(error.lattices, faults, strict=True) if fault is None]
        tables = [lattice for lattice in seen if not is_drawn(lattice, codes())]
        return (tables[0], None) if isinstance(error, TwoSultanatesError) and len(tables) == 1 else (None, error)
    except PhotoError as error:
        return None, error


def _drawn_alone(codes: Sequence[DetectedCode]) -> PhotoError:
    """Why no board is read from a photo of a card on which one is drawn."""
    if any(code.is_ours for code in codes):
        return PhotoError("the board in the photo is the drawing on a printed card")
    return PhotoError(
        "the board in the photo is the drawing on a printed card, and the card's code can't be read: "
        "photograph it from straight above, in focus, with the card filling the picture"
    )


def inverted(picture: Picture) -> Picture:
    """The picture with light and dark exchanged."""
    return np.asarray(cv2.bitwise_not(picture), dtype=np.uint8)


def read_codes(texts: Sequence[str]) -> Position:
    """The position that the codes of a photo hold; the same code seen twice is one. Raises as `scan_photo`."""
    position, *others = [decode(text) for text in texts]
    if any(other != position for other in others):
        raise PhotoError("there are codes for two positions in the photo: photograph one card or sheet at a time")
    return position


def is_grey(picture: Picture) -> bool:
    """Whether a picture has no colour: a scan in grey, a black and white photo."""
    brightest = brightest_channel(picture)
    colour = float(np.mean(brightest - darkest_channel(picture)))
    return colour < MIN_COLOUR * min(1.0, float(np.mean(brightest)) / DIM_LEVEL)
