"""Score sheets: boxes with places of their own, names of any kind, winners, codes, and the sums in small."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from companion.errors import UnusableInputError
from companion.language.glossary import LANGUAGES
from companion.notation.codes import decode, encode
from companion.notation.outcome import parse_outcome
from companion.printing.core.geometry import PAPERS, SAFE_MM, Box, Boxes
from companion.printing.core.kinds import MIN_CAPTION_PT, SCORE
from companion.printing.core.page import Document
from companion.printing.core.qr import MIN_MODULE_MM, grouped, qr_modules
from companion.printing.core.surface import Written
from companion.printing.core.template import pick_words
from companion.printing.core.typefaces import LAST_RESORT, Fonts
from companion.printing.score import filled
from companion.printing.score.filled import printed_sum
from companion.printing.score.layout import CATEGORY_ROWS, COUNTED, PageBoxes, lay_out, lay_out_filled
from companion.printing.score.pen import ColumnHead, colour_letters
from companion.printing.score.sheet import column_heads, filled_sheet, score_pad
from companion.rules.engine.scoring import GameResult, Score, score_holdings
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import GOODS, Colour
from companion.system.installation import template_path
from tests.printing.boxes import box_of_mark, holds, overlapping, overlaps, parts_of, read_page
from tests.printing.checks import overlapping_texts, read_print
from tests.printing.conftest import codes_in, photographed, picture
from tests.printing.eyes import turned
from tests.printing.prints import CROWDED, HELD, NAMES, printed

TEMPLATE = SCORE.load()
SCORES = score_holdings(HELD)
ALL = GameResult(score_holdings(CROWDED), finished=True)
FOOT = Box(0, 0, TEMPLATE.filled.code, TEMPLATE.filled.code)


def _filled(
    scores: dict[Colour, Score] = SCORES, *, finished: bool = True, lacking: bool = False, **more: object
) -> bytes:
    result = GameResult(scores, finished, ("gold not known",) if lacking else ())
    return filled_sheet(result, **more)  # type: ignore[arg-type]


def _check_writing(document: Document) -> None:
    """Every text inside the page's safe zone, none over another but for tails of g and accents of Й."""
    safe = document.paper.inset(SAFE_MM)
    cores: dict[int, list[tuple[Box, Written]]] = {}
    for written in document.written:
        assert holds(safe, written.box), written
        core, before = written.box.inset(0, written.box.h * 0.2), cores.setdefault(written.page, [])
        for other, text in before:
            assert not overlaps(core, other), (written, text)
        before.append((core, written))


def _pages(paper: str, players: int) -> list[tuple[int, PageBoxes]]:
    """Every page that there is for so many players, with the sheets that it should have."""
    pads = [(int(name), lay_out(TEMPLATE, PAPERS[paper], layout, players)) for name, layout in TEMPLATE.layouts.items()]
    return [*pads, (1, lay_out_filled(TEMPLATE, PAPERS[paper], players))]


def test_every_box_has_a_place_of_its_own() -> None:
    for paper, players in product(PAPERS, (2, 3, 4)):
        for sheets, boxes in _pages(paper, players):
            assert len(boxes.slips) == sheets
            safe = boxes.paper.inset(SAFE_MM)
            assert overlapping([slip.trim for slip in boxes.slips]) == []
            for slip in boxes.slips:
                assert all(holds(slip.trim.inset(SAFE_MM), part) for part in parts_of(slip)), "5 mm from edges and cuts"
                assert overlapping(parts_of(slip)) == []
                assert len(slip.names) == players and [len(row) for row in slip.cells] == [players] * 9
                assert slip.goods is not None and [len(row) for row in slip.goods.cells] == [players] * 9
            for box, part in product([*map(box_of_mark, boxes.marks), *(boxes.ruler or ())], parts_of(boxes.slips)):
                assert holds(safe, box) and not overlaps(box, part) and not holds(part, box)


def test_korean_needs_no_font_of_the_system(bare_system: None, drawn: list[Document]) -> None:
    score_pad(language="ko", names=["지훈", "Ann", "Борис", "Łucja"])
    _check_writing(drawn[0])
    texts = [written.text for written in drawn[0].written]
    assert {"재상", "합계", "지훈", "Борис"} <= set(texts) and not any(LAST_RESORT in text for text in texts)


def test_a_long_name_is_set_smaller_or_in_two_lines_and_then_cut(drawn: list[Document]) -> None:
    two_lines = "Maximilian of Five Oaks"
    for per_page in (1, 2, 4):
        score_pad(players=4, per_page=per_page, names=["Maximilian", "Anna", "B" * 60, two_lines])
        texts = [written.text for written in drawn[-1].written]
        assert "Maximilian" in texts
        assert any(text.startswith("BBB") and text.endswith("…") for text in texts)
        assert two_lines in (*texts, *(f"{one} {other}" for one, other in zip(texts, texts[1:], strict=False)))
        _check_writing(drawn[-1])


def test_a_name_with_its_colour_has_room_on_the_smallest_sheet() -> None:
    pad = read_print(score_pad(players=4, per_page=4, names=["Chiara (blue)", "Bartholomew", "Anna", "Борис"]))
    chiara = [one.size for one in pad.lines if one.text in ("Chiara", "(blue)")]
    assert chiara == pytest.approx([TEMPLATE.layouts["4"].label_pt] * 8)


def test_coins_and_the_good_of_gold_have_names_of_their_own() -> None:
    for language in LANGUAGES:
        words = pick_words(TEMPLATE, language)
        assert words.labels.gold != words.goods.gold, language


def test_names_in_any_script_stand_in_their_column(drawn: list[Document]) -> None:
    odd = ["Ярослава Володимирівна Кропивницька-Заболотна з Переяслава!!", "한글이름" * 15, "שרה " * 15]
    odd += ["Zoë 🐪" * 12, "a\u200bb\x07c\n" * 12, "W" * 5000]
    for names in (odd[:3], odd[3:]):
        score_pad(players=3, names=names)
        _filled(names=dict(zip(SCORES, names, strict=True)), date="2026-11-21", place=names[0])
    for document in drawn:
        _check_writing(document)


def test_light_ink_has_no_coloured_surface() -> None:
    full, light = score_pad(per_page=1), printed("pad-light")
    fills = {colour for colour, _ in read_page(light).shapes if colour}
    assert fills <= {"#FFFFFF", TEMPLATE.palette.ink.upper()}, "white, and the ink of small solid parts of icons"
    assert (255 - picture(light, 40)).sum() < 0.75 * (255 - picture(full, 40)).sum()


def test_9_3_winners_alone_are_marked_and_nobody_before_the_game_is_decided(drawn: list[Document]) -> None:
    tied = {Colour.BLACK: Score(gold=30), Colour.BLUE: Score(gold=30), Colour.PINK: Score(gold=29)}
    _filled(tied, names={Colour.BLUE: "Ann"})
    texts = [written.text for written in drawn[0].written]
    assert [text for text in texts if "winner" in text] == ["black · winner", "blue · winner"]
    assert "Ann" in texts and "pink" in texts
    for finished, lacking in ((False, False), (True, True)):
        _filled(finished=finished, lacking=lacking)
        assert not any("winner" in written.text for written in drawn[-1].written)
        result = GameResult(SCORES, finished, ("gold not known",) if lacking else ())
        assert "1. " not in filled.outcome_text(result, {}, "", "", Box(0, 0, 60, 60))


def test_the_code_is_on_the_sheet_as_text_and_qr(drawn: list[Document]) -> None:
    position = random_setup(3, 9)
    pdf = _filled(code=encode(position), date="2026-11-21", place="Kyiv", names={Colour.BLACK: "Анна"})
    lines = [written.text for written in drawn[0].written]
    at = next(number for number, line in enumerate(lines) if line.startswith("FT1-"))
    printed_code = "".join(lines[at:]).partition(pick_words(TEMPLATE, "en").result)[0]
    assert printed_code == grouped(encode(position)) and decode(printed_code) == position
    page = picture(pdf, 150)
    for seen in (turned(page, 3), photographed(page)):
        result, code = sorted(codes_in(seen), key=lambda text: text.startswith("FT1-"))
        assert decode(code) == position
        assert result.startswith("Five Tribes, 2026-11-21, Kyiv\n1. Анна (black) 208 = 41+35+12+17+9+10+31+53\n")
    long = Box(0, 0, 100, TEMPLATE.filled.code)
    assert qr_modules("FT1-" + "A" * 396, long)[0].w >= MIN_MODULE_MM, "twice a position in mid-game"


def test_a_sum_breaks_after_a_plus_alone_is_made_smaller_and_then_left_to_be_cut() -> None:
    page = Document(PAPERS["a4"], Fonts(system=()), title="", language="en")
    for text, width, lines in (
        ("15 + 2 × 8", 60, ["15 + 2 × 8"]),
        ("15 + 2 × 8", 9, ["15 +", "2 × 8"]),
        ("5 × 3 (Jafaar) + 10 × 2 opponents", 24, ["5 × 3 (Jafaar) +", "10 × 2 opponents"]),
        ("Jafaar 6 + Shamhat 6 + Al-Amin 5", 23, ["Jafaar 6 +", "Shamhat 6 +", "Al-Amin 5"]),
        ("10 × 2 opponents", 12, ["10 × 2", "opponents"]),
        ("", 20, []),
    ):
        assert filled.sum_lines(page, text, 7.0, width) == lines
    for room, size, lines in (
        (Box(0, 0, 60, 10), 8.0, ["15 + 2 × 8 + 6"]),
        (Box(0, 0, 15, 10), 8.0, ["15 + 2 × 8 +", "6"]),
        (Box(0, 0, 16.5, 3), 7.25, ["15 + 2 × 8 + 6"]),
        (Box(0, 0, 8, 2.8), MIN_CAPTION_PT, ["15 + 2 × 8 + 6"]),
    ):
        fitted, chosen = filled.fitted_sum(page, "15 + 2 × 8 + 6", 8.0, room)
        assert fitted == lines and chosen == pytest.approx(size)


def _check_sums(drawn: list[Document], language: str, paper: str) -> None:
    filled_sheet(ALL, paper=paper, language=language)
    (slip,) = lay_out_filled(TEMPLATE, PAPERS[paper], len(ALL.scores)).slips
    broken = 0
    for category, cells in zip(CATEGORY_ROWS[:-1], slip.cells, strict=False):
        for cell, score in zip(cells, ALL.scores.values(), strict=True):
            points, *lines = [written.text for written in drawn[-1].written if holds(cell, written.box)]
            assert points == str(getattr(score, category))
            assert " ".join(lines) == filled.printed_sum(score, category, language, {}), "whole, nothing cut"
            assert all(line.endswith(" +") for line in lines[:-1])
            broken += len(lines) > 1
    assert broken > 8, "there are sums that need more than a line"


def test_no_line_of_a_printed_sum_begins_or_ends_inside_a_term(drawn: list[Document]) -> None:
    _check_sums(drawn, "en", "a4")
    _check_sums(drawn, "qps", "a4")


def test_goods_stand_by_card_and_what_fakirs_stand_for_is_starred() -> None:
    score = SCORES[Colour.BLACK]
    shown = ("1", "1*", "1*", "2", "1", "1", "2", "", "1")
    assert {good: filled.printed_cards(score, good) for good in GOODS} == dict(zip(GOODS, shown, strict=True))
    assert filled.printed_sets(score) == "50 + 3" and score.goods == 53
    given = score.with_points("goods", 13, "13 VP")
    assert not any(filled.printed_cards(given, good) for good in GOODS) and filled.printed_sets(given) == ""


def test_2_1_columns_have_the_camels_that_can_be_theirs() -> None:
    one_of_two = (Colour.BLUE, Colour.PINK)
    for players, names, heads in (
        (2, (), [ColumnHead((Colour.BLUE,)), ColumnHead((Colour.PINK,))]),
        (4, (), [ColumnHead((colour,)) for colour in Colour]),
        (3, (), [ColumnHead(tuple(Colour))] * 3),
        (2, ("Ann", "Bo"), [ColumnHead(one_of_two, name) for name in ("Ann", "Bo")]),
        (2, {Colour.PINK: "Ann", Colour.BLUE: ""}, [ColumnHead((Colour.PINK,), "Ann"), ColumnHead((Colour.BLUE,))]),
    ):
        assert column_heads(players, names) == heads
    for language in LANGUAGES:
        letters = colour_letters(list(pick_words(TEMPLATE, language).colours.values()))
        assert len(set(letters)) == 4 and all(len(letter) == 1 for letter in letters)


def test_the_result_as_text_says_when_where_who_and_how_much() -> None:
    text = filled.outcome_text(GameResult(SCORES, True), {Colour.BLACK: "Anna"}, "2026-02-14", "Lviv", FOOT)
    assert text.splitlines() == [
        "Five Tribes, 2026-02-14, Lviv",
        "1. Anna (black) 208 = 41+35+12+17+9+10+31+53",
        "2. orange 172 = 35+12+8+8+10+0+39+60",
        "3. pink 65 = 20+?+4+10+3+5+20+3",
    ], "rules 10, in their order; what is not known is no nought"
    lacking = GameResult(SCORES, True, ("pink: viziers not known, counted as 0",))
    assert filled.outcome_text(lacking, {}, "", "", FOOT).splitlines()[1].startswith("black 208 = "), (
        "nobody has won for sure"
    )
    tied = {Colour.BLACK: Score(gold=30), Colour.BLUE: Score(gold=30), Colour.PINK: Score(gold=29)}
    lines = [f"{name} {points} = {points}{'+0' * 7}" for name, points in (("black", 30), ("blue", 30), ("pink", 29))]
    over = filled.outcome_text(GameResult(tied, finished=True), {}, "", "", FOOT).splitlines()
    assert over == ["Five Tribes", *(f"{rank}. {line}" for rank, line in zip((1, 1, 3), lines, strict=True))], "9.3"
    going_on = filled.outcome_text(GameResult(tied, finished=False), {}, "", "", FOOT).splitlines()
    assert going_on == ["Five Tribes", *lines, "not over yet"]


def test_the_result_fits_its_code_whatever_the_names() -> None:
    for letters in (10, 60, 5000):
        names = {colour: f"{colour.letter}" + "Ї" * (letters - 1) for colour in Colour}
        text = filled.outcome_text(ALL, names, "2026-02-14", "Ї" * letters, FOOT)
        assert qr_modules(text, FOOT)[0].w >= filled.PHONE_MODULE_MM
        told = parse_outcome(text)
        assert told is not None and told.totals == {colour: score.total for colour, score in ALL.scores.items()}
        assert told.points == {colour: tuple(score.points.values()) for colour, score in ALL.scores.items()}
        assert told.date == "2026-02-14" and told.place.startswith("Ї") and all(told.names[one] for one in Colour)


def test_where_there_is_little_room_categories_go_first_and_then_names() -> None:
    anna = dict.fromkeys(Colour, "Anna")
    told = parse_outcome(filled.outcome_text(ALL, anna, "2026-02-14", "Lviv", Box(0, 0, 34, 34)))
    assert told is not None and not told.points and set(told.names.values()) == {"Anna"} and told.place == "Lviv"
    smaller = parse_outcome(
        filled.outcome_text(ALL, dict.fromkeys(Colour, "Є" * 60), "2026-02-14", "Lviv", Box(0, 0, 29, 29))
    )
    assert smaller is not None and not smaller.names and smaller.date == "2026-02-14"
    with pytest.raises(UnusableInputError, match=r"filled\.code"):
        filled.outcome_text(ALL, {}, "", "", Box(0, 0, 8, 8))
    broken = parse_outcome(filled.outcome_text(ALL, {Colour.BLACK: "Ann\n1. pink 999"}, "", "Kyiv\npink 3", FOOT))
    assert broken is not None and broken.names == {Colour.BLACK: "Ann 1. pink 999"} and broken.place == "Kyiv pink 3"


RESULT = GameResult(SCORES, finished=True)
TEXT = template_path("score_sheet.toml").read_text(encoding="utf-8")
LONG = "Datum und Uhrzeit der Partie in unserem Klub am Abend, mit Jahr und Monat und Tag"


def _own(folder: Path, *lines: tuple[str, str]) -> Path:
    """A template of somebody's own, some lines of which are others."""
    text, path = TEXT, folder / "mine.toml"
    for before, after in lines:
        assert text.count(f"\n{before}\n") == 1
        text = text.replace(f"\n{before}\n", f"\n{after}\n")
    path.write_text(text, encoding="utf-8")
    return path


def _slip(paper: str = "a4", players: int = len(SCORES)) -> Boxes:
    (slip,) = lay_out_filled(TEMPLATE, PAPERS[paper], players).slips
    return slip


def test_no_sum_says_the_points_again() -> None:
    score = SCORES[Colour.ORANGE]
    assert printed_sum(score, "gold", "en", {}) == printed_sum(score, "palaces", "ru", {}) == ""
    assert printed_sum(score, "elders", "ru", {}) == "4 × 2"
    assert printed_sum(SCORES[Colour.BLACK], "goods", "en", {}) == "(* = 2 fakirs, Al-Amin)"


def test_long_words_leave_room_for_what_stands_beside_them(tmp_path: Path) -> None:
    template = _own(tmp_path, ('date = "Date"', f'date = "{LONG}"'), ('place = "Place"', f'place = "{LONG}"'))
    page = read_page(filled_sheet(RESULT, names=NAMES, template=template, date="2026-11-21", place="Kyiv"))
    for line, told in zip(_slip().blanks, ("2026-11-21", "Kyiv"), strict=False):
        left, right = line.columns([line.w / 2] * 2)
        assert page.text(left).startswith("Datumund") and page.text(left).endswith("…")
        assert page.text(right) == told
    viziers = 'viziers = "Viziers"', 'viziers = "Grand viziers of the sultan and of his court"'
    template = _own(tmp_path, viziers, ('sets = "Sets"', f'sets = "{LONG}"'))
    for per_page in (1, 4):
        page = read_page(score_pad(players=3, per_page=per_page, template=template))
        slip = lay_out(TEMPLATE, PAPERS["a4"], TEMPLATE.layouts[str(per_page)], 3).slips[0]
        first, *_ = page.lines(slip.labels[CATEGORY_ROWS.index(COUNTED)])
        assert first.startswith("Grandviz") and first.endswith("howmany")
        assert slip.goods is not None
        assert all(part in page.text(slip.goods.sets_label) for part in ("Datum", "prices", "left"))


def test_points_of_any_size_stand_over_their_sums(tmp_path: Path) -> None:
    """However large the numbers are wished for, nothing lies over anything else or outside its cell."""
    for points, held in ((8, HELD), (40, CROWDED)):
        template = _own(tmp_path, ("number_pt = 14", f"number_pt = {points}"))
        scores = score_holdings(held)
        pdf = filled_sheet(GameResult(scores, finished=True), names=NAMES, template=template)
        assert overlapping_texts(read_print(pdf)) == []
        page, slip = read_page(pdf), _slip("a4", len(scores))
        for column, score in enumerate(scores.values()):
            for row, category in enumerate(CATEGORY_ROWS):
                cell = slip.cells[row][column]
                assert page.text(cell).startswith(str(getattr(score, category)))
                assert all(cell.x <= box.x <= box.right <= cell.right for _, box in page.inside(cell))
        row, crown = slip.cells[-1], TEMPLATE.tints.total.upper()
        crowns = [page.fills(cell).count(crown) for cell in row]
        assert max(crowns) > 0 and sum(crowns) == page.fills(row[0].joined(row[-1]).inset(-4, 0)).count(crown)


def test_rows_without_room_for_a_sum_have_the_points_alone(tmp_path: Path) -> None:
    template = _own(tmp_path, ("viziers = 1.4", "viziers = 0.5"))
    pdf = filled_sheet(RESULT, names=NAMES, template=template)
    assert overlapping_texts(read_print(pdf)) == []
    (slip,) = lay_out_filled(SCORE.load(template), PAPERS["a4"], len(SCORES)).slips
    page, row = read_page(pdf), CATEGORY_ROWS.index("viziers")
    assert [page.text(cell) for cell in slip.cells[row]] == [str(score.viziers) for score in SCORES.values()]
