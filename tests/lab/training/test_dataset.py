"""Training examples and targets say what the picture shows."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from companion.lab.rendering.profiles import PROFILES
from companion.lab.rendering.render import draw_photo
from companion.lab.rendering.tile_art import ART_PX, cut_tiles
from companion.lab.training.batches import (
    MIN_VISIBLE,
    count_classes,
    locate_sample,
    piece_sample,
    sharpened,
    tile_sample,
    true_counts,
)
from companion.lab.training.dataset import (
    TRACED_REPEATS,
    Example,
    example_paths,
    example_pools,
    load_example,
    make_example,
    pick_example,
    save_example,
)
from companion.rules.model.board import COLUMNS, ROWS
from companion.vision.board.pieces import PIECE_CLASSES
from companion.vision.board.rectify import BOARD_SIZE_PX
from companion.vision.board.tile_similarity import KINDS
from companion.vision.board.tiles import CROP_PX


@cache
def example() -> Example:
    picture, truth = draw_photo(np.random.default_rng(5), (900, 675), PROFILES["train"])
    return make_example(picture, truth)


def test_an_example_comes_back_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "one.npz"
    save_example(path, example())
    stored = load_example(path)
    assert stored.picture.shape == example().picture.shape
    for name in ("jpeg", "homography", "feet", "squares", "kinds", "turns"):
        assert np.array_equal(getattr(stored, name), getattr(example(), name))
    assert [file.name for file in tmp_path.iterdir()] == ["one.npz"]


def test_examples_are_listed_by_name_and_links_are_followed(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "examples", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    save_example(elsewhere / "two.npz", example())
    (folder / "two.npz").symlink_to(elsewhere / "two.npz")
    save_example(folder / "one.npz", example())
    (folder / "half.npz.part").write_bytes(b"")
    assert example_paths(folder) == [folder / "one.npz", folder / "two.npz"]


def test_every_visible_foot_on_the_board_is_a_point_of_its_class() -> None:
    picture, heat, weight, _ = piece_sample(example(), np.random.default_rng(1))
    assert picture.shape == (3, BOARD_SIZE_PX[1], BOARD_SIZE_PX[0])
    assert heat.shape == (len(PIECE_CLASSES), BOARD_SIZE_PX[1] // 4, BOARD_SIZE_PX[0] // 4)
    assert weight.shape == (1, *heat.shape[1:])
    for kind, channel in enumerate(heat):
        feet = example().feet[example().feet[:, 0] == kind]
        on_board = feet[(feet[:, 1] > 0) & (feet[:, 1] < COLUMNS) & (feet[:, 2] > 0) & (feet[:, 2] < ROWS)]
        assert (channel > 0.999).sum() >= (on_board[:, 3] >= MIN_VISIBLE).sum()
        assert (channel > 0.999).sum() <= len(feet)


def test_counts_are_mirrored_and_turned_with_the_picture() -> None:
    plain = count_classes(true_counts(example()))
    seen = {piece_sample(example(), np.random.default_rng(seed))[3].tobytes() for seed in range(20)}
    flips = [plain, plain[:, ::-1], plain[:, :, ::-1], plain[:, ::-1, ::-1]]
    assert seen == {np.ascontiguousarray(flip).tobytes() for flip in flips}


def test_a_camel_is_counted_by_its_colour_and_crowds_end_at_the_most() -> None:
    counts = np.zeros((30, len(PIECE_CLASSES)), dtype=np.int64)
    counts[7, PIECE_CLASSES.index("B")] = 1
    counts[8, PIECE_CLASSES.index("w")] = 13
    classes = count_classes(counts)
    assert [int(group[1, 1]) for group in classes] == [0, 0, 0, 0, 0, 3, 0, 0]
    assert [int(group[1, 2]) for group in classes] == [0, 10, 0, 0, 0, 0, 0, 0]


def test_tile_samples_keep_their_kind_and_turn_with_the_picture() -> None:
    crops, classes = tile_sample(example(), np.random.default_rng(2), 30)
    assert crops.shape == (30, 3, CROP_PX, CROP_PX)
    assert np.bincount(classes.astype(int) // 4, minlength=len(KINDS)).tolist() == [kind.count for kind in KINDS]


def test_sharpening_lifts_one_side_of_an_edge_and_lowers_the_other() -> None:
    edge = np.full((40, 40, 3), 80, np.uint8)
    edge[:, 20:] = 160
    sharp = sharpened(edge, sigma=1.5, share=0.8)[20, :, 1].astype(int)
    assert sharp[[0, 39]].tolist() == [80, 160], "what is flat stays"
    assert sharp[19] < 70 and sharp[20] > 170


@pytest.mark.parametrize("seed", range(3))
def test_corners_and_centres_are_the_lattice(seed: int) -> None:
    picture, heat, _ = locate_sample(example(), np.random.default_rng(seed))
    assert picture.shape == (3, 512, 512) and heat.shape == (2, 128, 128)
    assert 0 < (heat[0] > 0.999).sum() <= 42
    assert 0 < (heat[1] > 0.999).sum() <= 30


def test_tiles_are_cut_from_a_photo_of_empty_ones() -> None:
    from companion.notation.tokens import parse_board

    rows = "O8 M4 M4 V5 S6 V5/V5 O8 S12 M6 O8 O8/O8 M4 M6 M6 M6 M6/V5 S10 O8 M6 M6 M6/M4 S15 S6 V5 S6 S6"
    photo = np.zeros((500, 600, 3), np.uint8)
    photo[100:200, 300:400] = (10, 20, 30)
    art = cut_tiles(photo, np.diag([100.0, 100.0, 1.0]), parse_board(rows))
    assert {code: len(tiles) for code, tiles in art.items()} == {kind.code: kind.count for kind in KINDS}
    assert all(tile.shape == (ART_PX, ART_PX, 3) for tiles in art.values() for tile in tiles)
    assert np.all(art["M6"][0] == (10, 20, 30))


def test_path_traced_examples_have_their_share_of_samples() -> None:
    paths = [Path(f"{number:07d}.npz") for number in range(8)]
    paths += [Path(f"traced_{number:07d}.npz") for number in range(4)]
    rng = np.random.default_rng(0)
    pools = example_pools(paths, 0.6)
    picked = [pick_example(pools, rng) for _ in range(2000)]
    assert set(picked) == set(paths)
    assert sum(path.name.startswith("traced_") for path in picked) / 2000 == pytest.approx(0.6, abs=0.04)
    for share, some in ((None, paths), (0.6, paths[:8]), (0.6, paths[8:])):
        assert example_pools(some, share) == [(1.0, some)]
        assert {pick_example(example_pools(some, share), rng) for _ in range(200)} == set(some)


def test_few_path_traced_examples_are_not_learnt_by_heart() -> None:
    plain = [Path(f"{number:07d}.npz") for number in range(92)]
    (share, _), (rest, _) = example_pools([*plain, Path("traced_0000001.npz"), Path("traced_0000002.npz")], 0.6)
    assert share == pytest.approx(2 * TRACED_REPEATS / (2 * TRACED_REPEATS + 92)) and share + rest == 1
