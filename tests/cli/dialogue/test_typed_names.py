"""Every name that prints and sentences show is understood where it is typed: in its language, in any case."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

import pytest

from companion.cli.dialogue.holdings_line import read_line
from companion.cli.dialogue.position_sheet import CARDS_STEP, DJINNS_STEP, PositionSheet, enter
from companion.errors import NotationError
from companion.language.glossary import LANGUAGES, counted_in, glossary, name_in
from companion.notation.names import fold, in_english, parse_card, parse_colour, parse_djinn, tiles_in_letters
from companion.notation.score_entries import AmbiguousAnswerError, held_of
from companion.notation.tokens import parse_tile
from companion.rules.model.components import CARD_COUNTS, GOODS

CASES: tuple[Callable[[str], str], ...] = (str, str.upper, str.lower, str.title)
WRITTEN_ONCE = ("tribe", "good", "card", "colour", "djinn", "tile")


def _shown(kinds: tuple[str, ...]) -> list[tuple[str, str]]:
    """The names of these kinds with their keys, one, many and counted without the number, each language's own."""
    found = dict.fromkeys(
        (key, name)
        for language in LANGUAGES
        for key, entry in glossary().items()
        if entry.kind in kinds
        for name in (name_in(language, key), name_in(language, key, plural=True), *entry.forms[language])
    )
    return list(found)


SHEET = PositionSheet()


@pytest.mark.parametrize(("key", "name"), _shown(("good", "card")))
def test_cards(key: str, name: str) -> None:
    for case in CASES:
        assert parse_card(case(name)) == key
        after = enter(PositionSheet(step=CARDS_STEP), f"{case(name)}, fakir")
        assert after.known["row"] == [key, "fakir"]
        assert enter(SHEET, f"discards {case(name)} {case(name)}").known["discards"] == [key, key]
        assert parse_card(in_english(f"buy {case(name)}").removeprefix("buy ")) == key


@pytest.mark.parametrize(("key", "name"), _shown(("djinn",)))
def test_djinns(key: str, name: str) -> None:
    for case in CASES:
        assert parse_djinn(case(name)) == key
        assert enter(PositionSheet(step=DJINNS_STEP), case(name)).known["djinns"] == [key]
        assert parse_djinn(in_english(f"keep {case(name)}").removeprefix("keep ")) == key


@pytest.mark.parametrize(("key", "name"), _shown(("colour",)))
def test_colours(key: str, name: str) -> None:
    for case in CASES:
        assert parse_colour(case(name)) == key
        (player,) = enter(SHEET, f"{case(name)} 41 gold, 2 viziers").players
        assert (player.colour, player.gold, player.viziers) == (key, 41, 2)
        assert in_english(f"kill elder of {case(name)}").lower() == f"kill elder of {key}"
        assert fold(str(enter(SHEET, f"to_move {case(name)}").known["to_move"])) == key


@pytest.mark.parametrize(("key", "name"), _shown(("tribe",)))
def test_tribes(key: str, name: str) -> None:
    for case in CASES:
        assert in_english(f"2 {case(name)} with 1 fakir").lower() in {f"2 {key}{s} with 1 fakir" for s in ("", "s")}


IN_THE_BOX = {"vizier": 16, "elder": 20, **CARD_COUNTS}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", IN_THE_BOX)
def test_what_a_player_has(language: str, key: str) -> None:
    for number in filter(lambda number: number <= IN_THE_BOX[key], (1, 2, 5, 11)):
        said = counted_in(language, number, key)
        for case in CASES:
            if key == "gold":
                # Coins are called gold too: it is asked which are meant, never guessed.
                with pytest.raises(AmbiguousAnswerError):
                    read_line(case(said))
                continue
            held = held_of(read_line(case(said)))
            goods = (0,) * len(GOODS) if held.goods is None else held.goods
            found = {"vizier": held.viziers, "elder": held.elders, "fakir": held.fakirs}
            found |= dict(zip(GOODS, goods, strict=True))
            assert {name: count for name, count in found.items() if count} == {key: number}


@pytest.mark.parametrize(("key", "name"), _shown(("tile",)))
def test_tiles(key: str, name: str) -> None:
    code = {"oasis": "O8", "village": "V5", "small market": "M6", "large market": "M4"}
    for case in CASES:
        if key == "sacred place":
            assert tiles_in_letters(f"{case(name)} 12@K") == "S12@K"
            assert enter(SHEET, f"c3 {case(name)} 15").tiles[14] == parse_tile("S15")
            with pytest.raises(NotationError, match="may be S6 or S10"):
                enter(SHEET, f"c3 {case(name)}")
            continue
        assert tiles_in_letters(f"O8 {case(name)}:gg {case(name)}") == f"O8 {code[key]}:gg {code[key]}"
        assert enter(SHEET, f"c3 {case(name)}:gg").tiles[14] == parse_tile(f"{code[key]}:gg")


def test_no_name_means_two_things() -> None:
    meant: dict[str, set[str]] = defaultdict(set)
    for key, entry in glossary().items():
        if entry.kind in WRITTEN_ONCE:
            for language in LANGUAGES:
                for form in (*entry.forms[language], *entry.also[language]):
                    meant[fold(form)].add(key)
    assert {form: keys for form, keys in meant.items() if len(keys) > 1} == {}


@pytest.mark.parametrize("line", ["c3 > c4g > d4y", "# заметка", "2 viziers", "pass", "use Sloar for fakir", "3"])
def test_notation_is_left_as_it_is(line: str) -> None:
    assert in_english(line) == line
