"""docs/rules-coverage.md: made from the tests, up to date, and without an empty clause."""

from __future__ import annotations

import pytest

from tests.rules.clauses import PAGE, clauses_of, collected, named_by_clause, page


@pytest.fixture(scope="module")
def rows() -> dict[str, list[str]]:
    return named_by_clause(collected())


def test_every_clause_and_ruling_has_a_test(rows: dict[str, list[str]]) -> None:
    assert [row for row, names in rows.items() if not names] == []


def test_the_page_is_up_to_date(rows: dict[str, list[str]]) -> None:
    assert PAGE.read_text(encoding="utf-8") == page(rows), "run python -m tests.rules.clauses"


@pytest.mark.parametrize(
    ("node", "clauses"),
    [
        ("t.py::test_5_4_ruling_kills[3]", {"5.4", "5.4 ruling"}),
        ("t.py::test_rules_10_2_tens", {"10.2"}),
        ("t.py::test_clause[11.8, Kumarbi]", {"11.8"}),
        ("t.py::test_11_anun_nak_puts_three", {"11 Anun-Nak"}),
        ("t.py::test_11_4_kandichas_builder", {"11.4", "11 Kandicha"}),
        ("t.py::test_promo_dhenim_pays", {"11 Dhenim"}),
        ("t.py::test_11_only_own_powers", {"11"}),
        ("t.py::test_13_1_nothing[0.5-99.9]", set()),
    ],
)
def test_names_are_read_as_the_page_says(node: str, clauses: set[str]) -> None:
    assert clauses_of(node) == clauses
