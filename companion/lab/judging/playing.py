"""Candidates for one decision, of the judged players and rivals, played on to the end in the same worlds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

import numpy as np
import numpy.typing as npt

from companion.rules.engine.game import step
from companion.rules.model.actions import Action, EndTurn, PlaceBid
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import SPOT_PRICES_GC
from companion.rules.model.state import GameState
from companion.simulation.batch import Batch
from companion.simulation.enumeration import whole_turns
from companion.simulation.layout import Index, Ints
from companion.simulation.playing import play_turns
from companion.simulation.rounds import end_turn, legal_bids, place_bid
from companion.simulation.scoring import margins, totals
from companion.simulation.turn_actions import actions_to_turns
from companion.simulation.turns import Turns

Floats = npt.NDArray[np.float64]

LANES = 1500
"""Games played side by side: more do not fit the processor's cache."""

PlayOn = Callable[[Batch], object]
"""Plays every lane of a batch on to the end of the game, in place."""


class Choices(Protocol):
    """Candidates for one decision, by number."""

    def __len__(self) -> int:
        """How many there are."""

    def play(self, batch: Batch, numbers: Index) -> None:
        """Play a candidate in each lane, that of its number, and go on to the next decision of the game."""


@dataclass(frozen=True, slots=True, eq=False)
class TurnChoices:
    """Whole turns of the mover, a column each."""

    turns: Turns

    def __len__(self) -> int:
        return len(self.turns)

    def play(self, batch: Batch, numbers: Index) -> None:
        """Play the turns and end them."""
        everywhere = np.arange(len(batch))
        play_turns(batch, everywhere, self.turns.select(numbers))
        end_turn(batch, everywhere)


@dataclass(frozen=True, slots=True, eq=False)
class BidChoices:
    """Bids by price in GC and fakirs discarded."""

    prices: Ints
    fakirs: Ints

    def __len__(self) -> int:
        return len(self.prices)

    def play(self, batch: Batch, numbers: Index) -> None:
        """Place the bids."""
        place_bid(batch, np.arange(len(batch)), self.prices[numbers], self.fakirs[numbers])


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What playing on told of candidates: `numbers` are those that were played to the full.

    `margins` are the mover's final margins in VP, [numbers, playings-on], and `policies` the number of the policy by
    which each column was played on; `screened` are the mean margins of all candidates in the playings-on by which the
    full ones were picked.
    """

    numbers: tuple[int, ...]
    margins: Floats
    policies: Index
    screened: Floats


def policy_of(columns: int, policies: int) -> Index:
    """Which policy plays which column: pairs of neighbours take turns, so even and odd columns have as much of each."""
    return np.asarray(np.arange(columns) // 2 % policies, dtype=np.intp)


def final_margins(
    worlds: Batch, choices: Choices, numbers: Sequence[int], columns: Index, policies: Sequence[PlayOn]
) -> Floats:
    """The mover's margin at the end of the game in VP, [numbers, columns]: every candidate in every world of `columns`.

    The policies take turns by `policy_of`.
    """
    seat = int(worlds.mover[0])
    found = np.empty((len(numbers), len(columns)))
    by = policy_of(len(columns), len(policies))
    for number, policy in enumerate(policies):
        mine = np.flatnonzero(by == number)
        rows, places = (grid.ravel() for grid in np.meshgrid(np.arange(len(numbers)), mine, indexing="ij"))
        for first in range(0, len(rows), LANES):
            block = slice(first, first + LANES)
            row, place = rows[block], places[block]
            batch = worlds.select(columns[place])
            choices.play(batch, np.asarray(numbers)[row])
            policy(batch)
            found[row, place] = margins(batch)[seat]
    return found


def judge(
    worlds: Batch, choices: Choices, judged: Sequence[int], policies: Sequence[PlayOn], *, screening: int, keep: int
) -> Judgement:
    """Play all candidates on in the first `screening` worlds, then the best `keep` and those `judged` in the others.

    No world is used for both, so that the luck by which a candidate was kept says nothing about its margins.
    """
    everyone = range(len(choices))
    first, rest = np.arange(screening), np.arange(screening, len(worlds))
    screened = final_margins(worlds, choices, everyone, first, policies).mean(axis=1)
    best = np.argsort(-screened, kind="stable")[:keep].tolist()
    numbers = tuple(sorted({*best, *judged}))
    played = final_margins(worlds, choices, numbers, rest, policies)
    return Judgement(numbers, played, policy_of(len(rest), len(policies)), screened)


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
