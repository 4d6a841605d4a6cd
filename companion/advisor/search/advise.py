"""Advice on a turn: a position in, the best whole turns out, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import AdvisedTurn, Budget, Estimate, LikelyReply, TurnAdvice
from companion.advisor.explanation import explain_turn
from companion.advisor.search.assume import TableState, played_state, table_state
from companion.advisor.search.halving import PLAYOUTS_A_SECOND, SearchClock
from companion.advisor.search.leaf import PARTS, end_cells, turn_gains
from companion.advisor.search.turn_search import Breadth, SearchedTurns, TurnSearch
from companion.advisor.wording import turn_headline
from companion.language.phrase import decimal, say
from companion.rules.engine.scoring import result_of_game
from companion.rules.model.actions import Action, Sow
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage
from companion.simulation.batch import Batch
from companion.simulation.bridge import WORLD_IDS, WorldSupply, pack, sample_worlds
from companion.simulation.evaluation import Weights, fitted_weights
from companion.simulation.layout import NONE, TRIBES
from companion.simulation.playing import play_turns
from companion.simulation.rounds import end_turn
from companion.simulation.scoring import totals
from companion.simulation.turn_actions import actions_to_turns, turns_to_actions
from companion.simulation.turns import MAX_HAND, Turns
from companion.simulation.unknowns import surely_held

PLAYOUTS_A_WORLD = 40
FIRST_WORLDS = 512
"""Worlds that a search by the clock begins with."""
UNUSED_SHARE = 0.1
"""A share of the time that is left over without a word."""
LOOKED_AT = 16
"""Worlds that points at once are averaged over: what is drawn, or not known, is another in each."""
ANSWERED = 1
"""Worlds in which the next player's turns are all looked at."""
EQUAL_ERRORS = 2.0
"""Turns whose difference is within so many standard errors cannot be told apart."""
_TURN_STAGES = (Stage.MOVE, Stage.CLOSE)
LARGE_HANDS_WORDS = say(
    "No move of {most} meeples or fewer is possible, and larger hands aren't considered.", most=MAX_HAND
)


def advise(
    position: Position | GameState,
    *,
    player: Colour | None = None,
    top: int = 5,
    budget: Budget | None = None,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
    also: Sequence[Sequence[Action]] = (),
    weights: Weights | None = None,
    breadth: Breadth | None = None,
) -> TurnAdvice:
    """The `top` best whole turns of the player to move, or of `player`.

    A `GameState` at the beginning of a turn is taken as it stands, anything else as `assume.table_state` says.
    `budget` says how long to think; `stop` is asked now and then and ends the search with the best so far; `progress`
    is given the share that is done. Turns of `also` are valued with the rest and are in the advice whatever they are
    worth. `weights` and `breadth` are for experiments. The same seed gives the same advice unless `budget` has seconds.
    Raises ImpossiblePositionError if the position cannot stand on a table.
    """
    table = searched_state(position, player)
    state = table.state
    if state.is_over:
        return TurnAdvice(None, state, result=result_of_game(state))
    known = surely_held(state)
    colour = known.mover
    assert colour is not None, "a game that is not over has somebody to move"
    limit = budget or Budget()
    clock = SearchClock(limit, stop)
    sized = breadth or _breadth(limit)
    root = pack([known], [0])
    seat = int(root.mover[0])
    players = int(root.seats[0])
    search = TurnSearch(
        root,
        sample_worlds(state, worlds_for(limit), seed),
        weights or fitted_weights(players),
        seat,
        seed,
        replace(sized, finalists=max(sized.finalists, top + len(also))),
        supply=None if limit.seconds is None else WorldSupply(state, seed),
    )
    if not search.has_turns():
        return TurnAdvice(colour, state, assumed=table.assumed, notes=(LARGE_HANDS_WORDS,), seed=seed)
    found = search.run(clock, also=_columns(also, known), progress=progress)
    notes = tuple(left_over(clock, stop, exact=found.exact))
    order = _distinct(found, len(also))
    order[1:] = sorted(order[1:], key=lambda one: found.comparison.behind(order[0], one)[0])
    shown = [*order[:top], *(number for number in order[top:] if number < len(also))]
    looked = search.worlds.select(np.arange(min(LOOKED_AT, len(search.worlds))))
    waits = search.worlds.turn_seat[0] != NONE
    turns = []
    for number in shown:
        turn = _advised(found, order, number, known, root, looked, waits, also)
        headline = turn_headline(state.position.board, explain_turn(state, turn.actions))
        turns.append(replace(turn, headline=headline))
    return TurnAdvice(
        colour,
        state,
        tuple(turns),
        assumed=table.assumed,
        notes=notes,
        playouts=found.playouts,
        seed=seed,
    )


def searched_state(position: Position | GameState, player: Colour | None) -> TableState:
    """The beginning of a turn that a position or a game's state stands for."""
    if isinstance(position, GameState):
        if position.is_over or (position.stage in _TURN_STAGES and player in (None, position.mover)):
            return played_state(position)
        return table_state(position.position, player)
    return table_state(position, player)


def _breadth(budget: Budget) -> Breadth:
    """A longer search is also a wider one, a short one narrower."""
    playouts = budget.playouts if budget.seconds is None else int(budget.seconds * PLAYOUTS_A_SECOND / 2)
    if playouts < 2000:
        return Breadth(turns=40, sowings=4, finalists=12, first_worlds=1)
    if playouts < 400_000:
        return Breadth()
    return Breadth(turns=160, sowings=12, alike=16, finalists=32)


def worlds_for(budget: Budget) -> int:
    """How many worlds to draw for a search; one by the clock draws more as it goes on."""
    if budget.seconds is not None:
        return FIRST_WORLDS
    return int(np.clip(budget.playouts // PLAYOUTS_A_WORLD, 32, 4096))


def left_over(clock: SearchClock, stop: Callable[[], bool] | None, *, exact: bool = False) -> Iterator[str]:
    """A sentence if a search by the clock came to its end long before its time was over."""
    if clock.seconds is None or (stop is not None and stop()):
        return
    if clock.seconds_left > UNUSED_SHARE * clock.seconds:
        spent, given = decimal(clock.seconds - clock.seconds_left), f"{clock.seconds:g}"
        if exact:
            yield say(
                "Thought for {spent} of {given} s: the last turn of a game can be counted exactly, so more time "
                "wouldn't help.",
                spent=spent,
                given=given,
            )
        else:
            yield say(
                "Thought for {spent} of {given} s: all {games:,} possible playouts are done, so more time "
                "wouldn't help.",
                spent=spent,
                given=given,
                games=WORLD_IDS,
            )


def _columns(also: Sequence[Sequence[Action]], state: GameState) -> Turns | None:
    if not also:
        return None
    colours = [player.colour for player in state.position.players]
    return Turns(
        np.concatenate([actions_to_turns(list(actions), state.stage, colours).data for actions in also], axis=1)
    )


def _distinct(found: SearchedTurns, also: int) -> list[int]:
    """The turns from the best to the worst, one of those that differ in the way of their meeples alone."""
    seen = set()
    kept = []
    data = found.turns.data.copy()
    alike = Turns(data)
    alike.path[...] = NONE
    alike.drops[...] = NONE
    alike.path[0] = end_cells(found.turns)
    for number in found.comparison.order():
        key = data[:, number].tobytes()
        if number < also or key not in seen:
            kept.append(number)
        seen.add(key)
    return kept


def _advised(
    found: SearchedTurns,
    order: list[int],
    one: int,
    state: GameState,
    root: Batch,
    looked: Batch,
    waits: npt.NDArray[np.bool_],
    also: Sequence[Sequence[Action]],
) -> AdvisedTurn:
    comparison, best = found.comparison, order[0]
    if one < len(also):
        actions, open_ended = tuple(also[one]), False
    else:
        actions, open_ended = turns_to_actions(root, found.turns, one, state)
    behind = Estimate(0.0, None if found.exact else 0.0)
    if one != best:
        behind = estimate_of(comparison.behind(best, one), found.exact)
    place = order.index(one)
    follower = order[place + 1] if place + 1 < len(order) else None
    turn = found.turns.select([one] * len(looked))
    left, reply = _reply(found.replies[one], waits, state, looked, turn)
    return AdvisedTurn(
        actions,
        next((action.sowing for action in actions if isinstance(action, Sow)), None),
        gain=_gain(looked, turn, int(root.mover[0])),
        # The difference is taken in worlds that both met, so it says more than two means from different worlds.
        estimate=estimate_of(comparison.by_difference(best, one), found.exact),
        open_ended=open_ended,
        behind=behind,
        equal=one != best and cannot_be_told_apart(behind, found.exact),
        categories={} if follower is None else _differences(found, one, follower),
        next_best=None if follower is None else estimate_of(comparison.behind(one, follower), found.exact),
        best_capture_left=left,
        reply=reply,
    )


def estimate_of(found: tuple[float, float], exact: bool = False) -> Estimate:
    """A mean and its standard error as an estimate; an exact one without spread has no error."""
    value, error = found
    if exact and (error == 0 or not np.isfinite(error)):
        return Estimate(value)
    return Estimate(value, error if np.isfinite(error) else None)


def cannot_be_told_apart(behind: Estimate, exact: bool = False) -> bool:
    """Whether what one is worth less than another may be chance; so may all that was played too seldom to know."""
    if behind.error is None:
        return behind.value <= 0 if exact else True
    return behind.value <= EQUAL_ERRORS * behind.error


def _differences(found: SearchedTurns, one: int, other: int) -> Mapping[str, float]:
    """What one turn's margin has more than another's, by what it is made of, in the worlds that both met."""
    difference = found.parts[one] - found.parts[other]
    known = ~np.isnan(difference[:, 0])
    if not known.any():
        return {}
    means = difference[known].mean(axis=0)
    return {name: round(float(value), 3) for name, value in zip(PARTS, means, strict=True)}


def _gain(looked: Batch, turn: Turns, seat: int) -> float:
    """The mover's points just after a turn less those just before, in VP (rules 10), the mean over some worlds."""
    after = looked.select(np.arange(len(looked)))
    play_turns(after, np.arange(len(after)), turn)
    return float((totals(after)[seat] - totals(looked)[seat]).mean())


def _reply(
    replies: npt.NDArray[np.int64], waits: npt.NDArray[np.bool_], state: GameState, looked: Batch, turn: Turns
) -> tuple[float | None, LikelyReply | None]:
    """The most that the next player gains at once on the board that a turn leaves, and his likeliest answer.

    `replies` are the cells of the answers by world, `waits` says in which worlds somebody plays after the turn: where
    the tracks are not known, neither that nor who it is need be the same in all of them.
    """
    waiting = np.flatnonzero(waits[: len(looked)])
    if not waiting.size:
        return None, None
    after = looked.select(waiting)
    lanes = np.arange(len(after))
    play_turns(after, lanes, turn.select(waiting))
    end_turn(after, lanes)
    found = [turn_gains(after.select([lane])) for lane in lanes[:ANSWERED]]
    left = float(np.mean([answer.gains.max(initial=0) for answer in found]))
    answers = Counter(int(cell) for cell in replies[waits] if cell != NONE)
    if not answers:
        return left, None
    cell, times = answers.most_common(1)[0]
    movers = {int(seat) for seat in after.mover}
    colour = state.position.players[movers.pop()].colour if len(movers) == 1 else None
    gain = float(np.mean([answer.gains[answer.cells == cell].max(initial=0) for answer in found]))
    return left, LikelyReply(colour, cell // TRIBES, cell % TRIBES, gain, times / answers.total())
