"""Forms whose words come, or are kept, after somebody else has changed the game: what was typed is never lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from urllib.parse import urlencode

import httpx
import pytest

from companion.history.saved import GameKey
from companion.notation.codes import encode
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.table.games import TableGame
from companion.web.pages.game_visit import GameView
from tests.web.at_table import HOST, MID, MID_TEXT, AtTable, Phone, begin, kept, now, revision
from tests.web.page_forms import form_fields

HEADERS = {"Origin": f"http://{HOST}", "Content-Type": "application/x-www-form-urlencoded"}
HOLDINGS = {"gold": "37", "viziers": "0", "elders": "0", "fakirs": "0", "djinns_known": "1"}


def late(
    table: AtTable, phone: Phone, path: str, form: dict[str, object], between: Callable[[], Awaitable[object]]
) -> httpx.Response:
    """The answer to a form of which the head comes first, and the rest when something else has happened."""

    async def body() -> AsyncIterator[bytes]:
        await between()
        yield urlencode(form, doseq=True).encode()

    answer: httpx.Response = table.run(phone.client.post(path, content=body(), headers=HEADERS))
    return answer


def bidding(phone: Phone, key: str, price: str = "5") -> Callable[[], Awaitable[object]]:
    """Somebody who bids."""
    return lambda: phone.client.post(f"/games/{key}/bid", data={"price": price}, headers={"Origin": f"http://{HOST}"})


def test_a_tile_and_names_are_kept_though_somebody_bid_while_they_came(table: AtTable) -> None:
    phone, other = table.phone(), table.phone()
    key = begin(table, phone)
    place = f"/games/{key}/players"
    form: dict[str, object] = {**form_fields(phone.get(place).text, place), "name_blue": "Zoe"}
    assert late(table, phone, place, form, bidding(other, key)).status_code == 303
    tile = f"/games/{key}/tiles/a1"
    told: dict[str, object] = {**form_fields(phone.get(tile).text, tile), "palms": ["1"]}
    assert late(table, phone, tile, told, bidding(other, key, "3")).status_code == 303
    after = now(table, key)
    assert after.playing is not None and after.playing.record.header.names[Colour.BLUE] == "Zoe"
    assert after.position.board[0].palms == 1
    assert [bid.price for bid in after.position.turn_order or ()] == [5, 3]
    answer = late(table, phone, place, form | {"order": ["blue", "pink"]}, bidding(other, key, "1"))
    # Of an order that has changed meanwhile both have said something.
    assert answer.status_code == 409 and "to play or to bid: " in answer.text
    assert [colour for colour in form_fields(answer.text, place)["order"] if colour] == ["blue", "pink"]


def quicker(monkeypatch: pytest.MonkeyPatch, table: AtTable, key: str, line: str) -> None:
    """Have somebody change the game once, after a form was looked at and before it is kept."""
    continued = GameView.continued
    changes = [line]

    async def slow(seen: GameView, position: Position, *names: object) -> TableGame:
        if changes:
            text = table.services.history.current(GameKey(key)).text
            table.services.history.change(GameKey(key), text, summary=changes.pop())
        return await continued(seen, position, *names)  # type: ignore[arg-type]

    monkeypatch.setattr(GameView, "continued", slow)


def test_somebody_who_is_quicker_in_the_last_moment_loses_nothing_that_was_typed(
    table: AtTable, phone: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = begin(table, phone)
    form = {**HOLDINGS, "revision": revision(table, key)}
    quicker(monkeypatch, table, key, "another phone")
    assert phone.post(f"/games/{key}/players/blue", form).status_code == 303
    assert now(table, key).position.player(Colour.BLUE).gold == 37

    quicker(monkeypatch, table, key, "another phone")
    tile = f"/games/{key}/tiles/a1"
    shown = form_fields(phone.get(tile).text, tile)
    assert phone.post(tile, shown | {"palms": ["1"]}).status_code == 303
    assert now(table, key).position.board[0].palms == 1

    quicker(monkeypatch, table, key, "another phone")
    place = f"/games/{key}/players"
    shown = form_fields(phone.get(place).text, place)
    told = {**shown, "name_blue": "Zoe", "order": shown["order"][::-1]}
    assert phone.post(place, told).status_code == 303
    after = now(table, key)
    assert after.playing is not None and after.playing.record.header.names[Colour.BLUE] == "Zoe"
    assert list(map(str, after.position.bid_order or ())) == [one for one in shown["order"][::-1] if one]


def test_two_phones_that_change_different_fields_of_a_form_are_both_kept_and_of_one_field_the_second_is_told(
    table: AtTable, subtests: pytest.Subtests
) -> None:
    one, other = table.phone(), table.phone()
    key = kept(table, MID_TEXT)
    for path, first, beside, same, label in (
        ("players/blue", {"gold": ["41"], "goods.ivory": ["1"]}, {"fakirs": ["2"]}, {"gold": ["42"]}, "gold coins: 41"),
        ("players/blue", {"djinns": ["Kandicha"]}, {"elders": ["0"]}, {}, ""),
        ("tiles/c5", {"b": ["2"]}, {"palms": ["1"]}, {"b": ["0"]}, "builders: 2"),
        ("players/blue", {"name": ["Mia"]}, {"viziers": ["0"]}, {"name": ["Ann"]}, "Name: Mia"),
    ):
        with subtests.test(msg=f"{path} {label}"):
            place = f"/games/{key}/{path}"
            shown = form_fields(one.get(place).text, place)
            assert other.post(place, {**shown, **first}).status_code == 303
            # The late form shows all else as it was.
            assert one.post(place, {**shown, **beside}).status_code == 303
            stands = form_fields(one.get(place).text, place)
            assert {name: stands.get(name) for name in (*first, *beside)} == {**first, **beside}
            if not same:
                continue
            refused = one.post(place, {**shown, **same})
            assert refused.status_code == 409 and f"changed in the meantime: {label}." in refused.text
            assert form_fields(one.get(place).text, place) == stands
            # What was typed stands in the form, all else as it is now; sent again it counts.
            again = form_fields(refused.text, place)
            assert again == {**stands, **same}
            assert one.post(place, again).status_code == 303
            after = form_fields(one.get(place).text, place)
            assert {name: after[name] for name in same} == same


def test_where_nobody_knows_what_a_form_showed_all_of_it_that_differs_is_asked_about(
    table: AtTable, phone: Phone
) -> None:
    key = kept(table, MID_TEXT)
    place = f"/games/{key}/players/blue"
    shown = form_fields(phone.get(place).text, place)
    refused = phone.post(place, {**shown, "gold": "42", "djinns": ["Kandicha"], "revision": "99"})
    assert refused.status_code == 409 and "gold coins: 47" in refused.text and "Kandicha</span>: ?" in refused.text
    assert form_fields(refused.text, place)["gold"] == ["42"]


def test_a_form_that_changes_nothing_changes_nothing(table: AtTable) -> None:
    one, other = table.phone(), table.phone()
    key = begin(table, one)
    for path in ("players/blue", "tiles/c3", "players"):
        place = f"/games/{key}/{path}"
        shown = form_fields(one.get(place).text, place)
        assert other.post(f"/games/{key}/bid", {"price": "0"}).status_code == 303
        before = table.services.history.current(GameKey(key))
        assert one.post(place, shown).status_code == 303
        assert table.services.history.current(GameKey(key)) == before


def test_a_form_that_is_sent_twice_leads_to_what_it_led_to_before(table: AtTable, phone: Phone) -> None:
    """At once, as a double tap does, and later, after the browser's Back; what was changed in it is another form."""

    def both_at_once(place: str, fields: Mapping[str, object]) -> list[str]:
        sent = {"Origin": f"http://{HOST}"}

        async def both() -> list[httpx.Response]:
            return await asyncio.gather(*(phone.client.post(place, data=fields, headers=sent) for _ in range(2)))

        return [answer.headers["location"] for answer in table.run(both())]

    set_up = {**form_fields(phone.get("/").text, "/games", token=True), "name_blue": "Anna", "name_pink": "Bo"}
    first, second = both_at_once("/games", set_up)
    assert first == second == phone.post("/games", set_up).headers["location"]
    assert len(table.services.history.games()) == 1
    assert phone.post("/games", {**set_up, "name_pink": "Cy"}).headers["location"] != first
    # The page itself asks for another game.
    again = {**set_up, **form_fields(phone.get("/").text, "/games", token=True), "name_blue": "Anna", "name_pink": "Bo"}
    assert phone.post("/games", again).headers["location"] != first

    bid = {**form_fields(phone.get(first).text, f"{first}/bid", token=True), "price": "5"}
    assert both_at_once(f"{first}/bid", bid) == [first, first]
    assert [bid.price for bid in now(table, first).position.turn_order or ()] == [5]
    assert "bids 5" in phone.get(first).text
    undo = form_fields(phone.get(first).text, f"{first}/undo", token=True)
    assert [phone.post(f"{first}/undo", undo).status_code for _ in range(2)] == [303, 303]
    assert not now(table, first).position.turn_order


def test_a_form_that_was_refused_is_looked_at_again(table: AtTable, phone: Phone) -> None:
    sent = {
        **form_fields(phone.get("/").text, "/games", token=True),
        "how": "code",
        "code": encode(MID),
        "place": "here",
    }
    refused = {**sent, "code": "FT1-NONE"}
    assert [phone.post("/games", refused).status_code for _ in range(2)] == [422, 422]
    assert phone.post("/games", sent).status_code == 303


def test_points_that_are_counted_twice_are_one_game(table: AtTable, phone: Phone) -> None:
    """Whichever page sends them: a score pad that is sent again after the table was opened anew has another token."""
    fields = {"name_blue": "Ann", "gold_blue": "41", "name_pink": "Bob", "gold_pink": "30"}
    first, second = (phone.post("/count", fields).headers["location"] for _ in range(2))
    assert first == second and len(table.services.history.games()) == 1
    assert "already saved" in phone.get(second).text
    assert phone.post("/count", {**fields, "gold_pink": "31"}).headers["location"] != first
