"""What the rules say, a tap away from every djinn, card and tile that a page names."""

from __future__ import annotations

import re
from html import unescape

from companion.printing.core.kinds import djinn_power
from companion.printing.core.rule_texts import rule_text, topic_names
from tests.web.at_table import MID, MID_TEXT, AtTable, Phone, kept


def _text(page: str) -> str:
    """What a page says, without its tags."""
    return unescape(re.sub("<[^>]+>", "", page))


def _rules(page: str) -> dict[str, str]:
    """Where names on a page lead, by the name in the address."""
    return {link.split("/")[2].partition("?")[0]: unescape(link) for link in re.findall(r'href="(/rules/[^"]+)"', page)}


def test_every_djinn_card_and_tile_leads_to_what_the_rules_say_and_back(table: AtTable, phone: Phone) -> None:
    place = f"/games/{kept(table, MID_TEXT)}"
    page = phone.get(place).text
    named = _rules(page)
    held = {djinn for player in MID.players for djinn in player.djinns or ()}
    assert {*(MID.djinns or ()), *(MID.row or ()), *held} <= named.keys()
    said = phone.get(named["Utug"])
    assert djinn_power("Utug", "en") in _text(said.text) and f'href="{place}"' in said.text
    assert "oasis" in _rules(phone.get(f"{place}/from/a1").text)
    turn = re.search(rf'href="({place}/turn\?[^"]*tap=e2)"', page)
    assert turn is not None
    assert "large%20market" in _rules(phone.get(unescape(turn[1])).text)


def test_the_list_leads_to_all_in_the_phone_s_language(table: AtTable, phone: Phone) -> None:
    listed = _rules(phone.get("/rules", **{"Accept-Language": "ru"}).text)
    assert len(listed) == sum(map(len, topic_names().values()))
    for name in ("tie", "small%20market", "Ba%27al"):
        said = phone.get(listed[name], **{"Accept-Language": "ru"}).text
        plain = {"small%20market": "small market", "Ba%27al": "Ba'al"}.get(name, name)
        assert all(line in _text(said) for line in rule_text(plain, "ru").lines)
    assert phone.get("/rules/nothing").status_code == 404
