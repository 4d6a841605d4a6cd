"""A hint as a picture: on a drawn board, or on the very photo that the position was read from, with words below."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from companion.advisor.advice import AdviceLevel, AdvisedTurn
from companion.drawing.label_placement import Disc, min_letters_px
from companion.drawing.palette import INK, PAPER
from companion.language.catalogue import translate
from companion.printing.core.board import FOR_TURNS, Grid, Point, Project, draw_board
from companion.printing.core.geometry import Box
from companion.printing.core.raster import JPEG_QUALITY, Raster
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.core.vector import Vector
from companion.printing.hint import drawing
from companion.rules.model.board import Board

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH_PX = 1500
"""Width of a drawn board's picture."""

LONG_SIDE_PX = 1800
"""A photo is drawn on at most so large."""

SVG = ".svg"

Homography = tuple[tuple[float, float, float], ...]

_TABLE = Grid()
_CAPTION_PX = 30
_LEADING = 1.45
_BODY = 0.24
"""How far a piece's body reaches above its foot in the photo, in tile sides."""

_PIECE = 0.17
"""How wide a piece is from its middle, in tile sides."""

_LABEL_HOMES = (-0.4, 0.4)
_NAME_AWAY, _NAME_RADIUS = 0.16, 0.1
_NAME_TYPE = 1.3
"""The type of a column's or row's name, in radii of its disc."""

_PHOTO_RIM = 6.0
"""How far labels stay from a photo's edge, in px."""


def board_picture(
    board: Board,
    turn: AdvisedTurn | None,
    caption: Sequence[str],
    suffix: str,
    *,
    level: AdviceLevel = AdviceLevel.FULL,
    language: str = "en",
) -> bytes:
    """The turn on a drawn board, as the bytes of a PNG, JPEG or SVG file; no more of it than `level` tells.

    Without a `turn` it is the board alone.
    """
    marks = drawing.NO_MARKS if turn is None else drawing.turn_marks(turn, level)
    lines = _Caption([translate(line, language) for line in caption], WIDTH_PX, _CAPTION_PX)

    def draw(surface: Surface, place: Box) -> None:
        draw_board(surface, place, board)
        drawing.draw_marks(surface, place, marks, language)

    return _picture(Box(0, 0, WIDTH_PX, FOR_TURNS.height_for(WIDTH_PX)), lines, suffix, draw)


def photo_picture(
    photo: NDArray[np.uint8],
    homography: Homography,
    pieces: Mapping[int, Sequence[Point]],
    turn: AdvisedTurn | None,
    caption: Sequence[str],
    suffix: str,
    *,
    level: AdviceLevel = AdviceLevel.FULL,
    language: str = "en",
) -> bytes:
    """The turn on a photo of the board, as `marked_photo` has it; no more of it than `level` tells."""
    marks = drawing.NO_MARKS if turn is None else drawing.turn_marks(turn, level)
    return marked_photo(photo, homography, pieces, marks, caption, suffix, language)


def marked_photo(
    photo: NDArray[np.uint8],
    homography: Homography,
    pieces: Mapping[int, Sequence[Point]],
    marks: drawing.TurnMarks,
    caption: Sequence[str],
    suffix: str,
    language: str,
) -> bytes:
    """Marks on a photo of the board (height, width, BGR), as the bytes of a PNG, JPEG or SVG file.

    `homography` maps board coordinates (tile sides) to px of the photo; `pieces` are the feet of those that were
    seen, by square, in board coordinates.
    """
    scale = min(1.0, LONG_SIDE_PX / max(photo.shape[:2]))
    size = (round(photo.shape[1] * scale), round(photo.shape[0] * scale))
    ground = Image.fromarray(np.ascontiguousarray(photo[:, :, ::-1])).resize(size, Image.Resampling.LANCZOS)
    matrix = np.diag([scale, scale, 1.0]) @ np.array(homography, dtype=np.float64)
    lines = _Caption([translate(line, language) for line in caption], size[0], max(16, size[0] / 50))

    def draw(surface: Surface, place: Box) -> None:
        _draw_on_photo(surface, place, matrix, pieces, marks, language)

    return _picture(Box(0, 0, *size), lines, suffix, draw, ground)


def _picture(
    place: Box, lines: _Caption, suffix: str, draw: Callable[[Surface, Box], None], photo: Image.Image | None = None
) -> bytes:
    """What is drawn into a place, on a photo or on paper, with lines below, as the bytes of a file."""
    paper, least = Box(0, 0, place.w, place.h + lines.height), min_letters_px(place.w, place.h) * PT_PER_MM
    surface: Vector | Raster
    if suffix.lower() == SVG:
        jpeg = io.BytesIO()
        if photo is not None:
            photo.save(jpeg, "JPEG", quality=JPEG_QUALITY)
        laid = None if photo is None else (jpeg.getvalue(), place)
        surface = Vector(paper, Fonts(), ground=PAPER, title=lines.title, photo=laid, least_pt=least)
    else:
        ground = Image.new("RGB", (round(paper.w), round(paper.h)), PAPER)
        if photo is not None:
            ground.paste(photo)
        surface = Raster(paper, Fonts(), ground=ground, least_pt=least)
    draw(surface, place)
    lines.draw(surface, place.h)
    return surface.to_bytes() if isinstance(surface, Vector) else surface.to_bytes(suffix)


def _draw_on_photo(
    surface: Surface,
    photo: Box,
    matrix: NDArray[np.float64],
    pieces: Mapping[int, Sequence[Point]],
    marks: drawing.TurnMarks,
    language: str,
) -> None:
    project, back = partial(_mapped, matrix), partial(_mapped, np.linalg.inv(matrix).astype(np.float64))

    def head(foot: Point) -> Point:
        x, y = project(foot)
        return back((x, y - _BODY * drawing.scale_at(project, foot)))

    busy = [point for feet in pieces.values() for foot in feet for point in (foot, head(foot))]
    arrows = drawing.lay_arrows(marks.path, _TABLE, busy) if marks.path is not None else ()
    drawing.draw_rims(surface, project, _TABLE, marks)
    discs = drawing.arrow_discs(project, arrows, surface.least_pt)
    for text, point in _TABLE.column_and_row_names(_NAME_AWAY):
        x, y = project(point)
        radius = max(_NAME_RADIUS * drawing.scale_at(project, point), surface.least_pt / PT_PER_MM / _NAME_TYPE)
        discs.append((x, y, radius))
        box = Box(x - radius, y - radius, 2 * radius, 2 * radius)
        surface.box(box, fill=INK, radius=radius)
        surface.text(box, text, _NAME_TYPE * radius * PT_PER_MM, face=Face.BOLD, colour=PAPER, align="centre")
    labels = drawing.place_labels(
        surface,
        project,
        _TABLE,
        marks,
        language,
        homes=_LABEL_HOMES,
        area=photo.inset(_PHOTO_RIM),
        discs=[*discs, *piece_discs(project, pieces)],
    )
    drawing.draw_arrows(surface, project, arrows)
    drawing.draw_labels(surface, labels, marks)


def piece_discs(project: Project, pieces: Mapping[int, Sequence[Point]]) -> list[Disc]:
    """Discs that cover the pieces in a photo: where they stand, and their bodies above that."""
    discs = []
    for foot in (foot for feet in pieces.values() for foot in feet):
        x, y = project(foot)
        unit = drawing.scale_at(project, foot)
        discs += [(x, y - share * _BODY * unit, _PIECE * unit) for share in (0.0, 0.5, 1.0)]
    return discs


def _mapped(matrix: NDArray[np.float64], point: Point) -> Point:
    x, y, w = matrix @ np.array([*point, 1.0])
    return float(x / w), float(y / w)


class _Caption:
    """Lines of words below a picture, each paragraph wrapped, the first in bold."""

    def __init__(self, paragraphs: Sequence[str], width: float, size_px: float) -> None:
        self.title = paragraphs[0] if paragraphs else ""
        self._size = size_px * PT_PER_MM
        self._step = size_px * _LEADING
        self._rim = size_px
        self._width = width - 2 * self._rim
        ruler = Raster(Box(0, 0, 1, 1), Fonts(), ground=PAPER)
        faces = zip(paragraphs, chain((Face.BOLD,), repeat(Face.REGULAR)), strict=False)
        self._lines = [
            (line, face) for text, face in faces for line in ruler.wrapped(text, self._size, self._width, face)
        ]
        self.height = len(self._lines) * self._step + 1.2 * self._rim if self._lines else 0.0

    def draw(self, surface: Surface, top: float) -> None:
        """Write the lines below `top`."""
        y = top + 0.5 * self._rim
        for line, face in self._lines:
            surface.text(Box(self._rim, y, self._width, self._step), line, self._size, face=face, colour=INK)
            y += self._step
