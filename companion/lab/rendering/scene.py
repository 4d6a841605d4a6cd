"""What stands where under which light, seen by which camera: all that a picture is drawn from."""

from __future__ import annotations

from dataclasses import dataclass

from companion.lab.rendering.camera import Camera
from companion.lab.rendering.pieces import PieceSet
from companion.rules.model.board import Board

STANDING, LYING = "standing", "lying"


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile on the table: its middle in mm, its tilt in degrees and quarter turns clockwise.

    `art` picks one of the pictures of its kind (any whole number, taken modulo their number).
    """

    square: int
    code: str
    art: int
    x: float
    y: float
    tilt: float
    turn: int


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece: the middle of its foot in mm, the direction of its width in degrees, and its pose.

    `square` is None for one beside the sultanate; `lean` in degrees is how far a standing one leans over
    towards its thickness's direction.
    """

    kind: str
    colour: str
    square: int | None
    x: float
    y: float
    angle: float
    pose: str
    lean: float = 0.0


@dataclass(frozen=True, slots=True)
class Extra:
    """Something else on the table: a "coin", "card", "mug" or "block" at a place in mm, turned, of a size.

    `size` is (width, depth, height) in mm; `colour` BGR, 0 to 255.
    """

    kind: str
    x: float
    y: float
    angle: float
    size: tuple[float, float, float]
    colour: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp at a place (x, y, h) in mm; `radius` in mm softens its shadows; `colour` is BGR, linear.

    `strength` is the light it throws on the middle of the board, the sum of all lamps being about 1.
    """

    place: tuple[float, float, float]
    radius: float
    colour: tuple[float, float, float]
    strength: float


@dataclass(frozen=True, slots=True)
class Light:
    """The lamps, and the light that comes from everywhere (BGR, linear); `tile_gloss` is 0 (matt) to 1."""

    lamps: tuple[Lamp, ...]
    ambient: tuple[float, float, float]
    tile_gloss: float


@dataclass(frozen=True, slots=True)
class Look:
    """What lens, sensor and phone make of the light.

    `exposure` is the middling brightness aimed at (0 to 1, linear), `spared` the share of
    the picture that is not to be burnt out by it; `balance` BGR gains left in the
    picture; `contrast` and `saturation` 1 for none; `vignette` the loss in the corners; `blur_px` and
    `motion_px` for a picture 1500 px wide; `noise` the deviation at middle grey; `sharpen` 0 to 1;
    `quality` of the JPEG.
    """

    exposure: float = 0.25
    spared: float = 0.95
    balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    contrast: float = 1.0
    saturation: float = 1.0
    vignette: float = 0.15
    blur_px: float = 0.5
    motion_px: float = 0.0
    motion_angle: float = 0.0
    noise: float = 0.01
    sharpen: float = 0.3
    quality: int = 88


@dataclass(frozen=True, slots=True)
class Tabletop:
    """The table top: a kind that `tabletops.tabletop` knows, the seed of its picture, and the width of that in mm."""

    kind: str
    seed: int
    width_mm: float
    angle: float
    gloss: float


@dataclass(frozen=True, slots=True)
class Scene:
    """A table to be drawn."""

    board: Board
    box: PieceSet
    tiles: tuple[PlacedTile, ...]
    pieces: tuple[PlacedPiece, ...]
    extras: tuple[Extra, ...]
    table: Tabletop
    camera: Camera
    light: Light
    look: Look
