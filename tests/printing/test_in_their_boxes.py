"""Every printed value stands where it belongs: points in the player's own column, tiles on their squares, and so on."""

from __future__ import annotations

import pytest

from companion.notation.codes import encode
from companion.printing.core.geometry import PAPERS
from companion.printing.core.qr import grouped
from companion.printing.score.filled import arithmetic_text
from companion.printing.score.layout import CATEGORY_ROWS, lay_out
from companion.printing.score.sheet import filled_sheet, score_pad
from companion.printing.score.template import load_score_template, pick_layout
from companion.rules.engine.result import GameResult
from companion.rules.engine.scoring import score_holdings
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import SET_PRICES_GC
from tests.printing.approved import HELD, NAMES
from tests.printing.boxes import read_page, squeezed

SCORE = load_score_template(None)
SCORES = score_holdings(HELD)
RESULT = GameResult(SCORES, finished=True)


def _same(found: str, *wanted: str) -> bool:
    """The letters of all lines, whatever the order in which lines of one height were read."""
    return sorted(found) == sorted(squeezed(*wanted))


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("paper", PAPERS)
def test_points_stand_in_the_column_of_their_player(paper: str, language: str) -> None:
    code = encode(random_setup(4, 9))
    page = read_page(filled_sheet(RESULT, names=NAMES, paper=paper, code=code, language=language, template=None))
    words = SCORE.words[language]
    layout = pick_layout(SCORE, SCORE.filled.layout)
    boxes = lay_out(
        SCORE, PAPERS[paper], layout, len(SCORES), code=SCORE.filled.code, goods_share=SCORE.filled.goods_share
    )
    (slip,) = boxes.slips
    for column, (colour, score) in enumerate(SCORES.items()):
        name = NAMES.get(colour, getattr(words.colours, colour.value))
        assert page.text(slip.names[column]).startswith(squeezed(name)[:10]), "the name over the column"
        for row, category in enumerate(CATEGORY_ROWS):
            found = page.text(slip.cells[row][column])
            if category == "total":
                assert found == str(score.total)
                continue
            points, how = getattr(score, category), score.arithmetic[category]
            assert found.startswith(str(points)), (colour, category)
            if how not in ("none", str(points), f"{points} GC"):
                assert found == squeezed(str(points), arithmetic_text(how, language, words.arithmetic)), (
                    colour,
                    category,
                )
            else:
                assert found == str(points), "no sum that says the same again"
    for row, category in enumerate(CATEGORY_ROWS):
        assert page.text(slip.labels[row]).startswith(squeezed(getattr(words.labels, category)))
    assert slip.code is not None
    assert page.text(slip.code) == squeezed(words.code, grouped(code))
    assert page.text(slip.title) == squeezed(words.title, words.subtitle)


def test_the_crown_stands_in_the_winners_column_alone() -> None:
    page = read_page(filled_sheet(RESULT, names=NAMES, paper="a4", code=None, language="en", template=None))
    layout = pick_layout(SCORE, SCORE.filled.layout)
    (slip,) = lay_out(SCORE, PAPERS["a4"], layout, len(SCORES), goods_share=SCORE.filled.goods_share).slips
    totals = [score.total for score in SCORES.values()]
    for column, total in enumerate(totals):
        won = total == max(totals)
        assert (SCORE.palette.winner.upper() in page.fills(slip.cells[-1][column])) == won
        assert (SCORE.tints.total.upper() in page.fills(slip.cells[-1][column])) == won
        assert (SCORE.words["en"].winner in page.text(slip.names[column])) == won


def test_who_leads_a_game_that_goes_on_wears_no_crown() -> None:
    going_on = GameResult(SCORES, finished=False)
    page = read_page(filled_sheet(going_on, names=NAMES, paper="a4", code=None, language="en", template=None))
    assert SCORE.palette.winner.upper() not in [colour for colour, _ in page.shapes]
    assert SCORE.words["en"].winner not in "".join(letter for letter, _ in page.letters)


def test_each_camel_has_the_colour_of_its_column() -> None:
    page = read_page(filled_sheet(RESULT, names={}, paper="a4", code=None, language="en", template=None))
    layout = pick_layout(SCORE, SCORE.filled.layout)
    (slip,) = lay_out(SCORE, PAPERS["a4"], layout, len(SCORES), goods_share=SCORE.filled.goods_share).slips
    for column, colour in enumerate(SCORES):
        assert getattr(SCORE.camels, colour.value).upper() in page.fills(slip.names[column])


@pytest.mark.parametrize(("per_page", "players"), [(4, 3), (2, 4), (1, 2)])
def test_names_and_labels_of_a_pad_stand_over_their_columns_and_before_their_rows(per_page: int, players: int) -> None:
    names = ["Ann", "Bo", "Cy", "Di"][:players]
    page = read_page(score_pad(players=players, per_page=per_page, names=names))
    boxes = lay_out(SCORE, PAPERS["a4"], SCORE.layouts[str(per_page)], players)
    words = SCORE.words["en"]
    for slip in boxes.slips:
        assert [page.text(box) for box in slip.names] == names
        for box, category in zip(slip.labels, CATEGORY_ROWS, strict=True):
            label, hint = getattr(words.labels, category), getattr(words.hints, category)
            assert _same(page.text(box), label, hint)
        assert all(page.text(cell) == "" for row in slip.cells for cell in row)
        for blank, word in zip(slip.blanks, (words.date, words.place), strict=True):
            assert page.text(blank) == squeezed(word)
        if slip.sets is not None:
            prices = [str(price) for price in SET_PRICES_GC[1:]]
            sizes = [str(size) for size in range(1, len(SET_PRICES_GC))]
            assert _same(page.text(slip.sets), words.sets, words.points, *sizes, *prices)
    assert page.text(boxes.ruler_text) == squeezed(words.scale)
