"""What is asked of a photo besides tiles, with every answer that a phone may send."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import NotationError, UnusableInputError
from companion.rules.model.components import CARD_COUNTS, FACE_UP_DJINNS, Colour
from companion.rules.model.position import Position
from companion.table.photos import SeenTable
from companion.table.questions import NOTHING, answered, questions
from companion.vision.cards.detection import CardDetection
from companion.vision.cards.titles import TitleDetection
from companion.vision.reading.table import TableReading, UnclearTitle
from tests.web.at_table import seen_start

CORNERS = ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0))


def card(name: str, *, sure: bool = False) -> CardDetection:
    return CardDetection(name if sure else None, 0.9 if sure else 0.4, "fish" if sure else name, CORNERS, 0)


def table() -> TableReading:
    """A table with a row of three cards, a hand and titles, each with something in doubt."""
    read = seen_start([], False, "", lambda share, stage: None).table
    titles = tuple(
        UnclearTitle(0, TitleDetection(None, text, 0.5, (0, 0, 9, 9)), f"note on {text}", number)
        for number, text in enumerate(("Jafxr", "qqq"), 1)
    )
    row = (card("silk", sure=True), card("ivory"), card("spice", sure=True))
    position = replace(read.reading.position, row=("silk", "ivory", "spice"), djinns=("Boaz",))
    return replace(
        read,
        reading=replace(read.reading, position=position),
        row=row,
        goods={Colour.PINK: (card("wheat"),)},
        titles=titles,
    )


def test_all_that_is_in_doubt_is_asked_with_the_likeliest_first() -> None:
    asked = {question.label: question for question in questions(table())}
    assert list(asked) == ["row-2", "pink-1", "djinn-1", "djinn-2"]
    likely = {label: [choice.answer for choice in question.likely] for label, question in asked.items()}
    assert likely["row-2"] == ["ivory"] and likely["pink-1"] == ["wheat"]
    assert likely["djinn-1"][0] == "Jafaar"
    # Nothing that may be true is left out, and nothing is offered twice.
    for question in asked.values():
        answers = [choice.answer for choice in (*question.likely, *question.others)]
        assert len(answers) == len(set(answers)) and NOTHING in answers
    assert len(asked["row-2"].others) == len(CARD_COUNTS)


@pytest.mark.parametrize(
    ("label", "answer", "told"),
    [
        ("row-2", "papyrus", lambda position: position.row == ("silk", "papyrus", "spice")),
        ("row-2", NOTHING, lambda position: position.row == ("silk", "spice")),
        ("pink-1", "fakir", lambda position: position.player(Colour.PINK).fakirs == 1),
        ("pink-1", NOTHING, lambda position: sum(position.player(Colour.PINK).goods) == 0),
        ("djinn-1", "Jafaar", lambda position: position.djinns == ("Boaz", "Jafaar")),
        ("djinn-2", NOTHING, lambda position: position.djinns == ("Boaz",)),
    ],
)
def test_an_answer_goes_into_the_position_and_is_not_asked_for_again(label: str, answer: str, told: object) -> None:
    seen = seen_start([], False, "", lambda share, stage: None)
    after = replace(seen, table=table()).with_answer(label, answer)
    assert callable(told) and told(after.position)
    assert label not in [question.label for question in after.open_questions]


def test_the_second_title_keeps_its_name_and_its_picture_when_the_first_is_told() -> None:
    seen = replace(seen_start([], False, "", lambda share, stage: None), table=table()).with_answer("djinn-1", "Jafaar")
    left = [question for question in seen.open_questions if question.label.startswith("djinn")]
    assert [question.label for question in left] == ["djinn-2"] and "qqq" in left[0].what


def test_answers_are_taken_again_after_a_restart_whatever_no_longer_fits() -> None:
    seen = replace(seen_start([], False, "", lambda share, stage: None), table=table())
    again: SeenTable = seen.told_again(
        [("row-2", "fish"), ("row-9", "fish"), ("turn-1", "pink"), ("rest", "a1"), ("c3", "V5:yy")]
    )
    assert again.position.row == ("silk", "fish", "spice") and again.told == {"row-2", "c3"}


@pytest.mark.parametrize(
    ("label", "answer", "error"),
    [
        ("row-2", "gravel", NotationError),
        ("djinn-1", "Bob", NotationError),
        ("row-1", "silk", UnusableInputError),
    ],
)
def test_answers_that_there_are_none_of_are_refused(label: str, answer: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        answered(table(), label, answer)


POSITION = table().reading.position


def where(position: Position) -> TableReading:
    """The same table, of whose cards something else is known."""
    read = table()
    return replace(read, reading=replace(read.reading, position=position))


def test_a_row_that_a_code_told_is_not_asked_about() -> None:
    labels = [question.label for question in questions(where(replace(POSITION, row=("fish",) * 3)))]
    assert "row-2" not in labels and "pink-1" in labels


def test_rules_2_7_where_all_djinns_are_known_no_title_is_asked_about() -> None:
    assert FACE_UP_DJINNS == 3
    labels = [question.label for question in questions(where(replace(POSITION, djinns=("Boaz", "Utug", "Sloar"))))]
    assert not [label for label in labels if label.startswith("djinn")]


def test_rules_1_5_a_djinn_that_is_known_is_not_added_again() -> None:
    read = where(replace(POSITION, djinns=("Boaz", "Utug")))
    assert answered(read, "djinn-1", "Boaz").reading.position.djinns == ("Boaz", "Utug")
