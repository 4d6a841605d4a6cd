"""What the box and the rules allow (rules 1, 2.4, 6, 11.2) decides where the picture is in doubt."""

from __future__ import annotations

import itertools
from collections.abc import Collection

import numpy as np
import pytest

from companion.rules.model.board import SQUARES, parse_square
from companion.rules.model.components import MEEPLE_COUNTS, TILE_KINDS, TRIBE_LETTERS, Colour, TileKind
from companion.vision.board.constraints import TileContents, infer_contents
from companion.vision.board.contents_hypotheses import ranked
from companion.vision.board.pieces import GROUPS
from tests.vision.tables import NUMBER, independent_hypotheses

KINDS: list[TileKind] = [kind for kind in TILE_KINDS.values() for _ in range(kind.count)]


class Distributions:
    """Distributions that begin with sure emptiness and are told tile by tile."""

    def __init__(self) -> None:
        self.values = tuple(np.full((SQUARES, group.size), 1e-6) for group in GROUPS)
        for shares in self.values:
            shares[:, 0] = 1.0

    def tell(self, square: int, kind: str, **numbers: float) -> None:
        """Probabilities by number, as n0=0.3, n1=0.7."""
        shares = self.values[NUMBER[kind]][square]
        shares[:] = 1e-6
        for name, chance in numbers.items():
            shares[int(name[1:])] = chance

    def infer_contents(self) -> list[TileContents]:
        return infer_contents(self.values, KINDS, independent_hypotheses(self.values))


def of_kind(tally: TileContents, kind: str) -> int:
    return tally.numbers[NUMBER[kind]]


def test_the_likeliest_numbers_are_taken_and_the_next_told() -> None:
    probs = Distributions()
    probs.tell(0, "y", n1=0.7, n2=0.3)
    tally = probs.infer_contents()[0]
    assert of_kind(tally, "y") == 1
    assert tally.probability == pytest.approx(0.7, rel=0.01)
    assert of_kind(TileContents(tally.others[0][1], 0), "y") == 2
    assert tally.others[0][0] == pytest.approx(0.3, rel=0.01)
    assert tally.forced == ()


def test_1_2_no_more_viziers_than_the_box_holds() -> None:
    probs = Distributions()
    for square in range(8):
        probs.tell(square, "y", n2=0.9, n1=0.1)
    probs.tell(20, "y", n1=0.6, n0=0.4)
    tallies = probs.infer_contents()
    assert of_kind(tallies[20], "y") == 0
    assert tallies[20].forced == ("one more vizier seen than the box holds",)
    assert all(of_kind(tallies[square], "y") == 2 for square in range(8))


def test_1_2_what_was_told_is_not_changed_to_fit_the_box() -> None:
    probs = Distributions()
    for square in range(9):
        probs.tell(square, "y", n2=0.6, n1=0.4)

    def viziers(told: Collection[int]) -> list[int]:
        contents = infer_contents(probs.values, KINDS, independent_hypotheses(probs.values), told)
        return [of_kind(tally, "y") for tally in contents[:9]]

    assert sorted(viziers(())) == [1, 1, *[2] * 7]
    assert viziers(range(7)) == [*[2] * 7, 1, 1]
    # Told are more than the box holds: the other is as it was seen.
    probs.tell(3, "y", n3=1.0)
    assert viziers(range(8)) == [2, 2, 2, 3, *[2] * 5]


def test_2_1_blue_and_pink_have_eleven_camels_in_a_game_of_two() -> None:
    blue, pink = (1 + list(Colour).index(colour) for colour in (Colour.BLUE, Colour.PINK))
    probs = Distributions()
    for square in range(15):
        probs.tell(square, "camel", **{f"n{blue if square < 11 else pink}": 0.9}, n0=0.1)
    assert [of_kind(tally, "camel") for tally in probs.infer_contents()[:16]] == [blue] * 11 + [pink] * 4 + [0]
    probs.tell(15, "camel", **{f"n{blue}": 0.6}, n0=0.4)
    tally = probs.infer_contents()[15]
    assert (of_kind(tally, "camel"), tally.forced) == (0, ("one more blue camel seen than the box holds",))
    # Among three each has eight.
    probs.tell(15, "camel", n1=0.9, n0=0.1)
    assert sum(of_kind(tally, "camel") == blue for tally in probs.infer_contents()) == 8


def test_1_3_palms_too_many_do_not_all_come_off_one_tile() -> None:
    numbers = np.zeros((1, len(GROUPS)), dtype=np.int64)
    three = numbers.copy()
    three[0, NUMBER["palm"]] = 3
    joint = [ranked(three if square < 5 else numbers, np.zeros(1)) for square in range(SQUARES)]
    kinds = sorted(KINDS, key=lambda kind: kind.code != "O8")
    tallies = infer_contents(Distributions().values, kinds, joint)
    assert sorted(of_kind(tally, "palm") for tally in tallies[:5]) == [2, 2, 2, 3, 3]
    assert sorted(len(tally.forced) for tally in tallies[:5]) == [0, 0, 1, 1, 1]


def test_11_2_a_palm_stands_on_or_beside_an_oasis() -> None:
    oasis, village = (TILE_KINDS[code] for code in ("O8", "V5"))
    kinds = [village] * SQUARES
    kinds[parse_square("f5")] = oasis
    probs = Distributions()
    probs.tell(parse_square("a1"), "palm", n1=0.9, n0=0.1)
    probs.tell(parse_square("e4"), "palm", n1=0.9, n0=0.1)
    tallies = infer_contents(probs.values, kinds, independent_hypotheses(probs.values))
    assert of_kind(tallies[parse_square("a1")], "palm") == 0
    assert of_kind(tallies[parse_square("e4")], "palm") == 1


def starting_hands() -> list[list[int]]:
    bag = [tribe for tribe, count in enumerate(MEEPLE_COUNTS) for _ in range(count)]
    bag = [bag[(7 * place) % 90] for place in range(90)]
    return [[bag[3 * square : 3 * square + 3].count(tribe) for tribe in range(5)] for square in range(SQUARES)]


def starting_chances(hands: list[list[int]]) -> Distributions:
    probs = Distributions()
    for square, hand in enumerate(hands):
        for letter, number in zip(TRIBE_LETTERS, hand, strict=True):
            probs.tell(square, letter, **{f"n{number}": 0.98, f"n{number + 1}": 0.02})
    return probs


def hands_of(tallies: list[TileContents]) -> list[list[int]]:
    return [[of_kind(tally, letter) for letter in TRIBE_LETTERS] for tally in tallies]


def test_2_4_a_hidden_meeple_of_a_starting_board_is_found_by_count() -> None:
    hands = starting_hands()
    probs = starting_chances(hands)
    square = next(square for square, hand in enumerate(hands) if hand[0])
    probs.tell(square, "y", **{f"n{hands[square][0] - 1}": 0.9, f"n{hands[square][0]}": 0.1})
    tallies = probs.infer_contents()
    assert hands_of(tallies) == hands
    assert tallies[square].forced == ("three meeples taken, as on every tile of a starting board",)


def test_2_4_all_ninety_meeples_lie_on_a_starting_board() -> None:
    hands = starting_hands()
    probs = starting_chances(hands)
    # A green one taken for a white one: the box has eighteen and twenty.
    square = next(square for square, hand in enumerate(hands) if hand[3])
    green, white = hands[square][3], hands[square][1]
    probs.tell(square, "g", **{f"n{green}": 0.4, f"n{green - 1}": 0.6})
    probs.tell(square, "w", **{f"n{white}": 0.4, f"n{white + 1}": 0.6})
    tallies = probs.infer_contents()
    assert hands_of(tallies) == hands
    assert tallies[square].forced == ("chosen so that all ninety meeples of the box are on the board",)


def test_the_first_turn_of_a_game_is_no_starting_board() -> None:
    hands = starting_hands()
    sown = [tribe for tribe, number in enumerate(hands[7]) for _ in range(number)]
    hands[7] = [0, 0, 0, 0, 0]
    for square, tribe in zip((8, 9, 10), sown, strict=True):
        hands[square][tribe] += 1
    assert hands_of(starting_chances(hands).infer_contents()) == hands


def test_nothing_read_breaks_the_box_on_any_noise() -> None:
    rng = np.random.default_rng(5)
    for _ in range(6):
        values = tuple(rng.dirichlet(np.full(group.size, 0.5), SQUARES) for group in GROUPS)
        tallies = infer_contents(values, [KINDS[i] for i in rng.permutation(SQUARES)], independent_hypotheses(values))
        for letter, most in zip(TRIBE_LETTERS, MEEPLE_COUNTS, strict=True):
            assert sum(of_kind(tally, letter) for tally in tallies) <= most
        for colour in range(1, 5):
            assert sum(of_kind(tally, "camel") == colour for tally in tallies) <= 8
        assert sum(of_kind(tally, "palm") for tally in tallies) <= 12
        assert sum(of_kind(tally, "palace") for tally in tallies) <= 10
        for tally in tallies:
            probs = [chance for chance, _ in tally.others]
            assert probs == sorted(probs, reverse=True)
            assert all(len(numbers) == len(GROUPS) for _, numbers in tally.others)
            assert len(set(itertools.chain([tally.numbers], (n for _, n in tally.others)))) == 1 + len(tally.others)
