"""The calibration card on a table, with a piece in each field, as a phone would take it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.lab.rendering.boards import start_board
from companion.lab.rendering.camera import BOARD_MM, set_up
from companion.lab.rendering.photo import develop
from companion.lab.rendering.pieces import CAMEL, MEEPLE, PieceSet
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.scene import LYING, STANDING, PlacedPiece, Scene
from companion.lab.rendering.shadows import free_light
from companion.lab.rendering.solids import Solid, draw, piece_solid
from companion.lab.rendering.surface import albedo, lighted
from companion.lab.rendering.textures import Image, rough_noise
from companion.lab.rendering.tile_art import standard_art
from companion.notation.fiducials import (
    CARD_MARKER_MM,
    CARD_MARKERS,
    CARD_MM,
    CARD_PIECES,
    FIELD_DOT_MM,
    FIELD_MM,
    MARKER_MODULES,
    STRIP_MM,
    STRIP_STEPS,
    dark_modules,
    field_corner,
    field_dots,
    marker_corner,
)
from companion.rules.model.components import COLOUR_BY_LETTER, TRIBE_LETTERS

PX_PER_MM = 6
MARGIN_MM = 8.0
"""White paper around the card's markers."""

_PAPER, _INK, _DOTS = 244, 24, 108


def card_page() -> Image:
    """The calibration card as printed, white paper around it, `PX_PER_MM`; words and drawings are left out."""
    size = [round((side + 2 * MARGIN_MM) * PX_PER_MM) for side in CARD_MM]
    page = np.full((size[1], size[0]), _PAPER, np.uint8)

    def px(value: float) -> int:
        return round((value + MARGIN_MM) * PX_PER_MM)

    module = CARD_MARKER_MM / MARKER_MODULES
    for place, number in enumerate(CARD_MARKERS):
        left, top = marker_corner(place)
        for column, row in dark_modules(number):
            x, y = left + column * module, top + row * module
            page[px(y) : px(y + module), px(x) : px(x + module)] = _INK
    for number in range(len(CARD_PIECES)):
        left, top = field_corner(number)
        corners = ((px(left), px(top)), (px(left + FIELD_MM), px(top + FIELD_MM)))
        cv2.rectangle(page, *corners, _INK, 2)
        for x, y in field_dots(number):
            half = FIELD_DOT_MM / 2
            page[px(y - half) : px(y + half), px(x - half) : px(x + half)] = _DOTS
    left, top, width, height = STRIP_MM
    for step in range(STRIP_STEPS):
        level = round(_PAPER + (_INK - _PAPER) * step / (STRIP_STEPS - 1))
        x = left + step * width / STRIP_STEPS
        page[px(top) : px(top + height), px(x) : px(x + width / STRIP_STEPS)] = level
    return np.asarray(cv2.cvtColor(page, cv2.COLOR_GRAY2BGR), np.uint8)


def _on_table(x: float, y: float) -> tuple[float, float]:
    """A place on the card in mm of the table, the card's middle under the middle of the sultanate."""
    return x + (BOARD_MM[0] - CARD_MM[0]) / 2, y + (BOARD_MM[1] - CARD_MM[1]) / 2


def _laid(pieces: Collection[str], standing: float, rng: np.random.Generator) -> tuple[PlacedPiece, ...]:
    """A piece in each of these fields, standing at that chance, else lying."""
    placed = []
    for number, piece in enumerate(CARD_PIECES):
        if piece not in pieces:
            continue
        left, top = field_corner(number)
        x, y = _on_table(left + FIELD_MM / 2 + rng.uniform(-3, 3), top + FIELD_MM / 2 + rng.uniform(-3, 3))
        kind = MEEPLE if piece in TRIBE_LETTERS else CAMEL if piece in COLOUR_BY_LETTER else piece
        letter = piece if kind in (MEEPLE, CAMEL) else ""
        pose = STANDING if rng.random() < standing else LYING
        placed.append(PlacedPiece(kind, letter, None, x, y, float(rng.uniform(-40, 40)), pose))
    return tuple(placed)


def calibration_photo(
    rng: np.random.Generator,
    box: PieceSet,
    *,
    profile: str = "topdown",
    size: tuple[int, int] = (1500, 2000),
    pieces: Collection[str] = CARD_PIECES,
    standing: float = 0.0,
    turn: float = 0.0,
) -> Image:
    """A picture (BGR) of `size` (width, height) px of the card with pieces of that box.

    `profile` is one of `sampling.PROFILES` and gives lamps and camera; `pieces` lie in their fields, the other
    fields are empty; `standing` is the chance that a piece stands; `turn` turns the camera, in degrees.
    """
    scene = sample_scene(rng, start_board(rng), profile)
    camera = replace(scene.camera, place=(0.5, 0.5), azimuth=turn + scene.camera.azimuth % 16 - 8)
    # The camera is set up for a sultanate; nearer by as much as the card is smaller.
    page = [side + 2 * MARGIN_MM for side in CARD_MM]
    scale = 0.88 * min(size[0] / page[0], size[1] / page[1])
    camera = replace(camera, share=max(BOARD_MM[0] * scale / size[0], BOARD_MM[1] * scale / size[1]))
    scene = replace(scene, box=box, camera=camera, tiles=(), extras=(), pieces=_laid(pieces, standing, rng))
    view = set_up(scene.camera, size)
    solids = [piece_solid(piece, scene.box, view.eye) for piece in scene.pieces]
    return page_photo(scene, card_page(), _on_table(-MARGIN_MM, -MARGIN_MM), PX_PER_MM, solids, size, rng)


def page_photo(
    scene: Scene,
    page: Image,
    corner: tuple[float, float],
    px_per_mm: float,
    solids: Sequence[Solid],
    size: tuple[int, int],
    rng: np.random.Generator,
) -> Image:
    """A picture (BGR) of `size` (width, height) px of a sheet of paper on a scene's table, and of what stands on it.

    `page` is the sheet, its top left corner at a place in mm of the table.
    """
    view = set_up(scene.camera, size)
    picture, cover = albedo(scene, view, standard_art())
    lie = np.array([[1 / px_per_mm, 0, corner[0]], [0, 1 / px_per_mm, corner[1]], [0, 0, 1]])
    # Averaged first where the camera is far away.
    matrix = view.plane() @ lie
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2] / matrix[2, 2]))))
    if scale < 0.7:
        page = np.asarray(cv2.GaussianBlur(page, (0, 0), 0.4 / scale), np.uint8)
    whole = np.full(page.shape[:2], 255, np.uint8)
    mask = cv2.warpPerspective(whole, matrix, size, flags=cv2.INTER_LINEAR)
    warped = cv2.warpPerspective(page, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    share = mask.astype(np.float32) / 255
    picture = np.asarray(cv2.blendLinear(warped, picture, share, 1 - share), np.uint8)
    linear = lighted(picture, cover, scene, view, solids, rng)
    grain = rough_noise(rng, (256, 256), 3, 24)
    free = free_light(solids, scene.light.lamps)
    for number, solid in enumerate(solids):
        draw(linear, solid, view, scene.light, free[number], grain, rng)
    return develop(linear, view, scene.look, rng)
