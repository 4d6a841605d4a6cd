"""The page of the games that are kept."""

from __future__ import annotations

import re

from companion.history.saved import GameKey
from companion.rules.model.components import Colour
from tests.web.at_table import SAMPLES, AtTable, Phone, begin
from tests.web.page_forms import form_fields


def test_games_that_are_kept_are_counted_when_they_are_over(table: AtTable, phone: Phone) -> None:
    assert phone.get("/history").status_code == 200
    assert phone.get("/history/plot.svg").status_code == 404
    key = table.services.history.begin((SAMPLES / "end.toml").read_text(encoding="utf-8"))
    assert "has won" not in phone.get("/").text
    phone.post(f"/games/{key}/finish")
    for place in ("/", "/history"):
        (game,) = re.findall(rf'<a href="/games/{key}">.*?</a>', phone.get(place).text, re.DOTALL)
        assert '<strong>147</strong><span aria-hidden="true">★</span>' in game and game.count("★") == 1
    page = phone.get("/history")
    assert f"/games/{key}" in page.text and "/history/plot.svg" in page.text
    plot = phone.get("/history/plot.svg")
    assert plot.headers["content-type"] == "image/svg+xml" and b"<svg" in plot.content


def test_a_page_has_sixty_games_and_leads_to_the_others(table: AtTable) -> None:
    phone, history = table.phone(), table.services.history
    keys = [str(history.begin("Five Tribes\n1. pink 10\n2. blue 5")) for _ in range(130)]
    seen, address = list[str](), "/history"
    for number in (1, 2, 3):
        page = phone.get(address).text
        seen += re.findall(r'href="/games/([^"]+)"', page)
        assert ('rel="prev"' in page, 'rel="next"' in page) == (number > 1, number < 3)
        address = f"/history?page={number + 1}"
        assert (f'href="{address}"' in page) == (number < 3)
    assert sorted(seen) == sorted(keys)
    for asked in ("4", "0", "-1", "x", "9" * 30, "²"):
        assert phone.get(f"/history?page={asked}").status_code == 404


def kept_total(table: AtTable, key: str, colour: Colour = Colour.PINK) -> int | None:
    """The points of a player as they are kept; None while the game is not finished."""
    result = table.services.history.result(GameKey(key))
    return None if result is None else result.players[colour].total


def test_a_finished_game_has_its_result_after_whatever_is_put_right(table: AtTable, phone: Phone) -> None:
    key = str(table.services.history.begin((SAMPLES / "end.toml").read_text(encoding="utf-8")))
    place = f"/games/{key}"
    assert "final count" in phone.get(f"{place}/score").text
    phone.post(f"{place}/finish")
    assert kept_total(table, key) == 147 and "final count" not in phone.get(f"{place}/score").text
    fields = form_fields(phone.get(f"{place}/players/pink").text, f"{place}/players/pink")
    (gold,) = fields["gold"]
    assert phone.post(f"{place}/players/pink", {**fields, "gold": str(int(gold) + 2)}).status_code == 303
    assert kept_total(table, key) == 149
    phone.post(f"{place}/undo")
    assert kept_total(table, key) == 147
    phone.post(f"{place}/redo")
    assert kept_total(table, key) == 149
    fields = form_fields(phone.get(f"{place}/tiles/a1").text, f"{place}/tiles/a1")
    assert phone.post(f"{place}/tiles/a1", fields).status_code == 303
    assert kept_total(table, key) == 149


def test_a_game_that_another_program_spoilt_is_named_on_the_first_page(table: AtTable, phone: Phone) -> None:
    whole, spoilt = begin(table, phone), begin(table, phone)
    with table.services.history.changing() as database:
        database.execute("UPDATE games SET settings = '{' WHERE key = ?", (spoilt,))
    page = phone.get("/").text
    assert f"/games/{whole}" in page and f"/games/{spoilt}" not in page and f"{spoilt} --forget" in page
    answer = phone.get(f"/games/{spoilt}")
    assert answer.status_code == 422 and f"{spoilt} --forget" in answer.text
    table.services.history.forget(GameKey(spoilt))
    assert "--forget" not in phone.get("/").text
