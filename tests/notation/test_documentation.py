"""The examples of docs/notation.md do what the page says; a decoder written from its words alone agrees."""

from __future__ import annotations

import re
from math import comb
from pathlib import Path

import pytest
from hypothesis import given

from companion.notation.codes import encode
from companion.notation.files import from_document, parse_position
from companion.notation.tokens import format_board, format_tile, parse_tile
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import CARD_COUNTS, TILE_KINDS
from companion.rules.model.position import Position
from tests.strategies import positions

PAGE = (Path(__file__).resolve().parents[2] / "docs/notation.md").read_text(encoding="utf-8")
KINDS = ["O8", "M6", "M4", "V5", "S6", "S10", "S12", "S15"]
COLOURS = ["black", "orange", "blue", "pink"]
CARDS = list(CARD_COUNTS)
DJINN_NAMES = sorted(DJINNS)
START = {"gold": 50, "viziers": 0, "elders": 0, "fakirs": 0, "goods": {}, "djinns": []}
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def example(kind: str) -> str:
    (found,) = re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


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


class Follower:
    """Decodes a code by doing what the page says, and nothing else; gives a position file's keys."""

    def __init__(self, code: str) -> None:
        self.number = 0
        for letter in code.removeprefix("FT1-")[:-6]:
            self.number = self.number * 32 + ALPHABET.index(letter)

    def choose(self, weights: list[int]) -> int:
        rest, place = divmod(self.number, sum(weights))
        before = 0
        for value, weight in enumerate(weights):
            if place < before + weight:
                self.number = weight * rest + place - before
                return value
            before += weight
        raise AssertionError

    def drawn(self, left: list[int], times: int) -> list[int]:
        found = []
        for _ in range(times):
            found.append(self.choose(left))
            left[found[-1]] -= 1
        return found

    def listed(self, weights: list[int], left: list[int], names: list[str]) -> list[str] | None:
        length = self.choose(weights[: sum(left) + 2])
        return None if length == 0 else [names[place] for place in self.drawn(left, length - 1)]

    def decode(self) -> dict[str, object]:
        start = self.choose([1, 7])
        mask = self.choose([1] * 16)
        game = [place for place in range(4) if mask & 1 << place]
        markers = [(place in game) * (2 if len(game) <= 2 and place >= 2 else 1) for place in range(4)]
        kinds = [KINDS[kind] for kind in self.drawn([6, 8, 4, 5, 4, 1, 1, 1], 30)]
        sizes = [3] * 30
        if not start:
            sizes = []
            for _ in range(30):
                weights = [320, 272, 240, 240, 128, 80, 64, 48, 32, 16] + [1] * 81
                sizes.append(self.choose(weights[: 91 - sum(sizes)]))
        bag = [16, 20, 18, 18, 18]
        tokens = [f"{kind}:{self.meeples(size, bag)}" for kind, size in zip(kinds, sizes, strict=True)]
        cards, djinns = [18, 2, 2, 2, 4, 4, 4, 6, 6, 6], [1] * 22
        if start:
            return {
                "board": rows(tokens),
                "row": [CARDS[card] for card in self.drawn(cards, 9)],
                "djinns": [DJINN_NAMES[djinn] for djinn in self.drawn(djinns, 3)],
                "phase": "bid",
                "bid_order": [COLOURS[marker] for marker in self.drawn(markers, min(4, sum(markers)))],
                "turn_order": [],
                "discards": [],
                "players": {COLOURS[place]: dict(START) for place in game},
            }
        camels = [count * (place in game) for place, count in enumerate([8, 8, 11, 11])]
        for square in range(30):
            owner = self.choose([24, *camels])
            if owner:
                camels[owner - 1] -= 1
                tokens[square] += "@" + "KOBP"[owner - 1]
        for sign, home, left in (("^", "O", 12), ("#", "V", 10)):
            for square in range(30):
                weights = [8, 8, 4, 2] if kinds[square].startswith(home) else [64, 2]
                number = self.choose((weights + [1] * 12)[: left + 1])
                left -= number
                tokens[square] += f"{sign}{number}"
        found: dict[str, object] = {"board": rows(tokens)}
        found["phase"] = [None, "bid", "turn", "end"][self.choose([4, 4, 8, 2])]
        found["bid_order"] = self.listed([4, 1, 1, 2, 4, 8], [*markers], COLOURS)
        found["turn_order"] = self.turns([*markers])
        mover = self.choose([1, *(int(place in game) for place in range(4))])
        found["to_move"] = [None, *COLOURS][mover]
        found["row"] = self.listed([4, *[1] * 9, 16], cards, CARDS)
        found["djinns"] = self.listed([4, 1, 1, 2, 16], djinns, DJINN_NAMES)
        how = self.choose([2, 8, 1])
        there = [[], game, None][how]
        if there is None:
            there = [place for place in game if self.choose([1, 1])]
        box = {"gold": 288, "viziers": bag[0], "elders": bag[1]}
        found["players"] = {COLOURS[place]: self.player(box, cards, djinns) for place in there}
        found["discards"] = self.listed([40, 10, *[1] * 54], cards, CARDS)
        return found

    def meeples(self, missing: int, bag: list[int]) -> str:
        text = ""
        standing = [*bag]
        for tribe, letter in enumerate("ywbgr"):
            own, later = standing[tribe], sum(standing[tribe + 1 :])
            number = self.choose([comb(own, n) * comb(later, missing - n) for n in range(missing + 1)])
            missing -= number
            bag[tribe] -= number
            text += letter * number
        return text

    def turns(self, markers: list[int]) -> list[dict[str, object]] | None:
        length = self.choose([8, 2, 2, 2, 2, 2][: sum(markers) + 2])
        prices, spots, found = [0, 1, 3, 5, 8, 12, 18], [3, 1, 1, 1, 1, 1, 1], []
        for _ in range(length - 1):
            (marker,) = self.drawn(markers, 1)
            (price,) = self.drawn(spots, 1)
            spots = [left if place <= price else 0 for place, left in enumerate(spots)]
            found.append({"player": COLOURS[marker], "price": prices[price]})
        return found if length else None

    def player(self, box: dict[str, int], cards: list[int], djinns: list[int]) -> dict[str, object]:
        how = self.choose([1, 1, 6])
        if how < 2:
            box["gold"] -= 50 * (how == 0)
            return dict(START) if how == 0 else {}
        found: dict[str, object] = {}
        for name, first in (("gold", 40), ("viziers", 4), ("elders", 4), ("fakirs", 4)):
            left = cards[0] if name == "fakirs" else box[name]
            number = self.choose([first, *[1] * (left + 1)])
            if number:
                found[name] = number - 1
                if name == "fakirs":
                    cards[0] -= number - 1
                else:
                    box[name] -= number - 1
        if self.choose([1, 3]):
            goods = {}
            for place in range(1, 10):
                goods[CARDS[place]] = self.choose([8, 4, 2, 1, 1, 1, 1][: cards[place] + 1])
                cards[place] -= goods[CARDS[place]]
            found["goods"] = goods
        found["djinns"] = self.listed([4, 8, 6, 5, 4, 3, 2, *[1] * 17], djinns, DJINN_NAMES)
        return found


def rows(tokens: list[str]) -> list[str]:
    return [" ".join(tokens[first : first + 6]) for first in range(0, 30, 6)]


@given(positions())
def test_a_decoder_written_from_the_page_agrees(position: Position) -> None:
    follower = Follower(encode(position))
    assert from_document(follower.decode()) == position
    assert follower.number == 0


def test_a_set_up_is_decoded_by_following_the_page(subtests: pytest.Subtests) -> None:
    for players, seed in [(2, 5), (3, 6), (4, 7)]:
        with subtests.test(players=players):
            position = random_setup(players, seed)
            assert from_document(Follower(encode(position)).decode()) == position
