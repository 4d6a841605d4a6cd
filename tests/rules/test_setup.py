"""Set-ups against rules 2, and the same set-up for the same seed."""

from contextlib import nullcontext
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.notation.tokens import format_board
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.setup import can_play, default_colours, random_setup
from companion.rules.model.board import meeples_on
from companion.rules.model.components import CARD_COUNTS, MEEPLE_COUNTS, TILE_KINDS, Colour
from companion.rules.model.position import Phase

GOLDEN_BOARD = """
M4:yyg M6:grr M4:ywr M4:yrr O8:brr S6:ygr
O8:ywg V5:wgr V5:wwr V5:yyb S12:brr M6:wbg
M6:yyb M6:ygg O8:ywb S10:wbg M4:ggr M6:wbg
V5:wbg S6:wgr S6:ybr O8:ywb M6:ywg S6:wbg
S15:wbb M6:wbg O8:wbr V5:wwr O8:ybr M6:wbg
"""


@given(players=st.sampled_from([2, 3, 4]), seed=st.integers(0, 2**64))
def test_every_setup_keeps_rules_1_and_2(players: int, seed: int) -> None:
    position = random_setup(players, seed)
    kinds = [tile.kind for tile in position.board]
    assert {kind: kinds.count(kind) for kind in kinds} == {kind: kind.count for kind in TILE_KINDS.values()}, "2.3"
    assert meeples_on(position.board) == MEEPLE_COUNTS, "2.4"
    assert all(sum(tile.meeples) == 3 for tile in position.board), "2.4"
    assert not any(tile.camel or tile.palms or tile.palaces for tile in position.board), "2.3"
    assert position.row is not None and len(position.row) == 9, "2.6"
    assert all(position.row.count(card) <= CARD_COUNTS[card] for card in position.row), "2.6, 1.4"
    assert position.djinns is not None and len(set(position.djinns) & set(DJINNS)) == 3, "2.7"
    assert all(player.gold == 50 for player in position.players), "2.2"
    assert all(position.camels_left(c) == (11 if players == 2 else 8) for c in position.colours), "2.1"
    assert position.bid_order is not None
    markers = 2 if players == 2 else 1
    assert sorted(position.bid_order) == sorted(default_colours(players) * markers), "2.1, 2.5"
    assert (position.phase, position.turn_order, position.discards) == (Phase.BID, (), ())
    assert position.palms_left == 12 and position.palaces_left == 10 and sum(position.bag) == 0


def test_a_seed_keeps_its_setup() -> None:
    position = random_setup(2, 7)
    assert format_board(position.board) == GOLDEN_BOARD.strip()
    assert position.row is not None and position.bid_order is not None
    assert " ".join(position.row) == "fakir fish fish pottery spice fakir spice fakir pottery"
    assert position.djinns == ("Hagis", "Jafaar", "Kumarbi")
    assert " ".join(position.bid_order) == "pink blue pink blue"


def test_every_tile_kind_comes_to_every_corner() -> None:
    """A shuffle that forgot an end would leave some kinds out of it (rules 2.3)."""
    boards = [random_setup(2, seed).board for seed in range(400)]
    for corner in (0, 5, 24, 29):
        assert {board[corner].kind.code for board in boards} == set(TILE_KINDS)


def test_2_1_refuses_colours(subtests: pytest.Subtests) -> None:
    for players, colours in [
        (2, (Colour.BLACK, Colour.PINK)),
        (3, (Colour.BLACK, Colour.PINK)),
        (3, (Colour.BLACK, Colour.PINK, Colour.PINK)),
        (3, tuple(Colour)),
    ]:
        with subtests.test(players=players), pytest.raises(ValueError, match="2.1|different colours"):
            random_setup(players, 1, colours=colours)


def test_2_1_who_can_play_is_who_a_set_up_is_made_for() -> None:
    for players in range(len(Colour) + 1):
        for colours in combinations(Colour, players):
            with nullcontext() if can_play(colours) else pytest.raises(ValueError):
                random_setup(players, 1, colours=colours)


def test_2_1_three_players_may_choose_their_colours() -> None:
    chosen = (Colour.PINK, Colour.BLACK, Colour.BLUE)
    assert random_setup(3, 1, colours=chosen).colours == (Colour.BLACK, Colour.BLUE, Colour.PINK)
