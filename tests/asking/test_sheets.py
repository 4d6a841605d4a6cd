"""Sheets, told line by line: a tile piece by piece, what a player holds."""

from __future__ import annotations

import pytest

from companion.asking.sheets import answers, holdings_sheet, player_of, tile_of, tile_sheet
from companion.errors import NotationError
from companion.notation.tokens import parse_tile
from companion.rules.model.board import Tile
from companion.rules.model.components import Colour
from companion.rules.model.position import Player

BARE = tile_sheet(parse_tile("S15"))


def put_together(**lines: str) -> Tile:
    return tile_of(answers(BARE, {key: question.known for key, question in BARE.items()} | lines))


def test_tiles_are_put_together() -> None:
    for lines, token in (
        ({"kind": "V5", "w": "2", "palaces": "1", "camel": "pink"}, "V5:ww@P#1"),
        ({}, "S15"),
        ({"kind": "M4", "y": " 3 ", "palms": ""}, "M4:yyy"),
    ):
        assert str(put_together(**lines)) == token
        sheet = tile_sheet(parse_tile(token))
        assert str(tile_of(answers(sheet, {key: question.known for key, question in sheet.items()}))) == token


def test_what_is_no_tile_is_refused() -> None:
    for lines in ({"kind": ""}, {"kind": "o8"}, {"camel": "green"}):
        with pytest.raises(NotationError):
            put_together(**lines)
    for number in ("41", "000041", "0000" + "9" * 5000, "-1", "two", "²"):
        with pytest.raises(NotationError, match="a number from 0 to 40"):
            put_together(y=number)
    assert put_together(y="40").meeples[0] == 40


def test_what_a_player_holds_is_told_as_it_is_known() -> None:
    for player in (
        Player(Colour.PINK),
        Player(Colour.PINK, gold=3, viziers=0, elders=1, fakirs=2, goods=(0,) * 8 + (2,), djinns=()),
        Player(Colour.PINK, djinns=("Utug", "Enki")),
    ):
        sheet = holdings_sheet(player, "Anna")
        told = player_of(Colour.PINK, answers(sheet, {key: question.known for key, question in sheet.items()}))
        assert (set(told.djinns or ()), told.djinns is None) == (set(player.djinns or ()), player.djinns is None)
        assert (told.gold, told.goods, told.fakirs) == (player.gold, player.goods, player.fakirs)
