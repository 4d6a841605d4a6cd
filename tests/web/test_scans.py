"""Cards and sheets scanned from the first page: their codes found in photos, and what each begins or keeps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from starlette.exceptions import HTTPException

from companion.errors import NotationError, PhotoError
from companion.language.phrase import say
from companion.notation.codes import encode
from companion.notation.outcome import outcome_of
from companion.printing.core.qr import QUIET_MODULES, qr_matrix
from companion.rules.engine.scoring import result_of
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.system.progress import TellShare
from companion.table.photo_reading import Answers
from companion.table.scanning import ScannedCodes, scan_codes
from companion.vision.load import Picture, decode_photo
from companion.vision.locate.code_detection import find_codes
from companion.web.store.jobs import ResultCache
from tests.samples import END
from tests.web.at_table import AtTable, Phone, key_of, now
from tests.web.page_forms import form_fields

TWO = (Colour.BLUE, Colour.PINK)


@cache
def photo(*texts: str, module_px: float = 7.0, turn: float = 6.0, size: tuple[int, int] = (800, 600)) -> bytes:
    """A photo, as JPEG, of paper with these codes side by side, turned by some degrees."""
    rng = np.random.default_rng(4)
    picture: Picture = np.full((size[1], size[0], 3), (60, 90, 120), np.uint8)
    for place, text in enumerate(texts):
        code = np.array(qr_matrix(text))
        squares = np.where(np.pad(code, QUIET_MODULES), 20, 235).astype(np.uint8)
        side = squares.shape[0] * module_px
        middle = (size[0] * (place + 0.5) / len(texts), size[1] / 2)
        matrix = cv2.getRotationMatrix2D((squares.shape[0] / 2, squares.shape[0] / 2), turn, module_px)
        matrix[:, 2] += np.array(middle) - squares.shape[0] / 2
        paper = cv2.merge([squares] * 3)
        cv2.warpAffine(paper, matrix, size, picture, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_TRANSPARENT)
        assert side < size[1]
    noisy = cv2.GaussianBlur(picture, (0, 0), 0.8) + rng.normal(0, 4, picture.shape)
    return cv2.imencode(".jpg", np.clip(noisy, 0, 255).astype(np.uint8))[1].tobytes()


def silent(share: float, doing: str) -> None:
    """Tell nobody."""


@cache
def coded(seed: int) -> str:
    return encode(random_setup(2, seed, colours=TWO))


RESULT = outcome_of(result_of(END), {Colour.PINK: "Anna"}, date="2026-02-14", place="Lviv").text


def sent(phone: Phone, *photos: bytes) -> str:
    """The page that photos lead to in the end."""
    answer = phone.send_photos("/photos", *photos)
    assert answer.status_code == 303, answer.text
    reading = answer.headers["location"]
    leads_to = phone.get(reading).headers.get("location", reading)
    return str(leads_to)


def seen_codes(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> ScannedCodes:
    """A reader that finds codes alone."""
    return scan_codes([Path(file).read_bytes() for file in files], tell)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AtTable]:
    with AtTable(tmp_path, see="tests.web.test_scans:seen_codes") as table:
        yield table


def test_a_card_begins_its_game_with_the_names_told(table: AtTable, phone: Phone, tmp_path: Path) -> None:
    place = sent(phone, photo(coded(5)))
    page = phone.get(place)
    assert "This set-up was found" in page.text and coded(5) in page.text
    assert 'name="name_pink"' in page.text and 'name="name_black"' not in page.text
    fields = {"how": "code", "code": coded(5), "plays": ["blue", "pink"], "name_pink": "Anna"}
    key = key_of(phone.post("/games", fields).headers["location"])
    laid = now(table, key).position
    wanted = random_setup(2, 5, colours=TWO)
    assert (laid.board, laid.row, laid.djinns, laid.bid_order) == (
        wanted.board,
        wanted.row,
        wanted.djinns,
        wanted.bid_order,
    )
    assert "Anna" in phone.get(f"/games/{key}").text
    # The photo itself is nowhere.
    assert not list((tmp_path / "photos").rglob("*.photo"))


def test_of_two_codes_it_is_asked_which(phone: Phone) -> None:
    for photos in ((photo(coded(5), coded(6)),), (photo(coded(5)), photo(coded(6)))):
        place = sent(phone, *photos)
        page = phone.get(place).text
        assert "2 different codes were found" in page and 'name="how"' not in page
        for number in (1, 2):
            chosen = phone.get(f"{place}?table={number}").text
            assert (coded(5) in chosen) != (coded(6) in chosen)
    assert phone.get(f"{place}?table=7").text.count("This one") == 2
    assert phone.get(f"{place}?table=x").status_code == 422
    assert "take a new one" in phone.get("/scans/of-an-earlier-run").text


def test_the_same_code_in_two_photos_is_one() -> None:
    told: list[float] = []
    found = scan_codes([photo(coded(5)), photo(coded(5), turn=-20)], lambda share, doing: told.append(share))
    assert [one.code for one in found.tables] == [coded(5)]
    assert told == sorted(told) and told[0] == 0.0 and told[-1] < 1.0


def test_a_small_code_is_found_at_a_closer_look() -> None:
    """2.4 px a square: a whole page that takes half the photo's height."""
    small = photo(coded(0), module_px=2.4, size=(1200, 900))
    assert not find_codes(decode_photo(small, "the photo"))
    assert scan_codes([small], silent).tables[0].code == coded(0)


def test_a_photo_without_a_code_says_what_was_looked_for(phone: Phone) -> None:
    for content, words in (
        (photo(), "No code was found"),
        (photo("https://example.org/menu"), "not one of this program's ('https://example.org/menu')"),
        (b"\xff\xd8\xff\xe0 cut off", "the photo"),
    ):
        page = phone.get(sent(phone, content))
        assert page.status_code == 422 and "Take a photo" in page.text
        assert words.replace("'", "&#39;") in page.text
        assert ("set-up card or score sheet" in page.text) == (b"cut off" not in content)


def test_a_damaged_code_is_told_as_such_and_passed_over_beside_a_good_one() -> None:
    good, damaged = coded(5), coded(6)[:-3] + "AAA"
    with pytest.raises(NotationError):
        scan_codes([photo(damaged)], silent)
    with pytest.raises(PhotoError, match="the photo"):
        scan_codes([b"no picture"], silent)
    assert [table.code for table in scan_codes([photo(good, damaged)], silent).tables] == [good]


def test_a_result_is_kept_once(table: AtTable, phone: Phone) -> None:
    place = sent(phone, photo(RESULT, module_px=5))
    page = phone.get(place).text
    assert "A result" in page and "Anna" in page and "2026-02-14, Lviv" in page
    assert phone.post(f"{place}/results", {"result": "1"}).headers["location"] == "/history"
    assert "Saved." in phone.get("/history").text
    phone.post(f"{place}/results", {"result": "1"})
    assert "already saved" in phone.get("/history").text
    ((game, result),) = table.services.history.finished_games()
    assert game.date == "2026-02-14" and game.players[Colour.PINK] == "Anna" and result.players
    for number in ("0", "2", ""):
        assert phone.post(f"{place}/results", {"result": number}).status_code == 404


def test_a_sheet_of_a_game_that_is_over_is_kept_with_its_result_and_its_day(table: AtTable, phone: Phone) -> None:
    """rules 9, 10"""
    page = phone.get(sent(phone, photo(encode(END), RESULT, module_px=5, turn=0))).text
    assert "Save it in the history" in page and "Continue from here" not in page
    answer = phone.post("/games", form_fields(page, "/games"))
    assert answer.headers["location"].endswith("/score")
    ((game, result),) = table.services.history.finished_games()
    assert (game.date, game.place, game.players[Colour.PINK]) == ("2026-02-14", "Lviv", "Anna")
    assert {colour: score.total for colour, score in result.players.items()} == {
        colour: score.total for colour, score in result_of(END).scores.items()
    }


def test_a_code_of_the_end_without_players_asks_who_played(table: AtTable) -> None:
    board = tuple(replace(tile, camel=None) for tile in END.board)
    nobody = replace(END, board=board, players=(), to_move=None, bid_order=None, turn_order=None)
    answer = table.phone().post("/games", {"how": "code", "code": encode(nobody)})
    assert answer.headers["location"].endswith("/players")
    assert table.services.history.finished_games() == ()


def test_of_too_many_results_the_oldest_are_dropped() -> None:
    results: ResultCache[int] = ResultCache(2, say("gone"))
    keys = [results.put(number) for number in range(3)]
    assert [results.get(key) for key in keys[1:]] == [1, 2]
    with pytest.raises(HTTPException):
        results.get(keys[0])
