"""A tile told by taps."""

from __future__ import annotations

import pytest

from companion.errors import NotationError
from companion.notation.tokens import parse_tile
from companion.table.tiles import tile_fields, tile_from_form


def test_tiles_are_picked_or_put_together() -> None:
    for fields, token in (
        ({"tile": "O8:ggr@K^2"}, "O8:ggr@K^2"),
        ({"kind": "V5", "w": "2", "palaces": "1", "camel": "pink"}, "V5:ww@P#1"),
        ({"kind": "S15"}, "S15"),
        ({"kind": "M4", "y": " 3 ", "palms": ""}, "M4:yyy"),
    ):
        assert str(tile_from_form(fields)) == token
        assert str(tile_from_form(tile_fields(parse_tile(token)))) == token


def test_what_is_no_tile_is_refused() -> None:
    for fields in ({}, {"kind": "o8"}, {"tile": "O8:q"}, {"kind": "O8", "camel": "green"}):
        with pytest.raises(NotationError):
            tile_from_form(fields)
    for number in ("41", "000041", "0000" + "9" * 5000, "-1", "two", "²"):
        with pytest.raises(NotationError, match="a number from 0 to 40"):
            tile_from_form({"kind": "M4", "y": number})
    assert tile_from_form({"kind": "M4", "y": "40"}).meeples[0] == 40
