"""What came in a clean-up, told by taps: card after card, as the rules let them come (rules 8.1)."""

from __future__ import annotations

import re
from html import unescape

from companion.history.kept import GameKey
from tests.notation.recorded_example import THREE_ROUNDS
from tests.web.at_table import AtTable, Phone
from tests.web.test_game import kept, now

GAME = THREE_ROUNDS.read_text(encoding="utf-8").splitlines(keepends=True)
CLEAN_UP = next(number for number, line in enumerate(GAME) if line.startswith("refill"))


def offered(page: str) -> dict[str, str]:
    """What can be tapped, and where it leads."""
    found = re.findall(r'class="button wide answer" href="([^"]+)"', page)
    return {unescape(address).rpartition("=")[2].replace("+", " "): unescape(address) for address in found}


def test_each_new_card_is_a_tap_and_the_line_is_that_of_the_record(table: AtTable, phone: Phone) -> None:
    key = kept(table, "".join(GAME[:CLEAN_UP]))
    place = f"/games/{key}/refill"
    came = [part.strip() for part in GAME[CLEAN_UP].partition(":")[2].split(",")]
    page = phone.get(place).text
    for name in came:
        assert "On to the next round" not in page
        page = phone.get(offered(page)[name]).text
    assert not offered(page)
    fields = {name: re.findall(rf'name="{name}" value="([^"]+)"', page) for name in ("cards", "djinns")}
    assert [*fields["cards"], *map(unescape, fields["djinns"])] == came
    assert phone.post(place, {name: [*map(unescape, found)] for name, found in fields.items()}).status_code == 303
    playing = now(table, key).playing
    assert playing is not None and not playing.owes
    assert table.services.history.current(GameKey(key)).text == "".join(GAME[: CLEAN_UP + 1])


def test_what_lies_elsewhere_cannot_come(table: AtTable, phone: Phone) -> None:
    key = kept(table, "".join(GAME[:CLEAN_UP]))
    position = now(table, key).position
    page = phone.get(f"/games/{key}/refill").text
    for _ in range(9 - len(position.row or ())):
        page = phone.get(next(iter(offered(page).values()))).text
    djinns = set(offered(page))
    held = {djinn for player in position.players for djinn in player.djinns or ()}
    assert djinns and not djinns & {*held, *(position.djinns or ())}


def test_one_step_back_and_odd_addresses(table: AtTable, phone: Phone) -> None:
    key = kept(table, "".join(GAME[:CLEAN_UP]))
    place = f"/games/{key}/refill"
    first = phone.get(place).text
    second = phone.get(next(iter(offered(first).values()))).text
    back = unescape(re.findall(r'class="button" href="([^"]+refill[^"]*)"', second)[0])
    assert offered(phone.get(back).text) == offered(first)
    for odd in ("card=toast", "djinn=Nobody", "card=fish&" * 30, "revision=x", "card=%3Cscript%3E", "revision=999"):
        answer = phone.get(f"{place}?{odd}")
        assert answer.status_code == 422, odd
        assert "<script>" not in answer.text and offered(answer.text)
    other = kept(table, "".join(GAME[: CLEAN_UP + 1]))
    assert phone.get(f"/games/{other}/refill").status_code == 422
    assert phone.post(f"/games/{other}/refill", {"cards": ["fish"]}).status_code == 422
