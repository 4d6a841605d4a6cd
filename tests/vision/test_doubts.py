"""What is doubtful in a reading: one list of tiles, cards and titles, and what each answer makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.errors import NotationError, UnusableInputError
from companion.notation.files import parse_position
from companion.rules.model.board import NO_MEEPLES, SQUARE_NAMES, Board
from companion.rules.model.components import CARD_COUNTS, FACE_UP_DJINNS, Colour
from companion.rules.model.position import Position
from companion.vision.reading.doubts import doubts, tile_doubt, tile_lines
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import NOTHING, CardDetection, Reading, TileReading, TitleDetection, UnclearTitle
from tests.vision.tables import SAMPLES

START = parse_position((SAMPLES / "start.toml").read_text(encoding="utf-8")).board
CORNERS = ((0.0, 0.0), (10.0, 0.0), (10.0, 20.0), (0.0, 20.0))


def card(name: str, *, sure: bool = False) -> CardDetection:
    return CardDetection(name if sure else None, 0.9 if sure else 0.4, "fish" if sure else name, CORNERS, 0, "gold")


def read_as(board: Board, **doubtful: TileReading) -> Reading:
    tiles = [doubtful.get(name, TileReading(tile, 0.99)) for name, tile in zip(SQUARE_NAMES, board, strict=True)]
    return Reading(Position(board), tuple(tiles), turned=0)


def table(**known: Any) -> Reading:
    """A table with two doubtful tiles, and a row of three cards, a hand and titles, each with something in doubt."""
    titles = tuple(
        UnclearTitle(0, TitleDetection(None, text, 0.5, (0, 0, 9, 9)), f"note on {text}", number)
        for number, text in enumerate(("Jafxr", "qqq"), 1)
    )
    fewer = replace(START[0], meeples=NO_MEEPLES)
    reading = read_as(
        START,
        a1=TileReading(START[0], 0.6, ("perhaps none",), others=(fewer,), expected_loss=1.0),
        c3=TileReading(START[14], 0.5, expected_loss=4.0),
    )
    known = {"row": ("silk", "ivory", "spice"), "djinns": ("Boaz",)} | known
    position = replace(reading.position, **known)
    return replace(
        reading,
        position=position,
        row=(card("silk", sure=True), card("ivory"), card("spice", sure=True)),
        goods={Colour.PINK: (card("wheat"),)},
        titles=titles,
    )


def token(board: Board, square: int) -> str:
    return str(board[square])


def labels(reading: Reading) -> list[str]:
    return [doubt.label for doubt in doubts(reading)]


def test_all_that_is_doubtful_is_listed_where_most_is_at_stake_first() -> None:
    listed = {doubt.label: doubt for doubt in doubts(table())}
    assert list(listed) == ["c3", "a1", "row-2", "pink-1", "djinn-1", "djinn-2"]
    likely = {label: [choice.answer for choice in doubt.likely] for label, doubt in listed.items()}
    assert likely["c3"] == [token(START, 14)]
    assert likely["a1"] == [token(START, 0), str(replace(START[0], meeples=NO_MEEPLES))]
    assert likely["row-2"] == ["ivory", "gold", NOTHING] and likely["pink-1"] == ["wheat", "gold", NOTHING]
    assert likely["djinn-1"][0] == "Jafaar" and likely["djinn-2"] == [NOTHING]
    assert "perhaps none" in listed["a1"].line and "(60%)" in listed["a1"].line
    assert listed["row-2"].line == "Card 2 of the row: Ivory (40%), perhaps gold"
    assert "'Jafxr'" in listed["djinn-1"].what
    # Nothing that may be true is left out, and nothing is offered twice.
    for doubt in listed.values():
        answers = [choice.answer for choice in (*doubt.likely, *doubt.others)]
        assert len(answers) == len(set(answers)) and (doubt.tile is not None or NOTHING in answers)
    assert len(listed["row-2"].likely) + len(listed["row-2"].others) == len(CARD_COUNTS) + 1


def test_a_tile_is_offered_with_what_is_otherwise_than_it_was_read() -> None:
    fewer = replace(START[0], meeples=NO_MEEPLES)
    reading = table()
    doubt = tile_doubt(replace(reading, tiles=(*reading.tiles[:29], replace(reading.tiles[29], others=(fewer,)))), 29)
    assert doubt.likely[0].answer == token(START, 29) and doubt.likely[1].words
    assert doubt.tile == START[29]


def test_a_tile_is_offered_with_the_five_likeliest_others() -> None:
    others = tuple(replace(START[0], palms=number) for number in range(1, 9))
    reading = table()
    doubt = tile_doubt(replace(reading, tiles=(TileReading(START[0], 0.6, others=others), *reading.tiles[1:])), 0)
    assert [choice.answer for choice in doubt.likely] == [str(tile) for tile in (START[0], *others[:5])]


def test_the_list_of_tiles_says_how_many_and_the_first_of_them() -> None:
    lines = list(tile_lines(table()))
    assert "2 of 30" in lines[0] and [line.split()[0] for line in lines[1:]] == ["c3:", "a1:"]
    shortened = list(tile_lines(table(), 1))
    assert shortened[:2] == lines[:2] and "1 more" in shortened[2]
    assert list(tile_lines(read_as(START))) == ["All 30 tiles read clearly."]
    assert "code" in next(tile_lines(replace(table(), code="FT1-X")))


ANSWERS: list[tuple[str, str, Callable[[Position], bool]]] = [
    ("row-2", "papyrus", lambda position: position.row == ("silk", "papyrus", "spice")),
    ("row-2", NOTHING, lambda position: position.row == ("silk", "spice")),
    ("pink-1", "fakir", lambda position: position.player(Colour.PINK).fakirs == 1),
    ("pink-1", NOTHING, lambda position: sum(position.player(Colour.PINK).goods or ()) == 0),
    ("djinn-1", "Jafaar", lambda position: position.djinns == ("Boaz", "Jafaar")),
    ("djinn-2", NOTHING, lambda position: position.djinns == ("Boaz",)),
    ("djinn-1", "Boaz", lambda position: position.djinns == ("Boaz",)),
    ("c3", "V5:yy", lambda position: token(position.board, 14) == "V5:yy"),
]


def test_an_answer_goes_into_the_position_and_is_not_asked_for_again(subtests: pytest.Subtests) -> None:
    for label, answer, holds in ANSWERS:
        with subtests.test(msg=f"{label} {answer}"):
            after = PhotoSession((), table()).answered({label: answer}).reading
            assert holds(after.position)
            assert label not in labels(after)


def test_a_note_goes_with_what_it_is_about() -> None:
    noted = replace(table(), notes=("note on Jafxr", "note on qqq"))
    after = PhotoSession((), noted).answered({"djinn-1": "Jafaar"}).reading
    assert after.notes == ("note on qqq",) and labels(after)[-1] == "djinn-2"


def test_answers_that_there_are_none_of_are_refused() -> None:
    session = PhotoSession((), table()).answered({"row-2": "fish"})
    for label, answer, error in (
        ("row-2", "gravel", NotationError),
        ("djinn-1", "Bob", NotationError),
        ("c3", "X9", NotationError),
        ("row-1", "silk", UnusableInputError),
    ):
        with pytest.raises(error):
            session.answered({label: answer})
    assert session.answers == {"row-2": "fish"}


def test_a_row_that_a_code_told_is_not_asked_about() -> None:
    told = labels(table(row=("fish",) * 3))
    assert "row-2" not in told and "pink-1" in told


def test_rules_2_7_where_all_djinns_are_known_no_title_is_asked_about() -> None:
    assert FACE_UP_DJINNS == 3
    assert not [label for label in labels(table(djinns=("Boaz", "Utug", "Sloar"))) if label.startswith("djinn")]
