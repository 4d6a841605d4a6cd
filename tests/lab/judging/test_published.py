"""The figures in docs/advice.md are those of the verdicts beside them."""

from __future__ import annotations

from pathlib import Path

from companion.lab.judging.positions import kept_positions
from companion.lab.judging.verdicts import figures_table, kind_of, read_verdicts

DOCS = Path(__file__).resolve().parents[3] / "docs"


def test_the_table_in_the_page_is_that_of_the_verdicts() -> None:
    page = (DOCS / "advice.md").read_text(encoding="utf-8")
    rows = [row for row in figures_table(read_verdicts(DOCS / "judging.csv")).splitlines() if "| all |" in row]
    published = [row for row in rows if "all games" in row]
    assert len(published) == 6 and all(row in page for row in published)


def test_every_kept_position_was_judged() -> None:
    judged = {(one.game, one.kind, one.decision) for one in read_verdicts(DOCS / "judging.csv")}
    assert judged == {(one.seed, kind_of(one), one.decision) for one in kept_positions()}
