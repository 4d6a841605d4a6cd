"""Photos with their answers: one reading for the same answers, whatever way they came in."""

from __future__ import annotations

import pickle
from itertools import permutations

import numpy as np

from companion.rules.model.board import SQUARE_NAMES
from companion.vision.board.decision import decide_board
from companion.vision.reading.doubts import doubts
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from tests.vision.test_corrections import one_too_many
from tests.vision.test_doubts import table

A, B = SQUARE_NAMES[20], SQUARE_NAMES[25]


def of_tiles() -> tuple[PhotoSession, str, str]:
    """Photos of two tiles of which only one can hold the last vizier of the box; what really lies on them."""
    evidence, a_two, b_three = one_too_many()
    return PhotoSession((), decide_board(evidence), evidence), str(a_two), str(b_three)


def test_answers_come_to_the_same_in_any_order() -> None:
    session = PhotoSession((), table())
    answers = {"row-2": "fish", "pink-1": "silk", "djinn-1": "Jafaar", "c3": "V5:yy"}
    readings = []
    for order in permutations(answers):
        after = session
        for label in order:
            after = after.answered({label: answers[label]})
        readings.append(after.reading)
    assert readings == [session.answered(answers).reading] * 24


def test_a_later_answer_takes_the_place_of_an_earlier_one() -> None:
    session = PhotoSession((), table())
    assert session.answered({"row-2": "fish"}).answered({"row-2": "gold"}) == session.answered({"row-2": "gold"})
    told, a_two, b_three = of_tiles()
    assert str(told.reading.tiles[25].tile) != b_three
    after = told.answered({A: a_two})
    assert str(after.reading.tiles[25].tile) == b_three, "what the box took is given back (rules 1.2)"
    assert after.answered({A: str(told.reading.tiles[20].tile)}).reading.position == told.reading.position


def test_answers_are_taken_without_the_pictures() -> None:
    session, a_two, b_three = of_tiles()
    picture = np.zeros((900, 1200, 3), np.uint8)
    whole = PhotoSession((Shot("a.jpg", picture),), session.as_read, session.evidence)
    kept = pickle.dumps(whole.without_pictures())
    assert len(kept) < picture.nbytes / 10
    after = pickle.loads(kept).answered({A: a_two})
    assert str(after.reading.tiles[25].tile) == b_three and whole.answered({A: a_two}).reading == after.reading
    assert {A, B}.isdisjoint(doubt.label for doubt in doubts(after.answered({B: b_three}).reading))
