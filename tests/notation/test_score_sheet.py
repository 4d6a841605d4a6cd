"""Files of score sheets without a board: what is refused, and where."""

from __future__ import annotations

from companion.notation.score_entries import read_entry
from companion.notation.score_sheet import ScoreSheet, format_sheet, is_sheet, parse_sheet
from companion.rules.model.components import Colour
from tests.notation.refusals import check_refused


def test_a_sheet_is_read_as_it_was_written() -> None:
    typed = {"gold": "12+7", "viziers": "3+2", "djinns": "Jafaar", "tiles": "S15 O8", "goods": "2 silk, 1 fish"}
    entries = {Colour.PINK: {category: read_entry(category, text) for category, text in typed.items()}}
    players = {Colour.PINK: 'Anna "Opera"', Colour.BLACK: ""}
    sheet = ScoreSheet(players, {**entries, Colour.BLACK: {}}, date="2026-02-14", place="Lviv", finished=False)
    text = format_sheet(sheet)
    assert is_sheet(text) and is_sheet("\ufeff\n" + text)
    assert parse_sheet(text) == parse_sheet("\ufeff" + text) == sheet


def test_a_damaged_sheet_is_refused_with_the_place() -> None:
    cases = [
        ("score_sheet = 2", "reads version 1"),
        ("score_sheet = 1\nx = 2", "x: unknown key"),
        ("score_sheet = 1\ndate = 2026-02-14", "date: expected text"),
        ("score_sheet = 1\nfinished = 'no'", "finished: expected true or false"),
        ("score_sheet = 1\n[players.green]", "players: no player's colour"),
        ("score_sheet = 1\nplayers = 3", "players: expected a table"),
        ("score_sheet = 1\n[players.pink]\ngold = 4", "players.pink.gold: expected text"),
        ("score_sheet = 1\n[players.pink]\ngold = 'x'", "players.pink.gold: 'x' is not a number"),
        ("score_sheet = 1\n[players.pink]\ngood = 'x'", "players.pink.good: unknown key"),
        ("score_sheet = 1\n[players.pink]\nviziers = '17'", "(rules 1.2)"),
        ("score_sheet = 1\n[players.pink]\ngoods = 'ivory 2 silk'", "players.pink.goods: 'ivory 2 silk' can be read"),
        ("score_sheet = 1\n[players.pink]\ngold = '3'\n[players.rosa]\ngold = '9'", "players.rosa: pink given twice"),
        ("score_sheet = 1\n[players.pink]\n[players.P]", "players.P: pink given twice"),
        ("score_sheet = ", "not well-formed TOML"),
        ("score_sheet = " + "[" * 5000, "nested too deeply"),
    ]
    check_refused(parse_sheet, cases)
