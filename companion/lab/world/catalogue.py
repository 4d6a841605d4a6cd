"""What varies from photo to photo, and what of it is kept out of training.

One subject of held-out photos holds out the pieces, one the tile art, one neither, so that a mistake can be laid to its
cause; lamps and table tops are held out in all. What is held out must not change: what training has seen measures
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from companion.errors import UnusableInputError
from companion.lab.rendering.tabletops import FOREIGN_TABLES
from companion.lab.rendering.textures import TABLES
from companion.lab.world.lamps import LAMPS
from companion.lab.world.printings import PRINTINGS

TRAINING, HELD_OUT = "training", "held_out"

SEEDS: Mapping[str, range] = {TRAINING: range(5_000_000), HELD_OUT: range(5_000_000, 6_000_000)}
"""The seeds of a world's photos."""

_ORDINARY = (range(2_000_000, 5_000_000), range(5_500_000, 6_000_000))
_USUAL_SHARE = 0.5

ALL: Mapping[str, tuple[str, ...]] = {
    "pieces": ("box", "varied", "foreign"),
    "lamp": tuple(LAMPS),
    "tiles": tuple(PRINTINGS),
    "table": (*TABLES, *FOREIGN_TABLES),
}
"""The names of all families, by what they are families of; pieces are those of `sampling.PIECE_SETS`."""

KEPT_OUT: Mapping[str, frozenset[str]] = {
    "pieces": frozenset({"foreign"}),
    "lamp": frozenset({"tube", "parlour", "candles"}),
    "tiles": frozenset({"engraved", "moonlit", "home-printed"}),
    "table": frozenset(FOREIGN_TABLES),
}
"""The families that training never draws."""

SUBJECTS: Mapping[str, frozenset[str]] = {
    "usual": frozenset({"lamp", "table"}),
    "pieces": frozenset({"pieces", "lamp", "table"}),
    "tiles": frozenset({"tiles", "lamp", "table"}),
}
"""What the subjects of held-out photos hold out."""


def check_seeds(world: str, first: int, count: int) -> range:
    """The seeds of that many photos from `first` on.

    Raises UnusableInputError if any is not one of that world's.
    """
    allowed, wanted = SEEDS[world], range(first, first + count)
    if wanted and (wanted[0] not in allowed or wanted[-1] not in allowed):
        kind = "held-out" if world == HELD_OUT else "training"
        raise UnusableInputError(
            f"seeds {wanted[0]} to {wanted[-1]}: {kind} photos have seeds from {allowed[0]} to {allowed[-1]}"
        )
    return wanted


def is_ordinary(seed: int) -> bool:
    """Whether a photo shows a table as a game leaves it, rather than one laid out to be hard to read."""
    return any(seed in seeds for seeds in _ORDINARY)


def subject_of(seed: int) -> str:
    """What a held-out photo of that seed is to try; the subjects take turns."""
    return tuple(SUBJECTS)[seed % len(SUBJECTS)]


def draw_families(world: str, seed: int, rng: np.random.Generator) -> dict[str, str]:
    """One family of everything; in the held-out world, held-out families of what the seed's subject holds out.

    Half of the training photos and all held-out ones of other subjects show the game's own pieces.
    """
    held_out = SUBJECTS[subject_of(seed)] if world == HELD_OUT else frozenset()
    drawn = {}
    for what, names in ALL.items():
        allowed = [name for name in names if (name in KEPT_OUT[what]) is (what in held_out)]
        drawn[what] = allowed[int(rng.integers(len(allowed)))]
    if "pieces" not in held_out:
        drawn["pieces"] = "box" if world == HELD_OUT or rng.random() < _USUAL_SHARE else "varied"
    return drawn
