"""A chart as an SVG picture whose letters are outlines, so that it looks alike where a font is missing."""

from __future__ import annotations

from io import StringIO

from reportlab.graphics import renderSVG
from reportlab.graphics.shapes import Drawing
from reportlab.pdfbase.pdfmetrics import stringWidth

from companion.printing.core.glyphs import letter_path, letter_width, units_per_em
from companion.printing.core.xml import xml_escaped, xml_text

_SHARES = {"start": 0.0, "left": 0.0, "inherited": 0.0, "middle": 0.5, "end": 1.0}
"""How much of a text lies left of the point at which it is anchored."""


def chart_svg(drawing: Drawing, *, title: str, note: str) -> bytes:
    """A drawing as the bytes of an SVG file; its title and note are for those who do not see it."""
    canvas = _Outlines((drawing.width, drawing.height))
    renderSVG.draw(drawing, canvas, 0, 0)
    written = StringIO()
    canvas.save(written)
    named = written.getvalue().replace("<title>...</title>", f"<title>{xml_escaped(title)}</title>")
    return named.replace("<desc>...</desc>", f"<desc>{xml_escaped(note)}</desc>").encode("utf-8")


class _Outlines(renderSVG.SVGCanvas):  # type: ignore[misc] # reportlab tells no types
    """reportlab's SVG with a path for each letter in place of text; its y goes upwards, as letters' outlines do."""

    def drawString(
        self,
        s: str,
        x: float,
        y: float,
        angle: float = 0,
        link_info: object = None,
        text_anchor: str = "left",
        textRenderMode: int = 0,
        **_svgAttrs: object,
    ) -> None:
        """Draw a text in the font, size and colour that are set."""
        font, size = self._font, self._fontSize
        x -= _SHARES.get(text_anchor, 0.0) * stringWidth(s, font, size)
        scale = size / units_per_em(font)
        group = self.doc.createElement("g")
        group.setAttribute("role", "img")
        group.setAttribute("aria-label", xml_text(s))
        group.setAttribute("fill", f"#{self._fillColor.hexval()[2:]}")
        for letter in s:
            if path := letter_path(font, letter):
                drawn = self.doc.createElement("path")
                drawn.setAttribute("d", path)
                drawn.setAttribute("transform", f"translate({x:.2f} {y:.2f}) scale({scale:.5g})")
                group.appendChild(drawn)
            x += letter_width(font, letter) * scale
        self.currGroup.appendChild(group)
