"""How what a position does not tell is filled in, and that it is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.advisor.completion import complete
from companion.notation.tokens import parse_board
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import NO_GOODS, Colour
from companion.rules.model.position import Bid, Phase, Player, Position

BLACK, ORANGE, BLUE, PINK = Colour


def holding(
    colour: Colour, gold: int, viziers: int, elders: int, fakirs: int, goods: tuple[int, ...], djinns: tuple[str, ...]
) -> Player:
    return Player(colour, gold=gold, viziers=viziers, elders=elders, fakirs=fakirs, goods=goods, djinns=djinns)


BARE = parse_board("/".join(["M6 M6 M6 M6 M6 M6"] * 5))
CAMELS = parse_board("/".join(["M6 M6@O M6 M6 M6@B M6", *["M6 M6 M6 M6 M6 M6"] * 4]))
KNOWN = Position(
    CAMELS,
    players=(holding(ORANGE, 9, 1, 1, 1, (1,) * 9, ("Utug",)), holding(BLUE, 3, 1, 1, 1, NO_GOODS, ())),
    row=(),
    djinns=(),
    to_move=BLUE,
    phase=Phase.TURN,
)
TURNS = (Bid(PINK, 3), Bid(ORANGE, 0))
MOVERS = {
    "to_move": (replace(KNOWN, turn_order=TURNS), None, BLUE, None, None),
    "turn order": (
        replace(KNOWN, to_move=None, turn_order=TURNS, bid_order=(BLACK,)),
        None,
        PINK,
        "First on the turn order track: pink is taken to be the player to move.",
        None,
    ),
    "bid order": (
        replace(KNOWN, to_move=None, bid_order=(PINK,)),
        None,
        PINK,
        "First on the bid order track: pink is taken to be the player to move.",
        None,
    ),
    "first colour": (
        replace(KNOWN, to_move=None),
        None,
        ORANGE,
        "The player to move is not known: orange is taken to be the player to move.",
        None,
    ),
    "nobody": (Position(BARE), None, BLACK, "No player is known: black is taken to be the player to move.", None),
    "asked for": (replace(KNOWN, to_move=None, bid_order=(PINK,)), BLUE, BLUE, None, None),
    "asked for the same": (KNOWN, BLUE, BLUE, None, None),
    "asked for another": (
        KNOWN,
        ORANGE,
        ORANGE,
        None,
        "The position has blue to move, another player was asked for: orange is taken to be the player to move.",
    ),
}


@pytest.mark.parametrize(("position", "wanted", "mover", "assumed", "noted"), MOVERS.values(), ids=MOVERS)
def test_who_is_to_move(
    position: Position, wanted: Colour | None, mover: Colour, assumed: str | None, noted: str | None
) -> None:
    completion = complete(position, wanted)
    assert completion.position.to_move is completion.original.to_move is completion.expectation.mover is mover
    assert [text for text in completion.assumed if "player to move" in text] == ([assumed] if assumed else [])
    assert list(completion.notes) == ([noted] if noted else [])


def test_nothing_is_said_where_all_is_known() -> None:
    completion = complete(KNOWN)
    assert (completion.assumed, completion.notes) == ((), ())
    assert completion.position == completion.original == KNOWN
    assert completion.expectation.exact


def test_2_2_what_is_not_known_stands_as_nothing_and_gold_as_at_the_start() -> None:
    completion = complete(Position(CAMELS, to_move=BLUE))
    assert completion.position.player(BLUE) == holding(BLUE, 50, 0, 0, 0, NO_GOODS, ())
    assert completion.position.player(ORANGE) == holding(ORANGE, 50, 0, 0, 0, NO_GOODS, ())
    assert completion.original == Position(CAMELS, to_move=BLUE)
    assert complete(replace(KNOWN, to_move=ORANGE)).position.player(ORANGE) == KNOWN.player(ORANGE)


ROW, DJINNS = (
    "The row is not known: cards from merchants count as any that are not seen, markets are left alone.",
    "The face-up djinns are not known: none is suggested.",
)


def hidden_viziers(number: int) -> str:
    return (
        f"{number} viziers are seen nowhere: every division of them among the players whose viziers are not known "
        "and the bag is taken to be as likely."
    )


def lacking(colour: Colour, *fields: str, start: Position = KNOWN) -> Position:
    missing: dict[str, Any] = dict.fromkeys(fields)
    return start.with_player(replace(start.player(colour), **missing))


FULL_SET_UP = random_setup(2, 3)
UNKNOWN = {
    "everything": (
        Position(CAMELS, to_move=BLUE),
        [
            "orange: viziers, elders and djinns not known.",
            "blue: gold not known, taken as 50 GC.",
            "blue: viziers not known.",
            "blue: elders and fakirs not known, so that none are spent.",
            "blue: goods not known; 9 cards are expected, by the merchants that have left the board.",
            "blue: djinns not known, taken as none.",
            hidden_viziers(16),
            ROW,
            DJINNS,
        ],
    ),
    "own gold": (lacking(BLUE, "gold"), ["blue: gold not known, taken as 50 GC."]),
    "own viziers": (lacking(BLUE, "viziers"), ["blue: viziers not known.", hidden_viziers(15)]),
    "own elders": (lacking(BLUE, "elders"), ["blue: elders not known, so that none are spent."]),
    "own fakirs": (lacking(BLUE, "fakirs"), ["blue: fakirs not known, so that none are spent."]),
    "own goods": (
        lacking(BLUE, "goods"),
        ["blue: goods not known; 9 cards are expected, by the merchants that have left the board."],
    ),
    "own goods, one card": (
        replace(
            lacking(BLUE, "goods"),
            board=parse_board("/".join(["M6:gggggggggggggggg M6@O M6 M6 M6@B M6", *["M6 M6 M6 M6 M6 M6"] * 4])),
        ),
        ["blue: goods not known; 1 card is expected, by the merchants that have left the board."],
    ),
    "own djinns": (lacking(BLUE, "djinns"), ["blue: djinns not known, taken as none."]),
    "an opponent's viziers": (lacking(ORANGE, "viziers"), ["orange: viziers not known.", hidden_viziers(15)]),
    "an opponent's elders": (lacking(ORANGE, "elders"), ["orange: elders not known."]),
    "an opponent's djinns": (lacking(ORANGE, "djinns"), ["orange: djinns not known."]),
    "what does not bear on the turn": (lacking(ORANGE, "gold", "fakirs", "goods"), []),
    "2.1 no opponent": (
        Position(BARE, players=(KNOWN.player(BLUE),), row=(), djinns=(), to_move=BLUE),
        ["No opponent is known; there is at least one (rules 2.1).", hidden_viziers(15)],
    ),
    "row": (replace(KNOWN, row=None), [ROW]),
    "djinns": (replace(KNOWN, djinns=None), [DJINNS]),
    "2.4 with all meeples on the board nobody has any": (
        replace(
            FULL_SET_UP,
            to_move=BLUE,
            phase=None,
            players=tuple(replace(player, viziers=None, elders=None, goods=None) for player in FULL_SET_UP.players),
        ),
        ["blue: goods not known, taken as none: no merchant has left the board."],
    ),
}


@pytest.mark.parametrize(("position", "assumed"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_was_not_known_is_said(position: Position, assumed: list[str]) -> None:
    completion = complete(position)
    assert list(completion.assumed) == assumed
    assert completion.notes == ()


def test_open_bids_are_said() -> None:
    assert complete(replace(KNOWN, phase=Phase.BID)).notes == (
        "The bids are still open; these are turns of blue on the board as it stands.",
    )
