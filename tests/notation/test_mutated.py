"""Whatever is read, however odd, is written as text that reads as the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, NotationError
from companion.notation.files import format_json, format_toml, parse_position
from companion.notation.records.lines import Line, Record, format_record, parse_record
from companion.notation.records.replay import replay
from companion.notation.tokens import format_board, parse_board, parse_tile
from companion.notation.typed import parse_typed_tile
from tests.notation.examples import EXAMPLE_ROWS, EXAMPLE_TOML
from tests.notation.recorded_example import THREE_ROUNDS

STRANGE = [
    *"\0\t\n\r\x1b\x85\u2028\u200b\ufeff\ud800#:;,.>/|\"'=[]{}()@^-+*?…–×_\\0195٣²½aBcYwKїЖКİßǅ",
    "9" * 30,
    "(" * 30,
]
"""What a text may hold and a careless reader stumbles on."""


@st.composite
def mutated(draw: st.DrawFn, texts: Sequence[str], others: Sequence[str]) -> str:
    """One of the texts with up to four lines, words or letters deleted, inserted, swapped or changed."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 4))):
        pieces = re.findall(draw(st.sampled_from([r".*\n?", r"\w+|\W", r"\w+|\W", r"(?s:.)"])), text) or [""]
        at, other, number = (draw(st.integers(0, 9999)) for _ in range(3))
        puts = [*STRANGE, *others, pieces[other % len(pieces)], pieces[at % len(pieces)].swapcase(), "", ""]
        at %= len(pieces)
        pieces[at : at + draw(st.integers(0, 1))] = [puts[number % len(puts)]]
        text = "".join(pieces)
    return text


Parse = Callable[[str], Any]
Format = Callable[[Any], str]
RECORD = THREE_ROUNDS.read_text(encoding="utf-8")

WORDS = re.findall(
    r"\S+",
    "c3 > c4g d4b 2 viziers builders with fakir 12 GC assassins kill b on elder of pink nobody palm Lamia onto palace "
    "buy fish (5) take Utug for use Echidna keep Al-Amin sell silk, pass no move ?, wf slaves refill: #",
)


def unnumbered(record: Record) -> tuple[object, list[Line]]:
    return record.header, [replace(line, number=0) for line in record.lines]


# A game whose set-up is a position file, with remarks among the tags, and a turn left open.
LEFT_OPEN = (
    re.sub(
        r"^setup: (.*)\n",
        lambda found: (
            "promo: no\n# a remark\n\nsetup:\n" + re.sub("(?m)^", "    ", format_toml(parse_position(found[1]))) + "\n"
        ),
        RECORD.split("round 2")[0],
        flags=re.MULTILINE,
    )
    + "round 2: blue 5, pink 1, pink 3, blue 0\nblue: e3 > d3w ...\n# here\nblue: > c3y; 2 viziers ...\n"
)


@given(mutated([RECORD, LEFT_OPEN, LEFT_OPEN], WORDS))
def test_records(text: str) -> None:
    try:
        record = parse_record(text)
    except NotationError:
        return
    written = format_record(record)
    assert unnumbered(parse_record(written)) == unnumbered(record)
    assert format_record(parse_record(written)) == written
    try:
        game = replay(record)
    except CompanionError:
        return
    assert replay(parse_record(written)).state == game.state


TEXTS: list[tuple[Parse, Format, list[str], list[str]]] = [
    (parse_position, format_toml, [EXAMPLE_TOML], ["null", "fish", "[]", "{}", '"""', "pink", "players", "1.5"]),
    (
        parse_position,
        format_json,
        [format_json(parse_position(EXAMPLE_TOML))],
        ["null", "[]", "{}", "pink", "1e9", "NaN"],
    ),
    (parse_board, format_board, ["\n".join(EXAMPLE_ROWS), "/".join(EXAMPLE_ROWS)], EXAMPLE_ROWS[0].split()),
    (parse_tile, str, " ".join(EXAMPLE_ROWS).split(), ["@K", "^2", "#1", ":", "yw"]),
    (lambda text: parse_typed_tile(text).tile, str, ["8ggw", "О8ззб", "S15к@orange", "O^2"], ["Ж", "흰", "@К"]),
]


@given(st.data())
@settings(max_examples=200)
def test_texts(data: st.DataObject) -> None:
    parse, write, texts, words = data.draw(st.sampled_from(TEXTS))
    try:
        value = parse(data.draw(mutated(texts, words)))
    except NotationError:
        return
    assert parse(write(value)) == value
