"""Position codes as QR codes in a photo."""

from __future__ import annotations

import re

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.load import Picture

CODE_START = re.compile(r"\s*FT\d", re.IGNORECASE)
"""How this program's codes begin, of whatever version."""

SIDES_PX = (1000, 1900)
"""Long sides that a photo is scaled to while looking: a code may be large or small in it."""


def find_codes(photo: Picture) -> list[str]:
    """The texts of all QR codes in a photo; those that look like a position code come first."""
    # The first is quick; the second finds more small and blurred codes.
    detectors = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
    texts: list[str] = []
    for side in SIDES_PX:
        scale = min(1.0, side / max(photo.shape[:2]))
        view = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else photo
        grey = np.asarray(cv2.cvtColor(view, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        for detector in detectors:
            texts += [text for text in _decode(detector, grey) if text not in texts]
        if any(CODE_START.match(text) for text in texts):
            break
    return sorted(texts, key=lambda text: CODE_START.match(text) is None)


def _decode(detector: cv2.GraphicalCodeDetector, grey: NDArray[np.uint8]) -> list[str]:
    try:
        _, decoded, _, _ = detector.detectAndDecodeMulti(grey)
    except cv2.error:
        # Some pictures break the detector's geometry; they hold no readable code either way.
        return []
    return [text for text in decoded if text]
