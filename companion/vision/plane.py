"""Points on a plane and the homographies that move them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""Points as (N, 2), x before y."""


def project(homography: NDArray[np.float64], points: Points) -> Points:
    """Where a homography (3, 3) moves points (N, 2)."""
    mapped = np.hstack([points, np.ones((len(points), 1))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:3])
