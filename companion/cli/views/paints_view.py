"""The owner's paints: in colour on a terminal, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from companion.cli.locale import translate
from companion.cli.output import console
from companion.language.phrase import joined, say, say_as
from companion.vision.board.likeness import ShownPiece
from companion.vision.board.owner_tiles import OwnerTiles
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


def learnt_document(paints: Paints | None, pieces: Sequence[ShownPiece], tiles: OwnerTiles | None) -> dict[str, object]:
    """What `--json` prints of all that was learnt: paints as `paints_document` has them, and the pieces and tiles."""
    shown = [kind for kind in PIECE_NAMES if any(piece.kind == kind for piece in pieces)]
    return {**paints_document(paints), "pieces": shown, "tiles": None if tiles is None else list(tiles.codes)}


def print_learnt(paints: Paints | None, pieces: Sequence[ShownPiece], tiles: OwnerTiles | None) -> None:
    """Print what was learnt: the paints, which pieces were shown, and whether the tiles were."""
    if paints is not None:
        print_paints(paints)
    if pieces:
        shown = [PIECE_NAMES[kind] for kind in PIECE_NAMES if any(piece.kind == kind for piece in pieces)]
        console().print(say("known by sight: {shown}", shown=joined(", ", shown)))
    if tiles is not None:
        console().print(say("your thirty tiles are known by sight"))


def print_paints(paints: Paints) -> None:
    """Print the paints, each with a swatch and whether it is an unusual one."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_row(
        *(Text(translate(head), style="bold") for head in (say("piece"), say("shaded, lit, shining"), say("paint"), ""))
    )
    for piece, paint in paints.by_piece.items():
        shades: Sequence[str] = [as_hex(colour) for colour in (paint.shaded, paint.lit, paint.highlight)]
        swatch = Text.assemble(*(("      ", f"on {shade}") for shade in shades))
        kind = say_as("paint", "usual") if is_usual(piece, paint) else say_as("paint", "of your own")
        table.add_row(PIECE_NAMES[piece], swatch, shades[1], kind)
    console().print(table)
