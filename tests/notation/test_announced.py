"""Records that break off before a draw which nobody has told, as the lines of `companion hint` do (rules 11)."""

from __future__ import annotations

import pytest

from companion.errors import NotationError, UnusableInputError
from companion.notation.records.lines import format_record
from tests.notation.recorded_example import changed, example, played

POWER = "use Sibittis for elder and fakir"
DRAWN = f"; {POWER}: Iblis, Al-Amin, Anun-Nak; keep Al-Amin\n"
LEFT = f"; {POWER} ...\n"
GOES_ON = f"pink: {POWER}: Iblis, Al-Amin, Anun-Nak; keep Al-Amin\n"


def _broken_off() -> str:
    text = changed(DRAWN, LEFT)
    return text[: text.index(LEFT)] + LEFT


def test_11_a_power_whose_draw_is_not_told_has_not_been_used() -> None:
    game = played(_broken_off())
    assert game.announced == POWER
    before = played(_broken_off().replace(LEFT, " ...\n"))
    assert game.state == before.state
    assert before.announced is None


def test_the_next_line_goes_on_with_it_and_tells_the_draw(subtests: pytest.Subtests) -> None:
    for between in ["", "# who draws?\n", "\n"]:
        with subtests.test(between=between):
            game = played(changed(DRAWN, LEFT + between + GOES_ON))
            assert game.state == played(example()).state
            assert game.announced is None
            assert played(format_record(game.record)).state == game.state


def test_another_line_after_it_is_refused(subtests: pytest.Subtests) -> None:
    for line in ["pink: sell wheat", "pink: palm", "pink: ...", "blue: e5 > f5w > f4y", "refill: fish"]:
        with subtests.test(line=line):
            text = _broken_off()
            number = text.count("\n") + 1
            with pytest.raises(NotationError) as refused:
                played(f"{text}{line}\n")
            assert str(refused.value).startswith(f"line {number}: the previous line ends with '{POWER}'")
            assert f"'{POWER}: '" in str(refused.value)


def test_a_draw_is_left_out_at_the_end_of_an_open_line_alone(subtests: pytest.Subtests) -> None:
    for told in [f"; {POWER}; keep Al-Amin ...\n", f"; {POWER}: Iblis, Al-Amin ...\n", f"; {POWER}\n"]:
        with subtests.test(told=told):
            with pytest.raises(
                UnusableInputError, match="a djinn is drawn here, but the line doesn't say which"
            ) as refused:
                played(changed(DRAWN, told))
            assert "line 18: " in str(refused.value)
