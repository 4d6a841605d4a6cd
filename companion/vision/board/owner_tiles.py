"""An owner's own tiles, shown once: what each of the thirty looks like in that printing.

Pictures are kept, and compared patch by patch and in what the tile network makes of them, reckoned anew for the weights
that the program has now. What the network takes a tile for counts only against what it takes the pictures for: it may
know nothing of the printing. Pictures are taken only if tiles of one kind are seen to be alike in them.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tokenize import TokenError

import numpy as np

from companion.errors import PhotoError, UnusableInputError
from companion.language.phrase import say_many
from companion.resources import data_folder
from companion.rules.model.board import SQUARES
from companion.rules.model.components import TileKind
from companion.storage import write_private
from companion.vision import fitted
from companion.vision.board.rectify import rectify
from companion.vision.board.tile_similarity import IN_BOX, KINDS, correlations
from companion.vision.board.tiles import (
    CROP_PX,
    TURNS,
    TileScores,
    assign_tiles,
    crop_tile,
    half_turn,
    is_half_turned,
    log_odds,
    score_crops,
    score_tiles,
)
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.locate.lattice import NoSultanateError, find_lattice, outlined_lattices
from companion.vision.networks import white_level
from companion.vision.numerics import Float64, centred, scaled_and_moved, softmax

_STEPS = tuple(scaled_and_moved(1.0, right, down) for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)))
"""Board coordinates of a board that lies a tile farther right, left, down or up."""

SURE = 0.97
"""Mean probability of the thirty tiles from which they need not be given by rows."""

MIN_SURE = 0.6
"""And the least of any of them."""

SWITCH = "COMPANION_CALIBRATION"
"""Environment variable; "off" reads photos as if no tiles had been learnt."""

MAX_BYTES, _FORMAT = 8_000_000, 1
"""Thirty pictures are 2 MB: a larger file is damaged, and one of another format is a newer program's."""


@dataclass(frozen=True)
class OwnerTiles:
    """Pictures of an owner's thirty tiles.

    `crops` (30, CROP_PX, CROP_PX, 3) are BGR and upright, `kinds` (30,) their classes, each as often as the box has it
    (rules 1.1).

    `white` (3,) is the board's bright end, by which white is balanced.
    """

    crops: Picture
    kinds: tuple[int, ...]
    white: tuple[float, float, float]

    @property
    def codes(self) -> tuple[str, ...]:
        """What the tiles are, by square of the board they were shown on."""
        return tuple(KINDS[kind].code for kind in self.kinds)

    @cached_property
    def prototypes(self) -> tuple[TileScores, ...]:
        """What the network makes of the pictures, turned by 0 to 3 quarters."""
        white = np.array(self.white)
        turned = (np.ascontiguousarray(np.rot90(self.crops, -turn, axes=(1, 2))) for turn in range(TURNS))
        return tuple(score_crops(crops, white) for crops in turned)

    def likeness(self, scores: TileScores) -> Float64:
        """Evidence, in nats, that each tile is what a picture shows and lies so: (30 tiles, 30 pictures, 4 turns)."""
        return np.stack([_likeness(scores, shown) for shown in self.prototypes], axis=2)

    def classify(self, scores: TileScores) -> tuple[Float64, Float64]:
        """By which pictures they are like: probabilities (30, 8 kinds, 4 turns), and chances (30,) that it is none."""
        near = self.likeness(scores)
        kinds = np.array(self.kinds)
        logits = np.stack([near[:, kinds == kind].max(axis=1) for kind in range(len(KINDS))], axis=1)
        likest = near.max(axis=2).argmax(axis=1)
        known = [log_odds(scores.unknown), log_odds(self.prototypes[0].unknown[likest]), near.max(axis=(1, 2))]
        *weights, offset = fitted.OWN_UNKNOWN
        unknown = np.asarray(1 / (1 + np.exp(-(np.array(weights) @ known + offset))))
        return softmax(logits.reshape(SQUARES, -1), axis=1).reshape(logits.shape), unknown


def _likeness(seen: TileScores, shown: TileScores) -> Float64:
    """Evidence, in nats, that each tile seen is each that is shown, and lies as it does: (seen, shown)."""
    by_features = (centred(seen.features) @ centred(shown.features).T).astype(np.float64)
    by_patches = correlations(shown.crops, shown.white, seen.crops, seen.white)
    one, other = (np.sqrt(scores.probabilities.reshape(len(scores.crops), -1)) for scores in (seen, shown))
    by_classes = 2 * (one @ other.T - 1)
    return np.asarray(
        fitted.OWN_FEATURES * by_features + fitted.OWN_PATCHES * by_patches + fitted.OWN_CLASSES * by_classes
    )


def learn_tiles(photo: Picture, board: Sequence[TileKind] | None = None) -> OwnerTiles:
    """What the thirty tiles of a photo look like; `board` says which of the box's lies where, else it is read.

    Raises PhotoError if no board is found, if it is not read surely and `board` is not given, or if tiles of one kind
    do not look alike.
    """
    if board is None:
        rectified = rectify(photo, _seen(photo).homography)
        probabilities = score_tiles(rectified).probabilities
        if is_half_turned(probabilities):
            rectified, probabilities = _upside_down(rectified), half_turn(probabilities)
        tiles = assign_tiles(probabilities)
        sure = [tile.probability for tile in tiles]
        if np.mean(sure) < SURE or min(sure) < MIN_SURE:
            raise PhotoError(
                "the tiles in the photo aren't recognised well enough to learn from: say which they are with --rows"
            )
        kinds = tuple(KINDS.index(tile.kind) for tile in tiles)
        learnt = _cut(rectified, kinds)
    else:
        kinds = tuple(KINDS.index(kind) for kind in board)
        learnt = _learn_known(photo, kinds)
    right = _alike(learnt)
    if right < fitted.SELF_CHECK_TILES:
        raise PhotoError(
            say_many(
                "only {count} tile of 27 in the photo looks like the others of its kind; photograph the set-up board "
                "from above, and check the rows",
                "only {count} tiles of 27 in the photo look like the others of their kind; photograph the set-up board "
                "from above, and check the rows",
                right,
            )
        )
    return learnt


def _seen(photo: Picture) -> Lattice:
    """Where the board lies by its tiles. Raises PhotoError, which asks for rows if something has a board's outline."""
    try:
        return find_lattice(photo)
    except NoSultanateError as error:
        if next(iter(outlined_lattices(photo)), None) is None:
            raise
        raise NoSultanateError(
            "{fault}; if all thirty are in the picture, in an unfamiliar printing, say which they are with --rows",
            fault=error,
        ) from None


def _learn_known(photo: Picture, kinds: tuple[int, ...]) -> OwnerTiles:
    """The tiles of a board of which is known which lies where. Raises PhotoError if it is not found."""
    fault: NoSultanateError | None = None
    try:
        lattices = [find_lattice(photo)]
    except NoSultanateError as error:
        # A printing may be so strange that hardly a tile is seen: then whatever has a board's shape is looked at.
        fault, lattices = error, list(outlined_lattices(photo))
    boards = [rectify(photo, lattice.homography) for lattice in lattices]
    # What the network makes of a strange printing does not show which way up it lies: that tiles are alike does.
    cut = [_cut(picture, kinds) for board in boards for picture in (board, _upside_down(board))]
    learnt = max(cut, key=_alike, default=None)
    if fault is not None and (learnt is None or _alike(learnt) < fitted.SELF_CHECK_TILES):
        raise fault
    assert learnt is not None
    return learnt


def _upside_down(board: Picture) -> Picture:
    return np.ascontiguousarray(board[::-1, ::-1])


def find_owned(photo: Picture, tiles: OwnerTiles) -> Lattice | None:
    """Where an owner's own tiles lie, if what has a board's shape in the photo shows them; None if nothing does.

    For printings so strange that hardly a tile of them is seen, which `find_lattice` refuses.
    """
    seen = [_evidence(photo, tiles, lattice.homography) for lattice in outlined_lattices(photo)]
    evidence, there = max(seen, key=lambda one: one[0], default=(0.0, np.eye(3)))
    if evidence < fitted.OWNED_EVIDENCE:
        return None
    while True:
        # An outline may have lost a row or a column to the table: then tiles lie beyond it.
        beyond = max((_evidence(photo, tiles, there @ step) for step in _STEPS), key=lambda one: one[0])
        if beyond[0] <= evidence:
            return Lattice(there, 0)
        evidence, there = beyond


def _evidence(photo: Picture, tiles: OwnerTiles, homography: Float64) -> tuple[float, Float64]:
    """How like an owner's tiles what lies there is, in nats a tile, and the homography itself."""
    near = tiles.likeness(score_tiles(rectify(photo, homography)))
    return float(near.max(axis=(1, 2)).mean()), homography


def _cut(rectified: Picture, kinds: tuple[int, ...]) -> OwnerTiles:
    """The tiles of a board as they lie, which is upright (rules 2.3)."""
    blue, green, red = (float(value) for value in white_level(rectified))
    crops = np.stack([crop_tile(rectified, square) for square in range(SQUARES)])
    return OwnerTiles(crops, kinds, (blue, green, red))


def _alike(tiles: OwnerTiles) -> int:
    """How many tiles, of those that are not alone of their kind, are likest to another picture of it."""
    upright = score_crops(tiles.crops, np.array(tiles.white))
    near = _likeness(upright, upright)
    np.fill_diagonal(near, -np.inf)
    kinds = np.array(tiles.kinds)
    shared = np.bincount(kinds, minlength=len(KINDS))[kinds] > 1
    return int((kinds[near.argmax(axis=1)] == kinds)[shared].sum())


def tiles_path() -> Path:
    """Where an owner's tiles are kept; the file need not be there yet."""
    return data_folder() / "tiles.npz"


def is_switched_off(environment: Mapping[str, str]) -> bool:
    """Whether photos are to be read as if no tiles had been learnt."""
    return environment.get(SWITCH, "").lower() in ("off", "0", "no")


def own_tiles(environment: Mapping[str, str]) -> OwnerTiles | None:
    """The tiles that the user's photos are read with, if any. Raises as `load_tiles`."""
    return None if is_switched_off(environment) else load_tiles(tiles_path())


def save_tiles(path: Path, tiles: OwnerTiles) -> None:
    """Keep an owner's tiles. Raises UnusableInputError if it cannot be done there, NoRoomError if the disk is full."""
    content = io.BytesIO()
    codes, white = np.array(tiles.codes), np.array(tiles.white)
    np.savez_compressed(content, format=np.array(_FORMAT), crops=tiles.crops, codes=codes, white=white)
    write_private(path, content.getvalue())


_DAMAGE = (
    *(OSError, ValueError, LookupError, EOFError, TypeError, RuntimeError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, TokenError),
)
"""What reading a damaged file raises: it depends on which byte is damaged. An array may claim any size."""


def load_tiles(path: Path) -> OwnerTiles | None:
    """The owner's tiles, None if none were learnt. Raises UnusableInputError if the file is damaged or newer."""
    if not path.exists():
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError("too large")
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            if sum(part.file_size for part in stored.zip.infolist()) > MAX_BYTES:
                raise ValueError("too large unpacked")
            if int(stored["format"]) != _FORMAT:
                raise ValueError("another format")
            crops = np.asarray(stored["crops"], dtype=np.uint8)
            codes = [kind.code for kind in KINDS]
            kinds = tuple(codes.index(str(code)) for code in stored["codes"])
            blue, green, red = (float(value) for value in stored["white"])
        if crops.shape != (SQUARES, CROP_PX, CROP_PX, 3) or sorted(kinds) != list(IN_BOX):
            raise ValueError("not the thirty tiles of the box")
        if not all(8 <= part <= 512 for part in (blue, green, red)):
            raise ValueError("no white level")
    except _DAMAGE as error:
        raise UnusableInputError(
            "{path} is damaged: learn the tiles again (companion learn PHOTO), or delete it (companion learn --forget)",
            path=path,
        ) from error
    return OwnerTiles(crops, kinds, (blue, green, red))
