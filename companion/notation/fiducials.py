"""What is printed for the camera: square markers, and where they and the fields lie on the
calibration card and on the page of the tracks.

The prints and the photo reader both go by these numbers. Lengths are in mm; card coordinates are x to the right
and y down from the outer corner of the card's top left marker, and those of the tracks from the outer corner of theirs.
"""

from __future__ import annotations

from companion.rules.model.components import BID_SPOTS, TRACK_PRICES_GC, TRIBE_LETTERS, Colour

MARKER_MODULES = 7
"""Modules along a marker's side: five of pattern between two of black rim."""

MARKER_PATTERNS: tuple[str, ...] = (
    ".#.## #.#.. #..## .#.#. ...##",
    "####. ..### ####. .#... ##..#",
    "..#.# ....# ###.. .#..# ...#.",
    ".#### ##... ##.#. #.... .#...",
    "..#.# ...#. #..#. #.##. ##.##",
    "...#. #.### ###.# ####. #..#.",
    "#..#. ##... .#.#. ..... #..##",
    "#...# ##.## ##.#. ###.. #.#..",
    ".#### ..#.# ..### #.##. .##.#",
    ".##.. ###.# #.... ...#. ##.#.",
    ".##.. ..##. ..#.. .#### ###..",
    "..#.# ##.#. .#..# .#..# #####",
)
"""The first markers of ArUco's dictionary 5X5_50 by their number: rows from the top, # a black module."""

CORNER_MARKERS = (0, 1, 2, 3)
"""The markers for the sultanate's corners; each fits any corner."""

CORNER_MARKER_MM = 36.0
"""Side of the black square of a corner marker."""

CORNER_RIM_MM = 7.0
"""White rim of a corner marker as cut out: its lower right corner is to touch the corner of the tiles."""

CARD_MARKERS = (4, 5, 6, 7)
"""The calibration card's markers at its top left, top right, bottom right and bottom left, all upright."""

CARD_MM = (190.0, 240.0)
"""Width and height of the calibration card between the outer corners of its markers."""

CARD_MARKER_MM = 21.0

CARD_PIECES: tuple[str, ...] = (*TRIBE_LETTERS, *(colour.letter for colour in Colour), "palm", "palace")
"""What lies in the card's fields, row by row: meeples and camels by their letters of the notation."""

FIELD_MM = 37.0
"""Side of a field."""

FIELD_DOT_PITCH_MM = 2.5
FIELD_DOT_MM = 1.0
"""Pitch and side of the square dots printed in the fields: where none shows, a piece lies, of whatever colour."""

FIELD_DOTS = 13
"""Dots along a field's side, in its middle."""

FIELD_COLUMNS = 3
_CELL_W, _CELL_H = 62.0, 48.5
_FIELDS_TOP = 23.0

STRIP_STEPS = 6
"""Steps of the grey strip, from white paper to black in equal parts of ink."""

STRIP_MM = (24.0, 223.5, 142.0, 12.0)
"""Left, top, width and height of the grey strip, between the lower markers."""


TRACK_MARKERS = (8, 9, 10, 11)
"""The markers around the two tracks, at the top left, top right, bottom right and bottom left, all upright."""

TRACK_MARKER_MM = 13.0

TRACK_SPOT_MM = 20.5
"""Side of a spot of either track; they lie side by side."""

TRACK_PRICES: tuple[int, ...] = tuple(sorted(TRACK_PRICES_GC, reverse=True))
"""What the spots of the turn order track cost in GC, from the left: the first to play first (rules 3.3)."""

TRACKS_MM = (len(TRACK_PRICES) * TRACK_SPOT_MM, 93.0)
"""Width and height of both tracks between the outer corners of their markers."""

TURN_SPOTS_TOP_MM, BID_SPOTS_TOP_MM = 15.0, 57.5
"""Where the spots of the turn order track and of the bid order track begin; both begin at the left."""


def turn_spot(number: int) -> tuple[float, float]:
    """The middle of a spot of the turn order track, by its number from 0 at the left, in the tracks' coordinates."""
    return (number + 0.5) * TRACK_SPOT_MM, TURN_SPOTS_TOP_MM + TRACK_SPOT_MM / 2


def bid_spot(number: int) -> tuple[float, float]:
    """The middle of a spot of the bid order track, by its number from 0, in the tracks' coordinates."""
    if not 0 <= number < BID_SPOTS:
        raise ValueError(f"the bid order track has {BID_SPOTS} spots; there is no number {number}")
    return (number + 0.5) * TRACK_SPOT_MM, BID_SPOTS_TOP_MM + TRACK_SPOT_MM / 2


def track_marker_corner(place: int) -> tuple[float, float]:
    """The outer top left corner of a marker of the tracks (0 top left, clockwise), in their coordinates."""
    across, down = ((0, 0), (1, 0), (1, 1), (0, 1))[place]
    return across * (TRACKS_MM[0] - TRACK_MARKER_MM), down * (TRACKS_MM[1] - TRACK_MARKER_MM)


def field_corner(number: int) -> tuple[float, float]:
    """The top left corner of a field by its number from 0, in card coordinates."""
    row, column = divmod(number, FIELD_COLUMNS)
    left = (CARD_MM[0] - FIELD_COLUMNS * _CELL_W) / 2
    return left + column * _CELL_W + (_CELL_W - FIELD_MM) / 2, _FIELDS_TOP + row * _CELL_H


def field_dots(number: int) -> tuple[tuple[float, float], ...]:
    """The middles of the dots printed in a field, row by row, in card coordinates."""
    left, top = field_corner(number)
    first = (FIELD_MM - (FIELD_DOTS - 1) * FIELD_DOT_PITCH_MM) / 2
    return tuple(
        (left + first + column * FIELD_DOT_PITCH_MM, top + first + row * FIELD_DOT_PITCH_MM)
        for row in range(FIELD_DOTS)
        for column in range(FIELD_DOTS)
    )


def marker_corner(place: int) -> tuple[float, float]:
    """The outer top left corner of the card's marker at a place (0 top left, clockwise), in card coordinates."""
    across, down = ((0, 0), (1, 0), (1, 1), (0, 1))[place]
    return across * (CARD_MM[0] - CARD_MARKER_MM), down * (CARD_MM[1] - CARD_MARKER_MM)


def dark_modules(number: int) -> tuple[tuple[int, int], ...]:
    """Columns and rows of a marker's black modules, rim included, from its top left."""
    pattern = MARKER_PATTERNS[number].split()
    last = MARKER_MODULES - 1
    return tuple(
        (column, row)
        for row in range(MARKER_MODULES)
        for column in range(MARKER_MODULES)
        if row in (0, last) or column in (0, last) or pattern[row - 1][column - 1] == "#"
    )
