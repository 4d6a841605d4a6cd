"""How well photos are read: a row of figures for each photo whose truth is known."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, NotationError, UnusableInputError
from companion.inputs import read_file
from companion.lab.arena.workers import RunAll, in_order, in_this_process
from companion.notation.files import parse_position
from companion.notation.tokens import parse_board
from companion.rules.model.board import SQUARES, Board, Tile
from companion.vision.board.contents_hypotheses import change_between
from companion.vision.board.piece_corrections import numbers_of
from companion.vision.board.pieces import PIECE_CLASSES, pieces_on
from companion.vision.load import load_photo
from companion.vision.reading.pipeline import read_picture
from companion.vision.readings import TileReading

TOGETHER = "truth.json"
"""The file with the truth of all photos of a folder."""

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png")
"""What is called so is measured, even if it's no picture: that it isn't read counts."""

MAX_TRUTH_BYTES = 20_000_000
"""The truth of a photo takes some 500 bytes, and a folder's are in one file."""

_EXPECTED = 'expected a JSON object with "rows": five rows of tiles as text'

ANOTHER_TILE = "another tile"
CAUSES: Mapping[str, str] = {
    "palm to merchant": "a merchant read as a palm",
    "merchant to palm": "a palm read as a merchant",
    "palace to vizier or elder": "a vizier or elder read as a palace",
    "vizier or elder to palace": "a palace read as a vizier or elder",
    "blue camel to builder": "a builder read as a blue camel",
    "builder to blue camel": "a blue camel read as a builder",
    "palm more": "a palm missed",
    "palm fewer": "a palm too many",
    "palace more": "a palace missed",
    "palace fewer": "a palace too many",
    "meeple more": "a meeple missed",
    "meeple fewer": "a meeple too many",
    "camel": "a camel missed, made up or of another colour",
    "meeple of another colour": "a meeple taken for one of another colour",
    "several": "several pieces at once",
}
"""What happened, by the change that would mend it (`contents_hypotheses.CHANGES`)."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A tile read wrongly: what was read, what is so, whether flagged."""

    read: Tile
    true: Tile
    is_flagged: bool

    @property
    def cause(self) -> str:
        """What happened, in words."""
        if self.read.kind is not self.true.kind:
            return ANOTHER_TILE
        return CAUSES[change_between(numbers_of(self.read), numbers_of(self.true))]


@dataclass(frozen=True, slots=True)
class PieceTally:
    """A class of pieces in one photo: how many stand there, were read, and were read rightly, tile by tile."""

    true: int = 0
    read: int = 0
    right: int = 0

    def __add__(self, other: PieceTally) -> PieceTally:
        return PieceTally(self.true + other.true, self.read + other.read, self.right + other.right)

    @property
    def precision(self) -> float | None:
        """Of those read, the share that stand there; None if none was read."""
        return self.right / self.read if self.read else None

    @property
    def recall(self) -> float | None:
        """Of those that stand there, the share that was read; None if none stands there."""
        return self.right / self.true if self.true else None


@dataclass(frozen=True, slots=True)
class PhotoScore:
    """One photo read and compared with its truth.

    `identity` counts tiles of 30 whose kind is right, `whole` those without any mistake; `flagged` are the
    doubtful ones, `unflagged_wrong` the wrong ones among the rest; `seconds` is the reading's time within a running
    process; `fault` is the message when nothing was read: all counts are 0 then. `mistakes` are the tiles read wrongly.
    """

    name: str
    scenario: str
    identity: int = 0
    whole: int = 0
    flagged: int = 0
    unflagged_wrong: int = 0
    seconds: float = 0.0
    pieces: tuple[PieceTally, ...] = (PieceTally(),) * len(PIECE_CLASSES)
    confidences: tuple[tuple[float, bool], ...] = ()
    fault: str = ""
    mistakes: tuple[Mistake, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the whole board was read without a mistake."""
        return self.whole == SQUARES

    @property
    def wrong(self) -> int:
        """Tiles with a mistake, or of a photo that was not read."""
        return SQUARES - self.whole


def score_photo(path: Path, truth: Board, scenario: str) -> PhotoScore:
    """Read a photo and compare it with its truth; a board read half-turned counts as right."""
    started = time.perf_counter()
    try:
        reading = read_picture(load_photo(path))
    except CompanionError as error:
        return PhotoScore(path.name, scenario, fault=str(error), seconds=time.perf_counter() - started)
    seconds = time.perf_counter() - started
    readings = reading.tiles
    if _right_kinds(readings[::-1], truth) > _right_kinds(readings, truth):
        readings = readings[::-1]
    right = [tile.tile == true for tile, true in zip(readings, truth, strict=True)]
    return PhotoScore(
        name=path.name,
        scenario=scenario,
        identity=_right_kinds(readings, truth),
        whole=sum(right),
        flagged=sum(tile.is_doubtful for tile in readings),
        unflagged_wrong=sum(not ok and not tile.is_doubtful for ok, tile in zip(right, readings, strict=True)),
        seconds=seconds,
        pieces=_tallies([tile.tile for tile in readings], truth),
        confidences=tuple((tile.confidence, ok) for tile, ok in zip(readings, right, strict=True)),
        mistakes=tuple(
            Mistake(seen.tile, true, seen.is_doubtful)
            for seen, true in zip(readings, truth, strict=True)
            if seen.tile != true
        ),
    )


def _right_kinds(readings: Sequence[TileReading], truth: Board) -> int:
    return sum(tile.tile.kind is true.kind for tile, true in zip(readings, truth, strict=True))


def _tallies(read: Sequence[Tile], truth: Board) -> tuple[PieceTally, ...]:
    tallies = [PieceTally()] * len(PIECE_CLASSES)
    for seen, true in zip(read, truth, strict=True):
        here, there = Counter(pieces_on(seen)), Counter(pieces_on(true))
        for index, name in enumerate(PIECE_CLASSES):
            tallies[index] += PieceTally(there[name], here[name], min(here[name], there[name]))
    return tuple(tallies)


def find_truths(folder: Path) -> list[tuple[Path, Board, str]]:
    """The photos of a folder whose truth lies beside them: (photo, board, scenario).

    Truth is an entry of the folder's `truth.json`, {"photo.jpg": {"rows": [...]}}, a JSON file of the photo's own name
    with "rows" and perhaps a "scenario", or a position file (.toml) of that name; without a scenario it is the
    folder's name. Entries with "cards" are of photos of cards and are left out. Raises UnusableInputError that names
    the file if one is none of these.
    """
    together = folder / TOGETHER
    listed = _json(together) if together.is_file() else {}
    truths = []
    for photo in photos_in(folder):
        own = photo.with_suffix(".json")
        source, document = (own, _json(own)) if own.is_file() else (together, listed.get(photo.name))
        if source == together and isinstance(document, dict) and "cards" in document:
            continue
        position = photo.with_suffix(".toml")
        try:
            if document is not None:
                board = parse_board("\n".join(document["rows"]))
                truths.append((photo, board, str(document.get("scenario", folder.name))))
            elif position.is_file():
                source = position
                truths.append((photo, parse_position(_text(position)).board, folder.name))
        except (NotationError, KeyError, TypeError, AttributeError) as error:
            reason = error if isinstance(error, NotationError) else _EXPECTED
            raise UnusableInputError(f"{source}: {photo.name}: {reason}") from None
    return truths


def photos_in(folder: Path) -> list[Path]:
    """The photos of a folder by name."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PHOTO_SUFFIXES)


def without_truth(folders: Iterable[Path]) -> list[Path]:
    """The photos of folders beside which no truth lies. Raises what `find_truths` raises."""
    return [
        photo
        for folder in folders
        for photo in sorted(set(photos_in(folder)) - {photo for photo, _, _ in find_truths(folder)})
    ]


def _json(path: Path) -> dict[str, Any]:
    """The object in a JSON file. Raises UnusableInputError that names it."""
    try:
        document = json.loads(_text(path))
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise UnusableInputError(f"{path}: {_EXPECTED}")
    return document


def _text(path: Path) -> str:
    """The text of a file in UTF-8. Raises UnusableInputError that names it."""
    try:
        return read_file(path, MAX_TRUTH_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnusableInputError(f"{path} is not UTF-8 text") from None


def score_folders(folders: Sequence[Path], run_all: RunAll = in_this_process) -> list[PhotoScore]:
    """Read and score all photos of folders whose truth lies beside them, in their order, whoever reads them.

    Raises UnusableInputError for what is no folder, where there is no such photo, and as `find_truths`.
    """
    for folder in folders:
        if not folder.is_dir():
            raise UnusableInputError(f"{folder} is not a folder; name a folder of photos with their truth")
    photos = [photo for folder in folders for photo in find_truths(folder)]
    scores = list(in_order(run_all, _scored, photos))
    if not scores:
        raise UnusableInputError("no photo with its truth beside it in " + ", ".join(map(str, folders)))
    return scores


def _scored(photo: tuple[Path, Board, str]) -> PhotoScore:
    return score_photo(*photo)


def by_scenario(scores: Sequence[PhotoScore]) -> dict[str, list[PhotoScore]]:
    """The scores grouped by scenario, in the order met."""
    groups: dict[str, list[PhotoScore]] = {}
    for score in scores:
        groups.setdefault(score.scenario, []).append(score)
    return groups


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """The tiles whose confidence lies from `low` to `high`: how many, and the share right."""

    low: float
    high: float
    tiles: int
    right: float


def reliability(scores: Sequence[PhotoScore], edges: Sequence[float]) -> list[ConfidenceBin]:
    """The tiles of all photos in bins by their confidence; empty bins are left out, the last holds its upper edge."""
    pairs = [pair for score in scores for pair in score.confidences]
    bins = []
    for low, high in pairwise(edges):
        last = high == edges[-1]
        inside = [right for confidence, right in pairs if low <= confidence < high or (last and confidence == high)]
        if inside:
            bins.append(ConfidenceBin(low, high, len(inside), sum(inside) / len(inside)))
    return bins


def cause_counts(mistakes: Iterable[Mistake]) -> list[tuple[str, int, int]]:
    """Causes with how many mistakes are theirs and how many of these are flagged, the commonest first."""
    seen = list(mistakes)
    flagged = Counter(one.cause for one in seen if one.is_flagged)
    return [(cause, count, flagged[cause]) for cause, count in Counter(one.cause for one in seen).most_common()]
