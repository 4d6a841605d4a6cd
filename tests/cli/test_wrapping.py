"""Lines broken between words by the columns that they take."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from companion.cli.output import broken

HANGUL = "술탄의 영지에서 타일 서른 장을 모두 찾지 못했습니다 위에서 다시 찍어 주세요"


@pytest.mark.parametrize("width", [20, 40, 60])
def test_hangul_takes_two_columns_a_letter(width: int) -> None:
    lines = broken("  " + HANGUL, width, "  ").split("\n")
    assert len(lines) > 1 and max(map(cell_len, lines)) <= width
    assert " ".join(" ".join(lines).split()) == HANGUL
    assert lines[0].startswith("  술") and all(line.startswith("    ") for line in lines[1:])


def test_a_line_that_fits_is_left_as_it_is() -> None:
    assert broken("  a   b ", 80) == "  a   b "
