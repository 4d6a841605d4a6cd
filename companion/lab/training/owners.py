"""Owners to learn likeness from: pieces shown in one photo, and the same pieces on boards of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.lab.rendering.camera import whole
from companion.lab.rendering.pieces import PieceSet, make_paint
from companion.lab.rendering.profiles import PROFILES, ordinary_profiles
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import PIECE_SETS, sample_scene
from companion.lab.rendering.shown_row import row_photo
from companion.lab.rendering.surface import Art
from companion.lab.training.dataset import Example, make_example
from companion.vision.board.likeness import CROP_MM, NOTHING, piece_picture
from companion.vision.board.rectify import rectify
from companion.vision.load import Picture
from companion.vision.networks import white_level

SIZE_PX = (1400, 1050)
BOARDS = 2
EMPTY_PLACES = 12
MIN_VISIBLE = 0.2

ODD_SHARES = (0.0, 0.3, 0.6, 1.0)
"""Shares of the kinds of piece that have a paint of no printing, in the boxes of different owners."""

_APART = 0.25
_FREE_TILES = 0.25


@dataclass(frozen=True, slots=True)
class Pictures:
    """Pictures of pieces (N, 48, 40, 3) of one photo, BGR, with their classes (N,) and the photo's white level (3,).

    The class `NOTHING` is of places where no piece stands.
    """

    pictures: NDArray[np.uint8]
    classes: NDArray[np.int64]
    level: NDArray[np.float64]


def odd_box(rng: np.random.Generator) -> PieceSet:
    """A box whose shapes vary widely, some or all of its paints drawn at random, none like another."""
    box = PIECE_SETS["varied"](rng)
    share = float(rng.choice(ODD_SHARES))
    paints = dict(box.paints)
    done: list[NDArray[np.float32]] = []
    for key in paints:
        if rng.random() < share:
            for _ in range(30):
                hsv = (float(rng.uniform(0, 360)), float(rng.beta(1.6, 1.2)), float(rng.uniform(0.12, 0.95)))
                paints[key] = make_paint(hsv, rng)
                if all(np.abs(np.cbrt(paints[key]) - np.cbrt(other)).sum() > _APART for other in done):
                    break
        done.append(paints[key])
    return replace(box, paints=paints)


def piece_pictures(photo: Picture, example: Example, rng: np.random.Generator, *, shown: bool) -> Pictures:
    """The pictures of a photo's pieces: of a row beside the board (`shown`), or on it, with places that are empty."""
    level = white_level(rectify(photo, example.homography))
    feet = example.feet[example.feet[:, 3] >= (0.0 if shown else MIN_VISIBLE)]
    places = [(float(x), float(y), int(kind)) for kind, x, y, _ in feet]
    for x, y in [] if shown else rng.uniform((0, 0), (6, 5), (4 * EMPTY_PLACES, 2)):
        if len(feet) == 0 or np.hypot(feet[:, 1] - x, feet[:, 2] - y).min() > _FREE_TILES:
            places.append((float(x), float(y), NOTHING))
        if sum(kind == NOTHING for *_, kind in places) == EMPTY_PLACES:
            break
    pictures = []
    board = rectify(photo, example.homography)
    for x, y, _ in places:
        if shown:
            shift = np.array([[1, 0, x - 0.5], [0, 1, y - 0.5], [0, 0, 1.0]])
            homography = example.homography @ shift
            pictures.append(piece_picture(rectify(photo, homography), homography, 0.5, 0.5))
        else:
            pictures.append(piece_picture(board, example.homography, x, y))
    stacked = np.array(pictures, dtype=np.uint8).reshape(-1, CROP_MM[1], CROP_MM[0], 3)
    return Pictures(stacked, np.array([kind for *_, kind in places], dtype=np.int64), level)


def draw_owner(seed: int, art: Art | None) -> list[Pictures]:
    """An owner: the pieces shown, then those of `BOARDS` boards under other light. The same seed gives the same."""
    rng = np.random.default_rng((177, seed))
    box = odd_box(rng)
    name = str(rng.choice(["table", "topdown", "train"]))
    profile = replace(PROFILES[name], elevation=(50, 87), glare=0.0, whole=False, exposure=(0.15, 0.36))
    row, truth = row_photo(rng, box, profile, SIZE_PX, art)
    drawn = [piece_pictures(row, make_example(row, truth), rng, shown=True)]
    profiles = (*ordinary_profiles(), PROFILES["train"])
    for _ in range(BOARDS):
        scene = sample_scene(rng, profile=profiles[int(rng.integers(len(profiles)))], pieces_of=box)
        picture, truth = render(replace(scene, camera=whole(scene.camera, SIZE_PX)), rng, SIZE_PX, art)
        drawn.append(piece_pictures(picture, make_example(picture, truth), rng, shown=False))
    return drawn


def store_owners(folder: Path, seeds: Sequence[int], art: Art | None) -> Iterator[Path]:
    """Draw an owner for each seed into a folder, skipping those already there."""
    for seed in seeds:
        path = folder / f"owner_{seed:06d}.npz"
        if not path.exists():
            arrays: dict[str, NDArray[np.generic]] = {}
            for number, one in enumerate(draw_owner(seed, art)):
                arrays |= {f"p{number}": one.pictures, f"c{number}": one.classes, f"w{number}": one.level}
            part = path.with_name(path.name + ".part")
            with part.open("wb") as file:
                np.savez(file, allow_pickle=False, **arrays)
            part.replace(path)
        yield path


def load_owner(path: Path) -> list[Pictures]:
    """An owner that `store_owners` wrote."""
    with np.load(path) as stored:
        count = len(stored.files) // 3
        return [Pictures(stored[f"p{n}"], stored[f"c{n}"], stored[f"w{n}"]) for n in range(count)]
