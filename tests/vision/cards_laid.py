"""Photos of the calibration card for tests: flat pieces on the page as printed, seen by a phone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np

from companion.lab.rendering.calibration_photo import MARGIN_MM, PX_PER_MM, card_page
from companion.notation.fiducials import CARD_PIECES, FIELD_MM, field_corner
from companion.vision.load import Picture

PIECES: Mapping[str, tuple[int, int, int]] = {
    "y": (40, 190, 225), "w": (205, 215, 222), "b": (150, 60, 30), "g": (60, 110, 25), "r": (40, 30, 185),
    "K": (35, 36, 38), "O": (30, 100, 230), "B": (140, 100, 30), "P": (130, 70, 190),
    "palm": (50, 105, 30), "palace": (60, 130, 180),
}  # fmt: skip
"""BGR of the pieces laid, as they are beside paper of 244."""


@cache
def _page() -> Picture:
    return card_page()


def laid(pieces: Mapping[str, tuple[int, int, int]] = PIECES) -> Picture:
    """The card's page with a plain piece in each of these fields, and the shadow it throws."""
    page = _page().copy()
    for number, name in enumerate(CARD_PIECES):
        if name not in pieces:
            continue
        middle = (np.array(field_corner(number)) + FIELD_MM / 2 + MARGIN_MM) * PX_PER_MM
        size = np.array([8.5, 7.5] if len(name) == 1 else [11, 10]) * PX_PER_MM
        shade = np.zeros(page.shape[:2], np.float32)
        _ellipse(shade, middle + 12, size, 0.4)
        page[:] = (page * (1 - cv2.GaussianBlur(shade, (0, 0), 8))[..., None]).astype(np.uint8)
        _ellipse(page, middle, size, pieces[name])
    return page


def _ellipse(picture: np.ndarray, middle: np.ndarray, size: np.ndarray, paint: object) -> None:
    x, y = (round(float(value)) for value in middle)
    across, down = (round(float(value)) for value in size)
    cv2.ellipse(picture, (x, y), (across, down), 15, 0, 360, paint, -1, cv2.LINE_AA)  # type: ignore[call-overload]


def seen(
    page: Picture, *, lamp: tuple[float, float, float] = (0.9, 0.95, 1.0), blur: float = 0.8, quarters: int = 0
) -> Picture:
    """The page on a brown table: tilted, dimmer on one side, in a lamp's colour (BGR), noisy."""
    height, width = page.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    places = (corners * 0.8 + (130, 140) + [[60, 30], [-20, 10], [50, -20], [-40, 60]]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, places)
    ground = (70, 95, 130)
    photo = cv2.warpPerspective(page, matrix, (width, height), flags=cv2.INTER_AREA, borderValue=ground)
    light = np.linspace(0.75, 1.0, width)[None, :, None] * np.array(lamp)
    noise = np.random.default_rng(4).normal(0, 3, photo.shape)
    lit = 255 * ((photo / 255) ** 2.2 * light) ** (1 / 2.2)
    soft = cv2.GaussianBlur(lit, (0, 0), blur) + noise
    return np.ascontiguousarray(np.rot90(np.clip(soft, 0, 255).astype(np.uint8), quarters))
