"""What can be typed for a line of a score sheet, and what is refused with a reason."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import NotationError
from companion.notation import score_entries
from companion.notation.score_entries import read_entry
from companion.notation.score_sheet import ScoreSheet, format_sheet, is_sheet, parse_sheet
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.scoring import CATEGORIES, Holdings, score_holdings
from companion.rules.model.components import CARD_COUNTS, GOODS, TILE_KINDS, Colour
from tests.notation.refusals import check_refused

PINK = Colour.PINK


def test_sums() -> None:
    sums = {" 12 + 7 ": 19, "3*5+2": 17, "2+3*5": 17, "3 x 5": 15, "3×5": 15, "20-3": 17, "-3+5": 2, "0000000007": 7}
    assert {text: score_entries.read_sum(text) for text in sums} == sums
    assert score_entries.read_sum(str(score_entries.MAX_POINTS)) == score_entries.MAX_POINTS


def test_what_is_no_sum_is_refused_with_a_reason() -> None:
    no_sums = ["", "twelve", "12+", "12 7", "1.5", "12++7", "2**9", "1/2", "__import__('os')", "٣"]
    check_refused(score_entries.read_sum, [(text, "not a number") for text in no_sums])
    check_refused(score_entries.read_sum, [("-4", "less than 0"), ("3-5", "less than 0")])
    check_refused(
        score_entries.read_sum, [(text, "a digit too many") for text in ("99999", "9*" * 5000 + "9", "9" * 5000)]
    )


@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=3), min_size=1, max_size=5))
def test_any_sum_of_products_is_worked_out(terms: list[list[int]]) -> None:
    text = " + ".join("*".join(map(str, factors)) for factors in terms)
    value = sum(math.prod(factors) for factors in terms)
    assert score_entries.read_sum(text) == value


@settings(max_examples=6)
@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_politely(text: str) -> None:
    for category in CATEGORIES:
        try:
            entry = score_entries.read_entry(category, text)
        except NotationError as error:
            assert str(error)
        else:
            assert score_entries.read_entry(category, entry.text) == entry


def test_djinns() -> None:
    for text, names in {
        "Jafaar, al-amin": ("Jafaar", "Al-Amin"),
        "jafaar AL AMIN baal": ("Jafaar", "Al-Amin", "Ba'al"),
        "anun nak utug": ("Anun-Nak", "Utug"),
        **dict.fromkeys(["none", "없음", "Ничего", "0"], ()),
    }.items():
        assert score_entries.read_djinns(text) == names
    check_refused(score_entries.read_djinns, [("Jafar", "did you mean 'Jafaar'"), ("Utug, utug", "twice")])


@given(st.lists(st.sampled_from(list(DJINNS)), unique=True, min_size=1), st.sampled_from([", ", " "]))
def test_every_djinn_is_known_by_its_name(names: list[str], between: str) -> None:
    assert score_entries.read_djinns(between.join(names)) == tuple(names)


def test_tiles_by_code_have_their_values() -> None:
    assert score_entries.read_tiles("s15 O8,O8+m4") == (15, 8, 8, 4)
    assert score_entries.read_tiles(" ".join(TILE_KINDS)) == tuple(kind.vp for kind in TILE_KINDS.values())
    with pytest.raises(NotationError, match="'O8@P' is not a tile"):
        score_entries.read_tiles("O8@P")


def test_entries(subtests: pytest.Subtests) -> None:
    for category, text, points, held in [
        ("gold", "12+7", None, {"gold": 19}),
        ("gold", "none", None, {"gold": 0}),
        ("gold", "없음", None, {"gold": 0}),
        ("viziers", "4", None, {"viziers": 4}),
        ("viziers", "=34", 34, {}),
        ("palms", "2", None, {"palms": 2}),
        ("palms", "=3*5", 15, {}),
        ("djinns", "6+5", 11, {}),
        ("djinns", "Utug", None, {"djinns": ("Utug",)}),
        ("tiles", "15+8", 23, {}),
        ("tiles", "S15 O8", None, {"tiles": (15, 8)}),
        ("tiles", "0", None, {"tiles": ()}),
        ("goods", "13", 13, {}),
        ("goods", "2 silk, fish, 3 fakirs", None, {"goods": (0, 0, 0, 0, 2, 0, 1, 0, 0), "fakirs": 3}),
        ("goods", "0", None, {"goods": (0,) * 9, "fakirs": 0}),
    ]:
        with subtests.test(category=category):
            entry = score_entries.read_entry(category, text)
            assert (entry.points, entry.held) == (points, held)


@given(
    st.builds(
        Holdings,
        gold=st.integers(0, 200),
        viziers=st.integers(0, 16),
        elders=st.integers(0, 20),
        fakirs=st.integers(0, 18),
        goods=st.tuples(*(st.integers(0, CARD_COUNTS[good]) for good in GOODS)),
        djinns=st.lists(st.sampled_from(list(DJINNS)), unique=True, max_size=4).map(tuple),
        palms=st.integers(0, 12),
        palaces=st.integers(0, 10),
        tiles=st.lists(st.sampled_from([kind.vp for kind in TILE_KINDS.values()]), max_size=11).map(tuple),
    )
)
def test_what_stands_in_brackets_can_be_typed_to_the_same_points(held: Holdings) -> None:
    """Tiles aside, what is shown is read back as what is held; tiles are read back as their points."""
    entries = score_entries.entries_of(held)
    assert tuple(entries) and set(entries) == set(CATEGORIES)
    typed = {category: score_entries.read_entry(category, entry.text) for category, entry in entries.items()}
    again = score_holdings({PINK: score_entries.held_of(typed)})[PINK]
    if (points := typed["tiles"].points) is not None:
        again = again.with_points("tiles", points, "")
    assert again.points == score_holdings({PINK: held})[PINK].points


def test_a_sheet_is_read_as_it_was_written() -> None:
    typed = {"gold": "12+7", "viziers": "3+2", "djinns": "Jafaar", "tiles": "S15 O8", "goods": "2 silk, 1 fish"}
    entries = {Colour.PINK: {category: read_entry(category, text) for category, text in typed.items()}}
    players = {Colour.PINK: 'Anna "Opera"', Colour.BLACK: ""}
    sheet = ScoreSheet(players, {**entries, Colour.BLACK: {}}, date="2026-02-14", place="Lviv", finished=False)
    text = format_sheet(sheet)
    assert is_sheet(text) and is_sheet("\ufeff\n" + text)
    assert parse_sheet(text) == parse_sheet("\ufeff" + text) == sheet


def test_a_damaged_sheet_is_refused_with_the_place() -> None:
    cases = [
        ("score_sheet = 2", "reads version 1"),
        ("score_sheet = 1\nx = 2", "x: unknown key"),
        ("score_sheet = 1\ndate = 2026-02-14", "date: expected text"),
        ("score_sheet = 1\nfinished = 'no'", "finished: expected true or false"),
        ("score_sheet = 1\n[players.green]", "players: no player's colour"),
        ("score_sheet = 1\nplayers = 3", "players: expected a table"),
        ("score_sheet = 1\n[players.pink]\ngold = 4", "players.pink.gold: expected text"),
        ("score_sheet = 1\n[players.pink]\ngold = 'x'", "players.pink.gold: 'x' is not a number"),
        ("score_sheet = 1\n[players.pink]\ngood = 'x'", "players.pink.good: unknown key"),
        ("score_sheet = 1\n[players.pink]\nviziers = '17'", "(rules 1.2)"),
        (
            "score_sheet = 1\n[players.pink]\ngoods = 'ivory 2 silk'",
            "players.pink.goods: 'ivory 2 silk' makes no sense",
        ),
        ("score_sheet = 1\n[players.pink]\ngold = '3'\n[players.rosa]\ngold = '9'", "players.rosa: pink given twice"),
        ("score_sheet = 1\n[players.pink]\n[players.P]", "players.P: pink given twice"),
        ("score_sheet = ", "not well-formed TOML"),
        ("score_sheet = " + "[" * 5000, "nested too deeply"),
    ]
    check_refused(parse_sheet, cases)
