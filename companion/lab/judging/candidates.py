"""The turns and bids that are judged at a position: those of the players who are judged, and rivals of other making."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from companion.lab.judging.playing import BidChoices, TurnChoices
from companion.lab.judging.regret import Floats
from companion.rules.engine.game import step
from companion.rules.model.actions import Action, EndTurn, PlaceBid
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import SPOT_PRICES_GC
from companion.rules.model.state import GameState
from companion.simulation.batch import Batch
from companion.simulation.enumeration import whole_turns
from companion.simulation.layout import Index
from companion.simulation.playing import play_turns
from companion.simulation.rounds import legal_bids
from companion.simulation.scoring import totals
from companion.simulation.turn_actions import actions_to_turns
from companion.simulation.turns import Turns

BEST_GAINS = 8
RANDOM_TURNS = 3
RANDOM_FROM = 60
"""Rivals: so many turns of the best gain, and so many at random from the next of these."""
_GAIN_WORLDS = 4

Chooser = Callable[[GameState, int], Sequence[Sequence[Action]]]
"""Whole turns, or bids, for a state and a seed, best first, each as actions; the first is what is judged."""


@dataclass(frozen=True, slots=True, eq=False)
class TurnField:
    """The turns at a position: `first` says which of them each judged player puts first, by name."""

    choices: TurnChoices
    first: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class BidField:
    """The bids at a position: all that are legal; `first` as in `TurnField`."""

    choices: BidChoices
    first: Mapping[str, int]


def turn_field(state: GameState, worlds: Batch, choosers: Mapping[str, Chooser], seed: int) -> TurnField:
    """What the players advise at the beginning of a turn, and turns of much gain; equal ones once.

    `worlds` are games that fit the state; the first few tell the gains.
    """
    colours = [player.colour for player in state.position.players]
    columns: list[Turns] = []
    first = {}
    for name, chooser in choosers.items():
        first[name] = len(columns)
        columns += [actions_to_turns(actions, state.stage, colours) for actions in chooser(state, seed)]
    every = whole_turns(worlds.select([0]), seed=seed)
    columns += [every.select([number]) for number in _rivals(worlds, every, Random(f"rivals {seed}"))]
    place: dict[bytes, int] = {}
    for column in columns:
        place.setdefault(column.data.tobytes(), len(place))
    distinct = Turns(np.frombuffer(b"".join(place), dtype=np.int16).reshape(len(place), -1).T.copy())
    return TurnField(
        TurnChoices(distinct), {name: place[columns[number].data.tobytes()] for name, number in first.items()}
    )


def bid_field(state: GameState, worlds: Batch, choosers: Mapping[str, Chooser], seed: int) -> BidField:
    """Every legal bid, and which of them the players advise."""
    price, fakirs = np.nonzero(legal_bids(worlds, np.arange(1))[:, :, 0])
    bids = list(zip((SPOT_PRICES_GC[number] for number in price), fakirs.tolist(), strict=True))
    first = {}
    for name, chooser in choosers.items():
        bid = chooser(state, seed)[0][0]
        if not isinstance(bid, PlaceBid):
            raise ValueError(f"{name} was to bid, and answered {bid}")
        first[name] = bids.index((bid.price, bid.fakirs))
    prices = np.array([bid[0] for bid in bids], dtype=np.int16)
    return BidField(BidChoices(prices, fakirs.astype(np.int16)), first)


def whole_turn(
    state: GameState, actions: Sequence[Action], seed: int, rest: Callable[[GameState, int], Sequence[Action]]
) -> list[Action]:
    """The actions, and where they stop at a draw the `rest` of the turn, decided after a draw by the seed."""
    chance = SampledChance(Random(f"draws {seed}"))
    played: list[Action] = []
    waiting = list(actions)
    while True:
        if not waiting:
            waiting = list(rest(state, seed))
        played.append(waiting.pop(0))
        if isinstance(played[-1], EndTurn):
            return played
        state = step(state, played[-1], chance).state


def _rivals(worlds: Batch, every: Turns, random: Random) -> Index:
    """Numbers of turns with the best gains, and of some that gain nearly as much."""
    order = np.argsort(-gains(worlds.select(list(range(min(_GAIN_WORLDS, len(worlds))))), every), kind="stable")
    nearly = order[BEST_GAINS:RANDOM_FROM].tolist()
    drawn = [nearly.pop(int(random.random() * len(nearly))) for _ in range(min(RANDOM_TURNS, len(nearly)))]
    return np.array([*order[:BEST_GAINS].tolist(), *drawn], dtype=np.intp)


def gains(worlds: Batch, turns: Turns) -> Floats:
    """The mover's points just after each turn less those just before, the mean over the worlds, in VP."""
    seat, before = int(worlds.mover[0]), totals(worlds)
    total = np.zeros(len(turns))
    for world in range(len(worlds)):
        batch = worlds.select([world] * len(turns))
        play_turns(batch, np.arange(len(turns)), turns)
        total += totals(batch)[seat] - before[seat, world]
    return total / len(worlds)
