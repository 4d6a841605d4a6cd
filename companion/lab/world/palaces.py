"""Families of shapes of palaces: sawn flat, cast, turned, built of blocks, towers and domes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.lab.rendering.carving import carved_domes, carved_palace
from companion.lab.rendering.foreign import foreign_cut
from companion.lab.rendering.pieces import PALACE, make_cut
from companion.lab.world.bodies import FIRST, SECOND, Body, block_body, cast_body, cut_body, joined, moved, turned_body
from companion.lab.world.palms import fitted


def sawn_palace(rng: np.random.Generator) -> Body:
    """A stylised palace sawn out of a board; in some boxes hardly larger than a meeple."""
    outline = make_cut(PALACE, rng).outline * float(rng.uniform(0.62, 1.05))
    return fitted(cut_body(outline, float(rng.uniform(7, 13)), float(rng.uniform(0.4, 1.1))), rng)


def made_up_palace(rng: np.random.Generator) -> Body:
    """A palace of any build sawn out of a board, its roofs in a second tone."""
    outline, low = carved_palace(rng)
    low_mm = float(outline[low, 1].max()) if low.any() else None
    return fitted(cut_body(outline, float(rng.uniform(6, 14)), float(rng.uniform(0.2, 1.1)), low_mm), rng)


def row_of_domes(rng: np.random.Generator) -> Body:
    """A row of domes sawn out of a board, a ridged bar from above; in some boxes hardly larger than a meeple."""
    outline = carved_domes(rng) * float(rng.uniform(0.85, 1.05))
    return fitted(cut_body(outline, float(rng.uniform(7, 13)), float(rng.uniform(0.2, 1.1))), rng)


def thin_palace(rng: np.random.Generator) -> Body:
    """A thin silhouette of a palace, cut by laser or punched out of board."""
    outline, _ = carved_palace(rng)
    return fitted(cut_body(outline, float(rng.uniform(2.5, 5)), float(rng.uniform(0.05, 0.25))), rng)


def cast_palace(rng: np.random.Generator) -> Body:
    """A palace of metal, resin or plastic out of a mould."""
    outline, low = carved_palace(rng)
    low_mm = float(outline[low, 1].max() - outline[:, 1].min()) if low.any() else 0.0
    return fitted(cast_body(outline, float(rng.uniform(7, 13)), float(rng.uniform(1, 3)), low_mm), rng)


def _dome(radius: float, rng: np.random.Generator, tone: int = SECOND) -> Body:
    """A dome, an onion or a spire on a round of that radius."""
    kind = rng.random()
    if kind < 0.45:
        turn = np.linspace(0, 0.5 * np.pi, 6)
        profile = [
            (radius * float(np.cos(a)), radius * float(rng.uniform(0.98, 1.02)) * float(np.sin(a))) for a in turn
        ]
    elif kind < 0.75:
        shape = ((0.8, 0), (1.1, 0.3), (1.15, 0.7), (0.75, 1.2), (0.25, 1.6), (0.05, 2.1))
        profile = [(radius * r, radius * h) for r, h in shape]
    else:
        profile = [(radius * 1.1, 0), (radius * 1.1, 0.3), (0.1, radius * float(rng.uniform(1.4, 2.8)))]
    return turned_body(profile, 16, tone)


def _tower(radius: float, tall: float, rng: np.random.Generator) -> Body:
    """A round tower under a roof, or one with a ring of battlements."""
    wall = turned_body([(radius * 1.08, 0), (radius, 1), (radius, tall)], 16, FIRST)
    if rng.random() < 0.7:
        return joined([wall, moved(_dome(radius, rng), z=tall - 0.05)])
    ring = turned_body([(radius, 0), (1.25 * radius, 0.6), (1.25 * radius, 2)], 16, FIRST)
    return joined([wall, moved(ring, z=tall - 0.05)])


def turned_palace(rng: np.random.Generator) -> Body:
    """A single round tower turned on a lathe, like a piece of chess or a finial."""
    radius, tall = float(rng.uniform(5, 8.5)), float(rng.uniform(9, 17))
    steps = [
        (1.0, 0.0),
        (1.0, 0.1),
        (0.8, 0.18),
        (float(rng.uniform(0.6, 0.85)), 0.5),
        (0.75, 0.85),
        (0.95, 0.9),
        (0.95, 1),
    ]
    wall = turned_body([(radius * r, tall * h) for r, h in steps], 20, FIRST)
    return fitted(joined([wall, moved(_dome(0.9 * radius, rng), z=tall - 0.05)]), rng)


def domed_palace(rng: np.random.Generator) -> Body:
    """A block with a great dome, and towers at its corners or ends."""
    width, depth = float(rng.uniform(13, 21)), float(rng.uniform(9, 16))
    high = float(rng.uniform(5, 11))
    parts = [block_body(width, depth, high, float(rng.uniform(0.3, 0.8)))]
    parts.append(moved(_dome(float(rng.uniform(0.3, 0.47)) * min(width, depth), rng), z=high - 0.05))
    corners = ((1, 1), (1, -1), (-1, 1), (-1, -1)) if rng.random() < 0.6 else ((1, 0), (-1, 0))
    if rng.random() < 0.75:
        slim, tall = float(rng.uniform(1.4, 2.6)), high + float(rng.uniform(-1, 7))
        tower = _tower(slim, tall, rng)
        inset = slim * float(rng.uniform(0, 1))
        parts += [moved(tower, i * (width / 2 - inset), j * (depth / 2 - inset)) for i, j in corners]
    return fitted(joined(parts), rng)


def walled_palace(rng: np.random.Generator) -> Body:
    """A square castle: battlements on its walls and a keep within."""
    side, high = float(rng.uniform(14, 20)), float(rng.uniform(6, 10))
    depth = side * float(rng.uniform(0.6, 1))
    parts = [block_body(side, depth, high, 0.3)]
    tooth = float(rng.uniform(1.6, 2.6))
    for x in np.arange(-side / 2 + tooth / 2, side / 2, 2 * tooth):
        parts += [
            moved(block_body(tooth, tooth, 1.8, 0.2), float(x), j * (depth - tooth) / 2, high - 0.1) for j in (-1, 1)
        ]
    keep = float(rng.uniform(0.3, 0.5)) * depth
    parts.append(moved(block_body(keep, keep, float(rng.uniform(4, 9)), 0.3), z=high - 0.1))
    if rng.random() < 0.5:
        parts.append(moved(_dome(keep / 2, rng), z=high + 3.9))
    return fitted(joined(parts), rng)


def gabled_palace(rng: np.random.Generator) -> Body:
    """A house or hall with a pitched roof, as from a box of wooden buildings."""
    half, wall = float(rng.uniform(5, 9)), float(rng.uniform(4, 10))
    roof = half * float(rng.uniform(0.6, 1.3))
    outline = np.array([(-half, 0), (half, 0), (half, wall), (0, wall + roof), (-half, wall)])
    depth = float(rng.uniform(9, 18))
    return fitted(cut_body(outline, depth, float(rng.uniform(0.2, 0.7)), wall), rng)


def ziggurat_palace(rng: np.random.Generator) -> Body:
    """Blocks in steps, one upon another, under a small temple."""
    width, depth, h = float(rng.uniform(17, 23)), float(rng.uniform(14, 19)), 0.0
    parts = []
    for _ in range(int(rng.integers(3, 5))):
        high = float(rng.uniform(2.8, 4.4))
        parts.append(moved(block_body(width, depth, high, 0.4), z=h))
        width, depth, h = 0.68 * width, 0.68 * depth, h + high - 0.05
    return fitted(joined([*parts, moved(block_body(width, depth, 3, 0.3, SECOND), z=h)]), rng)


def _foreign(number: int) -> Callable[[np.random.Generator], Body]:
    def make(rng: np.random.Generator) -> Body:
        cut = foreign_cut(PALACE, number, rng)
        low = cut.outline[cut.low, 1].max() if cut.low is not None and cut.low.any() else None
        return cut_body(cut.outline, cut.thickness, float(rng.uniform(0.4, 1.2)), None if low is None else float(low))

    return make


PALACES: Mapping[str, Callable[[np.random.Generator], Body]] = {
    "sawn": sawn_palace,
    "made-up": made_up_palace,
    "thin": thin_palace,
    "cast": cast_palace,
    "turned": turned_palace,
    "domed": domed_palace,
    "walled": walled_palace,
    "gabled": gabled_palace,
    "ziggurat": ziggurat_palace,
    "keep": _foreign(0),
    "town": _foreign(1),
    "pagoda": _foreign(2),
    "arcade": _foreign(3),
    "domes": row_of_domes,
}
