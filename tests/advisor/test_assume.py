"""What the advisor takes for granted, and that it says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.advisor.assume import assume
from companion.notation.tokens import parse_board
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Bid, Phase, Player, Position

BLACK, ORANGE, BLUE, PINK = Colour
BARE = parse_board("/".join(["M6 M6 M6 M6 M6 M6"] * 5))
CAMELS = parse_board("/".join(["M6 M6@O M6 M6 M6@B M6", *["M6 M6 M6 M6 M6 M6"] * 4]))
KNOWN = Position(
    CAMELS,
    players=(
        Player(ORANGE, gold=9, viziers=1, elders=1, fakirs=1, goods=(1,) * 9, djinns=("Utug",)),
        Player(BLUE, gold=3, viziers=1, elders=1, fakirs=1, goods=(0,) * 9, djinns=()),
    ),
    row=(),
    djinns=(),
    to_move=BLUE,
    phase=Phase.TURN,
)
TURNS = (Bid(PINK, 3), Bid(ORANGE, 0))
MOVERS = {
    "to_move": (replace(KNOWN, turn_order=TURNS), None, BLUE, ""),
    "turn order": (Position(BARE, turn_order=TURNS, bid_order=(BLACK,)), None, PINK, "turn order track"),
    "bid order": (Position(CAMELS, bid_order=(PINK,)), None, PINK, "bid order track"),
    "first colour": (Position(CAMELS), None, ORANGE, "not known"),
    "nobody": (Position(BARE), None, BLACK, "No player is known"),
    "asked for": (Position(CAMELS, bid_order=(PINK,)), BLUE, BLUE, ""),
    "asked for another": (KNOWN, ORANGE, ORANGE, "has blue to move"),
}


@pytest.mark.parametrize(("position", "wanted", "mover", "said"), MOVERS.values(), ids=MOVERS)
def test_who_is_to_move(position: Position, wanted: Colour | None, mover: Colour, said: str) -> None:
    assumed = assume(position, wanted)
    assert assumed.position.to_move is mover
    about = [note for note in assumed.notes if "player to move" in note]
    assert len(about) == bool(said)
    assert said in "".join(about)


def test_nothing_is_said_where_all_is_known() -> None:
    assert assume(KNOWN).notes == ()
    assert assume(KNOWN).position == KNOWN


def test_2_2_unknown_holdings_are_filled_in_and_said() -> None:
    assumed = assume(Position(CAMELS, to_move=BLUE))
    assert assumed.position.player(BLUE) == Player(
        BLUE, gold=50, viziers=0, elders=0, fakirs=0, goods=(0,) * len(GOODS), djinns=()
    )
    assert [note for note in assumed.notes if note.startswith(("blue", "orange"))] == [
        "orange: viziers, elders and djinns not known, taken as none.",
        "blue: gold not known, taken as 50 GC; viziers, elders, fakirs, goods and djinns not known, taken as none.",
    ]


def test_row_and_djinns_stay_unknown_and_are_said() -> None:
    assumed = assume(replace(KNOWN, row=None, djinns=None))
    assert (assumed.position.row, assumed.position.djinns) == (None, None)
    assert [note.split(":")[0] for note in assumed.notes] == [
        "The row is not known",
        "The face-up djinns are not known",
    ]


def test_10_2_no_opponent_known() -> None:
    assert any("No opponent" in note for note in assume(Position(BARE)).notes)


def test_open_bids_are_said() -> None:
    assert any("bids are still open" in note for note in assume(replace(KNOWN, phase=Phase.BID)).notes)
