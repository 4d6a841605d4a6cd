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
from companion.vision.locate.grid import Lattice
from companion.vision.locate.markers import CODE_START, find_board, find_codes
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

    `code` is the position code in it and `coded` the position that it holds; `lattice` is where the sultanate lies;
    `fault` says why none was found, None where one was. `outcome` is what a score sheet's result code tells.
    """

    code: str | None = None
    coded: Position | None = None
    lattice: Lattice | None = None
    fault: PhotoError | None = None
    outcome: Outcome | None = None


def scan_photo(photo: Picture) -> PhotoScan:
    """Look for position codes, result codes and the sultanate in a photo (H, W, 3), BGR.

    Raises PhotoError if there are codes of two positions, NotationError for a damaged or newer code.
    """
    has_colour = not is_grey(photo)
    texts = find_codes(photo)
    ours = [text for text in texts if CODE_START.match(text)]
    code, coded = (printable(ours[0].strip()), read_codes(ours)) if ours else (None, None)
    outcome = _outcome(texts)
    if not has_colour:
        fault = PhotoError(
            say("the photo has no colour; the reader tells tiles and meeples by colour: send a colour photo")
        )
    else:
        try:
            return PhotoScan(code, coded, find_board(photo), outcome=outcome)
        except PhotoError as error:
            fault = error
            if texts and not ours and outcome is None:
                # Its class tells whether a board was seen at all.
                fault = type(error)(
                    say(
                        "the QR code in the photo is not one of this program's ({quoted}); {error}",
                        quoted=quoted(texts[0]),
                        error=error,
                    )
                )
    if ours and outcome is None:
        # A score sheet has its result beside the position's code, in a larger code of smaller squares.
        outcome = _outcome(find_codes(photo, all_sizes=True))
    return PhotoScan(code, coded, fault=fault, outcome=outcome)


def _outcome(texts: Sequence[str]) -> Outcome | None:
    """The first result that codes tell."""
    return next((outcome for outcome in map(parse_outcome, texts) if outcome is not None), None)


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
