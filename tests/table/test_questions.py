"""What is asked of a photo besides tiles, with every answer that a phone may send."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import NotationError, UnusableInputError
from companion.rules.model.components import CARD_COUNTS, FACE_UP_DJINNS, Colour
from companion.rules.model.position import Bid, Position
from companion.table.photos import SeenTable
from companion.table.questions import NOTHING, answered, questions
from companion.vision.cards.coins import CoinDetection, Disc
from companion.vision.cards.detection import CardDetection
from companion.vision.cards.titles import TitleDetection
from companion.vision.cards.tracks import SpotReading, TracksReading
from companion.vision.reading.coins import add_coins
from companion.vision.reading.table import TableReading, UnclearTitle
from companion.vision.reading.tracks import with_tracks
from tests.web.at_table import seen_start

CORNERS = ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0))
EMPTY = SpotReading(None, taken=False, confidence=1.0, other=None, corners_px=CORNERS)


def card(name: str, *, sure: bool = False) -> CardDetection:
    return CardDetection(name if sure else None, 0.9 if sure else 0.4, "fish" if sure else name, CORNERS, 0)


def table() -> TableReading:
    """A table with a row of three cards, a hand, coins, titles and tracks, each with something in doubt."""
    read = seen_start([], False, "", lambda share, stage: None).table
    titles = tuple(
        UnclearTitle(0, TitleDetection(None, text, 0.5, (0, 0, 9, 9)), f"note on {text}", number)
        for number, text in enumerate(("Jafxr", "qqq"), 1)
    )
    turn = (SpotReading(Colour.PINK, taken=True, confidence=0.5, other=Colour.ORANGE, corners_px=CORNERS),)
    bid = (SpotReading(Colour.BLUE, taken=True, confidence=1.0, other=None, corners_px=CORNERS),)
    tracks = TracksReading((*turn, *[EMPTY] * 8), (*bid, *[EMPTY] * 3))
    disc = Disc(5.0, 5.0, 8.0, 8.0, 0.0)
    coins = {Colour.BLUE: (CoinDetection(5, 1.0, disc), CoinDetection(None, 0.3, disc))}
    row = (card("silk", sure=True), card("ivory"), card("spice", sure=True))
    position = replace(read.reading.position, row=("silk", "ivory", "spice"), djinns=("Boaz",))
    seen = replace(
        read,
        reading=replace(read.reading, position=with_tracks(position, tracks)),
        row=row,
        goods={Colour.PINK: (card("wheat"),)},
        titles=titles,
        tracks=tracks,
    )
    return add_coins(seen, coins)


def test_all_that_is_in_doubt_is_asked_with_the_likeliest_first() -> None:
    asked = {question.label: question for question in questions(table())}
    assert list(asked) == ["row-2", "pink-1", "djinn-1", "djinn-2", "blue-coin-2", "turn-1"]
    likely = {label: [choice.answer for choice in question.likely] for label, question in asked.items()}
    assert likely["row-2"] == ["ivory"] and likely["pink-1"] == ["wheat"]
    assert likely["djinn-1"][0] == "Jafaar"
    assert likely["blue-coin-2"] == ["5", "1"]
    assert likely["turn-1"] == ["pink", "orange", NOTHING]
    assert asked["turn-1"].what == "Spot 1 of the turn order track (18 GC)"
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
        ("blue-coin-2", "1", lambda position: position.player(Colour.BLUE).gold == 6),
        ("blue-coin-2", NOTHING, lambda position: position.player(Colour.BLUE).gold == 5),
        ("turn-1", "orange", lambda position: position.turn_order == (Bid(Colour.ORANGE, 18),)),
        ("turn-1", NOTHING, lambda position: position.turn_order == ()),
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
    again: SeenTable = seen.told_again([("row-2", "fish"), ("row-9", "fish"), ("turn-1", "green"), ("c3", "V5:yy")])
    assert again.position.row == ("silk", "fish", "spice") and again.told == {"row-2", "c3"}


@pytest.mark.parametrize(
    ("label", "answer", "error"),
    [
        ("row-2", "gravel", NotationError),
        ("blue-coin-2", "7", NotationError),
        ("turn-1", "green", NotationError),
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
