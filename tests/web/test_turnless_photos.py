"""Photos of a game in progress that show no turn: what is said of them, and that nothing is played."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.asking import series_photos
from companion.history.saved import GameKey
from companion.opening.photos import likelihood_of
from companion.rules.model.board import NO_MEEPLES, SQUARE_NAMES, with_meeples
from companion.table.games import played
from tests.web.at_table import JPEG, MID, START, AtTable, Phone, begin, kept, now
from tests.web.board_photos import SEE, VIZIER, FromReading, after, card, photo_of, plays, send, words


@pytest.fixture(autouse=True)
def _likelihood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_photos, "likelihood_of", FromReading)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[AtTable]:
    """A table that reads boards off photos."""
    with AtTable(tmp_path, see=SEE) as table:
        yield table


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


def test_a_hand_over_the_board_is_said_whether_or_not_a_turn_is_seen(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FromReading, "covered", frozenset({0, 1}))
    key = kept(table, MID)
    unexplained = tuple(with_meeples(tile, (1, 1, 1, 1, 1)) for tile in MID.board)
    for board, turns in ((after(now(table, key), VIZIER), 1), (unexplained, 0)):
        send(phone, key, board)
        shown = card(phone, key)
        assert "Something covers a1 and b1 , perhaps a hand" in words(shown) and len(plays(shown)) == turns
        assert "Was the turn over" not in words(shown)
        phone.post(re.findall(r'action="([^"]+/close)"', shown)[0])


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
