"""Reports on games: every value in its place, everything that was played, in every language and on every paper."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path

import pytest
from reportlab.graphics.charts.barcharts import VerticalBarChart
from reportlab.graphics.charts.lineplots import LinePlot

from companion.advisor.account import GameTold, game_told
from companion.advisor.review import GameReview
from companion.advisor.search.review import review_game
from companion.errors import UnusableInputError, UsageError
from companion.installation import template_path
from companion.language.catalogue import translate
from companion.printing.core.geometry import PAPERS, Box
from companion.printing.core.page import Document
from companion.printing.core.surface import Written
from companion.printing.core.template import filled, pick_words
from companion.printing.core.typefaces import Fonts
from companion.printing.hint.board import DRAWN
from companion.printing.hint.marks import HEAD, Arrow, lay_arrows, marks_of
from companion.printing.report.boards import turn_letter
from companion.printing.report.charts import category_chart, score_chart, score_curve
from companion.printing.report.report import BoardsOf, check_game_report, game_report
from companion.printing.report.template import load_game_report_template
from companion.printing.review.chart import CurveLook
from companion.printing.review.numbers import signed
from companion.printing.review.report import loss_words, review_report
from companion.printing.review.template import ReportMargins
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour
from companion.rules.model.events import AssassinsKilled, TileClaimed
from tests.advisor.recorded_turns import begun_in_turns, replayed
from tests.advisor.scripted_judge import ScriptedJudge
from tests.printing import checks
from tests.printing.boxes import read_page, squeezed

TEMPLATE = load_game_report_template(None)
WORDS = TEMPLATE.words["en"]
LOOK = CurveLook(TEMPLATE.curves, TEMPLATE.palette, TEMPLATE.type, WORDS.colours, WORDS.round)
NAMES = {
    Colour.BLACK: "Anna",
    Colour.PINK: "A rather long name that has to be cut or set smaller",
    Colour.BLUE: "Борис",
}


@pytest.fixture(scope="module")
def told() -> GameTold:
    return replace(game_told(replayed(4, 2)), names=NAMES, place="Київ")


@pytest.fixture(scope="module")
def review() -> GameReview:
    return replace(review_game(replayed(4, 2), ScriptedJudge(noise=9.0)), names=NAMES)


def short(told: GameTold) -> GameTold:
    """The first two turns alone: a test of looks needs no more."""
    return replace(told, rounds=(replace(told.rounds[0], turns=told.rounds[0].turns[:2]),))


def test_the_final_table_has_every_number_under_its_player(told: GameTold, drawn: list[Document]) -> None:
    pdf = game_report(told, boards=BoardsOf.NONE)
    written = [one for one in drawn[0].written if one.page == 0]
    page = read_page(pdf)
    heads = {
        colour: _first(written, word)
        for colour, word in zip(told.result.scores, ("Anna", "orange", "Бо", "A r"), strict=True)
    }
    labels = {category: _first(written, word) for category, word in _labels().items()}
    for colour, score in told.result.scores.items():
        x = heads[colour].box.x - 6
        for category in CATEGORIES:
            place = Box(x, labels[category].box.y, 17, labels[category].box.h)
            assert page.text(place) == str(score.points[category]), (colour, category)
        total = page.text(Box(x, labels["total"].box.y - 1, 17, labels["total"].box.h + 2))
        assert total == (f"★{score.total}" if colour in told.result.winners else str(score.total))


def _labels() -> dict[str, str]:
    names = ("Gold", "Viziers", "Elders", "Djinns", "Palm trees", "Palaces", "Tiles", "Goods")
    return {**dict(zip(CATEGORIES, names, strict=True)), "total": "Total"}


def _first(written: list[Written], beginning: str) -> Written:
    return next(one for one in written if one.text.startswith(beginning))


@pytest.mark.parametrize("boards", [BoardsOf.ROUND, BoardsOf.NONE])
def test_every_turn_stands_with_what_it_brought(told: GameTold, drawn: list[Document], boards: BoardsOf) -> None:
    game_report(told, boards=boards)
    together = " ".join(one.text for one in drawn[0].written)
    squashed = squeezed(together)
    for turn in told.turns:
        assert squeezed(turn.said) in squashed
        brought = ", ".join(
            f"{_labels()[category]} {signed(float(points), 'en', 0)}"
            for category, points in turn.brought.items()
            if points
        )
        assert (brought or WORDS.nothing) in together
    for one in told.rounds:
        assert filled(WORDS.round_title, number=one.number) in together
    gains = [one.text for one in drawn[0].written if re.fullmatch(r"[+−]\d+|0", one.text)]
    assert len(gains) >= len(told.turns)
    assert WORDS.without in together


def test_the_gain_stands_in_the_row_of_its_turn(told: GameTold, drawn: list[Document]) -> None:
    pdf = game_report(short(told), boards=BoardsOf.ROUND)
    number = max(one.page for one in drawn[0].written if one.text == filled(WORDS.round_title, number=1))
    page = read_page(pdf, number)
    head = next(one for one in drawn[0].written if one.page == number and one.text == WORDS.gain)
    for turn in short(told).turns:
        row = next(
            one
            for one in drawn[0].written
            if one.page == number and turn.said.startswith(one.text) and len(one.text) > 5
        )
        place = Box(head.box.right - 12, row.box.y, 12.2, row.box.h)
        assert page.text(place) == signed(float(turn.gain), "en", 0)
        letter = Box(10, row.box.y, 8, row.box.h)
        assert page.text(letter) == "ABCD"[turn.place]


def test_with_advice_there_is_what_was_lost_and_what_was_better(
    told: GameTold, review: GameReview, drawn: list[Document]
) -> None:
    game_report(told, review, boards=BoardsOf.NONE)
    texts = [one.text for one in drawn[0].written]
    squashed = squeezed(" ".join(texts))
    marked = [one for one in review.turns if one.mark]
    assert marked
    for one in marked:
        assert f"{one.loss.value:.1f} ± {one.loss.error:.1f} {one.mark}" in texts
        assert squeezed(filled(WORDS.better, turn=one.best_said)) in squashed
    assert texts.count(WORDS.advice) == 1
    assert WORDS.without not in texts
    for one in review.bids:
        if one.mark:
            assert squeezed(f"({WORDS.loss} {one.loss.value:.1f} {one.mark})") in squashed


@pytest.mark.parametrize(("language", "paper"), [("ru", "a4"), ("ko", "a4"), ("qps", "letter")])
@pytest.mark.parametrize("boards", BoardsOf)
def test_prints_keep_to_what_all_prints_do(
    told: GameTold, review: GameReview, language: str, paper: str, boards: BoardsOf
) -> None:
    pdf = game_report(short(told), review, boards=boards, language=language, paper=paper)
    one = checks.read_print(pdf)
    assert [*checks.outside(one), *checks.overlapping_texts(one), *checks.small_texts(one)] == []
    assert [*checks.loose_fonts(pdf), *checks.untagged(pdf), *checks.lacking_facts(pdf)] == []
    assert checks.faults_of_the_tree(checks.tree(one)) == []


@pytest.mark.parametrize("language", ["en", "uk"])
def test_what_was_lost_stands_in_the_row_of_its_turn_under_its_head(
    told: GameTold, review: GameReview, drawn: list[Document], language: str
) -> None:
    pdf = game_report(short(told), review, boards=BoardsOf.ROUND, language=language)
    words = TEMPLATE.words[language]
    written = drawn[0].written
    number = next(one.page for one in written if one.text == filled(words.round_title, number=1))
    head = next(one for one in written if one.page == number and one.text == words.loss)
    page = read_page(pdf, number)
    decisions = {one.line: one for one in review.turns}
    for turn in short(told).turns:
        decision = decisions[turn.line]
        said = translate(turn.said, language)
        row = next(
            one for one in written if one.page == number and said.startswith(one.text) and one.text.startswith(said[:9])
        )
        place = Box(head.box.right - 24, row.box.y, 24.2, row.box.h)
        assert page.text(place) == loss_words(decision, language).replace(" ", "")
        if decision.mark:
            best = filled(words.better, turn=translate(decision.best_said, language))
            below = Box(row.box.x - 0.2, row.box.bottom, head.box.right - 26 - row.box.x, 20)
            assert squeezed(best) in squeezed(page.text(below))


def _tables(pdf: bytes) -> list[checks.Node]:
    return [node for node in checks.tree(checks.read_print(pdf)).all() if node.tag == "Table"]


def _cells(row: checks.Node) -> list[str]:
    return [cell.text for cell in row.held]


def test_rounds_are_tables_with_a_row_for_each_turn(told: GameTold, review: GameReview) -> None:
    tables = _tables(game_report(told, review, boards=BoardsOf.NONE))
    heads = [WORDS.turn, WORDS.player, WORDS.played, WORDS.gain, WORDS.loss]
    rounds = [table for table in tables if _cells(table.held[0]) == heads]
    assert len(rounds) == len(told.rounds)
    turns = {one.line: one for one in review.turns}
    for one, table in zip(told.rounds, rounds, strict=True):
        assert len(table.held) == len(one.turns) + 1, "heads that are printed again are not said again"
        assert {cell.scope for cell in table.held[0].held} == {"Column"}
        for turn, row in zip(one.turns, table.held[1:], strict=True):
            letter, player, played, gain, lost = _cells(row)
            assert (letter, gain) == (turn_letter(turn.place), signed(float(turn.gain), "en", 0))
            assert row.held[0].scope == "Row"
            assert squeezed(turn.said) in squeezed(played)
            assert lost.startswith(f"{turns[turn.line].loss.value:.1f}")
            if turn.colour in (Colour.BLACK, Colour.ORANGE):
                assert player.startswith(NAMES.get(turn.colour, turn.colour.value))


def test_numbers_have_the_decimal_sign_of_the_language(told: GameTold, review: GameReview) -> None:
    for language, sign, other in (("it", ",", "."), ("ko", ".", ",")):
        lines = checks.read_print(game_report(short(told), review, boards=BoardsOf.NONE, language=language)).lines
        lost = [line.text for line in lines if re.search(r"\d ± \d", line.text)]
        assert len(lost) > 10
        assert all(re.search(rf"\d{re.escape(sign)}\d", text) for text in lost)
        assert not any(re.search(rf"\d{re.escape(other)}\d", text) for text in lost)


@pytest.mark.parametrize("language", ["ru", "uk", "ko", "it"])
def test_turns_are_said_in_the_language_of_the_report(told: GameTold, language: str) -> None:
    page = checks.read_print(game_report(told, boards=BoardsOf.NONE, language=language))
    squashed = squeezed(" ".join(line.text for line in page.lines))
    for turn in told.turns:
        assert squeezed(translate(turn.said, language)) in squashed
    words = {word for line in page.lines for word in re.findall(r"[a-z]{3,}", line.text)}
    assert not words & {"buy", "sell", "use", "keep", "kill", "pass", "claim", "with", "for", "take", "refill"}
    assert squeezed(TEMPLATE.words[language].steps) in squashed


def test_arrows_of_a_round_lie_side_by_side(told: GameTold) -> None:
    for one in told.rounds:
        laid: list[Arrow] = []
        for turn in one.turns:
            if turn.sowing is not None:
                arrows = lay_arrows(turn.sowing, DRAWN, others=laid)
                for arrow in arrows:
                    middle = arrow.along(arrow.length / 2)
                    for other in laid:
                        x, y = other.along(other.length / 2)
                        assert abs(middle[0] - x) + abs(middle[1] - y) > HEAD / 2
                laid += arrows


def test_boards_say_what_they_show_and_mark_kills_and_claims(told: GameTold, drawn: list[Document]) -> None:
    killing = [turn for one in told.rounds for turn in one.turns if "kill" in turn.said]
    assert killing, "the sample has them"
    game_report(told, boards=BoardsOf.ROUND)
    texts = [written.text for written in drawn[0].written]
    for turn in killing:
        labels = marks_of(None, [one for one in turn.events if isinstance(one, AssassinsKilled | TileClaimed)]).labels
        assert labels and all(f"{turn_letter(turn.place)}: {what}" in texts for what in labels.values())
    for one in told.rounds:
        assert any(text.startswith(f"The board before round {one.number}; arrows") for text in texts)
    game_report(told, boards=BoardsOf.TURN)
    captions = [written for written in drawn[1].written if written.text.startswith("The board before turn")]
    assert len(captions) == len(told.turns)
    names = [written for written in drawn[1].written if written.text == "a" and written.box.h > 2]
    assert [one.page for one in captions] == [one.page for one in names], "on the board's page"
    assert all(caption.box.bottom <= name.box.y for caption, name in zip(captions, names, strict=True))


@pytest.mark.parametrize("rows", range(3, 8))
def test_how_turns_are_written_stands_on_one_page(
    told: GameTold, review: GameReview, drawn: list[Document], rows: int
) -> None:
    first = replace(told.rounds[0], turns=(told.rounds[0].turns * 2)[:rows])
    game_report(replace(told, rounds=(first,)), review, boards=BoardsOf.ROUND)
    key = [one for one in drawn[0].written if one.text.startswith(("Turns are written", "viziers (", "assassins ("))]
    assert len(key) == 3 and len({one.page for one in key}) == 1


def test_charts_have_the_numbers_of_the_game(told: GameTold) -> None:
    fonts = Fonts(system=())
    curve = score_curve(told)
    assert len(curve) == 1 + len(told.rounds) + len(told.turns)
    (plot,) = [
        part for part in score_chart(told, LOOK, fonts, width=186, height=76).contents if isinstance(part, LinePlot)
    ]
    for number, colour in enumerate(told.points):
        assert [value for _, value in plot.data[number]] == [point.margins[colour].value for point in curve]
    assert all(before.round <= after.round for before, after in pairwise(curve))
    bars = category_chart(told, LOOK, _labels(), fonts, width=186, height=66)
    (chart,) = [part for part in bars.contents if isinstance(part, VerticalBarChart)]
    assert chart.data == [[score.points[category] for category in CATEGORIES] for score in told.result.scores.values()]
    marks = [part for part in bars.contents if hasattr(part, "kind")]
    assert len(marks) == len(CATEGORIES) * 4 and len({mark.kind for mark in marks}) == 4


@pytest.mark.parametrize("boards", list(BoardsOf))
def test_turns_before_all_bids_stand_before_round_1(drawn: list[Document], boards: BoardsOf) -> None:
    game = begun_in_turns()
    pdf = game_report(game_told(game), review_game(game, ScriptedJudge()), boards=boards)
    first = "The round that the record begins in"
    titles = [one.text for one in drawn[0].written if re.fullmatch(rf"{first}|Round \d", one.text)]
    assert titles == [first, "Round 1", "Round 2"]
    figures = [node.alternative for node in checks.tree(checks.read_print(pdf)).all() if node.tag == "Figure"]
    ahead = [said for said in figures if "of the round that the record begins in" in said]
    assert len(ahead) == {BoardsOf.ROUND: 1, BoardsOf.TURN: 4, BoardsOf.NONE: 0}[boards]
    assert not any("round 0" in said for said in figures)


def test_curves_have_no_number_for_a_round_that_has_none() -> None:
    game = begun_in_turns()
    fonts = Fonts(system=())
    curve = score_curve(game_told(game))
    assert [point.round for point in curve] == [0] * 5 + [1] * 5 + [2] * 5
    chart = score_chart(game_told(game), LOOK, fonts, width=186, height=76)
    (plot,) = [part for part in chart.contents if isinstance(part, LinePlot)]
    across = plot.xValueAxis
    assert [across.labelTextFormat(place) for place in across.valueSteps] == ["", "1", "2"]


def test_who_has_won_is_said_only_where_it_is_known(told: GameTold, drawn: list[Document]) -> None:
    game_report(short(told), boards=BoardsOf.NONE)
    result = told.result
    unknown = replace(result, unknown=("pink: gold not known, counted as 0",))
    game_report(replace(short(told), result=unknown), boards=BoardsOf.NONE)
    game_report(replace(short(told), result=replace(result, finished=False)), boards=BoardsOf.NONE)
    first, second, third = (" ".join(one.text for one in document.written) for document in drawn)
    assert "Winner: " in first and "★" in first
    assert "in what is known" in second and "★" not in second and "pink: gold not known" in second
    assert "So far in the lead" in third and "★" not in third


def test_a_record_of_a_set_up_alone_is_a_readable_page(told: GameTold, drawn: list[Document]) -> None:
    game_report(replace(told, rounds=()))
    texts = [one.text for one in drawn[0].written]
    assert WORDS.start_board in texts and "a" in texts and "5" in texts
    assert WORDS.bars in texts and WORDS.scores not in texts, "there is no curve of one point"


def test_the_same_game_gives_the_same_bytes(told: GameTold) -> None:
    assert game_report(short(told)) == game_report(short(told))


@pytest.mark.parametrize("name", ["x" * 60, "שלום עולם", "🐪🐪🐪", "a\x07b", "한" * 60])
def test_names_of_any_kind_fit(told: GameTold, name: str) -> None:
    pdf = game_report(replace(short(told), names=dict.fromkeys(Colour, name), place=name), boards=BoardsOf.NONE)
    one = checks.read_print(pdf)
    assert [*checks.outside(one), *checks.overlapping_texts(one)] == []


def test_what_there_is_not_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no language 'xx'"):
        check_game_report("xx")
    own = tmp_path / "own.toml"
    own.write_text(template_path("game_report.toml").read_text(encoding="utf-8").replace("row = 6.4", "row = 99"))
    with pytest.raises(UnusableInputError, match=r"parts\.row"):
        check_game_report("en", own)
    assert pick_words(TEMPLATE.words, "ru").won != WORDS.won
    assert set(PAPERS) == {"a4", "letter"}


def test_a_language_that_only_a_template_has_is_drawn_to_the_end(
    told: GameTold, review: GameReview, tmp_path: Path
) -> None:
    """What the template does not say stands in English then."""
    own, own_review = tmp_path / "game.toml", tmp_path / "review.toml"
    german = '\n[words_in.de]\ntitle = "{title}"\n'
    for path, name, title in ((own, "game_report", "Eine Partie"), (own_review, "game_review", "Rückschau")):
        original = template_path(f"{name}.toml").read_text(encoding="utf-8")
        path.write_text(original + german.format(title=title), encoding="utf-8")
    assert "EinePartie" in read_page(game_report(told, review, language="de", template=own)).text(Box(0, 0, 210, 297))
    assert "Rückschau" in read_page(review_report(review, language="de", template=own_review)).text(Box(0, 0, 210, 297))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ["game_report", "game_review"])
def test_the_number_of_a_page_stands_where_printers_print(
    name: str, paper: str, told: GameTold, review: GameReview, tmp_path: Path
) -> None:
    """However low the white edge is that a template leaves, and however large its type."""
    (low,) = (one.metadata["low"] for one in fields(ReportMargins) if one.name == "bottom")
    text, own = template_path(f"{name}.toml").read_text(encoding="utf-8"), tmp_path / "own.toml"
    for usual, other in (("bottom = 12", f"bottom = {low}"), ("small_pt = 7", "small_pt = 20")):
        assert text.count(f"\n{usual}\n") == 1
        text = text.replace(usual, other)
    own.write_text(text, encoding="utf-8")
    if name == "game_report":
        pdf = game_report(short(told), paper=paper, template=own)
    else:
        pdf = review_report(review, paper=paper, template=own)
    read = checks.read_print(pdf)
    assert [line.text for line in read.lines].count("page 1") == 1
    assert checks.outside(read) == []
