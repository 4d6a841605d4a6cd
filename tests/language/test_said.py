"""What looks for English that is left over finds it, and lets stand what is the same everywhere."""

from __future__ import annotations

import pytest

from companion.language.catalogue import lengthened
from tests.language.said import COLUMNS, Said, english_left

SAME_EVERYWHERE = (
    "e2 > e3w > e4y: O8:ggw@P^2 S15@K V5#1 FT1-BEDKBLEVH2XQ2WDC",
    "samples/mid.toml /tmp/pytest-of-me/hint.svg pink=goods.jpg",
    "--goods --level -o; companion hint --player; companion: ",
    "Utug, Ba'al, Al-Amin; FILE, PDF; 1w 2y; (12%)",
    "\x1b[1;34m5\x1b[0m",
)


@pytest.mark.parametrize("language", ["qps", "ru", "uk", "ko"])
@pytest.mark.parametrize("text", SAME_EVERYWHERE)
def test_what_is_the_same_in_every_language(text: str, language: str) -> None:
    assert english_left(text, language) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("claims e4, Best turns", ["claims", "Best", "turns"]),
        (f"{lengthened('vizier')}s and {lengthened('elders')}", [f"{lengthened('vizier')}s", "and"]),
        (f"{lengthened('Best turns for black')}: 3 GC", []),
    ],
)
def test_english_in_the_pseudo_language(text: str, left: list[str]) -> None:
    assert english_left(text, "qps") == left


def test_english_in_russian() -> None:
    assert english_left("черный: 3 pts, Anna", "ru") == ["pts", "Anna"]
    assert english_left("чёрный: 3 pts, Anna", "ru", ["Anna", "3 pts"]) == []


def test_a_path_that_a_table_breaks_is_no_english() -> None:
    table = "папка  да  /tmp/pytest-of-root/no_e   \n           nglish0"
    assert english_left(table, "ru", ["/tmp/pytest-of-root/no_english0"]) == []
    assert english_left(table, "ru", ["/tmp/pytest-of-root/no_english1"]) != []


def test_lines_that_are_too_wide() -> None:
    wide, path, full = "가 " + "가" * 39, "/" + "가" * 40, "가 " * 26 + "가"
    assert Said("ko", 0, "\n".join((wide, path, full)), "x y" * COLUMNS).too_wide() == [wide]
