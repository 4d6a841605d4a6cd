"""Pictures to measure a reader on: no outline, lamp or table top is one of those it is trained on.

Nor is a lens that is not a phone's plain one. Paints start from other colours, but training varies its own so
widely that it comes near most of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from companion.lab.rendering.profiles import PROFILES, Profile
from companion.lab.rendering.render import draw_photo
from companion.lab.rendering.surface import Art
from companion.lab.rendering.textures import Image
from companion.lab.rendering.truth import Truth, truth_document

_ANY = PROFILES["heldout"]
_PALE_TABLES = ("terrazzo", "slats")

# A dark table top would have the phone expose for it and the board come out bright.
_DIM = replace(_ANY, exposure=(0.08, 0.13), noise=(0.014, 0.03), kelvin=(2400, 3300), tables=_PALE_TABLES)
_GLARE = replace(_ANY, gloss=(0.5, 0.95), glare=1.0)

SCENARIOS: Mapping[str, Profile] = {
    "topdown": replace(_ANY, elevation=(83, 90)),
    "oblique": replace(_ANY, elevation=(42, 58)),
    "dim": _DIM,
    "glare": _GLARE,
    "turned": replace(_ANY, turned=1.0, roll=(-12, 12)),
    "clutter": replace(_ANY, extras=16, spares=12),
    "portrait": replace(_ANY, azimuth=(60, 120)),
    "small": replace(_ANY, share=(0.5, 0.56), azimuth=(-25, 25)),
    "seated-dim": replace(_DIM, elevation=(40, 56)),
    "seated-glare": replace(_GLARE, elevation=(40, 56)),
}
"""How the pictures are taken, by name: one difficulty each, the last two a low seat besides."""

SIZE_PX = (2016, 1512)
_SALT = 7_907
"""Keeps these pictures' random numbers apart from those of training pictures of the same seed."""


def heldout_example(
    seed: int, scenario: str, art: Art | None = None, size: tuple[int, int] = SIZE_PX, *, usual: bool = False
) -> tuple[Image, Truth]:
    """A picture (BGR uint8) of `size` (width, height) px as one of `SCENARIOS` has it, and its truth.

    "portrait" swaps width and height. `art` gives the pictures of the tiles by the code of their kind; None
    takes our own. The pieces are of other productions, or the game's own if `usual`. The same seed always gives the
    same picture. Raises KeyError for an unknown scenario.
    """
    rng = np.random.default_rng((_SALT, seed))
    if scenario == "portrait":
        size = size[::-1]
    return draw_photo(rng, size, SCENARIOS[scenario], art, usual=usual)


def heldout_photos(
    seeds: range, art: Art | None = None, *, usual: bool = False
) -> Iterator[tuple[str, Image, dict[str, object]]]:
    """For each seed a name, a picture and its truth as a document; scenarios take turns by seed."""
    names = list(SCENARIOS)
    for seed in seeds:
        scenario = names[seed % len(names)]
        picture, truth = heldout_example(seed, scenario, art, usual=usual)
        yield f"{seed:04d}_{scenario}", picture, {"scenario": scenario, "seed": seed, **truth_document(truth)}
