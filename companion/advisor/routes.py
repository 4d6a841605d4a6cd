"""A sowing to show for an advised turn: one legal path and order of drops among the many alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from companion.advisor.kills import Ending
from companion.advisor.ways import Need, Scene, Tolls, toll_of
from companion.rules.engine.sowing import Sowing
from companion.rules.engine.walks import find_walk, visit_planes, visit_vectors, visits
from companion.rules.model.board import Board
from companion.rules.model.components import Tribe


def find_sowing(board: Board, ending: Ending, scene: Scene | None, rates: Tolls, dues: Tolls) -> Sowing:
    """A legal sowing with that ending and scene, for which opponents' djinns are paid least.

    `rates` are the mover's tolls by square, `dues` those of his opponents, in GC. Raises ValueError if
    there is none.
    """
    hand = board[ending.start].meeples
    fits = _fits(ending, scene, rates)
    vectors = [vector for vector in _vectors(ending.start, sum(hand))[ending.end] if fits(vector)]
    # Of those that cost least, the path with the fewest returns is the plainest.
    vector = min(vectors, key=lambda vector: (toll_of(vector, dues), -_squares(vector), vector))
    path = find_walk(ending.start, ending.end, vector)
    return Sowing(ending.start, path, _drops(hand, path, ending, scene))


def _fits(ending: Ending, scene: Scene | None, rates: Tolls) -> Callable[[int], bool]:
    def fits(vector: int) -> bool:
        return (
            visits(vector, ending.end) == ending.visits
            and toll_of(vector, rates) == ending.toll
            and (scene is None or scene.need.met(visits(vector, scene.square)))
        )

    return fits


# Turns that are shown together often start on the same tile.
_vectors = lru_cache(maxsize=2)(visit_vectors)


def _squares(vector: int) -> int:
    """How many squares a walk steps on."""
    ones, twos, fours = visit_planes(vector)
    return (ones | twos | fours).bit_count()


def _drops(hand: tuple[int, ...], path: tuple[int, ...], ending: Ending, scene: Scene | None) -> tuple[Tribe, ...]:
    """Which meeple is left at each step, so that the end tile and the scene get what they need."""
    left = list(hand)
    drops: list[Tribe | None] = [None] * len(path)
    on_end = [index for index, square in enumerate(path) if square == ending.end]
    # The last drop is of the tribe taken; earlier ones on the end tile complete its number (rules 4.5).
    for index in on_end[len(on_end) - ending.dropped :]:
        drops[index] = ending.tribe
        left[ending.tribe] -= 1
    if scene is not None and scene.drop is not None and scene.need is not Need.NEVER:
        index = next(i for i, square in enumerate(path) if square == scene.square and drops[i] is None)
        drops[index] = scene.drop
        left[scene.drop] -= 1
    for index in on_end:
        if drops[index] is None:
            drops[index] = next(tribe for tribe in Tribe if left[tribe] and tribe is not ending.tribe)
            left[drops[index] or 0] -= 1
    rest = iter([tribe for tribe in Tribe for _ in range(left[tribe])])
    return tuple(next(rest) if drop is None else drop for drop in drops)
