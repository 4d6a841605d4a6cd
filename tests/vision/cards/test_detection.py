"""Which cards lie in a photo, and in what order, from whichever side it was taken (rules 1.4, 2.6)."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lab.rendering.tile_art import standard_art
from companion.rules.model.components import CARD_COUNTS
from companion.vision.cards.detection import Upright, find_cards, reading_lines, within_box
from companion.vision.load import load_photo
from companion.vision.numerics import project
from companion.vision.readings import CardDetection
from tests.vision.cards.faces import draw_other_card
from tests.vision.cards.tables import CARD_MM, Camera, Laid, camera_matrix, deal, lines_of, own_face, photograph

PHOTOS = Path(__file__).resolve().parents[3] / "../shared/photos"
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the photos lie beside the checkout")


def read(photo: np.ndarray) -> list[list[str | None]]:
    sights = find_cards(photo)
    lines = sorted({sight.line for sight in sights})
    assert lines == list(range(len(lines)))
    return [[sight.card for sight in sights if sight.line == line] for line in lines]


def own_photo(names: list[list[str]], camera: Camera, seed: int = 0, **light: float) -> np.ndarray:
    rng = np.random.default_rng(seed)
    laid = lines_of(names, rng=rng)
    return photograph(
        laid,
        own_face,
        rng,
        camera,
        (1600, 1200),
        (light.get("brightness", 1.0), light.get("warmth", 0.0)),
    )


@pytest.mark.parametrize(
    ("side", "slant", "brightness", "warmth"),
    [
        (180, 40, 0.6, 0.6),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in ((0, 0, 1, 0), (90, 25, 0.9, 0.2))),
    ],
)
def test_the_row_of_nine_is_read_in_order_from_any_side(
    side: float, slant: float, brightness: float, warmth: float
) -> None:  # rules 2.6
    names = [deal(np.random.default_rng(int(side)), 9)]
    photo = own_photo(names, Camera(side, slant, 900, 720), int(side), brightness=brightness, warmth=warmth)
    assert read(photo) == names


def test_every_kind_is_told_and_corners_begin_top_left_as_printed() -> None:  # rules 1.4
    names = [list(CARD_COUNTS)[:5], list(CARD_COUNTS)[5:]]
    photo = own_photo(names, Camera(0, 15))
    assert read(photo) == names
    assert read(np.full((300, 300, 3), 128, np.uint8)) == []
    for turned, is_upright in ((photo, True), (np.ascontiguousarray(np.rot90(photo, 2)), False)):
        corners = np.array([card.corners_px for card in find_cards(turned)])
        assert ((corners[:, 1, 0] > corners[:, 0, 0]) == is_upright).all()


@pytest.mark.slow
def test_other_cards_and_tiles_are_not_named() -> None:
    rng = np.random.default_rng(2)
    tiles = [picture for pictures in standard_art().values() for picture in pictures]

    def face(card: Laid) -> np.ndarray:
        return draw_other_card(rng) if card.y < 0 else tiles[int(rng.integers(len(tiles)))]

    photo = photograph(lines_of([["x"] * 6, ["x"] * 6]), face, rng, Camera(0, 10))
    assert [sight for sight in find_cards(photo) if sight.card is not None] == []


def sight(card: str | None, confidence: float) -> CardDetection:
    return CardDetection(card, confidence, None, ((0, 0), (1, 0), (1, 1), (0, 1)), 0)


def test_no_more_cards_are_named_than_the_box_holds() -> None:  # rules 1.4
    seen = [sight("ivory", 0.99), sight("ivory", 0.9), sight("fish", 0.9), sight("ivory", 0.95), sight(None, 0.5)]
    checked = within_box(seen)
    assert [one.card for one in checked] == ["ivory", None, "fish", "ivory", None]
    assert checked[1].other == "ivory"


@needs_photos
@pytest.mark.slow
def test_a_real_photo_of_twelve_cards() -> None:
    # Ten of these cards were trained on; the second spice and the second fish were not.
    truth = json.loads((PHOTOS / "real" / "truth.json").read_text())["cards_1.jpg"]
    assert read(load_photo(PHOTOS / "real" / "cards_1.jpg")) == truth["laid"]


@needs_photos
@pytest.mark.slow
@pytest.mark.parametrize("name", ["renders/0001", "real/board_clean", "real/test_1"])
def test_tiles_of_a_sultanate_are_not_taken_for_cards(name: str) -> None:
    assert find_cards(load_photo(PHOTOS / f"{name}.jpg")) == ()


def seen(laid: list[Laid], camera: Camera) -> list[Upright]:
    """The cards' corners as the camera sees them."""
    to_px = camera_matrix(camera, (2016, 1512))
    half = np.array(CARD_MM) / 2 * [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    cards = []
    for card in laid:
        c, s = np.cos(np.radians(card.turn)), np.sin(np.radians(card.turn))
        corners = half @ np.array([[c, s], [-s, c]]) + [card.x, card.y]
        cards.append(Upright(project(to_px, corners), 1.0))
    return cards


def named(counts: list[int]) -> list[list[str | None]]:
    return [[f"{line}.{place}" for place in range(count)] for line, count in enumerate(counts)]


def ordered(laid: list[Laid], camera: Camera, shuffle: int = 0) -> list[list[str | None]]:
    order = np.random.default_rng(shuffle).permutation(len(laid))
    mixed = [laid[at] for at in order]
    return [[mixed[at].name for at in line] for line in reading_lines(seen(mixed, camera))]


def test_lines_are_read_from_any_side() -> None:
    for counts, side, slant in product(([9], [6, 6], [3, 5, 4], [1], [9, 2]), (0, 35, 90, 180, 270), (0, 30, 48)):
        names = named(counts)
        laid = lines_of(names, rng=np.random.default_rng(5))
        assert ordered(laid, Camera(side, slant, 900)) == names, (counts, side, slant)


@given(st.integers(0, 999), st.floats(0, 360), st.floats(0, 45), st.floats(0, 30))
def test_a_row_of_nine_laid_by_hand_is_one_line(seed: int, side: float, slant: float, gap: float) -> None:
    names = named([9])
    laid = lines_of(names, gap, np.random.default_rng(seed))
    assert ordered(laid, Camera(side, slant, 1000), seed) == names


def test_cards_dealt_upside_down_do_not_turn_the_row() -> None:
    laid = lines_of(named([9]))
    mixed = [Laid(card.name, card.x, card.y, 180.0 if at in (1, 4, 8) else 0.0) for at, card in enumerate(laid)]
    assert ordered(mixed, Camera(180, 20)) == named([9])


def test_a_line_that_faces_another_player_is_read_from_there_and_comes_last() -> None:
    row = lines_of(named([7]))
    theirs = [Laid(f"their {at}", 150 - 50 * at, -160, 180.0) for at in range(4)]
    assert ordered([*theirs, *row], Camera()) == [named([7])[0], [f"their {at}" for at in range(4)]]
    assert ordered([*row, Laid("lone", 0.0, -180.0, 100.0)], Camera()) == [named([7])[0], ["lone"]]
    assert reading_lines([]) == []
