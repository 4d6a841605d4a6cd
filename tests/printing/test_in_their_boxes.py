"""Every value and word of a score sheet stands in its box: in all languages, on both papers, empty and filled in."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.installation import template_path
from companion.language.catalogue import PSEUDO
from companion.notation.codes import encode
from companion.printing.core.geometry import PAPERS
from companion.printing.core.qr import grouped
from companion.printing.core.template import LANGUAGES
from companion.printing.score.filled import printed_cards, printed_sets, printed_sum
from companion.printing.score.heads import colour_letters, name_room
from companion.printing.score.layout import CATEGORY_ROWS, COUNTED, SlipBoxes, lay_out, lay_out_filled
from companion.printing.score.sheet import filled_sheet, score_pad
from companion.printing.score.template import load_score_template
from companion.rules.engine.scoring import GameResult, Holdings, Score, score_holdings
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import GOODS, SET_PRICES_GC, Colour
from tests.printing.approved import CROWDED, HELD, NAMES
from tests.printing.boxes import Page, read_page, squeezed
from tests.printing.checks import overlapping_texts, read_print
from tests.printing.letters import read_pages

SCORE = load_score_template(None)
SCORES = score_holdings(HELD)
RESULT = GameResult(SCORES, finished=True)
CODE = encode(random_setup(4, 9))
TEXT = template_path("score_sheet.toml").read_text(encoding="utf-8")
LONG = "Datum und Uhrzeit der Partie in unserem Klub am Abend, mit Jahr und Monat und Tag"


def _own(folder: Path, before: str, after: str) -> Path:
    """A template of somebody's own, one line of which is another."""
    assert TEXT.count(f"\n{before}\n") == 1
    path = folder / "mine.toml"
    path.write_text(TEXT.replace(f"\n{before}\n", f"\n{after}\n"), encoding="utf-8")
    return path


def _slip(paper: str, players: int) -> SlipBoxes:
    (slip,) = lay_out_filled(SCORE, PAPERS[paper], players).slips
    return slip


def _same(found: str, *wanted: str) -> bool:
    """The letters of all lines, whatever the order in which lines of one height were read."""
    return sorted(found) == sorted(squeezed(*wanted))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
def test_points_stand_in_the_column_of_their_player(paper: str, language: str) -> None:
    (page,) = read_pages(filled_sheet(RESULT, names=NAMES, paper=paper, code=CODE, language=language))
    words, slip = SCORE.words[language], _slip(paper, len(SCORES))
    for column, (colour, score) in enumerate(SCORES.items()):
        won = [words.winner] * (colour in RESULT.winners)
        head = " · ".join([getattr(words.colours, colour.value), *won])
        assert page.text(slip.names[column]) == squeezed(head, NAMES.get(colour, "")), "camel and name over the column"
        _check_points(page, slip, column, score, language)
    assert slip.code is not None
    assert _same(page.text(slip.code), words.code, grouped(CODE), words.result, words.result_hint)
    assert _same(page.text(slip.title), words.title, words.subtitle)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
def test_the_fullest_sheet_has_room_for_every_sum(paper: str, language: str) -> None:
    result = GameResult(score_holdings(CROWDED), finished=True)
    names = {colour: "Maximiliane-Charlotte von der Heide" for colour in Colour}
    (page,) = read_pages(filled_sheet(result, names=names, paper=paper, language=language))
    slip = _slip(paper, len(result.scores))
    for column, score in enumerate(result.scores.values()):
        _check_points(page, slip, column, score, language)


def _check_points(page: Page, slip: SlipBoxes, column: int, score: Score, language: str) -> None:
    """Points and sums of all categories, the total, and the cards and prices of the goods."""
    words = SCORE.words[language].arithmetic
    for category, cells in zip(CATEGORY_ROWS, slip.cells, strict=True):
        how = "" if category == "total" else printed_sum(score, category, language, words)
        found = page.text(cells[column])
        assert _same(found, str(getattr(score, category)), how), category
    assert slip.goods is not None
    for good, cells in zip(GOODS, slip.goods.cells, strict=True):
        assert page.text(cells[column]) == squeezed(printed_cards(score, good)), good
    assert page.text(slip.goods.sets[column]) == squeezed(printed_sets(score))


def test_no_sum_says_the_points_again() -> None:
    score = SCORES[Colour.ORANGE]
    assert printed_sum(score, "gold", "en", {}) == printed_sum(score, "palaces", "ru", {}) == ""
    assert printed_sum(score, "elders", "ru", {}) == "4 × 2"
    assert printed_sum(SCORES[Colour.BLACK], "goods", "en", {}) == "(* = 2 fakirs, Al-Amin)"


def test_the_crown_stands_in_the_winners_column_alone() -> None:
    page = read_page(filled_sheet(RESULT, names=NAMES))
    slip = _slip("a4", len(SCORES))
    totals = [score.total for score in SCORES.values()]
    for column, total in enumerate(totals):
        won = total == max(totals)
        assert (SCORE.palette.winner.upper() in page.fills(slip.cells[-1][column])) == won
        assert (SCORE.tints.total.upper() in page.fills(slip.cells[-1][column])) == won
        assert (SCORE.words["en"].winner in page.text(slip.names[column])) == won


def test_who_leads_a_game_that_goes_on_wears_no_crown() -> None:
    page = read_page(filled_sheet(GameResult(SCORES, finished=False), names=NAMES))
    assert SCORE.palette.winner.upper() not in [colour for colour, _ in page.shapes]
    assert SCORE.words["en"].winner not in "".join(letter for letter, _ in page.letters)


def test_each_camel_has_the_colour_of_its_column() -> None:
    page = read_page(filled_sheet(RESULT))
    slip = _slip("a4", len(SCORES))
    for column, colour in enumerate(SCORES):
        fills = page.fills(slip.names[column])
        assert [fill for fill in fills if fill == getattr(SCORE.camels, colour.value).upper()] == fills[:1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("paper", "per_page", "players"), [("letter", 4, 4), ("a4", 4, 4), ("a4", 2, 3), ("letter", 1, 2)]
)
def test_words_of_a_pad_stand_before_their_rows_and_are_whole(
    paper: str, per_page: int, players: int, language: str
) -> None:
    (page,) = read_pages(score_pad(players=players, paper=paper, per_page=per_page, language=language))
    boxes = lay_out(SCORE, PAPERS[paper], SCORE.layouts[str(per_page)], players)
    words = SCORE.words[language]
    for slip in boxes.slips:
        assert page.text(slip.names_label) == squeezed(words.players)
        assert _same(page.text(slip.title), words.title, words.subtitle)
        for box, category in zip(slip.labels, CATEGORY_ROWS, strict=True):
            count = words.count if category == COUNTED else ""
            label, hint = getattr(words.labels, category), getattr(words.hints, category)
            assert _same(page.text(box), label, hint, count), category
        for blank, word in zip(slip.blanks, (words.date, words.place), strict=True):
            assert page.text(blank) == squeezed(word)
        goods = slip.goods
        assert goods is not None
        assert page.text(goods.head) == squeezed(words.cards)
        assert _same(page.text(goods.sets_label), words.sets, words.sets_hint)
        for number, good in enumerate(GOODS, 1):
            assert page.text(goods.labels[number - 1]) == squeezed(getattr(words.goods, good))
            assert page.text(goods.steps[number - 1]) == f"{number}{SET_PRICES_GC[number]}"
        to_write_in = [*slip.counts, *goods.sets, *(cell for row in (*slip.cells, *goods.cells) for cell in row)]
        assert len(slip.counts) == players and not any(page.text(box) for box in to_write_in)
        assert not any(page.text(name_room(box)) for box in slip.names), "room for a name"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_camels_with_their_names_or_letters_stand_over_the_columns(players: int, language: str) -> None:
    page = read_page(score_pad(players=players, language=language))
    colours = SCORE.words[language].colours
    named = [getattr(colours, colour.value) for colour in Colour]
    letters = colour_letters(named)
    over = {2: named[2:], 3: ["".join(letters)] * 3, 4: named}[players]
    for slip in lay_out(SCORE, PAPERS["a4"], SCORE.layouts["4"], players).slips:
        assert [page.text(box) for box in slip.names] == [squeezed(text) for text in over]
        for column, box in enumerate(slip.names):
            shown = list(Colour) if players == 3 else [list(Colour)[column + (2 if players == 2 else 0)]]
            assert page.fills(box) == [getattr(SCORE.camels, colour.value).upper() for colour in shown]


@pytest.mark.parametrize(("per_page", "players"), [(4, 3), (2, 4), (1, 2)])
def test_names_stand_on_their_rules(per_page: int, players: int) -> None:
    names = ["Ann", "Bo", "Cy", "Di"][:players]
    (page,) = read_pages(score_pad(players=players, per_page=per_page, names=names))
    for slip in lay_out(SCORE, PAPERS["a4"], SCORE.layouts[str(per_page)], players).slips:
        assert [page.text(name_room(box)) for box in slip.names] == names


@pytest.mark.parametrize("language", [*LANGUAGES, PSEUDO])
def test_no_caption_ends_in_a_word_left_alone(language: str) -> None:
    """Captions of more than a line have lines of like length, so that none is a rest; none is cut."""
    words = SCORE.words[language]
    for paper, name in (("a4", "1"), ("letter", "2"), ("a4", "4"), ("letter", "4")):
        (page,) = read_pages(score_pad(paper=paper, per_page=int(name), language=language))
        assert not any(letter == "…" for letter, _ in page.letters)
        slip = lay_out(SCORE, PAPERS[paper], SCORE.layouts[name], 4).slips[0]
        assert slip.goods is not None
        captions = [(getattr(words.labels, one), getattr(words.hints, one)) for one in CATEGORY_ROWS]
        boxes = [*slip.labels, slip.goods.sets_label]
        for box, (label, hint) in zip(boxes, [*captions, (words.sets, words.sets_hint)], strict=True):
            lines = [line for line in page.lines(box) if line in squeezed(hint) and line != squeezed(label)]
            assert len(lines) <= 1 or min(map(len, lines)) >= 0.5 * max(map(len, lines)), lines
            assert squeezed(hint) in "".join(page.lines(box)), "whole"


@pytest.mark.parametrize("name", ["date", "place"])
def test_a_long_word_leaves_half_of_its_line_to_write_on(name: str, tmp_path: Path) -> None:
    template = _own(tmp_path, f'{name} = "{name.title()}"', f'{name} = "{LONG}"')
    page = read_page(filled_sheet(RESULT, names=NAMES, template=template, date="2026-11-21", place="Kyiv"))
    line = _slip("a4", len(SCORES)).blanks[("date", "place").index(name)]
    left, right = line.columns([line.w / 2] * 2)
    assert page.text(left).startswith("Datumund") and page.text(left).endswith("…")
    assert page.text(right) == {"date": "2026-11-21", "place": "Kyiv"}[name]


@pytest.mark.parametrize("per_page", [1, 2, 4])
def test_a_long_name_of_a_category_leaves_room_for_what_is_counted(per_page: int, tmp_path: Path) -> None:
    template = _own(tmp_path, 'viziers = "Viziers"', 'viziers = "Grand viziers of the sultan and of his court"')
    page = read_page(score_pad(players=3, per_page=per_page, template=template))
    for slip in lay_out(SCORE, PAPERS["a4"], SCORE.layouts[str(per_page)], 3).slips:
        first, *_ = page.lines(slip.labels[CATEGORY_ROWS.index(COUNTED)])
        assert first.startswith("Grandviz") and first.endswith("howmany")


@pytest.mark.parametrize("per_page", [1, 2, 4])
def test_a_long_word_for_sets_leaves_room_for_its_hint(per_page: int, tmp_path: Path) -> None:
    template = _own(tmp_path, 'sets = "Sets"', f'sets = "{LONG}"')
    page = read_page(score_pad(players=3, per_page=per_page, template=template))
    for slip in lay_out(SCORE, PAPERS["a4"], SCORE.layouts[str(per_page)], 3).slips:
        assert slip.goods is not None
        shown = page.text(slip.goods.sets_label)
        assert all(part in shown for part in ("Datum", "prices", "left")), shown


@pytest.mark.parametrize("points", [8, 20, 28, 40])
@pytest.mark.parametrize("held", [HELD, CROWDED], ids=["usual", "crowded"])
def test_points_of_any_size_stand_over_their_sums(points: int, held: dict[Colour, Holdings], tmp_path: Path) -> None:
    """However large the numbers are wished for, nothing lies over anything else or outside its cell."""
    template = _own(tmp_path, "number_pt = 14", f"number_pt = {points}")
    scores = score_holdings(held)
    pdf = filled_sheet(GameResult(scores, finished=True), names=NAMES, template=template)
    assert overlapping_texts(read_print(pdf)) == []
    page, slip = read_page(pdf), _slip("a4", len(scores))
    for column, score in enumerate(scores.values()):
        for row, category in enumerate(CATEGORY_ROWS):
            number = str(score.total if category == "total" else getattr(score, category))
            letters = page.inside(slip.cells[row][column])
            assert page.text(slip.cells[row][column]).startswith(number)
            assert all(
                slip.cells[row][column].x <= box.x <= box.right <= slip.cells[row][column].right for _, box in letters
            )


def test_rows_without_room_for_a_sum_have_the_points_alone(tmp_path: Path) -> None:
    template = _own(tmp_path, "viziers = 1.4", "viziers = 0.5")
    pdf = filled_sheet(RESULT, names=NAMES, template=template)
    assert overlapping_texts(read_print(pdf)) == []
    (slip,) = lay_out_filled(load_score_template(template), PAPERS["a4"], len(SCORES)).slips
    page, row = read_page(pdf), CATEGORY_ROWS.index("viziers")
    assert [page.text(cell) for cell in slip.cells[row]] == [str(score.viziers) for score in SCORES.values()]


def test_the_crown_of_a_large_total_stays_in_its_cell(tmp_path: Path) -> None:
    scores = score_holdings(CROWDED)
    template = _own(tmp_path, "number_pt = 14", "number_pt = 40")
    page = read_page(filled_sheet(GameResult(scores, finished=True), names=NAMES, template=template))
    row = _slip("a4", len(scores)).cells[-1]
    tint = SCORE.tints.total.upper()
    crowns = [page.fills(cell).count(tint) for cell in row]
    assert max(crowns) > 0 and sum(crowns) == page.fills(row[0].joined(row[-1]).inset(-4, 0)).count(tint)
