"""What is drawn on any surface: boxes with their colours, outlines, texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from companion.printing.core.geometry import Box, Outline, extent
from companion.printing.core.page import Document
from companion.printing.core.surface import Surface, Written
from companion.printing.core.vector import Vector

PLACED = Box(0.0, 0.0, 1.0, 1.0)


@dataclass
class Drawn:
    """Everything that was drawn, in order: boxes and outlines as (box, fill, stroke), outlines with their points."""

    shapes: list[tuple[Box, str | None, str | None]] = field(default_factory=list)
    outlines: list[tuple[Outline, str | None, str | None]] = field(default_factory=list)
    written: list[Written] = field(default_factory=list)

    def filled(self, colour: str) -> list[Box]:
        """The boxes of a colour, in the order in which they were drawn."""
        return [box for box, fill, _ in self.shapes if fill == colour]

    def outlined(self, colour: str) -> list[Box]:
        """The boxes with a rim of a colour."""
        return [box for box, _, stroke in self.shapes if stroke == colour]

    def texts(self) -> list[str]:
        """The texts alone."""
        return [written.text for written in self.written]


def drawn_by(draw: Callable[[], object]) -> Drawn:
    """All that a function draws on pages and vector pictures."""
    drawn = Drawn()
    surfaces: list[Surface] = []

    def watch(kind: type[Any]) -> list[Any]:
        box, outline, letters = kind.box, kind.outline, kind._letters

        def keep_box(self: Surface, at: Box, **look: Any) -> None:
            drawn.shapes.append((at, look.get("fill"), look.get("stroke")))
            box(self, at, **look)

        def keep_outline(self: Surface, shape: Outline, at: Box, **look: Any) -> None:
            drawn.outlines.append((shape, look.get("fill"), look.get("stroke")))
            if at != PLACED:
                x, y, w, h = extent(shape)
                place = Box(at.x + x * at.w, at.y + y * at.h, w * at.w, h * at.h)
                drawn.shapes.append((place, look.get("fill"), look.get("stroke")))
            outline(self, shape, at, **look)

        def keep_letters(self: Surface, *more: Any) -> None:
            if not any(self is known for known in surfaces):
                surfaces.append(self)
            letters(self, *more)

        return [
            patch.object(kind, "box", keep_box),
            patch.object(kind, "outline", keep_outline),
            patch.object(kind, "_letters", keep_letters),
        ]

    patches = [*watch(Document), *watch(Vector)]
    for one in patches:
        one.start()
    try:
        draw()
    finally:
        for one in patches:
            one.stop()
    drawn.written = [written for surface in surfaces for written in surface.written]
    return drawn
