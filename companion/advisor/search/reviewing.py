"""A game looked back on: every bid and turn held against the best, luck and skill apart, the curve of the margins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Protocol

import numpy as np
import numpy.typing as npt

from companion.advisor.account import RecordedBid, RecordedTurn, correction_notes, recorded_decisions
from companion.advisor.advice import BidAdvice, Budget, Estimate, TurnAdvice
from companion.advisor.review import (
    DECISIVE_TURNS,
    CurvePoint,
    DecisionKind,
    DecisiveTurn,
    GameReview,
    Moment,
    PlayerReview,
    ReviewedDecision,
    ReviewedDraw,
)
from companion.advisor.search.advise import advise
from companion.advisor.search.assume import unknown_sentences, unseen_cards
from companion.advisor.search.bids import advise_bid
from companion.advisor.search.finishing import closings
from companion.advisor.search.leaf import Expected
from companion.errors import UnusableInputError
from companion.language.phrase import Phrase, say, term
from companion.notation.records.recording import turn_of
from companion.notation.records.replay import Replayed
from companion.notation.records.steps import Observation, observation_phrase, steps_phrase
from companion.notation.wording import bid_words
from companion.rules.engine.game import step
from companion.rules.engine.scoring import result_of_game
from companion.rules.model.actions import Action, EndTurn
from companion.rules.model.chance import NOTHING_DRAWN, Drawn
from companion.rules.model.components import Colour
from companion.rules.model.state import GameState
from companion.simulation.bridge import sample_worlds
from companion.simulation.evaluation import fitted_weights
from companion.simulation.layout import CLOSE, SELL, Batch
from companion.simulation.policy import play_on
from companion.simulation.rounds import end_turn

REDRAWS = 8
"""Other draws that a turn with a draw in it is played again with."""

Samples = npt.NDArray[np.float64]
"""Final margins in VP, [place in position.players, lane]: lanes of one number meet the same luck."""

_Values = Mapping[GameState, Samples]
Decision = RecordedBid | RecordedTurn


class Judge(Protocol):
    """What a review asks for values."""

    def turn(self, state: GameState) -> TurnAdvice:
        """The best turns from a state in which one begins; the first is the best."""

    def bid(self, state: GameState) -> BidAdvice:
        """The best bids from a state in which one is due."""

    def margins(self, states: Sequence[GameState]) -> Sequence[Samples]:
        """Sampled final margins of all players after each state: before a bid or turn, before its end, or at the end
        of the game; the same lanes, the same luck, for all states.
        """


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What is to be valued of one decision: the states after what was played and after the best, draws averaged."""

    decision: Decision
    said: Phrase
    best_said: Phrase
    played: tuple[GameState, ...]
    best: tuple[GameState, ...]

    @property
    def states(self) -> tuple[GameState, ...]:
        return (*self.played, *self.best)


def review_game(
    played: Replayed,
    judge: Judge,
    *,
    seed: int = 0,
    playouts: int = 0,
    progress: Callable[[str, float], None] | None = None,
) -> GameReview:
    """Look back on a game that was recorded, as far as it got; `progress` gets what is valued and the share done.
    Raises UnusableInputError for a record without a whole bid or turn.
    """
    decisions, left_out = recorded_decisions(played)
    if not decisions:
        raise UnusableInputError(say("the record has no bid and no complete turn yet, so there is nothing to review"))
    tell = progress or (lambda text, share: None)
    candidates = []
    for number, decision in enumerate(decisions):
        tell(say("line {line}, {player}", line=decision.line, player=term(decision.colour)), number / len(decisions))
        candidates.append(_candidates(decision, judge, seed + number))
    tell(say("playing on from every decision"), 1.0)
    points = _points(played, decisions)
    # Each state is valued once.
    states = tuple(dict.fromkeys([state for *_, state in points] + [s for one in candidates for s in one.states]))
    values = dict(zip(states, judge.margins(states), strict=True))
    reviewed = tuple(_reviewed(candidate, values) for candidate in candidates)
    draws = tuple(draw for candidate in candidates for draw in _draws(candidate, values))
    curve = tuple(
        CurvePoint(line, round_, after, colour, _margins(values[state], state))
        for line, round_, after, colour, state in points
    )
    result = result_of_game(played.state)
    last = curve[-1].margins
    winner = result.winners[0] if result.winners else max(last, key=lambda colour: last[colour].value)
    return GameReview(
        tuple(
            _player(colour, reviewed, draws, curve[0].margins[colour], last[colour])
            for colour in played.start.position.colours
        ),
        reviewed,
        draws,
        curve,
        _decisive(reviewed, curve, [values[state] for *_, state in points], winner),
        result,
        names=played.record.header.names,
        assumed=(*unknown_sentences(played.start), *unseen_cards(play.step.state for play in played.plays)),
        notes=_notes(played, left_out),
        playouts=playouts,
        lanes=int(values[played.start].shape[1]),
        seed=seed,
    )


def _notes(played: Replayed, left_out: Sequence[str]) -> tuple[str, ...]:
    notes: list[str] = [*correction_notes(played), *left_out]
    if not played.state.is_over:
        notes.append(say("The game isn't over: the margins at the end of the curve are expected, not final."))
    return tuple(notes)


# What is to be valued.


def _candidates(decision: Decision, judge: Judge, seed: int) -> _Candidates:
    state = decision.before
    if isinstance(decision, RecordedBid):
        advised = judge.bid(state)
        best = advised.bids[0].bid if advised.bids else decision.bid
        said, best_said = (bid_words(bid) for bid in (decision.bid, best))
        return _Candidates(decision, said, best_said, (decision.after,), (step(state, best).state,))
    advice = judge.turn(state)
    said = decision.said
    again = _closings(state, decision.actions, seed, judge) if decision.drew else (decision.closed,)
    # The end of a turn is left out of what a record says of it.
    best_actions = [action for turn in advice.turns[:1] for action in turn.actions if not isinstance(action, EndTurn)]
    if not advice.turns or tuple(best_actions) == decision.actions:
        return _Candidates(decision, said, said, again, again)
    turn = advice.turns[0]
    line = turn_of(state, turn.actions, open_ended=turn.open_ended)
    best_said = steps_phrase(line.steps, unfinished=line.open)
    return _Candidates(decision, said, best_said, again, _closings(state, turn.actions, seed, judge))


def _closings(state: GameState, actions: Sequence[Action], seed: int, judge: Judge) -> tuple[GameState, ...]:
    return tuple(closings(state, actions, REDRAWS, seed, lambda then: judge.turn(then).turns[0].actions))


_Point = tuple[int, int, Moment, Colour | None, GameState]


def _points(played: Replayed, decisions: Sequence[Decision]) -> list[_Point]:
    """The moments of the curve: line, round, what came before, whose decision it was, and the state."""
    points: list[_Point] = [(decisions[0].line, decisions[0].round, Moment.START, None, played.start)]
    reached: GameState | None = played.start
    for decision in decisions:
        if decision.before != reached:
            points.append((decision.line, decision.round, Moment.CORRECTION, None, decision.before))
        reached = decision.after
        if isinstance(decision, RecordedBid):
            points.append((decision.line, decision.round, Moment.BID, decision.colour, decision.after))
            continue
        points.append((decision.line, decision.round, Moment.TURN, decision.colour, _left_by(decision)))
        if decision.after is not None and decision.refill != NOTHING_DRAWN:
            points.append((decision.refill_line, decision.round, Moment.REFILL, None, decision.after))
    last = played.corrections[-1] if played.corrections else None
    if last is not None and last.ends_turn and last.place == len(played.plays):
        points.append((last.line, decisions[-1].round, Moment.CORRECTION, None, played.state))
    return points


def _left_by(turn: RecordedTurn) -> GameState:
    """The state that a turn is valued by: before its end, since a clean-up is no decision of it, or the game's end."""
    return turn.after if turn.after is not None and turn.after.is_over else turn.closed


# What comes of it.


def estimate(samples: npt.NDArray[np.float64]) -> Estimate:
    """The mean of samples and its standard error, None if all are the same: nothing was sampled then."""
    if len(samples) < 2 or np.ptp(samples) == 0.0:
        return Estimate(float(samples.mean()))
    return Estimate(float(samples.mean()), float(samples.std(ddof=1) / len(samples) ** 0.5))


def _by_draw(values: _Values, states: Sequence[GameState], seat: int) -> npt.NDArray[np.float64]:
    """One player's margins after each of some draws, [draws, lanes]."""
    return np.array([values[state][seat] for state in states])


def _over_draws(samples: npt.NDArray[np.float64]) -> Estimate:
    """The mean of samples, [draws, lanes], with an error that has both in it: draws are few, and lanes share them."""
    mean = estimate(samples.mean(axis=0))
    if len(samples) < 2:
        return mean
    error = hypot(mean.error or 0.0, estimate(samples.mean(axis=1)).error or 0.0)
    return Estimate(mean.value, error or None)


def _margins(samples: Samples, state: GameState) -> dict[Colour, Estimate]:
    return {player.colour: estimate(own) for player, own in zip(state.position.players, samples, strict=True)}


def _reviewed(one: _Candidates, values: _Values) -> ReviewedDecision:
    decision = one.decision
    seat = [player.colour for player in decision.before.position.players].index(decision.colour)
    played, best = _by_draw(values, one.played, seat), _by_draw(values, one.best, seat)
    loss = _over_draws(best - played)
    better = loss.value > (loss.error or 0.0)
    return ReviewedDecision(
        decision.line,
        decision.round,
        decision.colour,
        DecisionKind.BID if isinstance(decision, RecordedBid) else DecisionKind.TURN,
        said=one.said,
        best_said=one.best_said if better else one.said,
        played=_over_draws(played),
        best=_over_draws(best if better else played),
        # What can't be distinguished from the best loses nothing.
        loss=loss if better else Estimate(0.0, loss.error),
    )


def _draws(one: _Candidates, values: _Values) -> list[ReviewedDraw]:
    turn = one.decision
    if isinstance(turn, RecordedBid):
        return []
    draws = []
    if turn.drew:
        luck = {
            player.colour: _over_draws(values[_left_by(turn)][seat] - _by_draw(values, one.played, seat))
            for seat, player in enumerate(turn.before.position.players)
        }
        draws.append(ReviewedDraw(turn.line, _said_draws(turn.drawn), luck))
    if turn.after is not None and not turn.after.is_over and turn.refill != NOTHING_DRAWN:
        refilled = _margins(values[turn.after] - values[turn.closed], turn.before)
        draws.append(ReviewedDraw(turn.refill_line, _said_draws([turn.refill]), refilled, refill=True))
    return draws


def _said_draws(drawn: Sequence[Drawn]) -> Phrase:
    observed = Observation(
        tuple(card for draw in drawn for card in draw.cards),
        tuple(name for draw in drawn for name in draw.djinns),
        tuple(tribe for draw in drawn for tribe in draw.meeples),
    )
    return observation_phrase(observed)


def _sum(parts: Sequence[Estimate]) -> Estimate:
    """The sum of values that are sampled one apart from the other."""
    if not any(part.error for part in parts):
        return Estimate(sum(part.value for part in parts))
    return Estimate(sum(part.value for part in parts), hypot(*(part.error or 0.0 for part in parts)))


def _player(
    colour: Colour, decisions: Sequence[ReviewedDecision], draws: Sequence[ReviewedDraw], start: Estimate, end: Estimate
) -> PlayerReview:
    turns = [
        decision.loss for decision in decisions if decision.colour is colour and decision.kind is DecisionKind.TURN
    ]
    bids = [decision.loss for decision in decisions if decision.colour is colour and decision.kind is DecisionKind.BID]
    return PlayerReview(
        colour,
        turns=len(turns),
        bids=len(bids),
        loss=_sum(turns),
        bids_loss=_sum(bids),
        luck=_sum([draw.luck[colour] for draw in draws]),
        start=start,
        margin=end,
    )


def _decisive(
    reviewed: Sequence[ReviewedDecision], curve: Sequence[CurvePoint], samples: Sequence[Samples], winner: Colour
) -> tuple[DecisiveTurn, ...]:
    """The turns that moved the winner's expected margin most, by whomever, the largest swing first."""
    seat = list(curve[0].margins).index(winner)
    decisions = iter(reviewed)
    decisive = []
    for place, point in enumerate(curve):
        if point.after not in (Moment.BID, Moment.TURN):
            continue
        decision = next(decisions)
        if point.after is Moment.TURN:
            before, after = samples[place - 1][seat], samples[place][seat]
            decisive.append(
                DecisiveTurn(decision, winner, float(before.mean()), float(after.mean()), estimate(after - before))
            )
    return tuple(sorted(decisive, key=lambda one: -abs(one.swing.value))[:DECISIVE_TURNS])


REVIEW_PLAYOUTS = 1000
"""PolicyTurns that are played for each decision when nobody says how many: a game of four takes some ten seconds."""

LANES = 96
"""Playouts that each value is the mean of."""

HORIZON_ROUNDS = 2
"""Playouts go to the end of the round after the one that is being played."""

REPLY_NOISE_VP = 2.0
"""Replies are drawn among those that are worth nearly as much, so that no tiny difference turns the whole curve."""

BATCH_LANES = 2048
"""Lanes that are played on together: more take memory, and no less time."""

_ELSEWHERE = 0x5EED
"""Playouts meet other worlds than the search has chosen the best turn in."""

_CLOSED = [CLOSE, SELL]


class SearchJudge:
    """Searches with a budget of `playouts` a decision, and plays on in `lanes` worlds that follow from the seed."""

    def __init__(self, playouts: int = REVIEW_PLAYOUTS, seed: int = 0, lanes: int = LANES) -> None:
        self._budget, self._seed, self._lanes = Budget(playouts), seed, lanes

    def turn(self, state: GameState) -> TurnAdvice:
        return advise(state, top=1, budget=self._budget, seed=self._seed)

    def bid(self, state: GameState) -> BidAdvice:
        return advise_bid(state, budget=self._budget, seed=self._seed)

    def margins(self, states: Sequence[GameState]) -> list[Samples]:
        size = max(BATCH_LANES // self._lanes, 1)
        parts = [states[first : first + size] for first in range(0, len(states), size)]
        return [one for part in parts for one in expected_margins(part, self._lanes, self._seed ^ _ELSEWHERE)]


def review_record(
    played: Replayed,
    *,
    playouts: int = REVIEW_PLAYOUTS,
    seed: int = 0,
    progress: Callable[[str, float], None] | None = None,
) -> GameReview:
    """Look back on a recorded game with the search as the judge, `playouts` replies a decision; the same for one seed.
    `progress` and what is raised are those of `review_game`.
    """
    return review_game(played, SearchJudge(playouts, seed), seed=seed, playouts=playouts, progress=progress)


def expected_margins(states: Sequence[GameState], lanes: int, seed: int) -> list[Samples]:
    """Everybody's final margin in VP after each state of a game, [place in position.players, lane], by playing on in
    the same worlds; states are as for `review_game`'s judge.
    """
    batches = [sample_worlds(state, lanes, seed) for state in states]
    batch = Batch(np.concatenate([part.data for part in batches], axis=1))
    players = len(states[0].position.players)
    weights = fitted_weights(players)
    closed = np.flatnonzero(np.isin(batch.stage, _CLOSED))
    if closed.size:
        end_turn(batch, closed)
    play_on(batch, weights, rounds=HORIZON_ROUNDS, noise=REPLY_NOISE_VP)
    expected = Expected.of(batch, weights)
    margins = np.stack([expected.margin(seat) for seat in range(players)]).astype(np.float64)
    return [margins[:, first : first + lanes] for first in range(0, margins.shape[1], lanes)]
