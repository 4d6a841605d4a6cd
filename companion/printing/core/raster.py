"""A picture to draw on in px, each of them a mm to whoever draws; what Pillow wants is worked out here alone."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from companion.printing.core.geometry import Box, Outline
from companion.printing.core.surface import MIN_TYPE_PT, PT_PER_MM, Ink, Surface
from companion.printing.core.typefaces import Fonts, Run

_FINER = 2
"""Everything is drawn this many times as large and then made smaller, since Pillow draws hard edges."""

_CURVE_STEPS = 12
JPEG_QUALITY = 90

Point = tuple[float, float]


class Raster(Surface):
    """A picture in the making.

    `ground` is what is drawn over: a picture of its own, or a colour for an empty one of the `paper`'s size.
    """

    def __init__(self, paper: Box, fonts: Fonts, *, ground: Image.Image | str, least_pt: float = MIN_TYPE_PT) -> None:
        super().__init__(fonts, least_pt)
        size = round(paper.w), round(paper.h)
        self._ground = Image.new("RGB", size, ground) if isinstance(ground, str) else ground
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
        corners = [box.x * _FINER, box.y * _FINER, box.right * _FINER, box.bottom * _FINER]
        line = self._width(width)
        if stroke is not None:
            # Pillow draws a rim inside its rectangle, a page half of it on each side.
            corners = [corners[0] - line / 2, corners[1] - line / 2, corners[2] + line / 2, corners[3] + line / 2]
            radius += width / 2
        self._draw.rounded_rectangle(
            corners, min(radius, (min(box.w, box.h) + width) / 2) * _FINER, fill, stroke, line if stroke else 0
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: str, width: float = 0.2) -> None:
        self._line([(x * _FINER, y * _FINER) for x, y in ((x1, y1), (x2, y2))], colour, width)

    def outline(
        self, path: Outline, box: Box, *, fill: Ink = None, stroke: Ink = None, width: float = 0.2, opacity: float = 1.0
    ) -> None:
        for points, closed in _flattened(path):
            placed = [((box.x + x * box.w) * _FINER, (box.y + y * box.h) * _FINER) for x, y in points]
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
        return max(1, round(width * _FINER))

    def _letters(self, x: float, baseline: float, runs: Sequence[Run], size: float, colour: str, said: str) -> None:
        px = size / PT_PER_MM * _FINER
        at = x * _FINER
        for run in runs:
            font = _font(run.font, round(px, 1))
            self._draw.text((at, baseline * _FINER), run.text, fill=colour, font=font, anchor="ls")
            at += run.width(size) / PT_PER_MM * _FINER


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
