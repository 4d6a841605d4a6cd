"""Families of shapes of meeples and camels, and the register of the shapes of all kinds."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.lab.rendering.carving import Blot, Reals
from companion.lab.rendering.figures import carved_camel, carved_meeple
from companion.lab.rendering.foreign import foreign_cut
from companion.lab.rendering.pieces import CAMEL, MEEPLE, PALACE, PALM, make_cut
from companion.lab.world.bodies import Body, cast_body, cut_body, scaled, turned_body
from companion.lab.world.palaces import PALACES
from companion.lab.world.palms import PALMS

Maker = Callable[[np.random.Generator], Body]


def _sized(body: Body, width: tuple[float, float], height: tuple[float, float], rng: np.random.Generator) -> Body:
    """The body at a height within limits, as wide as it was drawn but within limits too; its depth stays."""
    now_wide, depth, now_high = body.size
    high = float(rng.uniform(*height))
    wide = float(np.clip(now_wide * high / now_high, *width))
    return scaled(body, wide, depth, high)


def _figure(
    outline: Reals, rng: np.random.Generator, thickness: tuple[float, float], bevel: tuple[float, float]
) -> Body:
    body = cut_body(outline, float(rng.uniform(*thickness)), float(rng.uniform(*bevel)))
    return _sized(body, (11.5, 18.5), (14.5, 19), rng)


def sawn_meeple(rng: np.random.Generator) -> Body:
    """The wooden meeple as most games have it, sawn out of a board, its edges rubbed round."""
    return _figure(make_cut(MEEPLE, rng).outline, rng, (8.5, 11), (0.5, 1.1))


def made_up_meeple(rng: np.random.Generator) -> Body:
    """A sawn figure of any build."""
    return _figure(carved_meeple(rng), rng, (7, 12.5), (0.4, 1.3))


def lasered_meeple(rng: np.random.Generator) -> Body:
    """A thin figure with sharp edges, cut by laser."""
    return _figure(carved_meeple(rng), rng, (4.5, 6.5), (0.08, 0.2))


def cast_meeple(rng: np.random.Generator) -> Body:
    """A plump figure of plastic or resin."""
    outline = carved_meeple(rng) if rng.random() < 0.6 else make_cut(MEEPLE, rng).outline
    return _sized(cast_body(outline, float(rng.uniform(8, 12)), float(rng.uniform(2.5, 5))), (12, 18), (15, 19), rng)


def stocky_meeple(rng: np.random.Generator) -> Body:
    """A short figure, nearly as deep as it is wide, that falls on any side."""
    body = cut_body(carved_meeple(rng), float(rng.uniform(12, 14.5)), float(rng.uniform(1.0, 1.8)))
    return _sized(body, (12, 15), (13, 16), rng)


def peg_meeple(rng: np.random.Generator) -> Body:
    """A peg with a round head, turned on a lathe."""
    foot, neck, head = (float(rng.uniform(*limits)) for limits in ((4.5, 6.5), (2.2, 3.4), (3.2, 4.4)))
    tall = float(rng.uniform(15, 20))
    middle = tall - 2 * head
    ball = [(max(head * np.sin(a), 0.1), middle + head - head * np.cos(a)) for a in np.linspace(0.5, np.pi, 9)]
    return turned_body([(foot * 0.9, 0), (foot, 0.6), (foot, 1.8), (0.75 * foot, 0.5 * middle), (neck, middle), *ball])


def _foreign_meeple(number: int) -> Maker:
    def make(rng: np.random.Generator) -> Body:
        cut = foreign_cut(MEEPLE, number, rng)
        return cut_body(cut.outline, cut.thickness, float(rng.uniform(0.4, 1.2)))

    return make


def skittle_meeple(rng: np.random.Generator) -> Body:
    """A skittle with a collar and a pointed hat."""
    foot, tall = float(rng.uniform(4.5, 6)), float(rng.uniform(16, 20))
    shape = (
        (0.85, 0),
        (1, 0.04),
        (1, 0.14),
        (0.55, 0.3),
        (0.5, 0.5),
        (0.85, 0.56),
        (0.85, 0.62),
        (0.6, 0.7),
        (0.3, 0.86),
    )
    return turned_body([*((foot * r, tall * h) for r, h in shape), (0.4, tall)], 18)


def hooded_meeple(rng: np.random.Generator) -> Body:
    """A figure in a long hooded cloak, cast."""
    blot = Blot()
    wide, tall = float(rng.uniform(5.5, 7.5)), float(rng.uniform(16, 19))
    blot.polygon([(-wide, 0), (wide, 0), (0.62 * wide, 0.55 * tall), (-0.62 * wide, 0.55 * tall)])
    blot.oval(0, 0.6 * tall, 0.62 * wide, 0.2 * tall)
    blot.polygon([(-0.45 * wide, 0.6 * tall), (0.45 * wide, 0.6 * tall), (0.5, tall), (-0.5, tall)])
    return cast_body(blot.traced(0.6), float(rng.uniform(9, 12)), float(rng.uniform(3, 5)))


def _beast(
    outline: Reals, rng: np.random.Generator, thickness: tuple[float, float], bevel: tuple[float, float]
) -> Body:
    body = cut_body(outline, float(rng.uniform(*thickness)), float(rng.uniform(*bevel)))
    return _sized(body, (19, 27), (14.5, 19), rng)


def sawn_camel(rng: np.random.Generator) -> Body:
    """The wooden camel as it comes with the game, lying or standing on a foot as long as itself."""
    return _beast(make_cut(CAMEL, rng).outline, rng, (9, 12), (0.5, 1.1))


def made_up_camel(rng: np.random.Generator) -> Body:
    """A sawn camel of any build, with one hump or two."""
    return _beast(carved_camel(rng), rng, (7.5, 13), (0.4, 1.3))


def cast_camel(rng: np.random.Generator) -> Body:
    """A plump camel of plastic or resin."""
    body = cast_body(carved_camel(rng), float(rng.uniform(9, 12)), float(rng.uniform(2, 4)))
    return _sized(body, (19, 26), (15, 19), rng)


def resting_camel(rng: np.random.Generator) -> Body:
    """A camel that rests on its folded legs: a low block with humps and a neck, as people race them."""
    blot = Blot()
    half, back = float(rng.uniform(9, 11)), float(rng.uniform(5.5, 8))
    blot.block(0, 2 * half, 0, float(rng.uniform(1.5, 2.6)))
    blot.polygon([(-half + 1, 0), (half - 2, 0), (half - 3, back), (-half + 2, back)])
    hump = float(rng.uniform(2.4, 4.5))
    blot.oval(float(rng.uniform(-4, -1)), back, float(rng.uniform(4, 6)), hump)
    top = back + float(rng.uniform(4, 8))
    blot.polygon([(half - 7, back - 2), (half - 2, back - 3), (half - 1.5, top), (half - 5.5, top)])
    blot.oval(half - 2, top, float(rng.uniform(3, 4.2)), float(rng.uniform(1.8, 2.6)))
    return _beast(blot.traced(float(rng.uniform(0.5, 1))), rng, (9, 13), (0.6, 1.4))


def _foreign_camel(number: int) -> Maker:
    def make(rng: np.random.Generator) -> Body:
        cut = foreign_cut(CAMEL, number, rng)
        return cut_body(cut.outline, cut.thickness, float(rng.uniform(0.4, 1.2)))

    return make


SHAPES: Mapping[str, Mapping[str, Maker]] = {
    MEEPLE: {
        "sawn": sawn_meeple,
        "made-up": made_up_meeple,
        "lasered": lasered_meeple,
        "cast": cast_meeple,
        "stocky": stocky_meeple,
        "peg": peg_meeple,
        "tall": _foreign_meeple(0),
        "cheering": _foreign_meeple(1),
        "pawn": _foreign_meeple(2),
        "skittle": skittle_meeple,
        "hooded": hooded_meeple,
    },
    CAMEL: {
        "sawn": sawn_camel,
        "made-up": made_up_camel,
        "cast": cast_camel,
        "resting": resting_camel,
        "striding": _foreign_camel(0),
        "stacking": _foreign_camel(1),
        "laden": _foreign_camel(2),
    },
    PALM: PALMS,
    PALACE: PALACES,
}
"""Makers of bodies by kind of piece and family."""
