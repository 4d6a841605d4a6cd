"""A hint on the photo that the board was read from."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from companion.errors import UnusableInputError
from companion.rules.model.position import Position
from companion.system.progress import TellShare
from companion.table.photo_reading import Answers
from companion.table.photos import TableReading
from tests.web.at_table import JPEG, AtTable, Phone, grey_photo, seen_start
from tests.web.page_forms import form_buttons, form_fields


def seen_nowhere(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
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


def seen_doubtful(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """The start of the samples, with how likely something else lies on its tiles in doubt."""
    seen = seen_start(files, own_set, board, answers, tell)
    tiles = tuple(replace(tile, probabilities=(0.4,) * len(tile.others)) for tile in seen.as_read.tiles)
    return replace(seen, as_read=replace(seen.as_read, tiles=tiles))


def test_what_the_best_turn_hangs_on_is_asked_where_the_photo_is_checked_and_never_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.advisor.advice.ASKED_FROM_VP", -1.0)
    monkeypatch.setattr("companion.advisor.search.advise.LEAST_WORTH", -1.0)
    with AtTable(tmp_path, see="tests.web.test_hint_on_photo:seen_doubtful") as table:
        phone = table.phone()
        first = phone.send_photos("/photos", JPEG).headers["location"]
        # Nobody is known to play yet, so that the tile comes first at which most is at stake.
        assert "Look closely at" in (page := phone.get(first).text) and "it matters most" in page
        assert page.index('id="a1" class="large"') < page.index('id="c3"')
        place = begun_by(phone, first, form_fields(page, f"{first}/accept")["rest"][0])
        for square in ("a1", "c3"):
            other = form_buttons(page, f"{first}/tiles/{square}")["tile"][1]
            assert phone.post(f"{place}/tiles/{square}", {"tile": other}).status_code == 303
        second = phone.send_photos(f"{place}/photos", JPEG).headers["location"]
        # It is thought about once, by what lies open.
        assert "data-waiting" in phone.get(second).text
        page = phone.get(second).text
        assert "the best turn depends on it" in page and page.count('class="large"') == 1
        (asked,) = re.findall(r'id="(\w\d)" class="large"', page)
        phone.post(f"{second}/tiles/{asked}", {"tile": form_buttons(page, f"{second}/tiles/{asked}")["tile"][0]})
        assert f'id="{asked}" class="large"' in phone.get(second).text, "it stays where it was"
        rest = form_fields(phone.get(second).text, f"{second}/accept")["rest"]
        assert phone.post(f"{second}/accept", {"rest": rest}).status_code == 303
        photos = table.run(table.services.photos.find(second.split("/")[-1]))
        assert photos.seen is not None and photos.seen.alternatives == {}, "what was confirmed is in doubt no more"
        phone.get(f"{place}/hint?level=3")
        hint = phone.get(f"{place}/hint?level=3").text
        assert "data-waiting" not in hint and "offer" not in hint and "hint-on-photo.jpg" in hint


def test_what_a_seat_learns_of_a_photo_is_not_what_others_hold(tmp_path: Path) -> None:
    """rules 12.2: what the best turn hangs on is thought about as spectators see the game."""
    asked: list[Position] = []
    with AtTable(tmp_path, see="tests.web.test_hint_on_photo:seen_doubtful") as table:
        phone = table.phone()
        place = begun_by(phone, phone.send_photos("/photos", JPEG).headers["location"])
        phone.post(f"{place}/tiles/c3", {"tile": "V5:yy"})
        think = table.services.adviser.ask

        def ask(game: str, position: Position, alternatives: Any) -> Any:
            asked.append(position)
            return think(game, position, alternatives)

        table.services.adviser.ask = ask  # type: ignore[method-assign, assignment]
        phone.get(phone.send_photos(f"{place}/photos", JPEG).headers["location"])
        (position,) = asked
        assert position.players and all(player.gold is None and player.goods is None for player in position.players)
