"""What was changed on the rectified board, changed in the same way on its `rectify.DETAIL` times larger picture."""

from __future__ import annotations

import cv2
import numpy as np

from companion.vision.load import Picture


def replaced(fine: Picture, board: Picture, after: Picture) -> Picture:
    """The larger picture with what `after` shows in place of the board: pieces that were painted over."""
    if after is board:
        return fine
    size = (fine.shape[1], fine.shape[0])
    mask = (after != board).any(axis=2).astype(np.uint8)
    # One pixel more: their rims lie beyond the smaller picture's pixels.
    mask = cv2.resize(cv2.dilate(mask, np.ones((3, 3), np.uint8)), size, interpolation=cv2.INTER_NEAREST)
    wide = cv2.resize(after, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.where(mask[..., None] > 0, wide, fine), dtype=np.uint8)


def shifted(fine: Picture, board: Picture, after: Picture) -> Picture:
    """The larger picture with its colours moved as far as those of the board were: pieces of unusual paints."""
    if after is board:
        return fine
    moved = cv2.subtract(after, board, dtype=cv2.CV_16S)
    wide = cv2.resize(moved, (fine.shape[1], fine.shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.add(fine, wide, dtype=cv2.CV_8U), dtype=np.uint8)
