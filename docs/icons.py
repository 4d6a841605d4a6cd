"""Makes the PNG icons of the table's page out of `companion/web/assets/icon.svg`; run by `make icons`.

Phones show them on the home screen. The plain ones are the picture as it is. The maskable one fills its square, with
all shapes in the circle that every phone leaves of it. The one for Apple fills it too: corners are rounded there.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from math import cos, radians, sin
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageDraw

ASSETS = Path(__file__).resolve().parents[1] / "companion" / "web" / "assets"
SVG = "{http://www.w3.org/2000/svg}"
ICONS = {
    "icon-192.png": (192, False, 1.0),
    "icon-512.png": (512, False, 1.0),
    "icon-maskable-512.png": (512, True, 0.82),
    "apple-touch-icon.png": (180, True, 0.94),
}
"""Each file: its side in px, whether the ground fills the square, and how large its shapes are drawn."""

FINER = 4
"""Drawn so many times larger and scaled down, which smooths edges."""

COLOURS = 64
Point = tuple[float, float]
_COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def icon_png(name: str) -> bytes:
    """One of `ICONS` as PNG."""
    side, is_full, shapes = ICONS[name]
    root = ElementTree.parse(ASSETS / "icon.svg").getroot()
    units = float(root.attrib["viewBox"].split()[2])
    scale = side * FINER / units
    picture = Image.new("RGBA", (side * FINER, side * FINER))
    pen = ImageDraw.Draw(picture)
    ground, group = root
    corner = 0.0 if is_full else float(ground.attrib["rx"]) * scale
    pen.rounded_rectangle((0, 0, side * FINER - 1, side * FINER - 1), corner, fill=ground.attrib["fill"])
    width = float(group.attrib["stroke-width"]) * scale * shapes
    for shape in group:
        points = [
            tuple((units / 2 + (value - units / 2) * shapes) * scale for value in point) for point in _outline(shape)
        ]
        pen.polygon(points, fill=shape.attrib["fill"])
        pen.line([*points, points[0], points[1]], fill=group.attrib["stroke"], width=round(width), joint="curve")
    small = picture.resize((side, side), Image.Resampling.LANCZOS)
    plain = small.convert("RGB") if is_full else small
    stream = io.BytesIO()
    plain.quantize(COLOURS, method=Image.Quantize.FASTOCTREE).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _outline(shape: ElementTree.Element) -> list[Point]:
    """The corners of a shape, in the units of the drawing."""
    if shape.tag == f"{SVG}circle":
        x, y, radius = (float(shape.attrib[name]) for name in ("cx", "cy", "r"))
        return [(x + radius * cos(radians(turn)), y + radius * sin(radians(turn))) for turn in range(0, 360, 3)]
    assert shape.tag == f"{SVG}path", shape.tag
    return list(_corners(shape.attrib["d"]))


def _corners(path: str) -> Iterator[Point]:
    """The corners of a path of straight lines."""
    x = y = 0.0
    for command, text in _COMMAND.findall(path):
        numbers = [float(number) for number in _NUMBER.findall(text)]
        if command in "hH":
            pairs = [(number, 0.0 if command == "h" else y) for number in numbers]
        elif command in "vV":
            pairs = [(0.0 if command == "v" else x, number) for number in numbers]
        else:
            assert command in "MLlz", command
            pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
        for along, down in pairs:
            x, y = (x + along, y + down) if command.islower() else (along, down)
            yield x, y


def main() -> int:
    """Draw them all."""
    for name in ICONS:
        content = icon_png(name)
        (ASSETS / name).write_bytes(content)
        print(f"{name}: {len(content):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
