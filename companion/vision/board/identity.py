"""Whether the tiles found are this game's, and the right way round."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.vision.board.tiles import assign_tiles, half_turn, is_half_turned, tile_probabilities
from companion.vision.load import Picture

FOREIGN_BELOW = 0.45
"""Mean probability of the thirty tiles under which they are another game's: such came to 0.32 at most in trials,
sultanates to 0.64 at least, and to 0.9 where no more pieces stood on them than there are in the box."""

MIRROR_BELOW = 0.85
"""Below this it is worth trying whether the picture is mirrored: mirrored ones came to 0.63 at most."""

MIRROR_GAIN = 0.12
"""By how much a mirrored picture's tiles are surer when it is mirrored back."""


def check_identity(board: Picture, probabilities: NDArray[np.float64]) -> None:
    """Refuse tiles of another game, and a mirrored picture, in which every position would be wrong.

    `board` is the rectified board and `probabilities` (30, 8 kinds, 4 turns) what was made of it, half-turned or
    not. Raises PhotoError with what to do.
    """
    sure = _sureness(probabilities)
    if sure >= MIRROR_BELOW:
        return
    if _sureness(tile_probabilities(np.ascontiguousarray(board[:, ::-1]))) > sure + MIRROR_GAIN:
        raise PhotoError(
            "the photo is mirrored, as front cameras do: take it with the back camera, or mirror it back and try again"
        )
    if sure < FOREIGN_BELOW:
        raise PhotoError(
            "30 squares were found in the photo, but they do not look like the tiles of Five Tribes: "
            "photograph the sultanate from above, in plain light, other games out of the picture"
        )


def _sureness(probabilities: NDArray[np.float64]) -> float:
    """The mean probability of the thirty tiles of the box where they fit best."""
    upright = half_turn(probabilities) if is_half_turned(probabilities) else probabilities
    return float(np.mean([sight.probability for sight in assign_tiles(upright)]))
