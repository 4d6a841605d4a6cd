"""Lines of a record as texts: what may stand before them, their tags, and a line that was cut off (docs/records.md)."""

from __future__ import annotations

import pytest

from companion.errors import NotationError
from companion.notation.records.lines import format_record, parse_record
from tests.notation.recorded_example import example


def test_a_byte_order_mark_and_line_ends_of_windows_are_passed_over() -> None:
    assert parse_record("\ufeff" + example().replace("\n", "\r\n")) == parse_record(example())


def test_the_promo_djinn_is_there_or_not(subtests: pytest.Subtests) -> None:
    for value, promo in [("yes", True), ("no", False)]:
        with subtests.test(value=value):
            record = parse_record(example().replace("setup: ", f"promo: {value}\nsetup: ", 1))
            assert record.header.promo is promo
            assert parse_record(format_record(record)) == record


def test_any_other_word_for_the_promo_djinn_is_refused() -> None:
    with pytest.raises(NotationError) as raised:
        parse_record(example().replace("setup: ", "promo: maybe\nsetup: ", 1))
    assert str(raised.value) == "line 6: promo is yes or no, not 'maybe'"


def test_a_record_cut_off_in_its_last_line_says_what_to_do() -> None:
    lines = example().splitlines()
    with pytest.raises(NotationError) as raised:
        parse_record("\n".join(lines)[:-3])
    assert str(raised.value) == (
        f"line {len(lines)}: the record breaks off here, in the middle of a line; delete the line, or press "
        "Enter after it if it's complete"
    )
