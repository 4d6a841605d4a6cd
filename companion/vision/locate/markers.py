"""What is printed to be found in a photo: square markers at the sultanate's corners, and position codes as QR codes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.notation.fiducials import CORNER_MARKER_MM, CORNER_MARKERS, CORNER_RIM_MM
from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.locate.lattice import find_lattice
from companion.vision.numerics import Float64, GreyImage, Points, project

FIRST_SIDE_PX = 1000
"""Long side that a photo is first scaled to: some 10 ms, and no more where no marker is."""

CLOSER_SIDE_PX = 2000
"""Long side for a second pass, where some markers were seen and some not."""

TILE_MM = 64.0
"""Side of a tile with its share of the gaps, to reckon the place of a fourth marker from three."""


CODE_START = re.compile(r"\s*FT\d", re.IGNORECASE)
"""How this program's codes begin, of whatever version."""

CODE_SIDES_PX = (1000, 1900)
"""Long sides that a photo is scaled to while looking: a code may be large or small in it."""

CLOSER_CODE_PX, CLOSER_RIM = 480, 0.12
"""A code that was seen and not read is drawn so large, that share of its picture left around it."""

WINDOWS, WINDOW_SIDE_PX = 3, 1500
"""A closer look: so many windows across and down, each half as wide and high as the photo, and their long side."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker seen: its number in the dictionary and its corners (4, 2) in px, its own top left first, clockwise."""

    number: int
    corners: Points


def find_markers(photo: Picture, numbers: Sequence[int]) -> list[Marker]:
    """The markers of these numbers in a photo, by number; one that is printed twice is found twice."""
    found = _detect_markers(photo, numbers, FIRST_SIDE_PX)
    if found and len(found) < len(numbers) and max(photo.shape[:2]) > FIRST_SIDE_PX:
        closer = _detect_markers(photo, numbers, CLOSER_SIDE_PX)
        found = closer if len(closer) > len(found) else found
    return sorted(found, key=lambda marker: marker.number)


def _detect_markers(photo: Picture, numbers: Sequence[int], side_px: int) -> list[Marker]:
    scale = min(1.0, side_px / max(photo.shape[:2]))
    grey = np.asarray(cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    if scale < 1:
        grey = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_50)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    quads, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(grey)
    if ids is None:
        return []
    # Pixels' middles stay in place when a picture is scaled, so half a pixel is taken off and put back.
    return [
        Marker(int(number), (np.asarray(quad, dtype=np.float64).reshape(4, 2) + 0.5) / scale - 0.5)
        for quad, number in zip(quads, np.ravel(ids), strict=True)
        if int(number) in numbers
    ]


def find_board(photo: Picture) -> Lattice:
    """The sultanate in a photo, by its tiles and by corner markers if there are any.

    Raises PhotoError if neither tells where it lies, if part of it is outside the picture, if there are two, or if it
    is too small to be read.
    """
    starts = board_starts(find_markers(photo, CORNER_MARKERS))
    return find_lattice(photo, starts)


def board_starts(markers: Sequence[Marker]) -> list[Float64]:
    """Homographies from board coordinates to px that corner markers allow, the board lying or standing between them.

    Which marker lies at which corner does not matter: each one's tip shows where the board is. Half-turned ones
    are left out. Empty with fewer than three markers, or if they do not lie as they should.
    """
    if len({marker.number for marker in markers}) != len(markers) or len(markers) < 3:
        return []
    corners = _corners(markers)
    if corners is None:
        return []
    starts = []
    for columns, rows, standing in ((COLUMNS, ROWS, False), (ROWS, COLUMNS, True)):
        homography = _from_tips(corners, columns, rows) if len(corners) == 4 else _from_squares(corners, columns, rows)
        if homography is None:
            continue
        # A board that stands between the markers: its x runs upwards there.
        turn = np.array([[0, 1, 0], [-1, 0, rows], [0, 0, 1]], dtype=np.float64) if standing else np.eye(3)
        starts.append(homography @ turn)
    return starts


def _tip(marker: Marker) -> Points:
    """Where the marker's tip, which touches the tiles, lies in px."""
    reach = CORNER_MARKER_MM + CORNER_RIM_MM
    return np.asarray(project(_from_marker(marker), np.array([(reach, reach)], dtype=np.float64))[0])


def _from_marker(marker: Marker) -> Float64:
    """The homography from mm on the marker, its black square's top left at (0, 0), to px."""
    side = CORNER_MARKER_MM
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], dtype=np.float32)
    return np.asarray(cv2.getPerspectiveTransform(square, marker.corners.astype(np.float32)), dtype=np.float64)


def _corners(markers: Sequence[Marker]) -> dict[int, Marker] | None:
    """Which marker lies at which corner, clockwise, the first one's being 0; None if two lie at one.

    From a corner to the next clockwise a marker is turned clockwise by a quarter.
    """
    corners: dict[int, Marker] = {}
    first = _direction(markers[0])
    for marker in markers:
        quarter = round(((_direction(marker) - first + 360) % 360) / 90) % 4
        corners[quarter] = marker
    if len(corners) != len(markers):
        return None
    tips = np.array([_tip(corners[quarter]) for quarter in sorted(corners)])
    if cv2.contourArea(tips.astype(np.float32), True) <= 0 or not cv2.isContourConvex(tips.astype(np.float32)):
        return None
    return corners


def _direction(marker: Marker) -> float:
    """The direction in degrees, clockwise in the photo, of the marker's own x."""
    across = marker.corners[1] + marker.corners[2] - marker.corners[0] - marker.corners[3]
    return float(np.degrees(np.arctan2(across[1], across[0])))


def _outline(columns: int, rows: int) -> Points:
    return np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], dtype=np.float64)


def _from_tips(corners: dict[int, Marker], columns: int, rows: int) -> Float64:
    tips = np.array([_tip(corners[place]) for place in range(4)], dtype=np.float32)
    outline = _outline(columns, rows).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(outline, tips), dtype=np.float64)


def _from_squares(corners: dict[int, Marker], columns: int, rows: int) -> Float64 | None:
    """From three markers laid straight: the fourth corner follows from their sides."""
    board: list[Points] = []
    photo: list[Points] = []
    near, far = CORNER_RIM_MM / TILE_MM, (CORNER_RIM_MM + CORNER_MARKER_MM) / TILE_MM
    upright = np.array([(0, 0), (-far, -far), (-near, -far), (-near, -near), (-far, -near)])
    for place, marker in corners.items():
        c, s = ((1, 0), (0, 1), (-1, 0), (0, -1))[place]
        board.append(upright @ np.array([[c, s], [-s, c]]) + _outline(columns, rows)[place])
        photo.append(np.vstack([_tip(marker)[None], marker.corners]))
    found, _ = cv2.findHomography(np.vstack(board), np.vstack(photo), 0)
    return None if found is None else np.asarray(found, dtype=np.float64)


@dataclass(frozen=True, slots=True)
class SeenCode:
    """A QR code in a photo: its text, "" if it cannot be read, and where it lies.

    `corners` are those (4, 2) of its dark square in px, its own top left first, clockwise.
    """

    text: str
    corners: Points

    @property
    def is_ours(self) -> bool:
        """Whether it is a position code of this program."""
        return CODE_START.match(self.text) is not None


def find_codes(photo: Picture, *, all_sizes: bool = False) -> list[str]:
    """The texts of the codes that `locate_codes` reads."""
    return [code.text for code in locate_codes(photo, all_sizes=all_sizes) if code.text]


def locate_codes(photo: Picture, *, all_sizes: bool = False) -> list[SeenCode]:
    """The QR codes in a photo, each text once; those that look like a position code come first, unread ones last.

    Once a position code is found, only `all_sizes` looks on for smaller ones.
    """
    codes: list[SeenCode] = []
    for side in CODE_SIDES_PX:
        scale, view = min(1.0, side / max(photo.shape[:2])), photo
        if scale < 1:
            view = np.asarray(cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        # Pixels' middles stay in place when a picture is scaled.
        seen = [replace(code, corners=(code.corners + 0.5) / scale - 0.5) for code in codes_in(view)]
        codes = _each_once([*seen, *codes])
        codes = _each_once([code if code.text else replace(code, text=_read_closer(photo, code)) for code in codes])
        if not all_sizes and any(code.is_ours for code in codes):
            break
    return sorted(codes, key=lambda code: (not code.text, not code.is_ours))


def _each_once(codes: Sequence[SeenCode]) -> list[SeenCode]:
    """The first code of each text, and unread ones where nothing was read."""
    read: dict[str, SeenCode] = {}
    for code in codes:
        if code.text:
            read.setdefault(code.text, code)
    once = [*read.values()]
    for code in codes:
        if not code.text and not any(_same_place(code, other) for other in once):
            once.append(code)
    return once


def _same_place(one: SeenCode, other: SeenCode) -> bool:
    """Whether the middle of one code lies within the other."""
    middle = one.corners.mean(axis=0)
    return cv2.pointPolygonTest(other.corners.astype(np.float32), (middle[0], middle[1]), False) >= 0


def _read_closer(photo: Picture, code: SeenCode) -> str:
    """The text of a code that was seen and not read, from its place in the photo at its full size; "" if that fails."""
    inner = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * (1 - 2 * CLOSER_RIM) + CLOSER_RIM
    place = (inner * CLOSER_CODE_PX).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(code.corners.astype(np.float32), place)
    size = (CLOSER_CODE_PX, CLOSER_CODE_PX)
    view = cv2.warpPerspective(photo, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return next((seen.text for seen in codes_in(np.asarray(view, dtype=np.uint8)) if seen.text), "")


def find_small_codes(photo: Picture) -> list[str]:
    """The texts of QR codes too small for `find_codes`: the photo is looked at window by window, made larger.

    It finds those of a page that fills half the photo, and takes three times as long.
    """
    high, wide = photo.shape[0] * 2 // (WINDOWS + 1), photo.shape[1] * 2 // (WINDOWS + 1)
    scale = WINDOW_SIDE_PX / max(high, wide)
    detector = cv2.QRCodeDetectorAruco()
    texts: list[str] = []
    for row in range(WINDOWS):
        for column in range(WINDOWS):
            top, left = row * high // 2, column * wide // 2
            window = cv2.cvtColor(photo[top : top + high, left : left + wide], cv2.COLOR_BGR2GRAY)
            way = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
            view = np.asarray(cv2.resize(window, None, fx=scale, fy=scale, interpolation=way), dtype=np.uint8)
            texts += [code.text for code in _detect_codes(detector, view) if code.text and code.text not in texts]
    return texts


def codes_in(view: Picture) -> list[SeenCode]:
    """The codes in a picture as large as it is, read or not."""
    grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    # The first is quick; the second finds more small and blurred codes.
    detectors = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    return [code for detector in detectors for code in _detect_codes(detector, grey)]


def _detect_codes(detector: cv2.GraphicalCodeDetector, grey: GreyImage) -> list[SeenCode]:
    try:
        _, texts, corners, _ = detector.detectAndDecodeMulti(grey)
    except cv2.error as error:
        # Some pictures break the detector's geometry; they hold no readable code either way.
        if error.code == cv2.Error.StsNoMem:
            raise
        return []
    except UnicodeDecodeError:
        # A code may hold any bytes; these are no text, and so no code of ours.
        return []
    if corners is None:
        return []
    return [SeenCode(text, np.asarray(place, np.float64)) for text, place in zip(texts, corners, strict=True)]
