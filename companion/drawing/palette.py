"""The colours of the game's things, the same on every print, picture, page and terminal; "#RRGGBB" each.

A template may give others for one print. What only one print has, such as its paper, stands in its template.
"""

from __future__ import annotations

TRIBES = {
    "vizier": "#F5CE3E",
    "elder": "#FFFFFF",
    "builder": "#2F74BD",
    "merchant": "#2F8A45",
    "assassin": "#C23B33",
}
"""A tribe's meeples."""

CAMELS = {"black": "#3A3A3A", "orange": "#EE8A2E", "blue": "#4D8FD1", "pink": "#EE8FB6"}
"""A player's camels and markers."""

CURVES = {"black": "#2E2A26", "orange": "#B8590A", "blue": "#2A6DB5", "pink": "#C23B80"}
"""A player's lines in charts, dark enough to be seen on white paper."""

GROUNDS = {
    "oasis": "#DCEBCB",
    "village": "#F5DCC6",
    "small_market": "#FAEFCF",
    "large_market": "#F3DDA0",
    "sacred_place": "#DDE3F2",
}
"""The kinds of tiles."""

RED_VALUE, BLUE_VALUE = "#B23A2E", "#2A5C9A"
"""The discs on which the tiles' values stand."""

INK, QUIET, PAPER, ACCENT, ICON = "#2E2A26", "#4F483F", "#FFFFFF", "#8A3B1E", "#F0DDB4"
"""Lettering and lines, what is said quietly, paper, headings, and what icons are filled with."""
START, END = "#0B7FC7", "#D9480F"
"""Where a turn begins and ends: told apart by those who see few colours."""


def is_light(colour: str) -> bool:
    """Whether dark letters read better on it (relative luminance of ITU-R BT.709)."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 150
