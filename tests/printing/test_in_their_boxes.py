"""Every value and word of a score sheet stands in its box: empty and filled in; other languages and papers are slow."""

from __future__ import annotations

from pathlib import Path

from companion.installation import template_path
from companion.printing.core.geometry import PAPERS, Boxes
from companion.printing.core.kinds import SCORE
from companion.printing.score.filled import printed_sum
from companion.printing.score.layout import CATEGORY_ROWS, COUNTED, lay_out, lay_out_filled
from companion.printing.score.sheet import filled_sheet, score_pad
from companion.rules.engine.scoring import GameResult, score_holdings
from companion.rules.model.components import Colour
from tests.printing.boxes import read_page
from tests.printing.checks import overlapping_texts, read_print
from tests.printing.prints import CROWDED, HELD, NAMES

TEMPLATE = SCORE.load()
SCORES = score_holdings(HELD)
RESULT = GameResult(SCORES, finished=True)
TEXT = template_path("score_sheet.toml").read_text(encoding="utf-8")
LONG = "Datum und Uhrzeit der Partie in unserem Klub am Abend, mit Jahr und Monat und Tag"


def _own(folder: Path, before: str, after: str) -> Path:
    """A template of somebody's own, one line of which is another."""
    assert TEXT.count(f"\n{before}\n") == 1
    path = folder / "mine.toml"
    path.write_text(TEXT.replace(f"\n{before}\n", f"\n{after}\n"), encoding="utf-8")
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
    for number, name in enumerate(("date", "place")):
        template = _own(tmp_path, f'{name} = "{name.title()}"', f'{name} = "{LONG}"')
        page = read_page(filled_sheet(RESULT, names=NAMES, template=template, date="2026-11-21", place="Kyiv"))
        line = _slip().blanks[number]
        left, right = line.columns([line.w / 2] * 2)
        assert page.text(left).startswith("Datumund") and page.text(left).endswith("…")
        assert page.text(right) == ("2026-11-21", "Kyiv")[number]
    for per_page in (1, 4):
        template = _own(tmp_path, 'viziers = "Viziers"', 'viziers = "Grand viziers of the sultan and of his court"')
        page = read_page(score_pad(players=3, per_page=per_page, template=template))
        slip = lay_out(TEMPLATE, PAPERS["a4"], TEMPLATE.layouts[str(per_page)], 3).slips[0]
        first, *_ = page.lines(slip.labels[CATEGORY_ROWS.index(COUNTED)])
        assert first.startswith("Grandviz") and first.endswith("howmany")
        page = read_page(
            score_pad(players=3, per_page=per_page, template=_own(tmp_path, 'sets = "Sets"', f'sets = "{LONG}"'))
        )
        assert slip.goods is not None
        assert all(part in page.text(slip.goods.sets_label) for part in ("Datum", "prices", "left"))


def test_points_of_any_size_stand_over_their_sums(tmp_path: Path) -> None:
    """However large the numbers are wished for, nothing lies over anything else or outside its cell."""
    for points, held in ((8, HELD), (40, HELD), (40, CROWDED)):
        template = _own(tmp_path, "number_pt = 14", f"number_pt = {points}")
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
    template = _own(tmp_path, "viziers = 1.4", "viziers = 0.5")
    pdf = filled_sheet(RESULT, names=NAMES, template=template)
    assert overlapping_texts(read_print(pdf)) == []
    (slip,) = lay_out_filled(SCORE.load(template), PAPERS["a4"], len(SCORES)).slips
    page, row = read_page(pdf), CATEGORY_ROWS.index("viziers")
    assert [page.text(cell) for cell in slip.cells[row]] == [str(score.viziers) for score in SCORES.values()]
