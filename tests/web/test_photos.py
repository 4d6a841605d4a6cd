"""Photos sent, answered tile by tile, and taken into a game; what is refused before anything is decoded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from companion.notation.tokens import format_tile
from companion.rules.model.board import parse_square
from companion.table.games import open_table
from companion.web import reading_pages, uploads
from companion.web.uploads import UPLOAD_LIMITS
from tests.web.at_table import HOST, JPEG, AtTable, Phone


def sent(phone: Phone, path: str = "/photos", *photos: bytes) -> str:
    """Send photos; the address of their reading."""
    answer = phone.send_photos(path, *(photos or (JPEG,)))
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def board_of(table: AtTable) -> list[str]:
    """The board of the only game, tile by tile."""
    (game,) = table.services.history.games()
    return [format_tile(tile) for tile in open_table(table.services.history.current(game.key).text).position.board]


def test_a_photo_becomes_a_game_tile_by_tile(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        reading = sent(phone)
        page = phone.get(reading)
        assert page.status_code == 200 and f"{reading}/photo.jpg" in page.text
        # Where most is at stake comes first.
        assert f"{reading}/tiles/a1" in page.text
        assert phone.get(f"{reading}/photo.jpg").content == JPEG
        assert phone.get(f"{reading}/crops/c3.jpg").content == JPEG + b" of c3"
        tile = phone.get(f"{reading}/tiles/a1")
        assert f"{reading}/crops/a1.jpg" in tile.text
        offered = table.run(table.services.readings.find(reading.split("/")[-1])).seen.read.tiles[0].offered
        answer = phone.post(f"{reading}/tiles/a1", {"tile": format_tile(offered[1])})
        assert answer.headers["location"] == f"{reading}/tiles/c3"
        answer = phone.post(
            f"{reading}/tiles/c3", {"kind": "O8", "y": "2", "g": "1", "camel": "pink", "palms": "1", "palaces": ""}
        )
        assert answer.headers["location"] == reading
        told = table.run(table.services.readings.find(reading.split("/")[-1])).seen
        assert told.open_squares == () and phone.get(reading).status_code == 200
        accepted = phone.post(f"{reading}/accept").headers["location"]
        board = board_of(table)
        assert accepted.endswith("/players")
        assert (board[0], board[14]) == (format_tile(offered[1]), "O8:yyg@P^1")
        assert phone.get(accepted).status_code == 200


def test_a_second_tap_on_accept_begins_no_second_game(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        reading = sent(phone)
        first, second = (phone.post(f"{reading}/accept").headers["location"] for _ in range(2))
        assert first == second and len(table.services.history.games()) == 1


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


def test_tiles_that_are_none_are_asked_for_again(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        reading = sent(phone)
        for fields in ({"tile": "X9:yy"}, {"kind": "Z1"}, {"kind": "O8", "y": "-1"}, {"kind": "O8", "camel": "red"}):
            answer = phone.post(f"{reading}/tiles/a1", fields)
            assert answer.status_code == 422 and 'role="alert"' in answer.text
        for square in ("z9", "a6", "a", "c3x"):
            assert phone.get(f"{reading}/tiles/{square}").status_code == 404
        assert phone.get("/readings/..%2f..%2fetc").status_code == 404


def test_no_name_of_a_phone_reaches_the_disk(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        sent(table.phone(), "/photos", JPEG, JPEG + b"2")
        names = {path.name for path in (tmp_path / "photos").rglob("*") if path.is_file()}
        assert names == {"1.photo", "2.photo", "about.json"}
        assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "photos").rglob("*"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7", "a PDF"),
        (b"just words", "it is text"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"\0\0\0 ftypisom" + b"\0" * 30, "a video"),
    ],
)
def test_what_is_no_picture_is_refused_before_it_is_kept(tmp_path: Path, content: bytes, said: str) -> None:
    with AtTable(tmp_path) as table:
        answer = table.phone().send_photos("/photos", content)
        assert answer.status_code == 422 and said in answer.text
        assert not list((tmp_path / "photos").rglob("*.photo"))


def test_no_photo_and_too_many(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        assert "take one, or choose one" in phone.send_photos("/photos").text
        assert "9 photos were sent; 8" in phone.send_photos("/photos", *(JPEG + bytes([one]) for one in range(9))).text
        assert phone.send_photos("/photos", *[b"x"] * 10_000).status_code == 413


def test_more_than_the_limit_is_refused_when_it_is_announced_and_when_it_is_not(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        headers = {"Content-Length": "100000001", "Content-Type": "multipart/form-data"}
        announced = phone.post("/photos", None, None, **headers)
        assert announced.status_code == 413 and "100 MB" in announced.text

        async def without_end() -> AsyncIterator[bytes]:
            yield b"--x\r\nContent-Disposition: form-data; name=photos; filename=a\r\n\r\n"
            for _ in range(120):
                yield bytes(1_000_000)

        assert _posted(table, phone, without_end()).status_code == 413


def test_a_slow_sender_is_not_waited_for_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick = uploads.UploadLimits(silence_s=0.05)
    monkeypatch.setattr(reading_pages, "UPLOAD_LIMITS", quick)

    async def slow() -> AsyncIterator[bytes]:
        yield b"--x\r\nContent-Disposition: form-data; name=photos; filename=a\r\n\r\n"
        await asyncio.sleep(1)
        yield b"never looked at"

    with AtTable(tmp_path) as table:
        answer = _posted(table, table.phone(), slow())
        assert answer.status_code == 408 and "too slowly" in answer.text


def _posted(table: AtTable, phone: Phone, content: Any) -> httpx.Response:
    headers = {"Origin": f"http://{HOST}", "Content-Type": "multipart/form-data; boundary=x"}
    answer: httpx.Response = table.run(phone.client.post("/photos", content=content, headers=headers))
    return answer


def test_photos_come_at_a_human_pace(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        answers = [phone.post("/photos").status_code for _ in range(reading_pages.MAX_UPLOADS + 1)]
        assert answers[-1] == 429 and set(answers[:-1]) == {422}
        table.clock.seconds += 61
        assert phone.post("/photos").status_code == 422


def test_a_photo_in_the_middle_of_a_game_begins_a_new_part_of_it(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        phone.post("/games", {"how": "random", "plays": ["blue", "pink"], "name_pink": "Anna"})
        (game,) = table.services.history.games()
        reading = sent(phone, f"/games/{game.key}/photos")
        phone.post(f"{reading}/tiles/c3", {"tile": "O8:yyg"})
        assert phone.post(f"{reading}/accept").headers["location"] == f"/games/{game.key}/players"
        assert board_of(table)[parse_square("c3")] == "O8:yyg"
        assert phone.send_photos("/games/none/photos", JPEG).status_code == 404


def test_limits_are_those_of_the_table() -> None:
    assert (UPLOAD_LIMITS.bytes_of_photos, UPLOAD_LIMITS.silence_s) == (100_000_000, 20.0)
