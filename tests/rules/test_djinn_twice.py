"""A djinn that lies on the table more than once is named with every place it lies in (rules 1.5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.engine.legality import problems
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Player


@pytest.mark.parametrize(
    ("holders", "where", "message"),
    [
        ((Colour.PINK,), "pink", "{name} is there twice (face up and with pink), but each djinn exists once"),
        (
            (Colour.BLUE, Colour.PINK),
            "pink",
            "{name} is there 3 times (face up and with blue and with pink), but each djinn exists once",
        ),
    ],
)
def test_a_djinn_in_two_places(holders: tuple[Colour, ...], where: str, message: str) -> None:
    start = random_setup(4, 3)
    assert start.djinns is not None
    name = start.djinns[0]
    players = tuple(
        Player(colour, djinns=(name,)) if colour in holders else start.player(colour) for colour in start.colours
    )
    (problem,) = [one for one in problems(replace(start, players=players)) if one.rule == "1.5"]
    assert (problem.where, problem.message) == (where, message.format(name=name))
