"""Families of what varies in a photo, and which of them are kept out of training.

`families.json` names the held-out families, the usual ones, the seeds of both worlds, and what the subjects of
held-out photos hold out: one subject is other pieces, one other tile art, one neither, so that a mistake can be laid
to its cause; lamps and table tops are held out in all. What is held out was fixed before anything was trained on photos
of this kind, and must not change afterwards: a family that training has seen measures nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from companion.errors import UnusableInputError
from companion.lab.rendering.pieces import PIECE_KINDS
from companion.lab.rendering.tabletops import FOREIGN_TABLES
from companion.lab.rendering.textures import TABLES
from companion.lab.world.lamps import LAMPS
from companion.lab.world.paints import FIGURE_PAINTS, PALACE_PAINTS, PALM_PAINTS
from companion.lab.world.printings import PRINTINGS
from companion.lab.world.shapes import SHAPES

TRAINING, HELD_OUT = "training", "held_out"

_USUAL_SHARE = 0.5

_DATA = Path(__file__).with_name("families.json")


def all_families() -> dict[str, tuple[str, ...]]:
    """The names of all families there are, by what they are families of."""
    families = {kind: tuple(SHAPES[kind]) for kind in PIECE_KINDS}
    families |= {"figure_paint": tuple(FIGURE_PAINTS), "palm_paint": tuple(PALM_PAINTS)}
    families |= {"palace_paint": tuple(PALACE_PAINTS), "lamp": tuple(LAMPS), "tiles": tuple(PRINTINGS)}
    return families | {"table": (*TABLES, *FOREIGN_TABLES)}


@cache
def _data() -> Mapping[str, Mapping[str, list[str]]]:
    data: Mapping[str, Mapping[str, list[str]]] = json.loads(_DATA.read_text(encoding="utf-8"))
    return data


@cache
def families(world: str) -> Mapping[str, tuple[str, ...]]:
    """The families that are trained on (`TRAINING`), or those that are not (`HELD_OUT`); the two share none."""
    held_out = _data()["held_out"]
    return {
        what: tuple(name for name in names if (name in held_out[what]) is (world == HELD_OUT))
        for what, names in all_families().items()
    }


def palace_tones(world: str) -> tuple[str, ...]:
    """The families of paint that the second tones of palaces are of: in training none that are held out."""
    return families(TRAINING)["palace_paint"] if world == TRAINING else tuple(PALACE_PAINTS)


def seeds(world: str) -> range:
    """The seeds of a world."""
    first, last = _data()["seeds"][world]
    return range(int(first), int(last) + 1)


def check_seeds(world: str, first: int, count: int) -> range:
    """The seeds of so many photos from `first` on.

    Raises UnusableInputError if any is not one of that world's.
    """
    allowed, wanted = seeds(world), range(first, first + count)
    if wanted and (wanted[0] not in allowed or wanted[-1] not in allowed):
        kind = "held-out" if world == HELD_OUT else "training"
        raise UnusableInputError(
            f"seeds {wanted[0]} to {wanted[-1]}: {kind} photos have seeds from {allowed[0]} to {allowed[-1]}"
        )
    return wanted


def is_ordinary(seed: int) -> bool:
    """Whether a photo shows a table as a game leaves it, rather than one laid out to be hard to read."""
    return any(seed in seeds(world) for world in ("ordinary_training", "mixed_training", "ordinary_held_out"))


def is_mixed(seed: int) -> bool:
    """Whether the pieces of a training photo are from several boxes, none of any family (`free.py`)."""
    return seed in seeds("mixed_training")


def is_alike(seed: int) -> bool:
    """Whether a training photo shows the game's own sort of pieces, its palms painted as its merchants are.

    So they come in the game itself, and in photos of it nothing else is misread as often.
    """
    return seed in seeds("alike_training")


def subject_of(seed: int) -> str:
    """What a held-out photo of that seed is to try; the subjects take turns."""
    names = list(_data()["subjects"])
    return names[seed % len(names)]


def draw_families(world: str, seed: int, rng: np.random.Generator) -> dict[str, str]:
    """One family of everything; in the held-out world, held-out families of what the seed's subject holds out.

    On ordinary tables pieces are of the usual families: always in the held-out world, where they are not held out, and
    in half of the training photos. Where pieces are alike (`is_alike`) there are families of their own.
    """
    held_out = _data()["subjects"][subject_of(seed)] if world == HELD_OUT else []
    usual: Mapping[str, list[str]] = {}
    if is_alike(seed):
        usual = _data()["alike"]
    elif is_ordinary(seed) and (world == HELD_OUT or rng.random() < _USUAL_SHARE):
        usual = _data()["usual"]
    drawn = {}
    for what in all_families():
        names = families(HELD_OUT if what in held_out else TRAINING)[what]
        names = names if what in held_out else tuple(usual.get(what, names))
        drawn[what] = names[int(rng.integers(len(names)))]
    return drawn
