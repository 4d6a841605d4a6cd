"""Photos of the same tables from several sides, and how much better they are read together than alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.errors import PhotoError
from companion.lab.accuracy.scores import find_truths
from companion.lab.rendering.camera import whole
from companion.lab.rendering.profiles import ordinary_profiles
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.notation.tokens import format_rows
from companion.rules.model.board import SQUARES, Board
from companion.vision.board.reading import Reading, TileReading
from companion.vision.load import Picture
from companion.vision.reading.merge import align_readings, merge_readings
from companion.vision.reading.pipeline import read_photo

SIDES = "abc"
"""The photos of a table, by the letter at the end of their names."""

OTHER_LIGHT = 0.3
"""Share of the further photos that are taken in another light than the first."""

CROWDED = 0.15
"""Share of tables that are full of crowds and heaps."""

JPEG_QUALITY = 90


def table_photos(
    seed: int, art: Mapping[str, Sequence[Picture]] | None, own_art_share: float, width: int
) -> Iterator[tuple[str, bytes, dict[str, object]]]:
    """Photos of one table with its pieces left as they are: for each a name, a JPEG file, its truth as a document.

    `art` is outside tile art by kind; a share of the tables shows the project's own all the same. The longer side
    is `width` px. The same seed gives the same photos.
    """
    profiles = [replace(profile, crowded=CROWDED) for profile in ordinary_profiles()]
    rng = np.random.default_rng(seed)
    first = sample_scene(rng, profile=profiles[seed % len(profiles)])
    own = rng.random() < own_art_share or art is None
    for number, side in enumerate(SIDES):
        scene = first
        if number:
            other = sample_scene(rng, first.board, profiles[(seed + 3 * number) % len(profiles)])
            scene = replace(first, camera=other.camera, look=other.look)
            if rng.random() < OTHER_LIGHT:
                scene = replace(scene, light=other.light)
        size = (width, width * 3 // 4) if rng.random() > 0.2 else (width * 3 // 4, width)
        picture, _ = render(replace(scene, camera=whole(scene.camera, size)), rng, size, None if own else art)
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
        tiles = "own tiles" if own else "outside tiles"
        truth: dict[str, object] = {"rows": format_rows(first.board), "scenario": tiles}
        yield f"{seed:06d}_{side}", jpeg.tobytes(), truth


@dataclass(frozen=True, slots=True)
class PooledScore:
    """Boards read from so many `photos` each: tiles wholly right, flagged, wrong but not flagged.

    `nll` is the negative log-likelihood of the confidences, in nats a tile: smaller is better.
    """

    photos: int
    boards: int
    right: int
    flagged: int
    unflagged_wrong: int
    nll: float


def measure_tables(folder: Path) -> list[PooledScore]:
    """Read all photos of a folder of `table_photos`, alone and in every pair and triple of one table.

    A photo that cannot be read is left out.
    """
    tables: dict[str, tuple[Board, list[tuple[str, Reading]]]] = {}
    for path, board, _ in find_truths(folder):
        _, named = tables.setdefault(path.stem[:-2], (board, []))
        try:
            named.append((path.name, read_photo(path)))
        except PhotoError:
            continue
    rows = [_score_pooled(list(tables.values()), photos) for photos in range(1, len(SIDES) + 1)]
    return [row for row in rows if row.boards]


def _score_pooled(tables: Sequence[tuple[Board, Sequence[tuple[str, Reading]]]], photos: int) -> PooledScore:
    pairs: list[tuple[float, bool, bool]] = []
    for board, named in tables:
        for chosen in itertools.combinations(named, photos):
            tiles = merge_readings(align_readings(chosen)).tiles
            # A board told half-turned is the same table.
            way = max((tiles, tiles[::-1]), key=partial(_same_kinds, board=board))
            pairs += [
                (tile.confidence, tile.is_doubtful, tile.tile == true) for tile, true in zip(way, board, strict=True)
            ]
    losses = [-math.log(max(confidence if right else 1 - confidence, 1e-4)) for confidence, _, right in pairs]
    return PooledScore(
        photos,
        len(pairs) // SQUARES,
        sum(right for _, _, right in pairs),
        sum(flagged for _, flagged, _ in pairs),
        sum(not right and not flagged for _, flagged, right in pairs),
        sum(losses) / max(len(pairs), 1),
    )


def _same_kinds(tiles: Sequence[TileReading], board: Board) -> int:
    return sum(tile.tile.kind is true.kind for tile, true in zip(tiles, board, strict=True))
