"""The search for English that is left over finds it, and passes over what is the same everywhere."""

from __future__ import annotations

from companion.language.catalogue import lengthened
from tests.language.output import COLUMNS, Output, english_left

SAME_EVERYWHERE = (
    "e2 > e3w > e4y: O8:ggw@P^2 S15@K V5#1 FT1-BEDKBLEVH2XQ2WDC; samples/mid.toml /tmp/x/hint.svg pink=goods.jpg; "
    "--goods --level -o; companion hint --player; companion: ; Utug, Ba'al, Al-Amin; FILE, PDF; 1w 2y; (12%); "
    "\x1b[1;34m5\x1b[0m"
)


def test_english_is_found_and_what_is_the_same_everywhere_is_not() -> None:
    assert [english_left(SAME_EVERYWHERE, language) for language in ("qps", "ru", "uk", "ko")] == [[]] * 4
    vizier, elders = lengthened("vizier"), lengthened("elders")
    assert english_left("claims e4, Best turns", "qps") == ["claims", "Best", "turns"]
    assert english_left(f"{vizier}s and {elders}", "qps") == [f"{vizier}s", "and"]
    assert english_left(f"{lengthened('Best turns for black')}: 3 GC", "qps") == []
    assert english_left("черный: 3 pts, Anna", "ru") == ["pts", "Anna"]
    assert english_left("чёрный: 3 pts, Anna", "ru", ["Anna", "3 pts"]) == []


def test_a_path_that_a_table_breaks_is_no_english() -> None:
    table = "папка  да  /tmp/pytest-of-root/no_e   \n           nglish0"
    assert english_left(table, "ru", ["/tmp/pytest-of-root/no_english0"]) == []
    assert english_left(table, "ru", ["/tmp/pytest-of-root/no_english1"]) != []


def test_lines_that_are_too_wide() -> None:
    wide, path, full = "가 " + "가" * 39, "/" + "가" * 40, "가 " * 26 + "가"
    assert Output("ko", 0, "\n".join((wide, path, full)), "x y" * COLUMNS).too_wide() == [wide]
