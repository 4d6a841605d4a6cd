"""What a photo holds, told before any tile is read: a position code, the sultanate, both or neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.errors import PhotoError, printable
from companion.language.phrase import say
from companion.notation.codes import decode
from companion.notation.outcome import Outcome, parse_outcome
from companion.rules.model.position import Position
from companion.vision.load import Picture
from companion.vision.locate.codes import SeenCode, locate_codes
from companion.vision.locate.grid import Lattice
from companion.vision.locate.lattice import TwoSultanatesError, find_lattice
from companion.vision.locate.printed import find_cards_code, is_drawn
from companion.vision.numerics import brightest_channel, darkest_channel

MIN_COLOUR = 1.5
"""Mean difference between a pixel's largest and smallest channel under which a photo counts as grey."""

DIM_LEVEL = 64.0
"""Mean brightness under which a photo needs less colour than that, in proportion: dark is not grey."""

MAX_QUOTED = 40
"""Characters of a foreign QR code's text that a message quotes."""


@dataclass(frozen=True, slots=True)
class PhotoScan:
    """What was found in a photo, before any tile was read.

    `code` is the position code in it and `coded` the position that it holds; `lattice` is where the sultanate of tiles
    lies, none that is drawn on a card; `fault` says why none was found, None where one was. `outcome` is what a score
    sheet's result code tells, `codes` are all codes in the photo.
    """

    code: str | None = None
    coded: Position | None = None
    lattice: Lattice | None = None
    fault: PhotoError | None = None
    outcome: Outcome | None = None
    codes: tuple[SeenCode, ...] = ()


def scan_photo(photo: Picture) -> PhotoScan:
    """Look for position codes, result codes and the sultanate in a photo (H, W, 3), BGR.

    Raises PhotoError if there are codes of two positions, NotationError for a damaged or newer code.
    """
    codes = locate_codes(photo)
    lattice, fault = _find_table(photo, codes)
    if lattice is not None and not is_drawn(lattice, codes):
        codes += find_cards_code(photo, lattice)
    if lattice is not None and is_drawn(lattice, codes):
        lattice, fault = None, _drawn_alone(codes)
    if lattice is None and any(code.is_ours for code in codes):
        # A second card may be smaller. A score sheet has its result in a larger code of smaller squares.
        codes += locate_codes(photo, all_sizes=True)
    texts = [code.text for code in codes if code.text]
    ours = [code.text for code in codes if code.is_ours]
    outcome = next((outcome for outcome in map(parse_outcome, texts) if outcome is not None), None)
    if fault is not None and texts and not ours and outcome is None:
        # Its class tells whether a board was seen at all.
        fault = type(fault)(
            say(
                "the QR code in the photo is not one of this program's ({quoted}); {error}",
                quoted=quoted(texts[0]),
                error=fault,
            )
        )
    code, coded = (printable(ours[0].strip()), read_codes(ours)) if ours else (None, None)
    return PhotoScan(code, coded, lattice, fault, outcome, tuple(codes))


def _find_table(photo: Picture, codes: Sequence[SeenCode]) -> tuple[Lattice | None, PhotoError | None]:
    """The sultanate in a photo, or why there is none; of two the one that is not drawn on a card with a code."""
    if is_grey(photo):
        return None, PhotoError(
            say("the photo has no colour; the reader tells tiles and meeples by colour: send a colour photo")
        )
    try:
        return find_lattice(photo), None
    except TwoSultanatesError as error:
        tables = [lattice for lattice in error.lattices if not is_drawn(lattice, codes)]
        return (tables[0], None) if len(tables) == 1 else (None, error)
    except PhotoError as error:
        return None, error


def _drawn_alone(codes: Sequence[SeenCode]) -> PhotoError:
    """Why no board is read from a photo of a card on which one is drawn."""
    if any(code.is_ours for code in codes):
        return PhotoError(say("the board in the photo is the drawing on a printed card"))
    return PhotoError(
        say(
            "the board in the photo is the drawing on a printed card, and the card's code cannot be read: take it from "
            "straight above, sharp, so that the card fills the picture"
        )
    )


def read_codes(texts: Sequence[str]) -> Position:
    """The position that the codes of a photo hold; the same code seen twice is one. Raises as `scan_photo`."""
    position, *others = [decode(text) for text in texts]
    if any(other != position for other in others):
        raise PhotoError(say("there are codes of two positions in the photo: photograph one card or sheet at a time"))
    return position


def is_grey(picture: Picture) -> bool:
    """Whether a picture has no colour: a scan in grey, a black and white photo."""
    brightest = brightest_channel(picture)
    colour = float(np.mean(brightest - darkest_channel(picture)))
    return colour < MIN_COLOUR * min(1.0, float(np.mean(brightest)) / DIM_LEVEL)


def quoted(text: str) -> str:
    """A foreign code's text as a message quotes it: on one line, and not too long."""
    plain = " ".join(printable(text).split())
    return repr(plain if len(plain) <= MAX_QUOTED else plain[:MAX_QUOTED] + "…")
