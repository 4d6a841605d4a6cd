"""What is put right in the middle of a game: the game goes on with it, and its record tells the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from companion.notation.records.lines import ResultLine, parse_record
from companion.notation.records.recording import recorded
from companion.notation.records.replay import replay
from companion.notation.records.steps import parse_observation
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.setup import random_setup
from companion.rules.model.actions import PlaceBid
from companion.rules.model.board import with_meeples
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import Stage
from companion.table.games import TableGame, begin_table, bid_placed, ended, open_table, put_right, refilled
from companion.table.seats import Spectator, visible_lines
from tests.rules.random_games import random_choice


def moved_meeple(position: Position, random: Random) -> Position:
    board = list(position.board)
    start = random.choice([square for square, tile in enumerate(board) if any(tile.meeples)])
    end = random.choice([square for square in range(len(board)) if square != start])
    tribe = random.choice([tribe for tribe, count in enumerate(board[start].meeples) if count])
    for square, more in ((start, -1), (end, 1)):
        meeples = list(board[square].meeples)
        meeples[tribe] += more
        board[square] = with_meeples(board[square], tuple(meeples))
    return position.with_board(tuple(board))


def other_gold(position: Position, random: Random) -> Position:
    player = random.choice(position.players)
    return position.with_player(replace(player, gold=random.choice([None, 0, 7, 60])))


def fewer_cards(position: Position, random: Random) -> Position:
    """Cards that were told and are not there: what is told too much comes into nobody's deck."""
    player = random.choice(position.players)
    goods = None if player.goods is None else tuple(random.randint(0, count) for count in player.goods)
    return position.with_player(replace(player, goods=random.choice([None, goods]), fakirs=None))


def other_row(position: Position, random: Random) -> Position:
    row = position.row or ()
    return replace(position, row=random.choice([None, tuple(random.sample(row, len(row))), row[:4]]))


def other_djinns(position: Position, random: Random) -> Position:
    return replace(position, djinns=tuple(random.sample(position.djinns or (), len(position.djinns or ()))))


def other_order(position: Position, random: Random) -> Position:
    if position.phase is Phase.BID:
        order = tuple(random.sample(position.bid_order or (), len(position.bid_order or ())))
        return replace(position, bid_order=order, to_move=order[0])
    waiting = position.turn_order or ()
    return replace(position, turn_order=tuple(random.sample(waiting, len(waiting))))


CORRECTIONS: list[Callable[[Position, Random], Position]] = [
    moved_meeple,
    other_gold,
    fewer_cards,
    other_row,
    other_djinns,
    other_order,
]


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), pytest.param(4, 3, marks=pytest.mark.slow)])
def test_a_game_put_right_at_any_moment_replays_to_the_position_that_the_table_shows(players: int, seed: int) -> None:
    """Between bids, inside turns, at their ends, several at a time, and after the last turn."""
    random = Random(seed)
    chance = SampledChance(random)
    game = begin_table(random_setup(players, seed), {}, date="2026-02-14")
    corrections = 0
    while not game.is_over:
        while random.random() < 0.08:
            after = put_right(game, random.choice(CORRECTIONS)(game.position, random), {}, date="2026-02-14")
            if after.playing is not None and legal_actions(after.playing.state):
                game, corrections = after, corrections + 1
                assert open_table(game.text).state == game.state
        playing = game.playing
        assert playing is not None
        action = random_choice(random, playing.state, legal_actions(playing.state), eager=True)
        done = step(playing.state, action, chance)
        record = recorded(playing.record, playing.state, action, done)
        game = TableGame(done.state.position, replace(playing, record=record, state=done.state))
    game = put_right(game, other_gold(game.position, random), {}, date="2026-02-14")
    assert corrections > 5
    assert open_table(game.text).state == game.state
    assert replay(parse_record(game.text)).state.position == game.position


BIDS = "round 1: pink 5, blue 3, pink 1, blue 0\n"
TURNS = """\
pink: d1 > c1r > b1r > a1y; 3 viziers; pass
blue: b1 > c1g > d1r > e1r > e2r; 3 assassins kill b on e2: claim e2; pass
pink: c1 > b1y > b2g > c2r > d2r > d3w; 2 elders; take Jafaar for 2 elders
blue: e1 > d1r > c1r > c2r > c3b; 2 builders: 12 GC; palm
"""


def begun(lines: str) -> TableGame:
    """A game of two that begins with these lines; pink bids first."""
    return open_table(begin_table(random_setup(2, 7), {}, date="2026-02-14").text + lines)


def told(game: TableGame, position: Position) -> TableGame:
    """The game with a position that was told, as it is opened again and as its record plays."""
    after = put_right(game, position, {}, date="2026-02-14")
    assert open_table(after.text).state == after.state
    assert replay(parse_record(after.text)).state.position == after.position
    return after


def with_gold(game: TableGame, colour: Colour, gold: int | None) -> TableGame:
    return told(game, game.position.with_player(replace(game.position.player(colour), gold=gold)))


def test_bids_after_a_correction_are_of_the_same_round() -> None:
    """rules 3.1"""
    game = bid_placed(with_gold(begun(BIDS.removesuffix(", pink 1, blue 0\n") + "\n"), Colour.BLUE, 30), PlaceBid(1))
    assert game.text.endswith("round 1: pink 5, blue 3\ncorrection: blue gold 30\nround 1: pink 1\n")
    assert open_table(bid_placed(game, PlaceBid(8)).text).position.player(Colour.BLUE).gold == 22


def test_a_turn_goes_on_with_what_is_put_right_inside_it() -> None:
    """rules 4.2: the meeples in hand are still in hand."""
    game = told(begun(BIDS + "pink: d1 > c1r > b1r ...\n"), begun(BIDS + "pink: d1 > c1r > b1r ...\n").position)
    assert game.text.endswith(" ...\n")
    game = with_gold(game, Colour.PINK, 40)
    assert game.state is not None and game.state.stage is Stage.SOW
    after = open_table(game.text + "pink: > a1y; 3 viziers; pass\n")
    assert after.mover is Colour.BLUE and after.position.player(Colour.PINK).gold == 40
    whole = begun(BIDS + TURNS.splitlines()[0] + "\n")
    assert after.position.board == whole.position.board


def test_another_order_told_inside_a_turn_begins_the_next_turn_anew() -> None:
    game = begun(BIDS + "pink: d1 > c1r > b1r ...\n")
    order = game.position.turn_order or ()
    after = told(
        game, replace(game.position, to_move=Colour.BLUE, bid_order=(Colour.PINK, Colour.BLUE), turn_order=order[1:])
    )
    assert after.state is not None and (after.state.stage, after.mover) == (Stage.MOVE, Colour.BLUE)
    assert after.text.splitlines()[-1].startswith("correction: to move blue; bid order pink, blue; turn order pink 1")


def test_what_is_put_right_before_the_clean_up_leaves_it_to_be_told() -> None:
    """rules 8.1"""
    game = with_gold(begun(BIDS + TURNS), Colour.BLUE, 33)
    assert game.owes_refill
    after = refilled(game, parse_observation("Al-Amin"))
    assert after.is_bidding and after.position.player(Colour.BLUE).gold == 33
    assert after.text.endswith("palm\ncorrection: blue gold 33\nrefill: Al-Amin\n")


def test_what_is_told_to_lie_there_after_the_clean_up_needs_no_telling_any_more() -> None:
    """rules 8.1"""
    game = begun(BIDS + TURNS)
    after = told(game, replace(game.position, djinns=(*(game.position.djinns or ()), "Al-Amin")))
    assert after.is_bidding and not after.owes_refill and after.mover is Colour.PINK
    unknown = told(game, replace(game.position, row=None, djinns=None))
    assert unknown.is_bidding and unknown.position.row is None


def test_a_game_that_is_over_has_one_result_whatever_is_put_right() -> None:
    """rules 10"""
    game = told(begun(BIDS + TURNS), ended(begun(BIDS + TURNS).position))
    assert game.is_over and game.text.splitlines()[-1].startswith("result: blue ")
    after = with_gold(game, Colour.BLUE, 99)
    assert after.playing is not None
    results = [line.entry for line in after.playing.record.lines if isinstance(line.entry, ResultLine)]
    assert [dict(one.points)[Colour.BLUE] for one in results] == [after.result.scores[Colour.BLUE].total]


def test_hands_that_do_not_go_together_are_kept_in_the_record_too() -> None:
    """rules 1.5: there are 50 coins of 5 and 50 of 1."""
    game = with_gold(with_gold(begun(BIDS), Colour.BLUE, 250), Colour.PINK, 250)
    assert game.state is not None and game.state.unchecked_hands
    assert replay(parse_record(with_gold(game, Colour.BLUE, 20).text)).state.unchecked_hands is False


def test_12_2_a_correction_tells_a_seat_nothing_of_what_others_hold() -> None:
    game = begun(BIDS + TURNS.splitlines()[0] + "\n")
    pink = replace(game.position.player(Colour.PINK), gold=41, fakirs=1, viziers=2)
    game = told(game, game.position.with_player(pink))
    assert game.playing is not None
    seen = {
        seat: [*visible_lines(game.playing.record, seat, over=False)][-1][1] for seat in (None, *Colour, *Spectator)
    }
    assert seen[None] == seen[Colour.PINK] == "correction: pink gold 41; pink viziers 2; pink fakirs 1"
    assert seen[Colour.BLUE] == seen[Spectator.SPECTATOR] == "correction: pink gold ?; pink viziers 2; pink fakirs ?"
