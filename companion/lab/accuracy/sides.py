"""How much better a table is read from several sides: the same scene rendered three times, read alone and together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.lab.accuracy.report import markdown_table
from companion.lab.rendering.camera import whole
from companion.lab.rendering.heldout import SCENARIOS, SIZE_PX
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.truth import JPEG_QUALITY
from companion.rules.model.board import Board
from companion.vision.board.evidence import BoardEvidence
from companion.vision.reading.merge import align_boards, merge_boards
from companion.vision.reading.pipeline import board_in
from companion.vision.reading.scan import scan_photo
from companion.vision.readings import Reading

AZIMUTHS = (0, 120, 240)
"""Where the photos are taken from, degrees around the table."""

_SALT = 7_908
_ELEVATIONS = (50.0, 75.0)


@dataclass(frozen=True, slots=True)
class SidesRead:
    """A table read from that many sides: how many tiles are wrong, how many of these are doubtful, and all doubts."""

    photos: int
    wrong: int
    marked: int
    doubts: int


def read_sides(seed: int) -> Iterator[SidesRead]:
    """A held-out table, of the game's own pieces by odd seeds: each photo alone, the first two, and all three."""
    truth, seen = _looks(seed)
    for evidence in seen:
        yield _read([evidence], truth)
    yield _read(seen[:2], truth)
    yield _read(seen, truth)


def sides_table(read: list[SidesRead]) -> str:
    """What was read, a row for each number of photos."""
    rows = []
    for photos in sorted({one.photos for one in read}):
        same = [one for one in read if one.photos == photos]
        wrong, marked = sum(one.wrong for one in same), sum(one.marked for one in same)
        share = f"{marked / wrong:.0%}" if wrong else "-"
        doubts = sum(one.doubts for one in same) / len(same)
        rows.append([str(photos), str(len(same)), f"{wrong / len(same):.2f}", share, f"{doubts:.1f}"])
    return markdown_table(["photos", "boards", "wrong tiles a board", "of these doubtful", "doubts a board"], rows)


def _looks(seed: int) -> tuple[Board, list[BoardEvidence]]:
    """A table's board, and what a photo from each side shows of it; photos on which no board is found are left out."""
    rng = np.random.default_rng((_SALT, seed))
    profile = replace(SCENARIOS["clutter" if seed % 4 == 3 else "topdown"], elevation=_ELEVATIONS, extras=4)
    scene = sample_scene(rng, profile=replace(profile, pieces="box") if seed % 2 else profile)
    truth: Board | None = None
    seen: list[BoardEvidence] = []
    for azimuth in AZIMUTHS:
        turned = scene.camera.azimuth + azimuth
        camera = replace(scene.camera, azimuth=turned, elevation=float(rng.uniform(*_ELEVATIONS)))
        picture, shown = render(replace(scene, camera=whole(camera, SIZE_PX)), rng, SIZE_PX)
        truth = shown.board if truth is None else truth
        _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        photo = np.asarray(cv2.imdecode(encoded, cv2.IMREAD_COLOR), np.uint8)
        evidence = board_in(photo, scan_photo(photo))
        if evidence is not None:
            seen.append(evidence)
    assert truth is not None
    return truth, seen


def _read(seen: list[BoardEvidence], truth: Board) -> SidesRead:
    reading, _ = merge_boards(align_boards([(str(number), one) for number, one in enumerate(seen)]))
    # A board read the other way round is right too.
    wrong = min((_wrong(reading, way) for way in (truth, truth[::-1])), key=len)
    return SidesRead(len(seen), len(wrong), sum(square in reading.doubts for square in wrong), len(reading.doubtful))


def _wrong(reading: Reading, truth: Board) -> list[int]:
    pairs = zip(reading.position.board, truth, strict=True)
    return [square for square, (read, true) in enumerate(pairs) if read != true]
