from __future__ import annotations

from collections.abc import Callable
from itertools import product

import cv2
import numpy as np
import pytest

from companion.lab.rendering.boards import BARE, CROWDED, FILLINGS, random_board
from companion.lab.rendering.pieces import (
    CAMEL,
    PALACE,
    PALM,
    PIECE_KINDS,
    Cut,
    Outline,
    PieceSet,
    make_cut,
    make_piece_set,
    usual_cut,
)
from companion.lab.rendering.placing import Footprint, gap
from companion.lab.rendering.profiles import usual_profiles
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.solids import METAL_GLOSS
from companion.lab.rendering.varied import varied_cut, varied_piece_set
from companion.rules.engine.legality import problems
from companion.rules.model.board import meeples_on
from companion.rules.model.components import MEEPLE_COUNTS, Colour, TileAction, Tribe
from companion.rules.model.position import Position


@pytest.mark.parametrize("filling", (*FILLINGS, CROWDED, BARE))
@pytest.mark.parametrize("seed", range(12))
def test_random_boards_can_stand_on_a_table(filling: str, seed: int) -> None:
    board = random_board(filling, np.random.default_rng(seed))
    assert problems(Position(board)) == []
    if filling == "start":
        assert meeples_on(board) == MEEPLE_COUNTS
        assert all(sum(tile.meeples) == 3 for tile in board)


@pytest.mark.parametrize("kind", PIECE_KINDS)
@pytest.mark.parametrize("cut", [make_cut, usual_cut, varied_cut])
def test_cuts_are_simple_outlines_on_their_foot(cut: Callable[[str, np.random.Generator], Cut], kind: str) -> None:
    for seed in range(25 if cut is varied_cut else 8):
        made = cut(kind, np.random.default_rng(seed))
        x, y = made.outline.T
        assert y.min() == pytest.approx(0, abs=1e-9) and x.min() < 0 < x.max()
        assert 8 < np.ptp(x) < 34 and 8 < np.ptp(y) < 32
        assert 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0, "it goes round anticlockwise"
        if cut is varied_cut:
            assert 5 <= made.thickness <= 14 and len(made.outline) < 120
            assert made.low is not None and 0 < made.low.sum() < len(x)


@pytest.mark.parametrize("seed", range(4))
def test_pieces_hardly_ever_stand_inside_one_another(seed: int) -> None:
    scene = sample_scene(np.random.default_rng(seed), random_board("start", np.random.default_rng(seed)), "table")
    feet = []
    for piece in scene.pieces:
        cut = scene.box.cuts[piece.kind]
        depth = cut.thickness if piece.pose == "standing" else float(np.ptp(cut.outline[:, 1]))
        c, s = np.cos(np.radians(piece.angle)), np.sin(np.radians(piece.angle))
        feet.append(Footprint(piece.x, piece.y, float(c), float(s), float(np.ptp(cut.outline[:, 0])) / 2, depth / 2))
    inside = sum(gap(one, other) < -0.5 for i, one in enumerate(feet) for other in feet[:i])
    assert inside <= 1


@pytest.mark.parametrize(
    ("apart", "wanted"),
    [((20, 0), 10.0), ((10, 0), 0.0), ((4, 0), -4.0), ((0, 30), 26.0)],
    ids=["clear", "touch", "deep", "beside"],
)
def test_gap_between_feet(apart: tuple[int, int], wanted: float) -> None:
    one, other = Footprint(0, 0, 1, 0, 5, 2), Footprint(*apart, 1, 0, 5, 2)
    assert gap(one, other) == pytest.approx(wanted)


def test_rules_6_crowded_boards_have_heaps_and_crowds() -> None:
    boards = [random_board(CROWDED, np.random.default_rng(seed)) for seed in range(20)]
    assert sum(tile.palms >= 2 for board in boards for tile in board) > 20
    assert sum(tile.palaces >= 2 for board in boards for tile in board) > 20
    assert sum(6 <= sum(tile.meeples) <= 10 for board in boards for tile in board) > 40
    assert max(max(tile.meeples) for board in boards for tile in board) >= 5


@pytest.mark.parametrize("make", [make_piece_set, varied_piece_set])
def test_boxes_differ_but_keep_the_colours_of_the_pieces_apart(make: Callable[[np.random.Generator], PieceSet]) -> None:
    boxes = [make(np.random.default_rng(seed)) for seed in range(40)]
    assert len({tuple(box.paints["meeple", "r"].tolist()) for box in boxes}) == 40
    for box, (letters, kind) in product(boxes, (("ywbgr", "meeple"), ("KOBP", "camel"))):
        paints = [box.paints[kind, letter] for letter in letters]
        apart = [np.abs(np.sqrt(a) - np.sqrt(b)).max() for i, a in enumerate(paints) for b in paints[:i]]
        assert min(apart) > 0.12


def test_the_games_own_palms_are_of_sand_and_its_palaces_golden_with_brown_sides() -> None:
    for seed in range(30):
        box = make_piece_set(np.random.default_rng(seed))
        sand, gold, brown = box.paints[PALM, ""], box.paints[PALACE, ""], box.finishes[PALACE].side
        assert brown is not None
        for paint in (sand, gold, brown):
            blue, green, red = paint
            assert red > green > blue, "no green palm, no silver palace"
        assert gold[0] / gold[2] < 0.24 and sand[0] / sand[2] > 0.22, "gold has less blue in it than bare wood"
        assert brown.max() < 0.75 * gold.max()
        assert box.finishes[PALACE].gloss >= METAL_GLOSS > box.finishes[PALM].gloss


def test_the_games_own_palace_has_three_domes_and_a_gate_and_its_palm_a_foot_that_spreads() -> None:
    palace, palm = (usual_cut(kind, np.random.default_rng(4)).outline for kind in (PALACE, PALM))

    def wood(outline: Outline, x: float, y: float) -> bool:
        """Whether there is wood so far from the middle and up, as shares of width and height."""
        at = (x * float(np.ptp(outline[:, 0])), y * float(np.ptp(outline[:, 1])))
        return cv2.pointPolygonTest(outline.astype(np.float32), at, False) > 0

    domes, notches, gate = ((-0.37, 0.73), (0.02, 0.95), (0.38, 0.73)), ((-0.26, 0.72), (0.26, 0.72)), (0.0, 0.15)
    assert all(wood(palace, *at) for at in domes)
    assert not any(wood(palace, *at) for at in (*notches, gate))
    trunk, crown, foot = ((0.12, 0.3), (0.0, 0.65), (-0.28, 0.05))
    assert all(wood(palm, *at) for at in (trunk, crown, foot))
    assert not any(wood(palm, *at) for at in ((-0.1, 0.35), (0.35, 0.35)))


def test_photos_to_train_on_show_what_is_easily_confused() -> None:
    """Palms among elders and viziers, palaces among viziers and elders, camels from straight above under a low lamp."""
    company = {TileAction.OASIS: 0, TileAction.VILLAGE: 0}
    others = dict(company)
    colours, bare = set[object](), 0
    for seed in range(60):
        profile = usual_profiles()[seed % len(usual_profiles())]
        scene = sample_scene(np.random.default_rng(seed), profile=profile)
        bare += all(tile.is_empty for tile in scene.board)
        if scene.camera.elevation > 84 and scene.light.lamps[0].place[2] < 1500:
            colours |= {piece.colour for piece in scene.pieces if piece.kind == CAMEL and piece.square is not None}
        for tile in scene.board:
            if tile.palms + tile.palaces and tile.kind.action in company:
                alike = tile.meeples[Tribe.ELDER] + tile.meeples[Tribe.VIZIER]
                company[tile.kind.action] += alike
                others[tile.kind.action] += sum(tile.meeples) - alike
    assert all(company[action] > 0.9 * others[action] for action in company)
    assert colours == {colour.letter for colour in Colour}
    assert 1 <= bare <= 12
