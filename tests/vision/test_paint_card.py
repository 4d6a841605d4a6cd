"""The calibration card: paints measured whatever the light, and every unusable photo refused with what to do."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import PhotoError
from companion.lab.rendering.calibration_photo import calibration_photo
from companion.lab.rendering.pieces import CAMEL, MEEPLE, make_piece_set
from companion.notation.fiducials import CARD_PIECES, FIELD_DOTS
from companion.vision.colour import paint_card
from companion.vision.colour.paint_card import MAX_DOTS, draw_card, read_card
from companion.vision.colour.recolour import distance
from companion.vision.load import Picture
from tests.vision.cards_laid import PIECES, laid, seen


def _beside_paper(bgr: tuple[int, int, int]) -> np.ndarray:
    return np.asarray((np.array(bgr) / 244) ** 2.2)


@pytest.mark.parametrize("lamp", [(0.9, 0.95, 1.0), (0.5, 0.75, 1.0), (0.32, 0.3, 0.28)], ids=["day", "warm", "dim"])
@pytest.mark.parametrize("quarters", [0, 2])
def test_paints_are_those_of_the_pieces_whatever_the_lamp(lamp: tuple[float, float, float], quarters: int) -> None:
    paints = read_card(seen(laid(), lamp=lamp, quarters=quarters)).paints.by_piece
    assert list(paints) == list(CARD_PIECES)
    for piece, bgr in PIECES.items():
        assert distance(np.array(paints[piece].lit), _beside_paper(bgr)) < 0.12, piece
        assert sum(paints[piece].shaded) <= sum(paints[piece].lit) <= sum(paints[piece].highlight)


def test_a_white_piece_on_white_paper_and_a_dark_shadow_are_told_apart() -> None:
    reading = read_card(seen(laid({**PIECES, "w": (240, 242, 243)})))
    assert min(reading.paints.by_piece["w"].lit) > 0.85
    assert 8 <= reading.covered["w"].sum() <= 60


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "standing"), [(3, 0.0), (8, 1.0)], ids=["lying", "standing"])
def test_pieces_of_wood_under_lamps_are_measured(seed: int, standing: float) -> None:
    rng = np.random.default_rng(seed)
    box = make_piece_set(rng)
    paints = read_card(calibration_photo(rng, box, standing=standing, size=(1050, 1400))).paints.by_piece
    for piece in CARD_PIECES[:9]:
        kind = MEEPLE if piece in "ywbgr" else CAMEL
        true = np.asarray(box.paints[kind, piece]) / (244 / 255) ** 2.2
        assert distance(np.array(paints[piece].lit), true) < 0.36, piece


def test_the_overlay_shows_the_card_with_its_swatches() -> None:
    reading = read_card(seen(laid()))
    drawn = draw_card(reading)
    assert drawn.shape == reading.card.shape
    assert np.abs(drawn.astype(int) - reading.card).max() > 100


def _without(piece: str) -> dict[str, tuple[int, int, int]]:
    return {name: paint for name, paint in PIECES.items() if name != piece}


def _two_cards() -> Picture:
    card = seen(laid())
    return np.ascontiguousarray(np.hstack([card, card]))


def _covered_marker() -> Picture:
    page = laid()
    page[-250:, -250:] = (60, 60, 160)
    return seen(page)


@pytest.mark.parametrize(
    ("photo", "message"),
    [
        (lambda: np.full((900, 1200, 3), (60, 120, 90), np.uint8), "no calibration card found"),
        (lambda: seen(laid())[:1100], "marker at the bottom right and bottom left is not seen"),
        (_covered_marker, "marker at the bottom right is not seen"),
        (_two_cards, "two calibration cards"),
        (lambda: np.repeat(cv2.cvtColor(seen(laid()), cv2.COLOR_BGR2GRAY)[..., None], 3, axis=2), "no colour"),
        (lambda: seen(laid({})), "the card is empty"),
        (lambda: seen(laid(_without("w"))), "no piece is seen in the field of the elder"),
        (lambda: seen(laid({"y": (40, 190, 225), "r": (40, 30, 185)})), "the elder, the builder.* and the palace"),
        (lambda: seen(laid(), blur=4), "blurred"),
        (lambda: seen(laid(), lamp=(2.2, 2.2, 2.2)), "overexposed"),
        (lambda: seen(laid(), lamp=(0.012, 0.012, 0.012)), "too dark|no calibration card|no colour"),
        (lambda: cv2.resize(seen(laid()), None, fx=0.2, fy=0.2, interpolation=cv2.INTER_AREA), "too small"),
    ],
    ids=["none", "cut", "covered", "two", "grey", "empty", "gap", "gaps", "blurred", "white", "dark", "small"],
)
def test_what_cannot_be_measured_is_refused(photo: object, message: str) -> None:
    with pytest.raises(PhotoError, match=message):
        read_card(photo())  # type: ignore[operator]


def test_a_field_in_which_no_paper_shows_between_dots_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    covered = np.zeros((FIELD_DOTS, FIELD_DOTS), np.bool_)
    covered[:11, :11] = True
    covered[0, 0] = covered[0, 10] = covered[10, 0] = False
    assert covered.sum() <= MAX_DOTS
    monkeypatch.setattr(paint_card, "_largest", lambda dots: covered)
    with pytest.raises(PhotoError, match="the field of the vizier, .* does not show clearly"):
        read_card(seen(laid()))
