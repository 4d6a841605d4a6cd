"""Odd input in the forms of a game: said on a page, never a fault of the program, and nothing is changed by it."""

from __future__ import annotations

import re

from companion.history.saved import GameKey
from companion.rules.model.components import Colour
from companion.table.games import open_table
from companion.web.server.app import all_routes
from tests.web.at_table import MID_TEXT, AtTable, Phone, begin, kept

ODD = (
    "",
    "9" * 30,
    "0000" + "9" * 5000,
    "٣",
    "\x00",
    "\ud7ff\u202e",
    "<script>alert(1)</script>",
    "'\"&{{ 7 * 7 }}",
    "x" * 10_000,
    "c3 > c4g > d4y",
    "pink: ... ...",
    "line\nrefill: fish\nresult: pink 999",
)

FORMS = {
    "play": ("line", "seen", "revision"),
    "bid": ("price", "fakirs", "revision"),
    "refill": ("tap", "revision"),
    "players": ("plays", "order", "played", "to_move", "bidding", "name_blue", "revision"),
    "players/blue": ("gold", "viziers", "goods.fish", "djinns", "fakirs", "revision"),
    "tiles/c3": ("tile", "kind", "y", "camel", "palms", "revision"),
    "clock": ("clock", "limit"),
    "undo": ("revision",),
    "redo": ("revision",),
}


def test_odd_fields_are_answered_by_a_page(table: AtTable, phone: Phone) -> None:
    bidding = begin(table, phone)
    turn = kept(table, MID_TEXT)
    for form, fields in FORMS.items():
        for number, field in enumerate(fields):
            key = (bidding, turn)[number % 2]
            # Each field with some of the odd texts, all of them in all.
            for odd in ODD[number % 3 :: 3]:
                answer = phone.post(f"/games/{key}/{form}", {"plays": ["blue", "pink"], field: odd})
                assert answer.status_code in (303, 422), (form, field, odd[:40], answer.status_code)
                assert "<script>alert" not in answer.text
        # Whatever was taken in, the games can be looked at, and their texts open again.
        for key in (bidding, turn):
            assert phone.get(f"/games/{key}").status_code == 200
            assert open_table(table.services.history.current(GameKey(key)).text)


def test_odd_addresses_are_answered_by_a_page(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID_TEXT)
    for route in all_routes():
        odd_ones = ("9" * 5000, "-1", "%ff%00")
        for path in sorted({re.sub(r"\{[^}]+\}", odd, route.path.replace("{key}", key)) for odd in odd_ones}):
            for method in route.methods or ():
                answer = phone.get(path) if method != "POST" else phone.post(path)
                assert answer.status_code != 500, (method, route.path, path[-9:])


def test_odd_names_are_on_all_that_is_shared(table: AtTable, phone: Phone) -> None:
    name = "\u202e=1+1 👩‍👩‍👧 안나 <b>\"A\" & 'B'</b> {{ 7 * 7 }} {name} %s" + "x" * 10_000
    place = f"/games/{begin(table, phone, name_blue=name, place=name)}"
    assert phone.post(f"{place}/finish").status_code == 303
    for path in ("/score", "", "/players"):
        page = phone.get(place + path)
        assert page.status_code == 200 and "<b>" not in page.text
    for file in ("sheet.pdf", "setup-card.pdf", "result.png", "result.txt", "result.csv", "record.txt"):
        assert phone.get(f"{place}/{file}").status_code == 200, file
    game = table.services.history.game(GameKey(place.split("/")[2]))
    assert phone.get(f"{place}/result.json").json()["names"]["blue"] == game.players[Colour.BLUE]
    assert len(game.players[Colour.BLUE]) <= 60


URLENCODED = "application/x-www-form-urlencoded"
FIELD = b'--x\r\nContent-Disposition: form-data; name="gold"\r\n\r\n3\r\n--x--\r\n'

NO_FORM = (
    ("multipart/form-data", FIELD),
    ("multipart/form-data; boundary=", FIELD),
    ("multipart/form-data; boundary=y", FIELD),
    ("multipart/form-data; boundary=x", b"--x\r\n\r\n3\r\n--x--\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data\r\n\r\n3\r\n--x--\r\n"),
    ("multipart/form-data; boundary=x", b"--x\r\nno header\x00\r\n\r\n3\r\n--x--\r\n"),
    (URLENCODED, b"gold=" + b"3" * 50_000),
)
"""Kinds and contents of what no browser sends as a form."""


def test_what_is_no_form_is_answered_by_a_sentence(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID_TEXT)
    for kind, content in NO_FORM:
        answer = phone.post_bytes(f"/games/{key}/players/blue", content, kind)
        assert answer.status_code == 422 and "This form can" in answer.text, (kind, content)
        assert table.services.history.current(GameKey(key)).number == 1
    for kind in (f"{URLENCODED}; charset=UTF-8", f"{URLENCODED}; charset=utf8", URLENCODED):
        assert phone.post_bytes(f"/games/{key}/players/blue", b"gold=3", kind).status_code == 303


def test_broken_percent_encodings_are_answered_by_a_page(table: AtTable, phone: Phone) -> None:
    key = kept(table, MID_TEXT)
    for content in (b"%00=%00&gold=%00", b"gold=%zz&name_blue=%e2%82", b"gold=\xff\x00", b"&=&;=%&gold"):
        for form in FORMS:
            answer = phone.post_bytes(f"/games/{key}/{form}", content, URLENCODED)
            assert answer.status_code in (303, 422), (form, answer.status_code)
    for path in ("/games/a%ff%00b/players", f"/games/{key}/players/%00", f"/games/{key}/tiles/%ff", "/scans/%ff%00"):
        assert phone.get(path).status_code in (404, 410), path
    for path in (f"/games/{key}/turn?tap=%ff%00%zz&tap=%", f"/games/{key}/hint?level=%00", "/?%00=%ff"):
        assert phone.get(path).status_code in (200, 422), path
    assert phone.post_bytes("/seat", b"seat=orange&path=/%00%ff", URLENCODED).status_code == 303
