"""Who plays, told on the page: names that come and go, orders that cannot be, and what a table still lacks."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from pathlib import Path

from companion.history.kept import GameKey
from companion.notation.files import format_json, parse_position
from companion.notation.tokens import parse_tile
from companion.rules.model.components import Colour
from tests.web.at_table import SAMPLES, AtTable
from tests.web.test_game import begin, kept, now, revision

START = SAMPLES / "start.toml"


def bare_start() -> str:
    """A board that was photographed before the first bid: nobody knows who plays."""
    position = parse_position(START.read_text(encoding="utf-8"))
    return format_json(replace(position, players=(), to_move=None, phase=None, bid_order=None, turn_order=None))


def test_an_order_that_cannot_be_is_refused_and_stays_in_the_form(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = kept(table, bare_start())
        before = revision(table, key)
        told = {"plays": ["blue", "pink"], "name_blue": "Anna", "order": ["blue", "pink", "pink", "pink"]}
        answer = phone.post(f"/games/{key}/players", told)
        assert answer.status_code == 422 and "3 pink markers" in answer.text
        assert revision(table, key) == before
        assert 'value="Anna"' in answer.text and answer.text.count('<option value="pink" selected>') == 3
        told["order"] = ["blue", "pink", "pink", "blue"]
        assert phone.post(f"/games/{key}/players", told).status_code == 303
        assert now(table, key).is_bidding


def test_a_table_that_cannot_be_says_why_it_does_not_go_on(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        position = parse_position(bare_start())
        board = (parse_tile("S15:ybb"), *position.board[1:])
        key = kept(table, format_json(replace(position, board=board)))
        order = {"plays": ["blue", "pink"], "order": ["blue", "pink", "pink", "blue"]}
        assert phone.post(f"/games/{key}/players", order).status_code == 303
        page = unescape(phone.get(f"/games/{key}").text)
        assert "cannot stand on a table" in page.partition("<main")[2].partition("</main>")[0]
        assert "S15" in page


def test_names_go_back_with_undo_and_can_be_taken_away(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
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


def test_points_of_somebody_who_is_not_all_known_are_marked(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table:
        phone = table.phone()
        key = begin(table, phone)
        assert "+ ?" not in phone.get(f"/games/{key}").text
        phone.post(f"/games/{key}/players/blue", {"gold": "50", "viziers": "0", "elders": "0", "fakirs": "0"})
        page = phone.get(f"/games/{key}").text
        assert page.count("+ ?") == 1 and "Not everything is known" in page
