"""The owner's paints, of a calibration or learnt. Colours are BGR, linear light, with white paper as 1."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.errors import UnusableInputError, system_reason
from companion.language.phrase import say, term
from companion.resources import data_folder
from companion.rules.model.components import COLOUR_BY_LETTER, TRIBE_LETTERS, Tribe

FORMAT = 1
FILE_NAME = "paints.json"
LEARNT_NAME = "learnt_paints.json"
SWITCH = "COMPANION_CALIBRATION"
"""Environment variable; "off" reads photos as if there were no calibration."""

GAMMA = 2.2
LinearBGR = tuple[float, float, float]
"""A colour: blue, green, red in linear light."""

PIECE_NAMES: dict[str, str] = {
    **{letter: term(tribe.noun) for letter, tribe in zip(TRIBE_LETTERS, Tribe, strict=True)},
    **{letter: say("{colour} camel", colour=colour) for letter, colour in COLOUR_BY_LETTER.items()},
    "palm": term("palms"),
    "palace": term("palaces"),
}
"""What the pieces of the card are called."""


def the_piece(piece: str) -> str:
    """A piece of the card as sentences name it: "the vizier"."""
    return say("the {piece}", piece=PIECE_NAMES[piece])


@dataclass(frozen=True, slots=True)
class PiecePaint:
    """The paint of one kind of piece as it was measured: well lit, in its own shade, and where it shines."""

    lit: LinearBGR
    shaded: LinearBGR
    highlight: LinearBGR


@dataclass(frozen=True, slots=True)
class Paints:
    """An owner's paints by piece: letters of the notation, "palm", "palace"."""

    by_piece: Mapping[str, PiecePaint]


def paints_path() -> Path:
    """Where the owner's paints are kept, in the user's data folder."""
    return data_folder() / FILE_NAME


def learnt_path() -> Path:
    """Where the paints are kept that were learnt from what the user told of tiles, in the user's data folder."""
    return data_folder() / LEARNT_NAME


def as_hex(colour: LinearBGR) -> str:
    """A colour as #RRGGBB beside white paper, as a screen shows it.

    >>> as_hex((0.0, 0.0, 1.0))
    '#FF0000'
    """
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0) ** (1 / GAMMA)):02X}" for part in reversed(colour))


def format_paints(paints: Paints) -> str:
    """The paints as JSON, as `parse_paints` reads them."""
    rounded = {
        piece: {shade: [round(part, 4) for part in getattr(paint, shade)] for shade in ("lit", "shaded", "highlight")}
        for piece, paint in paints.by_piece.items()
    }
    return json.dumps({"paints": FORMAT, "bgr_linear": rounded}, indent=1) + "\n"


def parse_paints(text: str) -> Paints:
    """The paints of a file. Raises ValueError if it is damaged or of another version."""
    document = json.loads(text)
    if not isinstance(document, dict) or document.get("paints") != FORMAT:
        raise ValueError("not a calibration of this version")
    table = document.get("bgr_linear")
    if not isinstance(table, dict) or set(table) != set(PIECE_NAMES):
        raise ValueError("not all pieces are there")
    return Paints({piece: _parse_paint(table[piece]) for piece in PIECE_NAMES})


def _parse_paint(shades: object) -> PiecePaint:
    if not isinstance(shades, dict):
        raise ValueError("a paint is a table")
    colours: dict[str, LinearBGR] = {}
    for name in ("lit", "shaded", "highlight"):
        colours[name] = parse_light(shades.get(name))
    return PiecePaint(**colours)


def parse_light(parts: object) -> LinearBGR:
    """A colour from a list in a file. Raises ValueError if it is none."""
    if not isinstance(parts, list) or len(parts) != 3:
        raise ValueError("a colour has three parts")
    blue, green, red = (float(part) for part in parts)
    if not all(0 <= part <= 20 for part in (blue, green, red)):
        raise ValueError("no such light")
    return blue, green, red


def own_paints(environment: Mapping[str, str]) -> Paints | None:
    """The paints that the user's photos are read with: a calibration's, else those learnt from tiles told.

    None if there are neither, or if they are switched off. Raises UnusableInputError if a calibration cannot be read.
    """
    if is_switched_off(environment):
        return None
    return load_paints(paints_path()) or load_learnt(learnt_path())


def is_switched_off(environment: Mapping[str, str]) -> bool:
    """Whether photos are to be read as if nothing had been learnt of the owner's pieces."""
    return environment.get(SWITCH, "").lower() in ("off", "0", "no")


def is_learnt_in_use(environment: Mapping[str, str]) -> bool:
    """Whether photos are read with the paints that were learnt; a damaged calibration stands in their way too."""
    try:
        paints = own_paints(environment)
    except UnusableInputError:
        return False
    return paints is not None and paints == load_learnt(learnt_path())


def load_learnt(path: Path) -> Paints | None:
    """The paints learnt; None if there are none, or if the file is damaged: it is made anew from the examples."""
    with suppress(UnusableInputError):
        return load_paints(path)
    return None


def load_paints(path: Path) -> Paints | None:
    """The paints in a file; None if there is none. Raises UnusableInputError if it cannot be read."""
    try:
        return parse_paints(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnusableInputError(
            say("cannot read the calibration {path}: {reason}", path=path, reason=system_reason(error))
        ) from None
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise UnusableInputError(
            say(
                "the calibration {path} is damaged or of another version: take a new photo of the card "
                "with companion learn, or drop it with companion learn --forget",
                path=path,
            )
        ) from None
