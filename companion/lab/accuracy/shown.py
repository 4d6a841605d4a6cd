"""Photos read with what was learnt from a photo of the owner's own pieces or tiles, as `companion learn` does it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import numpy as np

from companion.errors import PhotoError
from companion.lab.accuracy.scores import PhotoScore, find_truths, score_photo
from companion.lab.rendering.photo_file import ROW, TILES
from companion.notation.tokens import parse_board
from companion.vision.board.likeness import ShownPiece, likeness_of
from companion.vision.board.owner_tiles import OwnerTiles, learn_tiles
from companion.vision.board.pieces import PIECE_CLASSES
from companion.vision.load import load_photo
from companion.vision.numerics import Float64, project
from companion.vision.own.row import FoundPiece
from companion.vision.own.showing import look_beside
from companion.vision.reading.own_set import OwnSet
from companion.vision.reading.pipeline import read_photo

NEAR_TILES = 0.25
"""What was found no farther than this from a piece is that piece."""


def score_after_learning(photos: Path, shown: Path) -> list[PhotoScore]:
    """The photos of a folder whose owner's pieces or tiles another folder shows, read with what is learnt from that.

    Pieces that are not told by their row are told by the truth, as an owner answers `learn --ask`; which tile lies
    where is told too, as with `learn --tiles --rows`.
    """
    scores = []
    for photo, board, scenario in find_truths(photos):
        row, tiles = (shown / f"{photo.stem}{what}.jpg" for what in (ROW, TILES))
        if row.is_file() or tiles.is_file():
            own = OwnSet(
                pieces=likeness_of(shown_pieces(row)) if row.is_file() else None,
                tiles=shown_tiles(tiles) if tiles.is_file() else None,
            )
            scores.append(score_photo(photo, board, scenario, partial(read_photo, own=own)))
    return scores


def shown_tiles(photo: Path) -> OwnerTiles | None:
    """What is learnt from a photo of empty tiles with its truth beside it; None where they cannot be learnt."""
    rows = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))["rows"]
    try:
        return learn_tiles(load_photo(photo), [tile.kind for tile in parse_board("\n".join(rows))])
    except PhotoError:
        return None


def shown_pieces(photo: Path) -> list[ShownPiece]:
    """The pieces of a photo of a row, with its truth beside it. Raises PhotoError if no board is found in it."""
    beside = look_beside(load_photo(photo))
    try:
        places = dict(beside.row().places)
    except PhotoError:
        truth = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
        feet = {piece["colour"] or piece["kind"]: piece["foot_px"] for piece in truth["pieces"]}
        on_board = np.asarray(np.linalg.inv(beside.lattice.homography), np.float64)
        places = _nearest(beside.found, {kind: project(on_board, np.array([foot]))[0] for kind, foot in feet.items()})
    return beside.pieces({kind: places[kind] for kind in PIECE_CLASSES if kind in places})


def _nearest(found: tuple[FoundPiece, ...], feet: Mapping[str, Float64]) -> dict[str, int]:
    """The place in `found` of each piece, by where its foot is in board coordinates; those not found are left out."""
    places = {}
    for kind, foot in feet.items():
        away = [float(np.hypot(*(np.array(one.foot) - foot))) for one in found]
        if away and min(away) <= NEAR_TILES:
            places[kind] = int(np.argmin(away))
    return places
