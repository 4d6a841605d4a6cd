"""What is held out of training is never drawn for it, and what is not held out is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np
import pytest

from companion.errors import UnusableInputError
from companion.lab.rendering.pieces import PIECE_KINDS
from companion.lab.world.catalogue import (
    HELD_OUT,
    TRAINING,
    all_families,
    check_seeds,
    draw_families,
    families,
    is_alike,
    is_ordinary,
    seeds,
    subject_of,
)
from companion.lab.world.scenes import draw_scene

FIXED = {
    "meeple": {"tall", "cheering", "pawn", "skittle", "hooded"},
    "camel": {"striding", "stacking", "laden"},
    "palm": {"arching", "ringed", "cypress", "pineapple"},
    "palace": {"keep", "town", "pagoda", "arcade", "ziggurat"},
    "figure_paint": {"other-production", "chalk"},
    "palm_paint": {"teal", "olive", "straw"},
    "palace_paint": {"terracotta", "slate", "lilac", "honey"},
    "lamp": {"tube", "parlour", "candles"},
    "tiles": {"engraved", "moonlit", "home-printed"},
    "table": {"terrazzo", "slats", "rug"},
}
"""Held out since before anything was trained on path-traced frames: networks may have seen all others."""


def drawn_in(world: str, count: int) -> Mapping[str, set[str]]:
    drawn: dict[str, set[str]] = defaultdict(set)
    for seed in seeds(world)[:count]:
        for what, name in draw_families(world, seed, np.random.default_rng((3, seed))).items():
            drawn[what].add(name)
    return drawn


def test_the_families_held_out_are_those_of_old() -> None:
    assert {what: set(names) for what, names in families(HELD_OUT).items()} == FIXED


def test_the_two_worlds_share_no_family_and_leave_none_out() -> None:
    for what, names in all_families().items():
        assert set(families(TRAINING)[what]).isdisjoint(families(HELD_OUT)[what])
        assert {*families(TRAINING)[what], *families(HELD_OUT)[what]} == set(names)


def test_the_sampler_of_training_frames_never_draws_a_held_out_family() -> None:
    drawn = drawn_in(TRAINING, 1500)
    for what, names in FIXED.items():
        assert drawn[what].isdisjoint(names)
        assert drawn[what] == set(families(TRAINING)[what])


def test_held_out_photos_draw_every_held_out_family() -> None:
    drawn = drawn_in(HELD_OUT, 900)
    for what, names in FIXED.items():
        assert names <= drawn[what]


def test_a_held_out_photo_holds_out_what_its_subject_says() -> None:
    pieces = {*PIECE_KINDS, "figure_paint", "palm_paint", "palace_paint"}
    always = {"lamp", "table"}
    held_out = {"usual": always, "pieces": always | pieces, "tiles": always | {"tiles"}}
    for seed in seeds(HELD_OUT)[:60]:
        drawn = draw_families(HELD_OUT, seed, np.random.default_rng(seed))
        odd = {what for what, name in drawn.items() if name in FIXED[what]}
        assert odd == held_out[subject_of(seed)]


def test_ordinary_tables_have_usual_pieces_unless_these_are_held_out() -> None:
    usual: dict[str, set[str]] = {"meeple": {"sawn"}, "camel": {"sawn"}, "palm": {"sawn"}, "palace": {"sawn"}}
    for seed in seeds("ordinary_held_out")[:60]:
        drawn = draw_families(HELD_OUT, seed, np.random.default_rng(seed))
        assert all((drawn[what] in names) is (subject_of(seed) != "pieces") for what, names in usual.items())
    in_training = [
        draw_families(TRAINING, seed, np.random.default_rng(seed)) for seed in seeds("ordinary_training")[:200]
    ]
    assert 80 < sum(all(drawn[what] in names for what, names in usual.items()) for drawn in in_training) < 125


def test_pieces_that_only_shapes_tell_apart_are_of_training_families() -> None:
    drawn = [draw_families(TRAINING, seed, np.random.default_rng(seed)) for seed in seeds("alike_training")[:150]]
    assert is_ordinary(seeds("alike_training")[0]) and not is_alike(seeds("ordinary_training")[0])
    assert {one["palm_paint"] for one in drawn} == {"as-merchants"}
    assert {one["palace_paint"] for one in drawn} >= {"as-viziers", "as-elders", "gold", "silver"}
    assert 35 < sum(one["palm"] == "petals" for one in drawn) < 80
    assert 50 < sum(one["palace"] == "domes" for one in drawn) < 100
    for one in drawn:
        assert all(name in families(TRAINING)[what] for what, name in one.items())


def test_the_seeds_of_the_two_worlds_are_apart() -> None:
    assert set(seeds(TRAINING)).isdisjoint(seeds(HELD_OUT))
    with pytest.raises(UnusableInputError, match="training photos have seeds from 0 to 4999999"):
        check_seeds(TRAINING, 4_999_999, 2)
    with pytest.raises(UnusableInputError, match="held-out photos have seeds from 5000000"):
        draw_scene(17, HELD_OUT)


def test_scenes_are_of_the_families_that_they_tell() -> None:
    scene = draw_scene(4)
    assert scene.scene.table.kind == scene.families["table"]
    for what, name in scene.families.items():
        assert name in families(TRAINING)[what]
