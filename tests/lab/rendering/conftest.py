from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.lab.rendering.tile_art import standard_art


@pytest.fixture(scope="session")
def small_art() -> dict[str, list[NDArray[Any]]]:
    """Our own tiles at 96 px, one picture a kind."""
    return {
        code: [np.asarray(cv2.resize(pictures[0], (96, 96), interpolation=cv2.INTER_AREA), np.uint8)]
        for code, pictures in standard_art().items()
    }
