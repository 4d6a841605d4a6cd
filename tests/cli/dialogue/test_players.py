"""Who plays, as it can be typed, and what is refused with a reason."""

from __future__ import annotations

import pytest

from companion.asking.players import read_players
from companion.errors import NotationError
from companion.rules.model.components import Colour

BLACK, ORANGE, BLUE, PINK = Colour


PLAYERS = (
    ("pink black", {PINK: "", BLACK: ""}),
    ("pink Anna, black Boris", {PINK: "Anna", BLACK: "Boris"}),
    ("pink=Anna,black=Boris", {PINK: "Anna", BLACK: "Boris"}),
    ("pink Anna Maria black Boris", {PINK: "Anna Maria", BLACK: "Boris"}),
    ("pink=Anna black=Boris", {PINK: "Anna", BLACK: "Boris"}),
    ("pink Mr Orange, black", {PINK: "Mr Orange", BLACK: ""}),
    ("p k", {PINK: "", BLACK: ""}),
    ("P, K", {PINK: "", BLACK: ""}),
    ("pink  Anna  Maria", {PINK: "Anna Maria"}),
    ("orange Ольга; blue 지우", {ORANGE: "Ольга", BLUE: "지우"}),
    ("розовый Анна чёрный Борис", {PINK: "Анна", BLACK: "Борис"}),
    ("분홍 안나 검정 보리스", {PINK: "안나", BLACK: "보리스"}),
    ("rosa Anna nero Boris", {PINK: "Anna", BLACK: "Boris"}),
    ("розовый Анна black Борис", {PINK: "Анна", BLACK: "Борис"}),
    ("розовый = Анна Мария чёрный = Борис", {PINK: "Анна Мария", BLACK: "Борис"}),
    ("pink=Anna black Boris", {PINK: "Anna", BLACK: "Boris"}),
    ("pink Rosa black Boris", {PINK: "Rosa", BLACK: "Boris"}),
    ("black Anna, pink Bob, Clara", {BLACK: "Anna", PINK: "Bob", ORANGE: "Clara"}),
    ("Clara, black Anna", {BLACK: "Anna", ORANGE: "Clara"}),
    ("синий Rosa чёрный Борис", {BLUE: "Rosa", BLACK: "Борис"}),
)
NAMES = (
    ("Anna, Boris", ("Anna", "Boris")),
    ("Anna Boris", ("Anna", "Boris")),
    ("Anna Maria; Boris", ("Anna Maria", "Boris")),
    ("Anna, Rosa", ("Anna", "Rosa")),
    ("Ольга, 지우", ("Ольга", "지우")),
    ("a, b", ("a", "b")),
)
REFUSED = (
    ("pink, green", "no player's colour"),
    ("green=Anna", "no player's colour"),
    ("pink Anna, green Boris", "no player's colour"),
    ("pink Anna, blakc", "did you mean 'black'"),
    ("pink, pink", "named twice"),
    ("Anna, Anna", "named twice"),
    ("Anna Lee, anna  LEE", "named twice"),
    ("pink=Zoë, black=ZOE\u0308", "ZOE\u0308 is named twice"),
    ("a, x, y, z, q", "four can play"),
    ("a, b, c, d, e", "5 players named; four can play"),
    ("pink A, black B, blue C, orange D, red E", "5 players named; four can play"),
    ("3", "3 is not a name"),
    ("3 players", "3 is not a name"),
    ("", "no player is named"),
    (",", "no player"),
    ("= =", "no player"),
)


def test_players_in_the_order_typed() -> None:
    for text, players in PLAYERS:
        assert list(read_players(text).assumed().items()) == list(players.items()), text


def test_players_by_name_alone_get_the_free_colours_in_order() -> None:
    for text, names in NAMES:
        assert read_players(text).names == names
        assert read_players(text).assumed([BLUE, PINK]) == dict(zip([BLUE, PINK], names, strict=True))
        with pytest.raises(NotationError, match="the colours left are pink"):
            read_players(text).assumed([PINK])


def test_wrong_players_are_refused_with_a_reason() -> None:
    for text, words in REFUSED:
        with pytest.raises(NotationError, match=words):
            read_players(text)


def test_only_a_colour_that_was_not_typed_is_assumed() -> None:
    named = read_players("black Anna, pink Bob, Clara")
    assert named.given(named.assumed()) == "Clara orange"
