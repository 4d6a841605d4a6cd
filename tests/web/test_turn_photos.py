"""Photos that show which turn was played: one card each, a tap to play, and what is said where there is no turn."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.asking import photo_turns, series_photos
from companion.asking.photo_turns import PhotoTurns
from companion.errors import PhotoError, UnusableInputError
from companion.history.saved import GameKey
from companion.notation.files import format_json
from companion.notation.tokens import format_board, parse_board
from companion.opening.photos import likelihood_of
from companion.rules.model.board import NO_MEEPLES, SQUARE_NAMES, Board, Tile, with_meeples
from companion.rules.model.position import Position
from companion.system.progress import TellShare
from companion.table.games import TableGame, begin_table, played
from companion.table.photos import SeenTable
from companion.table.seeing import Answers, seen_table
from companion.tracking.inference import Verdict
from companion.vision.board.corrections import numbers_of
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import Reading, TileReading
from companion.web.server.app import PhotoFolder
from tests.web.at_table import JPEG, MID, START, AtTable, Phone, begin, kept, now, revision
from tests.web.test_hint_on_photo import grey_photo

SEE = "tests.web.test_turn_photos:seen_board"
MARK = b"the board: "
NATS = 25.0
"""What speaks against a tile for each piece that it has more or fewer than the photo."""

VIZIER = "blue: f4 > f3y"
"""A turn of which the board shows everything."""

SECOND = "f3 > f4w > e4b > d4g"
"""One of the player after it, which can only have come after it."""

BUYER = "blue: d3 > d2g > e2g > e3b; nothing"


class FromReading:
    """What a photo says of tiles: those read without a doubt are as they were read, others may be anything."""

    def __init__(self, photos: PhotoSession, game: Board, name: str) -> None:
        self._board, self._tiles = photos.reading.position.board, photos.reading.tiles

    def __call__(self, square: int, tile: Tile, /) -> float:
        if self._tiles[square].confidence < 0.5:
            return 0.0
        pairs = zip(numbers_of(tile), numbers_of(self._board[square]), strict=True)
        return -NATS * sum(abs(one - other) for one, other in pairs)

    def best(self, square: int, /) -> float:
        return 0.0


def photo_of(board: Board, hidden: str = "") -> bytes:
    """A photo that shows a board but for the tiles of these squares."""
    return grey_photo() + MARK + f"{format_board(board)};{hidden}".encode()


def seen_board(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> SeenTable:
    """The board that a photo of `photo_of` shows; nothing of others."""
    content = Path(files[0]).read_bytes()
    if MARK not in content:
        raise PhotoError("no board found")
    text, _, hidden = content.rpartition(MARK)[2].decode().partition(";")
    shown = parse_board(text)
    confidences = (0.4 if name in hidden.split() else 0.99 for name in SQUARE_NAMES)
    tiles = tuple(TileReading(tile, sure) for tile, sure in zip(shown, confidences, strict=True))
    square_of_px = ((50.0, 0.0, 20.0), (0.0, 50.0, 20.0), (0.0, 0.0, 1.0))
    reading = Reading(Position(shown), tiles, turned=0, homography=square_of_px)
    return seen_table(PhotoSession((), reading), grey_photo(), (340, 290))


@pytest.fixture(autouse=True)
def _likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_photos, "likelihood_of", FromReading)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AtTable]:
    """A table that reads boards off photos."""
    with AtTable(tmp_path, see=SEE) as table:
        yield table


def after(game: TableGame, *lines: str) -> Board:
    """The board after turns of a game."""
    for line in lines:
        game = played(game, line)
    return game.position.board


def send(phone: Phone, key: GameKey, *boards: Board, to: str = "") -> None:
    """Photos of boards, one after another; each leads back to the living board at once."""
    for board in boards:
        answer = phone.send_photos(f"/games/{key}/turn-photos{to}", photo_of(board))
        assert answer.headers["location"] == f"/games/{key}{to and '/shutter'}", answer.text


def card(phone: Phone, key: GameKey, page: str = "") -> str:
    """The card of a photo once it's read, "" where there is none."""
    for _ in range(3):
        found = re.search('<section class="photo-turn".*?</section>', phone.get(f"/games/{key}{page}").text, re.DOTALL)
        if found is None or "<progress" not in found[0]:
            return "" if found is None else found[0]
    raise AssertionError("it is read for ever")


def words(card: str) -> str:
    """What a card says."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", card)).split())


def plays(card: str) -> list[dict[str, list[str]]]:
    """The fields of each turn that can be played at once."""
    forms = re.findall(r'<form method="post" action="[^"]*/play">(.*?)</form>', card, re.DOTALL)
    found = []
    for form in forms:
        fields: dict[str, list[str]] = {}
        for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form):
            fields.setdefault(name, []).append(value)
        found.append(fields)
    return found


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


@pytest.mark.parametrize("verdict", ["nothing", "earlier", "lifted", "unexplained"])
def test_a_photo_without_a_turn_says_so_and_is_closed_or_corrects_the_table(
    table: AtTable, phone: Phone, verdict: str
) -> None:
    key = kept(table, MID)
    board = now(table, key).position.board
    if verdict == "earlier":
        send(phone, key, after(now(table, key), VIZIER))
        phone.post(f"/games/{key}/play", plays(card(phone, key))[0])
    elif verdict == "lifted":
        square = SQUARE_NAMES.index("d3")
        board = (*board[:square], with_meeples(board[square], NO_MEEPLES), *board[square + 1 :])
    elif verdict == "unexplained":
        board = tuple(with_meeples(tile, (1, 1, 1, 1, 1)) for tile in board)
    said = {
        "nothing": "No turn yet: the table matches the game.",
        "earlier": "This photo shows the table as it was 1 turn ago.",
        "lifted": "d3 looks empty: take the photo when the turn is over",
        "unexplained": "what this photo shows. × Was the turn over, with nobody’s hand in the picture?",
    }
    for to in ("", "table"):
        send(phone, key, board)
        shown = card(phone, key)
        assert said[verdict] in words(shown) and not plays(shown)
        (close, _) = re.findall(r'action="([^"]+/close)"', shown)
        place = phone.post(close, {"to": to}).headers["location"]
        assert place.startswith("/readings/") if to else place == f"/games/{key}"
        assert card(phone, key) == ""


def test_a_meeple_that_the_game_has_wrong_is_said_and_put_right_with_the_turn(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "NATS", 12.0)
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


def test_if_the_game_moves_on_nothing_is_played_and_the_photo_is_held_against_it_again(
    table: AtTable, phone: Phone
) -> None:
    key = kept(table, MID)
    game = now(table, key)
    send(phone, key, after(game, VIZIER))
    (fields,) = plays(card(phone, key))
    table.phone().post(f"/games/{key}/play", {"line": VIZIER})
    answer = phone.post(f"/games/{key}/play", fields)
    assert "The game has changed, so nothing was played." in phone.get(answer.headers["location"]).text
    assert now(table, key).text == played(game, VIZIER).text
    assert "The game has changed: the photo was compared with it again." in words(card(phone, key))


def test_before_bids_a_photo_is_of_the_table_and_what_comes_first_is_said(table: AtTable, phone: Phone) -> None:
    key = GameKey(begin(table, phone))
    assert "/turn-photos" not in phone.get(f"/games/{key}").text
    answer = phone.send_photos(f"/games/{key}/turn-photos", photo_of(now(table, key).position.board))
    assert answer.headers["location"].startswith("/readings/")
    assert "ids come before turns: tap the bid" in phone.get(answer.headers["location"]).text
    # The phone at the table's rim stays where it is.
    send(phone, key, now(table, key).position.board, to="?from=shutter")
    assert "Bids come before turns: tap the bid" in words(card(phone, key, "/shutter"))


def test_a_photo_that_cannot_be_read_says_so(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID)
    phone.send_photos(f"/games/{key}/turn-photos", JPEG)
    assert "No board found" in words(card(phone, key))


def test_a_photo_of_another_table_says_so_and_changes_nothing(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = kept(table, MID)
    before = now(table, key)
    monkeypatch.setattr(series_photos, "likelihood_of", likelihood_of)
    unmatched = SimpleNamespace(known=None)
    real = pickle.loads
    monkeypatch.setattr(pickle, "loads", lambda state: replace(real(state), evidence=unmatched))
    for board, said in ((START.board, "The photo shows another table"), (MID.board, "doesn't show the tiles clearly")):
        send(phone, key, board)
        shown = card(phone, key)
        assert said in words(shown) and not plays(shown)
        phone.post(re.findall(r'action="([^"]+/close)"', shown)[0])
        assert now(table, key) == before and card(phone, key) == ""


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

    def noted(seen: SeenTable, game: TableGame, tell: TellShare) -> PhotoTurns:
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
