"""Examples -> training samples: the reader's own warps, augmented, and the targets that go with them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.training.dataset import Example
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.rules.model.components import Colour
from companion.vision.board.pieces import GROUPS, PIECE_CLASSES
from companion.vision.board.rectify import BOARD_SIZE_PX, board_to_cells, rectify
from companion.vision.board.tiles import TURNS, crop_tile
from companion.vision.load import Picture
from companion.vision.locate.grid import CENTRES, NODES, OUTLINE, Lattice
from companion.vision.locate.heatmaps import LOCATE_SIDE_PX
from companion.vision.locate.lattice import with_local_contrast
from companion.vision.networks import HEAT_STRIDE, normalise
from companion.vision.numerics import Float32, project, scaled_and_moved, scaled_down

PIECE_SIGMA_CELLS = 2.2
NODE_SIGMA_CELLS = 1.2

MIN_VISIBLE = 0.18
"""Pieces of which less than this share is visible are neither asked for nor forbidden."""

TILES_A_SAMPLE = 24
"""Tiles of one board that the tile network is shown at a time."""

CAMELS = [PIECE_CLASSES.index(colour.letter) for colour in Colour]

MIN_SHRUNK_TILE_PX = 85.0
"""Photos are made no smaller than this."""

CORNER_JITTER_TILES = 0.025
"""How far the board's corners are moved at random, as a lattice found in a photo is never exact."""


def augmented(picture: Picture, rng: np.random.Generator) -> Picture:
    """The picture under other light, through a worse lens and another phone.

    Gain, colour cast, gamma, local contrast, blur, paler or deeper colours, noise, sharpening, JPEG.
    """
    levels = np.linspace(0, 1, 256, dtype=np.float64)[:, None]
    gain = np.exp(rng.normal(0, 0.12) + rng.normal(0, 0.06, 3))
    curves = np.clip(levels * gain, 0, 1) ** np.exp(rng.normal(0, 0.18))
    result = np.asarray(cv2.LUT(picture, np.rint(curves * 255).astype(np.uint8)[:, None, :]), dtype=np.uint8)
    if rng.random() < 0.15:
        result = with_local_contrast(result, limit=float(rng.uniform(0.8, 2.5)), squares=int(rng.integers(2, 9)))
    if rng.random() < 0.35:
        result = np.asarray(cv2.GaussianBlur(result, (0, 0), float(rng.uniform(0.4, 1.3))), dtype=np.uint8)
    if rng.random() < 0.2:
        grey = np.repeat(cv2.cvtColor(result, cv2.COLOR_BGR2GRAY)[:, :, None], 3, axis=2)
        share = float(rng.uniform(0.6, 1.3))
        result = np.asarray(cv2.addWeighted(result, share, grey, 1 - share, 0), dtype=np.uint8)
    if rng.random() < 0.5:
        cv2.setRNGSeed(int(rng.integers(2**31)))
        noise = np.empty(result.shape, dtype=np.int16)
        cv2.randn(noise, np.zeros(3), np.full(3, rng.uniform(1, 8)))
        result = np.asarray(cv2.add(result, noise, dtype=cv2.CV_8U), dtype=np.uint8)
    if rng.random() < 0.3:
        result = sharpened(result, sigma=float(rng.uniform(0.6, 2.0)), share=float(rng.uniform(0.2, 1.2)))
    if rng.random() < 0.3:
        _, coded = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 85))])
        result = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), dtype=np.uint8)
    return result


def sharpened(picture: Picture, sigma: float, share: float) -> Picture:
    """The picture as phones sharpen theirs: what a blur of `sigma` px would take away is added once more."""
    blurred = cv2.GaussianBlur(picture, (0, 0), sigma)
    return np.asarray(cv2.addWeighted(picture, 1 + share, blurred, -share, 0), dtype=np.uint8)


def jittered_homography(homography: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """The homography with each of the board's corners moved a little."""
    corners = np.array([(0, 0), (COLUMNS, 0), (COLUMNS, ROWS), (0, ROWS)], dtype=np.float32)
    moved = corners + rng.normal(0, CORNER_JITTER_TILES, (4, 2)).astype(np.float32)
    return np.asarray(homography @ cv2.getPerspectiveTransform(corners, moved).astype(np.float64))


def draw_peak(heat: Float32, x: float, y: float, sigma: float) -> None:
    """Draw a Gaussian peak of height 1 into a heatmap, keeping the larger value everywhere."""
    reach = int(np.ceil(4 * sigma))
    left, top = max(round(x) - reach, 0), max(round(y) - reach, 0)
    right, bottom = min(round(x) + reach + 1, heat.shape[1]), min(round(y) + reach + 1, heat.shape[0])
    if left >= right or top >= bottom:
        return
    columns, rows = np.arange(left, right) - round(x), np.arange(top, bottom) - round(y)
    peak = np.exp(-(columns[None] ** 2 + rows[:, None] ** 2) / (2 * sigma**2)).astype(np.float32)
    np.maximum(heat[top:bottom, left:right], peak, out=heat[top:bottom, left:right])


def _feet_targets(example: Example, homography: NDArray[np.float64]) -> tuple[Float32, Float32]:
    """Heat (11, H/4, W/4) of the feet, and the weight (1, H/4, W/4) of each cell in the loss."""
    cells = (BOARD_SIZE_PX[1] // HEAT_STRIDE, BOARD_SIZE_PX[0] // HEAT_STRIDE)
    heat = np.zeros((len(PIECE_CLASSES), *cells), dtype=np.float32)
    weight = np.ones((1, *cells), dtype=np.float32)
    shift = np.linalg.inv(homography) @ example.homography
    for kind, x, y, visible in example.feet:
        px, py, scale = shift @ np.array([x, y, 1.0])
        cell_x, cell_y = board_to_cells(px / scale, py / scale, HEAT_STRIDE)
        if visible < MIN_VISIBLE:
            around = np.zeros(cells, dtype=np.float32)
            draw_peak(around, cell_x, cell_y, 2.0)
            weight[0][around > 0.3] = 0.0
        else:
            draw_peak(heat[int(kind)], cell_x, cell_y, PIECE_SIGMA_CELLS)
    return heat, weight


def true_counts(example: Example) -> NDArray[np.int64]:
    """How many pieces of each class stand on each tile, (30, 11); hidden ones too."""
    counts = np.zeros((SQUARES, len(PIECE_CLASSES)), dtype=np.int64)
    for kind, square in zip(example.feet[:, 0].astype(int), example.squares, strict=True):
        if square >= 0:
            counts[square, kind] += 1
    return counts


def count_classes(counts: NDArray[np.int64]) -> Float32:
    """The right class of each group of `pieces.GROUPS` for each tile, (groups, rows, columns)."""
    camels = counts[:, CAMELS]
    classes = []
    for group in GROUPS:
        if group.kind == "camel":
            number = np.where(camels.any(axis=1), camels.argmax(axis=1) + 1, 0)
        else:
            number = np.minimum(counts[:, PIECE_CLASSES.index(group.kind)], group.size - 1)
        classes.append(number.reshape(ROWS, COLUMNS))
    return np.stack(classes).astype(np.float32)


def right_numbers(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The right number of each of `pieces.GROUPS` on each tile, (30, groups), of pieces of each class (30, 11)."""
    return count_classes(counts).reshape(len(GROUPS), SQUARES).astype(np.int64).T


def _augmented_board(example: Example, rng: np.random.Generator) -> tuple[Picture, NDArray[np.float64]]:
    """The rectified board of an example, augmented, and the homography it was rectified by."""
    homography = jittered_homography(example.homography, rng)
    photo, seen = example.picture, homography
    if rng.random() < 0.3:
        # As from a small or distant photo, but with no fewer px a tile than a photo that people can read themselves.
        least = min(MIN_SHRUNK_TILE_PX / Lattice(homography, 0).tile_px, 0.8)
        scale = float(rng.uniform(max(least, 0.4), 0.8))
        photo = scaled_down(photo, scale)
        shrink = np.diag([photo.shape[1] / example.picture.shape[1], photo.shape[0] / example.picture.shape[0], 1.0])
        seen = shrink @ homography
    return augmented(rectify(photo, seen), rng), homography


def piece_targets(example: Example, homography: NDArray[np.float64]) -> tuple[Float32, Float32, Float32]:
    """(heat, weight, counts) that are right for a board rectified by that homography."""
    heat, weight = _feet_targets(example, homography)
    return heat, weight, count_classes(true_counts(example))


def flipped(arrays: tuple[Float32, ...], rng: np.random.Generator) -> tuple[Float32, ...]:
    """Pictures and maps (channels, rows, columns) of one board, all mirrored or half-turned alike, at random."""
    for axis in (1, 2):
        if rng.random() < 0.5:
            arrays = tuple(np.flip(array, axis) for array in arrays)
    return tuple(np.ascontiguousarray(array) for array in arrays)


def piece_sample(example: Example, rng: np.random.Generator) -> tuple[Float32, ...]:
    """(input, heat, weight, counts) of one augmented board, rectified, mirrored or half-turned at random."""
    board, homography = _augmented_board(example, rng)
    return flipped((normalise(board), *piece_targets(example, homography)), rng)


def tile_sample(example: Example, rng: np.random.Generator, count: int = TILES_A_SAMPLE) -> tuple[Float32, ...]:
    """Tile pictures, turned anyhow, and their classes from one augmented and rectified board."""
    board, _ = _augmented_board(example, rng)
    inputs, classes = [], []
    for square in rng.choice(SQUARES, count, replace=False):
        turn = int(rng.integers(4))
        crop = np.ascontiguousarray(np.rot90(crop_tile(board, int(square)), -turn))
        inputs.append(normalise(crop, board))
        classes.append(example.kinds[square] * TURNS + (example.turns[square] + turn) % TURNS)
    return np.stack(inputs), np.array(classes, dtype=np.float32)


def locate_sample(example: Example, rng: np.random.Generator) -> tuple[Float32, ...]:
    """(input, heat, weight) for the locating network: the whole photo or a look at the board, turned anyhow."""
    photo = example.picture
    height, width = photo.shape[:2]
    outline = project(example.homography, OUTLINE)
    if rng.random() < 0.5:
        side = float(max(height, width)) * rng.uniform(0.85, 1.1)
        left, top = rng.uniform(-0.08, 0.02) * side, rng.uniform(-0.08, 0.02) * side
    else:
        low, high = outline.min(axis=0), outline.max(axis=0)
        side = float((high - low).max()) * rng.uniform(1.0, 1.6)
        middle = (low + high) / 2 + rng.normal(0, 0.04, 2) * side
        left, top = middle - side / 2
    scale = LOCATE_SIDE_PX / side
    factor = min(2 * scale, 1.0)
    source = scaled_down(photo, factor)
    move = scaled_and_moved(scale, -left * scale, -top * scale)
    turns = int(rng.integers(4))
    view = cv2.warpAffine(source, (move @ scaled_and_moved(1 / factor))[:2], (LOCATE_SIDE_PX, LOCATE_SIDE_PX))
    cells = LOCATE_SIDE_PX // HEAT_STRIDE
    heat = np.zeros((2, cells, cells), dtype=np.float32)
    to_view = move @ example.homography
    for channel, points in enumerate((NODES, CENTRES)):
        for x, y in project(to_view, points) / HEAT_STRIDE - 0.5:
            draw_peak(heat[channel], float(x), float(y), NODE_SIGMA_CELLS)
    picture = normalise(augmented(np.asarray(view, dtype=np.uint8), rng))
    picture, heat = np.rot90(picture, turns, (1, 2)), np.rot90(heat, turns, (1, 2))
    if rng.random() < 0.5:
        picture, heat = picture[:, :, ::-1], heat[:, :, ::-1]
    weight = np.ones((1, cells, cells), dtype=np.float32)
    return np.ascontiguousarray(picture), np.ascontiguousarray(heat), weight
