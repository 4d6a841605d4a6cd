"""All that an owner showed or told of a copy of the game: what his photos are read with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.vision.board.likeness import Likeness, likeness_of
from companion.vision.board.owner_tiles import OwnerTiles, load_tiles, tiles_path
from companion.vision.colour.paints import Paints, is_switched_off, own_paints
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
    shown = load_pieces(pieces_path())
    return OwnSet(own_paints(environment), likeness_of(shown) if shown else None, load_tiles(tiles_path()))
