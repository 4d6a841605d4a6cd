"""Photos in mid-game that show no board: row, djinns and tracks are taken, and a hand once its player is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import PhotoError
from companion.history.saved import GameKey
from companion.notation.tokens import parse_board
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.system.progress import TellShare
from companion.table import photo_reading
from companion.table.photo_reading import Answers, table_reading
from companion.table.photos import TableReading
from companion.vision.reading.cards import HoldingsReading
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import Reading, TitleDetection, UnclearTitle, certain_tiles
from companion.web.store.worker import MAX_WAITING
from tests.web.at_table import JPEG, MID, AtTable, Phone, kept, now
from tests.web.test_hands import HAND, jpeg

ROW = ("fakir", "fish", "silk")
DJINNS = ("Utug", "Sloar")


def seen_beside(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """A row and djinns, with no board."""
    game = parse_board(board)
    return table_reading(PhotoSession((), Reading(Position(game, row=ROW, djinns=DJINNS), certain_tiles(game))))


def seen_nothing(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """Nothing that the reader of tables knows."""
    raise PhotoError("no board found")


def reading_of(phone: Phone, key: GameKey, photo: bytes = JPEG) -> str:
    return str(phone.send_photos(f"/games/{key}/photos", photo).headers["location"])


def at_table(folder: Path, see: str = "seen_beside") -> AtTable:
    return AtTable(folder, see=f"tests.web.test_photos_beside:{see}")


@pytest.fixture(autouse=True)
def _hand(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(shot: Shot, tell: TellShare) -> HoldingsReading:
        return HAND

    monkeypatch.setattr(photo_reading, "read_holdings", read)


def test_row_and_djinns_alone_are_taken_and_the_board_stays(tmp_path: Path) -> None:
    with at_table(tmp_path) as table:
        phone, key = table.phone(), kept(table, MID)
        before, reading = now(table, key).position, reading_of(phone, key)
        page = phone.get(reading).text
        assert "The photo shows no board" in page and 'class="board"' not in page
        assert all(name in page for name in ("Utug", "Sloar"))
        assert phone.post(f"{reading}/accept").headers["location"] == f"/games/{key}"
        assert now(table, key).position == replace(before, row=ROW, djinns=DJINNS)


def seen_titles(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """One djinn, and two titles that could not be read."""
    game = parse_board(board)
    titles = tuple(UnclearTitle(0, TitleDetection(None, "Mrd", 0.5, (9, 9, 9, 9)), "", number) for number in (1, 2))
    reading = Reading(Position(game, row=ROW, djinns=("Utug",)), certain_tiles(game), titles=titles)
    return table_reading(PhotoSession((), reading))


def test_an_answer_about_a_card_leads_on_to_the_next_question(tmp_path: Path) -> None:
    with at_table(tmp_path, "seen_titles") as table:
        phone, key = table.phone(), kept(table, MID)
        reading = reading_of(phone, key)
        refused = phone.post(f"{reading}/cards/djinn-1", {"name": "Nobody"})
        assert refused.status_code == 422 and "Nobody" in refused.text
        for label, name, following in (("djinn-1", "Marid", "cards/djinn-2"), ("djinn-2", "none", "accept")):
            answer = phone.post(f"{reading}/cards/{label}", {"name": name})
            assert f"{reading}/{following}" in phone.get(answer.headers["location"]).text
        phone.post(f"{reading}/accept")
        assert now(table, key).position.djinns == ("Utug", "Marid")


def test_it_may_lie_in_front_of_a_player_and_is_kept_no_longer_then(tmp_path: Path) -> None:
    for see in ("seen_beside", "seen_nothing"):
        with at_table(tmp_path / see, see) as table:
            phone, key = table.phone(), kept(table, MID)
            before, reading = table.services.history.current(key), reading_of(phone, key, jpeg())
            assert f'action="{reading}/hand"' in phone.get(reading).text
            table.services.reader.waiting = MAX_WAITING
            assert phone.post(f"{reading}/hand", {"colour": "orange"}).status_code == 503
            table.services.reader.waiting = 0
            answer = phone.post(f"{reading}/hand", {"colour": "orange"})
            assert answer.status_code == 303, answer.text
            page = str(phone.get(answer.headers["location"]).headers["location"])
            assert page.startswith(f"/games/{key}/players/orange/photos/")
            assert "Please check 2 things" in phone.get(page).text
            assert phone.get(reading).status_code == 410
            assert [path for path in (table.folder / "photos").rglob("*") if path.is_file()] == []
            assert table.services.history.current(key) == before


def test_a_seat_tells_its_own_hand_alone(tmp_path: Path) -> None:
    """rules 12.2"""
    with at_table(tmp_path) as table:
        phone, key = table.phone("orange"), kept(table, MID)
        reading = reading_of(phone, key)
        page = phone.get(reading).text
        others = [colour.value for colour in MID.colours if colour is not Colour.ORANGE]
        form = page[page.index(f'action="{reading}/hand"') :]
        assert 'value="orange"' in form and not any(f'value="{other}"' in form for other in others)
        assert phone.post(f"{reading}/hand", {"colour": others[0]}).status_code == 403
        assert phone.post(f"{reading}/hand", {"colour": "mauve"}).status_code == 404
        assert phone.get(reading).status_code == 200


def test_what_the_game_has_taken_and_a_photo_of_a_new_game_is_nobodys_hand(tmp_path: Path) -> None:
    with at_table(tmp_path) as table:
        phone, key = table.phone(), kept(table, MID)
        reading = reading_of(phone, key)
        phone.post(f"{reading}/accept")
        assert "/hand" not in phone.get(reading).text
        assert phone.post(f"{reading}/hand", {"colour": "orange"}).status_code == 409
    with AtTable(tmp_path / "other") as table:
        phone = table.phone()
        reading = str(phone.send_photos("/photos", JPEG).headers["location"])
        assert "/hand" not in phone.get(reading).text
        assert phone.post(f"{reading}/hand", {"colour": "orange"}).status_code == 404
