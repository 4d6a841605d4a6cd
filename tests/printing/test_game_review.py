"""Reports on games: every decision on them, nothing over anything else, curves told apart without colour."""

from __future__ import annotations

import io
import shutil
import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFilter
from reportlab.graphics.charts.lineplots import LinePlot
from reportlab.graphics.shapes import Polygon, String

from companion.advisor.advice import Estimate
from companion.advisor.review import CurvePoint, GameReview, Moment
from companion.advisor.search.review import review_game
from companion.errors import UnusableInputError, UsageError
from companion.installation import template_path
from companion.language.catalogue import translate
from companion.printing.core.geometry import PAPERS, SAFE_MM, Box
from companion.printing.core.lettering import in_visual_order
from companion.printing.core.page import Document
from companion.printing.core.template import filled
from companion.printing.core.typefaces import Face, Fonts
from companion.printing.review.chart import SHAPES, margin_chart
from companion.printing.review.numbers import signed
from companion.printing.review.report import check_report, review_report, review_svg
from companion.printing.review.template import load_report_template
from companion.rules.model.components import Colour
from tests.advisor.recorded_turns import replayed
from tests.advisor.scripted_judge import ScriptedJudge, sample_review
from tests.printing import checks
from tests.printing.boxes import squeezed

TEMPLATE = load_report_template(None)
WORDS = TEMPLATE.words["en"]


def _four() -> GameReview:
    names = {Colour.BLACK: "Anna", Colour.PINK: "A rather long name for the end of a curve"}
    return replace(review_game(replayed(4, 2), ScriptedJudge(noise=9.0)), names=names)


@pytest.mark.parametrize(("language", "paper"), [("en", "a4"), ("ru", "letter"), ("uk", "a4"), ("it", "letter")])
def test_a_report_has_every_bid_and_turn(drawn: list[Document], paper: str, language: str) -> None:
    review = _four()
    review_report(review, title="Sunday", paper=paper, language=language)
    words = TEMPLATE.words[language]
    together = " ".join(written.text for written in drawn[0].written)
    squashed = squeezed(together)
    for one in review.turns:
        assert squeezed(translate(one.said, language)) in squashed
    for one in review.bids:
        assert filled(words.bid, bid=translate(one.said, language)) in together
    texts = Counter(written.text for written in drawn[0].written)
    marked = [one for one in review.decisions if one.mark]
    assert marked
    for one in marked:
        lost = f"{one.loss.value:.1f} ± {one.loss.error:.1f} {one.mark}"
        assert texts[lost.replace(".", "," if language != "en" else ".")] >= 1
    assert sum(text.endswith("?") for text in texts.elements()) >= len(marked)
    for player in review.players:
        score = review.result.scores[player.colour]
        assert texts[str(score.total)] >= 1
    assert texts["Sunday"] == 1


@pytest.mark.parametrize("paper", PAPERS)
def test_no_text_lies_over_another_or_off_the_paper(drawn: list[Document], paper: str) -> None:
    review_report(_four(), title="Sunday", paper=paper)
    for one in drawn[0].written:
        assert PAPERS[paper].inset(SAFE_MM).holds(one.box), one
    for one, other in combinations(drawn[0].written, 2):
        if one.page == other.page:
            assert not one.box.inset(0.1, 0.3).overlaps(other.box.inset(0.1, 0.3)), (one, other)


def test_the_largest_template_still_stays_on_the_paper(drawn: list[Document], tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    text = template_path("game_review.toml").read_text(encoding="utf-8")
    for small, large in (
        ("header = 17", "header = 60"),
        ("player = 6.5", "player = 20"),
        ("curve = 96", "curve = 140"),
        ("gap = 4.5", "gap = 15"),
        ("top = 10", "top = 40"),
        ("bottom = 12", "bottom = 40"),
        ("text_pt = 8", "text_pt = 24"),
        ("small_pt = 7", "small_pt = 20"),
    ):
        assert small in text
        text = text.replace(small, large)
    own.write_text(text, encoding="utf-8")
    review_report(_four(), paper="letter", template=own)
    for one in drawn[0].written:
        assert PAPERS["letter"].holds(one.box), one


def test_the_decisive_turns_stand_in_words_with_what_was_better(drawn: list[Document]) -> None:
    names = {Colour.BLUE: "Anna", Colour.PINK: "Boris"}
    review = replace(review_game(replayed(2, 1), ScriptedJudge(noise=9.0), seed=1), names=names)
    review_report(review)
    together = " ".join(written.text for written in drawn[0].written)
    for one in review.decisive:
        assert f"Line {one.decision.line}, {review.names[one.decision.colour]}" in together
        assert f"from {signed(one.before, 'en')} to {signed(one.after, 'en')}" in together
        if one.decision.loss.value:
            assert f"Better by {one.decision.loss.value:.1f} VP" in together
    assert any(one.decision.loss.value for one in review.decisive)


def test_decisions_are_a_table_with_a_row_each(drawn: list[Document]) -> None:
    review = _four()
    tree = checks.tree(checks.read_print(review_report(review)))
    players, decisions = [node for node in tree.all() if node.tag == "Table"]
    assert len(players.held) == 5 and len(decisions.held) == len(review.decisions) + 1
    assert drawn[0].written[-1].page > 1, "though it goes on over pages"
    assert [cell.text for cell in decisions.held[0].held][:2] == [WORDS.line, WORDS.player]
    for one, row in zip(review.decisions, decisions.held[1:], strict=True):
        line, _, played, value, loss = (cell.text for cell in row.held)
        assert (line, value) == (str(one.line), signed(one.played.value, "en"))
        assert squeezed(one.said) in squeezed(played)
        assert loss.startswith(f"{one.loss.value:.1f}") if one.loss.value else not loss
        assert bool(one.mark) == loss.endswith("?")


def test_points_that_are_not_known_are_no_number(drawn: list[Document]) -> None:
    review = _four()
    unknown = replace(review, result=replace(review.result, unknown=("pink: gold not known, counted as 0",)))
    review_report(unknown)
    texts = Counter(written.text for written in drawn[0].written)
    assert texts["?"] == 4


def test_the_same_review_gives_the_same_bytes() -> None:
    review = sample_review()
    assert review_report(review) == review_report(review)
    assert review_svg(review) == review_svg(review)


def test_each_curve_has_its_own_colour_dashes_and_marks() -> None:
    review = _four()
    chart = margin_chart(review, TEMPLATE, WORDS, Fonts(system=()), width=180, height=90)
    (plot,) = [part for part in chart.contents if isinstance(part, LinePlot)]
    assert len(plot.data) == 4
    for number, colour in enumerate(review.curve[0].margins):
        assert [value for _, value in plot.data[number]] == [point.margins[colour].value for point in review.curve]
    looks = {(str(plot.lines[at].strokeColor), str(plot.lines[at].strokeDashArray)) for at in range(4)}
    assert len(looks) == 4
    assert len({dashes and tuple(dashes) for _, dashes in SHAPES.values()}) == len(
        {kind for kind, _ in SHAPES.values()}
    )
    marks = Counter(part.kind for part in chart.contents if hasattr(part, "kind"))
    turns = Counter(one.colour for one in review.turns)
    assert marks == {SHAPES[colour][0]: turns[colour] + 1 for colour in turns}, "and one beside the name"
    bands = [part for part in chart.contents if isinstance(part, Polygon) and len(part.points) > 4]
    assert len(bands) == 4


def test_names_at_the_ends_of_curves_are_apart_and_on_the_picture() -> None:
    flat = {colour: Estimate(0.0) for colour in Colour}
    review = replace(
        _four(), curve=(CurvePoint(1, 1, Moment.START, None, flat), CurvePoint(2, 1, Moment.TURN, Colour.BLUE, flat))
    )
    review = replace(review, decisive=())
    fonts = Fonts(system=())
    chart = margin_chart(review, TEMPLATE, WORDS, fonts, width=180, height=90)
    names = [part for part in chart.contents if isinstance(part, String) and part.fontSize == TEMPLATE.type.text_pt]
    assert len(names) == 4
    heights = sorted(part.y for part in names)
    assert all(above - below >= TEMPLATE.type.text_pt for below, above in zip(heights, heights[1:], strict=False))
    for part in names:
        assert part.text.endswith(" 0")
        width = sum(run.width(part.fontSize) for run in fonts.runs(part.text, Face.REGULAR))
        assert part.x + width <= chart.width


@pytest.mark.parametrize("name", ["שרה", "سلام", "ליאור בן דוד הכהן הגדול"])
def test_the_number_after_a_name_from_right_to_left_stays_behind_it(name: str) -> None:
    flat = {colour: Estimate(-30.0) for colour in Colour}
    review = replace(_four(), names={Colour.BLUE: name}, curve=(CurvePoint(1, 1, Moment.START, None, flat),))
    chart = margin_chart(replace(review, decisive=()), TEMPLATE, WORDS, Fonts(system=()), width=180, height=90)
    lines: dict[float, str] = {}
    for part in sorted((part for part in chart.contents if isinstance(part, String)), key=lambda part: float(part.x)):
        lines[part.y] = lines.get(part.y, "") + part.text
    (line,) = [line for line in lines.values() if not line.isascii() and not line[0].isascii()]
    before, number = line.split(" −")
    assert number == "30" and in_visual_order(name).endswith(before.removeprefix("…"))


def test_the_svg_of_a_name_that_xml_cannot_hold_opens() -> None:
    review = sample_review()
    names = dict.fromkeys(review.names, "An\uffffna\x01\ud800")
    root = ET.fromstring(review_svg(replace(review, names=names)))
    assert [part for part in root.iter() if "Anna" in part.get("aria-label", "")]


def test_the_svg_is_a_picture_whose_letters_need_no_font() -> None:
    review = sample_review()
    drawn = review_svg(review)
    root = ET.fromstring(drawn)
    assert root.tag.endswith("svg")
    assert not [part for part in root.iter() if part.tag.endswith("text")]
    assert b"font" not in drawn
    groups = [part for part in root.iter() if part.get("aria-label")]
    said = [part.attrib["aria-label"] for part in groups]
    assert any(text.startswith("Марія ") for text in said) and WORDS.round in said
    for group in groups:
        letters = [part for part in group if part.attrib["d"].startswith("M")]
        assert len(letters) == len(group.attrib["aria-label"].replace(" ", ""))
    lines = [part for part in root.iter() if part.tag.endswith("polyline")]
    assert len(lines) >= 2
    assert [part.text for part in root if part.tag.endswith(("title", "desc"))] == [WORDS.curve, WORDS.curve_note]


@pytest.mark.parametrize("language", ["ru", "ko"])
def test_the_svg_looks_as_the_page_does(language: str, tmp_path: Path) -> None:
    if shutil.which("rsvg-convert") is None or shutil.which("pdftoppm") is None:
        pytest.skip("rsvg-convert (Debian: librsvg2-bin) or pdftoppm (poppler-utils) is not installed")
    review = sample_review()
    fonts = Fonts(system=())
    page = Document(Box(0, 0, 180, 95), fonts, title="t", language=language)
    page.picture(
        margin_chart(review, TEMPLATE, TEMPLATE.words[language], fonts, width=180, height=95), 0, 0, alternative="t"
    )
    (tmp_path / "page.pdf").write_bytes(page.to_bytes())
    (tmp_path / "curve.svg").write_bytes(review_svg(review, language=language))
    pictures = []
    for command in (
        ["pdftoppm", "-r", "72", "-png", "page.pdf"],
        ["rsvg-convert", "-w", "510", "-h", "269", "-b", "white", "curve.svg"],
    ):
        shown = subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=tmp_path)
        picture = Image.open(io.BytesIO(shown.stdout)).convert("L").resize((510, 269))
        pictures.append(np.asarray(picture.filter(ImageFilter.GaussianBlur(2)), float))
    assert np.abs(pictures[0] - pictures[1]).max() < 60
    assert np.abs(pictures[0] - pictures[1]).mean() < 2


def test_a_game_without_turns_has_a_report_too(drawn: list[Document]) -> None:
    review = _four()
    bare = replace(review, decisions=review.bids[:1], draws=(), curve=review.curve[:2], decisive=())
    assert review_report(bare).startswith(b"%PDF")
    assert review_svg(bare).startswith(b"<?xml")


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(1.26, 1, "+1.3"), (-3.0, 1, "−3.0"), (0.04, 1, "0.0"), (-0.04, 1, "0.0"), (12.6, 0, "+13")],
)
def test_margins_have_their_sign(value: float, digits: int, text: str) -> None:
    assert signed(value, "en", digits) == text


def test_braces_that_mean_nothing_stay() -> None:
    assert filled("{page} of {pages} {", page=3) == "3 of {pages} {"


def test_what_there_is_not_is_refused_before_the_work(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no language 'xx'"):
        check_report("xx")
    with pytest.raises(UsageError, match="no such folder"):
        check_report("en", None, tmp_path / "none")
    own = tmp_path / "own.toml"
    own.write_text(template_path("game_review.toml").read_text(encoding="utf-8").replace("curve = 96", "curve = 1"))
    with pytest.raises(UnusableInputError, match=r"parts\.curve"):
        check_report("en", own)
    check_report()
