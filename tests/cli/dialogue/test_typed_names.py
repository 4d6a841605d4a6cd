"""Every name that prints and sentences show is understood where it is typed: in its language, in any case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product

import pytest

from companion.asking.holdings_line import read_line
from companion.asking.position_sheet import CARDS_STEP, DJINNS_STEP, PositionSheet, enter
from companion.errors import NotationError
from companion.language.glossary import LANGUAGES, counted_in, glossary, name_in
from companion.notation.names import (
    UnknownNameError,
    fold,
    in_english,
    parse_card,
    parse_colour,
    parse_djinn,
    tiles_in_letters,
)
from companion.notation.score_entries import held_of
from companion.notation.tokens import parse_tile
from companion.rules.model.components import CARD_COUNTS, GOODS

CASES: tuple[Callable[[str], str], ...] = (str, str.upper)
WRITTEN_ONCE = ("tribe", "good", "card", "colour", "djinn", "tile")


def _shown(*kinds: str) -> Iterator[tuple[str, str]]:
    """The names of these kinds with their keys, as each language shows them, in any case."""
    names = dict.fromkeys(
        (key, name)
        for language in LANGUAGES
        for key, entry in glossary().items()
        if entry.kind in kinds
        for name in (name_in(language, key), name_in(language, key, plural=True), *entry.forms[language])
    )
    return ((key, case(name)) for key, name in names for case in CASES)


SHEET = PositionSheet()


def test_cards() -> None:
    for key, name in _shown("good", "card"):
        assert parse_card(name) == key
        after = enter(PositionSheet(step=CARDS_STEP), f"{name}, fakir")
        assert after.known["row"] == [key, "fakir"]
        assert enter(SHEET, f"discards {name} {name}").known["discards"] == [key, key]
        assert parse_card(in_english(f"buy {name}").removeprefix("buy ")) == key


def test_djinns() -> None:
    for key, name in _shown("djinn"):
        assert parse_djinn(name) == key
        assert enter(PositionSheet(step=DJINNS_STEP), name).known["djinns"] == [key]
        assert parse_djinn(in_english(f"keep {name}").removeprefix("keep ")) == key


def test_colours() -> None:
    for key, name in _shown("colour"):
        assert parse_colour(name) == key
        (player,) = enter(SHEET, f"{name} 41 gold, 2 viziers").players
        assert (player.colour, player.gold, player.viziers) == (key, 41, 2)
        assert in_english(f"kill elder of {name}").lower() == f"kill elder of {key}"
        assert fold(str(enter(SHEET, f"to_move {name}").known["to_move"])) == key


def test_tribes() -> None:
    for key, name in _shown("tribe"):
        assert in_english(f"2 {name} with 1 fakir").lower() in {f"2 {key}{s} with 1 fakir" for s in ("", "s")}


IN_THE_BOX = {"vizier": 16, "elder": 20, **CARD_COUNTS}


def test_what_a_player_has() -> None:
    for language, key, case in product(LANGUAGES, IN_THE_BOX, CASES):
        for number in filter(lambda number: number <= IN_THE_BOX[key], (1, 2, 5, 11)):
            line = case(counted_in(language, number, key))
            if key == "gold":
                # Coins are called gold too: it is asked which are meant, never guessed.
                with pytest.raises(UnknownNameError, match="may be coins or the good"):
                    read_line(line)
                continue
            held = held_of(read_line(line))
            goods = (0,) * len(GOODS) if held.goods is None else held.goods
            counts = {"vizier": held.viziers, "elder": held.elders, "fakir": held.fakirs}
            counts |= dict(zip(GOODS, goods, strict=True))
            assert {name: count for name, count in counts.items() if count} == {key: number}, line


def test_tiles() -> None:
    code = {"oasis": "O8", "village": "V5", "small market": "M6", "large market": "M4"}
    for key, name in _shown("tile"):
        if key == "sacred place":
            assert tiles_in_letters(f"{name} 12@K") == "S12@K"
            assert enter(SHEET, f"c3 {name} 15").tiles[14] == parse_tile("S15")
            with pytest.raises(NotationError, match="may be S6 or S10"):
                enter(SHEET, f"c3 {name}")
            continue
        assert tiles_in_letters(f"O8 {name}:gg {name}") == f"O8 {code[key]}:gg {code[key]}"
        assert enter(SHEET, f"c3 {name}:gg").tiles[14] == parse_tile(f"{code[key]}:gg")


def test_no_name_means_two_things() -> None:
    meant: dict[str, set[str]] = defaultdict(set)
    for key, entry in glossary().items():
        if entry.kind in WRITTEN_ONCE:
            for language in LANGUAGES:
                for form in (*entry.forms[language], *entry.also[language]):
                    meant[fold(form)].add(key)
    assert {form: keys for form, keys in meant.items() if len(keys) > 1} == {}


def test_notation_is_left_as_it_is() -> None:
    for line in ("c3 > c4g > d4y", "# заметка", "2 viziers", "pass", "use Sloar for fakir", "3"):
        assert in_english(line) == line
