"""What one player has, by photo: seen by that seat alone (rules 12.2), asked about, and kept once confirmed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Player, Position
from companion.system.progress import TellShare
from companion.table import photo_reading
from companion.table.photo_reading import see_hand
from companion.table.photos import HandReading
from companion.vision.load import Picture
from companion.vision.reading.cards import HoldingsReading, add_cards
from companion.vision.reading.session import PhotoSession
from companion.vision.reading.shots import Shot
from companion.vision.readings import CardDetection, Reading, TitleDetection
from tests.web.at_table import MID, AtTable, Phone, kept, now

ORANGE = Colour.ORANGE


def card(name: str | None, place: int, other: str | None = None) -> CardDetection:
    left = 20.0 + 60 * place
    corners = ((left, 20.0), (left + 50, 20.0), (left + 50, 96.0), (left, 96.0))
    return CardDetection(card=name, confidence=0.9 if name else 0.6, other=other, corners_px=corners, line=0)


HAND = HoldingsReading(
    cards=(card("ivory", 0), card("fakir", 1), card(None, 2, "silk")),
    titles=(
        TitleDetection("Sloar", "Sloar", 1.0, (200, 120, 40, 12)),
        TitleDetection(None, "Mrd", 0.5, (200, 150, 40, 12)),
    ),
)


def jpeg() -> bytes:
    picture: Picture = np.random.default_rng(1).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()


@pytest.fixture(autouse=True)
def hand(monkeypatch: pytest.MonkeyPatch) -> list[HoldingsReading]:
    """What each photo shows, one after another; the last for all that follow."""
    shown = [HAND]

    def read(shot: Shot, tell: TellShare) -> HoldingsReading:
        tell(0.5, "looking")
        return shown.pop(0) if len(shown) > 1 else shown[0]

    monkeypatch.setattr(photo_reading, "read_holdings", read)
    return shown


def begun(table: AtTable) -> str:
    """A game of three in the middle; the place of orange's page."""
    return f"/games/{kept(table, MID)}/players/orange"


def sent(phone: Phone, place: str, *photos: bytes) -> str:
    """The page that photos lead to in the end."""
    answer = phone.send_photos(f"{place}/photos", *(photos or (jpeg(),)))
    assert answer.status_code == 303, answer.text
    job = answer.headers["location"]
    return str(phone.get(job).headers.get("location", job))


def player_of(table: AtTable, place: str) -> Player:
    return now(table, place).position.player(ORANGE)


def see(photos: Sequence[bytes] = ()) -> HandReading:
    return see_hand(photos or [jpeg()], MID, ORANGE, lambda share, doing: None)


def seen_hand(photos: Sequence[bytes], position: Position, colour: Colour, tell: TellShare) -> HandReading:
    """What a worker's process finds there, whatever it is."""
    bare = replace(position, djinns=())
    shot = Shot("the photo", np.zeros((4, 4, 3), np.uint8), cards=HAND.cards[1:])
    return photo_reading._held(
        HandReading(colour, None), PhotoSession((), add_cards(Reading(bare, ()), (), {colour: shot}))
    )


def test_what_is_in_doubt_is_asked_and_then_the_form_is_filled_in(table: AtTable, tmp_path: Path) -> None:
    phone = table.phone("orange")
    place = begun(table)
    before = player_of(table, place)
    page = sent(phone, place)
    first = phone.get(page).text
    assert "Please check 2 things" in first and 'name="gold"' not in first
    for label, answer in (("orange-3", "silk"), ("djinn-1", "Marid")):
        assert f"{page}/crops/{label}.jpg" in first
        assert phone.get(f"{page}/crops/{label}.jpg").content.startswith(b"\xff\xd8")
        assert phone.post(f"{page}/cards/{label}", {"name": answer}).headers["location"] == page
    form = phone.get(page).text
    assert 'value="Sloar" checked' in form and 'value="Marid" checked' in form
    # Until the player says so, nothing is kept: not in the game, and no photo anywhere.
    assert player_of(table, place) == before
    assert not [path for path in (tmp_path / "photos").rglob("*") if path.is_file()]


def test_what_was_seen_is_laid_over_what_was_known() -> None:
    before = Player(ORANGE, gold=3, viziers=2, elders=1, fakirs=4, goods=(1,) * 9, djinns=("Boaz",))
    after = see().player(before)
    assert (after.gold, after.fakirs, after.viziers, after.elders) == (3, 1, 2, 1)
    assert after.goods == tuple(int(good in ("ivory", "silk")) for good in GOODS)
    assert after.djinns == ("Boaz", "Sloar")


def test_something_else_or_nothing_may_lie_there(table: AtTable, phone: Phone) -> None:
    page = sent(phone, begun(table))
    for answer, status in (("no such thing", 422), ("none", 303)):
        assert "Please check 2 things" in phone.get(page).text
        for label in ("orange-3", "djinn-1"):
            assert phone.post(f"{page}/cards/{label}", {"name": answer}).status_code == status
    assert "to look at again" not in phone.get(page).text
    assert 'name="gold"' in phone.get(f"{page}?fill=1").text
    assert phone.post(f"{page}/cards/pink-9", {"name": "silk"}).status_code == 422


def test_a_photo_of_one_seat_reaches_no_other(table: AtTable) -> None:
    """Not the table's own phone either: what it may show beside the hand, nobody has said."""
    orange = table.phone("orange")
    place = begun(table)
    page = sent(orange, place)
    own = {path: orange.get(page + path) for path in ("", "?fill=1", "/photo-1.jpg", "/crops/orange-3.jpg")}
    assert {answer.status_code for answer in own.values()} == {200}
    pictures = [answer.content for path, answer in own.items() if path.endswith(".jpg")]
    for seat in (None, "blue", "black", "pink"):
        other = table.phone(seat)
        for path in own:
            answer = other.get(page + path)
            assert answer.status_code == 403, (seat, path)
            assert not any(picture in answer.content for picture in pictures)
            assert b"/crops/" not in answer.content and b"Sloar" not in answer.content
        assert other.post(f"{page}/cards/orange-3", {"name": "silk"}).status_code == 403
        # Nor by the way of another player's page, or another game's.
        for wrong in (page.replace("/orange/", "/blue/"), page.replace("/orange/", "/pink/")):
            assert other.get(wrong).status_code in (403, 404)
    assert "Please check 2 things" in orange.get(page).text
    # No phone keeps the pictures: its next seat may be another.
    assert own["/photo-1.jpg"].headers["cache-control"] == "no-store"


def test_no_seat_sends_anothers_hand(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        place = begun(table)
        assert table.phone("blue").send_photos(f"{place}/photos", jpeg()).status_code == 403
        assert table.phone().send_photos(f"{place}/photos").status_code == 422
    with AtTable(tmp_path, read_only=True) as table:
        assert table.phone().send_photos(f"{place}/photos", jpeg()).status_code == 403


def test_a_photo_of_nothing_says_what_to_do(tmp_path: Path, hand: list[HoldingsReading]) -> None:
    hand[:] = [HoldingsReading()]
    with AtTable(tmp_path) as table:
        phone = table.phone()
        place = begun(table)
        page = phone.get(sent(phone, place))
        assert page.status_code == 422 and "photograph them from above" in page.text
        assert f'href="{place}"' in page.text


def test_a_hand_of_an_earlier_run_is_gone(table: AtTable, phone: Phone) -> None:
    answer = phone.get(f"{begun(table)}/photos/of-an-earlier-run")
    assert answer.status_code == 410 and "take a new one" in answer.text
    page = sent(phone, begun(table))
    assert phone.get(f"{page}/photo-2.jpg").status_code == 404
    assert phone.get(f"{page}/crops/c3.jpg").status_code == 404
