"""Odd input in the forms of a game: said on a page, never a fault of the program, and nothing is changed by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.history.kept import GameKey
from companion.table.games import open_table
from tests.web.at_table import SAMPLES, AtTable
from tests.web.test_game import begin, kept

ODD = (
    "",
    "9" * 30,
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
    "refill": ("cards", "djinns", "revision"),
    "players": ("plays", "order", "played", "to_move", "bidding", "name_pink", "revision"),
    "players/pink": ("gold", "viziers", "goods.fish", "djinns", "fakirs", "revision"),
    "tiles/c3": ("tile", "kind", "y", "camel", "palms", "revision"),
    "clock": ("clock", "limit"),
    "undo": ("revision",),
    "redo": ("revision",),
}


@pytest.mark.parametrize("form", FORMS)
def test_odd_fields_are_answered_by_a_page(tmp_path: Path, form: str) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        bidding = begin(table, phone)
        turn = kept(table, open_table((SAMPLES / "mid.toml").read_text(encoding="utf-8")).text)
        for number, field in enumerate(FORMS[form]):
            key = (bidding, turn)[number % 2]
            for odd in ODD:
                answer = phone.post(f"/games/{key}/{form}", {"plays": ["blue", "pink"], field: odd})
                assert answer.status_code in (303, 422), (form, field, odd[:40], answer.status_code)
                assert "<script>alert" not in answer.text
            # Whatever was taken in, the game can be looked at, and its text opens again.
            assert phone.get(f"/games/{key}").status_code == 200
            assert open_table(table.services.history.current(GameKey(key)).text)


@pytest.mark.parametrize(
    "name", ["<b>\"Anna\" & 'Bo'</b> {{ 7 * 7 }} {name} %s", "\u202e=1+1 👩‍👩‍👧 안나" + "x" * 10_000]
)
def test_odd_names_are_on_all_that_is_shared(tmp_path: Path, name: str) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        place = f"/games/{begin(table, phone, name_pink=name, place=name)}"
        assert phone.post(f"{place}/finish").status_code == 303
        page = phone.get(f"{place}/score")
        assert page.status_code == 200 and "<b>" not in page.text
        for file in (
            "sheet.pdf",
            "setup-card.pdf",
            "result.png",
            "result.txt",
            "result.json",
            "result.csv",
            "record.txt",
        ):
            assert phone.get(f"{place}/{file}").status_code == 200, file
        names = table.services.history.games()[0].players.values()
        assert phone.get(f"{place}/result.json").json()["names"]["pink"] in names
        # Undone, done again and counted anew, as often as one likes.
        for _ in range(3):
            assert phone.post(f"{place}/undo").status_code == 303
            assert table.services.history.games()[0].finished is None
            assert phone.post(f"{place}/redo").status_code == 303
            assert phone.post(f"{place}/finish").status_code == 303
        assert table.services.history.games()[0].finished is not None
