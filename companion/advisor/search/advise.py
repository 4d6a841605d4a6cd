"""Advice on a turn: a position in, the best whole turns out, as values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
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
from companion.advisor.search.boards import Alternatives, DoubtfulBoard, Valuation, answers, worth_of_knowing
from companion.advisor.search.doubtful_search import DoubtfulTurnSearch
from companion.advisor.search.halving import PLAYOUTS_A_SECOND, Comparison, SearchClock
from companion.advisor.search.ideas import ideas_of
from companion.advisor.search.leaf import PARTS, end_cells, turn_gains
from companion.advisor.search.turn_search import Breadth, SearchedTurns, TurnSearch
from companion.advisor.turn_wording import turn_aim, turn_headline
from companion.language.phrase import decimal, say
from companion.rules.engine.scoring import result_of_game
from companion.rules.model.actions import Action, Sow
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import WORLD_IDS, WorldSupply, pack, sample_worlds, turns_to_actions
from companion.simulation.evaluation import Floats, fitted_weights, totals
from companion.simulation.layout import MAX_HAND, NONE, TRIBES, Batch, Turns
from companion.simulation.playing import play_turns
from companion.simulation.rounds import end_turn
from companion.simulation.unknowns import is_known, surely_held, unknown_parts

PLAYOUTS_A_WORLD = 40
FIRST_WORLDS = 64
"""Worlds that a search begins with."""
UNUSED_SHARE = 0.1
"""A share of the time that is left over without a word."""
ONE_ROUND_BELOW = 50_000
"""Where not all is known, fewer replies than these are played to the end of the round alone: what follows is noise."""
LOOKED_AT = 16
"""Worlds that points at once are averaged over: what is drawn, or not known, is another in each."""
ANSWERED, ANSWERED_FIRST = 1, 4
"""Worlds in which the next player's turns are all looked at, after the best turn in more if not all is known."""
LEAST_WORTH = 0.005
"""Tiles are named whose contents bear so much on the choice, in VP."""
MOST_WAYS = 8
"""So many ways of an idea are in the advice: of a game's last turn all are compared to the end."""
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
    photo, with their chances: turns are then valued over the boards that it may be. The same seed gives the same
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
    limit = budget or Budget()
    clock = SearchClock(limit, stop)
    board = DoubtfulBoard.of(known.position.board, alternatives or {}, [one.colour for one in known.position.players])
    sized = _breadth(limit, known=is_known(state) and not board.squares)
    root = pack([known], [0])
    supply = WorldSupply(state, seed, WORLD_IDS if limit.seconds is not None else worlds_for(limit))
    breadth = replace(sized, finalists=max(sized.finalists, top))
    worlds = sample_worlds(state, min(supply.size, FIRST_WORLDS), seed)
    parts = (root, worlds, fitted_weights(int(root.seats[0])), int(root.mover[0]), seed, breadth)
    search = TurnSearch(*parts, supply=supply)
    if board.squares and not search.is_last_turn() and state.stage is Stage.MOVE:
        search = DoubtfulTurnSearch(*parts, supply=supply, doubtful=board, known=known)
    if not search.has_turns():
        return TurnAdvice(colour, state, assumed=table.assumed, notes=(LARGE_HANDS_WORDS,), seed=seed)
    found = search.run(clock, progress=progress)
    notes = tuple(left_over(clock, stop, exact=found.exact))
    valued = _Valued.of(search, found)
    if valued is not None:
        penalties = valued.valuation.penalties(valued.values)
        found.comparison = Comparison(found.comparison.samples - penalties[:, None].astype(np.float32))
    order = [one for one in _distinct(found) if valued is None or valued.is_on_board[one]]
    order[1:] = sorted(order[1:], key=lambda one: found.comparison.behind(order[0], one)[0])
    ideas = _numbered(ideas_of(root.select(np.zeros(len(found.turns), dtype=np.intp)), found.turns), order)
    looked = search.worlds.select(np.arange(min(LOOKED_AT, len(search.worlds))))
    waits = search.worlds.turn_seat[0] != NONE
    unknown = unknown_parts(state)
    turns = []
    ways: Counter[int] = Counter()
    for number in order:
        idea = ideas[number]
        if idea > top or ways[idea] == MOST_WAYS:
            continue
        answered = 0 if ways[idea] else ANSWERED_FIRST if number == order[0] else ANSWERED
        turn = _advised(found, order, ideas, number, known, root, looked, waits, unknown, answered=answered)
        ways[idea] += 1
        headline = turn_headline(state.position.board, explain_turn(state, turn.actions))
        holds = None if valued is None else float(valued.valuation.chances[number])
        turns.append(replace(turn, headline=headline, holds=holds))
    shown = {number: idea for number, idea in ideas.items() if idea <= top}
    return TurnAdvice(
        colour,
        state,
        tuple(turns),
        decides=() if valued is None else tuple(valued.decides(order[0], shown)),
        assumed=table.assumed,
        notes=notes,
        playouts=found.playouts,
        seed=seed,
    )


@dataclass(frozen=True, slots=True)
class _Valued:
    """What a search over the boards that a photo may show found out; `values` are those of turns that are there."""

    board: DoubtfulBoard
    valuation: Valuation
    values: npt.NDArray[np.float64]
    is_on_board: npt.NDArray[np.bool_]
    finalists: Sequence[tuple[GameState, tuple[Action, ...]]]

    @classmethod
    def of(cls, search: TurnSearch, found: SearchedTurns) -> _Valued | None:
        """The same; None where no board is in doubt."""
        if not isinstance(search, DoubtfulTurnSearch) or search.valuation is None or search.doubtful is None:
            return None
        is_on_board = np.logical_not(search.home.any(axis=1))
        expected = search.valuation.matrix(found.comparison.values()).mean(axis=1)
        first = int(np.lexsort((-expected, -found.comparison.counts(), ~is_on_board))[0])
        values = found.comparison.values(first)
        return cls(search.doubtful, search.valuation, values, is_on_board, search.finalists)

    def decides(self, best: int, ideas: Mapping[int, int]) -> Iterator[DecidingTile]:
        """The tiles worth knowing, the dearest first; `ideas` are the numbers of the turns' ideas in the advice."""
        matrix, picks = self.valuation.matrix(self.values), self.valuation.picks
        worths = [worth_of_knowing(matrix, picks, place, best) for place in range(picks.shape[1])]
        for place in sorted(range(len(worths)), key=lambda place: -worths[place]):
            if worths[place] < LEAST_WORTH:
                break
            readings = sorted(answers(matrix, picks, place), key=lambda answer: -answer.chance)
            told = []
            for one in readings:
                tile, idea = self.board.readings[place][one.reading], ideas.get(one.best)
                aim = self._aim(one.best, whole=idea == 1)
                told.append(DecidingReading(tile, one.chance, one.best == best, idea, aim))
            yield DecidingTile(self.board.squares[place], worths[place], tuple(told))

    def _aim(self, one: int, *, whole: bool) -> str:
        state, actions = self.finalists[one]
        words = turn_headline if whole else turn_aim
        return words(state.position.board, explain_turn(state, actions))


def _breadth(budget: Budget, *, known: bool) -> Breadth:
    """A longer search is also a wider one, a short one narrower.

    Where not all is known, a playout says less: ways are halved, and most games are not looked on from for long.
    """
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


def _distinct(found: SearchedTurns) -> list[int]:
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
        if key not in seen:
            kept.append(number)
        seen.add(key)
    return kept


def _numbered(ideas: npt.NDArray[np.int64], order: Sequence[int]) -> dict[int, int]:
    """The idea of each turn, ideas numbered from 1 in the order of their best turns."""
    numbers: dict[int, int] = {}
    return {one: numbers.setdefault(int(ideas[one]), len(numbers) + 1) for one in order}


def _advised(
    found: SearchedTurns,
    order: list[int],
    ideas: Mapping[int, int],
    one: int,
    state: GameState,
    root: Batch,
    looked: Batch,
    waits: npt.NDArray[np.bool_],
    unknown: Collection[str],
    *,
    answered: int,
) -> AdvisedTurn:
    """A turn with its values; what the next player can make of it is counted out in so many worlds, if `answered`."""
    comparison, best = found.comparison, order[0]
    actions, open_ended = turns_to_actions(root, found.turns, one, state)
    behind = Estimate(0.0, None if found.exact else 0.0)
    if one != best:
        behind = estimate_of(comparison.behind(best, one), found.exact)
    follower = next((other for other in order[order.index(one) + 1 :] if ideas[other] != ideas[one]), None)
    turn = found.turns.select([one] * len(looked))
    left, about, reply = None, False, None
    if answered:
        left, about, reply = _reply(found.replies[one], waits, state, looked, turn, unknown, answered)
    return AdvisedTurn(
        actions,
        next((action.sowing for action in actions if isinstance(action, Sow)), None),
        gain=_gain(looked, turn, int(root.mover[0])),
        # The difference is taken in worlds that both met, so it says more than two means from different worlds.
        estimate=estimate_of(comparison.by_difference(best, one), found.exact),
        open_ended=open_ended,
        idea=ideas[one],
        behind=behind,
        equal=one != best and behind.is_level,
        win=chance_of(found.wins, best, one),
        categories={} if follower is None else _differences(found, one, follower),
        next_best=None if follower is None else estimate_of(comparison.behind(one, follower), found.exact),
        best_capture_left=left,
        about=about,
        reply=reply,
    )


def chance_of(wins: Floats, best: int, one: int) -> float:
    """The chance to win with one of the choices, `best` having met most worlds; `wins` is [choices, worlds]."""
    return float(np.clip(Comparison(wins).by_difference(best, one)[0], 0, 1))


def estimate_of(found: tuple[float, float], exact: bool = False) -> Estimate:
    """A mean and its standard error as an estimate; an exact one without spread has no error."""
    value, error = found
    if exact and (error == 0 or not np.isfinite(error)):
        return Estimate(value)
    return Estimate(value, error if np.isfinite(error) else None)


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
    replies: npt.NDArray[np.int64],
    waits: npt.NDArray[np.bool_],
    state: GameState,
    looked: Batch,
    turn: Turns,
    unknown: Collection[str],
    worlds: int,
) -> tuple[float | None, bool, LikelyReply | None]:
    """The most that the next player gains at once on the board that a turn leaves, and their likeliest answer.

    Between them stands whether the points hang on what is `unknown`: they are the mean of so many worlds then.
    `replies` are the cells of the answers by world, `waits` says in which worlds somebody plays after the turn: where
    the tracks are not known, neither that nor who it is need be the same in all of them.
    """
    waiting = np.flatnonzero(waits[: len(looked)])
    if not waiting.size:
        return None, False, None
    after = looked.select(waiting)
    lanes = np.arange(len(after))
    play_turns(after, lanes, turn.select(waiting))
    end_turn(after, lanes)
    movers = {int(seat) for seat in after.mover}
    colour = state.position.players[movers.pop()].colour if len(movers) == 1 else None
    # Points for viziers are counted against everybody's (rules 10.2).
    about = colour is None or any(part.startswith((colour, "row", "djinns")) or "viziers" in part for part in unknown)
    found = [turn_gains(after.select([lane])) for lane in lanes[: worlds if about else ANSWERED]]
    left = float(np.mean([answer.gains.max(initial=0) for answer in found]))
    answers = Counter(int(cell) for cell in replies[waits] if cell != NONE)
    if not answers:
        return left, about, None
    cell, times = answers.most_common(1)[0]
    gain = float(np.mean([answer.gains[answer.cells == cell].max(initial=0) for answer in found]))
    return left, about, LikelyReply(colour, cell // TRIBES, cell % TRIBES, gain, times / answers.total())
