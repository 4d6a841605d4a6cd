"""Who plays, told on the page: names that come and go, orders that cannot be, and what a table still lacks."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

import pytest

from companion.history.saved import GameKey
from companion.notation.files import format_json
from companion.notation.records.header import renamed
from companion.notation.records.lines import format_record
from companion.rules.model.components import Colour
from companion.table.games import open_table
from companion.web.pages.game_visit import game_view
from tests.notation.recorded_games import random_record, stages_of
from tests.web.at_table import MID, START, AtTable, Phone, begin, kept, now, revision
from tests.web.page_forms import form_buttons, form_fields


def bare_start() -> str:
    """A board that was photographed before the first bid: nobody knows who plays."""
    return format_json(replace(START, players=(), to_move=None, phase=None, bid_order=None, turn_order=None))


def test_an_order_that_cannot_be_is_refused_and_stays_in_the_form(table: AtTable, phone: Phone) -> None:
    key = kept(table, bare_start())
    before = revision(table, key)
    told = {"plays": ["blue", "pink"], "name_blue": "Anna", "order": ["blue", "pink", "pink", "pink"]}
    answer = phone.post(f"/games/{key}/players", told)
    assert answer.status_code == 422 and "Pink markers: 3" in answer.text
    assert revision(table, key) == before
    assert 'value="Anna"' in answer.text and form_fields(answer.text, f"/games/{key}/players")["order"] == told["order"]
    told["order"] = ["blue", "pink", "pink", "blue"]
    assert phone.post(f"/games/{key}/players", told).status_code == 303
    assert now(table, key).is_bidding


def tapped(phone: Phone, place: str, page: str, tap: str) -> str:
    """The page after a tap on a marker, with all that stands in its form."""
    assert tap in form_buttons(page, place)["tap"]
    return phone.get(f"{place}?{urlencode({**form_fields(page, place), 'tap': tap}, doseq=True)}").text


def is_ready(page: str) -> bool:
    """Whether what was tapped can be sent."""
    return '<button class="main" >' in page


def test_camels_are_tapped_in_the_order_of_the_bids(table: AtTable, phone: Phone) -> None:
    """rules 2.1: a second tap takes a camel away, and nothing goes on while one is missing"""
    place = f"/games/{kept(table, bare_start())}/players"
    page = phone.get(place).text
    for colour in ("pink", "black", "blue"):
        assert "three or four" in page and not is_ready(page)
        page = tapped(phone, place, page, f"order {colour}")
    assert is_ready(page) and form_fields(page, place)["order"] == ["pink", "black", "blue"]
    page = tapped(phone, place, page, "order 1")
    assert not is_ready(page) and form_fields(page, place)["order"] == ["pink", "blue"]
    # Two have two each.
    page = tapped(phone, place, page, "two 1")
    for colour in ("pink", "blue", "blue", "pink"):
        assert "tap all four" in page and not is_ready(page) and "order black" not in page
        page = tapped(phone, place, page, f"order {colour}")
    assert is_ready(page)
    assert phone.post(place, form_fields(page, place)).status_code == 303
    assert [str(colour) for colour in now(table, place).position.bid_order or ()] == [*("pink", "blue", "blue", "pink")]


def test_names_stay_while_camels_are_tapped_and_want_a_camel(table: AtTable, phone: Phone) -> None:
    begin(table, phone, name_pink="Zoe")
    place = f"/games/{kept(table, bare_start())}/players"
    page = phone.get(place).text
    assert '<option value="Zoe">' in page
    fields = {**form_fields(page, place), "name_orange": "Bo", "tap": "order blue"}
    page = phone.get(f"{place}?{urlencode(fields, doseq=True)}").text
    for colour in ("pink", "black"):
        page = tapped(phone, place, page, f"order {colour}")
    assert "the camel of Bo" in page and not is_ready(page)
    page = tapped(phone, place, page, "order orange")
    assert is_ready(page) and 'value="Bo"' in page
    for odd in ("order 9", "order red", "toast", "order", "played "):
        answer = phone.get(f"{place}?{urlencode({**form_fields(page, place), 'tap': odd}, doseq=True)}").text
        assert form_fields(answer, place) == form_fields(page, place)


def test_taps_are_held_against_what_the_form_showed_first(table: AtTable, phone: Phone) -> None:
    key = begin(table, phone, plays=["blue", "pink", "black"])
    place = f"/games/{key}/players"
    page = phone.get(place).text
    other = table.phone(address="192.168.1.21")
    other.post(place, {**form_fields(page, place), "name_black": "Zoe"})
    other.post(f"/games/{key}/bid", {"price": "3"})
    after = form_fields(tapped(phone, place, page, "order 0"), place)
    assert after["revision"] == form_fields(page, place)["revision"]
    assert after["shown_name_black"] == [""] and len(after["order"]) == 2


def test_in_mid_game_one_tap_says_who_plays_next(table: AtTable, phone: Phone) -> None:
    mid = replace(MID, to_move=None, turn_order=None)
    place = f"/games/{kept(table, format_json(replace(mid, phase=None, bid_order=None)))}/players"
    page = phone.get(place).text
    assert "All correct" not in page
    mover = form_buttons(page, place)["to_move"][1]
    assert phone.post(place, {**form_fields(page, place), "to_move": mover}).status_code == 303
    after = now(table, place).position
    assert after.to_move == mover and after.colours == mid.colours
    page = phone.get(place).text
    assert "All correct" in page
    # Whose camels are not on the board yet plays all the same.
    (other,) = {*Colour} - {*mid.colours}
    assert phone.post(place, {**form_fields(page, place), "to_move": other}).status_code == 303
    assert now(table, place).position.to_move is other


def test_of_a_photo_of_the_end_one_tap_leads_to_the_points(table: AtTable) -> None:
    bare = replace(MID, to_move=None, turn_order=None, phase=None, bid_order=None, players=())
    key = kept(table, format_json(bare))
    place, finish = f"/games/{key}/players", f"/games/{key}/finish"
    assert finish not in table.phone("blue", address="192.168.1.9").get(place).text
    phone = table.phone()
    answer = phone.post(finish, form_fields(phone.get(place).text, finish))
    page = phone.get(answer.headers["location"]).text
    assert "The game is over" in page and finish not in page
    # What somebody holds is entered from there, and leads back there.
    holder = now(table, key).position.colours[0]
    assert f'href="{place}/{holder}"' in page
    assert phone.post(f"{place}/{holder}", {"gold": "7"}).headers["location"] == answer.headers["location"]


def test_the_form_as_it_is_shown_changes_names_alone_at_each_step_of_a_round(table: AtTable, phone: Phone) -> None:
    whole, _, _ = random_record(3, 7)
    colours = open_table(format_record(whole)).position.colours
    places = set[bool]()
    for part in (*stages_of(whole, 1), whole):
        key = kept(table, format_record(part))
        place, page = f"/games/{key}/players", phone.get(f"/games/{key}/players").text
        asks_names = f"name_{colours[-1]}" in form_fields(page, place)
        named = {f"name_{colours[-1]}" if asks_names else "name": "Anna"}
        if not asks_names:
            # Who plays next is asked there, and nobody's name.
            assert phone.post(place, form_fields(page, place)).status_code == 303
            place = f"{place}/{colours[-1]}"
            page = phone.get(place).text
        answer = phone.post(place, {**form_fields(page, place), **named})
        assert answer.status_code == 303, answer.text
        places.add(asks_names)
        header = renamed(part.header, {colours[-1]: "Anna"})
        current = table.services.history.current(GameKey(key))
        assert (current.text, current.part) == (format_record(replace(part, header=header)), 1)
    assert places == {True, False}


def test_two_who_are_not_blue_and_pink_are_told_who_can_play(table: AtTable, phone: Phone) -> None:
    """rules 2.1"""
    key = begin(table, phone, plays=[str(colour) for colour in Colour], seed="7")
    before, place = revision(table, key), f"/games/{key}/players"
    for order in (["black", "orange"], ["black", "orange", "black", "orange"]):
        answer = phone.post(place, {"plays": ["black", "orange"], "order": order, "name_black": "Zoe"})
        assert answer.status_code == 422 and "two are always blue and pink (rules 2.1)" in answer.text
        assert revision(table, key) == before and 'value="Zoe"' in answer.text
        assert [colour for colour in form_fields(answer.text, place)["order"] if colour] == order
    assert phone.post(place, {"plays": "black", "order": "black"}).status_code == 422


def test_who_is_not_ticked_and_stands_on_a_track_is_asked_about(table: AtTable, phone: Phone) -> None:
    for plays, order, amiss, mended in (
        (["black", "orange", "blue"], ["black", "orange", "blue", "pink"], ["pink"], ["black", "orange", "blue"]),
        (["blue", "pink"], ["black", "blue", "pink", "orange"], ["black", "orange"], ["blue", "pink"] * 2),
    ):
        key = begin(table, phone, plays=[str(colour) for colour in Colour], seed="7")
        before, place = revision(table, key), f"/games/{key}/players"
        answer = phone.post(place, {"plays": plays, "order": order})
        assert answer.status_code == 422 and revision(table, key) == before
        for colour in Colour:
            is_asked = f"{colour.value} is on a track" in answer.text.lower()
            assert is_asked == (colour.value in amiss)
        assert phone.post(place, {"plays": plays, "order": mended}).status_code == 303
        assert [str(colour) for colour in now(table, key).position.colours] == plays


def test_names_go_back_with_undo_and_can_be_taken_away(table: AtTable, phone: Phone) -> None:
    key = begin(table, phone)
    order = [str(colour) for colour in now(table, key).position.bid_order or ()]
    told: dict[str, object] = {"plays": ["blue", "pink"], "order": order}
    names = table.services.history.game

    phone.post(f"/games/{key}/players", {**told, "name_blue": "Boris the Second", "name_pink": ""})
    assert names(GameKey(key)).players == {Colour.BLUE: "Boris the Second", Colour.PINK: ""}
    assert "Anna" not in phone.get(f"/games/{key}/record.txt").text
    phone.post(f"/games/{key}/undo")
    assert names(GameKey(key)).players == {Colour.BLUE: "Boris", Colour.PINK: "Anna"}
    phone.post(f"/games/{key}/redo")
    assert names(GameKey(key)).players == {Colour.BLUE: "Boris the Second", Colour.PINK: ""}


def test_equal_names_are_refused_wherever_players_are_named(
    table: AtTable, phone: Phone, subtests: pytest.Subtests
) -> None:
    key = begin(table, phone)
    order = [str(colour) for colour in now(table, key).position.bid_order or ()]
    games = len(table.services.history.games())
    named = {"name_blue": "Anna", "name_pink": "anna"}
    for place, fields in (
        ("/games", {"how": "random", "plays": ["blue", "pink"], **named}),
        ("/count", {"gold_blue": "3", "gold_pink": "4", **named}),
        # One letter and its accent, and both in one.
        ("/count", {"gold_blue": "3", "gold_pink": "4", "name_blue": "Zo\u00eb", "name_pink": "zoe\u0308"}),
        (f"/games/{key}/players", {"plays": ["blue", "pink"], "order": order, **named}),
        (f"/games/{key}/players/blue", {"name": " ANNA", "shown_name": "Boris", "gold": "50"}),
    ):
        with subtests.test(place=place):
            answer = phone.post(place, fields)
            assert answer.status_code == 422 and "is named twice" in answer.text
            assert len(table.services.history.games()) == games
            assert table.services.history.game(GameKey(key)).players == {Colour.BLUE: "Boris", Colour.PINK: "Anna"}


def test_a_players_own_page_takes_the_name_and_while_bids_are_open_everybody_is_called_by_it(
    table: AtTable, phone: Phone
) -> None:
    key = begin(table, phone, plays=["blue", "pink", "black"], name_black="Zoe", seed="7")
    assert phone.post(f"/games/{key}/bid", {"price": "5"}).status_code == 303
    (placed,) = now(table, key).position.turn_order or ()
    place = f"/games/{key}/players/{placed.colour}"
    assert phone.post(place, {**form_fields(phone.get(place).text, place), "name": "Dora"}).status_code == 303
    page = phone.get(f"/games/{key}/players").text
    assert (
        page.count("Dora") == 1 and "name_" not in page and len(form_buttons(page, f"/games/{key}/players")["tap"]) == 3
    )
    # A seat names itself alone.
    other = next(colour for colour in now(table, key).position.colours if colour != placed.colour)
    assert table.phone(str(placed.colour)).post(f"/games/{key}/players/{other}", {"name": "X"}).status_code == 403


def test_initials_tell_players_apart(table: AtTable, phone: Phone, subtests: pytest.Subtests) -> None:
    for names, expected in (
        (("Anna", "Bo", "Cy"), {"A", "B", "C"}),
        (("Anna", "Andreas", "Cy"), {"AN", "AD", "C"}),
        (("Anna", "Annabel", "Cy"), {"AN", "AB", "C"}),
        (("Anna B", "Anna C", "Anna"), {"AB", "AC", "AN"}),
        (("Kate", "", "Kurt"), {"KA", "KU", "O"}),
        (("", "Kay", "Bo"), {"K", "KA", "B"}),
    ):
        with subtests.test(names=names):
            called = dict(zip(("name_black", "name_orange", "name_blue"), names, strict=True))
            key = begin(table, phone, **called, plays=["black", "orange", "blue"], name_pink="")
            view = table.run(game_view(table.services, key, None))
            assert set(view.letters.values()) == expected and set(view.letters) == set(view.position.colours)
