"""All that an owner showed or told of a copy of the game: what his photos are read with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from companion.vision.board.likeness import Likeness, likeness_of
from companion.vision.board.owner_tiles import OwnerTiles, load_tiles, tiles_path
from companion.vision.colour.paints import Paints, is_switched_off, own_paints
from companion.vision.colour.recolour import recolour
from companion.vision.own.kept import load_pieces, pieces_path


@dataclass(frozen=True, slots=True)
class OwnSet:
    """An owner's copy of the game: its pieces' paints and looks, and its tiles' looks; None where nothing is known."""

    paints: Paints | None = None
    pieces: Likeness | None = None
    tiles: OwnerTiles | None = None


def load_own_set(environment: Mapping[str, str]) -> OwnSet:
    """What the user's photos are read with, from his data folder; nothing where that is switched off.

    What pieces and tiles look like is reckoned anew from their pictures, by the networks that the program has now.
    Raises UnusableInputError if what was learnt cannot be read.
    """
    if is_switched_off(environment):
        return OwnSet()
    shown, paints = load_pieces(pieces_path()), own_paints(environment)
    # Pieces are compared in the colours in which the network sees them.
    repaint = None if paints is None else partial(recolour, paints=paints)
    return OwnSet(paints, likeness_of(shown, repaint) if shown else None, load_tiles(tiles_path()))
