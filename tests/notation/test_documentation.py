"""The examples of docs/notation.md do what the page says."""

from __future__ import annotations

import re
from pathlib import Path

from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.notation.tokens import format_board, parse_tile
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import CARD_COUNTS, TILE_KINDS

PAGE = (Path(__file__).resolve().parents[2] / "docs/notation.md").read_text(encoding="utf-8")


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
    assert [str(parse_tile(token)) for token in tokens] == tokens


def test_the_orders_named_on_the_page_are_those_of_the_box() -> None:
    assert f"tiles {' '.join(TILE_KINDS)};" in " ".join(PAGE.split())
    cards = re.sub(r" \(slave or worker in older printings\)", "", PAGE.split("\nCards: ")[1].split(".\n")[0])
    assert cards.replace("\n", " ").split(", ") == list(CARD_COUNTS)
    assert sorted(DJINNS) == list(DJINNS)
