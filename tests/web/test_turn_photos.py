"""Photos that show which turn was played: one card each, and a tap to play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from companion.asking import photo_turns, series_photos
from companion.asking.photo_turns import PhotoTurns
from companion.errors import UnusableInputError
from companion.notation.files import format_json
from companion.rules.model.board import SQUARE_NAMES, with_meeples
from companion.system.progress import TellShare
from companion.table.games import TableGame, begin_table, played
from companion.table.photos import TableReading
from companion.tracking.inference import Verdict
from companion.web.server.app import PhotoFolder
from tests.web import board_photos
from tests.web.at_table import JPEG, MID, AtTable, Phone, kept, now, revision
from tests.web.board_photos import SEE, VIZIER, FromReading, after, card, photo_of, plays, send, words
from tests.web.test_hint_on_photo import grey_photo

SECOND = "f3 > f4w > e4b > d4g"
"""A turn of the player after that of `VIZIER`, which can only have come after it."""

BUYER = "blue: d3 > d2g > e2g > e3b; nothing"


@pytest.fixture(autouse=True)
def _likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_photos, "likelihood_of", FromReading)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AtTable]:
    """A table that reads boards off photos."""
    with AtTable(tmp_path, see=SEE) as table:
        yield table


def test_a_photo_and_a_tap_play_a_turn_and_undo_takes_it_back(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID)
    before = now(table, key)
    send(phone, key, after(before, VIZIER))
    assert now(table, key) == before, "nothing is recorded without a tap"
    shown = card(phone, key)
    assert "f4 > f3y" in words(shown) and "What was played" in shown and 'class="main">Play this turn' in shown
    (fields,) = plays(shown)
    (picture,) = re.findall(r'<img src="([^"]+)"', shown)
    drawn = phone.get(unescape(picture))
    assert drawn.headers["content-type"] == "image/jpeg" and drawn.content != grey_photo()
    answer = phone.post(f"/games/{key}/play", fields)
    assert answer.headers["location"] == f"/games/{key}"
    assert now(table, key).text == played(before, VIZIER).text
    assert card(phone, key) == ""
    assert phone.post(f"/games/{key}/play", fields).headers["location"] == f"/games/{key}", "sent again"
    phone.post(f"/games/{key}/undo")
    assert now(table, key).position == before.position


def test_its_photo_is_that_of_the_board_afterwards(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID)
    send(phone, key, after(now(table, key), VIZIER))
    phone.post(f"/games/{key}/play", plays(card(phone, key))[0])
    photos = table.run(table.services.photos.shown_on(key, now(table, key).position.board))
    assert photos is not None and photos.seen is not None and not photos.seen.alternatives


def test_the_phone_of_who_plays_and_the_shared_one_show_it_and_others_a_sentence(table: AtTable) -> None:
    key, shared = kept(table, MID), table.phone()
    blue, orange = table.phone("blue", "192.168.1.21"), table.phone("orange", "192.168.1.22")
    assert "/turn-photos" in blue.get(f"/games/{key}").text and "/turn-photos" not in orange.get(f"/games/{key}").text
    send(blue, key, after(now(table, key), VIZIER))
    assert all("f4 > f3y" in words(card(phone, key)) for phone in (blue, shared))
    assert words(card(orange, key)) == "A photo of Blue ’s turn is being read."
    (fields,) = plays(card(blue, key))
    assert orange.post(f"/games/{key}/play", fields).status_code == 403
    assert blue.post(f"/games/{key}/play", fields).status_code == 303


def test_what_no_board_shows_is_asked_on_the_turns_page(table: AtTable, phone: Phone) -> None:
    """rules 6.3"""
    key = kept(table, MID)
    send(phone, key, after(now(table, key), BUYER))
    shown = card(phone, key)
    assert not plays(shown)
    (link,) = re.findall(r'<a class="button main" href="([^"]+)"', shown)
    page = phone.get(unescape(link)).text
    assert "What was bought?" in page and not re.search(">Back</a>|Start again", page)
    (nothing,) = re.findall(r'href="([^"]+tap=nothing)"', page)
    page = phone.get(unescape(nothing)).text
    (fields,) = plays(page)
    assert fields["photo"] and "nothing" in fields["tap"]
    (back,) = re.findall(r'href="([^"]+)">Back</a>', page)
    assert "What was bought?" in phone.get(unescape(back)).text
    assert phone.post(f"/games/{key}/play", fields).status_code == 303
    assert now(table, key).position.board == after(begin_table(MID, {}, date="2026-11-22"), BUYER)
    assert card(phone, key) == ""


def test_what_was_bought_is_read_off_the_row_that_the_photo_shows(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """rules 6.3"""
    key = kept(table, MID)
    assert MID.row is not None
    for row, bought, said in (
        (MID.row, "nothing", "claim it."),
        (MID.row[1:], "1", "claim it, buy fish."),
        (("ivory",) * 9, None, "claim it."),
    ):
        monkeypatch.setattr(series_photos, "cards_shown", lambda session, row=row: (row, MID.djinns))
        # Other bytes, or the photo that came before would be shown again.
        photo = f"{bought}".encode() + photo_of(after(now(table, key), BUYER))
        assert phone.send_photos(f"/games/{key}/turn-photos", JPEG + photo).status_code == 303
        shown = card(phone, key)
        assert said in words(shown)
        taps = [fields["tap"] for fields in plays(shown)[:1]]
        assert ([bought in tap for tap in taps] == [True]) if bought else not taps, "what no purchase leaves is asked"
        phone.post(f"/games/{key}/photos/{re.findall(r'/photos/([^/]+)/', shown)[0]}/close")


def test_a_tile_of_the_game_that_looks_wrong_is_named_beside_the_turn(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = kept(table, MID)
    real = photo_turns.shown_turns
    monkeypatch.setattr(series_photos, "shown_turns", lambda *given: replace(real(*given), doubted=("a1", "b2")))
    send(phone, key, after(now(table, key), VIZIER))
    shown = words(card(phone, key))
    assert "f4 > f3y" in shown and "The game may have a meeple too many or too few on a1 and b2" in shown


def test_where_several_turns_may_be_all_are_shown_and_none_is_the_one(table: AtTable, phone: Phone) -> None:
    """The tiles are hidden that tell two ways to one end from one another."""
    key = kept(table, MID)
    photo = photo_of(after(now(table, key), BUYER), "d2 e2 d4 e4")
    phone.send_photos(f"/games/{key}/turn-photos", photo)
    shown = card(phone, key)
    assert "Which turn was it?" in shown and 'class="button main"' not in shown
    links = re.findall(r'<a class="button " href="[^"]+photo=[^"]+\.(\d)&amp;', shown)
    assert links[:2] == ["0", "1"]


def test_a_meeple_that_the_game_has_wrong_is_said_and_put_right_with_the_turn(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_photos, "NATS", 12.0)
    key = kept(table, MID)
    square = SQUARE_NAMES.index("f4")
    tile = MID.board[square]
    right = with_meeples(tile, (tile.meeples[0], tile.meeples[1] + 1, *tile.meeples[2:]))
    board = (*MID.board[:square], right, *MID.board[square + 1 :])
    truth = begin_table(MID.with_board(board), {}, date="2026-11-22")
    line = "blue: f4 > e4w > e5y"
    send(phone, key, after(truth, line))
    shown = card(phone, key)
    assert "The game has f4 wrong; before this turn it was: " in words(shown)
    before = revision(table, key)
    for fields in plays(shown)[:1]:
        assert phone.post(f"/games/{key}/play", fields).status_code == 303
    assert now(table, key).position.board == after(truth, line) and revision(table, key) == before + 1


def test_two_turns_are_shown_in_order_and_one_tap_plays_both(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID)
    before = now(table, key)
    game = played(before, VIZIER)
    both = played(game, f"{game.mover}: {SECOND}")
    send(phone, key, both.position.board)
    shown = card(phone, key)
    assert words(shown).index("f4 > f3y") < words(shown).index(SECOND)
    assert "Play these turns" in shown
    place = phone.post(f"/games/{key}/play", plays(shown)[0]).headers["location"]
    assert "These turns were played; each Undo takes back one." in phone.get(place).text
    assert now(table, key).text == both.text and card(phone, key) == ""
    phone.post(f"/games/{key}/undo")
    assert now(table, key).text == game.text
    phone.post(f"/games/{key}/undo")
    assert now(table, key).position == before.position


def test_of_two_turns_each_is_asked_what_no_board_shows(table: AtTable, phone: Phone) -> None:
    """rules 5.3, 6.3"""
    games = ((BUYER, "orange: e5 > f5y", ["nothing"]), (VIZIER, "orange: c4 > c5y > b5b; nothing", ["0", "nothing"]))
    for *lines, answers in games:
        key = kept(table, MID)
        send(phone, key, after(now(table, key), *lines))
        shown = card(phone, key)
        if plays(shown):
            page = phone.get(phone.post(f"/games/{key}/play", plays(shown)[0]).headers["location"]).text
        else:
            page = phone.get(unescape(re.findall(r'<a class="button main" href="([^"]+)"', shown)[0])).text
        assert bool(plays(shown)) == (BUYER not in lines)
        for answer in answers:
            page = phone.get(unescape(re.findall(f'href="([^"]+tap={answer})"', page)[0])).text
        assert phone.post(f"/games/{key}/play", plays(page)[0]).headers["location"] == f"/games/{key}"
        assert now(table, key).position.board == after(begin_table(MID, {}, date="2026-11-22"), *lines)
        assert card(phone, key) == ""


def test_a_seat_plays_its_own_of_two_turns_and_the_next_player_the_other(table: AtTable) -> None:
    key = kept(table, MID)
    blue, orange = table.phone("blue", "192.168.1.21"), table.phone("orange", "192.168.1.22")
    game = played(now(table, key), VIZIER)
    both = played(game, f"{game.mover}: {SECOND}")
    send(blue, key, both.position.board)
    shown = card(blue, key)
    assert "Play the first of these turns" in shown
    blue.post(f"/games/{key}/play", plays(shown)[0])
    assert now(table, key).text == game.text
    assert words(card(blue, key)) == "A photo of Orange ’s turn is being read."
    shown = card(orange, key)
    assert "f4 > f3y" not in words(shown) and "has changed" not in shown and "Play this turn" in shown
    orange.post(f"/games/{key}/play", plays(shown)[0])
    assert now(table, key).text == both.text and card(orange, key) == ""


def test_that_more_was_done_is_asked_of_each_of_two_turns(table: AtTable, phone: Phone) -> None:
    """rules 7"""
    key = kept(table, MID)
    game = played(now(table, key), VIZIER)
    send(phone, key, after(game, f"{game.mover}: {SECOND}"))
    (link,) = re.findall(r'<a href="([^"]+)">Something was sold', card(phone, key))
    (fields,) = plays(phone.get(unescape(link)).text)
    place = phone.post(f"/games/{key}/play", fields).headers["location"]
    assert "/turn?" in place and now(table, key).text == game.text
    (fields,) = plays(phone.get(place).text)
    phone.post(f"/games/{key}/play", fields)
    assert now(table, key).text == played(game, f"{game.mover}: {SECOND}").text and card(phone, key) == ""


def test_photos_of_turn_after_turn_keep_their_order_and_the_same_one_makes_one_card(
    table: AtTable, phone: Phone
) -> None:
    key = kept(table, MID)
    game = played(now(table, key), VIZIER)
    second = f"{game.mover}: {SECOND}"
    first = game.position.board
    send(phone, key, first, after(game, second), first)
    shown = card(phone, key)
    assert "1 more photo is waiting." in words(shown) and "f4 > f3y" in words(shown)
    phone.post(f"/games/{key}/play", plays(shown)[0])
    shown = card(phone, key)
    assert "f4 > f3y" not in words(shown) and "waiting" not in shown
    phone.post(f"/games/{key}/play", plays(shown)[0])
    assert now(table, key).text == played(game, second).text


def test_a_phone_that_only_photographs_has_the_turn_and_undo_and_stays_there(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID)
    before = now(table, key)
    assert f"/games/{key}/shutter" in phone.get(f"/games/{key}").text
    send(phone, key, after(before, VIZIER), to="?from=shutter")
    (fields,) = plays(card(phone, key, "/shutter"))
    place = f"/games/{key}/shutter"
    assert phone.post(f"/games/{key}/play", fields).headers["location"] == place
    assert now(table, key).text == played(before, VIZIER).text
    assert phone.post(f"/games/{key}/undo", {"from": "shutter"}).headers["location"] == place
    assert now(table, key).position == before.position


def test_where_nobody_knows_whose_turn_it_was_the_photo_tells(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID)
    board = after(now(table, key), BUYER)
    unknown = replace(MID, to_move=None, phase=None, turn_order=None, bid_order=None)
    key = table.services.history.begin(format_json(unknown))
    send(phone, key, board)
    shown = card(phone, key)
    assert "Blue d3 > d2g" in words(shown)
    (link,) = re.findall(r'<a class="button main" href="([^"]+)"', shown)
    phone.post(f"/games/{key}/play", plays(phone.get(unescape(link) + "&tap=nothing").text)[0])
    assert now(table, key).position.board == board


def test_what_waits_is_there_after_the_server_was_started_again(tmp_path: Path) -> None:
    with AtTable(tmp_path, see=SEE) as table:
        phone, key = table.phone("blue"), kept(table, MID)
        board = after(now(table, key), VIZIER)
        send(phone, key, board)
        cookies = phone.client.cookies
    with AtTable(tmp_path, see=SEE) as table:
        phone = table.stranger()
        phone.client.cookies = cookies
        phone.post(f"/games/{key}/play", plays(card(phone, key))[0])
        assert now(table, key).position.board == board


def look(table: AtTable, folder: PhotoFolder) -> None:
    table.run(folder.look(table.services))


def test_new_pictures_of_a_folder_are_photos_of_the_game(tmp_path: Path) -> None:
    with AtTable(tmp_path / "table", see=SEE) as table:
        phone, key, told = table.phone(), kept(table, MID), list[str]()
        shots = tmp_path / "shots"
        with pytest.raises(UnusableInputError, match="there is no folder"):
            PhotoFolder(shots, told.append)
        shots.mkdir()
        board = after(now(table, key), VIZIER)
        (shots / "old.jpg").write_bytes(photo_of(board))
        folder = PhotoFolder(shots, told.append)
        new = shots / "new.jpg"
        new.write_bytes(photo_of(board)[:100])
        look(table, folder)
        new.write_bytes(photo_of(board))
        look(table, folder)
        assert card(phone, key) == "", "it may still grow"
        for _ in range(3):
            look(table, folder)
        assert words(card(phone, key)).count("f4 > f3y") == 1 and "waiting" not in card(phone, key)
        assert not card(table.phone("orange", "192.168.1.22"), key).count("f4")
        (shots / "notes.txt").write_text("nothing to see")
        for _ in range(4):
            look(table, folder)
        assert len(told) == 1 and told[0].startswith("notes.txt is not a picture")
        assert sorted(path.name for path in shots.iterdir()) == ["new.jpg", "notes.txt", "old.jpg"]
        new.unlink()
        shots.rename(tmp_path / "gone")
        look(table, folder)


def test_a_picture_that_comes_while_no_game_is_in_progress_is_passed_over(tmp_path: Path) -> None:
    with AtTable(tmp_path / "table", see=SEE) as table:
        told = list[str]()
        (shots := tmp_path / "shots").mkdir()
        folder = PhotoFolder(shots, told.append)
        (shots / "new.jpg").write_bytes(photo_of(MID.board))
        for _ in range(3):
            look(table, folder)
        assert told == ["new.jpg was ignored: no game is in progress"]


def test_a_turn_is_told_by_what_its_player_knows(table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    """rules 12.2"""
    given = list[TableGame]()

    def noted(seen: TableReading, game: TableGame, tell: TellShare) -> PhotoTurns:
        given.append(game)
        return PhotoTurns(Verdict.UNEXPLAINED)

    monkeypatch.setattr(series_photos, "turns_seen", noted)
    key = kept(table, MID)
    send(phone, key, MID.board)
    assert "No legal turn" in words(card(phone, key))
    (game,) = given
    assert [player.gold is None for player in game.position.players] == [
        player.colour is not game.mover for player in game.position.players
    ]
