"""What is put right in the middle of a game: the game goes on with it, and its record tells the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from companion.notation.records.corrections import Change
from companion.notation.records.lines import CorrectionLine, ResultLine, TurnLine, format_entry, parse_record
from companion.notation.records.recording import recorded
from companion.notation.records.replay import replay
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.setup import random_setup
from companion.rules.model.board import with_meeples
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import Stage
from companion.table.games import TableGame, begin_table, ended, open_table, put_right
from companion.table.seats import Onlooker, seen_lines
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


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3), (2, 4), (3, 5), (4, 6)])
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


def begun(lines: str) -> TableGame:
    """A game of two that begins with these lines; pink bids first."""
    return open_table(begin_table(random_setup(2, 7), {}, date="2026-02-14").text + lines)


BIDS = "round 1: pink 5, blue 3, pink 1, blue 0\n"


def with_gold(game: TableGame, colour: Colour, gold: int | None) -> TableGame:
    player = replace(game.position.player(colour), gold=gold)
    return put_right(game, game.position.with_player(player), {}, date="2026-02-14")
