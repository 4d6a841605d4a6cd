"""Advice on a turn: a position in, the best whole turns out, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from companion.advisor.advice import (
    AdvisedTurn,
    Budget,
    DecidingReading,
    DecidingTile,
    Estimate,
    LikelyReply,
    TurnAdvice,
)
from companion.advisor.explanation import explain_turn
from companion.advisor.search.assume import asked_state
from companion.advisor.search.boards import Alternatives, DoubtfulBoard, answers, worth_of_knowing
from companion.advisor.search.halving import PLAYOUTS_A_SECOND, Comparison, SearchClock
from companion.advisor.search.ideas import ideas_of
from companion.advisor.search.lanes import Breadth, Setting
from companion.advisor.search.leaf import PARTS, end_cells, turn_gains
from companion.advisor.search.turn_search import SearchedTurns, search_turns
from companion.language.phrase import decimal, say
from companion.rules.engine.scoring import result_of_game
from companion.rules.model.actions import sowing_in
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import WORLD_IDS, Worlds, pack, turns_to_actions
from companion.simulation.enumeration import whole_turns
from companion.simulation.evaluation import Floats, fitted_weights, totals
from companion.simulation.layout import MAX_HAND, NONE, TRIBES, Batch, Turns
from companion.simulation.playing import play_turns
from companion.simulation.rounds import end_turn
from companion.simulation.unknowns import is_known, surely_held, unknown_parts

PLAYOUTS_A_WORLD = 40
UNUSED_SHARE = 0.1
"""A share of the time that is left over without a word."""
ONE_ROUND_BELOW = 50_000
"""Where not all is known, fewer replies than these are played to the end of the round alone: what follows is noise."""
MEAN_WORLDS = 16
"""Worlds that points at once are averaged over: what is drawn, or not known, is another in each."""
ANSWERED, ANSWERED_FIRST = 1, 4
"""Worlds in which the next player's turns are all counted, after the best turn in more if not all is known."""
LEAST_WORTH = 0.005
"""Tiles are named whose contents bear this much on the choice, in VP."""
MOST_WAYS = 8
"""How many ways of an idea the advice has: of a game's last turn all are compared to the end."""
TURN_STAGES = (Stage.MOVE, Stage.CLOSE)
LARGE_HANDS_WORDS = say(
    "No move of {most} meeples or fewer is possible, and larger hands aren't considered.", most=MAX_HAND
)


def advise(
    position: Position | GameState,
    *,
    player: Colour | str | None = None,
    top: int = 5,
    budget: Budget | None = None,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
    stop: Callable[[], bool] | None = None,
    alternatives: Alternatives | None = None,
) -> TurnAdvice:
    """The whole turns of the `top` best ideas of the player to move, or of `player`: the best, and other ways of them.

    A `GameState` at the beginning of a turn is taken as it stands, anything else as `assume.table_state` says.
    `budget` says how long to think; `stop` is asked now and then and ends the search with the best so far; `progress`
    is given the share that is done. `alternatives` are what else may lie on squares of a board that was read from a
    photo, with their probabilities: turns are then valued over the boards that it may be. The same seed gives the same
    advice unless `budget` has seconds.
    Raises ImpossiblePositionError if the position cannot stand on a table, UnusableInputError for a state inside a
    turn, ArgumentError for a seed below 0 or no player's colour.
    """
    table = asked_state(position, player, seed, TURN_STAGES)
    state = table.state
    if state.is_over:
        return TurnAdvice(None, state, result=result_of_game(state))
    known = surely_held(state)
    colour = known.mover
    assert colour is not None, "a game that is not over has somebody to move"
    clock = SearchClock(budget or Budget(), stop, progress)
    setting = _setting(state, known, seed, clock, top, alternatives or {})
    turns = whole_turns(setting.root, seed=seed)
    if not len(turns):
        return TurnAdvice(colour, state, assumed=table.assumed, notes=(LARGE_HANDS_WORDS,), seed=seed)
    ranked = _ranked(setting, search_turns(setting, turns))
    notes = tuple(left_over(clock, exact=ranked.searched.exact))
    return TurnAdvice(
        colour,
        state,
        tuple(_advised_turns(setting, ranked, state, known, top)),
        decides=tuple(_deciding_tiles(setting.board, ranked, top)),
        assumed=table.assumed,
        notes=notes,
        playouts=clock.played,
        seed=seed,
    )


def _setting(
    state: GameState, known: GameState, seed: int, clock: SearchClock, top: int, alternatives: Alternatives
) -> Setting:
    """What is searched, and how widely; `known` is the state without all that isn't known."""
    board = DoubtfulBoard.of(known.position.board, alternatives, [one.colour for one in known.position.players])
    root, worlds = pack([known], [0]), Worlds.of(state, seed, worlds_for(clock.budget))
    breadth = _breadth(clock.budget, known=is_known(state) and not board.squares)
    breadth = replace(breadth, finalists=max(breadth.finalists, top))
    setting = Setting(root, worlds, fitted_weights(int(root.seats[0])), seed, clock, breadth)
    if not board.squares or setting.is_last_turn or state.stage is not Stage.MOVE:
        return setting
    return replace(setting, board=board, known=known)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A search's turns from the best on, and each one's idea, from 1. `values` are those of turns where a board in
    doubt allows them, in VP; the comparison takes off what they lose by not being there.
    """

    searched: SearchedTurns
    order: list[int]
    ideas: Mapping[int, int]
    values: npt.NDArray[np.float64] | None


def _ranked(setting: Setting, searched: SearchedTurns) -> _Ranked:
    valuation, values = searched.valuation, None
    if valuation is not None:
        values = valuation.values(searched.comparison)
        penalties = valuation.penalties(values)[:, None].astype(np.float32)
        searched = replace(searched, comparison=Comparison(searched.comparison.samples - penalties))
    order = [one for one in _distinct(searched) if valuation is None or valuation.there[one]]
    order[1:] = sorted(order[1:], key=lambda one: searched.comparison.behind(order[0], one)[0])
    ideas = ideas_of(setting.root.select(np.zeros(len(searched.turns), dtype=np.intp)), searched.turns)
    numbers: dict[int, int] = {}
    numbered = {one: numbers.setdefault(int(ideas[one]), len(numbers) + 1) for one in order}
    return _Ranked(searched, order, numbered, values)


def _distinct(searched: SearchedTurns) -> list[int]:
    """The turns from best to worst, one of each group that differs only in the way its meeples went."""
    alike = Turns(searched.turns.data.copy())
    alike.path[...] = NONE
    alike.drops[...] = NONE
    alike.path[0] = end_cells(searched.turns)
    best: dict[bytes, int] = {}
    for number in searched.comparison.order():
        best.setdefault(alike.data[:, number].tobytes(), number)
    return list(best.values())


def _deciding_tiles(board: DoubtfulBoard, ranked: _Ranked, top: int) -> Iterator[DecidingTile]:
    """The tiles worth knowing, the dearest first."""
    valuation, best = ranked.searched.valuation, ranked.order[0]
    if valuation is None or ranked.values is None:
        return
    matrix, picks = valuation.matrix(ranked.values), valuation.picks
    worths = [worth_of_knowing(matrix, picks, place, best) for place in range(picks.shape[1])]
    for place in sorted(range(len(worths)), key=lambda place: -worths[place]):
        if worths[place] < LEAST_WORTH:
            break
        readings = []
        for one in sorted(answers(matrix, picks, place), key=lambda answer: -answer.probability):
            idea = ranked.ideas.get(one.best, top + 1)
            state, actions = ranked.searched.finalists[one.best]
            explained = explain_turn(state, actions)
            aim = explained.headline if idea == 1 else explained.aim
            tile, shown = board.readings[place][one.reading], idea if idea <= top else None
            readings.append(DecidingReading(tile, one.probability, one.best == best, shown, aim))
        yield DecidingTile(board.squares[place], worths[place], tuple(readings))


def _breadth(budget: Budget, *, known: bool) -> Breadth:
    """How wide a search is, by its length; where not all is known most games are not played on for long."""
    playouts = budget.playouts if budget.seconds is None else int(budget.seconds * PLAYOUTS_A_SECOND / 2)
    sized = Breadth() if playouts < 400_000 else Breadth(turns=160, sowings=12, alike=16, finalists=32)
    if playouts < 2000:
        sized = Breadth(turns=40, sowings=4, finalists=12, first_worlds=1)
    if known:
        return sized
    return replace(
        sized,
        turns=3 * sized.turns // 4,
        glimpsed=2 * sized.turns,
        first_worlds=3 * sized.first_worlds,
        narrowed=64,
        again=8 if playouts >= 5000 else 0,
        finalists=sized.finalists + 2,
        best_ideas=7,
        rounds=1 if playouts < ONE_ROUND_BELOW else 2,
    )


def worlds_for(budget: Budget) -> int:
    """How many worlds a search draws at most; one by the clock goes on as long as there are any."""
    if budget.seconds is not None:
        return WORLD_IDS
    return int(np.clip(budget.playouts // PLAYOUTS_A_WORLD, 32, 4096))


def left_over(clock: SearchClock, *, exact: bool = False) -> Iterator[str]:
    """A sentence if a search by the clock came to its end long before its time was over."""
    if clock.seconds is None or clock.is_stopped:
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


# What is said of a turn.


def _advised_turns(
    setting: Setting, ranked: _Ranked, state: GameState, known: GameState, top: int
) -> Iterator[AdvisedTurn]:
    """The turns of the best ideas with their values, up to `MOST_WAYS` of each."""
    drawn, valuation, unknown = setting.worlds.drawn, ranked.searched.valuation, unknown_parts(state)
    worlds = drawn.select(np.arange(min(MEAN_WORLDS, len(drawn))))
    ways: Counter[int] = Counter()
    for number in ranked.order:
        idea = ranked.ideas[number]
        if idea > top or ways[idea] == MOST_WAYS:
            continue
        turn = ranked.searched.turns.select([number] * len(worlds))
        advised = _advised(setting, ranked, number, state, known, _gain(worlds, turn, setting.seat))
        if not ways[idea]:
            cells = ranked.searched.replies[number][drawn.turn_seat[0, : ranked.searched.replies.shape[1]] != NONE]
            answered = ANSWERED_FIRST if number == ranked.order[0] else ANSWERED
            left, about, reply = _reply(worlds, turn, known, unknown, cells, answered)
            advised = replace(advised, best_capture_left=left, about=about, reply=reply)
        ways[idea] += 1
        holds = None if valuation is None else float(valuation.probabilities[number])
        yield replace(advised, holds=holds)


def _advised(
    setting: Setting, ranked: _Ranked, one: int, state: GameState, known: GameState, gain: float
) -> AdvisedTurn:
    """A turn with its values against the best and against the next of another idea."""
    searched, order, ideas, best = ranked.searched, ranked.order, ranked.ideas, ranked.order[0]
    comparison, exact = searched.comparison, searched.exact
    actions, open_ended = turns_to_actions(setting.root, searched.turns, one, known)
    behind = Estimate(0.0, None if exact else 0.0)
    if one != best:
        behind = estimate_of(comparison.behind(best, one), exact)
    follower = next((other for other in order[order.index(one) + 1 :] if ideas[other] != ideas[one]), None)
    return AdvisedTurn(
        actions,
        sowing_in(actions),
        gain=gain,
        # The difference is taken in worlds that both met, so it says more than two means from different worlds.
        estimate=estimate_of(comparison.by_difference(best, one), exact),
        explained=explain_turn(state, actions),
        open_ended=open_ended,
        idea=ideas[one],
        behind=behind,
        equal=one != best and behind.is_level,
        win=win_probability(searched.wins, best, one),
        categories={} if follower is None else _differences(searched, one, follower),
        next_best=None if follower is None else estimate_of(comparison.behind(one, follower), exact),
    )


def win_probability(wins: Floats, best: int, one: int) -> float:
    """How likely one of the choices wins, `best` having met most worlds; `wins` is [choices, worlds]."""
    return float(np.clip(Comparison(wins).by_difference(best, one)[0], 0, 1))


def estimate_of(mean: tuple[float, float], exact: bool = False) -> Estimate:
    """A mean and its standard error as an estimate; an exact one that was the same everywhere has no error."""
    value, error = mean
    if exact and (error == 0 or not np.isfinite(error)):
        return Estimate(value)
    return Estimate(value, error if np.isfinite(error) else None)


def _differences(searched: SearchedTurns, one: int, other: int) -> Mapping[str, float]:
    """How one turn's margin exceeds another's, by what it is made of, in the worlds that both met."""
    difference = searched.parts[one] - searched.parts[other]
    known = ~np.isnan(difference[:, 0])
    if not known.any():
        return {}
    means = difference[known].mean(axis=0)
    return {name: round(float(value), 3) for name, value in zip(PARTS, means, strict=True)}


def _gain(worlds: Batch, turn: Turns, seat: int) -> float:
    """The mover's points just after a turn less those just before, in VP (rules 10), the mean over some worlds."""
    after = worlds.select(np.arange(len(worlds)))
    play_turns(after, np.arange(len(after)), turn)
    return float((totals(after)[seat] - totals(worlds)[seat]).mean())


def _reply(
    worlds: Batch, turn: Turns, state: GameState, unknown: Collection[str], cells: npt.NDArray[np.int64], most: int
) -> tuple[float | None, bool, LikelyReply | None]:
    """The most that the next player gains at once, and the likeliest answer (of `cells`); between them, whether the
    points are a mean of worlds, as they hang on what is `unknown`. Nobody may be next in some worlds.
    """
    waiting = np.flatnonzero(worlds.turn_seat[0] != NONE)
    if not waiting.size:
        return None, False, None
    after = worlds.select(waiting)
    lanes = np.arange(len(after))
    play_turns(after, lanes, turn.select(waiting))
    end_turn(after, lanes)
    movers = {int(seat) for seat in after.mover}
    colour = state.position.players[movers.pop()].colour if len(movers) == 1 else None
    # Points for viziers are counted against everybody's (rules 10.2).
    about = colour is None or any(part.startswith((colour, "row", "djinns")) or "viziers" in part for part in unknown)
    best = [turn_gains(after.select([lane])) for lane in lanes[: most if about else ANSWERED]]
    left = float(np.mean([answer.gains.max(initial=0) for answer in best]))
    times = Counter(int(cell) for cell in cells if cell != NONE)
    if not times:
        return left, about, None
    cell, often = times.most_common(1)[0]
    gain = float(np.mean([answer.gains[answer.cells == cell].max(initial=0) for answer in best]))
    return left, about, LikelyReply(colour, cell // TRIBES, cell % TRIBES, gain, often / times.total())
