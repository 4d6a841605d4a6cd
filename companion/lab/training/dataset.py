"""Training examples on disk: a rendered photo and what the networks must tell of it, a file each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import UnusableInputError
from companion.lab.rendering.profiles import Profile
from companion.lab.rendering.render import draw_photo
from companion.lab.rendering.truth import Truth
from companion.rules.model.board import SQUARES
from companion.vision.board.pieces import PIECE_CLASSES
from companion.vision.board.tile_similarity import KINDS
from companion.vision.load import Picture

JPEG_QUALITY = 93

TRACED = "traced_"
"""What the names of path-traced examples begin with; they may lie in one folder with others."""

TRACED_REPEATS = 20
"""How many times as often as another a path-traced example is shown at most."""


@dataclass(frozen=True, slots=True)
class Example:
    """A photo and its truth as arrays.

    `jpeg` holds the picture's bytes; `homography` (3, 3) maps board coordinates to px; `feet` (N, 4) are
    class, x, y in board coordinates and visible share; `squares` (N,) the tiles that they stand on, -1 beside
    the sultanate; `kinds` and `turns` (30,) are classes and clockwise quarters by square.
    """

    jpeg: NDArray[np.uint8]
    homography: NDArray[np.float64]
    feet: NDArray[np.float64]
    squares: NDArray[np.int64]
    kinds: NDArray[np.int64]
    turns: NDArray[np.int64]

    @property
    def picture(self) -> Picture:
        """The photo, BGR."""
        return np.asarray(cv2.imdecode(self.jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)


def make_example(picture: Picture, truth: Truth) -> Example:
    """The example that a rendered picture makes."""
    done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    assert done
    inverse = np.linalg.inv(truth.homography)
    feet, squares = [], []
    for piece in truth.pieces:
        x, y, scale = inverse @ np.array([*piece.foot_px, 1.0])
        feet.append((PIECE_CLASSES.index(piece.colour or piece.kind), x / scale, y / scale, piece.visible))
        squares.append(-1 if piece.square is None else piece.square)
    codes = [kind.code for kind in KINDS]
    kinds, turns = np.zeros(SQUARES, dtype=np.int64), np.zeros(SQUARES, dtype=np.int64)
    for tile in truth.tiles:
        kinds[tile.square] = codes.index(tile.code)
        turns[tile.square] = tile.turn
    return Example(
        jpeg.ravel(),
        truth.homography,
        np.array(feet, dtype=np.float64).reshape(-1, 4),
        np.array(squares, dtype=np.int64),
        kinds,
        turns,
    )


def write_arrays(path: Path, *arrays: NDArray[Any], **named: NDArray[Any]) -> None:
    """Write arrays as an .npz file; it takes its name when it is whole, since training may read the folder."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        np.savez(file, *arrays, allow_pickle=False, **named)
    part.replace(path)


def save_example(path: Path, example: Example) -> None:
    """Write an example as an .npz file."""
    write_arrays(path, **{name: getattr(example, name) for name in Example.__slots__})


def example_paths(folder: Path, pattern: str = "*.npz") -> list[Path]:
    """The examples of a folder by name, those that links lead to among them.

    Raises UnusableInputError for what is no folder, for a link that leads nowhere, and if there are none.
    """
    if not folder.is_dir():
        raise UnusableInputError(f"{folder} is not a folder; name a folder of examples")
    paths = sorted(folder.glob(pattern))
    for path in paths:
        if not path.exists():
            raise UnusableInputError(f"{path} is a link to {path.readlink()}, which is not there; remove it or mend it")
    if not paths:
        raise UnusableInputError(f"{folder} holds no example ({pattern}); see docs/training.md on how to make some")
    return paths


def load_example(path: Path) -> Example:
    """Read an example that `save_example` wrote."""
    with np.load(path) as stored:
        return Example(*(stored[name] for name in Example.__slots__))


def example_pools(paths: Sequence[Path], traced_share: float | None) -> list[tuple[float, Sequence[Path]]]:
    """The examples to draw from, each pool with its chance: path-traced ones apart if a share of samples is theirs.

    Without a share, or where one sort is missing, all are one pool. While there are few path-traced ones their share
    is smaller, so that none is learnt by heart: see `TRACED_REPEATS`.
    """
    traced = [path for path in paths if path.name.startswith(TRACED)]
    plain = [path for path in paths if not path.name.startswith(TRACED)]
    if traced_share is None or not traced or not plain:
        return [(1.0, paths)]
    repeated = TRACED_REPEATS * len(traced)
    share = min(traced_share, repeated / (repeated + len(plain)))
    return [(share, traced), (1 - share, plain)]


def pick_example(pools: Sequence[tuple[float, Sequence[Path]]], rng: np.random.Generator) -> Path:
    """An example of one of the pools."""
    number = int(rng.choice(len(pools), p=[chance for chance, _ in pools])) if len(pools) > 1 else 0
    paths = pools[number][1]
    return paths[int(rng.integers(len(paths)))]


def render_example(
    folder: Path,
    art: Mapping[str, Sequence[Picture]] | None,
    own_art_share: float,
    profiles: Sequence[Profile],
    seed: int,
) -> Path:
    """Render the example of a seed into the folder unless it's already there, and give its path.

    `art` is outside tile art by kind; a share of the pictures shows the project's own art all the same. The
    profiles take turns by seed.
    """
    path = folder / f"{seed:07d}.npz"
    if not path.exists():
        rng = np.random.default_rng(seed)
        own = art is None or rng.random() < own_art_share
        width = int(rng.choice([1400, 1700, 2000]))
        size = (width, width * 3 // 4)
        if rng.random() < 0.25:
            size = size[::-1]
        profile = profiles[seed % len(profiles)]
        save_example(path, make_example(*draw_photo(rng, size, profile, None if own else art)))
    return path
