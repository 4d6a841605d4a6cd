"""What the box allows (rules 1, 2.4) decides where the picture is in doubt."""

from __future__ import annotations

from companion.rules.board import SQUARES
from companion.vision.evidence import weigh
from companion.vision.pieces import Foot


def foot(kind: str, square: int, probability: float, dx: float = 0.5) -> Foot:
    return Foot(kind, square % 6 + dx, square // 6 + 0.5, probability)


def kinds(crowds: list, square: int) -> str:
    return "".join(sorted(foot.kind for foot in crowds[square].stands))


def test_likely_feet_stand_and_faint_ones_are_left_out() -> None:
    crowds = weigh([foot("y", 0, 0.9), foot("w", 0, 0.3), foot("palm", 7, 0.8)])
    assert kinds(crowds, 0) == "y"
    assert [left.kind for left in crowds[0].left_out] == ["w"]
    assert kinds(crowds, 7) == "palm"


def test_a_tile_has_one_camel_at_most() -> None:
    crowds = weigh([foot("K", 3, 0.7, 0.2), foot("P", 3, 0.9, 0.8), foot("r", 3, 0.9)])
    assert kinds(crowds, 3) == "Pr"
    assert crowds[3].forced


def test_1_2_no_more_viziers_than_the_box_holds() -> None:
    feet = [foot("y", square, 0.9) for square in range(16)] + [foot("y", 20, 0.6)]
    crowds = weigh(feet)
    assert kinds(crowds, 20) == ""
    assert crowds[20].forced == ("one more y seen than the box holds",)
    assert all(kinds(crowds, square) == "y" for square in range(16))


def test_2_4_a_starting_board_has_three_meeples_a_tile() -> None:
    feet = [
        foot(kind, square, 0.99, dx) for square in range(SQUARES) for kind, dx in (("w", 0.2), ("b", 0.5), ("g", 0.8))
    ]
    limits = {"w": 20, "b": 18, "g": 18}
    colours = ["w"] * 20 + ["b"] * 18 + ["g"] * 18 + ["r"] * 18 + ["y"] * 16
    feet = [Foot(colours[index], old.x, old.y, old.probability) for index, old in enumerate(feet)]
    assert sum(f.kind == "w" for f in feet) == limits["w"]
    faint = [f for f in feet if f.square == 4][0]
    feet[feet.index(faint)] = Foot(faint.kind, faint.x, faint.y, 0.3)
    feet.append(Foot("r", 9 % 6 + 0.3, 9 // 6 + 0.2, 0.51))
    crowds = weigh(feet)
    assert all(len(crowd.stands) == 3 for crowd in crowds)
    assert crowds[4].forced and crowds[9].forced


def test_a_game_under_way_is_left_as_it_is() -> None:
    feet = [foot("w", square, 0.9, 0.5) for square in range(10)] + [foot("K", 20, 0.9)]
    crowds = weigh(feet)
    assert [len(crowd.stands) for crowd in crowds] == [1] * 10 + [0] * 10 + [1] + [0] * 9


def test_1_5_camels_of_three_colours_are_eight_each() -> None:
    feet = [foot("B", square, 0.9) for square in range(8)] + [foot("B", 12, 0.7)]
    others = [foot("K", 20, 0.9), foot("P", 21, 0.9)]
    assert kinds(weigh(feet + others), 12) == ""
    assert kinds(weigh(feet + others[1:]), 12) == "B"
