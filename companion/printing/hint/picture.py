"""A hint as a picture: on a drawn board, or on the very photo that the position was read from, with words below."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from companion.advisor.wording import TurnWords
from companion.printing.core.geometry import Box
from companion.printing.core.raster import JPEG_QUALITY, Raster
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.core.vector import Vector
from companion.printing.hint.board import draw_turn_on_board, drawing_size
from companion.printing.hint.drawing import END, INK, PAPER, START, draw_marks, draw_tile_rim, scale_at
from companion.printing.hint.marks import (
    Grid,
    Label,
    Point,
    column_and_row_names,
    label_texts,
    lay_arrows,
    lay_labels,
)
from companion.printing.setup.template import SetupTemplate, load_setup_template
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

_LABEL_HEIGHTS = (-0.4, 0.4, -0.22, 0.22, -0.62, 0.62)


def board_picture(board: Board, words: TurnWords, caption: Sequence[str], suffix: str, *, start_only: bool) -> bytes:
    """The turn on a drawn board, as the bytes of a PNG, JPEG or SVG file; `start_only`: no more than its start tile."""
    fonts, template = Fonts(), load_setup_template(None)
    height = drawing_size(WIDTH_PX)
    lines = _Caption(caption, WIDTH_PX, _CAPTION_PX, fonts)
    paper = Box(0, 0, WIDTH_PX, height + lines.height)
    place = Box(0, 0, WIDTH_PX, height)
    if suffix.lower() == SVG:
        drawn = Vector(paper, fonts, ground=PAPER, title=_title(caption))
        draw_turn_on_board(drawn, place, board, words, template, start_only=start_only)
        lines.draw(drawn, height)
        return drawn.to_bytes()
    surface = Raster(paper, fonts, px_per_mm=1, ground=PAPER)
    draw_turn_on_board(surface, place, board, words, template, start_only=start_only)
    lines.draw(surface, height)
    return surface.to_bytes(suffix)


def photo_picture(
    photo: NDArray[np.uint8],
    homography: Homography,
    pieces: Mapping[int, Sequence[Point]],
    words: TurnWords,
    caption: Sequence[str],
    suffix: str,
    *,
    start_only: bool,
) -> bytes:
    """The turn on a photo of the board (height, width, BGR), as the bytes of a PNG, JPEG or SVG file.

    `homography` maps board coordinates (tile sides) to px of the photo; `pieces` are the feet of those that were
    seen, by square, in board coordinates.
    """
    fonts, template = Fonts(), load_setup_template(None)
    scale = min(1.0, LONG_SIDE_PX / max(photo.shape[:2]))
    size = (round(photo.shape[1] * scale), round(photo.shape[0] * scale))
    ground = Image.fromarray(np.ascontiguousarray(photo[:, :, ::-1])).resize(size, Image.Resampling.LANCZOS)
    matrix = np.diag([scale, scale, 1.0]) @ np.array(homography, dtype=np.float64)
    lines = _Caption(caption, size[0], max(16, size[0] / 50), fonts)
    place = Box(0, 0, *size)
    if suffix.lower() == SVG:
        paper = Box(0, 0, size[0], size[1] + lines.height)
        drawn = Vector(paper, fonts, ground=PAPER, title=_title(caption), photo=(_jpeg(ground), place))
        _draw_on_photo(drawn, place, matrix, pieces, words, template, start_only=start_only)
        lines.draw(drawn, size[1])
        return drawn.to_bytes()
    whole = Image.new("RGB", (size[0], round(size[1] + lines.height)), PAPER)
    whole.paste(ground)
    surface = Raster(Box(0, 0, *whole.size), fonts, px_per_mm=1, ground=whole)
    _draw_on_photo(surface, place, matrix, pieces, words, template, start_only=start_only)
    lines.draw(surface, size[1])
    return surface.to_bytes(suffix)


def _title(caption: Sequence[str]) -> str:
    return caption[0] if caption else ""


def _jpeg(picture: Image.Image) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, "JPEG", quality=JPEG_QUALITY)
    return stream.getvalue()


def _draw_on_photo(
    surface: Surface,
    photo: Box,
    matrix: NDArray[np.float64],
    pieces: Mapping[int, Sequence[Point]],
    words: TurnWords,
    template: SetupTemplate,
    *,
    start_only: bool,
) -> None:
    project = _Projection(matrix)
    sowing = words.turn.sowing
    busy = [point for feet in pieces.values() for foot in feet for point in (foot, _head(project, foot))]
    arrows = () if sowing is None or start_only else lay_arrows(sowing, _TABLE, busy)
    if sowing is not None:
        draw_tile_rim(surface, project, _TABLE, sowing.start, START)
        if not start_only:
            for square in dict.fromkeys((sowing.end, *words.explained.explanation.claims)):
                draw_tile_rim(surface, project, _TABLE, square, END)
    names = column_and_row_names(_TABLE, 0.16)
    for text, point in names:
        x, y = project(point)
        radius = 0.1 * scale_at(project, point)
        box = Box(x - radius, y - radius, 2 * radius, 2 * radius)
        surface.box(box, fill=INK, radius=radius)
        surface.text(box, text, 1.3 * radius * PT_PER_MM, face=Face.BOLD, colour=PAPER, align="centre")

    def on_photo(label: Label) -> bool:
        rim = scale_at(project, label.centre) * label.height
        return all(photo.inset(rim).holds(Box(*project(end), 0, 0)) for end in label.ends)

    texts = label_texts(words, start_only=start_only)
    labels = lay_labels(texts, _TABLE, arrows, busy, _LABEL_HEIGHTS, on_photo, [point for _, point in names])
    draw_marks(surface, project, arrows, labels, None if sowing is None else sowing.start, template)


class _Projection:
    """A homography from board coordinates to px, both ways."""

    def __init__(self, matrix: NDArray[np.float64]) -> None:
        self._matrix = matrix
        self._back: NDArray[np.float64] = np.linalg.inv(matrix).astype(np.float64)

    def __call__(self, point: Point) -> Point:
        return _mapped(self._matrix, point)

    def back(self, point: Point) -> Point:
        """The board coordinates of a point of the picture."""
        return _mapped(self._back, point)


def _mapped(matrix: NDArray[np.float64], point: Point) -> Point:
    x, y, w = matrix @ np.array([*point, 1.0])
    return float(x / w), float(y / w)


def _head(project: _Projection, foot: Point) -> Point:
    """What a piece's head covers of the board: pieces stand up, and cameras look at them from a side."""
    x, y = project(foot)
    return project.back((x, y - _BODY * scale_at(project, foot)))


class _Caption:
    """Lines of words below a picture, each paragraph wrapped, the first in bold."""

    def __init__(self, paragraphs: Sequence[str], width: float, size_px: float, fonts: Fonts) -> None:
        self._size = size_px * PT_PER_MM
        self._step = size_px * _LEADING
        self._rim = size_px
        self._width = width - 2 * self._rim
        ruler = Raster(Box(0, 0, 1, 1), fonts, px_per_mm=1, ground=PAPER)
        self._lines = [
            (line, Face.BOLD if number == 0 else Face.REGULAR)
            for number, text in enumerate(paragraphs)
            for line in ruler.wrapped(text, self._size, self._width, Face.BOLD if number == 0 else Face.REGULAR)
        ]
        self.height = len(self._lines) * self._step + 1.2 * self._rim if self._lines else 0.0

    def draw(self, surface: Surface, top: float) -> None:
        """Write the lines below `top`."""
        y = top + 0.5 * self._rim
        for line, face in self._lines:
            surface.text(Box(self._rim, y, self._width, self._step), line, self._size, face=face, colour=INK)
            y += self._step
