"""How a game stands: when it is over, and who has won or leads (rules 9, 10)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.notation.tokens import parse_board
from companion.rules.engine.scoring import GameResult, Score, is_finished, result_of, result_of_game, score
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import GameState, Stage

BLACK, ORANGE, BLUE, PINK = Colour
ROWS = ["M6 M6 M6 M6 M6 M6"] * 4
CAN_MOVE = Position(parse_board("/".join(["M6:w M6:w M6 M6 M6@K M6@P", *ROWS])))
NOBODY_CAN_MOVE = Position(parse_board("/".join(["M6:w M6 M6:w M6 M6@K M6@P", *ROWS])))
SEVEN = Position(parse_board("/".join(["M6:w M6:w M6@P M6 M6 M6@K", "M6@K M6@K M6@K M6@K M6@K M6@K", *ROWS[1:]])))
EIGHT = Position(parse_board("/".join(["M6:w M6:w M6@P M6 M6@K M6@K", "M6@K M6@K M6@K M6@K M6@K M6@K", *ROWS[1:]])))


POSITIONS = {
    "moves and camels are left": (CAN_MOVE, False),
    "9.2 no legal move": (NOBODY_CAN_MOVE, True),
    "9.1 one camel left": (SEVEN, False),
    "9.1 no camel left": (EIGHT, True),
    "9.1 no camel left, but turns of the round": (replace(EIGHT, turn_order=(Bid(PINK, 0),)), False),
    "9.2 no legal move, but turns of the round": (replace(NOBODY_CAN_MOVE, turn_order=(Bid(PINK, 0),)), False),
    "9.1 no camel left, the track known to be empty": (replace(EIGHT, turn_order=(), to_move=PINK), True),
}
POINTS = {PINK: Score(gold=5), BLACK: Score(gold=7), BLUE: Score(gold=7)}


def test_9_the_phase_decides_and_without_one_the_rules_do(subtests: pytest.Subtests) -> None:
    for position, over in POSITIONS.values():
        with subtests.test(position=position):
            assert is_finished(position) is over
            assert is_finished(position, final=True) is True
            # No round follows that of the last camel, so that nobody bids after it (rules 9.1).
            ends = {Phase.TURN: False, Phase.END: True, Phase.BID: position.board == EIGHT.board}
            for phase, ended in ends.items():
                for final in (False, True):
                    assert is_finished(replace(position, phase=phase), final=final) is ended


def test_9_3_an_unfinished_game_has_leaders_and_a_finished_one_winners() -> None:
    over, going_on = GameResult(POINTS, finished=True), GameResult(POINTS, finished=False)
    assert (over.ahead, over.winners, over.leaders) == ((BLACK, BLUE), (BLACK, BLUE), ())
    assert (going_on.ahead, going_on.winners, going_on.leaders) == ((BLACK, BLUE), (), (BLACK, BLUE))


def test_nobody_has_won_while_something_is_unknown() -> None:
    result = GameResult(POINTS, finished=True, unknown=("pink: gold not known, counted as 0",))
    assert (result.ahead, result.winners, result.leaders) == ((BLACK, BLUE), (), ())


def test_12_2_a_game_with_cards_that_nobody_else_has_seen_has_no_sure_winner(subtests: pytest.Subtests) -> None:
    for unseen in [0, 2]:
        with subtests.test(unseen=unseen):
            nothing = Player(BLACK, gold=3, viziers=0, elders=0, fakirs=0, goods=(0,) * 9, djinns=())
            players = (nothing, replace(nothing, colour=PINK, gold=9))
            over = GameState(replace(NOBODY_CAN_MOVE, players=players, phase=Phase.END), Stage.END, hidden=(unseen, 0))
            result = result_of_game(over)
            assert (result.finished, result.ahead) == (True, (PINK,))
            if unseen:
                assert result.unknown == ("black: 2 cards that nobody else has seen, counted as 0",)
                assert result.winners == ()
            else:
                assert (result.unknown, result.winners) == ((), (PINK,))


def test_the_result_of_a_position_has_its_scores_and_what_is_unknown() -> None:
    position = replace(
        CAN_MOVE,
        players=(
            Player(BLACK, gold=3, viziers=0, elders=0, fakirs=0, goods=(0,) * 9, djinns=()),
            Player(PINK, gold=9, viziers=0, elders=None, fakirs=0, goods=(0,) * 9, djinns=()),
        ),
    )
    result = result_of(position)
    assert result.scores == score(position)
    assert (result.finished, result.leaders) == (False, (PINK,))
    assert result.unknown == ("pink: elders not known, counted as 0",)
    assert result_of(position, final=True).finished
