"""Score sheets: nothing outside the page, nothing over anything else, all words there, the same bytes each time."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from pypdf import PdfReader

from companion.errors import UsageError
from companion.language.catalogue import PSEUDO
from companion.notation.codes import decode, encode
from companion.printing.core.geometry import PAPERS, SAFE_MM, Box
from companion.printing.core.page import Document
from companion.printing.core.qr import MIN_MODULE_MM, grouped, qr_modules
from companion.printing.core.surface import Written
from companion.printing.core.typefaces import LAST_RESORT
from companion.printing.score.layout import CATEGORY_ROWS, PageBoxes, lay_out, lay_out_filled
from companion.printing.score.outcome import outcome_text
from companion.printing.score.sheet import filled_sheet, score_pad
from companion.printing.score.template import load_score_template
from companion.rules.engine.scoring import CATEGORIES, GameResult, Holdings, Score, score_holdings
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.vision.locate.codes import find_codes
from tests.printing.approved import HELD as THREE
from tests.printing.boxes import read_page
from tests.printing.conftest import photographed, picture

TEMPLATE = load_score_template(None)
EUROPEAN = ("en", "ru", "uk", "it")
HELD = {
    Colour.BLACK: THREE[Colour.BLACK],
    Colour.ORANGE: THREE[Colour.ORANGE],
    Colour.BLUE: Holdings(
        gold=12,
        viziers=7,
        elders=0,
        fakirs=0,
        goods=(0, 0, 0, 0, 0, 2, 0, 0, 0),
        djinns=(),
        palms=0,
        palaces=3,
        tiles=(5, 5, 5, 10, 8, 8, 8, 6),
    ),
    Colour.PINK: THREE[Colour.PINK],
}
SCORES = score_holdings(HELD)


def _filled(language: str = "en", *, scores: dict[Colour, Score] = SCORES, paper: str = "a4", **more: object) -> bytes:
    options: dict[str, object] = {"names": {}, "code": None, "template": None, **more}
    finished = bool(options.pop("finished", True))
    unknown = ("gold not known",) if options.pop("lacking", False) else ()
    result = GameResult(scores, finished, unknown)
    return filled_sheet(result, paper=paper, language=language, **options)  # type: ignore[arg-type]


def _text(pdf: bytes, page: int = 0) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return str(document[page].get_textpage().get_text_bounded())


def _check_writing(document: Document) -> None:
    """Every text inside the page's safe zone, none over another."""
    safe = document.paper.inset(SAFE_MM)
    cores: dict[int, list[tuple[Box, Written]]] = {}
    for one in document.written:
        assert safe.holds(one.box), one
        core, before = _core(one), cores.setdefault(one.page, [])
        for other, text in before:
            assert not core.overlaps(other), (one, text)
        before.append((core, one))


def _core(written: Written) -> Box:
    """The part of a line that holds its letters but for the tails of g and the accents of Й."""
    return written.box.inset(0, written.box.h * 0.2)


def _pages(paper: str, players: int) -> list[tuple[int, PageBoxes]]:
    """Every page that there is for so many players, with the sheets that it should have."""
    pads = [(int(name), lay_out(TEMPLATE, PAPERS[paper], layout, players)) for name, layout in TEMPLATE.layouts.items()]
    return [*pads, (1, lay_out_filled(TEMPLATE, PAPERS[paper], players))]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("paper", PAPERS)
def test_every_box_has_a_place_of_its_own(paper: str, players: int) -> None:
    for sheets, boxes in _pages(paper, players):
        assert len(boxes.slips) == sheets
        safe = boxes.paper.inset(SAFE_MM)
        for number, slip in enumerate(boxes.slips):
            assert not any(slip.trim.overlaps(other.trim) for other in boxes.slips[:number])
            assert all(slip.trim.inset(SAFE_MM).holds(part) for part in slip.parts), "5 mm from the edge and the cut"
            assert not any(one.overlaps(other) for n, one in enumerate(slip.parts) for other in slip.parts[:n])
            assert len(slip.names) == players and [len(row) for row in slip.cells] == [players] * 9
            assert slip.goods is not None and [len(row) for row in slip.goods.cells] == [players] * 9
        for box in [*(mark.box for mark in boxes.marks), *(boxes.ruler or ())]:
            assert safe.holds(box)
            assert not any(box.overlaps(part) or part.holds(box) for slip in boxes.slips for part in slip.parts)


@pytest.mark.parametrize(("per_page", "cuts", "crossings"), [("1", 0, 0), ("2", 1, 0), ("4", 2, 1)])
@pytest.mark.parametrize("paper", PAPERS)
def test_marks_stand_where_the_paper_is_cut_and_nowhere_else(
    paper: str, per_page: str, cuts: int, crossings: int
) -> None:
    boxes = lay_out(TEMPLATE, PAPERS[paper], TEMPLATE.layouts[per_page], 4)
    edges = {round(edge, 3) for slip in boxes.slips for edge in (slip.trim.x, slip.trim.right)}
    heights = {round(edge, 3) for slip in boxes.slips for edge in (slip.trim.y, slip.trim.bottom)}
    inner = {round(boxes.paper.w / 2, 3), round(boxes.paper.h / 2, 3)}
    assert len(boxes.marks) == 2 * cuts + 2 * crossings
    for mark in boxes.marks:
        across, at = mark.y1 == mark.y2, round(mark.y1 if mark.y1 == mark.y2 else mark.x1, 3)
        assert at in (heights if across else edges) and at in inner


def test_four_to_an_a4_are_a6() -> None:
    boxes = lay_out(TEMPLATE, PAPERS["a4"], TEMPLATE.layouts["4"], 4)
    assert {(slip.trim.w, slip.trim.h) for slip in boxes.slips} == {(105, 148.5)}
    assert min(cell.h for slip in boxes.slips for row in slip.cells for cell in row) >= 5.5
    two = lay_out(TEMPLATE, PAPERS["a4"], TEMPLATE.layouts["2"], 4)
    assert {(slip.trim.w, slip.trim.h) for slip in two.slips} == {(148.5, 210)}


@pytest.mark.parametrize("paper", PAPERS)
def test_one_to_a_page_uses_its_room(paper: str) -> None:
    boxes = lay_out(TEMPLATE, PAPERS[paper], TEMPLATE.layouts["1"], 4)
    assert min(cell.h for row in boxes.slips[0].cells for cell in row) >= 10.5
    assert boxes.slips[0].goods is not None and boxes.slips[0].goods.cells[0][0].h >= 7


def test_rows_are_the_categories_in_order_and_the_total() -> None:
    assert (*CATEGORIES, "total") == CATEGORY_ROWS


@pytest.mark.parametrize("language", EUROPEAN)
@pytest.mark.parametrize(
    ("paper", "per_page", "players"), [("letter", 1, 4), ("a4", 2, 3), ("a4", 4, 4), ("letter", 4, 2)]
)
def test_a_pad_has_all_words_and_none_over_another(
    drawn: list[Document], paper: str, per_page: int, players: int, language: str
) -> None:
    pdf = score_pad(players=players, paper=paper, per_page=per_page, language=language)
    _check_writing(drawn[0])
    words = TEMPLATE.words[language]
    text = _text(pdf)
    assert text.count(words.date) >= per_page
    for category in CATEGORY_ROWS:
        assert text.count(getattr(words.labels, category)) >= per_page
    assert (words.scale in text) == (per_page == 1), "nothing to measure where the paper is cut into equal parts"
    assert " ".join(words.hints.viziers.split()[:2]) in text
    assert text.count(words.cards) == per_page and text.count(words.goods.pottery) == per_page
    reader = PdfReader(io.BytesIO(pdf))
    assert reader.metadata is not None and reader.metadata.title == f"{words.title} – {words.subtitle}"
    assert reader.trailer["/Root"]["/Lang"] == language  # type: ignore[index]
    assert reader.trailer["/Root"]["/ViewerPreferences"]["/DisplayDocTitle"]  # type: ignore[index]


def test_korean_is_whole(drawn: list[Document]) -> None:
    pdf = score_pad(language="ko", names=["지훈", "Ann", "Борис", "Łucja"])
    _check_writing(drawn[0])
    assert all(word in _text(pdf) for word in ("재상", "합계", "지훈", "Борис"))


def test_korean_needs_no_font_of_the_system(bare_system: None, drawn: list[Document]) -> None:
    score_pad(language="ko")
    assert not any(LAST_RESORT in written.text for written in drawn[0].written)


def test_pages_are_alike_and_names_are_on_each_sheet() -> None:
    pdf = score_pad(players=3, pages=3, names=["Anna", "Борис", "Łucja"])
    assert len(PdfReader(io.BytesIO(pdf)).pages) == 3
    assert _text(pdf, 0) == _text(pdf, 2)
    assert _text(pdf).count("Łucja") == 4


@pytest.mark.parametrize("per_page", [1, 2, 4])
def test_a_long_name_is_set_smaller_or_in_two_lines_and_then_cut(drawn: list[Document], per_page: int) -> None:
    two_lines = "Maximilian of Five Oaks"
    score_pad(players=4, per_page=per_page, names=["Maximilian", "Anna", "B" * 60, two_lines])
    texts = [written.text for written in drawn[0].written]
    assert "Maximilian" in texts
    assert any(text.startswith("BBB") and text.endswith("…") for text in texts)
    assert two_lines in (*texts, *(f"{one} {next_one}" for one, next_one in zip(texts, texts[1:], strict=False)))
    _check_writing(drawn[0])


@pytest.mark.parametrize(
    "name",
    [
        "Ярослава Володимирівна Кропивницька-Заболотна з Переяслава!!",
        "한글이름" * 15,
        "שרה " * 15,
        "Zoë 🐪" * 12,
        "a\u200bb\x07c\n" * 12,
        "李" * 60,
        "W" * 5000,
    ],
    ids=["uk", "ko", "he", "emoji", "control", "zh", "endless"],
)
def test_names_in_any_script_stand_in_their_column(drawn: list[Document], name: str) -> None:
    score_pad(players=3, names=[name, "Ann", "Bo"])
    _filled(names={Colour.BLACK: name, Colour.PINK: "Bo"}, date="2026-11-21", place=name)
    for document in drawn:
        _check_writing(document)


def test_light_ink_has_no_coloured_surface(tmp_path: Path) -> None:
    full, light = score_pad(per_page=1), score_pad(per_page=1, full_ink=False)
    fills = {colour for colour, _ in read_page(light).shapes if colour}
    assert fills <= {"#FFFFFF", TEMPLATE.palette.ink.upper()}, "white, and the ink of small solid parts of icons"
    assert (255 - picture(light, tmp_path, 40)).sum() < 0.75 * (255 - picture(full, tmp_path, 40)).sum()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"paper": "a5"}, "a4, letter"),
        ({"per_page": 3}, "1, 2, 4"),
        ({"language": "fr"}, "en, ru, uk, ko, it"),
        ({"players": 3, "names": ["A"]}, "3 names"),
        ({"players": 5}, "2, 3 or 4"),
        ({"players": 0}, "2, 3 or 4"),
    ],
)
def test_what_there_is_not_is_refused_with_what_there_is(options: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        score_pad(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", EUROPEAN)
@pytest.mark.parametrize(("paper", "players"), [("a4", 2), ("letter", 3), ("letter", 4)])
def test_a_filled_sheet_has_every_number(drawn: list[Document], players: int, paper: str, language: str) -> None:
    scores = dict(list(SCORES.items())[:players])
    pdf = _filled(language, scores=scores, paper=paper, code=encode(random_setup(2, 1)))
    _check_writing(drawn[0])
    texts = [written.text for written in drawn[0].written]
    for score in scores.values():
        for points in (*score.points.values(), score.total):
            assert str(points) in texts
    assert str(max(score.total for score in scores.values())) in _text(pdf)


def test_9_3_winners_alone_are_marked(drawn: list[Document]) -> None:
    tied = {Colour.BLACK: Score(gold=30), Colour.BLUE: Score(gold=30), Colour.PINK: Score(gold=29)}
    _filled(scores=tied, names={Colour.BLUE: "Ann"})
    texts = [written.text for written in drawn[0].written]
    assert [text for text in texts if "winner" in text] == ["black · winner", "blue · winner"]
    assert "Ann" in texts and "pink" in texts


@pytest.mark.parametrize(("finished", "lacking"), [(False, False), (True, True)], ids=["not over", "gold not known"])
def test_9_3_nobody_is_marked_before_the_game_is_decided(drawn: list[Document], finished: bool, lacking: bool) -> None:
    _filled(finished=finished, lacking=lacking)
    assert not any("winner" in written.text for written in drawn[0].written)
    result = GameResult(SCORES, finished, ("gold not known",) if lacking else ())
    assert "1. " not in outcome_text(result, {}, "", "", Box(0, 0, 60, 60))


@pytest.mark.parametrize("language", EUROPEAN)
def test_date_and_place_stand_on_their_lines(drawn: list[Document], language: str) -> None:
    _filled(language, date="2026-11-21", place="The long room of the Golden Lion, upstairs, by the window")
    words = TEMPLATE.words[language]
    found = {written.text: written.box for written in drawn[0].written}
    date, place = found["2026-11-21"], next(box for text, box in found.items() if text.startswith("The long room"))
    assert date.x > found[words.date].right and place.x > found[words.place].right
    assert abs(date.centre[1] - found[words.date].centre[1]) < 0.5
    assert abs(place.centre[1] - found[words.place].centre[1]) < 0.5
    _check_writing(drawn[0])


def test_the_code_is_on_the_sheet_as_text_and_qr(drawn: list[Document], tmp_path: Path) -> None:
    position = random_setup(3, 9)
    code = encode(position)
    pdf = _filled(code=code, date="2026-11-21", place="Kyiv", names={Colour.BLACK: "Анна"})
    lines = [written.text for written in drawn[0].written]
    at = next(number for number, line in enumerate(lines) if line.startswith("FT1-"))
    printed = "".join(lines[at:]).partition(TEMPLATE.words["en"].result)[0]
    assert printed == grouped(code) and decode(printed) == position
    page = picture(pdf, tmp_path, 150)
    middle = (page.shape[1] / 2, page.shape[0] / 2)
    turn = cv2.getRotationMatrix2D(middle, 3, 1)
    turned = cv2.warpAffine(page, turn, (page.shape[1], page.shape[0]), borderValue=255)
    for seen in (turned, photographed(page)):
        photo = np.repeat(seen[:, :, None], 3, axis=2)
        assert decode(find_codes(photo)[0]) == position, "the position's code comes first"
        (result,) = find_codes(photo[:, int(photo.shape[1] * 0.45) :])
        assert result.startswith("Five Tribes, 2026-11-21, Kyiv\n1. Анна (black) 208 = 41+35+12+17+9+10+31+53\n")


def test_the_same_sheet_is_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    script = (
        "import sys; from companion.printing.score.sheet import score_pad\n"
        "sys.stdout.buffer.write(score_pad(names=['Anna', 'Борис', 'Αθηνά', 'D'], language='uk'))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", script], check=True, capture_output=True, cwd=tmp_path, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] and runs[0].startswith(b"%PDF")
    assert str(Path.cwd()).encode() not in runs[0]


def test_printing_a_sheet_loads_no_heavy_library_that_it_does_not_need() -> None:
    script = "import sys, companion.printing.score.sheet as s; s.score_pad(); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert not {"cv2", "numpy", "rich", "pytesseract"} & set(run.stdout.split())


def test_the_longest_codes_fit_at_the_foot() -> None:
    """Positions in mid-game take some 200 letters; twice that still finds room at half a millimetre a module."""
    foot = Box(0, 0, 100, TEMPLATE.filled.code)
    assert qr_modules("FT1-" + "A" * 396, foot)[0].w >= MIN_MODULE_MM


@pytest.mark.parametrize("per_page", [1, 2, 4])
@pytest.mark.parametrize("paper", PAPERS)
def test_words_of_a_wordier_language_stay_in_their_places(drawn: list[Document], paper: str, per_page: int) -> None:
    score_pad(paper=paper, per_page=per_page, language=PSEUDO)
    _filled(PSEUDO, paper=paper, code=encode(random_setup(2, 1)))
    for document in drawn:
        _check_writing(document)


def test_letters_and_lines_are_dark_enough_to_be_copied() -> None:
    """By the contrast of WCAG 2, on white and on the bands; small print wants 7, lines 3."""
    palette = TEMPLATE.palette
    for ground in ("#FFFFFF", palette.band):
        assert min(_contrast(palette.ink, ground), _contrast(palette.quiet, ground)) >= 7
        assert _contrast(palette.line, ground) >= 3
    assert _contrast(palette.ink, palette.winner) >= 7 and _contrast("#FFFFFF", palette.ink) >= 7


def _contrast(one: str, other: str) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
