"""The turn clock: one time for all phones, whoever's turn it is, that outlives the server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from companion.errors import NoRoomError
from companion.history.saved import GameKey, TurnTime, turn_times, turns_of, with_time
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from companion.web.store.clocks import MAX_TURN_S, ClockFace, setting_of
from tests.web.at_table import AtTable, Phone, begin, now, revision


def kept_times(table: AtTable, key: str) -> dict[Colour, float]:
    return dict(table.services.history.game(GameKey(key)).clock)


def started(table: AtTable, phone: Phone, limit: str = "") -> str:
    """A game whose clock runs."""
    key = begin(table, phone)
    assert phone.post(f"/games/{key}/clock", {"clock": "on", "limit": limit}).status_code == 303
    phone.get(f"/games/{key}")
    return key


def shown(page: str) -> list[str]:
    """The times on a page: of the turn, then of each player."""
    return re.findall(r'role="timer"[^>]*>([\d:]+)<', page)


def test_the_time_of_each_turn_is_that_of_its_player(table: AtTable, phone: Phone) -> None:
    key = started(table, phone)
    first = now(table, key).mover
    assert first is not None
    table.clock.seconds += 65
    page = phone.get(f"/games/{key}").text
    assert shown(page)[0] == "1:05" and "1:05" in shown(page)[1:] and "0:00" in shown(page)[1:]
    # Another phone sees the same, running.
    assert shown(table.phone("blue").get(f"/games/{key}").text) == shown(page)
    assert page.count('data-clock="65.0"') == 2
    for price in ("5", "3", "1"):
        phone.post(f"/games/{key}/bid", {"price": price, "revision": revision(table, key)})
        if now(table, key).mover is not first:
            break
    table.clock.seconds += 10
    assert shown(phone.get(f"/games/{key}").text)[0] == "0:10"
    assert kept_times(table, key)[first] == pytest.approx(65)


def test_a_server_that_was_killed_goes_on_with_what_was_banked(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        key = started(table, table.phone(), limit="2")
        mover = now(table, key).mover
        assert mover is not None
        table.clock.seconds += 100
        assert table.services.clocks.save() == []
        # Killed: nothing is closed, and what came after the last banking is lost.
        table.clock.seconds += 3
    with AtTable(tmp_path) as table:
        assert kept_times(table, key)[mover] >= 100
        phone = table.phone()
        before = kept_times(table, key)[mover]
        assert "1:4" in shown(phone.get(f"/games/{key}").text)[0]
        # The time in which no server ran counts for nobody.
        table.clock.seconds += 30
        page = phone.get(f"/games/{key}").text
        assert 'class="clock late"' in page and "longer than agreed" in page
        table.services.clocks.save()
        assert kept_times(table, key)[mover] == pytest.approx(before + 30)


def test_a_clock_is_paused_and_goes_on(table: AtTable, phone: Phone) -> None:
    key = started(table, phone)
    table.clock.seconds += 20
    phone.post(f"/games/{key}/clock", {"clock": "pause"})
    table.clock.seconds += 500
    page = phone.get(f"/games/{key}").text
    assert "0:20" in shown(page) and "data-clock" not in page
    phone.post(f"/games/{key}/clock", {"clock": "go-on"})
    phone.get(f"/games/{key}")
    table.clock.seconds += 5
    assert shown(phone.get(f"/games/{key}").text)[0] == "0:25"
    phone.post(f"/games/{key}/clock", {"clock": "pause"})
    assert "data-clock" not in phone.get(f"/games/{key}").text
    phone.post(f"/games/{key}/clock", {"clock": "on", "limit": "2"})
    assert "data-clock" in phone.get(f"/games/{key}").text
    phone.post(f"/games/{key}/clock", {"clock": "off"})
    assert shown(phone.get(f"/games/{key}").text) == []
    assert max(kept_times(table, key).values()) == pytest.approx(25)


def test_two_turns_of_one_player_are_timed_each(table: AtTable, phone: Phone) -> None:
    """A player of two may play twice running (rules 2.1); the times are added, and the limit counts anew."""
    key = started(table, phone)
    # Blue pays for the first two turns.
    prices = {Colour.BLUE: ["12", "18"], Colour.PINK: ["0", "1"]}
    while now(table, key).is_bidding:
        mover = now(table, key).mover
        assert mover is not None
        assert phone.post(f"/games/{key}/bid", {"price": prices[mover].pop()}).status_code == 303
    phone.get(f"/games/{key}")
    table.clock.seconds += 40
    assert shown(phone.get(f"/games/{key}").text)[0] == "0:40"
    phone.get(f"/games/{key}/hint?level=3")
    hint = phone.get(f"/games/{key}/hint?level=3").text
    line = re.findall(r'name="line" value="([^"]*)"', hint)[0].replace("&gt;", ">")
    assert phone.post(f"/games/{key}/play", {"line": line}).status_code == 303
    assert now(table, key).mover is Colour.BLUE
    table.clock.seconds += 7
    assert shown(phone.get(f"/games/{key}").text)[0] == "0:07"
    table.services.clocks.save()
    assert kept_times(table, key)[Colour.BLUE] == pytest.approx(47)
    # What is over is noted: the first turn, and nothing of bids that took no time.
    game = table.services.history.game(GameKey(key))
    assert turn_times(game) == (TurnTime(1, Phase.TURN, 1, Colour.BLUE, 40.0),)
    # Undone, and played again: both times are of that turn. Switched off, the turn under way is noted, too.
    phone.post(f"/games/{key}/undo", {"revision": revision(table, key)})
    phone.get(f"/games/{key}")
    table.clock.seconds += 5
    phone.post(f"/games/{key}/redo", {"revision": revision(table, key)})
    phone.get(f"/games/{key}")
    table.clock.seconds += 3
    phone.post(f"/games/{key}/clock", {"clock": "off"})
    game = table.services.history.game(GameKey(key))
    assert turns_of(game, Colour.BLUE) == [45.0, 10.0] and turns_of(game, Colour.PINK) == []
    assert sum(turns_of(game, Colour.BLUE)) == pytest.approx(game.clock[Colour.BLUE])


def test_the_last_turn_is_noted_when_the_game_is_over_and_the_points_tell_all(table: AtTable, phone: Phone) -> None:
    key = started(table, phone)
    mover = now(table, key).mover
    assert mover is not None
    table.clock.seconds += 65
    assert phone.post(f"/games/{key}/finish").status_code == 303
    phone.get(f"/games/{key}")
    game = table.services.history.game(GameKey(key))
    assert turn_times(game) == (TurnTime(1, Phase.BID, 1, mover, 65.0),)
    timed = TurnTime(1, Phase.TURN, 2, mover, 83.0)
    table.services.history.change_settings(game.key, with_time(game, timed))
    page = phone.get(f"/games/{key}/score").text
    assert "1:05" in page and "1:23 a turn: 1:23" in page
    assert "1:23 a turn" in phone.get("/history").text


def test_a_turn_that_nobody_plays_is_not_counted_for_ever(table: AtTable, phone: Phone) -> None:
    key = started(table, phone)
    table.clock.seconds += MAX_TURN_S + 1
    assert table.services.clocks.save() == [key]
    table.clock.seconds += 9 * MAX_TURN_S
    assert "data-clock" not in phone.get(f"/games/{key}").text
    assert sum(kept_times(table, key).values()) == pytest.approx(MAX_TURN_S + 1)


def test_a_turn_is_late_from_its_limit_on_and_no_turn_never() -> None:
    def face(running: Colour | None, turn_s: float, limit_s: int | None) -> ClockFace:
        return ClockFace({}, running, turn_s, limit_s, is_paused=False)

    assert face(Colour.BLUE, 60.0, 60).is_late and not face(Colour.BLUE, 59.9, 60).is_late
    assert not face(None, 90.0, 60).is_late and not face(Colour.BLUE, 90.0, None).is_late


def test_odd_clocks_are_refused_and_settings_of_another_hand_are_no_clock(table: AtTable, phone: Phone) -> None:
    key = begin(table, phone)
    for fields in ({}, {"clock": "fast"}, {"clock": "on", "limit": "soon"}, {"limit": "3"}):
        assert phone.post(f"/games/{key}/clock", fields).status_code == 422
    assert setting_of(table.services.history.game(GameKey(key))) is None
    for odd in ("yes", {"limit_s": "x", "turn": 3, "before_s": None}, [1], {"limit_s": -5}):
        table.services.history.change_settings(GameKey(key), {"clock": odd})
        assert phone.get(f"/games/{key}").status_code == 200


def test_a_clock_that_cannot_be_kept_keeps_nobody_from_the_game(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = started(table, phone)
    table.clock.seconds += 30

    def full(*_: object) -> None:
        raise NoRoomError("no room is left on the disk")

    with monkeypatch.context() as patched:
        patched.setattr("companion.history.database.History.set_clock", full)
        patched.setattr("companion.history.database.History.change_settings", full)
        assert phone.post(f"/games/{key}/bid", {"price": "5"}).status_code == 303
        assert phone.get(f"/games/{key}").status_code == 200
    # With room again the time is there.
    phone.get(f"/games/{key}")
    table.services.clocks.save()
    assert sum(kept_times(table, key).values()) == pytest.approx(30)
