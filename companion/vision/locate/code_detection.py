"""The QR codes in a photo: position codes, result codes, and others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.load import Picture
from companion.vision.numerics import GreyImage, Points, scaled_down

CODE_START = re.compile(r"\s*FT\d", re.IGNORECASE)
"""How this program's codes begin, of whatever version."""

CODE_SIDES_PX = (1000, 1900)
"""Long sides that a photo is scaled to while looking: a code may be large or small in it."""

CLOSER_CODE_PX, CLOSER_RIM = 480, 0.12
"""A code that was seen and not read is drawn so large, that share of its picture left around it."""

WINDOWS, WINDOW_SIDE_PX = 3, 1500
"""A closer look: how many windows across and down, each half as wide and high as the photo, and their long side."""


@dataclass(frozen=True, slots=True)
class DetectedCode:
    """A QR code in a photo: its text, "" if it cannot be read, and where it lies.

    `corners` are those (4, 2) of its dark square in px, its own top left first, clockwise.
    """

    text: str
    corners: Points

    @property
    def is_ours(self) -> bool:
        """Whether it is a position code of this program."""
        return CODE_START.match(self.text) is not None


def find_codes(photo: Picture) -> list[str]:
    """The texts of the codes in a photo that `locate_codes` reads, of all sizes."""
    return [code.text for code in locate_codes(photo, all_sizes=True) if code.text]


def locate_codes(photo: Picture, *, all_sizes: bool = False) -> list[DetectedCode]:
    """The QR codes in a photo, each text once; those that look like a position code come first, unread ones last.

    Once a position code is found, only `all_sizes` looks on for smaller ones.
    """
    codes: list[DetectedCode] = []
    for side in CODE_SIDES_PX:
        scale = min(1.0, side / max(photo.shape[:2]))
        # Pixels' middles stay in place when a picture is scaled.
        seen = [
            replace(code, corners=(code.corners + 0.5) / scale - 0.5) for code in codes_in(scaled_down(photo, scale))
        ]
        codes = _each_once([*seen, *codes])
        codes = _each_once([code if code.text else replace(code, text=_read_closer(photo, code)) for code in codes])
        if not all_sizes and any(code.is_ours for code in codes):
            break
    return sorted(codes, key=lambda code: (not code.text, not code.is_ours))


def _each_once(codes: Sequence[DetectedCode]) -> list[DetectedCode]:
    """The first code of each text, and unread ones where nothing was read."""
    read: dict[str, DetectedCode] = {}
    for code in codes:
        if code.text:
            read.setdefault(code.text, code)
    once = [*read.values()]
    for code in codes:
        if not code.text and not any(_same_place(code, other) for other in once):
            once.append(code)
    return once


def _same_place(one: DetectedCode, other: DetectedCode) -> bool:
    """Whether the middle of one code lies within the other."""
    middle = one.corners.mean(axis=0)
    return cv2.pointPolygonTest(other.corners.astype(np.float32), (middle[0], middle[1]), False) >= 0


def _read_closer(photo: Picture, code: DetectedCode) -> str:
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


def codes_in(view: Picture) -> list[DetectedCode]:
    """The codes in a picture as large as it is, read or not."""
    grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    # The first is quick; the second finds more small and blurred codes.
    detectors = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    return [code for detector in detectors for code in _detect_codes(detector, grey)]


def _detect_codes(detector: cv2.GraphicalCodeDetector, grey: GreyImage) -> list[DetectedCode]:
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
    return [DetectedCode(text, np.asarray(place, np.float64)) for text, place in zip(texts, corners, strict=True)]
