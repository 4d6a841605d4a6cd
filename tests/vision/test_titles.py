"""Titles of djinn cards are read with Tesseract and matched with a margin."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.errors import ExitStatus, MissingDependencyError
from companion.rules.djinns import DJINNS
from companion.vision import titles
from companion.vision.titles import match_name, read_titles


def cards(names: list[str]) -> np.ndarray:
    """A photo-like picture of cards on a table with a title on each."""
    picture = np.full((700, 1500, 3), (60, 90, 120), np.uint8)
    for number, name in enumerate(names):
        left = 60 + 480 * number
        cv2.rectangle(picture, (left, 60), (left + 400, 640), (190, 225, 235), -1)
        cv2.circle(picture, (left + 200, 400), 120, (150, 90, 40), -1)
        cv2.putText(picture, name, (left + 40, 170), (20, 20, 30), cv2.FontFace("sans"), 64, 600)
    return cv2.GaussianBlur(picture, (0, 0), 1.2)


@pytest.mark.parametrize("quarters", [0, 1, 2])
def test_titles_are_read_in_order_from_any_side(quarters: int) -> None:
    names = ["Jafaar", "Shamhat", "Kumarbi"]
    found = read_titles(np.ascontiguousarray(np.rot90(cards(names), quarters)))
    assert [title.djinn for title in found] == names


def test_every_name_matches_itself_and_no_other() -> None:
    for name in DJINNS:
        if len(name) > 3:
            assert match_name(name) == (name, 1.0)


@pytest.mark.parametrize("word", ["", "the", "Market", "Oasis", "Five Tribes", "1234567", "Enk Utug"])
def test_other_words_match_nothing(word: str) -> None:
    assert match_name(word) is None


@pytest.mark.parametrize(
    ("read", "name"), [("Jafoar", "Jafaar"), ("SHAMHAT", "Shamhat"), ("Ba’al", "Ba'al"), ("|blis", "Iblis")]
)
def test_a_slightly_misread_name_is_still_told(read: str, name: str) -> None:
    match = match_name(read)
    assert match is not None and match[0] == name


def test_without_tesseract_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "find_tesseract", lambda: None)
    with pytest.raises(MissingDependencyError, match="apt install tesseract-ocr") as caught:
        read_titles(cards(["Jafaar"]))
    assert caught.value.status is ExitStatus.MISSING
