"""Positions that no box and no rule allows: they are refused in words, never met with a bare error (rules 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import CompanionError, ImpossiblePositionError, UnusableInputError
from companion.rules.engine.counting import count_moves
from companion.rules.engine.game import legal_actions
from companion.rules.engine.legality import malformed, problems, warnings
from companion.rules.engine.scoring import player_points, result_of, score
from companion.rules.engine.setup import start_game
from companion.rules.engine.sowing import SETTLED_LENGTH, ends, has_legal_sowing
from companion.rules.engine.turn import lone_turn
from companion.rules.engine.walks import walk_counts
from companion.rules.model.board import NEIGHBOURS, SQUARES, Tile, empty_tile
from companion.rules.model.components import CARD_COUNTS, TILE_KINDS, TOTAL_MEEPLES, Colour
from companion.rules.model.position import Bid, Phase, Player, Position, count_cards, keeps_all_known

BARE = Position(tuple(empty_tile("M6") for _ in range(SQUARES)), players=(Player(Colour.PINK), Player(Colour.BLACK)))

numbers = st.sampled_from([0, 0, 1, 2, 3, 9, 17, 91, 5000, -1, -40])
maybe = st.none() | numbers
colours = st.sampled_from(list(Colour))
cards = st.lists(st.sampled_from([*CARD_COUNTS, "snake", ""]), max_size=12).map(tuple)
djinns = st.lists(st.sampled_from(["Utug", "Leta", "Al-Amin", "Sibittis", "Dhenim", "Nobody", ""]), max_size=5).map(
    tuple
)
tiles = st.builds(
    Tile,
    st.sampled_from(list(TILE_KINDS.values())),
    st.tuples(*[st.sampled_from([0, 0, 0, 0, 1, 2, -1, 90, 5000])] * 5),
    camel=st.none() | colours,
    palms=numbers,
    palaces=numbers,
)
boards = st.lists(tiles, min_size=SQUARES, max_size=SQUARES) | st.lists(tiles, max_size=SQUARES + 1)
players = st.builds(
    Player,
    colours,
    gold=maybe,
    viziers=maybe,
    elders=maybe,
    fakirs=maybe,
    goods=st.none() | st.lists(numbers, min_size=8, max_size=10).map(tuple),
    djinns=st.none() | djinns,
)
positions = st.builds(
    Position,
    boards.map(tuple),
    players=st.lists(players, max_size=5).map(tuple),
    row=st.none() | cards,
    djinns=st.none() | djinns,
    to_move=colours,
    phase=st.none() | st.sampled_from(list(Phase)),
    bid_order=st.none() | st.lists(colours, max_size=5).map(tuple),
    turn_order=st.none()
    | st.lists(st.builds(Bid, colours, st.sampled_from([0, 0, 1, 5, 7, -3])), max_size=5).map(tuple),
    discards=st.none() | cards,
)


@settings(max_examples=200, deadline=None)
@given(positions)
def test_1_absurd_positions_are_told_apart_or_refused(position: Position) -> None:
    faults = problems(position)
    assert all(fault.message for fault in faults)
    warnings(position)
    keeps_all_known(position)
    asked: list[Callable[[], object]] = [
        lambda: legal_actions(start_game(position)),
        lambda: legal_actions(lone_turn(position)),
        lambda: player_points(position, Colour.PINK),
    ]
    if not malformed(position):
        asked += [lambda: result_of(position), lambda: count_cards(position)]
    for ask in asked:
        try:
            ask()
        except CompanionError as refused:
            assert str(refused)


MALFORMED = {
    "2.3": (replace(BARE, board=BARE.board[:29]), "board", "not 29"),
    "1.2-tribes": (
        replace(BARE, board=(Tile(TILE_KINDS["M6"], (1, 1)), *BARE.board[1:])),
        "a1",
        "counted by 5 tribes, not by 2",
    ),
    "1.2-negative": (
        replace(BARE, board=(Tile(TILE_KINDS["M6"], (0, 0, -1, 0, 0)), *BARE.board[1:])),
        "a1",
        "-1 builders",
    ),
    "1.3-palms": (replace(BARE, board=(Tile(TILE_KINDS["O8"], palms=-2), *BARE.board[1:])), "a1", "-2 palms"),
    "1.3-gold": (replace(BARE, players=(Player(Colour.PINK, gold=-5),)), "pink", "-5 GC"),
    "1.4-goods": (replace(BARE, players=(Player(Colour.PINK, goods=(0,) * 8),)), "pink", "by 9 kinds, not by 8"),
    "1.4-fakirs": (replace(BARE, players=(Player(Colour.PINK, fakirs=-1),)), "pink", "-1 fakirs"),
}


@pytest.mark.parametrize("rule", MALFORMED)
def test_1_a_position_that_does_not_hold_together_is_named_and_not_played(rule: str) -> None:
    position, where, words = MALFORMED[rule]
    (fault,) = problems(position)
    assert (fault.where, fault.rule) == (where, rule.split("-")[0])
    assert words in fault.message
    for ask in (lambda: start_game(position), lambda: lone_turn(replace(position, to_move=Colour.PINK))):
        with pytest.raises(ImpossiblePositionError):
            ask()  # type: ignore[no-untyped-call]


def test_1_2_a_hand_larger_than_the_box_is_not_counted() -> None:
    board = (Tile(TILE_KINDS["M6"], (TOTAL_MEEPLES + 1, 0, 0, 0, 0)), *BARE.board[1:])
    with pytest.raises(UnusableInputError, match="only 90"):
        count_moves(board)
    with pytest.raises(UnusableInputError, match="91 meeples"):
        walk_counts(TOTAL_MEEPLES + 1)
    assert has_legal_sowing(board)


def test_11_a_djinn_that_there_is_not_is_refused() -> None:
    position = replace(BARE, players=(Player(Colour.PINK, djinns=("Nobody",)),))
    with pytest.raises(UnusableInputError, match="there is no djinn 'Nobody'"):
        score(position)


@pytest.mark.parametrize("length", range(SETTLED_LENGTH, SETTLED_LENGTH + 6))
def test_4_2_longer_walks_end_where_those_of_two_steps_less_do(length: int) -> None:
    for square in range(SQUARES):
        for before in (None, *NEIGHBOURS[square]):
            assert ends(before, square, length + 2) == ends(before, square, length)
