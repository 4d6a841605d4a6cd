"""The bot `greedy`: the turn that gains most at once, paid powers too, and bids by what turns gain.

The gain is the mover's points by rules 10 just after the turn less those just before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from companion.advisor.completion import Completion, complete
from companion.advisor.paths import find_sowing
from companion.advisor.ranking import Candidate, rank
from companion.advisor.walk_groups import NO_INCOME, drop_income
from companion.arena.bots.chance import RandomBot
from companion.rules.engine.djinns.registry import djinn_named
from companion.rules.engine.draft import GameDraft
from companion.rules.engine.game import END_TURN, apply, legal_actions
from companion.rules.engine.scoring import player_points
from companion.rules.engine.turn import lone_turn
from companion.rules.model.actions import Action, ActTile, ActTribe, PlaceBid, Sow, Sowing, UsePower
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import Colour
from companion.rules.model.state import GameState, Stage

SHARE_OF_GAIN = 0.9
"""What a bid takes a turn's gain for: some of it would come anyway."""

SOWINGS = 6
"""The best sowings by gain without paid powers, which paid powers are tried on."""

CHOICES = 4
"""The best choices of a tribe or tile action, by points just after it, that the rest of the turn is tried on."""

SAMPLES = 8
"""Draws that a power is judged by if it draws from a deck."""


class GreedyBot:
    """Takes the turn that gains most at once.

    A bid goes to the spot with the most left of `SHARE_OF_GAIN` of the k-th best gain once its price is paid. k is
    the place in playing order that the spot gives if nobody bids after it, and of turns with one end tile only the
    best counts, since the turn of another player mostly spoils all that end where his does.
    """

    name = "greedy"

    def decide(self, view: GameState, seed: int) -> Sequence[Action]:
        """A whole bid, or the turn up to its end or its first draw."""
        if view.stage is Stage.BID:
            return (best_bid(view),)
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


def best_bid(view: GameState) -> PlaceBid:
    """The bid with the most gain left when it is paid; of equal ones the cheapest."""
    mover = _mover(view)
    gains = gains_by_end(view)
    order = view.position.turn_order or ()

    def worth(bid: PlaceBid) -> tuple[float, int, int]:
        place = sum(other.price > bid.price for other in order)
        gain = gains[place] if place < len(gains) else 0
        paid = player_points(view.position, mover) - player_points(apply(view, bid).position, mover)
        return round(SHARE_OF_GAIN * gain - paid, 6), -bid.price, -bid.fakirs

    return max((action for action in legal_actions(view) if isinstance(action, PlaceBid)), key=worth)


def gains_by_end(view: GameState) -> list[int]:
    """The best gains of turns that end on different tiles, best first, as if the mover had his turn now."""
    best: dict[int, int] = {}
    for candidate in rank(complete(view.position, view.mover)):
        best[candidate.sown.end] = max(best.get(candidate.sown.end, candidate.gain), candidate.gain)
    return sorted(best.values(), reverse=True)


def best_turn(view: GameState, seed: int) -> tuple[Action, ...]:
    """The turn with the highest gain, from its beginning to its end or its first draw."""
    completion = complete(view.position, view.mover)
    ranked = rank(completion)
    if not ranked:
        # Only hands that are too large to be thought through can be lifted.
        return tuple(RandomBot().decide(view, seed))
    wanted = ranked[: SOWINGS if _may_pay(view) else 1]
    lines = [_line(view, completion, candidate, seed) for candidate in wanted]
    return max(lines, key=_points).actions


def _may_pay(view: GameState) -> bool:
    """Whether the mover has a djinn whose power is paid for in turns."""
    return any(djinn_named(name).cost.payments for name in view.player(_mover(view)).djinns or ())


def _line(view: GameState, completion: Completion, candidate: Candidate, seed: int) -> _Line:
    """The best turn with the sowing of a candidate."""
    sow = Sow(_sowing(completion, candidate))
    known = (ActTribe(candidate.tribe), ActTile(candidate.tile))
    rest = _rest(_sampled(view, sow, seed), seed, known)
    return _Line(rest.points, (sow, *rest.actions))


def _sowing(completion: Completion, candidate: Candidate) -> Sowing:
    table = GameDraft.of(lone_turn(completion.position))
    rates = drop_income(table, table.mover)
    return find_sowing(completion.position.board, candidate.sown, candidate.constraint, rates, NO_INCOME)


def _rest(state: GameState, seed: int, known: Sequence[Action] = ()) -> _Line:
    """The best rest of a turn; actions in `known` are the best as long as no power is paid for."""
    if state.stage in (Stage.TRIBE, Stage.TILE):
        return _best_after(state, _promising(state, seed, known), seed, known)
    if state.stage is Stage.KEEP:
        return _best_after(state, legal_actions(state), seed, known)
    return _closing(state, seed)


def _best_after(state: GameState, actions: Iterable[Action], seed: int, known: Sequence[Action]) -> _Line:
    """The best of these actions with the best rest of the turn after each."""
    lines = []
    for action in actions:
        rest = _rest(_sampled(state, action, seed), seed, known)
        lines.append(_Line(rest.points, (action, *rest.actions)))
    return max(lines, key=_points)


def _promising(state: GameState, seed: int, known: Sequence[Action]) -> list[Action]:
    """The tribe or tile actions worth following up."""
    kind = ActTribe if state.stage is Stage.TRIBE else ActTile
    legal = legal_actions(state)
    # After another tribe action, what was best for the tile may not be paid for any more.
    given: list[Action] = [action for action in legal if isinstance(action, kind) and action in known]
    if given and not _may_pay(state):
        return given
    options = [action for action in legal if isinstance(action, kind) and action not in given]
    mover = _mover(state)
    options.sort(key=lambda action: player_points(_sampled(state, action, seed).position, mover), reverse=True)
    return [*given, *options[:CHOICES]]


def _closing(state: GameState, seed: int) -> _Line:
    """Powers as long as they gain anything, each time the one that gains most, then the end of the turn."""
    mover = _mover(state)
    actions: list[Action] = []
    points = float(player_points(state.position, mover))
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
    if djinn_named(use.paid.djinn).power not in _DRAWING:
        return player_points(apply(state, use).position, mover)
    total = 0
    for sample in range(SAMPLES):
        after = _sampled(state, use, seed + sample)
        kept = [apply(after, keep) for keep in legal_actions(after)] if after.stage is Stage.KEEP else [after]
        total += max(player_points(one.position, mover) for one in kept)
    return total / SAMPLES


_DRAWING = tuple(djinn_named(name).power for name in ("Anun-Nak", "Sibittis", "Sloar"))


def _sampled(state: GameState, action: Action, seed: int) -> GameState:
    """The state after an action, with what is drawn in it drawn by a seed."""
    return apply(state, action, SampledChance(Random(seed)))


def _points(line: _Line) -> float:
    return line.points


def _mover(state: GameState) -> Colour:
    if state.mover is None:
        raise ValueError("the game is over: nobody is to move")
    return state.mover
