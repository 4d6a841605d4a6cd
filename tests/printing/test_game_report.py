"""Reports on games: every value in its place, everything that was played, curves told apart without colour."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import pytest

from companion.advisor.account import GameSummary, summarise_game
from companion.advisor.advice import Estimate
from companion.advisor.review import GameReview
from companion.advisor.search.reviewing import review_game
from companion.language.catalogue import translate
from companion.opening.text import open_record
from companion.printing.core.board import FOR_ROUNDS, Point
from companion.printing.core.geometry import Box
from companion.printing.core.kinds import REPORT
from companion.printing.core.page import Document
from companion.printing.core.template import filled, pick_words
from companion.printing.core.typefaces import Fonts
from companion.printing.hint import drawing
from companion.printing.report.charts import dashed, round_ticks, score_curve
from companion.printing.report.history_plot import history_plot
from companion.printing.report.pages import number, signed, with_error
from companion.printing.report.report import game_report
from companion.printing.report.rounds import BoardsOf, draw_round, loss_words, turn_letter
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour
from companion.system.installation import template_path
from tests.advisor.recorded_turns import begun_in_turns, replayed
from tests.advisor.scripted_judge import ScriptedJudge, sample_summary
from tests.printing import checks
from tests.printing.boxes import overlapping, overlaps, read_page, squeezed
from tests.printing.prints import sample_statistics

TEMPLATE = REPORT.load()
WORDS = pick_words(TEMPLATE, "en")
LABELS = dict(
    zip(CATEGORIES, ("Coins", "Viziers", "Elders", "Djinns", "Palm trees", "Palaces", "Tiles", "Goods"), strict=True)
)
NAMES = {
    Colour.BLACK: "Anna",
    Colour.PINK: "A rather long name that has to be cut or set smaller",
    Colour.BLUE: "Борис",
}


@pytest.fixture(scope="module")
def told() -> GameSummary:
    return replace(summarise_game(replayed(4, 2)), names=NAMES, place="Київ")


@pytest.fixture(scope="module")
def review() -> GameReview:
    return replace(review_game(replayed(4, 2), ScriptedJudge(noise=9.0)), names=NAMES)


def short(told: GameSummary) -> GameSummary:
    """The first two turns alone: a test of looks needs no more."""
    return replace(told, rounds=(replace(told.rounds[0], turns=told.rounds[0].turns[:2]),))


def test_every_turn_stands_with_what_it_brought_and_the_gain_in_its_row(
    told: GameSummary, drawn: list[Document]
) -> None:
    pdf = game_report(told, boards=BoardsOf.ROUND)
    written = drawn[0].written
    together = " ".join(one.text for one in written)
    for turn in told.turns:
        assert squeezed(turn.said) in squeezed(together)
        parts = [f"{LABELS[name]} {signed(float(points), 'en', 0)}" for name, points in turn.brought.items() if points]
        assert (", ".join(parts) or WORDS.nothing) in together
    for part in told.rounds:
        assert filled(WORDS.round_title, number=part.number) in together
    assert WORDS.without in together
    on = next(one.page for one in written if one.text == WORDS.gain)
    page = read_page(pdf, on)
    head = next(one for one in written if one.page == on and one.text == WORDS.gain)
    for turn in told.rounds[0].turns[:2]:
        row = next(one for one in written if one.page == on and turn.said.startswith(one.text) and len(one.text) > 5)
        assert page.text(Box(head.box.right - 12, row.box.y, 12.2, row.box.h)) == signed(float(turn.gain), "en", 0)
        assert page.text(Box(10, row.box.y, 8, row.box.h)) == "ABCD"[turn.place]


def test_what_was_lost_stands_in_the_row_of_its_turn_with_what_was_better(
    told: GameSummary, review: GameReview, drawn: list[Document]
) -> None:
    pdf = game_report(told, review, boards=BoardsOf.NONE)
    texts = [one.text for one in drawn[0].written]
    together = squeezed(" ".join(texts))
    marked = [one for one in review.turns if one.mark]
    assert marked and texts.count(WORDS.advice) == 1 and WORDS.without not in texts
    for decision in marked:
        assert f"{decision.loss.value:.1f} ± {decision.loss.error:.1f} {decision.mark}" in texts
        assert squeezed(filled(WORDS.better, turn=decision.best_said)) in together
    for decision in review.bids:
        if decision.mark:
            assert squeezed(f"({WORDS.loss} {decision.loss.value:.1f} {decision.mark})") in together
    tables = [node for node in checks.tree(checks.read_print(pdf)).all() if node.tag == "Table"]
    heads = [WORDS.turn, WORDS.player, WORDS.played, WORDS.gain, WORDS.loss]
    rounds = [table for table in tables if [cell.text for cell in table.held[0].held] == heads]
    turns = {one.line: one for one in review.turns}
    for part, table in zip(told.rounds, rounds, strict=True):
        assert len(table.held) == len(part.turns) + 1, "heads that are printed again are not said again"
        assert {cell.scope for cell in table.held[0].held} == {"Column"}
        for turn, row in zip(part.turns, table.held[1:], strict=True):
            letter, player, played, gain, lost = (cell.text for cell in row.held)
            assert (letter, gain) == (turn_letter(turn.place), signed(float(turn.gain), "en", 0))
            assert row.held[0].scope == "Row" and squeezed(turn.said) in squeezed(played)
            assert squeezed(lost).startswith(squeezed(loss_words(turns[turn.line], "en")))
            if turn.colour in (Colour.BLACK, Colour.ORANGE):
                assert player.startswith(NAMES.get(turn.colour, turn.colour.value))


def test_the_advice_has_a_row_a_player_and_the_turns_that_decided_the_game(drawn: list[Document]) -> None:
    played = replayed(2, 1)
    review = review_game(played, ScriptedJudge(noise=9.0), seed=1)
    pdf = game_report(summarise_game(played), review, boards=BoardsOf.NONE)
    together = " ".join(written.text for written in drawn[0].written)
    for turn in review.decisive:
        assert f"Line {turn.decision.line}, {turn.decision.colour}" in together
        assert f"from {signed(turn.before, 'en')} to {signed(turn.after, 'en')}" in together
        if turn.decision.loss.value:
            assert f"Better by {turn.decision.loss.value:.1f} VP" in together
    assert any(turn.decision.loss.value for turn in review.decisive)
    tables = [node for node in checks.tree(checks.read_print(pdf)).all() if node.tag == "Table"]
    (players,) = (table for table in tables if "at the start" in [cell.text for cell in table.held[0].held])
    for player, row in zip(review.players, players.held[1:], strict=True):
        name, *numbers = (cell.text for cell in row.held)
        losses = [Estimate(-loss.value, loss.error) for loss in (player.loss, player.bids_loss)]
        wanted = [with_error(value, "en") for value in (player.start, player.luck, *losses)]
        wanted += [signed(player.rest, "en"), with_error(player.margin, "en")]
        assert name.startswith(player.colour) and numbers[:-1] == wanted
        assert numbers[-1] == str(review.result.scores[player.colour].total)
    unknown = replace(review, result=replace(review.result, unknown=("pink: gold not known, counted as 0",)))
    game_report(summarise_game(played), unknown, boards=BoardsOf.NONE)
    assert [written.text for written in drawn[1].written].count("?") == 2


@pytest.mark.slow
def test_turns_are_said_and_numbers_written_in_the_language_of_the_report(
    told: GameSummary, review: GameReview
) -> None:
    for language, sign, other in (("ru", ",", "."), ("uk", ",", "."), ("ko", ".", ","), ("it", ",", ".")):
        lines = checks.read_print(game_report(told, review, boards=BoardsOf.NONE, language=language)).lines
        together = squeezed(" ".join(line.text for line in lines))
        assert all(squeezed(translate(turn.said, language)) in together for turn in told.turns)
        words = {word for line in lines for word in re.findall(r"[a-z]{3,}", line.text)}
        assert not words & {"buy", "sell", "use", "keep", "kill", "pass", "claim", "with", "for", "take", "refill"}
        lost = [line.text for line in lines if re.search(r"\d ± \d", line.text)]
        assert len(lost) > 10 and all(re.search(rf"\d{re.escape(sign)}\d", text) for text in lost)
        assert not any(re.search(rf"\d{re.escape(other)}\d", text) for text in lost)


def test_how_turns_are_written_stands_on_one_page(told: GameSummary, review: GameReview, drawn: list[Document]) -> None:
    for rows in (3, 5, 7):
        first = replace(told.rounds[0], turns=(told.rounds[0].turns * 2)[:rows])
        game_report(replace(told, rounds=(first,)), review, boards=BoardsOf.ROUND)
        key = [
            one for one in drawn[-1].written if one.text.startswith(("Turns are written", "viziers (", "assassins ("))
        ]
        assert len(key) == 3 and len({one.page for one in key}) == 1


def test_without_a_review_it_is_read_with_the_charts(told: GameSummary, drawn: list[Document]) -> None:
    game_report(told)
    heads = ("Points by category", "Turns are written", "Made without advice")
    assert {one.page for one in drawn[-1].written if one.text.startswith(heads)} == {
        one.page for one in drawn[-1].written if one.text == "Points over the game"
    }


GAME = Path(__file__).resolve().parents[2] / "samples/game.txt"


def test_marks_on_a_rounds_board_cover_no_piece_no_name_and_no_other_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands on a tile is as far from its edge as the least that is drawn there."""
    polygons: list[Box] = []
    labels: list[Box] = []
    polygon, label = drawing._polygon, drawing.draw_label

    def keep_polygon(surface: Document, points: Iterable[Point], *, width: float = 0.0, **how: str) -> None:
        at = [*points]
        left, top, right, foot = (edge(axis) for edge in (min, max) for axis in zip(*at, strict=True))
        if "fill" in how:
            polygons.append(Box(left, top, right - left, foot - top).inset(-width / 2))
        polygon(surface, at, width=width, **how)

    def keep_label(surface: Document, one: drawing.Label, colour: str) -> None:
        labels.append(one.box)
        label(surface, one, colour)

    monkeypatch.setattr(drawing, "_polygon", keep_polygon)
    monkeypatch.setattr(drawing, "draw_label", keep_label)
    rounds = summarise_game(open_record(GAME)).rounds
    for part, width in product(rounds, (100, 116)):
        assert part.before is not None
        page = Document(Box(0, 0, 210, 297), Fonts(), title="", language="en")
        place = Box(20, 20, width, FOR_ROUNDS.height_for(width))
        polygons.clear()
        labels.clear()
        draw_round(page, place, part, part.before.position.board, TEMPLATE.curves, "en")
        assert len(polygons) == 2 * sum(len(turn.sowing.path) for turn in part.turns if turn.sowing is not None)
        tiles = FOR_ROUNDS.tile_boxes(place)
        names = [written.box for written in page.written[:11]]
        assert [one.text for one in page.written[:11]] == [*"abcdef", *"12345"]
        for mark in (*polygons, *labels):
            assert not any(overlaps(mark, name) for name in names)
            assert not any(overlaps(mark, tile.inset(0.07 * tile.w)) for tile in tiles), (part.number, width)
        assert overlapping(labels) == []
        # Of each arrow its light rim comes first, then its body.
        bodies = polygons[1::2]
        assert not any(overlaps(one, body) for one in labels for body in bodies), (part.number, width)
        assert overlapping(bodies) == [], (part.number, width)


def test_two_rounds_stand_on_a_page(drawn: list[Document]) -> None:
    for summary in (summarise_game(open_record(GAME)), sample_summary()):
        game_report(summary)
        titles = [filled(WORDS.round_title, number=part.number) for part in summary.rounds]
        pages = [one.page for title in titles for one in drawn[-1].written if one.text == title]
        assert max(Counter(pages).values()) == 2 and len(set(pages)) == -(-len(titles) // 2)


def test_dashes_run_on_over_corners() -> None:
    points = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)]
    assert dashed(points, ()) == (("M", points[0]), ("L", points[1]), ("L", points[2]))
    wanted = [("M", (0, 0)), ("L", (2, 0)), ("M", (3, 0)), ("L", (3, 2)), ("M", (3, 3)), ("L", (3, 4))]
    assert [(command, tuple(map(round, point))) for command, point in dashed(points, (2.0, 1.0))] == wanted


def test_a_round_that_was_under_way_has_no_number(drawn: list[Document]) -> None:
    game = begun_in_turns()
    game_report(summarise_game(game), boards=BoardsOf.NONE)
    titles = [
        one.text
        for one in drawn[0].written
        if re.fullmatch("The round in progress when the record begins|Round \\d", one.text)
    ]
    assert titles == ["The round in progress when the record begins", "Round 1", "Round 2"]
    curve = score_curve(summarise_game(game))
    assert [point.round for point in curve] == [0] * 5 + [1] * 5 + [2] * 5


def test_who_has_won_is_said_only_where_it_is_known(told: GameSummary, drawn: list[Document]) -> None:
    result = told.result
    unknown = replace(result, unknown=("pink: gold not known, counted as 0",))
    for shown in (result, unknown, replace(result, finished=False)):
        game_report(replace(short(told), result=shown), boards=BoardsOf.NONE)
    first, second, third = (" ".join(one.text for one in document.written) for document in drawn)
    assert "Winner" in first and "★" in first
    assert "Most points, going by what's known" in second and "Winner" not in second and "★" not in second
    assert "In the lead" in third and "★" not in third


def test_a_game_without_turns_has_a_report_too(told: GameSummary, drawn: list[Document]) -> None:
    game_report(replace(told, rounds=()))
    texts = [one.text for one in drawn[0].written]
    assert WORDS.start_board in texts and "a" in texts and "5" in texts
    assert WORDS.bars in texts and WORDS.scores not in texts, "there is no curve of one point"


def test_names_of_any_kind_fit(told: GameSummary) -> None:
    names = dict(zip(Colour, ("x" * 60, "שלום עולם", "🐪a\x07b", "W" * 60), strict=True))
    read = checks.read_print(game_report(replace(short(told), names=names, place="x" * 60), boards=BoardsOf.NONE))
    assert [*checks.outside(read), *checks.overlapping_texts(read)] == []


def test_numbers_have_their_sign() -> None:
    for value, digits, text in (
        (1.26, 1, "+1.3"),
        (-3.0, 1, "−3.0"),
        (0.04, 1, "0.0"),
        (-0.04, 1, "0.0"),
        (12.6, 0, "+13"),
    ):
        assert signed(value, "en", digits) == text
    assert (number(2.14, "ru"), with_error(Estimate(3.14, 0.42), "it")) == ("2,1", "+3,1 ± 0,4")


def test_templates_of_ones_own_are_drawn_to_the_end(told: GameSummary, review: GameReview, tmp_path: Path) -> None:
    """What they do not say stands in English; however low the white edge, the page's number can be printed."""
    own, own_review = tmp_path / "game.toml", tmp_path / "review.toml"
    original = template_path("game_report.toml").read_text(encoding="utf-8")
    own.write_text(f"{original}\n[words_in.de]\ntitle = 'Eine Partie'\n", encoding="utf-8")
    everywhere = Box(0, 0, 210, 297)
    assert "EinePartie" in read_page(game_report(short(told), review, language="de", template=own)).text(everywhere)
    own_review.write_text('format = 2\nkind = "game_review"\n[words]\nluck = "fortune"\n', encoding="utf-8")
    assert "fortune" in read_page(game_report(told, review, template=own_review), 1).text(everywhere)
    own.write_text('format = 2\nkind = "game_report"\n[page]\nbottom = 10.5\n[type]\nsmall_pt = 20\n', encoding="utf-8")
    read = checks.read_print(game_report(short(told), template=own))
    assert [line.text for line in read.lines].count("page 1") == 1
    assert checks.outside(read) == []


def test_the_numbers_of_an_axis_hold_all_that_is_shown() -> None:
    for numbers in ([3, 61], [0, 0], [7], [-12, 140], [99, 101], [1, 10_000]):
        ticks = round_ticks(numbers, 6)
        assert ticks[0] <= min(numbers) and max(numbers) <= ticks[-1] and 2 <= len(ticks) <= 8
        assert len({after - before for before, after in pairwise(ticks)}) == 1
    assert round_ticks([0, 65], 7) == [0, 10, 20, 30, 40, 50, 60, 70]
    assert round_ticks([-3, 14], 8) == [-5, 0, 5, 10, 15]


def test_the_page_of_a_history_keeps_to_what_prints_do() -> None:
    assert checks.check_all(history_plot(sample_statistics(), ".pdf", language="ru")) == []
