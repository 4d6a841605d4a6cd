"""The first page: the game that goes on, games deleted, points counted without a board, and phones that come in."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from companion.rules.model.components import Colour
from companion.rules.model.position import Player
from companion.table.games import begin_table
from tests.web.at_table import KEY, MID, AtTable, Phone, begin, kept, now
from tests.web.page_forms import form_buttons, form_fields

GO_ON = "Continue the game"


def test_the_game_that_goes_on_comes_first(table: AtTable, phone: Phone) -> None:
    assert GO_ON not in phone.get("/").text
    key = begin(table, phone, plays=["blue", "pink", "black"])
    page = phone.get("/").text
    going = page[page.index(GO_ON) : page.index("New game")]
    assert "Anna" in going and "Round 1" in going and going.count("<strong>50</strong>") == 3
    phone.post(f"/games/{key}/finish")
    page = phone.get("/").text
    assert GO_ON not in page and "finished" in page and "has won" in page


def test_what_a_seat_may_not_see_is_not_on_the_first_page(table: AtTable) -> None:
    """rules 12.2"""
    rich = MID.with_player(replace(MID.player(Colour.BLUE), gold=4177))
    hidden = begin_table(rich, {}, date="2026-11-22").text
    table.services.history.begin(hidden)
    assert table.phone().get("/").text.count("<strong>4211") == 2, "where it goes on, and in the list"
    assert "4211" not in table.phone("pink").get("/").text
    table.services.history.begin(hidden, settings={"hide_points": True})
    assert table.phone().get("/").text.count("<strong>4211") <= 2, "hidden of the other"


def test_a_game_is_deleted_by_the_table_s_own_phone_when_it_was_asked(table: AtTable, phone: Phone) -> None:
    key = begin(table, phone)
    place = f"/games/{key}/delete"
    assert place in phone.get("/").text
    seated = table.phone("blue")
    assert place not in seated.get("/").text
    assert [seated.get(place).status_code, seated.post(place).status_code] == [403, 403]
    assert "Anna" in phone.get(place).text and table.services.history.games()
    assert phone.post(place).headers["location"] == "/"
    assert not table.services.history.games() and phone.get(f"/games/{key}").status_code == 404
    assert phone.post(place).status_code == 404


def test_a_phone_that_comes_to_a_game_is_asked_whose_it_is(table: AtTable, phone: Phone) -> None:
    assert phone.get("/who").headers["location"] == "/", "no game goes on"
    key = begin(table, phone)
    other = table.stranger("192.168.1.21")
    assert "url=/who" in other.get(f"/k/{KEY}").text
    assert "url=/" in other.get(f"/k/{KEY}").text and "/who" not in other.get(f"/k/{KEY}").text, "asked once"
    page = other.get("/who").text
    assert "Anna" in page and form_buttons(page, "/seat")["seat"] == ["blue", "pink", "", "spectator"]
    fields = {**form_fields(page, "/seat"), "seat": "spectator"}
    assert other.post("/seat", fields).headers["location"] == f"/games/{key}"
    # It sees what lies open, changes nothing, and may become another.
    page = other.get(f"/games/{key}").text
    assert "Anna" in page and "/bid" not in page
    assert other.post(f"/games/{key}/bid", {"price": "3"}).status_code == 403
    assert other.get(f"/games/{key}/players/blue").status_code == 403
    assert "/who" in other.get("/").text and f"/k/{KEY}" not in other.get("/").text
    other.post("/seat", {"seat": "blue", "path": "/"})
    assert other.get(f"/games/{key}/players/blue").status_code == 200


def test_another_phone_is_invited_by_an_address_that_it_can_reach(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        table.services.address = "http://192.168.1.9:8765/k/x"
        phone = table.phone()
        assert f"http://192.168.1.5:8765/k/{KEY}" in phone.get("/").text
        here = phone.get("/", Host="localhost:8765").text
        assert "192.168.1.9:8765/k/x" in here and KEY not in here
    with AtTable(tmp_path / "looked-on", read_only=True) as table:
        assert f"/k/{KEY}" in table.phone().get("/").text


def test_a_count_that_cannot_be_comes_back_as_it_was_filled_in(table: AtTable, phone: Phone) -> None:
    both = {"gold_blue": "12+", "gold_pink": "3", "djinn Marid": ["blue", "pink"], "goods.fish_pink": "2"}
    for fields, words in (
        (both, "Blue, gold"),
        ({**both, "gold_blue": "12"}, "at most 1 "),
        ({"gold_blue": "3"}, "Choose who&#39;s playing"),
        ({"gold_blue": "1", "viziers_pink": "17"}, "at most 16"),
    ):
        answer = phone.post("/count", fields)
        assert answer.status_code == 422 and words in answer.text and not table.services.history.games()
        typed = form_fields(answer.text, "/count")
        assert all(value in typed[name] for name, value in fields.items() if isinstance(value, str))
    assert typed["goods.fish_pink"] == [""]


def test_figures_of_somebody_whom_nobody_named_are_asked_about(table: AtTable, phone: Phone) -> None:
    """rules 2.1: a figure in a wrong column is no fourth player"""
    named = {"name_black": "Anna", "name_blue": "Bo", "name_pink": "Cy", "gold_black": "21", "gold_orange": "9"}
    few = {"gold_blue": "21", "viziers_blue": "3", "tiles_blue": "8", "gold_pink": "30", "palms_pink": "2"}
    for fields, stray in ((named, "orange"), ({**few, "elders_black": "2"}, "black")):
        answer = phone.post("/count", fields)
        assert answer.status_code == 200 and "Figures without a name" in answer.text
        known = {game.key for game in table.services.history.games()}
        typed = form_fields(answer.text, "/count")
        assert form_buttons(answer.text, "/count")["unnamed"] == ["play", "leave"]
        phone.post("/count", {**typed, "unnamed": "leave"})
        (kept,) = (game for game in table.services.history.games() if game.key not in known)
        assert stray not in kept.players and len(kept.players) >= 2
    phone.post("/count", {**named, "unnamed": "play"})
    assert any(Colour.ORANGE in game.players for game in table.services.history.games())


def test_points_that_are_not_all_known_say_so_wherever_they_are_shown(table: AtTable, phone: Phone) -> None:
    """Gold that nobody has told is no gold of 0: the first page, the table, its result and the history."""
    late = MID.with_player(Player(Colour.BLACK)).with_player(replace(MID.player(Colour.ORANGE), goods=None))
    key = kept(table, late)
    result = now(table, key).result
    assert result.unsure == {Colour.BLACK, Colour.ORANGE}
    shown = {result.total_words(colour) for colour in result.scores}
    sure = result.total_words(Colour.BLUE)
    assert sorted("?" in one for one in shown) == [False, True, True]
    places = ["/", "/history", f"/games/{key}", f"/games/{key}/score"]
    for place in places:
        page = re.sub(r"<[^>]+>", " ", phone.get(place).text)
        for total in shown:
            assert re.search(rf"\b{re.escape(total)}(?! \+)", page), (place, total)
    # And so when the game is over.
    assert phone.post(f"/games/{key}/finish").status_code == 303
    for place in places:
        page = re.sub(r"<[^>]+>", " ", phone.get(place).text)
        assert all(re.search(rf"\b{re.escape(total)}(?! \+)", page) for total in shown), place
        assert sure in page
