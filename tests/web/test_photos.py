"""Photos sent, answered tile by tile, and taken into a game; what is refused before anything is decoded."""

from __future__ import annotations

import asyncio
import html
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.history.saved import GameKey
from companion.language.catalogue import translate
from companion.notation.codes import encode
from companion.system.progress import TellShare
from companion.table.photo_reading import Answers
from companion.table.photos import TableReading, forget_photos
from companion.web.server.serving import reporting_faults
from companion.web.store import uploads
from companion.web.store.jobs import Job
from companion.web.store.sent_photos import SentPhotos
from companion.web.store.worker import MAX_WAITING, UNFORESEEN
from tests.web.at_table import HOST, JPEG, START, AtTable, Phone, now, without_a_meeple
from tests.web.page_forms import form_buttons, form_fields


def sent(phone: Phone, path: str = "/photos", *photos: bytes) -> str:
    """Send photos; the address of their reading."""
    answer = phone.send_photos(path, *(photos or (JPEG,)))
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def board_of(table: AtTable) -> list[str]:
    """The board of the only game, tile by tile."""
    (game,) = table.services.history.games()
    return [str(tile) for tile in now(table, game.key).position.board]


def test_a_photo_becomes_a_game_tile_by_tile(table: AtTable, phone: Phone) -> None:
    reading = sent(phone)
    page = phone.get(reading)
    assert page.status_code == 200 and f"{reading}/photo.jpg" in page.text
    # Where most is at stake comes first.
    assert page.text.index(f'action="{reading}/tiles/a1"') < page.text.index(f'action="{reading}/tiles/c3"')
    assert phone.get(f"{reading}/photo.jpg").content == JPEG
    assert phone.get(f"{reading}/crops/c3.jpg").content == JPEG + b" of c3"
    assert f"{reading}/crops/a1.jpg" in phone.get(f"{reading}/tiles/a1").text
    offered = table.run(table.services.photos.find(reading.split("/")[-1])).seen.as_read.tiles[0].offered
    assert form_buttons(page.text, f"{reading}/tiles/a1")["tile"] == [str(tile) for tile in offered]
    answer = phone.post(f"{reading}/tiles/a1", {"tile": str(offered[1])})
    assert answer.headers["location"] == f"{reading}#a1"
    # It stays where it was, with what was said marked, and can be changed.
    page = phone.get(reading)
    assert "Please check 1 tile" in page.text and f'offer current" name="tile" value="{offered[1]}"' in page.text
    assert form_buttons(page.text, f"{reading}/tiles/a1")["tile"] == [str(tile) for tile in offered]
    answer = phone.post(
        f"{reading}/tiles/c3", {"kind": "O8", "y": "2", "g": "1", "camel": "pink", "palms": "1", "palaces": ""}
    )
    told = table.run(table.services.photos.find(reading.split("/")[-1])).seen
    assert told.open_squares == () and phone.get(reading).status_code == 200
    accepted = phone.post(f"{reading}/accept").headers["location"]
    board = board_of(table)
    assert accepted.endswith("/players")
    assert (board[0], board[14]) == (str(offered[1]), "O8:yyg@P^1")
    assert phone.get(accepted).status_code == 200


def test_answers_are_there_after_the_server_was_killed(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        reading = sent(phone)
        phone.post(f"{reading}/tiles/a1", {"tile": "S15:yyy"})
    with AtTable(tmp_path) as table:
        phone = table.phone()
        assert phone.get(reading).status_code == 200
        phone.post(f"{reading}/accept")
        assert board_of(table)[0] == "S15:yyy"
    with AtTable(tmp_path) as table:
        # What it became is known too.
        assert table.phone().post(f"{reading}/accept").status_code == 303
        assert len(table.services.history.games()) == 1


def test_photos_of_a_deleted_game_are_gone_with_all_their_addresses(table: AtTable, phone: Phone) -> None:
    first, other = sent(phone), sent(phone)
    begun = [phone.post(f"{reading}/accept").headers["location"].split("/")[2] for reading in (first, other)]
    beside = sent(phone, f"/games/{begun[0]}/photos")
    assert phone.post(f"/games/{begun[0]}/delete").status_code == 303
    for reading in (first, beside):
        for path in ("", "/photo.jpg", "/crops/c3.jpg", "/tiles/c3"):
            assert phone.get(reading + path).status_code == 410
    assert [place.name for place in (table.folder / "photos").iterdir()] == [other.split("/")[-1]]
    # What another program forgets is no longer answered either.
    assert phone.get(f"{other}/photo.jpg").status_code == 200
    assert forget_photos(table.folder / "photos", {begun[1]}) == [other.split("/")[-1]]
    assert phone.get(f"{other}/photo.jpg").status_code == 410


def test_tiles_that_are_none_are_asked_for_again(phone: Phone) -> None:
    reading = sent(phone)
    for fields in ({"tile": "X9:yy"}, {"kind": "Z1"}, {"kind": "O8", "y": "-1"}, {"kind": "O8", "camel": "red"}):
        answer = phone.post(f"{reading}/tiles/a1", fields)
        assert answer.status_code == 422 and 'role="alert"' in answer.text
    typed = {"kind": "O8", "y": "3", "palms": "99", "camel": "blue"}
    answer = phone.post(f"{reading}/tiles/a1", typed)
    assert (
        typed.items()
        <= {name: value for name, (value, *_) in form_fields(answer.text, f"{reading}/tiles/a1").items()}.items()
    )
    for square in ("z9", "a6", "a", "c3x"):
        assert phone.get(f"{reading}/tiles/{square}").status_code == 404
    assert phone.get("/readings/..%2f..%2fetc").status_code == 404


def test_no_name_of_a_phone_reaches_the_disk(table: AtTable, tmp_path: Path) -> None:
    sent(table.phone(), "/photos", JPEG, JPEG + b"2")
    names = {path.name for path in (tmp_path / "photos").rglob("*") if path.is_file()}
    assert names == {"1.photo", "2.photo", "about.json", "crops"}
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "photos").rglob("*"))


def test_what_is_no_picture_is_refused_before_it_is_kept(table: AtTable, phone: Phone) -> None:
    for content, words in (
        (b"%PDF-1.7", "a PDF"),
        (b"FUJIFILMCCD-RAW 0201", "it is a camera&#39;s raw file; save it as JPEG"),
        (b"just words", "it is text"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"\0\0\0 ftypisom" + b"\0" * 30, "a video"),
    ):
        answer = phone.send_photos("/photos", content)
        assert answer.status_code == 422 and words in answer.text
        assert not list((table.folder / "photos").rglob("*.photo"))


def test_no_photo_and_too_many(phone: Phone) -> None:
    assert "take one, or choose one" in phone.send_photos("/photos").text
    nine = [JPEG + bytes([one]) for one in range(9)]
    assert "9 photos given; at most 8 of the same table" in phone.send_photos("/photos", *nine).text
    assert "This form can" in phone.send_photos("/photos", *[b"x"] * 10_000).text


def test_more_than_the_limit_is_refused_when_it_is_announced_and_when_it_is_not(table: AtTable, phone: Phone) -> None:
    headers = {"Content-Length": "100000001", "Content-Type": "multipart/form-data"}
    announced = phone.post("/photos", None, None, **headers)
    assert announced.status_code == 413 and "100 MB" in announced.text
    for form in ("/language", "/games", f"/games/{'a' * 22}/undo"):
        too_large = phone.post(form, None, None, **headers | {"Content-Length": "200001"})
        assert too_large.status_code == 413 and "0.2 MB" in too_large.text, "no photos come with this form"

    async def without_end() -> AsyncIterator[bytes]:
        yield b"--x\r\nContent-Disposition: form-data; name=photos; filename=a\r\n\r\n"
        for _ in range(120):
            yield bytes(1_000_000)

    assert _posted(table, phone, without_end()).status_code == 413


def test_a_slow_sender_is_not_waited_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = uploads.UploadLimits(silence_s=0.05)
    monkeypatch.setattr(uploads, "UPLOAD_LIMITS", quick)

    async def slow() -> AsyncIterator[bytes]:
        yield b"--x\r\nContent-Disposition: form-data; name=photos; filename=a\r\n\r\n"
        await asyncio.sleep(1)
        yield b"never looked at"

    with AtTable(tmp_path) as table:
        answer = _posted(table, table.phone(), slow())
        assert answer.status_code == 408 and "too slowly" in answer.text


def test_what_goes_on_coming_is_waited_for_as_long_as_it_was_announced_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [b"--x\r\nContent-Disposition: form-data; name=photos; filename=a\r\n\r\n", JPEG, JPEG, b"\r\n--x--\r\n"]
    size = sum(map(len, parts))
    limits = uploads.UploadLimits(silence_s=5.0, whole_s=0.1, bytes_a_s=size / 10)
    monkeypatch.setattr(uploads, "UPLOAD_LIMITS", limits)

    async def steady() -> AsyncIterator[bytes]:
        for part in parts:
            yield part
            await asyncio.sleep(0.06)

    with AtTable(tmp_path) as table:
        phone = table.phone()
        assert _posted(table, phone, steady(), **{"Content-Length": str(size)}).status_code == 303
        assert _posted(table, phone, steady()).status_code == 408, "nothing was announced"


def _posted(table: AtTable, phone: Phone, content: Any, **more: str) -> httpx.Response:
    headers = {"Origin": f"http://{HOST}", "Content-Type": "multipart/form-data; boundary=x", **more}
    answer: httpx.Response = table.run(phone.client.post("/photos", content=content, headers=headers))
    return answer


def test_photos_come_at_a_human_pace(table: AtTable, phone: Phone) -> None:
    answers = [phone.post("/photos").status_code for _ in range(31)]
    assert answers[-1] == 429 and set(answers[:-1]) == {422}, "thirty in a minute"
    table.clock.seconds += 61
    assert phone.post("/photos").status_code == 422


def test_a_phone_asks_whether_a_photo_is_still_there_before_it_shows_it_again(phone: Phone) -> None:
    place = phone.send_photos("/photos", JPEG).headers["location"]
    for path in ("photo.jpg", "crops/c3.jpg"):
        first = phone.get(f"{place}/{path}")
        assert first.content.startswith(JPEG) and first.headers["cache-control"] == "private, no-cache"
        again = phone.get(f"{place}/{path}", **{"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def game_of_the_photo(table: AtTable, phone: Phone) -> GameKey:
    """A game that begins on the board which `seen_start` reads."""
    plays = [colour.value for colour in START.colours]
    phone.post("/games", {"how": "code", "code": encode(START), "plays": plays, "name_pink": "Anna"})
    (game,) = table.services.history.games()
    return game.key


def test_a_photo_in_mid_game_that_shows_what_the_game_has_changes_nothing(table: AtTable, phone: Phone) -> None:
    key = game_of_the_photo(table, phone)
    before = table.services.history.current(key)
    reading = sent(phone, f"/games/{key}/photos")
    # What was not read for sure is as the game has it: nothing is asked.
    assert "No tile is in doubt" in phone.get(reading).text
    answer = phone.post(f"{reading}/accept", {"revision": str(before.number)})
    assert answer.headers["location"] == f"/games/{key}"
    assert "The photo matches the game." in phone.get(f"/games/{key}").text
    assert table.services.history.current(key) == before


def test_a_photo_that_the_game_has_overtaken_is_shown_again_first(table: AtTable, phone: Phone) -> None:
    key = game_of_the_photo(table, phone)
    reading = sent(phone, f"/games/{key}/photos")
    number = table.services.history.current(key).number
    phone.post(f"{reading}/tiles/c3", {"tile": str(without_a_meeple(START.board[14]))})
    assert f'name="revision" value="{number}"' in phone.get(reading).text
    phone.post(f"/games/{key}/bid", {"price": "3", "fakirs": "0"})
    before = table.services.history.current(key)
    answer = phone.post(f"{reading}/accept", {"revision": str(number)})
    assert answer.status_code == 409 and "has moved on" in answer.text
    assert table.services.history.current(key) == before


def test_a_photo_in_mid_game_that_cannot_be_right_is_not_taken(table: AtTable, phone: Phone) -> None:
    """rules 1.1, 1.2"""
    key = game_of_the_photo(table, phone)
    reading = sent(phone, f"/games/{key}/photos")
    phone.post(f"{reading}/tiles/c3", {"kind": START.board[14].kind.code, "y": "17"})
    page = phone.get(reading).text
    assert "viziers" in page and 'class="fault"' in page
    before = table.services.history.current(key)
    answer = phone.post(f"{reading}/accept")
    assert answer.status_code == 422 and "position is impossible" in answer.text
    assert table.services.history.current(key) == before


def test_a_photo_of_another_table_is_said_to_be_one(table: AtTable, phone: Phone) -> None:
    phone.post("/games", {"how": "random", "plays": ["blue", "pink"], "name_pink": "Anna"})
    (game,) = table.services.history.games()
    reading = sent(phone, f"/games/{game.key}/photos")
    assert "this game&#39;s tiles" in phone.get(reading).text
    assert phone.send_photos("/games/none/photos", JPEG).status_code == 404


def test_what_another_phone_has_told_stays_when_the_rest_is_confirmed(table: AtTable) -> None:
    one, other = table.phone(), table.phone(address="192.168.1.21")
    reading = sent(one)
    rest = form_fields(one.get(reading).text, f"{reading}/accept")["rest"]
    other.post(f"{reading}/tiles/c3", {"tile": "V5:yy"})
    for odd in ("right", "c3", "z9=V5", "c3=toast"):
        assert one.post(f"{reading}/accept", {"rest": odd}).status_code == 422
        assert not table.services.history.games()
    assert one.post(f"{reading}/accept", {"rest": rest}).status_code == 303
    assert board_of(table)[14] == "V5:yy"
    assert table.run(table.services.photos.find(reading.split("/")[-1])).seen.corrected == {"a1", "c3"}


def photos_of(table: AtTable, reading: str) -> SentPhotos:
    """What was sent, by the address of its reading."""
    photos: SentPhotos = table.run(table.services.photos.find(reading.split("/")[-1]))
    return photos


def seen_wrongly(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """A reader with a fault of its own."""
    raise ValueError("nobody thought of this")


def test_two_phones_that_change_different_parts_of_a_tile_of_a_photo_are_both_kept(table: AtTable) -> None:
    one, other = table.phone(), table.phone(address="192.168.1.21")
    reading = sent(one)
    place = f"{reading}/tiles/a1"
    shown = form_fields(one.get(place).text, place)
    assert one.post(place, {**shown, "palms": "3"}).status_code == 303
    assert other.post(place, {**shown, "palaces": "2"}).status_code == 303
    assert form_fields(one.get(place).text, place) | {"answered": "", "shown": ""} == {
        **shown,
        **{"palms": ["3"], "palaces": ["2"], "answered": "", "shown": ""},
    }


def test_of_two_phones_that_tell_one_tile_the_second_is_asked_again(table: AtTable) -> None:
    one, other = table.phone(), table.phone(address="192.168.1.21")
    reading = sent(one)
    place = f"{reading}/tiles/c3"
    shown = form_fields(other.get(place).text, place)
    offered = shown["answered"]
    assert one.post(place, {"tile": "V5:yy", "answered": offered}).status_code == 303
    answer = other.post(place, {"tile": "V5:yg", "answered": offered})
    assert answer.status_code == 409 and "has just changed" in answer.text
    answer = other.post(place, {**shown, "y": "0", "palms": "1"})
    assert answer.status_code == 409 and "changed in the meantime: " in answer.text
    # What was typed is there still, and sent again it counts.
    again = form_fields(answer.text, place)
    assert (again["y"], again["palms"]) == (["0"], ["1"])
    told = photos_of(table, reading).seen
    assert told is not None and str(told.position.board[14]) == "V5:yy"
    # Who says the same is not troubled, and who has seen the answer may change it.
    assert other.post(place, {"tile": "V5:yy", "answered": offered}).status_code == 303
    again = form_fields(other.get(place).text, place)
    assert other.post(place, {**again, "y": "1", "palms": "1"}).status_code == 303


def test_where_too_many_wait_a_photo_is_refused_and_takes_no_place(table: AtTable, phone: Phone) -> None:
    table.services.reader.waiting = MAX_WAITING
    answer = phone.send_photos("/photos", JPEG)
    assert answer.status_code == 503 and "Too many jobs" in answer.text
    assert not list((table.folder / "photos").rglob("*.photo"))
    table.services.reader.waiting = 0
    reading = sent(phone)
    # Nor does one that came a moment too late stay refused.
    photos = photos_of(table, reading)
    photos.seen, photos.job = None, Job(fault="Too many", ended_s=1.0, is_put_off=True)
    phone.get(reading)
    assert f"{reading}/photo.jpg" in phone.get(reading).text


def test_a_fault_that_nobody_foresaw_ends_a_reading(tmp_path: Path) -> None:
    told: list[Exception] = []
    with AtTable(tmp_path, see="tests.web.test_photos:seen_wrongly") as table, reporting_faults(told.append):
        phone = table.phone()
        reading = sent(phone)
        page = phone.get(reading)
        assert page.status_code == 422 and translate(UNFORESEEN, "en") in html.unescape(page.text)
        # Nor do the pages beside it wait for ever.
        answer = phone.post(f"{reading}/tiles/c3", {"tile": "V5:yy"})
        assert answer.status_code == 422 and translate(UNFORESEEN, "en") in html.unescape(answer.text)
    assert [str(error) for error in told] == ["nobody thought of this"]


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
    assert "The game has moved on since this photo was added" in page and "tap" in page
    assert table.services.history.current(game.key) == before


def test_a_tile_put_right_after_a_photo_in_mid_game_is_a_change_of_the_game_as_it_is(
    table: AtTable, phone: Phone
) -> None:
    key = game_of_the_photo(table, phone)
    reading = sent(phone, f"/games/{key}/photos")
    phone.post(f"{reading}/accept")
    phone.post(f"/games/{key}/bid", {"price": "3", "fakirs": "0"})
    before = now(table, key).position
    fewer = without_a_meeple(START.board[14])
    accepted_and_corrected(phone, reading, str(fewer))
    after = now(table, key).position
    assert after == before.with_board((*before.board[:14], fewer, *before.board[15:]))
    assert after.turn_order == before.turn_order and after.turn_order
