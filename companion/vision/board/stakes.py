"""What a wrong reading of a tile costs, in victory points (rules 10)."""

from __future__ import annotations

from companion.rules.engine.djinns import Worth
from companion.rules.model.board import Tile
from companion.rules.model.components import Colour, Tribe

UNOWNED_SHARE = 0.5
"""What a tile is worth while nobody owns it, in parts of its points: somebody may claim it yet."""

LEAST_VP = 1.0
"""Any piece too many or too few: the turns that can be played are others then."""

_WORTH = Worth()
_MEEPLE_VP = {Tribe.VIZIER: float(_WORTH.vizier), Tribe.ELDER: float(_WORTH.elder)}


def vp_at_stake(tile: Tile, other: Tile) -> float:
    """How far apart in VP the players' scores are by two readings of a tile; 0 where they are the same.

    A tile is worth its value, 3 a palm and 5 a palace to its owner (rules 10.5, 10.6), so that a camel of another
    colour counts twice: what one has the other has not. Viziers and elders are worth their points in front of a player
    (rules 10.2, 10.3), any other piece `LEAST_VP`.
    """
    if tile == other:
        return 0.0
    owned, meant = _by_owner(tile), _by_owner(other)
    owners = sum(abs(owned.get(owner, 0.0) - meant.get(owner, 0.0)) for owner in {*owned, *meant} - {None})
    nobody = abs(owned.get(None, 0.0) - meant.get(None, 0.0)) if tile.camel is other.camel else 0.0
    meeples = sum(
        _MEEPLE_VP.get(tribe, LEAST_VP) * abs(number - true)
        for tribe, number, true in zip(Tribe, tile.meeples, other.meeples, strict=True)
    )
    return max(owners + UNOWNED_SHARE * nobody + meeples, LEAST_VP)


def _by_owner(tile: Tile) -> dict[Colour | None, float]:
    """The points of a tile, by whose they are; None stands for nobody."""
    return {tile.camel: float(tile.kind.vp + _WORTH.palm * tile.palms + _WORTH.palace * tile.palaces)}
