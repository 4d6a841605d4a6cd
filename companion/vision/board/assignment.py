"""The assignment of least cost (Hungarian method with potentials), for a board's thirty tiles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def best_assignment(costs: NDArray[np.float64]) -> list[int]:
    """For each row of a square matrix the column it is given, each column once, at least total cost.

    SciPy has the same, at forty megabytes: too much for thirty rows.
    """
    size = len(costs)
    row_price = np.zeros(size + 1)
    column_price = np.zeros(size + 1)
    row_of = np.zeros(size + 1, dtype=int)
    came_from = np.zeros(size + 1, dtype=int)
    for row in range(1, size + 1):
        row_of[0] = row
        slack = np.full(size + 1, np.inf)
        visited = np.zeros(size + 1, dtype=bool)
        column = 0
        while row_of[column]:
            visited[column] = True
            here = row_of[column]
            reduced = costs[here - 1] - row_price[here] - column_price[1:]
            better = ~visited[1:] & (reduced < slack[1:])
            slack[1:][better] = reduced[better]
            came_from[1:][better] = column
            nearest = int(np.where(visited, np.inf, slack)[1:].argmin()) + 1
            step = slack[nearest]
            row_price[row_of[visited]] += step
            column_price[visited] -= step
            slack[~visited] -= step
            column = nearest
        while column:
            row_of[column] = row_of[came_from[column]]
            column = int(came_from[column])
    chosen = [0] * size
    for column in range(1, size + 1):
        chosen[row_of[column] - 1] = column - 1
    return chosen
