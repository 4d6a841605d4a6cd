"""The bot `greedy`: the turn that gains most at once, paid powers too, and bids by what turns gain.

The gain is the mover's points by rules 10 just after the turn less those just before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import numpy.typing as npt

from companion.advisor.search.leaf import TurnGains, turn_gains
from companion.lab.arena.bots import RandomBot
from companion.rules.engine.game import END_TURN, apply, legal_actions
from companion.rules.engine.scoring import score
from companion.rules.model.actions import Action, PlaceBid, UsePower
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase, Position
from companion.rules.model.state import FRESH, GameState, Stage
from companion.simulation.bridge import pack, turns_to_actions
from companion.simulation.djinns import DRAWING_DJINNS
from companion.simulation.evaluation import totals
from companion.simulation.layout import FAKIR_ID, TRIBES
from companion.simulation.unknowns import surely_held

Floats = npt.NDArray[np.float64]

SHARE_OF_GAIN = 0.9
"""What a bid takes a turn's gain for: some of it would come anyway."""

CHOICES = 4
"""The best tribe and tile actions, by points just after them, that the rest of a turn is tried on after a draw."""

SAMPLES = 8
"""Worlds that a turn in which something is drawn is judged by."""

FAKIR_VALUE = 0.03
OPPONENT_POINT_VALUE = 0.02
"""Tie-breaks in VP: a fakir kept or gained, a point that an opponent loses."""
MAX_TIE_BREAK = 0.4
"""Tie-breaks never outweigh a point."""

_WORLDS = 1 << 12


class GreedyBot:
    """Takes the turn that gains most at once, of all whole turns; what is drawn in it counts as on average.

    A bid goes to the spot with the most left of `SHARE_OF_GAIN` of the k-th best gain once its price is paid. k is
    the place in playing order that the spot gives if nobody bids after it, and of turns with one end tile only the
    best counts, since the turn of another player mostly spoils all that end where that one does.
    """

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """A whole bid, or the turn up to its end or its first draw."""
        if view.stage is Stage.BID:
            return (best_bid(view, seed),)
        if view.stage is Stage.MOVE:
            return best_turn(view, seed)
        if view.stage is Stage.SOW:
            return RandomBot().decide(view, seed)
        return _rest(view, seed).actions


@dataclass(frozen=True, slots=True)
class _Line:
    """Actions and the mover's points after them, in VP; a mean where something is drawn."""

    points: float
    actions: tuple[Action, ...] = ()


def best_bid(view: GameState, seed: int) -> PlaceBid:
    """The bid with the most gain left when it is paid; of equal ones the cheapest."""
    mover = _mover(view)
    gains = gains_by_end(view, seed)
    order = view.position.turn_order or ()

    def worth(bid: PlaceBid) -> tuple[float, int, int]:
        place = sum(other.price > bid.price for other in order)
        gain = gains[place] if place < len(gains) else 0.0
        paid = _points(view.position, mover) - _points(apply(view, bid).position, mover)
        return round(SHARE_OF_GAIN * gain - paid, 6), -bid.price, -bid.fakirs

    return max((action for action in legal_actions(view) if isinstance(action, PlaceBid)), key=worth)


def gains_by_end(view: GameState, seed: int) -> list[float]:
    """The best gains of turns that end on different tiles, best first, as if it were the mover's turn now."""
    position = replace(view.position, phase=Phase.TURN)
    known = surely_held(replace(view, position=position, stage=Stage.MOVE, progress=FRESH))
    gained, gains = _gains(known, seed)
    best: dict[int, float] = {}
    for end, gain in zip((gained.cells // TRIBES).tolist(), gains.tolist(), strict=True):
        best[end] = max(best.get(end, gain), gain)
    return sorted(best.values(), reverse=True)


def best_turn(view: GameState, seed: int) -> tuple[Action, ...]:
    """The turn with the highest gain, from its beginning to its end or its first draw."""
    known = surely_held(view)
    gained, gains = _gains(known, seed)
    if not len(gains):
        # Only hands that a turn has no room for can be lifted.
        return tuple(RandomBot().decide(view, seed))
    return turns_to_actions(gained.root, gained.turns, int((gains + tie_breaks(gained)).argmax()), known)[0]


def tie_breaks(gained: TurnGains) -> Floats:
    """Small values for what gives no points yet, within `MAX_TIE_BREAK` of 0, by turn."""
    root, after = gained.root, gained.after
    mover = int(root.mover[0])
    fakirs = after.cards[mover, FAKIR_ID] - root.cards[mover, FAKIR_ID]
    points = totals(after).astype(np.float64) - totals(root)
    ties = FAKIR_VALUE * fakirs - OPPONENT_POINT_VALUE * (points.sum(axis=0) - points[mover])
    return np.asarray(np.clip(ties, -MAX_TIE_BREAK, MAX_TIE_BREAK))


def _gains(known: GameState, seed: int) -> tuple[TurnGains, Floats]:
    """All whole turns and what each gains in VP; where cards or djinns are drawn, the mean over `SAMPLES` worlds."""
    gained = turn_gains(pack([known], [seed % _WORLDS]), seed=seed)
    gains = gained.gains.astype(np.float64)
    after, root = gained.after, gained.root
    lanes = np.flatnonzero((after.deck_next != root.deck_next) | (after.djinn_next != root.djinn_next))
    if lanes.size:
        drawing = gained.turns.select(lanes)
        for sample in range(1, SAMPLES):
            gains[lanes] += turn_gains(pack([known], [(seed + sample) % _WORLDS]), drawing).gains
        gains[lanes] /= SAMPLES
    return gained, gains


def _rest(state: GameState, seed: int) -> _Line:
    """The best rest of a turn that something was drawn in."""
    if state.stage is Stage.KEEP:
        options: Sequence[Action] = legal_actions(state)
    elif state.stage in (Stage.TRIBE, Stage.TILE):
        options = _promising(state, seed)
    else:
        return _closing(state, seed)
    lines = []
    for action in options:
        rest = _rest(_sampled(state, action, seed), seed)
        lines.append(_Line(rest.points, (action, *rest.actions)))
    return max(lines, key=lambda line: line.points)


def _promising(state: GameState, seed: int) -> list[Action]:
    """The tribe or tile actions worth following up."""
    mover = _mover(state)
    options: list[Action] = [action for action in legal_actions(state) if not isinstance(action, UsePower)]
    options.sort(key=lambda action: _points(_sampled(state, action, seed).position, mover), reverse=True)
    return options[:CHOICES]


def _closing(state: GameState, seed: int) -> _Line:
    """Powers as long as they gain anything, each time the one that gains most, then the end of the turn."""
    mover = _mover(state)
    actions: list[Action] = []
    points = float(_points(state.position, mover))
    while uses := [action for action in legal_actions(state) if isinstance(action, UsePower)]:
        best, worth = max(((use, _worth(state, use, seed)) for use in uses), key=lambda entry: entry[1])
        if worth <= points:
            break
        actions.append(best)
        state, points = _sampled(state, best, seed), worth
        if state.stage is Stage.KEEP:
            # What is drawn is not known yet: the turn goes on from there when it is.
            return _Line(points, tuple(actions))
    return _Line(points, (*actions, END_TURN))


def _worth(state: GameState, use: UsePower, seed: int) -> float:
    """The mover's points after a power, the mean of some draws where it draws."""
    mover = _mover(state)
    if use.paid.djinn not in DRAWING_DJINNS:
        return _points(apply(state, use).position, mover)
    total = 0
    for sample in range(SAMPLES):
        after = _sampled(state, use, seed + sample)
        results = [apply(after, keep) for keep in legal_actions(after)] if after.stage is Stage.KEEP else [after]
        total += max(_points(after_.position, mover) for after_ in results)
    return total / SAMPLES


def _sampled(state: GameState, action: Action, seed: int) -> GameState:
    """The state after an action, with what is drawn in it drawn by a seed."""
    return apply(state, action, SampledChance(Random(seed)))


def _points(position: Position, colour: Colour) -> int:
    return score(position)[colour].total


def _mover(state: GameState) -> Colour:
    if state.mover is None:
        raise ValueError("the game is over: nobody is to move")
    return state.mover
