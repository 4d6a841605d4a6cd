"""The dialogue that fills in a score sheet: going back, refusals with a reason, help."""

from __future__ import annotations

import pytest

from companion.cli.dialogue.asking import Terminal, ask_sheet
from companion.errors import UnusableInputError
from companion.rules.engine.scoring import Score
from companion.rules.model.components import Colour

BLACK, ORANGE, BLUE, PINK = Colour


def run_script(*lines: str) -> tuple[dict[Colour, Score], str]:
    """Scores and the whole dialogue for lines typed."""
    typed = iter(lines)
    said: list[str] = []
    filled = ask_sheet(Terminal(lambda: next(typed, None), said.append), None, {})
    return filled.scores, "".join(said)


@pytest.mark.parametrize("word", ["back", "undo", "BACK", "<"])
def test_back_goes_one_line_back_across_players(word: str) -> None:
    scores, said = run_script("pink black", word, "4", word, "5", *[""] * 6, "fish", word, "wheat 2", *[""] * 8)
    assert (scores[PINK].gold, scores[PINK].goods) == (5, 2)
    assert "this is the first line" in said
    assert "gold in GC [4]" in said
    assert "goods and fakirs [fish]" in said
    assert said.count("\npink\n") == 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        pytest.param(["twelve"], "'twelve' is not a number or a sum", id="number"),
        pytest.param(["-3"], "less than 0", id="negative"),
        pytest.param(["300"], "(rules 1.3)", id="1.3-coins"),
        pytest.param(["", "17"], "(rules 1.2)", id="1.2-viziers"),
        pytest.param(["", "", "21"], "(rules 1.2)", id="1.2-elders"),
        pytest.param(["", "", "", "Jafar"], "did you mean 'Jafaar'", id="djinn"),
        pytest.param(["", "", "", "", "13"], "13 palms on the players' tiles, but there are only 12", id="1.3-palms"),
        pytest.param(["", "", "", "", "", "11"], "11 palaces", id="1.3-palaces"),
        pytest.param(["", "", "", "", "", "", "S15 S15"], "2 tiles of 15 VP, but the box holds 1", id="1.1-tiles"),
        pytest.param(["", "", "", "", "", "", "", "ivory 3"], "(rules 1.4)", id="1.4-cards"),
        pytest.param(["", "?"], "the 10s for opponents are counted for you", id="help"),
    ],
)
def test_a_typed_error_is_explained_and_asked_again(wrong: list[str], words: str) -> None:
    scores, said = run_script("pink", *wrong, *[""] * (9 - len(wrong)))
    assert words in said
    assert scores[PINK].total == 0


def test_rules_1_5_a_djinn_cannot_have_two_owners() -> None:
    _, said = run_script("pink black", *["", "", "", "Utug", "", "", "", ""], *["", "", "", "Utug", *[""] * 5])
    assert "(rules 1.5)" in said


def test_asking_who_plays_explains_and_asks_again() -> None:
    scores, said = run_script("", "pink, green", "pink", *[""] * 8)
    assert "no player is named" in said
    assert "no player's colour is called 'green'" in said
    assert list(scores) == [PINK]


def test_viziers_as_points_are_not_compared_and_that_is_said() -> None:
    typed = iter(["pink black", "", "=23", *[""] * 6, "", "2", *[""] * 6])
    filled = ask_sheet(Terminal(lambda: next(typed, None), lambda text: None), None, {})
    assert (filled.scores[PINK].viziers, filled.scores[BLACK].viziers) == (23, 12)
    assert "the viziers of pink were given as points" in filled.notes[0]
    typed = iter(["pink black", "", "=23", *[""] * 6, "", "=12", *[""] * 6])
    assert ask_sheet(Terminal(lambda: next(typed, None), lambda text: None), None, {}).notes == ()


def test_answers_that_end_before_anybody_is_named_end_kindly() -> None:
    with pytest.raises(UnusableInputError, match="before anybody was named"):
        run_script()
