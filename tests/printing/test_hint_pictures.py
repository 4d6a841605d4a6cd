"""Hints as pictures and pages: where arrows, labels and words stand."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import partial
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from PIL import Image

from companion.advisor.advice import AdviceLevel, AdvisedTurn, TurnAdvice
from companion.drawing.label_placement import Rect, covered_depth
from companion.notation.tokens import parse_tile
from companion.printing.core.board import FOR_TURNS, Grid, Point, draw_tile
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.raster import Raster
from companion.printing.core.surface import PT_PER_MM, Surface
from companion.printing.core.typefaces import Fonts, Run
from companion.printing.hint import drawing, picture
from companion.printing.hint.drawing import HEAD, Arrow, Label, TurnMarks, arrow_discs, lay_arrows, turn_marks
from companion.printing.hint.picture import WIDTH_PX, board_picture, photo_picture, piece_discs
from companion.rules.model.board import SQUARE_NAMES
from tests.advisor.advised import sample_advice
from tests.printing import checks
from tests.printing.boxes import holds, overlapping, overlaps
from tests.rules.tables import parse_sowing

TABLE, DRAWN = Grid(), FOR_TURNS.grid
LOOP = "e2>e3y>e4w>e5y>d5g>d4r>e4r>e5y"
ROUND_AND_ROUND = "a1>b1y>b2w>a2y>a1g>b1r>b2r>a2y>a1b>b1b"


@pytest.fixture(scope="module")
def advice() -> TurnAdvice:
    return sample_advice()


@pytest.fixture(scope="module")
def turns(advice: TurnAdvice) -> Sequence[AdvisedTurn]:
    return advice.turns


def square_at(grid: Grid, point: Point) -> str | None:
    """The tile on which a point lies."""
    for square, name in enumerate(SQUARE_NAMES):
        x, y = grid.centre(square)
        if max(abs(point[0] - x), abs(point[1] - y)) <= 0.5:
            return name
    return None


def test_each_arrow_leads_from_one_tile_of_the_path_into_the_next() -> None:
    for grid, text in product((TABLE, DRAWN), (LOOP, ROUND_AND_ROUND)):
        sowing = parse_sowing(text)
        arrows = lay_arrows(sowing, grid)
        assert [(arrow.number, arrow.tribe) for arrow in arrows] == list(enumerate(sowing.drops, 1))
        for arrow, (one, other) in zip(arrows, pairwise((sowing.start, *sowing.path)), strict=True):
            assert square_at(grid, arrow.tail) == SQUARE_NAMES[one]
            assert square_at(grid, arrow.tip) == SQUARE_NAMES[other]


def gap_between(one: Arrow, other: Arrow) -> float:
    """The distance between the axes of two arrows."""
    shares = np.linspace(0, 1, 25)
    first = np.array([one.along(one.length * share) for share in shares])
    second = np.array([other.along(other.length * share) for share in shares])
    return float(np.linalg.norm(first[:, None] - second[None], axis=2).min())


def test_arrows_over_one_edge_lie_side_by_side() -> None:
    for text in (LOOP, ROUND_AND_ROUND):
        arrows = lay_arrows(parse_sowing(text), DRAWN)
        for number, one in enumerate(arrows):
            assert all(gap_between(one, other) > HEAD for other in arrows[:number])


@pytest.fixture
def labels(monkeypatch: pytest.MonkeyPatch) -> list[Label]:
    """Every label that is drawn during the test."""
    found: list[Label] = []

    def keep(surface: Surface, drawn: Sequence[Label], marks: TurnMarks) -> None:
        found.extend(drawn)
        draw(surface, drawn, marks)

    draw = drawing.draw_labels
    monkeypatch.setattr(drawing, "draw_labels", keep)
    return found


def test_on_a_drawn_board_labels_cover_no_tile_no_arrow_and_no_label(
    advice: TurnAdvice, turns: Sequence[AdvisedTurn], labels: list[Label]
) -> None:
    _check_labels(advice, turns[:2], labels, "en")
    _check_labels(advice, turns, labels, "qps")


def _check_labels(advice: TurnAdvice, turns: Sequence[AdvisedTurn], labels: list[Label], language: str) -> None:
    place = Box(0, 0, WIDTH_PX, FOR_TURNS.height_for(WIDTH_PX))
    for one in turns:
        labels.clear()
        board_picture(advice.position.board, one, [], ".svg", language=language)
        assert {label.square for label in labels} == set(turn_marks(one).labels)
        sowing = one.sowing
        assert sowing is not None
        discs = arrow_discs(FOR_TURNS.projection(place), lay_arrows(sowing, DRAWN))
        assert overlapping([label.box for label in labels]) == []
        for label in labels:
            assert holds(place, label.box)
            assert not any(overlaps(label.box, tile) for tile in FOR_TURNS.tile_boxes(place))
            assert not any(covered_depth(rect_of(label), disc) for disc in discs)


def rect_of(label: Label) -> Rect:
    return label.box.x, label.box.y, label.box.w, label.box.h


def test_on_a_photo_labels_cover_no_piece_no_arrow_and_no_label(
    turns: Sequence[AdvisedTurn], labels: list[Label]
) -> None:
    random = Random(3)
    # A quarter turn, and a board that is seen from a side: labels are upright all the same.
    homography = ((20.0, -150.0, 1080.0), (130.0, 12.0, 60.0), (0.0, 0.00002, 1.0))
    pieces = {
        square: [
            (square % 6 + random.uniform(0.15, 0.85), square // 6 + random.uniform(0.2, 0.85))
            for _ in range(random.choice((0, 2, 3, 5, 7)))
        ]
        for square in range(30)
    }
    for one in turns:
        labels.clear()
        photo_picture(np.full((900, 1200, 3), 128, np.uint8), homography, pieces, one, [], ".jpg")
        project = partial(picture._mapped, np.array(homography))
        feet = [foot for there in pieces.values() for foot in there]
        assert labels and feet
        discs = piece_discs(project, pieces)
        assert len(discs) == 3 * len(feet)
        assert overlapping([label.box for label in labels]) == []
        for label in labels:
            assert holds(Box(0, 0, 1200, 900), label.box)
            assert not any(covered_depth(rect_of(label), disc) for disc in discs)


def test_on_a_photo_arrows_move_aside_for_pieces() -> None:
    sowing = parse_sowing("c3>c4y")
    straight = lay_arrows(sowing, TABLE)[0]
    in_the_way = [straight.along(straight.length / 2)]
    moved = lay_arrows(sowing, TABLE, in_the_way)[0]
    assert gap_between(moved, Arrow(1, moved.tribe, in_the_way[0], (in_the_way[0][0], in_the_way[0][1] + 0.01))) > 0.2
    assert (square_at(TABLE, moved.tail), square_at(TABLE, moved.tip)) == ("c3", "c4")


def test_a_tile_holds_all_that_is_drawn_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes: list[Box] = []
    monkeypatch.setattr(Raster, "box", lambda _, at, **__: boxes.append(at))
    monkeypatch.setattr(Raster, "outline", lambda _, __, at, **___: boxes.append(at))
    place = Box(20, 30, 100, 100)
    for token in ("O8@K^1#1", "O8:ybr@O^12#12", "V5@P^12#3", "O8^12#12"):
        surface = Raster(Box(0, 0, 200, 200), Fonts(), ground="#FFFFFF")
        draw_tile(surface, place, parse_tile(token))
        assert all(holds(place, written.box) for written in surface.written)
        row = [one.box for one in surface.written[-token.count("@") - 2 :]]
        assert overlapping(row) == []
    assert boxes and all(holds(place, box) for box in boxes)


def test_labels_say_what_is_lifted_taken_killed_and_claimed(turns: Sequence[AdvisedTurn]) -> None:
    first = {SQUARE_NAMES[square]: text for square, text in turn_marks(turns[0]).labels.items()}
    assert first == {"e2": "lift 7", "e5": "take 3 viziers, claim"}
    nudge = turn_marks(turns[0], level=AdviceLevel.NUDGE)
    assert (list(nudge.labels), nudge.path, nudge.ends) == ([SQUARE_NAMES.index("e2")], None, ())
    way = turn_marks(turns[0], level=AdviceLevel.PATH)
    assert (list(way.labels), way.ends) == ([SQUARE_NAMES.index("e2")], (SQUARE_NAMES.index("e5"),))
    assert way.path == turn_marks(turns[0]).path


def pixels(content: bytes, colour: str) -> np.ndarray:
    """Where a picture has a colour, as rows of x and y."""
    seen = np.asarray(Image.open(io.BytesIO(content)).convert("RGB")).astype(int)
    wanted = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)])
    rows, columns = np.nonzero(np.abs(seen - wanted).max(axis=2) < 12)
    return np.column_stack([columns, rows])


def test_all_letters_on_a_photo_can_be_read_however_small_its_board_is(
    turns: Sequence[AdvisedTurn], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[float] = []
    write = Raster._letters

    def keep(self: Raster, x: float, baseline: float, runs: Sequence[Run], size: float, *more: str) -> None:
        sizes.append(size)
        write(self, x, baseline, runs, size, *more)

    monkeypatch.setattr(Raster, "_letters", keep)
    # 40 px a tile, on a photo that is 1,800 px wide when it is drawn on and 250 mm wide on paper.
    homography = ((80.0, 0.0, 1400.0), (0.0, 80.0, 1000.0), (0.0, 0.0, 1.0))
    photo_picture(np.zeros((2700, 3600, 3), np.uint8), homography, {}, turns[0], [], ".png")
    six_points = 6 / 72 * 25.4 * 1350 / 190
    assert min(sizes) == pytest.approx(six_points * PT_PER_MM) and len(sizes) > 20


def test_numbers_on_arrows_can_be_read_from_the_tenth_step_on(prefix: str = "A") -> None:
    page = Document(Box(0, 0, 210, 297), Fonts(), title="", language="en")
    arrows = lay_arrows(parse_sowing("a1>b1y>b2w>a2y>a1g>b1r>b2r>a2y>a1b>b1b>c1y>d1y"), DRAWN)
    project = FOR_TURNS.projection(Box(20, 20, 130, FOR_TURNS.height_for(130)))
    drawing.draw_arrows(page, project, arrows, prefix=prefix)
    assert {f"{prefix}{number}" for number in range(1, 12)} <= {one.text for one in page.written}
    assert checks.small_texts(checks.read_print(page.to_bytes())) == []
