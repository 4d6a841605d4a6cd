"""Where pieces come to stand: on their tiles, perhaps touching, never inside one another."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, radians, sin

import numpy as np

from companion.lab.rendering.camera import TILE_MM
from companion.lab.rendering.pieces import CAMEL, MEEPLE, PALACE, PALM, PieceSet
from companion.lab.rendering.scene import LYING, STANDING, PlacedPiece, PlacedTile
from companion.rules.model.board import Tile
from companion.rules.model.components import TRIBE_LETTERS

CAMEL_SPOT = (0.8, 0.83)
"""The camel's spot as shares of the tile's side from its top left."""

_CAMEL_REACH = 0.45
"""How far from a tile's middle camels stand at most, in tile sides."""

_TRIES = 60


@dataclass(frozen=True, slots=True)
class Footprint:
    """A rectangle on the table: middle, direction of its width (cosine, sine), half width and half depth."""

    x: float
    y: float
    c: float
    s: float
    half_width: float
    half_depth: float


def _footprint(box: PieceSet, kind: str, pose: str, x: float, y: float, angle: float) -> Footprint:
    cut = box.cuts[kind]
    width = float(np.ptp(cut.outline[:, 0]))
    depth = cut.thickness if pose == STANDING else float(np.ptp(cut.outline[:, 1]))
    return Footprint(x, y, cos(radians(angle)), sin(radians(angle)), width / 2, depth / 2)


def _reach(foot: Footprint, c: float, s: float) -> float:
    return foot.half_width * abs(foot.c * c + foot.s * s) + foot.half_depth * abs(foot.c * s - foot.s * c)


def gap(one: Footprint, other: Footprint) -> float:
    """Widest gap between two feet along their sides' directions, in mm; negative when they overlap."""
    dx, dy = other.x - one.x, other.y - one.y
    widest = -1e9
    for c, s in ((one.c, one.s), (-one.s, one.c), (other.c, other.s), (-other.s, other.c)):
        widest = max(widest, abs(dx * c + dy * s) - _reach(one, c, s) - _reach(other, c, s))
    return widest


def _room(foot: Footprint, others: list[Footprint]) -> float:
    near = [other for other in others if hypot(other.x - foot.x, other.y - foot.y) < 45]
    return min((gap(foot, other) for other in near), default=99.0)


def _pose(kind: str, lying: float, rng: np.random.Generator) -> str:
    share = {MEEPLE: lying, CAMEL: 0.25 * lying, PALM: 0.35 * lying, PALACE: 0.25 * lying}[kind]
    return LYING if rng.random() < share else STANDING


def on_tile(tile: Tile) -> list[tuple[str, str]]:
    """Kind and colour letter of every piece on a tile, big ones first."""
    pieces = [(PALACE, "")] * tile.palaces + [(PALM, "")] * tile.palms
    if tile.camel is not None:
        pieces.append((CAMEL, tile.camel.letter))
    for letter, count in zip(TRIBE_LETTERS, tile.meeples, strict=True):
        pieces += [(MEEPLE, letter)] * count
    return pieces


@dataclass(frozen=True, slots=True)
class Habit:
    """How people at a table put pieces down.

    `lying` is the share of meeples that lie flat; `reach` how far from the tile's middle feet stand at
    most, as a share of its side (0.5 is the edge); `tight` is the share of tiles whose pieces are pushed
    together.
    """

    lying: float
    reach: float
    tight: float


def _spot(
    kind: str, placed: PlacedTile, middle: tuple[float, float], spread: float, reach: float, rng: np.random.Generator
) -> tuple[float, float]:
    """A spot on the tile in mm: the camel's mostly near its own, others around a middle of their own."""
    if kind == CAMEL and rng.random() < 0.85:
        across, down = CAMEL_SPOT[0] - 0.5 + rng.normal(0, 0.05), CAMEL_SPOT[1] - 0.5 + rng.normal(0, 0.05)
        angle = radians(90 * placed.turn + placed.tilt)
        across, down = across * cos(angle) - down * sin(angle), across * sin(angle) + down * cos(angle)
        reach = min(reach + 0.05, _CAMEL_REACH)
    else:
        across, down = middle[0] + rng.normal(0, spread), middle[1] + rng.normal(0, spread)
    if max(abs(across), abs(down)) > reach:
        across, down = rng.uniform(-reach, reach, 2)
    return placed.x + TILE_MM * float(across), placed.y + TILE_MM * float(down)


def _beside(
    kind: str, pose: str, box: PieceSet, here: list[tuple[Footprint, float]], rows: bool, rng: np.random.Generator
) -> tuple[float, float, float]:
    """A spot (x, y, angle) that touches a piece already on the tile, in a row with it or at any angle."""
    # The last piece is mostly of the same colour.
    other, turn = here[-1] if rng.random() < 0.5 else here[int(rng.integers(len(here)))]
    angle = turn + float(rng.normal(0, 5)) if rows else float(rng.uniform(0, 360))
    way = radians(turn + 90 * int(rng.integers(1, 5)) if rows else float(rng.uniform(0, 360)))
    foot = _footprint(box, kind, pose, 0, 0, angle)
    c, s = cos(way), sin(way)
    away = _reach(other, c, s) + _reach(foot, c, s) + float(rng.exponential(0.7)) - 0.1
    if not rows:
        # Rectangles at an angle to each other can come closer than their reaches.
        away *= float(rng.uniform(0.7, 1))
    return other.x + away * c, other.y + away * s, angle


def _lean(pose: str, rng: np.random.Generator) -> float:
    """How far a piece in a heap leans over, mostly not at all."""
    return float(rng.normal(0, 9)) if pose == STANDING and rng.random() < 0.15 else 0.0


def place_pieces(
    tile: Tile, placed: PlacedTile, box: PieceSet, taken: list[Footprint], habit: Habit, rng: np.random.Generator
) -> list[PlacedPiece]:
    """Put a tile's pieces down at random; `taken` holds the feet already there and grows."""
    wanted = on_tile(tile)
    # Some tables are tidy, some have the meeples in a heap in the middle or at a side.
    middle = tuple(rng.normal(0, 0.1, 2))
    spread = float(rng.uniform(0.08, 0.24)) + 0.01 * len(wanted)
    tight = habit.tight > 0 and rng.random() < habit.tight
    rows = tight and rng.random() < 0.5
    inner = TILE_MM * (habit.reach + 0.02)
    here: list[tuple[Footprint, float]] = []
    pieces = []
    for kind, colour in wanted:
        pose = _pose(kind, habit.lying, rng)
        best: tuple[float, Footprint, float] | None = None
        for attempt in range(_TRIES):
            x, y = _spot(kind, placed, (middle[0], middle[1]), spread * (1 + attempt / 15), habit.reach, rng)
            angle = float(rng.uniform(0, 360))
            if tight and here and attempt < _TRIES // 2:
                x, y, angle = _beside(kind, pose, box, here, rows, rng)
                if max(abs(x - placed.x), abs(y - placed.y)) > inner:
                    continue
            foot = _footprint(box, kind, pose, x, y, angle)
            room = _room(foot, taken)
            if best is None or room > best[0]:
                best = (room, foot, angle)
            if room > -0.3:
                break
        assert best is not None
        _, foot, angle = best
        taken.append(foot)
        here.append((foot, angle))
        lean = _lean(pose, rng) if tight else 0.0
        pieces.append(PlacedPiece(kind, colour, placed.square, foot.x, foot.y, angle, pose, lean))
    return pieces


def place_spare(
    kind: str, colour: str, box: PieceSet, taken: list[Footprint], place: tuple[float, float], rng: np.random.Generator
) -> PlacedPiece | None:
    """Put a spare piece down beside the sultanate, or None if something is there already."""
    pose = _pose(kind, 0.4, rng)
    angle = float(rng.uniform(0, 360))
    foot = _footprint(box, kind, pose, *place, angle)
    if _room(foot, taken) < 0:
        return None
    taken.append(foot)
    return PlacedPiece(kind, colour, None, *place, angle, pose)
