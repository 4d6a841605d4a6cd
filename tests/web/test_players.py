"""Who plays, told on the page: names that come and go, orders that cannot be, and what a table still lacks."""

from __future__ import annotations

from dataclasses import replace

from companion.history.kept import GameKey
from companion.notation.files import format_json, parse_position
from companion.notation.records.header import renamed
from companion.notation.records.lines import format_record
from companion.rules.model.components import Colour
from companion.table.games import open_table
from tests.notation.recorded_games import random_record, stages_of
from tests.web.at_table import SAMPLES, AtTable, Phone
from tests.web.page_forms import form_fields
from tests.web.test_game import begin, kept, now, revision

START = SAMPLES / "start.toml"


def bare_start() -> str:
    """A board that was photographed before the first bid: nobody knows who plays."""
    position = parse_position(START.read_text(encoding="utf-8"))
    return format_json(replace(position, players=(), to_move=None, phase=None, bid_order=None, turn_order=None))


def test_an_order_that_cannot_be_is_refused_and_stays_in_the_form(table: AtTable, phone: Phone) -> None:
    key = kept(table, bare_start())
    before = revision(table, key)
    told = {"plays": ["blue", "pink"], "name_blue": "Anna", "order": ["blue", "pink", "pink", "pink"]}
    answer = phone.post(f"/games/{key}/players", told)
    assert answer.status_code == 422 and "Pink markers: 3" in answer.text
    assert revision(table, key) == before
    assert 'value="Anna"' in answer.text and answer.text.count('<option value="pink" selected>') == 3
    told["order"] = ["blue", "pink", "pink", "blue"]
    assert phone.post(f"/games/{key}/players", told).status_code == 303
    assert now(table, key).is_bidding


def test_the_form_as_it_is_shown_changes_names_alone_at_each_step_of_a_round(table: AtTable, phone: Phone) -> None:
    for players in (2, 3):
        whole, _, _ = random_record(players, 7)
        colours = open_table(format_record(whole)).position.colours
        for part in (*stages_of(whole, 1), whole):
            key = kept(table, format_record(part))
            place = f"/games/{key}/players"
            told: dict[str, object] = {**form_fields(phone.get(place).text, place), f"name_{colours[-1]}": "Anna"}
            answer = phone.post(place, told)
            assert answer.status_code == 303, answer.text
            header = renamed(part.header, {colours[-1]: "Anna"})
            current = table.services.history.current(GameKey(key))
            assert (current.text, current.part) == (format_record(replace(part, header=header)), 1)


def test_bids_that_are_placed_are_shown_and_stay_where_the_order_is_put_right(table: AtTable, phone: Phone) -> None:
    """rules 3.1"""
    key = begin(table, phone, plays=["blue", "pink", "black"], seed="7")
    phone.post(f"/games/{key}/bid", {"price": "5"})
    before = now(table, key).position
    (placed,) = before.turn_order or ()
    place = f"/games/{key}/players"
    page = phone.get(place).text
    assert "already placed" in page and "bid_order" not in page
    told = form_fields(page, place)
    order = [str(colour) for colour in before.bid_order or ()]
    assert [one for one in form_fields(page, place)["order"] if one] == order
    assert phone.post(place, {**told, "order": order[::-1]}).status_code == 303
    after = now(table, key)
    assert after.playing is not None and after.position.turn_order == (placed,)
    assert [str(colour) for colour in after.position.bid_order or ()] == order[::-1]
    assert after.position.player(placed.colour).gold == 45


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
            is_asked = f"{colour.value} is on a track or plays next" in answer.text.lower()
            assert is_asked == (colour.value in amiss)
        assert phone.post(place, {"plays": plays, "order": mended}).status_code == 303
        assert [str(colour) for colour in now(table, key).position.colours] == plays


def test_markers_on_both_tracks_together_are_refused_where_they_are_too_many(table: AtTable, phone: Phone) -> None:
    """rules 2.1"""
    key = begin(table, phone)
    for price in ("5", "3", "1", "0"):
        phone.post(f"/games/{key}/bid", {"price": price})
    place = f"/games/{key}/players"
    told = {**form_fields(phone.get(place).text, place), "order": ["blue", "blue", "pink"], "played": ["blue"]}
    answer = phone.post(place, {**told, "to_move": "pink"})
    assert answer.status_code == 422 and "Blue markers: 3" in answer.text
    assert [one for one in form_fields(answer.text, place)["played"] if one] == ["blue"]


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
