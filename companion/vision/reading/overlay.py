"""Pictures for a person to look at: the photo with what was read drawn on it, and what is doubtful cut out of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.drawing.label_placement import Disc, LabelRequest, PlacedLabel, arrange_labels, leader, min_letters_px
from companion.language.catalogue import translate
from companion.language.phrase import Phrase, joined, say, term
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe
from companion.vision.board.pieces import pieces_on
from companion.vision.board.rectify import rectify, tile_within
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.numerics import Float64, project, scaled_and_moved, scaled_down
from companion.vision.reading.doubts import card_doubts, tile_lines, unclear_titles
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import Box, CardDetection, Reading, TileReading

LONG_SIDE_PX = 1800
INSET_TILES = 0.03
RIM_TILES = 0.3
"""What is shown around a tile: pieces lean out of it, and neighbours help to find it."""

ZOOM = 2
GAP_PX = 8
CARD_PX = (192, 288)
"""Width and height of the picture of a card."""

TITLE_HEIGHT_PX = 96
TITLE_RIM = 0.6
"""What is shown around a title, in parts of its height."""

BAR_LINES = 6
"""Doubts listed in words below the photo, at most."""

BGR = tuple[int, int, int]
"""A colour: blue, green, red."""

CLEAR: BGR = (90, 170, 60)
DOUBTFUL: BGR = (0, 165, 255)
BAD: BGR = (50, 40, 225)
INK: BGR = (30, 26, 22)
PAPER: BGR = (240, 246, 250)
"""Frames of tiles by how sure they are, letters and their ground."""

PIECE_BGR: dict[str, BGR] = {
    "y": (40, 215, 250),
    "w": (250, 250, 250),
    "b": (215, 90, 30),
    "g": (70, 150, 40),
    "r": (45, 40, 205),
    "K": (45, 42, 40),
    "O": (30, 130, 250),
    "B": (190, 130, 20),
    "P": (170, 80, 225),
    "palm": (60, 110, 20),
    "palace": (40, 165, 200),
}
PIECE_SIGN: dict[str, str] = {"palm": "^", "palace": "#"}
BAD_BELOW = 0.5
_ON_PIECE = 1.5
"""The size of the letter on a piece, in radii of its disc."""

_LABEL_DROP = 0.36
"""How far below its tile's middle a label stands best, in tile sides."""

_PIECE, _BODY = 0.15, 0.2
"""How wide a piece is from its middle, and how far its body reaches above its foot in a photo, in tile sides."""


@dataclass(frozen=True, slots=True)
class OverlayPen:
    """Lengths in px that fit the size of the tiles in the picture; no letter is smaller than `least`."""

    tile: float
    least: float = 0.0

    @property
    def line(self) -> int:
        return max(2, round(self.tile / 45))

    @property
    def text(self) -> int:
        return max(ceil(self.least), round(self.tile / 8.5))


@dataclass(frozen=True, slots=True)
class TileMark:
    """What is drawn of a tile: its outline (4, 2), label and where that stands, its pieces and where, all in px."""

    reading: TileReading
    outline: NDArray[np.int32]
    label: str
    middle: Float64
    pieces: tuple[tuple[str, Float64], ...]

    @property
    def colour(self) -> BGR:
        """Of the outline: loud where a person should look again."""
        if not self.reading.is_doubtful:
            return CLEAR
        return BAD if self.reading.confidence < BAD_BELOW else DOUBTFUL


def draw_overlay(photo: Picture, reading: Reading, language: str = "en") -> Picture:
    """A copy of the photo, at most `LONG_SIDE_PX` long, with the reading drawn on it and doubts listed below."""
    scale = min(1.0, LONG_SIDE_PX / max(photo.shape[:2]))
    canvas = scaled_down(photo, scale) if scale < 1 else photo.copy()
    labels = [str(tile.tile) for tile in reading.tiles]
    least = min_letters_px(*canvas.shape[:2])
    if reading.homography is not None:
        homography = scaled_and_moved(scale) @ np.array(reading.homography)
        pen = OverlayPen(Lattice(homography, 0).tile_px, least)
        marks, coordinates = placed_marks(reading, labels, homography)
        _draw_tiles(canvas, marks, coordinates, pen)
        _draw_coordinates(canvas, coordinates, pen)
    return np.vstack([canvas, _bar(canvas.shape[1], least, reading, language)])


def encode_picture(picture: Picture, suffix: str) -> bytes:
    """The picture as a file's bytes, PNG for ".png" and JPEG for anything else."""
    options = [] if suffix.lower() == ".png" else [cv2.IMWRITE_JPEG_QUALITY, 88]
    _, content = cv2.imencode(".png" if suffix.lower() == ".png" else ".jpg", picture, options)
    return content.tobytes()


def placed_marks(
    reading: Reading, labels: Sequence[str], homography: Float64
) -> tuple[list[TileMark], list[tuple[str, Float64]]]:
    """Where all that is drawn lies in px: tiles, and the letters and numbers of columns and rows."""
    near, far = INSET_TILES, 1 - INSET_TILES
    marks = []
    for square, (tile, label) in enumerate(zip(reading.tiles, labels, strict=True)):
        row, column = divmod(square, COLUMNS)
        corners = [(column + x, row + y) for x, y in ((near, near), (far, near), (far, far), (near, far))]
        marks.append(
            TileMark(
                tile,
                np.rint(project(homography, np.array(corners))).astype(np.int32),
                label,
                project(homography, np.array([(column + 0.5, row + 0.5)]))[0],
                tuple((kind, project(homography, np.array([(x, y)]))[0]) for kind, x, y in tile.detections),
            )
        )
    places = [(SQUARE_NAMES[column][0], (column + 0.5, -0.16)) for column in range(COLUMNS)]
    places += [(str(row + 1), (-0.16, row + 0.5)) for row in range(ROWS)]
    return marks, [(text, project(homography, np.array([board]))[0]) for text, board in places]


def _draw_tiles(
    canvas: Picture, marks: Sequence[TileMark], coordinates: Sequence[tuple[str, Float64]], pen: OverlayPen
) -> None:
    # Doubtful tiles come last: nothing is drawn over what should be looked at.
    for mark in sorted(marks, key=lambda mark: mark.reading.is_doubtful):
        if mark.reading.is_doubtful:
            tint = canvas.copy()
            cv2.fillPoly(tint, [mark.outline], mark.colour)
            cv2.addWeighted(tint, 0.22, canvas, 0.78, 0, canvas)
        width = pen.line * (2 if mark.reading.is_doubtful else 1)
        cv2.polylines(canvas, [mark.outline], True, mark.colour, width, cv2.LINE_AA)
    for mark in marks:
        for kind, place in mark.pieces:
            _draw_piece(canvas, kind, place, pen)
    laid = label_places(marks, coordinates, (canvas.shape[1], canvas.shape[0]), pen)
    for mark, label in sorted(zip(marks, laid, strict=True), key=lambda one: one[0].reading.is_doubtful):
        _draw_label(canvas, mark, label, pen)


def _draw_piece(canvas: Picture, kind: str, place: Float64, pen: OverlayPen) -> None:
    centre = (round(place[0]), round(place[1]))
    radius = max(ceil(pen.least / _ON_PIECE), round(pen.tile / 15))
    colour = PIECE_BGR[kind]
    dark = sum(colour) < 420
    cv2.circle(canvas, centre, radius + 2, (255, 255, 255) if dark else INK, -1, cv2.LINE_AA)
    cv2.circle(canvas, centre, radius, colour, -1, cv2.LINE_AA)
    _write(canvas, PIECE_SIGN.get(kind, kind), centre, round(radius * _ON_PIECE), (255, 255, 255) if dark else INK)


def label_places(
    marks: Sequence[TileMark], coordinates: Sequence[tuple[str, Float64]], area: tuple[int, int], pen: OverlayPen
) -> list[PlacedLabel]:
    """Where the label of each tile stands in a picture of that width and height: over no piece, and over no other.

    The fullest tiles come first, for beside their pieces there is the least room; a label has one line, or two, or says
    only which tile it is, where each piece has its letter.
    """
    discs = [disc for mark in marks for _, place in mark.pieces for disc in body_discs(place, pen.tile)]
    discs += [(float(x), float(y), pen.text * 0.8) for _, (x, y) in coordinates]
    order = sorted(range(len(marks)), key=lambda number: -len(marks[number].pieces))
    wanted = []
    for number in order:
        x, y = float(marks[number].middle[0]), float(marks[number].middle[1])
        sizes = tuple(
            (max(_width(line, pen.text) for line in lines) + 10.0, len(lines) * _line_height(pen) + 4.0)
            for lines in _label_lines(marks[number])
        )
        left, top, width, height = map(float, cv2.boundingRect(marks[number].outline))
        wanted.append(LabelRequest((x, y), (x, y + _LABEL_DROP * pen.tile), sizes, (left, top, width, height)))
    laid = arrange_labels(wanted, discs, [], (0.0, 0.0, float(area[0]), float(area[1])), pen.tile)
    return [laid[order.index(number)] for number in range(len(marks))]


def body_discs(foot: Float64, tile: float) -> list[Disc]:
    """Discs that cover a piece in the photo: its foot, and its body above that; `tile` is a tile's side in px."""
    x, y = float(foot[0]), float(foot[1])
    return [(x, y - share * _BODY * tile, _PIECE * tile) for share in (0.0, 0.5, 1.0)]


def _label_lines(mark: TileMark) -> list[list[str]]:
    """What a tile's label may say: its kind, and what lies on it, which may stand below, or be left to its pieces."""
    sure = " ?" if mark.reading.is_doubtful else ""
    text = mark.label.replace(":", " ", 1) + sure
    lines = [[text], text.split(" ", 1)]
    tile = mark.reading.tile
    return [*lines, [tile.kind.code + sure]] if len(mark.pieces) == len(pieces_on(tile)) else lines


def _line_height(pen: OverlayPen) -> float:
    return pen.text * 1.24


def _draw_label(canvas: Picture, mark: TileMark, laid: PlacedLabel, pen: OverlayPen) -> None:
    left, top, width, height = laid.rect
    corners = (round(left), round(top)), (round(left + width), round(top + height))
    _draw_leader(canvas, mark, laid, pen)
    cv2.rectangle(canvas, *corners, PAPER, -1)
    cv2.rectangle(canvas, *corners, mark.colour, 2, cv2.LINE_AA)
    for number, line in enumerate(_label_lines(mark)[laid.size]):
        middle = top + 2 + (number + 0.5) * _line_height(pen)
        _write(canvas, line, (round(left + width / 2), round(middle)), pen.text, INK)


def _draw_leader(canvas: Picture, mark: TileMark, laid: PlacedLabel, pen: OverlayPen) -> None:
    """A line from a label that had to go off its tile to the tile's edge."""
    line = leader(laid.rect, (float(mark.middle[0]), float(mark.middle[1])), pen.tile)
    if line is not None:
        start, end = ((round(x), round(y)) for x, y in line)
        cv2.line(canvas, start, end, PAPER, 2 * pen.line + 2, cv2.LINE_AA)
        cv2.line(canvas, start, end, mark.colour, pen.line, cv2.LINE_AA)


def _draw_coordinates(canvas: Picture, coordinates: Sequence[tuple[str, Float64]], pen: OverlayPen) -> None:
    for text, (x, y) in coordinates:
        centre = (round(float(x)), round(float(y)))
        cv2.circle(canvas, centre, round(pen.text * 0.8), INK, -1, cv2.LINE_AA)
        _write(canvas, text, centre, pen.text, PAPER)


def _bar(width: int, least: float, reading: Reading, language: str) -> Picture:
    """The strip below the photo: how many tiles are doubtful, and the doubts in words."""
    lines = [translate(line, language) for line in (*tile_lines(reading, BAR_LINES), signs())]
    size = max(ceil(least), width // 85)
    step = round(size * 1.55)
    bar = np.full((step * len(lines) + size, width, 3), PAPER, dtype=np.uint8)
    for number, line in enumerate(lines):
        x, y = size, size + step * number + size // 3
        if number == 0:
            cv2.circle(bar, (x, y), size // 2, DOUBTFUL if reading.doubtful else CLEAR, -1, cv2.LINE_AA)
            x += size
        write_left(bar, line, (x, y), size, INK)
    return bar


def signs() -> Phrase:
    """What the letters and signs on the photo mean."""
    tribes = [joined(" ", (tribe.letter, term(tribe.noun))) for tribe in Tribe]
    camels = [joined(" ", (colour.letter, term(colour.value))) for colour in Colour]
    buildings = [joined(" ", ("^", term("palms"))), joined(" ", ("#", term("palaces")))]
    return say(
        "{tribes}   camels: {camels}   {buildings}",
        tribes=joined("  ", tribes),
        camels=joined("  ", camels),
        buildings=joined("  ", buildings),
    )


def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")


def _width(text: str, size: int) -> int:
    box = cv2.getTextSize((0, 0), text, (0, 0), _font(), size, 600)
    return int(box[2])


def _write(canvas: Picture, text: str, centre: tuple[int, int], size: int, colour: BGR) -> None:
    """Write a line centred on a point."""
    write_left(canvas, text, (centre[0] - _width(text, size) // 2, centre[1]), size, colour)


def write_left(canvas: Picture, text: str, place: tuple[int, int], size: int, colour: BGR) -> None:
    """Write a line that begins at a point, its middle at the point's height."""
    cv2.putText(canvas, text, (place[0], place[1] + round(size * 0.36)), colour, _font(), size, 600)


def doubt_pictures(session: PhotoSession, squares: Collection[int] | None = None) -> dict[str, Picture]:
    """The pictures of all that is doubtful in the reading of photos, by its label.

    `squares` are those of the tiles that are cut out, if not the doubtful ones.
    """
    reading, shots = session.reading, session.shots
    views = [(shots[number].picture, np.array(homography)) for number, homography in reading.views.items()]
    tiles = tile_pictures(views, reading.doubtful if squares is None else squares) if views else {}
    pictures = {SQUARE_NAMES[square]: picture for square, picture in tiles.items()}
    holders = {colour.value: shot for colour, shot in session.goods.items()}
    for doubt in card_doubts(reading):
        holder = doubt.label.rpartition("-")[0]
        shot = shots[reading.row_photo or 0] if holder == "row" else holders[holder]
        if doubt.detection is not None:
            pictures[doubt.label] = card_picture(shot.picture, doubt.detection)
    for title in unclear_titles(reading):
        pictures[title.label] = title_picture(shots[title.photo].picture, title.detection.box)
    return pictures


def tile_pictures(views: Iterable[tuple[Picture, Float64]], squares: Collection[int]) -> dict[int, Picture]:
    """For each square a picture to look at, from all views side by side.

    `views` are photos of the board with their homographies from board coordinates to px.
    """
    boards = [rectify(photo, homography) for photo, homography in views]
    return {square: _side_by_side([tile_within(board, square, RIM_TILES) for board in boards]) for square in squares}


def card_picture(photo: Picture, card: CardDetection) -> Picture:
    """A resource card upright and straight from above, `CARD_PX`."""
    wide, high = CARD_PX
    ideal = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(np.array(card.corners_px, dtype=np.float32), ideal)
    return np.asarray(cv2.warpPerspective(photo, warp, CARD_PX, flags=cv2.INTER_LINEAR), dtype=np.uint8)


def title_picture(photo: Picture, box: Box) -> Picture:
    """A djinn's title as it lies in the photo, with a little around it."""
    left, top, width, height = box
    rim = round(TITLE_RIM * min(width, height))
    part = photo[max(top - rim, 0) : top + height + rim, max(left - rim, 0) : left + width + rim]
    zoom = TITLE_HEIGHT_PX / max(min(part.shape[:2]), 1)
    return np.asarray(cv2.resize(part, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _side_by_side(crops: Sequence[Picture]) -> Picture:
    pictures = [cv2.resize(crop, None, fx=ZOOM, fy=ZOOM, interpolation=cv2.INTER_CUBIC) for crop in crops]
    gap = np.zeros((pictures[0].shape[0], GAP_PX, 3), np.uint8)
    parts = [part for picture in pictures for part in (picture, gap)]
    return np.asarray(np.hstack(parts[:-1]), dtype=np.uint8)
