"""A hint on the photo that the board was read from."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.errors import UnusableInputError
from companion.progress import TellShare
from companion.rules.model.board import SQUARE_NAMES
from companion.table.photos import SeenTable
from companion.table.seeing import Answers
from tests.web.at_table import JPEG, AtTable, Phone


def grey_photo() -> bytes:
    """A photo on which nothing is but a hint drawn later."""
    stream = io.BytesIO()
    Image.new("RGB", (340, 290), "#808080").save(stream, "JPEG")
    return stream.getvalue()


def seen_nowhere(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> SeenTable:
    """A reader that finds nothing."""
    raise UnusableInputError("there is no board in the photo")


def begun_by(phone: Phone, reading: str, rest: str = "") -> str:
    """The place of a game of two that a phone begins with a photo, with all bids placed."""
    place = phone.post(f"{reading}/accept", {"rest": rest}).headers["location"].removesuffix("/players")
    phone.post(f"{place}/players", {"plays": ["blue", "pink"], "order": ["blue", "pink", "pink", "blue"]})
    for price in (5, 3, 1, 0):
        phone.post(f"{place}/bid", {"price": price})
    return place


def test_arrows_are_drawn_on_the_photo_as_long_as_it_shows_the_board(table: AtTable, phone: Phone) -> None:
    reading = phone.send_photos("/photos", JPEG).headers["location"]
    photos = table.run(table.services.photos.find(reading.split("/")[-1]))
    photos.seen = replace(photos.seen, view=grey_photo())
    place = begun_by(phone, reading)
    assert phone.get(f"{place}/hint-on-photo.jpg").status_code == 404
    phone.get(f"{place}/hint")
    drawn = [phone.get(f"{place}/hint-on-photo.jpg?level={level}") for level in (1, 2)]
    assert [answer.headers["content-type"] for answer in drawn] == ["image/jpeg"] * 2
    start, path = (np.asarray(Image.open(io.BytesIO(answer.content)), np.int16) for answer in drawn)
    assert start.shape == (290, 340, 3)
    # The path is more than the tile to look at, which is more than nothing.
    assert np.abs(start - 128).max(axis=2).mean() < np.abs(path - 128).max(axis=2).mean()
    assert (np.abs(start - 128).max(axis=2) > 40).any()
    phone.post(f"{place}/tiles/a1", {"tile": "S15:yyy"})
    assert phone.get(f"{place}/hint-on-photo.jpg").status_code == 404


def test_a_table_that_was_started_again_shows_its_photo_again(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        place = begun_by(phone, phone.send_photos("/photos", JPEG).headers["location"])
    with AtTable(tmp_path) as table:
        phone = table.phone()
        # First the photo is read, then the hint is thought about with what it leaves in doubt.
        assert "data-waiting" in phone.get(f"{place}/hint").text
        phone.get(f"{place}/hint")
        assert "hint-on-photo.jpg" in phone.get(f"{place}/hint").text
    # Where the photo cannot be read any more, the hint is there all the same.
    with AtTable(tmp_path, see="tests.web.test_hint_on_photo:seen_nowhere") as table:
        phone = table.phone()
        phone.get(f"{place}/hint")
        phone.get(f"{place}/hint")
        hint = phone.get(f"{place}/hint").text
        assert "data-waiting" not in hint and "hint-on-photo.jpg" not in hint


def test_a_tile_on_which_the_hint_hangs_comes_up_as_a_picture_first(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.advisor.advice.ASKED_FROM_VP", -1.0)
    monkeypatch.setattr("companion.advisor.search.advise.LEAST_WORTH", -1.0)
    sent = phone.send_photos("/photos", JPEG).headers["location"]
    photos = table.run(table.services.photos.find(sent.split("/")[-1]))
    read = photos.seen.read
    others = {square: ((offered[1], 0.4),) for square, offered in enumerate(read.offered) if offered[1:]}
    photos.seen = replace(photos.seen, read=replace(read, alternatives=others))
    place = begun_by(phone, sent, f"a1={read.board[0]}")
    phone.get(f"{place}/hint")
    asked = phone.get(f"{place}/hint").text
    square = next(name for name in ("a1", "c3") if f"/hint/tiles/{name}" in asked)
    assert phone.get(f"{place}/hint/tiles/{square}.jpg").content.endswith(f" of {square}".encode())
    assert f"/hint/tiles/{square}.jpg" in asked and "/readings/" not in asked and asked.count('name="tile"') == 2
    assert "hint-on-photo.jpg" not in asked and "looked=3" in asked
    assert photos.unlooked == {"a1"}, "what was taken over without a look is still in doubt"
    other = re.findall(r'name="tile" value="([^"]+)"', asked)[1]
    answer = phone.post(f"{place}/hint/tiles/{square}", {"tile": other, "level": "3", "looked": "0"})
    assert answer.headers["location"].endswith("/hint?level=3&looked=1")
    assert str(photos.seen.position.board[SQUARE_NAMES.index(square)]) == other
    assert table.run(table.services.photos.shown_on(photos.accepted, photos.seen.position.board)) is photos
    phone.get(f"{place}/hint?level=3&looked=3")
    page = phone.get(f"{place}/hint?level=3&looked=3").text
    assert "/hint/tiles/" not in page and "<details" in page and " now" in page
    assert phone.post(f"{place}/hint/tiles/z9", {"tile": other}).status_code == 404
