"""The owner's paints: in colour on a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from companion.cli.output import console
from companion.vision.colour.paints import PIECE_NAMES, Paints, as_hex
from companion.vision.colour.recolour import is_usual


def paints_document(paints: Paints | None) -> dict[str, object]:
    """What `--json` prints: paints in sRGB, #RRGGBB, by the letters of the notation."""
    if paints is None:
        return {"calibrated": False, "paints": None}
    return {
        "calibrated": True,
        "paints": {
            piece: {"lit": as_hex(paint.lit), "shaded": as_hex(paint.shaded), "highlight": as_hex(paint.highlight)}
            for piece, paint in paints.by_piece.items()
        },
    }


def print_paints(paints: Paints) -> None:
    """Print the paints, each with a swatch and whether it is an unusual one."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(*(Text(head, style="bold") for head in ("piece", "shaded, lit, shining", "paint", "")))
    for piece, paint in paints.by_piece.items():
        shades: Sequence[str] = [as_hex(colour) for colour in (paint.shaded, paint.lit, paint.highlight)]
        swatch = Text.assemble(*(("      ", f"on {shade}") for shade in shades))
        name = PIECE_NAMES[piece].removeprefix("the ")
        table.add_row(name, swatch, shades[1], "usual" if is_usual(piece, paint) else "of your own")
    console().print(table)
