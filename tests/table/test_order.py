"""The order of players as it is shown and told: what is shown says the same when it is told again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.notation.records.lines import format_record
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.table.games import open_table
from companion.table.order import PlayerOrder, changes_by, is_beginning, on_tracks_unticked, order_of, with_order
from tests.notation.recorded_games import random_record, stages_of
from tests.samples import MID

START = random_setup(2, 3)
BARE = tuple(replace(tile, camel=None) for tile in MID.board)
_, _, BLUE, PINK = Colour


def without_prices(position: Position) -> Position:
    """Only the order of markers counts once they are paid for."""
    waiting = tuple(Bid(bid.colour, 0) for bid in position.turn_order or ())
    return replace(position, turn_order=waiting)


def test_what_is_shown_at_any_step_says_the_same_when_it_is_told_again() -> None:
    """rules 3.1, 3.3, 4.1"""
    stages = set()
    for record in list(stages_of(random_record(3, 7)[0]))[::2]:
        game = open_table(format_record(record))
        position, shown = game.position, order_of(game.position)
        assert not changes_by(position, shown)
        if game.is_over:
            continue
        again = with_order(position, shown)
        stages.add((position.phase, is_beginning(position), game.owes_refill))
        assert without_prices(again) == without_prices(position)
        if position.phase is Phase.BID:
            assert again.turn_order == position.turn_order
    assert {(Phase.BID, True, False), (Phase.BID, False, False), (Phase.TURN, False, False)} <= stages
    assert any(owes for _, _, owes in stages)


def two_in_turns(bids: str, turns: str, mover: Colour) -> Position:
    """A game of two in its turns; markers by first letters, b blue, p pink."""
    by_letter = {"b": BLUE, "p": PINK}
    return replace(
        START,
        phase=Phase.TURN,
        to_move=mover,
        bid_order=tuple(by_letter[letter] for letter in bids),
        turn_order=tuple(Bid(by_letter[letter], 0) for letter in turns),
    )


def test_the_movers_own_marker_may_be_told_on_either_track() -> None:
    """rules 4.1"""
    expected = two_in_turns("pb", "pb", BLUE)
    for order, played in (
        ((PINK, BLUE), (PINK,)),
        ((BLUE, PINK, BLUE), (PINK,)),
        ((PINK, BLUE), (PINK, BLUE)),
    ):
        told = PlayerOrder((BLUE, PINK), BLUE, order, played, bidding=False)
        assert with_order(replace(expected, to_move=PINK), told) == expected


NOW_PLAYS = (
    # played and mover | waiting with prices; who plays now; the same afterwards
    ("k b | o5 p3", "o", "k b o | p3"),  # one turn on, and the price of who is left stays
    ("k b | o5 p3", "p", "k b o p |"),  # two turns on
    ("k b | o5 p3", "b", "k b | o5 p3"),  # nothing new
    ("k b | o5 p3", "k", "k | b8 o5 p3"),  # back: who has played stands on the next spot above
    ("k b o p |", "b", "k b | o0 p0"),  # back in the last turn of a round
    ("k b | o0 p0", "k", "k | b0 o0 p0"),
    ("b | p3", "o", "b o | p3"),  # of incomplete tracks, who stands on none comes next
    ("b p | b5 p3", "b", "b p b | p3"),  # two have two markers each: the next one plays
    ("b p b | p3", "p", "b p b p |"),
    ("b p | p5 b3", "p", "b p | p5 b3"),
    ("b b | p5 p3", "p", "b b p | p3"),
    ("b p p | b3", "b", "b p p b |"),
)
"""Tracks when somebody says who plays now: k black, o orange, b blue, p pink (rules 3.3, 4.1)."""


def on_tracks(tracks: str) -> Position:
    """A position in a turn, its mover's marker last of those that have played."""
    letters = dict(zip("kobp", Colour, strict=True))
    played, _, waiting = (part.split() for part in tracks.partition("|"))
    named = [letters[one[0]] for one in (*played, *waiting)]
    players = tuple(Player(colour) for colour in Colour if colour in named)
    order = tuple(Bid(letters[one[0]], int(one[1:])) for one in waiting)
    bids = tuple(letters[letter] for letter in played)
    return replace(
        MID, players=players, board=BARE, phase=Phase.TURN, to_move=bids[-1], bid_order=bids, turn_order=order
    )


def test_3_3_now_plays_somebody_means_that_all_before_have_played(subtests: pytest.Subtests) -> None:
    for tracks, now, expected in NOW_PLAYS:
        with subtests.test(tracks=tracks, now=now):
            before = on_tracks(tracks)
            mover = dict(zip("kobp", Colour, strict=True))[now]
            after = with_order(before, replace(order_of(before), to_move=mover))
            told = on_tracks(expected)
            assert (after.to_move, after.bid_order, after.turn_order) == (mover, told.bid_order, told.turn_order)


def test_a_mover_whose_marker_still_waits_has_played_too_when_somebody_else_plays() -> None:
    """rules 4.1"""
    black, orange, *_ = Colour
    after = with_order(MID, replace(order_of(MID), to_move=orange))
    assert (after.bid_order, after.turn_order) == ((black, BLUE, orange), ())


def test_4_1_the_movers_marker_is_not_shown_among_those_that_have_played() -> None:
    assert order_of(two_in_turns("pb", "pb", BLUE)).played == (PINK,)
    assert order_of(two_in_turns("pb", "pb", PINK)).played == (PINK, BLUE)


def test_the_last_turn_of_a_round_has_no_marker_left_to_play() -> None:
    told = PlayerOrder((BLUE, PINK), PINK, (), (BLUE, PINK, BLUE), bidding=False)
    after = with_order(two_in_turns("bpb", "p", BLUE), told)
    assert (after.to_move, after.turn_order, after.bid_order) == (PINK, (), (BLUE, PINK, BLUE, PINK))


def test_a_bid_that_is_placed_stays_until_its_marker_is_told_to_stand_elsewhere() -> None:
    """rules 3.1"""
    position = replace(START, phase=Phase.BID, bid_order=(BLUE, PINK, PINK), turn_order=(Bid(BLUE, 5),), to_move=BLUE)
    position = position.with_player(replace(position.player(BLUE), gold=45))
    told = order_of(position)
    assert told.order == (BLUE, PINK, PINK) and told.to_move is None
    swapped = with_order(position, replace(told, order=(PINK, BLUE, PINK)))
    assert (swapped.turn_order, swapped.to_move, swapped.player(BLUE).gold) == ((Bid(BLUE, 5),), PINK, 45)
    anew = with_order(position, replace(told, order=(BLUE, PINK, PINK, BLUE)))
    assert (anew.turn_order, anew.player(BLUE).gold) == ((), 50)


def test_of_a_table_of_which_no_order_is_known_what_is_shown_changes_nothing() -> None:
    unknown = replace(START, players=(Player(BLUE), Player(PINK)), bid_order=None, turn_order=None)
    unknown = replace(unknown, phase=None, to_move=None)
    assert not changes_by(unknown, order_of(unknown))


def test_who_bids_next_may_be_all_that_is_told() -> None:
    after = with_order(START, PlayerOrder((BLUE, PINK), PINK, (), (), bidding=True))
    assert (after.to_move, after.phase, after.bid_order) == (PINK, Phase.BID, None)


def test_the_first_of_the_order_plays_next_where_nobody_is_told_to() -> None:
    """rules 4.1"""
    told = PlayerOrder((BLUE, PINK), None, (BLUE, PINK, BLUE), (PINK,), bidding=False)
    assert with_order(two_in_turns("pb", "pb", PINK), told) == two_in_turns("pb", "pb", BLUE)
    # Of four markers two are told: the first of them is the one that plays, and there is no other of its colour.
    few = with_order(two_in_turns("pb", "pb", PINK), replace(told, order=(BLUE, PINK), played=()))
    assert (few.to_move, few.bid_order, few.turn_order) == (BLUE, (BLUE,), (Bid(PINK, 0),))


def test_bids_that_were_paid_for_are_no_bids_of_the_next_round() -> None:
    """rules 3.1"""
    told = PlayerOrder((BLUE, PINK), None, (BLUE, PINK), (), bidding=True)
    assert with_order(two_in_turns("pb", "pb", BLUE), told).turn_order == ()


def test_before_the_first_bid_what_everybody_has_is_known_by_the_rules() -> None:
    """rules 2.2"""
    read = replace(START, players=(), bid_order=(BLUE, PINK, PINK, BLUE), turn_order=(), phase=None, to_move=None)
    shown = order_of(read)
    assert shown.order == read.bid_order and changes_by(read, shown)
    assert [player.gold for player in with_order(read, shown).players] == [50, 50]
    # Bids have been paid for already, whatever they were.
    bidden = replace(read, bid_order=(), turn_order=tuple(Bid(colour, 0) for colour in (BLUE, PINK, BLUE)))
    told = PlayerOrder((BLUE, PINK), PINK, (BLUE, PINK, BLUE), (), bidding=False)
    assert with_order(bidden, told).players == (Player(BLUE), Player(PINK))


def test_who_is_on_a_track_and_does_not_play_is_found_on_each_of_them() -> None:
    black, orange, *_ = Colour
    told = PlayerOrder((BLUE, PINK), None, (BLUE, PINK), (PINK,), bidding=False)
    assert on_tracks_unticked(told) == ()
    assert on_tracks_unticked(replace(told, order=(PINK, orange, black))) == (black, orange)
    assert on_tracks_unticked(replace(told, played=(black,))) == (black,)
    # Where nobody is ticked, the tracks tell who plays.
    assert on_tracks_unticked(replace(told, plays=(), order=(black, orange))) == ()
