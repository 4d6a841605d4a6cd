"""Forms whose words come, or are kept, after somebody else has changed the game: what was typed is never lost."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from urllib.parse import urlencode

import httpx
import pytest

from companion.history.kept import GameKey
from companion.notation.tokens import format_tile
from companion.rules.model.board import parse_square
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Position
from companion.table.games import TableGame
from companion.web.games import GameView
from tests.web.at_table import HOST, SAMPLES, AtTable, Phone
from tests.web.page_forms import form_fields
from tests.web.test_game import begin, kept, now, revision

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


def test_what_a_player_holds_is_kept_though_somebody_bid_while_it_came(table: AtTable, phone: Phone) -> None:
    key = begin(table, phone)
    form = {**HOLDINGS, "revision": revision(table, key)}
    other = table.phone()
    assert late(table, phone, f"/games/{key}/players/blue", form, bidding(other, key)).status_code == 303
    after = now(table, key).position
    assert after.player(Colour.BLUE).gold == 37 and [bid.price for bid in after.turn_order or ()] == [5]


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
    assert after.header is not None and after.header.names[Colour.BLUE] == "Zoe"
    assert after.position.board[0].palms == 1
    assert [bid.price for bid in after.position.turn_order or ()] == [5, 3]
    # Of an order that has changed meanwhile both have told something.
    answer = late(table, phone, place, form | {"order": ["blue", "pink"]}, bidding(other, key, "1"))
    assert answer.status_code == 409 and "to play or to bid: " in answer.text
    assert [one for one in form_fields(answer.text, place)["order"] if one] == ["blue", "pink"]


def quicker(monkeypatch: pytest.MonkeyPatch, table: AtTable, key: str, line: str) -> None:
    """Have somebody change the game once, after a form was looked at and before it is kept."""
    going_on = GameView.going_on
    changes = [line]

    async def slow(seen: GameView, position: Position, *names: object) -> TableGame:
        if changes:
            text = table.services.history.current(GameKey(key)).text
            table.services.history.change(GameKey(key), text, summary=changes.pop())
        return await going_on(seen, position, *names)  # type: ignore[arg-type]

    monkeypatch.setattr(GameView, "going_on", slow)


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
    assert after.header is not None and after.header.names[Colour.BLUE] == "Zoe"
    assert list(map(str, after.position.bid_order or ())) == [one for one in shown["order"][::-1] if one]


def test_two_phones_that_change_one_tile_keep_what_both_have_told(table: AtTable) -> None:
    one, other = table.phone(), table.phone()
    key = kept(table, (SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    place, c5 = f"/games/{key}/tiles/c5", parse_square("c5")
    shown = form_fields(one.get(place).text, place)
    assert format_tile(now(table, key).position.board[c5]) == "M6:wwbg"
    assert other.post(f"/games/{key}/players/black", {"gold": "7"}).status_code == 303
    assert other.post(place, {**shown, "w": ["1"]}).status_code == 303
    assert one.post(place, {**shown, "palms": ["1"], "g": ["0"]}).status_code == 303
    after = now(table, key).position
    assert (after.board[c5].meeples, after.board[c5].palms) == ((0, 1, 1, 0, 0), 1)
    assert after.player(Colour.BLACK).gold == 7
    # What both have told stands in the form, all else is as it is now.
    late = one.post(place, {**shown, "w": ["0"], "b": ["1"]})
    assert late.status_code == 409 and "changed in the meantime: elders: 1." in late.text
    again = form_fields(late.text, place)
    assert again == {**shown, "w": ["0"], "g": ["0"], "palms": ["1"], "revision": [str(revision(table, key))]}
    assert one.post(place, again).status_code == 303
    assert now(table, key).position.board[c5].meeples == (0, 0, 1, 0, 0)


def test_two_phones_that_change_one_player_keep_what_both_have_told(table: AtTable) -> None:
    one, other = table.phone(), table.phone()
    key = kept(table, (SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    place = f"/games/{key}/players/blue"
    shown = form_fields(one.get(place).text, place)
    before = now(table, key).position.player(Colour.BLUE)
    told = {**shown, "gold": "41", "goods.ivory": "1", "djinns": [*shown.get("djinns", []), "Kandicha"]}
    assert other.post(place, told).status_code == 303
    # The late form says nothing of gold, ivory and Kandicha, which it shows as they were.
    assert one.post(place, {**shown, "elders": "0", "goods.silk": "1"}).status_code == 303
    after = now(table, key).position.player(Colour.BLUE)
    assert (after.gold, after.elders, after.viziers) == (41, 0, before.viziers)
    held = dict(zip(GOODS, after.goods or (), strict=True))
    assert (held["ivory"], held["silk"]) == (1, 1)
    assert set(after.djinns or ()) == {*(before.djinns or ()), "Kandicha"}
    late = one.post(place, {**shown, "gold": "42", "fakirs": "2"})
    assert late.status_code == 409 and "changed in the meantime: gold coins: 41." in late.text
    assert now(table, key).position.player(Colour.BLUE) == after
    again = form_fields(late.text, place)
    assert (again["gold"], again["fakirs"], again["elders"]) == (["42"], ["2"], ["0"])
    assert one.post(place, again).status_code == 303
    assert now(table, key).position.player(Colour.BLUE) == replace(after, gold=42, fakirs=2)


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
