"""Hints without a search: turns ranked by the points that they bring at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from companion.advisor.explanation import ExplainedTurn, Explanation, explain_turn
from companion.advisor.search.advise import LARGE_HANDS_WORDS, searched_state
from companion.advisor.search.leaf import TurnGains, turn_gains
from companion.language.phrase import Phrase, say, term
from companion.rules.engine.scoring import result_of_game
from companion.rules.model.actions import Action, Sow, Sowing
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import GameState, Stage
from companion.simulation.bridge import pack, sample_worlds
from companion.simulation.djinns import DJINN_ID, DRAWING_DJINNS
from companion.simulation.layout import FAKIR_ID, NONE, TRIBES
from companion.simulation.scoring import totals
from companion.simulation.turn_actions import turns_to_actions
from companion.simulation.turns import Turns
from companion.simulation.unknowns import is_known, surely_held

if TYPE_CHECKING:
    from companion.rules.engine.scoring import GameResult

FAKIR_VALUE = 0.03
OPPONENT_POINT_VALUE = 0.02
"""Tie-breaks in VP: a fakir kept or gained, a point that an opponent loses."""
MAX_TIE_BREAK = 0.4
"""Tie-breaks never outweigh a point."""
WORLDS = 16
"""Worlds that turns are played in to find those worth explaining, where something isn't known."""
EXPLAINED = 20
"""Turns explained at least: with unknown things, the best of them is not always the best in the few worlds."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One advised turn.

    `actions` are its decisions in order, up to a draw that nobody has seen if it is `open_ended`. `value` in VP is what
    turns are ranked by: the expected gain with small tie-breaks. `also_from` are other starts for the same, where those
    were merged.
    """

    actions: tuple[Action, ...]
    open_ended: bool
    sowing: Sowing
    explained: ExplainedTurn
    value: float
    also_from: tuple[int, ...] = ()

    @property
    def explanation(self) -> Explanation:
        """What the turn does and brings, in words."""
        return self.explained.explanation

    @property
    def gain(self) -> int:
        """What the turn surely brings at once, in VP."""
        return self.explanation.gain


@dataclass(frozen=True, slots=True)
class Hints:
    """The best turns of a player, best first.

    `assumed` are sentences on what wasn't known and how it was drawn, `notes` other sentences. `state` is the one in
    which the turns begin. In a game that is over nobody is to move, and `result` says who has won.
    """

    to_move: Colour | None
    state: GameState
    moves: tuple[Hint, ...] = ()
    assumed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    result: GameResult | None = None

    @property
    def position(self) -> Position:
        """The position that was looked at."""
        return self.state.position


def hints(
    position: Position | GameState, top: int, player: Colour | None = None, *, merge_starts: bool = False
) -> Hints:
    """The `top` best turns by points at once, at most one for each start, end tile, tribe and number taken.

    Paid powers are used where they pay, except those that draw djinns, cards or meeples. `position` and `player` are as
    for `advise`. With `merge_starts`, turns that differ only in the start tile are one hint. There are no moves when
    the game is over or the player has no legal one (rules 9.2). Raises what `advise` raises.
    """
    table = searched_state(position, player)
    state = table.state
    if state.is_over:
        return Hints(None, state, result=result_of_game(state))
    known = surely_held(state)
    assert known.mover is not None, "a game that isn't over has somebody to move"
    root = pack([known], [0])
    root.used[[DJINN_ID[name] for name in DRAWING_DJINNS]] = 1
    found = turn_gains(root)
    moved = np.flatnonzero(found.cells != NONE)
    if not len(moved):
        note = no_move_words(known.mover) if state.stage is Stage.CLOSE else LARGE_HANDS_WORDS
        return Hints(known.mover, state, assumed=table.assumed, notes=(note,))
    gains = found.gains.astype(np.float64)
    if not is_known(state):
        worlds = sample_worlds(state, WORLDS, 0)
        gains = np.mean([turn_gains(worlds.select([lane]), found.turns).gains for lane in range(WORLDS)], axis=0)
    ties = tie_breaks(found)
    groups = _best_of_each_outcome(found, gains + ties, moved, merge_starts=merge_starts)
    moves = []
    for column, *others in groups[: max(top, EXPLAINED)]:
        actions, open_ended = turns_to_actions(root, found.turns, column, known)
        explained = explain_turn(state, actions)
        sowing = next(action.sowing for action in actions if isinstance(action, Sow))
        value = round(explained.explanation.expected + float(ties[column]), 2)
        starts = dict.fromkeys(int(found.turns.start[other]) for other in others)
        moves.append(Hint(actions, open_ended, sowing, explained, value, tuple(starts)))
    moves.sort(key=lambda hint: -hint.value)
    return Hints(known.mover, state, tuple(moves[:top]), table.assumed)


def no_move_words(player: Colour) -> Phrase:
    """That a player has no legal move, and what remains."""
    return say(
        "{player} has no legal move, so the game ends with this round (rules 9.2); powers and sales are still "
        "possible.",
        player=term(player),
    )


def tie_breaks(found: TurnGains) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Small values for what gives no points yet, within `MAX_TIE_BREAK` of 0, by turn."""
    root, after = found.root, found.after
    mover = int(root.mover[0])
    fakirs = after.cards[mover, FAKIR_ID] - root.cards[mover, FAKIR_ID]
    points = totals(after).astype(np.float64) - totals(root)
    ties = FAKIR_VALUE * fakirs - OPPONENT_POINT_VALUE * (points.sum(axis=0) - points[mover])
    return np.asarray(np.clip(ties, -MAX_TIE_BREAK, MAX_TIE_BREAK))


def _best_of_each_outcome(
    found: TurnGains,
    values: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    columns: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
    *,
    merge_starts: bool,
) -> list[list[int]]:
    """Columns of the best turns of each outcome, best first; those merged together, the smallest hand first."""
    turns, meeples = found.turns, found.root.meeples[:, :, 0]
    end, tribe = np.divmod(found.cells, TRIBES)
    dropped = ((turns.path == end) & (turns.drops == tribe)).sum(axis=0)
    count = dropped + np.where(turns.start == end, 0, meeples[end, tribe])
    decisions = Turns(turns.data.copy())
    for name in ("start", "length", "path", "drops"):
        getattr(decisions, name)[...] = NONE
    groups: dict[tuple[object, ...], list[int]] = {}
    seen = set()
    for column in columns[np.argsort(-values[columns], kind="stable")].tolist():
        outcome = (int(turns.start[column]), int(found.cells[column]), int(count[column]))
        if outcome in seen:
            continue
        seen.add(outcome)
        alike = (decisions.data[:, column].tobytes(), float(values[column])) if merge_starts else outcome[:1]
        groups.setdefault((*outcome[1:], *alike), []).append(column)
    return [sorted(group, key=lambda column: int(turns.length[column])) for group in groups.values()]
