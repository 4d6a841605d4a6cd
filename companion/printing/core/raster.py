"""A picture to draw on in millimetres, or in px where a mm is one; what Pillow wants is worked out here alone."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from companion.printing.core.geometry import Box, Outline
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Ink, Surface
from companion.printing.core.typefaces import Fonts, Run

_FINER = 2
"""Everything is drawn so many times as large and then made smaller, since Pillow draws hard edges."""

_CURVE_STEPS = 12
JPEG_QUALITY = 90

Point = tuple[float, float]


class Raster(Surface):
    """A picture in the making.

    `ground` is what is drawn over: a picture of its own, or a colour for an empty one of the `paper`'s size.
    """

    def __init__(
        self, paper: Box, fonts: Fonts, *, px_per_mm: float, ground: Image.Image | str, least_pt: float = MIN_TYPE_PT
    ) -> None:
        super().__init__(fonts, least_pt)
        self.paper = paper
        size = (max(1, round(paper.w * px_per_mm)), max(1, round(paper.h * px_per_mm)))
        self._ground = Image.new("RGB", size, ground) if isinstance(ground, str) else ground.convert("RGB")
        self._scale = px_per_mm * _FINER
        width, height = self._ground.size
        self._drawn = Image.new("RGBA", (width * _FINER, height * _FINER), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self._drawn)

    def picture(self) -> Image.Image:
        """What was drawn, over the ground."""
        drawn = self._drawn.resize(self._ground.size, Image.Resampling.BOX)
        return Image.alpha_composite(self._ground.convert("RGBA"), drawn).convert("RGB")

    def to_bytes(self, suffix: str) -> bytes:
        """The finished picture as a file's bytes: PNG for ".png", JPEG for anything else."""
        stream = io.BytesIO()
        self.picture().save(stream, "PNG" if suffix.lower() == ".png" else "JPEG", quality=JPEG_QUALITY)
        return stream.getvalue()

    def box(self, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, radius: float = 0.0) -> None:
        corners = [box.x * self._scale, box.y * self._scale, box.right * self._scale, box.bottom * self._scale]
        line = self._width(width)
        if stroke is not None:
            # Pillow draws a rim inside its rectangle, a page half of it on each side.
            corners = [corners[0] - line / 2, corners[1] - line / 2, corners[2] + line / 2, corners[3] + line / 2]
            radius += width / 2
        self._draw.rounded_rectangle(
            corners, min(radius, (min(box.w, box.h) + width) / 2) * self._scale, fill, stroke, line if stroke else 0
        )

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, colour: str, width: float = 0.2, dash: float = 0.0
    ) -> None:
        length = math.hypot(x2 - x1, y2 - y1)
        strokes = math.ceil(length / (2 * dash)) if dash and length else 1
        for number in range(strokes):
            start = 2 * dash * number / length if strokes > 1 else 0.0
            end = min(start + dash / length, 1.0) if strokes > 1 else 1.0
            points = [(x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in (start, end)]
            self._line([(x * self._scale, y * self._scale) for x, y in points], colour, width)

    def outline(
        self, path: Outline, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, opacity: float = 1.0
    ) -> None:
        for points, closed in _flattened(path):
            placed = [((box.x + x * box.w) * self._scale, (box.y + y * box.h) * self._scale) for x, y in points]
            if fill is not None and len(placed) > 2:
                self._draw.polygon(placed, fill=f"{fill}{round(255 * opacity):02X}")
            if stroke is not None:
                self._line([*placed, placed[0]] if closed else placed, stroke, width)

    def _line(self, points: Sequence[Point], colour: str, width: float) -> None:
        thick = self._width(width)
        self._draw.line(list(points), fill=colour, width=thick, joint="curve")
        for x, y in (points[0], points[-1]):
            half = thick / 2
            self._draw.ellipse([x - half, y - half, x + half, y + half], fill=colour)

    def _width(self, width: float) -> int:
        return max(1, round(width * self._scale))

    def _letters(self, x: float, baseline: float, runs: Sequence[Run], size: float, colour: str, said: str) -> None:
        px = size / PT_PER_MM * self._scale
        at = x * self._scale
        for run in runs:
            font = _font(run.font, round(px, 1))
            self._draw.text((at, baseline * self._scale), run.text, fill=colour, font=font, anchor="ls")
            at += run.width(size) / PT_PER_MM * self._scale


@lru_cache(maxsize=64)
def _font(name: str, px: float) -> ImageFont.FreeTypeFont:
    # Letters come in the order and the shapes in which they are seen; Raqm would turn and join them a second time.
    return ImageFont.truetype(name, px, layout_engine=ImageFont.Layout.BASIC)


def _flattened(outline: Outline) -> Iterator[tuple[list[Point], bool]]:
    points: list[Point] = []
    for command, numbers in outline:
        if command == "M":
            if len(points) > 1:
                yield points, False
            points = [(numbers[0], numbers[1])]
        elif command == "L":
            points.append((numbers[0], numbers[1]))
        elif command == "C":
            points += _curve(points[-1], numbers)
        elif points:
            yield points, True
            points = []
    if len(points) > 1:
        yield points, False


def _curve(start: Point, numbers: Sequence[float]) -> list[Point]:
    xs, ys = (start[0], *numbers[::2]), (start[1], *numbers[1::2])
    curve = []
    for step in range(1, _CURVE_STEPS + 1):
        t = step / _CURVE_STEPS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        x, y = (sum(weight * at for weight, at in zip(weights, ends, strict=True)) for ends in (xs, ys))
        curve.append((x, y))
    return curve
