"""A game looked back on: losses, luck, curve and decisive turns, by values made by hand, and by the search."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from companion.advisor.account import RecordedTurn, recorded_decisions
from companion.advisor.advice import Estimate, TurnAdvice
from companion.advisor.review import DecisionKind, GameReview, Moment, ReviewedDecision
from companion.advisor.search import reviewing as search
from companion.advisor.search.finishing import closings
from companion.advisor.search.reviewing import SearchJudge, estimate, expected_margins, review_game
from companion.errors import UnusableInputError
from companion.language.phrase import say
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record, TurnLine, format_record, parse_record
from companion.notation.records.recording import actions_line
from companion.notation.records.replay import Replayed, replay
from companion.opening.text import open_record
from companion.rules.engine.game import END_TURN
from companion.rules.engine.scoring import score
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.state import GameState, Stage
from tests.advisor.recorded_turns import replayed
from tests.advisor.scripted_judge import ScriptedJudge, points_ahead, some_turn
from tests.notation.recorded_example import THREE_ROUNDS
from tests.notation.recorded_games import stuck_game


def _level(_: GameState) -> list[float]:
    return [0.0, 0.0]


def _sample() -> GameReview:
    return review_game(open_record(THREE_ROUNDS), ScriptedJudge(noise=0.5), seed=3)


def test_a_loss_is_what_the_best_is_worth_more_for_the_one_who_decided() -> None:
    game = open_record(THREE_ROUNDS)
    turn = next(one for one in recorded_decisions(game)[0] if isinstance(one, RecordedTurn))
    seat = [player.colour for player in turn.before.position.players].index(turn.colour)

    def worth(state: GameState) -> list[float]:
        """Only the turn that was played is bad, and only for the one who played it."""
        values = [1.0, 1.0]
        values[seat] = -4.5 if state == turn.closed else 1.0
        return values

    review = review_game(game, ScriptedJudge(worth))
    found = review.turns[0]
    assert (found.played, found.best, found.loss) == (Estimate(-4.5), Estimate(1.0), Estimate(5.5))
    assert found.mark == "?"
    assert found.best_text == actions_line(turn.before, some_turn(turn.before).actions) != found.text
    assert [one.loss.value for one in review.decisions if one is not found] == [0.0] * (len(review.decisions) - 1)
    mine = next(player for player in review.players if player.colour is turn.colour)
    assert (mine.loss, mine.bids_loss) == (Estimate(5.5), Estimate(0.0))
    assert all(player.loss == Estimate(0.0) for player in review.players if player is not mine)


def test_a_bid_is_held_against_the_best_bid() -> None:
    game = open_record(THREE_ROUNDS)

    def worth(state: GameState) -> list[float]:
        """Gold alone counts, so every coin that is bid is lost."""
        gold = [float(player.gold or 0) for player in state.position.players]
        return [gold[0] - gold[1], gold[1] - gold[0]]

    review = review_game(game, ScriptedJudge(worth))
    first_round = [one for one in review.bids if one.round == 1]
    assert [(str(one.colour), one.text, one.loss.value) for one in first_round] == [
        ("pink", "pink 3", 3.0),
        ("blue", "blue 0", 0.0),
        ("pink", "pink 1", 1.0),
        ("blue", "blue 12", 12.0),
    ]
    assert [one.best_text for one in first_round] == ["pink 0", "blue 0", "pink 0", "blue 0"]
    bids = {one.colour: 0.0 for one in review.bids}
    for one in review.bids:
        bids[one.colour] += one.loss.value
    assert {player.colour: player.bids_loss.value for player in review.players} == bids


def test_what_cannot_be_told_from_the_best_loses_nothing() -> None:
    review = review_game(open_record(THREE_ROUNDS), ScriptedJudge(_level, noise=3.0))
    for one in review.decisions:
        assert one.loss.value == 0.0 or one.loss.value > (one.loss.error or 0.0)
        assert one.best.value - one.played.value == pytest.approx(one.loss.value)
        assert (one.best_text == one.text) == (one.loss.value == 0.0)
    assert any(one.loss.value == 0.0 and one.loss.error for one in review.decisions)


def test_marks_need_a_loss_that_is_no_chance(subtests: pytest.Subtests) -> None:
    for loss, error, mark in [
        (1.9, 0.1, ""),
        (2.0, 0.1, "?"),
        (5.9, 1.0, "?"),
        (6.0, 1.0, "??"),
        (6.0, 3.1, ""),
        (30.0, None, "??"),
    ]:
        with subtests.test(msg=str((loss, error))):
            none = Estimate(0.0)
            one = ReviewedDecision(
                5,
                1,
                Colour.PINK,
                DecisionKind.TURN,
                said=say("no move"),
                best_said=say("pass"),
                played=none,
                best=none,
                loss=Estimate(loss, error),
            )
            assert one.mark == mark


def test_a_refill_is_luck_and_no_loss() -> None:
    game = open_record(THREE_ROUNDS)

    def worth(state: GameState) -> list[float]:
        """A full row is good for blue."""
        return [float(len(state.position.row or ())), -float(len(state.position.row or ()))]

    review = review_game(game, ScriptedJudge(worth))
    refills = [draw for draw in review.draws if draw.text.startswith("refill: ")]
    assert [draw.text for draw in refills] == [
        "refill: fakir, jewels, fakir, wheat, Utug",
        "refill: ivory, gold",
        "refill: fakir, fakir, fish, fish, papyrus, fakir, fakir, pottery, pottery",
    ]
    blue = [draw.luck[Colour.BLUE].value for draw in refills]
    assert blue == [4.0, 2.0, 9.0]
    sibittis = [draw for draw in review.draws if draw not in refills]
    assert [(draw.text, draw.luck[Colour.BLUE].value) for draw in sibittis] == [("Iblis, Al-Amin, Anun-Nak", 0.0)]
    assert {player.colour: player.luck.value for player in review.players} == {Colour.BLUE: 15.0, Colour.PINK: -15.0}


def test_a_draw_within_a_turn_is_held_against_other_draws() -> None:
    game = open_record(THREE_ROUNDS)

    def worth(state: GameState) -> list[float]:
        pink = {"Al-Amin": 8.0}
        held = state.player(Colour.PINK).djinns or ()
        value = sum(pink.get(name, 0.0) for name in held)
        return [-value, value]

    judge = ScriptedJudge(worth)
    review = review_game(game, judge, seed=5)
    draw = next(draw for draw in review.draws if not draw.text.startswith("refill"))
    turn = next(one for one in recorded_decisions(game)[0] if isinstance(one, RecordedTurn) and one.drew)
    others = [
        state
        for state in judge.valued
        if state.stage is Stage.CLOSE and state.position.board == turn.closed.position.board
    ]
    kept = [worth(state)[1] for state in others if state != turn.closed]
    assert len(kept) >= 7, "other djinns come up in other draws"
    assert 0.0 < draw.luck[Colour.PINK].value <= 8.0
    assert draw.luck[Colour.BLUE].value == -draw.luck[Colour.PINK].value
    # Eight other draws are few: that is in the error, whatever the playouts say.
    spread = np.std([worth(state)[1] for state in others[:8]], ddof=1) / 8**0.5
    assert draw.luck[Colour.PINK].error == pytest.approx(spread, rel=0.35)
    assert review_game(game, ScriptedJudge(worth), seed=5) == review
    reviewed = next(one for one in review.turns if one.line == turn.line)
    assert reviewed.played.value == pytest.approx(8.0 - draw.luck[Colour.PINK].value), (
        "the draw is no part of the decision"
    )


class _Foresight(ScriptedJudge):
    """Holds what was played for the best, closed by the turn's end as a search's turns are."""

    def __init__(self, game: Replayed) -> None:
        super().__init__(noise=3.0)
        self._played = {one.before: one for one in recorded_decisions(game)[0] if isinstance(one, RecordedTurn)}

    def turn(self, state: GameState) -> TurnAdvice:
        actions = (*self._played[state].actions, END_TURN)
        return TurnAdvice(state.mover, state, (replace(some_turn(state), actions=actions),))


def test_a_turn_that_was_the_best_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    game = open_record(THREE_ROUNDS)
    drew = [one for one in recorded_decisions(game)[0] if isinstance(one, RecordedTurn) and one.drew]
    again = []

    def watched(state: GameState, *rest: Any) -> list[GameState]:
        again.append(state)
        return closings(state, *rest)

    monkeypatch.setattr(search, "closings", watched)
    review = review_game(game, _Foresight(game))
    assert all(one.best_text == one.text and one.loss == Estimate(0.0) for one in review.turns)
    # Other draws alone are looked at.
    assert again == [one.before for one in drew] != []


def test_luck_skill_and_the_rest_add_up_to_the_final_margin(subtests: pytest.Subtests) -> None:
    for players, seed, djinn in [(4, 2, None), (3, 1, "Sloar")]:
        with subtests.test(msg=str((players, seed))):
            game = replayed(players, seed, djinn)
            review = review_game(game, ScriptedJudge(noise=2.0))
            points = {colour: score(game.state.position)[colour].total for colour in review.result.scores}
            for player in review.players:
                others = [number for colour, number in points.items() if colour is not player.colour]
                assert player.margin.value == pytest.approx(points[player.colour] - max(others))
                total = (
                    player.start.value + player.luck.value - player.loss.value - player.bids_loss.value + player.rest
                )
                assert total == pytest.approx(player.margin.value)
                assert player.turns == sum(one.colour is player.colour for one in review.turns)
                assert player.bids == sum(one.colour is player.colour for one in review.bids)
                losses = sum(one.loss.value for one in review.turns if one.colour is player.colour)
                assert player.loss.value == pytest.approx(losses)


def test_11_what_the_last_turn_draws_is_luck(subtests: pytest.Subtests) -> None:
    for line, djinn, drawn in [
        ("blue: use Sloar for fakir: jewels", "Sloar", "jewels"),
        ("blue: use Sloar for fakir: ?", "Sloar", "?"),
        ("blue: use Anun-Nak for fakir on a1: wbb", "Anun-Nak", "wbb"),
    ]:
        with subtests.test(msg=str((line, djinn))):
            game = replay(parse_record(f"{stuck_game(djinn)}{line}\n"))
            assert game.state.is_over
            review = review_game(game, ScriptedJudge(), seed=1)
            (draw,) = review.draws
            assert draw.text == drawn
            (turn,) = review.turns
            (player,) = [one for one in review.players if one.colour is Colour.BLUE]
            assert player.margin.value == pytest.approx(turn.played.value + draw.luck[Colour.BLUE].value)


def test_the_decisive_turns_swing_the_winner_s_margin_most() -> None:
    game = replayed(3, 5)
    review = review_game(game, ScriptedJudge())
    winner = review.result.winners[0]
    swings = []
    for before, after in pairwise(review.curve):
        if after.after is Moment.TURN:
            swings.append(after.margins[winner].value - before.margins[winner].value)
    largest = sorted((abs(swing) for swing in swings), reverse=True)[:3]
    assert [abs(one.swing.value) for one in review.decisive] == largest
    for one in review.decisive:
        assert one.winner is winner
        assert one.after - one.before == pytest.approx(one.swing.value)
        assert one.decision in review.turns


def test_a_game_that_goes_on_is_looked_back_on_as_far_as_it_got() -> None:
    game = open_record(THREE_ROUNDS)
    turn = next(line for line in game.record.lines if isinstance(line.entry, TurnLine))
    assert isinstance(turn.entry, TurnLine)
    half = replace(turn, entry=replace(turn.entry, steps=turn.entry.steps[:1], open=True))
    cut = replay(replace(game.record, lines=(*(one for one in game.record.lines if one.number < turn.number), half)))
    review = review_game(cut, ScriptedJudge())
    assert len(review.bids) == 4
    assert review.turns == ()
    assert review.decisive == ()
    assert [note for note in review.notes if f"line {turn.number} isn't over" in note]
    assert not review.result.finished
    assert [note for note in review.notes if note.startswith("The game isn't over")]


def test_what_a_record_does_not_tell_is_said_once() -> None:
    assert _sample().assumed == ()
    position = random_setup(2, 3)
    poor = replace(position, players=tuple(replace(player, gold=None) for player in position.players))
    text = (
        format_record(Record(new_header(poor, {})))
        + "\nround 1: "
        + ", ".join(f"{colour} {price}" for colour, price in zip(poor.bid_order or (), (5, 3, 1, 0), strict=True))
    )
    assumed = review_game(replay(parse_record(text + "\n")), ScriptedJudge()).assumed
    assert [sentence for sentence in assumed if "gold not known" in sentence] == [
        "blue: gold not known.",
        "pink: gold not known.",
    ]
    assert len(assumed) == len(set(assumed)) == 3


def test_a_record_without_play_has_nothing_to_look_back_on() -> None:
    game = open_record(THREE_ROUNDS)
    with pytest.raises(UnusableInputError, match="no bid and no complete turn"):
        review_game(replay(replace(game.record, lines=())), ScriptedJudge())


def test_an_estimate_has_the_standard_error_of_its_samples() -> None:
    samples = np.array([1.0, 2.0, 3.0, 6.0])
    assert estimate(samples) == Estimate(3.0, pytest.approx(np.std([1, 2, 3, 6], ddof=1) / 2))
    assert estimate(np.full(5, 2.5)) == Estimate(2.5)
    assert estimate(np.array([4.0])) == Estimate(4.0)


def test_a_game_that_is_over_is_counted() -> None:
    end = replayed(3, 5).state
    (samples,) = expected_margins([end], 3, 0)
    assert samples[:, 0].tolist() == points_ahead(end) and (samples == samples[:, :1]).all()


def test_a_state_has_the_same_samples_whatever_it_is_valued_with(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, _ = recorded_decisions(open_record(THREE_ROUNDS))
    states = [one.before for one in decisions[:6]]
    states += [one.closed for one in decisions[:8] if isinstance(one, RecordedTurn)]
    assert {state.stage for state in states} >= {Stage.BID, Stage.MOVE, Stage.CLOSE}
    together = SearchJudge(lanes=5).margins(states)
    monkeypatch.setattr(search, "BATCH_LANES", 10)
    apart = SearchJudge(lanes=5).margins(states)
    for one, other in zip(together, apart, strict=True):
        assert one.shape == (2, 5)
        assert np.array_equal(one, other)
    assert not np.array_equal(together[0], SearchJudge(seed=1, lanes=5).margins(states[:1])[0])


def test_a_round_is_looked_back_on_by_the_search() -> None:
    cut = _cut(open_record(THREE_ROUNDS), 6)
    review = review_game(cut, SearchJudge(60, 1, lanes=12), seed=1, playouts=60)
    assert len(review.turns) == len(review.bids) == 4
    assert (review.lanes, review.playouts) == (12, 60)
    for one in review.turns:
        assert one.best_text.startswith(f"{one.colour}: ")
    assert len(review.draws) == 1
    assert len(review.decisive) == 3
    assert sum(one.loss.value for one in review.turns) > 0, "the players of the sample are no masters"
    for player in review.players:
        assert player.margin.error is not None, "the game goes on"


def _cut(game: Replayed, lines: int) -> Replayed:
    play = [line for line in game.record.lines if line.number > 7]
    return replay(replace(game.record, lines=tuple(play[:lines])))
