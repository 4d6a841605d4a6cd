"""What is written into a score sheet: sums that break at no product, goods by card, the result as a code's text."""

from __future__ import annotations

import pytest

from companion.errors import UnusableInputError
from companion.language.catalogue import PSEUDO
from companion.language.glossary import LANGUAGES
from companion.notation.outcome import parse_outcome
from companion.printing.core.geometry import PAPERS, Box
from companion.printing.core.page import Document
from companion.printing.core.qr import qr_modules
from companion.printing.core.typefaces import Fonts
from companion.printing.score.filled import printed_cards, printed_sets, printed_sum
from companion.printing.score.heads import ColumnHead, colour_letters
from companion.printing.score.layout import CATEGORY_ROWS, lay_out_filled
from companion.printing.score.outcome import PHONE_MODULE_MM, outcome_text
from companion.printing.score.sheet import column_heads, filled_sheet
from companion.printing.score.sums import fitted_sum, sum_lines
from companion.printing.score.template import MIN_CAPTION_PT, load_score_template
from companion.rules.engine.scoring import GameResult, Score, score_holdings
from companion.rules.model.components import GOODS, Colour
from tests.printing.approved import CROWDED, HELD

TEMPLATE = load_score_template(None)
ALL = GameResult(score_holdings(CROWDED), finished=True)
FOOT = Box(0, 0, TEMPLATE.filled.code, TEMPLATE.filled.code)


@pytest.fixture
def page() -> Document:
    return Document(PAPERS["a4"], Fonts(system=()), title="", language="en")


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("15 + 2 × 8", 60, ["15 + 2 × 8"]),
        ("15 + 2 × 8", 9, ["15 +", "2 × 8"]),
        ("5 × 3 (Jafaar) + 10 × 2 opponents", 24, ["5 × 3 (Jafaar) +", "10 × 2 opponents"]),
        ("Jafaar 6 + Shamhat 6 + Al-Amin 5", 23, ["Jafaar 6 +", "Shamhat 6 +", "Al-Amin 5"]),
        ("10 × 2 opponents", 12, ["10 × 2", "opponents"]),
        ("", 20, []),
    ],
    ids=["on one line", "after the plus", "products stay whole", "amounts stay whole", "wider by itself", "nothing"],
)
def test_a_sum_breaks_after_a_plus_alone(page: Document, text: str, width: float, lines: list[str]) -> None:
    assert sum_lines(page, text, 7.0, width) == lines


@pytest.mark.parametrize(
    ("room", "size", "lines"),
    [
        (Box(0, 0, 60, 10), 8.0, ["15 + 2 × 8 + 6"]),
        (Box(0, 0, 15, 10), 8.0, ["15 + 2 × 8 +", "6"]),
        (Box(0, 0, 16.5, 3), 7.25, ["15 + 2 × 8 + 6"]),
        (Box(0, 0, 8, 2.8), MIN_CAPTION_PT, ["15 + 2 × 8 + 6"]),
    ],
    ids=["on one line", "in lines", "smaller", "the rest on the last line, as small as may be"],
)
def test_a_sum_is_broken_made_smaller_and_then_left_to_be_cut(
    page: Document, room: Box, size: float, lines: list[str]
) -> None:
    fitted, chosen = fitted_sum(page, "15 + 2 × 8 + 6", 8.0, room)
    assert fitted == lines and chosen == pytest.approx(size)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", [*LANGUAGES, PSEUDO])
def test_no_line_of_a_printed_sum_begins_or_ends_inside_a_term(
    drawn: list[Document], language: str, paper: str
) -> None:
    filled_sheet(ALL, paper=paper, language=language)
    words = TEMPLATE.words[language].arithmetic
    (slip,) = lay_out_filled(TEMPLATE, PAPERS[paper], len(ALL.scores)).slips
    broken = 0
    for category, cells in zip(CATEGORY_ROWS[:-1], slip.cells, strict=False):
        for cell, score in zip(cells, ALL.scores.values(), strict=True):
            points, *lines = [written.text for written in drawn[0].written if cell.holds(written.box)]
            assert points == str(getattr(score, category))
            assert " ".join(lines) == printed_sum(score, category, language, words), "whole, nothing cut"
            assert all(line.endswith(" +") for line in lines[:-1])
            broken += len(lines) > 1
    assert broken > 8, "there are sums that need more than a line"


def test_goods_stand_by_card_and_what_fakirs_stand_for_is_starred() -> None:
    score = score_holdings(HELD)[Colour.BLACK]
    assert {good: printed_cards(score, good) for good in GOODS} == {
        "ivory": "1",
        "jewels": "1*",
        "gold": "1*",
        "papyrus": "2",
        "silk": "1",
        "spice": "1",
        "fish": "2",
        "wheat": "",
        "pottery": "1",
    }
    assert printed_sets(score) == "50 + 3" and score.goods == 53


def test_goods_given_as_points_leave_their_column_free() -> None:
    given = score_holdings(HELD)[Colour.BLACK].with_points("goods", 13, "13 VP")
    assert not any(printed_cards(given, good) for good in GOODS) and printed_sets(given) == ""


@pytest.mark.parametrize(
    ("players", "names", "heads"),
    [
        (2, (), [ColumnHead((Colour.BLUE,)), ColumnHead((Colour.PINK,))]),
        (4, (), [ColumnHead((colour,)) for colour in Colour]),
        (3, (), [ColumnHead(tuple(Colour))] * 3),
        (2, ("Ann", "Bo"), [ColumnHead((Colour.BLUE, Colour.PINK), name) for name in ("Ann", "Bo")]),
        (2, {Colour.PINK: "Ann", Colour.BLUE: ""}, [ColumnHead((Colour.PINK,), "Ann"), ColumnHead((Colour.BLUE,))]),
    ],
    ids=["two", "four", "three mark their own", "names alone", "names by colour"],
)
def test_2_1_columns_have_the_camels_that_can_be_theirs(
    players: int, names: tuple[str, ...] | dict[Colour, str], heads: list[ColumnHead]
) -> None:
    assert column_heads(players, names) == heads


@pytest.mark.parametrize("language", ["en", "ru", "uk", "ko", "it"])
def test_each_colour_has_a_letter_of_its_own(language: str) -> None:
    colours = TEMPLATE.words[language].colours
    letters = colour_letters([getattr(colours, colour.value) for colour in Colour])
    assert len(set(letters)) == 4 and all(len(letter) == 1 for letter in letters)


def test_the_result_as_text_says_when_where_who_and_how_much() -> None:
    text = outcome_text(GameResult(score_holdings(HELD), True), {Colour.BLACK: "Anna"}, "2026-02-14", "Lviv", FOOT)
    assert text.splitlines() == [
        "Five Tribes, 2026-02-14, Lviv",
        "1. Anna (black) 208 = 41+35+12+17+9+10+31+53",
        "2. orange 172 = 35+12+8+8+10+0+39+60",
        "3. pink 65 = 20+?+4+10+3+5+20+3",
    ], "rules 10, in their order; what is not known is no nought"
    lacking = GameResult(score_holdings(HELD), True, ("pink: viziers not known, counted as 0",))
    assert outcome_text(lacking, {}, "", "", FOOT).splitlines()[1].startswith("black 208 = "), "nobody has won for sure"


def test_9_3_tied_players_share_a_rank_and_a_game_that_goes_on_has_none() -> None:
    scores = {Colour.BLACK: Score(gold=30), Colour.BLUE: Score(gold=30), Colour.PINK: Score(gold=29)}
    over = outcome_text(GameResult(scores, finished=True), {}, "", "", FOOT).splitlines()
    rest = "+0" * 7
    assert over == ["Five Tribes", f"1. black 30 = 30{rest}", f"1. blue 30 = 30{rest}", f"3. pink 29 = 29{rest}"]
    going_on = outcome_text(GameResult(scores, finished=False), {}, "", "", FOOT).splitlines()
    lines = [f"black 30 = 30{rest}", f"blue 30 = 30{rest}", f"pink 29 = 29{rest}"]
    assert going_on == ["Five Tribes", *lines, "not over yet"]


@pytest.mark.parametrize("letters", [10, 60, 5000])
def test_the_result_fits_its_code_whatever_the_names(letters: int) -> None:
    names = {colour: f"{colour.letter}" + "Ї" * (letters - 1) for colour in Colour}
    text = outcome_text(ALL, names, "2026-02-14", "Ї" * letters, FOOT)
    assert qr_modules(text, FOOT)[0].w >= PHONE_MODULE_MM
    told = parse_outcome(text)
    assert told is not None and told.totals == {colour: score.total for colour, score in ALL.scores.items()}
    assert told.points == {colour: tuple(score.points.values()) for colour, score in ALL.scores.items()}
    assert told.date == "2026-02-14" and told.place.startswith("Ї") and all(told.names[one] for one in Colour)


def test_names_are_told_before_categories_where_there_is_room_for_one_alone() -> None:
    small = Box(0, 0, 34, 34)
    told = parse_outcome(outcome_text(ALL, dict.fromkeys(Colour, "Anna"), "2026-02-14", "Lviv", small))
    assert told is not None and not told.points and set(told.names.values()) == {"Anna"} and told.place == "Lviv"
    smaller = parse_outcome(outcome_text(ALL, dict.fromkeys(Colour, "Є" * 60), "2026-02-14", "Lviv", Box(0, 0, 29, 29)))
    assert smaller is not None and not smaller.names and smaller.date == "2026-02-14"


def test_a_line_break_in_a_name_makes_no_player() -> None:
    text = outcome_text(ALL, {Colour.BLACK: "Ann\n1. pink 999"}, "", "Kyiv\npink 3", FOOT)
    told = parse_outcome(text)
    assert told is not None and told.names == {Colour.BLACK: "Ann 1. pink 999"} and told.place == "Kyiv pink 3"


def test_a_code_with_no_room_for_the_result_is_refused_with_what_to_change() -> None:
    with pytest.raises(UnusableInputError, match=r"filled\.code"):
        outcome_text(ALL, {}, "", "", Box(0, 0, 8, 8))
