"""Answers about a photo that come at the same time, late, or after it went into its game: none is lost."""

from __future__ import annotations

import html
from pathlib import Path

import httpx

from companion.language.catalogue import translate
from companion.progress import TellShare
from companion.table.photos import SeenTable
from companion.web.photos import SentPhotos
from companion.web.worker import UNFORESEEN
from tests.web.at_table import AtTable, Phone, without_a_meeple
from tests.web.page_forms import form_fields
from tests.web.test_photos import START, board_of, game_of_the_photo, position_now, sent


def photos_of(table: AtTable, reading: str) -> SentPhotos:
    """What was sent, by the address of its reading."""
    photos: SentPhotos = table.run(table.services.photos.find(reading.split("/")[-1]))
    return photos


def seen_wrongly(files: list[str], own_set: bool, board: str, tell: TellShare) -> SeenTable:
    """A reader with a fault of its own."""
    raise ValueError("nobody thought of this")


def test_of_two_phones_that_tell_one_tile_the_second_is_asked_again(table: AtTable) -> None:
    one, other = table.phone(), table.phone(address="192.168.1.21")
    reading = sent(one)
    place = f"{reading}/tiles/c3"
    shown = form_fields(other.get(place).text, place)
    offered = form_fields(other.get(reading).text, place)["answered"]
    assert one.post(place, {"tile": "V5:yy", "answered": offered}).status_code == 303
    for late in ({"tile": "V5:yg", "answered": offered}, {**shown, "y": "0", "palms": "1"}):
        answer = other.post(place, late)
        assert answer.status_code == 409 and "has just changed" in answer.text
    # What was typed is there still, and sent again it counts.
    again = form_fields(answer.text, place)
    assert (again["y"], again["palms"]) == (["0"], ["1"])
    told = photos_of(table, reading).seen
    assert told is not None and str(told.position.board[14]) == "V5:yy"
    # Who says the same is not troubled, and who has seen the answer may change it.
    assert other.post(place, {"tile": "V5:yy", "answered": offered}).status_code == 303
    again = form_fields(other.get(place).text, place)
    assert other.post(place, {**again, "y": "1", "palms": "1"}).status_code == 303


def test_a_fault_that_nobody_foresaw_ends_a_reading(tmp_path: Path) -> None:
    with AtTable(tmp_path, see="tests.web.test_readings:seen_wrongly") as table:
        phone = table.phone()
        reading = sent(phone)
        page = phone.get(reading)
        assert page.status_code == 422 and translate(UNFORESEEN, "en") in html.unescape(page.text)
        # Nor do the pages beside it wait for ever.
        answer = phone.post(f"{reading}/tiles/c3", {"tile": "V5:yy"})
        assert answer.status_code == 422 and translate(UNFORESEEN, "en") in html.unescape(answer.text)


def accepted_and_corrected(phone: Phone, reading: str, tile: str = "V5:yy") -> httpx.Response:
    """A photo taken into a game; then back, and a tile put right."""
    assert phone.post(f"{reading}/accept").status_code == 303
    assert phone.post(f"{reading}/tiles/c3", {"tile": tile}).status_code == 303
    return phone.post(f"{reading}/accept")


def test_a_tile_put_right_after_the_photo_went_into_a_game_is_a_change_of_it(table: AtTable, phone: Phone) -> None:
    reading = sent(phone)
    answer = accepted_and_corrected(phone, reading)
    (game,) = table.services.history.games()
    assert answer.headers["location"] == f"/games/{game.key}/players"
    assert board_of(table)[14] == "V5:yy"
    assert len(table.services.history.revisions(game.key)) == 2
    # A second tap changes nothing more.
    phone.post(f"{reading}/accept")
    assert len(table.services.history.revisions(game.key)) == 2


def test_a_tile_put_right_where_the_game_has_gone_on_is_said_not_to_be_taken(table: AtTable, phone: Phone) -> None:
    reading = sent(phone)
    phone.post(f"{reading}/accept")
    (game,) = table.services.history.games()
    phone.post(f"/games/{game.key}/tiles/c3", {"tile": "V5:y"})
    before = table.services.history.current(game.key)
    answer = accepted_and_corrected(phone, reading)
    assert answer.headers["location"] == f"/games/{game.key}"
    page = html.unescape(phone.get(f"/games/{game.key}").text)
    assert "The game has moved on since this photo went into it" in page and "tap" in page
    assert table.services.history.current(game.key) == before


def test_a_tile_put_right_after_a_photo_in_mid_game_is_a_change_of_the_game_as_it_is(
    table: AtTable, phone: Phone
) -> None:
    key = game_of_the_photo(table, phone)
    reading = sent(phone, f"/games/{key}/photos")
    phone.post(f"{reading}/accept")
    phone.post(f"/games/{key}/bid", {"price": "3", "fakirs": "0"})
    before = position_now(table, key)
    fewer = without_a_meeple(START.board[14])
    accepted_and_corrected(phone, reading, str(fewer))
    after = position_now(table, key)
    assert after == before.with_board((*before.board[:14], fewer, *before.board[15:]))
    assert after.turn_order == before.turn_order and after.turn_order
