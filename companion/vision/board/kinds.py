"""The kinds of tiles in the order of the tile network's classes."""

from __future__ import annotations

from companion.rules.model.components import TILE_KINDS, TileKind

KINDS: tuple[TileKind, ...] = tuple(TILE_KINDS.values())

IN_BOX: tuple[int, ...] = tuple(index for index, kind in enumerate(KINDS) for _ in range(kind.count))
"""The place in `KINDS` of each of the thirty tiles in the box (rules 1.1)."""
