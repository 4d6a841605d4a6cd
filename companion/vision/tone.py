"""A photo in other tones: what is pale, dark or flat in it brought out."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.load import Picture


def with_local_contrast(picture: Picture, limit: float, squares: int) -> Picture:
    """The picture (BGR) as a phone that lifts shadows shows it: its lightness equalised square by square (CLAHE)."""
    lightness, *colours = cv2.split(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB))
    equalised = cv2.createCLAHE(limit, (squares, squares)).apply(lightness)
    return np.asarray(cv2.cvtColor(cv2.merge([equalised, *colours]), cv2.COLOR_LAB2BGR), dtype=np.uint8)


def with_gamma(picture: Picture, gamma: float) -> Picture:
    """The picture with its levels, as shares of white, raised to the power `gamma`: above 1, what is pale darkens."""
    levels = np.rint(255 * np.linspace(0, 1, 256) ** gamma).astype(np.uint8)
    return np.asarray(cv2.LUT(picture, levels), dtype=np.uint8)
