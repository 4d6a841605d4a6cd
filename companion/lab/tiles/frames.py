"""Rendered photos of tiles in other styles, and of their owners' empty tiles, to measure the reader on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from companion.lab.rendering.boards import BARE, random_board
from companion.lab.rendering.camera import whole
from companion.lab.rendering.photo_file import TILES, truth_document
from companion.lab.rendering.profiles import PROFILES, ordinary_profiles
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.scene import PlacedTile, Scene
from companion.lab.rendering.textures import Image
from companion.lab.rendering.truth import Truth
from companion.lab.tiles.styles import DESIGNS, style_art, tile_style

_SALT, _SHOWN_SALT = 41_012, 41_013


def _style_name(seed: int) -> str:
    return tuple(DESIGNS)[seed % len(DESIGNS)]


def _owner_scene(seed: int) -> tuple[Scene, np.random.Generator]:
    rng = np.random.default_rng((_SALT, seed))
    profiles = ordinary_profiles()
    return sample_scene(rng, profile=replace(profiles[int(rng.integers(len(profiles)))], turned=0.0)), rng


def _frame(seed: int, scene: Scene, rng: np.random.Generator, width: int) -> tuple[Image, Truth]:
    size = (width, width * 3 // 4)
    scene = replace(scene, camera=whole(scene.camera, size))
    return render(scene, rng, size, style_art(tile_style(_style_name(seed), seed)))


def owner_frame(seed: int, width: int) -> tuple[Image, Truth]:
    """A photo of a game on tiles in another style; pieces and tables are such as training shows."""
    return _frame(seed, *_owner_scene(seed), width)


def shown_frame(seed: int, width: int) -> tuple[Image, Truth]:
    """The thirty tiles of that seed's `owner_frame` with nothing on them, as their owner shows them to `learn`."""
    rng = np.random.default_rng((_SHOWN_SALT, seed))
    profile = replace(PROFILES["table"], elevation=(62, 88), extras=0, spares=0)
    scene = sample_scene(rng, random_board(BARE, rng), profile)
    tiles = _with_same_pictures(scene.tiles, _owner_scene(seed)[0].tiles)
    return _frame(seed, replace(scene, tiles=tiles), rng, width)


def _with_same_pictures(tiles: Sequence[PlacedTile], others: Sequence[PlacedTile]) -> tuple[PlacedTile, ...]:
    """The tiles as the very ones that the others are: where a kind has several pictures, as many show each of them."""
    numbers: dict[str, list[int]] = {}
    for other in others:
        numbers.setdefault(other.code, []).append(other.art)
    return tuple(replace(tile, art=numbers[tile.code].pop()) for tile in tiles)


def style_photos(seeds: range, width: int, *, shown: bool = False) -> Iterator[tuple[str, Image, dict[str, object]]]:
    """For each seed a name, a photo and its truth as a document.

    With `shown`, the empty tiles in place of the game.
    """
    for seed in seeds:
        picture, truth = (shown_frame if shown else owner_frame)(seed, width)
        scenario = f"style-{_style_name(seed)}"
        document = {"scenario": scenario, "seed": seed, **truth_document(truth)}
        yield f"{seed:04d}_{scenario}{TILES if shown else ''}", picture, document
