"""Pictures of tables that are no readable sultanate, drawn here or put together from the project's samples."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from companion.rules.model.board import SQUARES
from companion.vision.board.contents_hypotheses import CANDIDATES, Hypotheses, ranked
from companion.vision.board.pieces import GROUPS, MIN_PROB, CountProbs
from companion.vision.load import Picture, load_photo
from companion.vision.locate.grid import Lattice
from companion.vision.locate.lattice import find_lattice

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
SIZE = (1400, 1050)

NUMBER = {group.kind: place for place, group in enumerate(GROUPS)}


def numbers(**of: int) -> tuple[int, ...]:
    """How many of each kind of piece stand on a tile, none of those that aren't given."""
    return tuple(of.get(group.kind, 0) for group in GROUPS)


def independent_hypotheses(probs: CountProbs) -> tuple[Hypotheses, ...]:
    """What may stand on each tile where the numbers of each kind of piece are told each for itself."""
    found = []
    for square in range(SQUARES):
        likeliest: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
        for row in probs:
            logs = np.log(np.maximum(row[square], MIN_PROB)).tolist()
            grown = [(score + log, (*taken, n)) for score, taken in likeliest for n, log in enumerate(logs)]
            likeliest = sorted(grown, key=lambda one: -one[0])[:CANDIDATES]
        scores, contents = zip(*likeliest, strict=True)
        found.append(ranked(np.array(contents), np.array(scores)))
    return tuple(found)


@cache
def whole(name: str) -> Picture:
    """A sample photo as it is, read once for all tests, which must not draw in it."""
    return load_photo(SAMPLES / f"{name}.jpg")


@cache
def located(name: str, *, small: bool = False) -> Lattice:
    """Where the board lies in a sample photo, or in what `sample` gives."""
    return find_lattice(sample(name) if small else whole(name))


def sample(name: str) -> Picture:
    """A sample photo of a whole sultanate, 1400 px wide."""
    return np.asarray(cv2.resize(whole(name), SIZE, interpolation=cv2.INTER_AREA))


def table(seed: int = 0) -> Picture:
    """An empty table of wood."""
    rng = np.random.default_rng(seed)
    grain = cv2.resize(rng.normal(0, 12, (SIZE[1] // 4, 6)).astype(np.float32), SIZE, interpolation=cv2.INTER_CUBIC)
    fine = rng.normal(0, 3, (SIZE[1], SIZE[0])).astype(np.float32)
    return np.clip(np.array([70, 105, 150], np.float32) + (grain + fine)[..., None], 0, 255).astype(np.uint8)


def tilted(flat: Picture, away: float = 0.12) -> Picture:
    """A flat picture as a seated person sees it: its far side narrower."""
    width, height = SIZE
    matrix = cv2.getPerspectiveTransform(
        np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32),
        np.array(
            [(away * width, 0.1 * height), ((1 - away) * width, 0.1 * height), (width, height), (0, height)], np.float32
        ),
    )
    seen = cv2.warpPerspective(flat, matrix, SIZE, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8))


def chess(squares: int = 8, pieces: bool = True) -> Picture:
    """A game of chess, of draughts with ten squares a side."""
    picture = table(1)
    side = 900 // squares
    for row in range(squares):
        for column in range(squares):
            colour = (190, 220, 240) if (row + column) % 2 == 0 else (50, 90, 140)
            corner = (250 + column * side, 75 + row * side)
            cv2.rectangle(picture, corner, (corner[0] + side, corner[1] + side), colour, -1)
            if pieces and (row < 2 or row >= squares - 2):
                middle = (corner[0] + side // 2, corner[1] + side // 2)
                cv2.circle(picture, middle, side // 3, (30, 30, 35) if row < 2 else (225, 235, 240), -1)
                cv2.circle(picture, middle, side // 6, (70, 70, 75) if row < 2 else (180, 190, 200), 2)
    return tilted(picture)


def landscape_tiles(columns: int = 6, rows: int = 5) -> Picture:
    """Square tiles of another game: meadows, roads and towns."""
    rng = np.random.default_rng(4)
    picture = table(4)
    side = min(1000 // columns, 950 // rows)
    for row in range(rows):
        for column in range(columns):
            tile = np.full((side, side, 3), (70, 160, 110), np.uint8)
            tile = cv2.add(tile, rng.integers(0, 25, tile.shape, dtype=np.uint8))
            for _ in range(int(rng.integers(0, 3))):
                ends = rng.integers(0, side, (2, 2))
                cv2.line(tile, ends[0].tolist(), ends[1].tolist(), (200, 220, 225), side // 9)
            if rng.random() < 0.5:
                town = rng.integers(0, side, (4, 2)).astype(np.int32)
                cv2.fillPoly(tile, [cv2.convexHull(town)], (70, 120, 190))
            cv2.rectangle(tile, (0, 0), (side - 1, side - 1), (40, 60, 50), 2)
            picture[60 + row * side : 60 + (row + 1) * side, 200 + column * side : 200 + (column + 1) * side] = tile
    return tilted(picture)


def side_by_side(one: str = "start", other: str = "mid") -> Picture:
    """Two sultanates in one photo."""
    halves = [cv2.resize(sample(name), (900, 675), interpolation=cv2.INTER_AREA) for name in (one, other)]
    return np.hstack(halves)


def covered(name: str, share: float) -> Picture:
    """A sultanate of which that share, at its right, has not been laid: the table's own colour is there."""
    picture = sample(name)
    edge = round(SIZE[0] * (1 - share))
    picture[:, edge:] = table(5)[:, edge:]
    return picture


OTHER_THINGS: dict[str, Callable[[], Picture]] = {
    "chess": chess,
    "tiles of another game": landscape_tiles,
}
"""Pictures without a sultanate."""
