from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.lab.rendering.tile_art import draw_tile
from companion.rules.model.components import TILE_KINDS


@pytest.fixture(scope="session")
def small_art() -> dict[str, list[NDArray[Any]]]:
    """Our own tiles at 96 px, one picture a kind: quick to draw."""
    return {code: [draw_tile(code, np.random.default_rng(5), 96)] for code in TILE_KINDS}
