"""The examples of docs/notation.md do what the page says; a decoder written from its words alone agrees."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import comb
from pathlib import Path

import pytest

from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.notation.tokens import format_board, format_tile, parse_tile
from companion.rules.components import CARD_COUNTS, TILE_KINDS
from companion.rules.djinns import DJINNS
from companion.rules.setup import random_setup

PAGE = (Path(__file__).resolve().parents[2] / "docs/notation.md").read_text(encoding="utf-8")
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def example(kind: str) -> str:
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return found


def test_the_examples_are_one_position() -> None:
    position = parse_position(example("toml"))
    assert parse_position(example("code")) == position
    assert encode(position) == example("code").strip()
    assert format_board(position.board) == example("board").strip()
    assert parse_position(example("board")).board == position.board


def test_tile_examples_are_written_as_the_page_shows_them() -> None:
    (sentence,) = re.findall(r"Examples: (.*?)\.\n", PAGE, re.DOTALL)
    tokens = re.findall(r"`(.*?)`", sentence)
    assert len(tokens) == 5
    assert [format_tile(parse_tile(token)) for token in tokens] == tokens


def test_the_orders_named_on_the_page_are_those_of_the_box() -> None:
    assert f"tiles {' '.join(TILE_KINDS)};" in " ".join(PAGE.split())
    cards = re.sub(r" \(slave or worker in older printings\)", "", PAGE.split("\nCards: ")[1].split(".\n")[0])
    assert cards.replace("\n", " ").split(", ") == list(CARD_COUNTS)
    assert sorted(DJINNS) == list(DJINNS)


def draw(number: int, weights: Iterable[int]) -> tuple[int, int]:
    weights = list(weights)
    total, before = sum(weights), 0
    place = number % total
    for value, weight in enumerate(weights):
        if place < before + weight:
            return value, weight * (number // total) + place - before
        before += weight
    raise AssertionError


@pytest.mark.parametrize(("players", "seed"), [(2, 5), (3, 6), (4, 7)])
def test_a_set_up_is_decoded_by_following_the_page(players: int, seed: int) -> None:
    position = random_setup(players, seed)
    number = 0
    for letter in encode(position).removeprefix("FT1-")[:-6]:
        number = number * 32 + ALPHABET.index(letter)

    def drawn(left: list[int], times: int) -> list[int]:
        nonlocal number
        found = []
        for _ in range(times):
            value, number = draw(number, left)
            left[value] -= 1
            found.append(value)
        return found

    start, number = draw(number, (1, 7))
    colours, number = draw(number, [1] * 16)
    assert (start, colours) == (1, {2: 4 + 8, 3: 1 + 2 + 4, 4: 15}[players])
    tiles = drawn([6, 8, 4, 5, 4, 1, 1, 1], 30)
    kinds = ["O8", "M6", "M4", "V5", "S6", "S10", "S12", "S15"]
    assert [kinds[tile] for tile in tiles] == [tile.kind.code for tile in position.board]
    left = [16, 20, 18, 18, 18]
    for tile in position.board:
        counts, missing = [], 3
        for tribe in range(5):
            value, number = draw(
                number, [comb(left[tribe], n) * comb(sum(left[tribe + 1 :]), missing - n) for n in range(missing + 1)]
            )
            missing -= value
            counts.append(value)
        left = [a - b for a, b in zip(left, counts, strict=True)]
        assert tuple(counts) == tile.meeples
    assert [list(CARD_COUNTS)[card] for card in drawn([18, 2, 2, 2, 4, 4, 4, 6, 6, 6], 9)] == list(position.row or ())
    assert [sorted(DJINNS)[djinn] for djinn in drawn([1] * 22, 3)] == list(position.djinns or ())
    markers = drawn([0, 0, 2, 2] if players == 2 else [1, 1, 1, players - 3], 3 if players == 3 else 4)
    assert [["black", "orange", "blue", "pink"][marker] for marker in markers] == list(position.bid_order or ())
    assert number == 0
