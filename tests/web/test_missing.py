"""What nobody has said of a game that began with a photo: asked for, told by taps or left unknown, and never 0."""

from __future__ import annotations

from dataclasses import replace

from companion.notation.files import format_json
from companion.notation.records.lines import parse_record
from companion.notation.records.replay import replay
from companion.rules.model.components import GOODS, Colour
from tests.web.at_table import MID, AtTable, Phone, kept, now
from tests.web.page_forms import form_fields

ROW = ["fish", "fish", "silk", "fakir"]


def photographed(table: AtTable) -> str:
    """A game whose photo showed neither the row nor the djinns; where its page is."""
    return f"/games/{kept(table, replace(MID, row=None, djinns=None))}"


def tapped(phone: Phone, place: str, part: str, names: list[str]) -> dict[str, list[str]]:
    """The fields of the form after some taps, each of which is offered on the page before."""
    address = f"{place}/missing?part={part}"
    for name in names:
        page = phone.get(address).text
        address += f"&tap={name}"
        assert f'href="{address}"'.replace("&", "&amp;") in page
    return form_fields(phone.get(address).text, f"{place}/missing")


def test_the_row_and_the_djinns_are_told_by_taps_one_after_the_other(table: AtTable, phone: Phone) -> None:
    place = photographed(table)
    assert f'href="{place}/missing"' in phone.get(place).text
    assert "face up in the row" in phone.get(f"{place}/missing").text
    answer = phone.post(f"{place}/missing", tapped(phone, place, "row", ROW))
    assert answer.headers["location"] == f"{place}/missing" and now(table, place).position.row == tuple(ROW)
    assert "The djinns face up" in phone.get(f"{place}/missing").text
    answer = phone.post(f"{place}/missing", tapped(phone, place, "djinns", ["Utug", "Enki"]))
    assert answer.headers["location"] == place and now(table, place).position.djinns == ("Utug", "Enki")
    assert "/missing" not in phone.get(place).text
    assert phone.get(f"{place}/missing").headers["location"] == place
    assert replay(parse_record(phone.get(f"{place}/record.txt").text)).state.position == now(table, place).position


def test_what_nobody_knows_is_not_asked_again_and_can_be_told_later(table: AtTable, phone: Phone) -> None:
    place = photographed(table)
    for part, after in (("row", f"{place}/missing"), ("djinns", place)):
        answer = phone.post(f"{place}/missing", {"part": part, "unknown": "1"})
        assert answer.headers["location"] == after
    assert "/missing" not in phone.get(place).text and now(table, place).position.row is None
    assert phone.post(f"{place}/missing", {"part": "row", "tap": ROW}).status_code == 303
    assert now(table, place).position.row == tuple(ROW)


def test_cards_that_lie_elsewhere_are_not_offered_and_odd_taps_begin_anew(table: AtTable, phone: Phone) -> None:
    """rules 1.4: of two ivories a player has one."""
    place = photographed(table)
    page = phone.get(f"{place}/missing?part=row&tap=ivory").text
    assert "tap=ivory&amp;tap=silk" in page and "tap=ivory&amp;tap=ivory" not in page
    for odd in ("part=row&tap=toast", "part=row&tap=ivory&tap=ivory"):
        assert 'name="tap"' not in phone.get(f"{place}/missing?{odd}").text
    assert phone.get(f"{place}/missing?part=board").status_code == 404
    for wrong in (["ivory"] * 2, ["toast"]):
        assert phone.post(f"{place}/missing", {"part": "row", "tap": wrong}).status_code == 422
    assert now(table, place).position.row is None


def test_of_two_phones_that_tell_the_row_the_second_is_told_and_keeps_its_taps(table: AtTable) -> None:
    one, other = table.phone(), table.phone()
    place = photographed(table)
    late, sooner = (tapped(phone, place, "row", names) for phone, names in ((one, ROW), (other, ["silk"])))
    # What has changed elsewhere is no matter.
    assert other.post(f"{place}/players/blue", {"gold": "40"}).status_code == 303
    assert other.post(f"{place}/missing", sooner).status_code == 303
    refused = one.post(f"{place}/missing", late)
    assert refused.status_code == 409 and "in the row, from its start: Silk" in refused.text
    again = form_fields(refused.text, f"{place}/missing")
    assert again["tap"] == ROW and one.post(f"{place}/missing", again).status_code == 303
    assert now(table, place).position.row == tuple(ROW)


def test_12_2_a_seat_is_offered_what_others_hold_unseen(table: AtTable) -> None:
    place = photographed(table)
    position = now(table, place).position
    holder = position.colours[0]
    ivories = tuple(2 * (good == "ivory") for good in GOODS)
    place = f"/games/{kept(table, format_json(position.with_player(replace(position.player(holder), goods=ivories))))}"
    assert "tap=ivory" not in table.phone().get(f"{place}/missing?part=row").text
    assert "tap=ivory" in table.phone(position.colours[1].value).get(f"{place}/missing?part=row").text


def test_merchants_cards_of_a_row_that_nobody_knows_count_as_unknown(table: AtTable, phone: Phone) -> None:
    """rules 5.2, 10.7"""
    place = photographed(table)
    mover = now(table, place).mover
    assert mover is not None and "+ ?" not in phone.get(place).text
    answer = phone.post(f"{place}/play", {"line": "d3 > c3b > c4g > d4g"})
    assert answer.status_code == 303, answer.text
    total = f"{now(table, place).result.scores[mover].total} + ?"
    assert total in phone.get(f"{place}/score").text and f"total {total}" in phone.get(f"{place}/result.txt").text
    page = phone.get(place).text
    assert "3 + ?" in page and "3 unknown cards" in page
    # Whoever doesn't see the hand sees no part of it.
    assert "+ ?" not in table.phone("orange").get(place).text


def test_merchants_cards_of_a_turn_by_itself_are_unknown_with_the_others_of_their_hand(table: AtTable) -> None:
    """A position has no place for cards that are known in part."""
    phone, position = table.phone(), replace(MID, row=None, turn_order=None, bid_order=None)
    place = f"/games/{kept(table, format_json(position))}"
    assert phone.post(f"{place}/play", {"line": "d3 > c3b > c4g > d4g"}).status_code == 303
    player = now(table, place).position.player(Colour.BLUE)
    assert (player.goods, player.fakirs, player.gold) == (None, None, 47)
