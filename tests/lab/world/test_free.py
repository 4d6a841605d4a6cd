"""Pieces that vary without end are of their kind's size and colours, and of no held-out family."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from companion.lab.rendering.pieces import CAMEL, MEEPLE, PALACE, PALM, PIECE_KINDS, Hsv, make_paint
from companion.lab.world import free, paints, scenes
from companion.lab.world.bodies import block_body, turned_body
from companion.lab.world.boxes import BodySet, draw_box
from companion.lab.world.catalogue import (
    HELD_OUT,
    TRAINING,
    draw_families,
    families,
    is_mixed,
    is_ordinary,
    palace_tones,
    seeds,
)
from companion.lab.world.free import FREE, SIZES_MM, bent, draw_mixed_boxes, free_body, free_paint
from companion.lab.world.paints import PALACE_PAINTS, PALM_PAINTS
from companion.lab.world.scenes import draw_scene
from companion.lab.world.shapes import SHAPES


@pytest.mark.parametrize("kind", PIECE_KINDS)
def test_bodies_are_as_large_as_pieces_of_their_kind_and_stand_on_their_foot(kind: str) -> None:
    (low_wide, high_wide), (low_high, high_high) = SIZES_MM[kind]
    shapes = set()
    for seed in range(40):
        body = free_body(kind, np.random.default_rng(seed))
        width, depth, height = body.size
        assert low_wide - 1e-6 <= width <= high_wide + 1e-6
        assert 2.4 <= depth <= high_wide + 1e-6
        assert low_high - 1e-6 <= height <= high_high + 1e-6
        assert body.points[:, 2].min() == pytest.approx(0, abs=1e-9)
        assert (body.points.min(0) + body.points.max(0))[:2] == pytest.approx((0, 0), abs=1e-6)
        assert len(body.tones) == len(body.faces)
        assert max(max(face) for face in body.faces) < len(body.points)
        shapes.add((len(body.points), round(width, 3), round(height, 3)))
    assert len(shapes) == 40


def test_what_is_bent_keeps_its_flat_sides() -> None:
    block = block_body(14, 9, 16, 0.2)
    for seed in range(10):
        changed = bent(block, MEEPLE, np.random.default_rng(seed))
        ratio = changed.points[:, 1] / np.where(block.points[:, 1] == 0, 1, block.points[:, 1])
        assert np.ptp(ratio[block.points[:, 1] != 0]) < 1e-9
        order = np.argsort(block.points[:, 2], kind="stable")
        assert (np.diff(changed.points[order, 2]) >= -1e-9).all()


def test_a_peg_is_bent_out_of_round() -> None:
    peg = turned_body([(5.0, 0), (5.0, 8), (5.0, 16)], 24)
    widths = []
    for seed in range(20):
        changed = bent(peg, MEEPLE, np.random.default_rng(seed)).points
        top, foot = (changed[changed[:, 2] == level][:, 0] for level in (changed[:, 2].max(), 0.0))
        widths.append(float(np.ptp(top) / np.ptp(foot)))
    assert min(widths) < 0.85 and max(widths) > 1.15


def test_no_maker_of_a_held_out_family_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = set()

    def watched(kind: str, name: str) -> object:
        def make(rng: np.random.Generator) -> object:
            asked.add((kind, name))
            return SHAPES[kind][name](rng)

        return make

    watch = {kind: {name: watched(kind, name) for name in makers} for kind, makers in SHAPES.items()}
    monkeypatch.setattr(free, "SHAPES", watch)
    for seed in range(60):
        draw_mixed_boxes(np.random.default_rng(seed))
    assert asked == {(kind, name) for kind in PIECE_KINDS for name in families(TRAINING)[kind]}


KNOWN_PAINTS = {PALM: PALM_PAINTS, PALACE: PALACE_PAINTS}


@pytest.mark.parametrize("kind", list(KNOWN_PAINTS))
def test_paints_of_palms_and_palaces_keep_away_from_held_out_ones(kind: str) -> None:
    known = KNOWN_PAINTS[kind]
    held_out = [hsv for name in families(HELD_OUT)[f"{kind}_paint"] for hsv in known[name]]
    rng = np.random.default_rng(5)
    drawn = np.array([free_paint(kind, rng) for _ in range(1500)])
    for hue, saturation, value in held_out:
        near = np.abs((drawn[:, 0] - hue + 180) % 360 - 180) < 16
        near &= (np.abs(drawn[:, 1] - saturation) < 0.22) & (np.abs(drawn[:, 2] - value) < 0.22)
        assert not near.any()
    assert np.histogram(drawn[:, 0], 12, (0, 360))[0].min() > 20


@pytest.fixture
def mixed_from(monkeypatch: pytest.MonkeyPatch) -> set[Hsv]:
    """What paints and second tones are mixed from in this test."""
    seen: set[Hsv] = set()

    def watched(hsv: Hsv, rng: np.random.Generator) -> object:
        seen.add(hsv)
        return make_paint(hsv, rng)

    monkeypatch.setattr(paints, "make_paint", watched)
    return seen


def first_tones(world: str) -> set[Hsv]:
    return {hsv for name in families(world)["palace_paint"] for hsv in PALACE_PAINTS[name][:1]}


def test_second_tones_of_palaces_are_of_no_held_out_paint(mixed_from: set[Hsv]) -> None:
    for seed in range(400):
        rng = np.random.default_rng(seed)
        draw_box(draw_families(TRAINING, seed, rng), palace_tones(TRAINING), rng)
    assert first_tones(TRAINING) <= mixed_from
    assert not first_tones(HELD_OUT) & mixed_from


def test_second_tones_of_no_family_are_of_no_held_out_paint(mixed_from: set[Hsv]) -> None:
    for seed in range(100):
        draw_mixed_boxes(np.random.default_rng(seed))
    assert first_tones(TRAINING) <= mixed_from
    assert not first_tones(HELD_OUT) & mixed_from


@pytest.mark.parametrize(("world", "seed"), [(TRAINING, 2), (HELD_OUT, 5_000_000), (HELD_OUT, 5_000_001)])
def test_second_tones_of_palaces_are_those_of_the_photos_world(
    world: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Sequence[str]] = []

    def watched(drawn: Mapping[str, str], tones: Sequence[str], rng: np.random.Generator) -> BodySet:
        asked.append(tones)
        return draw_box(drawn, tones, rng)

    monkeypatch.setattr(scenes, "draw_box", watched)
    draw_scene(seed, world, width=640)
    held_out = set(families(HELD_OUT)["palace_paint"])
    assert [held_out & set(tones) for tones in asked] == [set() if world == TRAINING else held_out]


def hsv_of(paint: np.ndarray) -> tuple[float, float, float]:
    blue, green, red = np.asarray(paint, np.float64) ** (1 / 2.2)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    return 360 * hue, saturation, value


def test_meeples_and_camels_have_the_colours_of_their_names() -> None:
    for seed in range(40):
        paints = draw_mixed_boxes(np.random.default_rng(seed))[0].plain.paints
        seen = {key: hsv_of(paint) for key, paint in paints.items()}
        assert 25 < seen[MEEPLE, "y"][0] < 75
        assert 185 < seen[MEEPLE, "b"][0] < 260
        assert 70 < seen[MEEPLE, "g"][0] < 180
        assert min(seen[MEEPLE, "r"][0], 360 - seen[MEEPLE, "r"][0]) < 35
        assert seen[MEEPLE, "w"][1] < 0.3 < seen[MEEPLE, "w"][2]
        assert seen[CAMEL, "K"][2] < 0.4
        assert 5 < seen[CAMEL, "O"][0] < 45
        assert 160 < seen[CAMEL, "B"][0] < 225
        assert 290 < seen[CAMEL, "P"][0] < 358


def test_the_boxes_of_a_board_share_figures_paints_and_room() -> None:
    boxes = draw_mixed_boxes(np.random.default_rng(3))
    assert len(boxes) == free.BOXES
    first = boxes[0].plain
    for box in boxes:
        for key, paint in box.plain.paints.items():
            if key[0] in (MEEPLE, CAMEL):
                assert (paint == first.paints[key]).all()
        for kind, body in box.bodies.items():
            room = np.ptp(box.plain.cuts[kind].outline, axis=0)
            assert body.size[0] <= room[0] + 1e-6 and body.size[2] <= room[1] + 1e-6
    assert len({tuple(box.plain.paints[PALM, ""].tolist()) for box in boxes}) > 1
    assert len({round(box.bodies[CAMEL].size[0], 6) for box in boxes}) == free.BOXES


@pytest.mark.parametrize("seed", [4_000_000, 4_321_000])
def test_a_mixed_board_has_pieces_of_several_boxes(seed: int) -> None:
    assert is_mixed(seed) and is_ordinary(seed) and seed in seeds(TRAINING)
    drawn = draw_scene(seed, width=640)
    assert set(drawn.box_numbers) == set(range(free.BOXES))
    assert len(drawn.box_numbers) == len(drawn.poses) == len(drawn.scene.pieces)
    named = {what for what, name in drawn.families.items() if name != FREE}
    assert named == {"lamp", "tiles", "table"}
    assert drawn.poses == draw_scene(seed, width=640).poses


@pytest.mark.parametrize("seed", [3_999_999, 2_005_200, 5_000_000])
def test_other_seeds_have_one_box(seed: int) -> None:
    assert not is_mixed(seed)
    drawn = draw_scene(seed, HELD_OUT if seed >= 5_000_000 else TRAINING, width=640)
    assert len(drawn.boxes) == 1 and set(drawn.box_numbers) == {0}
    assert FREE not in drawn.families.values()
