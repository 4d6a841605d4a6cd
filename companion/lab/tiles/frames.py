"""Rendered photos of tiles in other styles: examples to train on, and photos of held-out styles to measure on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from companion.lab.rendering.camera import whole
from companion.lab.rendering.photo_file import JPEG_QUALITY, TILES, truth_document
from companion.lab.rendering.pieces import MEEPLE, make_paint
from companion.lab.rendering.profiles import PROFILES, ordinary_profiles
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.scene import PlacedTile, Scene
from companion.lab.rendering.shown_row import empty_board
from companion.lab.rendering.surface import Art
from companion.lab.rendering.textures import Image
from companion.lab.rendering.tile_art import standard_art
from companion.lab.rendering.truth import Truth
from companion.lab.tiles.catalogue import held_out_styles
from companion.lab.tiles.styles import SIDE_PX, TileStyle, held_out_style, style_art, training_style
from companion.lab.tiles.unknown import EXPANSIONS, UNKNOWN, draw_unknown
from companion.rules.model.board import SQUARE_NAMES, SQUARES
from companion.rules.model.components import TILE_KINDS

_WIDTHS = (1000, 1300, 1600)
_SALT, _HELD_OUT_SALT, _SHOWN_SALT, _KEPT_SALT = 41_011, 41_012, 41_013, 990_017

_MIXED, _AS_KNOWN = 0.4, 0.25
"""Shares of the training photos whose tiles are of several styles, and whose are of the art at hand."""

_STRANGE = 0.55
"""Share of the training photos with tiles that are none of the box."""

ARTISAN = "u"
"""Stands for a purple meeple, an artisan of an expansion, among the colours of the pieces in a picture's truth."""

_PURPLE = (278.0, 0.5, 0.46)
"""Hue in degrees, saturation and value of an artisan's paint."""


def drawn_art(
    rng: np.random.Generator, outside: Art | None, side_px: int = SIDE_PX, fonts: Sequence[str] = ()
) -> dict[str, tuple[Image, ...]]:
    """Pictures of all kinds for a training photo, and of tiles that are none of the box (`UNKNOWN`).

    They are of made-up styles, or of `outside` art (None for none) and our own; `fonts` as in `training_style`.
    """
    style = training_style(rng, fonts)
    if rng.random() < _AS_KNOWN:
        known: Art = standard_art() if outside is None or rng.random() < 0.3 else outside
        art = {code: tuple(known[code]) for code in TILE_KINDS}
    elif rng.random() < _MIXED:
        sets = [style_art(one, 1, side_px) for one in (style, training_style(rng, fonts), training_style(rng, fonts))]
        art = {code: tuple(one[code][0] for one in sets) for code in TILE_KINDS}
    else:
        art = style_art(style, 2, side_px)
    strange = tuple(
        draw_unknown(style if rng.random() < 0.7 else training_style(rng, fonts), art, rng, side_px) for _ in range(6)
    )
    return {**art, UNKNOWN: strange}


def with_strangers(scene: Scene, count: int, code: Sequence[str], rng: np.random.Generator) -> Scene:
    """The scene with so many of its tiles replaced by ones of those codes."""
    chosen = set(rng.permutation(SQUARES)[:count].tolist())
    tiles = tuple(
        replace(tile, code=code[int(rng.integers(len(code)))]) if tile.square in chosen else tile
        for tile in scene.tiles
    )
    return replace(scene, tiles=tiles)


def training_frame(seed: int, outside: Art | None, fonts: Sequence[str] = ()) -> tuple[Image, Truth]:
    """A training photo of tiles in made-up styles (or of `outside` art and our own), some with unknown ones."""
    rng = np.random.default_rng((_SALT, seed))
    profiles = (*ordinary_profiles(), *(PROFILES["train"],) * 20)
    width = int(rng.choice(_WIDTHS))
    size = (width, width * 3 // 4) if rng.random() < 0.75 else (width * 3 // 4, width)
    scene = sample_scene(rng, profile=profiles[int(rng.integers(len(profiles)))])
    scene = replace(scene, camera=whole(scene.camera, size))
    if rng.random() < _STRANGE:
        scene = with_strangers(scene, int(rng.choice((1, 2, 3, 6, 12))), (UNKNOWN,), rng)
    return render(scene, rng, size, drawn_art(rng, outside, fonts=fonts))


def _held_out_scene(seed: int, size: tuple[int, int]) -> tuple[Scene, np.random.Generator]:
    rng = np.random.default_rng((_HELD_OUT_SALT, seed))
    profiles = ordinary_profiles()
    scene = sample_scene(rng, profile=replace(profiles[int(rng.integers(len(profiles)))], turned=0.0))
    return replace(scene, camera=whole(scene.camera, size)), rng


def owner_frame(seed: int, width: int, *, kept: bool = False, strangers: bool = False) -> tuple[str, Image, Truth]:
    """A photo of tiles in a held-out style, pieces and tables as trained: (the style's name, picture, truth).

    With `kept`, in a style that training may draw, to choose by; with `strangers`, an expansion's tiles are among them.
    """
    size = (width, width * 3 // 4)
    scene, rng = _held_out_scene(seed, size)
    name, style = _owner_style(seed, kept=kept)
    art: dict[str, tuple[Image, ...]] = style_art(style, 2, 400)
    if strangers:
        art |= {code: tuple(draw(style, art, rng, 400) for _ in range(2)) for code, draw in EXPANSIONS.items()}
        scene = with_strangers(scene, int(rng.integers(2, 6)), tuple(EXPANSIONS), rng)
    picture, truth = render(scene, rng, size, art)
    return name, picture, truth


def shown_frame(seed: int, width: int, *, kept: bool = False) -> tuple[str, Image, Truth]:
    """The thirty tiles of that seed's `owner_frame` with nothing on them, as their owner would show them."""
    rng = np.random.default_rng((_SHOWN_SALT, seed))
    name, style = _owner_style(seed, kept=kept)
    profile = replace(PROFILES["table"], elevation=(62, 88), extras=0, spares=0)
    scene = sample_scene(rng, empty_board(rng), profile)
    size = (width, width * 3 // 4)
    tiles = with_same_pictures(scene.tiles, _held_out_scene(seed, size)[0].tiles)
    scene = replace(scene, tiles=tiles, camera=whole(scene.camera, size))
    picture, truth = render(scene, rng, size, style_art(style, 2, 400))
    return name, picture, truth


def with_same_pictures(tiles: Sequence[PlacedTile], others: Sequence[PlacedTile]) -> tuple[PlacedTile, ...]:
    """The tiles as the very ones that the others are: where a kind has several pictures, as many show each of them."""
    numbers: dict[str, list[int]] = {}
    for other in others:
        numbers.setdefault(other.code, []).append(other.art)
    return tuple(replace(tile, art=numbers[tile.code].pop()) for tile in tiles)


def _owner_style(seed: int, *, kept: bool) -> tuple[str, TileStyle]:
    """The name and the style of an owner's tiles: a held-out one, or with `kept` one that training may draw."""
    if kept:
        return "kept", training_style(np.random.default_rng((_KEPT_SALT, seed)))
    names = list(held_out_styles())
    name = names[seed % len(names)]
    return name, held_out_style(name, seed)


def expansion_frame(seed: int, width: int, art: Art) -> tuple[Image, Truth]:
    """A photo of known tiles with an expansion's tiles and artisans among them.

    In the truth such tiles have the expansion's name for a kind, artisans the colour `ARTISAN`.
    """
    size = (width, width * 3 // 4)
    scene, rng = _held_out_scene(seed, size)
    style = training_style(rng)
    pictures: dict[str, Sequence[Image]] = {code: art[code] for code in TILE_KINDS}
    pictures |= {name: tuple(draw(style, art, rng, 400) for _ in range(2)) for name, draw in EXPANSIONS.items()}
    scene = with_strangers(scene, int(rng.integers(0, 7)), tuple(EXPANSIONS), rng)
    meeples = [number for number, piece in enumerate(scene.pieces) if piece.kind == MEEPLE and piece.square is not None]
    artisans = set(rng.permutation(meeples)[: int(rng.integers(0, 8))].tolist())
    pieces = tuple(replace(p, colour=ARTISAN) if n in artisans else p for n, p in enumerate(scene.pieces))
    box = replace(scene.box, paints={**scene.box.paints, (MEEPLE, ARTISAN): make_paint(_PURPLE, rng)})
    return render(replace(scene, pieces=pieces, box=box), rng, size, pictures)


def held_out_files(
    seeds: range,
    width: int,
    art: Mapping[str, Sequence[Image]] | None,
    *,
    expansions: bool,
    shown: bool = False,
    kept: bool = False,
) -> Iterator[tuple[str, bytes, dict[str, object]]]:
    """For each seed a name, a JPEG file and its truth as a document, as `companion accuracy` takes them.

    With `expansions`, unknown tiles and artisans among tiles of `art` and our own in turn, in place of held-out styles;
    with `shown`, the tiles of those styles as their owners show them (`shown_frame`); with `kept`, of styles that
    training may draw, in which an expansion's tiles come too.
    """
    for seed in seeds:
        if expansions and not kept:
            own = art is None or seed % 2 == 0
            picture, truth = expansion_frame(seed, width, standard_art() if own or art is None else art)
            scenario = "expansion"
        else:
            if shown:
                name, picture, truth = shown_frame(seed, width, kept=kept)
            else:
                name, picture, truth = owner_frame(seed, width, kept=kept, strangers=expansions)
            scenario = f"style-{name}"
        coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1]
        document = {"scenario": scenario, "seed": seed, **truth_document(truth)}
        unknown = [SQUARE_NAMES[tile.square] for tile in truth.tiles if tile.code in EXPANSIONS]
        yield f"{seed:04d}_{scenario}{TILES if shown else ''}", coded.tobytes(), {**document, "unknown": unknown}
