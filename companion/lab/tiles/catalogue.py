"""Families of tile art, and which of them training never sees.

`families.json` names the held-out families and the styles that are measured on, each made of held-out families alone.
It was fixed before anything was trained on tiles of other styles, and must not change afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from companion.lab.tiles.motifs import MOTIFS
from companion.lab.tiles.numerals import NUMERALS
from companion.lab.tiles.papers import PAPERS
from companion.lab.tiles.plates import PLATES
from companion.lab.tiles.symbols import BADGES, INKS, SYMBOLS

LAYOUTS: Mapping[str, tuple[tuple[float, float], tuple[float, float]] | None] = {
    "usual": ((0.815, 0.155), (0.24, 0.77)),
    "corners": None,
    "anywhere": None,
    "crown": ((0.5, 0.16), (0.5, 0.87)),
    "footer": ((0.3, 0.86), (0.74, 0.86)),
    "portrait": ((0.16, 0.5), (0.76, 0.14)),
}
"""Where value and badge are, in shares of the tile's side, by family; "corners" draws two corners at random,
"anywhere" two places near the rim that are none of the held-out ones."""


def all_families() -> dict[str, tuple[str, ...]]:
    """The names of all families there are, by what they are families of."""
    return {
        "motif": tuple(MOTIFS),
        "numerals": tuple(NUMERALS),
        "plate": tuple(PLATES),
        "symbols": tuple(SYMBOLS),
        "badge": tuple(BADGES),
        "inks": tuple(INKS),
        "layout": tuple(LAYOUTS),
        "paper": tuple(PAPERS),
    }


@cache
def _data() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    path = Path(__file__).with_name("families.json")
    data: Mapping[str, Mapping[str, Mapping[str, str]]] = json.loads(path.read_text(encoding="utf-8"))
    return data


def trained_families() -> dict[str, tuple[str, ...]]:
    """The families that training draws from, by what they are families of."""
    held_out = _data()["held_out"]
    return {what: tuple(name for name in names if name not in held_out[what]) for what, names in all_families().items()}


def held_out_styles() -> Mapping[str, Mapping[str, str]]:
    """The styles that are only measured on, by name: the family of everything in each."""
    return _data()["styles"]
