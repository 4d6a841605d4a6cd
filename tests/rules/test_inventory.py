"""Pieces and cards counted against the box (rules 1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.engine.legality import problems
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Player, keeps_all_known


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        ([(1, 2), (0, 0)], True),
        ([(1, 2), (0, 0), (3, 3)], True),
        ([(1, 2)], False),
        ([(1, 2), (None, 0)], False),
        ([(1, 2), (0, None)], False),
    ],
)
def test_1_1_what_all_players_keep_is_known_if_there_are_two_and_none_is_silent(
    known: list[tuple[int | None, int | None]], wanted: bool
) -> None:
    colours = list(Colour)[: len(known)]
    players = tuple(
        Player(colour, viziers=viziers, elders=elders) for colour, (viziers, elders) in zip(colours, known, strict=True)
    )
    position = replace(random_setup(4, 3), players=players, bid_order=None)
    assert keeps_all_known(position) is wanted


def test_1_4_too_many_of_a_card_are_named_with_every_place() -> None:
    goods = tuple(2 if good == "ivory" else 0 for good in GOODS)
    position = replace(
        random_setup(4, 3),
        row=("ivory", *("fish",) * 2),
        discards=("ivory",),
        players=(Player(Colour.PINK, goods=goods),),
    )
    (message,) = [one.message for one in problems(position) if "ivory" in one.message]
    assert "1 in the row" in message and "1 discarded" in message and "2 with pink" in message
