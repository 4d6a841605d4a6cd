"""What each stage of the reader makes of a few pictures, as numbers, and what was approved of them.

    python -m tests.vision.approved [STAGE...]     # approve what stages make of them now: ask first why it differs

A stage that is meant to see otherwise, or a network trained anew, changes `approved.json`; nothing else may.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import numpy as np

from companion.notation.files import parse_position
from companion.rules.model.board import COLUMNS, ROWS, SQUARES
from companion.vision.board.decision import decide_board
from companion.vision.board.evidence import BoardEvidence
from companion.vision.board.owner_tiles import OwnerTiles
from companion.vision.board.rectify import MARGIN_TILES, TILE_PX, rectify
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import crop_tile, recognise_tiles, score_tiles
from companion.vision.cards.detection import find_cards
from companion.vision.cards.title_lines import TitleLine, find_loose_lines
from companion.vision.load import Picture
from companion.vision.locate.grid import OUTLINE, Lattice, grow_grids
from companion.vision.locate.heatmaps import best_window, fit
from companion.vision.locate.outline import outline_homographies
from companion.vision.networks import white_level
from companion.vision.numerics import project
from companion.vision.reading import overlay
from companion.vision.reading.merge import pooled
from companion.vision.reading.pipeline import board_in
from companion.vision.reading.scan import scan_photo
from companion.vision.readings import CardDetection, Reading
from tests.vision import tables
from tests.vision.cards.tables import Camera, fan, lines_of, own_face, photograph, titled
from tests.vision.tables import SAMPLES
from tests.vision.test_lattice import SIZE, camera, seen

APPROVED = Path(__file__).with_name("approved.json")
DRAWING = ("circle", "fillPoly", "line", "polylines", "putText", "rectangle")
"""The calls of OpenCV that draw."""


@cache
def photo() -> Picture:
    return tables.whole("mid")


@cache
def board_evidence() -> BoardEvidence:
    seen = board_in(photo(), scan_photo(photo()))
    assert seen is not None
    return seen


@cache
def board() -> Reading:
    return decide_board(board_evidence())


def plain(value: Any) -> Any:
    """Arrays, phrases and tuples as JSON has them, numbers with four decimals."""
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value if value is None or isinstance(value, int) else str(value)


def sketch(picture: Picture) -> Any:
    """A picture as 6 x 4 colours, and its size."""
    return [picture.shape, cv2.resize(picture, (6, 4), interpolation=cv2.INTER_AREA).reshape(24, -1).astype(float)]


def lattice() -> Any:
    return found(tables.located("mid"))


def found(one: Lattice) -> Any:
    return [one.corners, one.tiles_seen, one.corners_seen, one.tiles_beyond, one.score]


def fits() -> Any:
    """What is made of the tiles' middles and corners alone, of which some are missing and some are none."""
    there = camera(35, 0.25)
    sight = seen(there, np.random.default_rng(5), missing=0.15, false=6)
    off = there @ np.array([[1, 0, 1.6], [0, 1, -0.5], [0, 0, 1]])
    window = best_window(off, sight, (range(-1, 7), range(-1, 6)), SIZE)
    guess = there @ np.array([[1.01, 0.01, 0.05], [0, 0.99, -0.05], [0, 0, 1]])
    fitted, partly = fit(guess, sight), fit(off, sight)
    assert window is not None and fitted is not None
    grids = [project(grid, OUTLINE) for grid in grow_grids(sight.centres)]
    return [project(window, OUTLINE), found(fitted), None if partly is None else found(partly), grids]


def outlines() -> Any:
    small = tables.table(3)
    place = np.array([[0.62, -0.1, 300.0], [0.1, 0.62, 150.0], [0, 0, 1]])
    cv2.warpPerspective(tables.sample("mid"), place, tables.SIZE, small, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    return [project(homography, OUTLINE) for homography in outline_homographies(small)]


def tiles() -> Any:
    """Each tile as it was read."""
    return [
        [one.tile, one.confidence, one.raw_confidence, one.expected_loss, *one.others, *one.doubts, one.detections]
        for one in board().tiles
    ]


def evidence(one: BoardEvidence) -> Any:
    """Of each square how surely its tile was seen, the likeliest numbers on it, and what may stand there together."""
    assert one.unknown is not None and one.hypotheses is not None
    kinds = one.tiles.sum(axis=2)
    return [
        [
            [kinds[square].max(), one.unknown[square], one.tiles[square].max()],
            [[int(probs[square].argmax()), probs[square].max()] for probs in one.pieces if probs[square].max() < 0.999],
            [one.hypotheses[square].numbers[0], np.exp(one.hypotheses[square].log_probs[:3])],
        ]
        for square in range(SQUARES)
    ]


def second_photo() -> BoardEvidence:
    """What a photo in less light would show: the same, less surely."""
    one = board_evidence()
    flat = one.tiles**0.3 / (one.tiles**0.3).sum(axis=(1, 2), keepdims=True)
    pieces = tuple(probs**0.4 / (probs**0.4).sum(axis=1, keepdims=True) for probs in one.pieces)
    return replace(one, tiles=flat, pieces=pieces)


@cache
def strange() -> Picture:
    """The rectified board in another printing: its colours changed for one another, pale, and some tiles blurred."""
    flat = rectify(photo(), np.array(board().homography))
    pale = np.asarray(cv2.convertScaleAbs(flat[:, :, [1, 0, 2]], alpha=0.6, beta=70), np.uint8)
    for column, row in ((4, 0), (5, 2), (2, 4)):
        left, top = round((column + MARGIN_TILES) * TILE_PX), round((row + MARGIN_TILES) * TILE_PX)
        tile = pale[top : top + TILE_PX, left : left + TILE_PX]
        tile[...] = cv2.GaussianBlur(tile, (0, 0), 9)
    return pale


def strange_tiles() -> Any:
    told = recognise_tiles(strange(), np.array(board().homography))
    kinds = told.probabilities.sum(axis=2)
    return [kinds.argmax(axis=1), kinds.max(axis=1), told.probabilities.sum(axis=(0, 1)), told.unknown]


def own_tiles() -> Any:
    """What the owner's tiles, shown on a clear photo, tell of the strange printing."""
    flat = rectify(photo(), np.array(board().homography))
    crops = np.stack([crop_tile(flat, square) for square in range(SQUARES)])
    blue, green, red = (float(value) for value in white_level(flat))
    kinds = [tile.kind for tile in parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8")).board]
    own = OwnerTiles(crops, tuple(KINDS.index(kind) for kind in kinds), (blue, green, red))
    probabilities, unknown = own.classify(score_tiles(strange()))
    return [probabilities.sum(axis=2).argmax(axis=1), probabilities.max(axis=(1, 2)), unknown]


def cards(seen: Sequence[CardDetection]) -> Any:
    return [[one.card, one.confidence, one.other, one.line, one.corners_px] for one in seen]


def row() -> Any:
    rng = np.random.default_rng(180)
    laid = lines_of([["ivory", "fakir", "fish"], ["silk", "wheat"]], rng=rng)
    return cards(find_cards(photograph(laid, own_face, rng, Camera(20, 30))))


def hand() -> Any:
    return cards(fan())


def title_lines() -> Any:
    shown, faces, found = titled()
    return [faces, lines(found), lines(find_loose_lines(np.ascontiguousarray(shown[::2, ::2])))]


def lines(printed: Sequence[TitleLine]) -> Any:
    return [
        [one.card, one.corners, *(part for scan in (one.picture, one.small) for part in sheet(scan))] for one in printed
    ]


def sheet(scan: np.ndarray) -> Any:
    return scan.shape, float(scan.mean())


@contextmanager
def drawn(calls: list[Any]) -> Iterator[None]:
    """Note all that is drawn: where, in which colour, and how thick."""

    def noted(name: str) -> Callable[..., Any]:
        draw = getattr(cv2, name)

        def note(canvas: Picture, *arguments: Any) -> Any:
            calls.append([name, *(part for part in arguments if not isinstance(part, cv2.FontFace))])
            return draw(canvas, *arguments)

        return note

    notes: dict[str, Any] = {name: noted(name) for name in DRAWING}
    with mock.patch.multiple(cv2, **notes):
        yield


def drawn_overlay() -> Any:
    calls: list[Any] = []
    reading = replace(board(), homography=((90.0, -12.0, 150.0), (9.0, 80.0, 110.0), (0.0, 0.00004, 1.0)))
    doubted = {2: 0.3, 9: 0.8}
    tiles = [replace(one, confidence=doubted.get(square, 1.0), doubts=()) for square, one in enumerate(reading.tiles)]
    with drawn(calls):
        whole = overlay.draw_overlay(np.full((1000, 2000, 3), 128, np.uint8), replace(reading, tiles=tuple(tiles)))
    return [whole.shape, *calls]


def cut_out() -> Any:
    flat = np.array(((300.0, -20.0, 150.0), (25.0, 280.0, 110.0), (0.0, 0.0, 1.0)))
    card = CardDetection("fish", 0.9, None, ((100.0, 100.0), (400.0, 130.0), (380.0, 560.0), (80.0, 540.0)), 0)
    tiles = overlay.tile_pictures([(photo(), flat), (photo(), flat * [[1.1], [1.1], [1]])], [0, COLUMNS * ROWS - 1, 8])
    return [
        *map(sketch, tiles.values()),
        sketch(overlay.card_picture(photo(), card)),
        *(sketch(overlay.title_picture(photo(), box)) for box in ((300, 200, 160, 40), (5, 700, 30, 200))),
    ]


STAGES: dict[str, Callable[[], Any]] = {
    "lattice": lattice,
    "fits": fits,
    "outlines": outlines,
    "tiles": tiles,
    "evidence": lambda: evidence(board_evidence()),
    "pooled evidence": lambda: evidence(pooled([board_evidence(), second_photo()])),
    "turned": lambda: [board().turned, board().homography, board().notes],
    "strange tiles": strange_tiles,
    "own tiles": own_tiles,
    "row": row,
    "hand": hand,
    "title lines": title_lines,
    "overlay": drawn_overlay,
    "cut out": cut_out,
}


def main(names: Sequence[str]) -> int:
    """Approve stages by their names, or all of them."""
    before = json.loads(APPROVED.read_text(encoding="utf-8")) if names else {}
    now = {name: plain(see()) if name in (names or STAGES) else before[name] for name, see in STAGES.items()}
    stages = (f"{json.dumps(name)}: [\n{_rows(parts)}\n]" for name, parts in now.items())
    APPROVED.write_text("{\n" + ",\n".join(stages) + "\n}\n", encoding="utf-8")
    return 0


def _rows(parts: Sequence[Any]) -> str:
    return ",\n".join(json.dumps(part) for part in parts)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
