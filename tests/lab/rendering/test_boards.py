from __future__ import annotations

import numpy as np
import pytest

from companion.lab.rendering.boards import BARE, CROWDED, FILLINGS, random_board
from companion.lab.rendering.pieces import MEEPLE, PALACE, PALM, PIECE_KINDS, make_cut, make_piece_set
from companion.lab.rendering.placing import Footprint, gap
from companion.lab.rendering.profiles import alike_profiles
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.varied import alike_piece_set, varied_cut, varied_piece_set
from companion.rules.engine.legality import problems
from companion.rules.model.board import meeples_on
from companion.rules.model.components import MEEPLE_COUNTS
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
@pytest.mark.parametrize("seed", range(8))
def test_cuts_are_simple_outlines_on_their_foot(kind: str, seed: int) -> None:
    outline = make_cut(kind, np.random.default_rng(seed)).outline
    x, y = outline.T
    assert y.min() == pytest.approx(0, abs=1e-9)
    assert 10 < np.ptp(x) < 32 and 10 < np.ptp(y) < 32
    assert 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0, "it goes round anticlockwise"


def test_boxes_differ_but_colours_stay_apart() -> None:
    boxes = [make_piece_set(np.random.default_rng(seed)) for seed in range(30)]
    reds = {tuple(box.paints["meeple", "r"].tolist()) for box in boxes}
    assert len(reds) == 30
    for box in boxes:
        paints = [box.paints["meeple", letter] for letter in "ywbgr"]
        apart = [np.abs(np.sqrt(a) - np.sqrt(b)).max() for i, a in enumerate(paints) for b in paints[:i]]
        assert min(apart) > 0.12


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


@pytest.mark.parametrize("kind", PIECE_KINDS)
@pytest.mark.parametrize("seed", range(25))
def test_varied_cuts_are_simple_outlines_on_their_foot(kind: str, seed: int) -> None:
    cut = varied_cut(kind, np.random.default_rng(seed))
    x, y = cut.outline.T
    assert y.min() == pytest.approx(0, abs=1e-9)
    assert x.min() < 0 < x.max()
    assert 8 < np.ptp(x) < 34 and 8 < np.ptp(y) <= 31.1
    assert 5 <= cut.thickness <= 14
    assert len(cut.outline) < 120
    assert cut.low is not None and 0 < cut.low.sum() < len(x)
    assert 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 30, "it goes round anticlockwise"


def test_varied_boxes_keep_the_colours_of_the_pieces_apart() -> None:
    for seed in range(40):
        box = varied_piece_set(np.random.default_rng(seed))
        for letters, kind in (("ywbgr", "meeple"), ("KOBP", "camel")):
            paints = [box.paints[kind, letter] for letter in letters]
            apart = [np.abs(np.sqrt(a) - np.sqrt(b)).max() for i, a in enumerate(paints) for b in paints[:i]]
            assert min(apart) > 0.12


def test_in_boxes_that_are_alike_palms_are_green_as_merchants_and_some_palaces_as_meeples() -> None:
    boxes = [alike_piece_set(np.random.default_rng(seed)) for seed in range(40)]
    assert all(np.array_equal(box.paints[PALM, ""], box.paints[MEEPLE, "g"]) for box in boxes)
    for letter in "yw":
        alike = sum(np.array_equal(box.paints[PALACE, ""], box.paints[MEEPLE, letter]) for box in boxes)
        assert 2 <= alike <= 16
    assert all(len(box.cuts[kind].outline) > 10 for box in boxes for kind in PIECE_KINDS)


def test_some_of_those_photos_show_bare_tiles() -> None:
    profile = alike_profiles()[0]
    boards = [sample_scene(np.random.default_rng(seed), profile=profile).board for seed in range(60)]
    assert 4 <= sum(all(tile.is_empty for tile in board) for board in boards) <= 22
