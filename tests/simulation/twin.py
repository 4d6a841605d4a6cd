"""The flat engine against the rules: the same random games in both, compared after every action (rules 2 to 11).

`python -m tests.simulation.twin --games 10000` plays that many, `make twin` does.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from multiprocessing import Pool
from random import Random

import numpy as np

from companion.rules.engine.draft import GameDraft
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.rounds import PRICES
from companion.rules.engine.scoring import CATEGORIES, player_points, score
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Drop,
    EndTurn,
    KeepDjinn,
    Lift,
    PlaceBid,
    Sell,
    Sow,
    Sowing,
    UsePower,
)
from companion.rules.model.chance import Drawn, SampledChance
from companion.rules.model.state import GameState, Stage
from companion.simulation import decks, rounds, scoring, sowing
from companion.simulation.batch import Batch
from companion.simulation.bridge import pack, unpack
from companion.simulation.from_actions import turn_of
from companion.simulation.layout import DJINN_ID, Index, Ints
from companion.simulation.powers import keep_djinn, use_power
from companion.simulation.selling import sell
from companion.simulation.tile_actions import act_tile
from companion.simulation.tribe_actions import act_tribe
from companion.simulation.turns import Turns
from tests.rules.random_games import random_choice
from tests.simulation.plain import plain
from tests.simulation.stacking import Stacked
from tests.simulation.starts import huge_hand, odd_position, set_up

LANES = 200
"""Games played side by side."""
LONGEST_GAME = 2000


@dataclass
class Lane:
    """One game: its number, its state by the rules, and the luck and choices that it is played with."""

    name: str
    state: GameState
    random: Random
    eager: bool

    def __post_init__(self) -> None:
        self.chance = SampledChance(self.random)

    def play(self) -> tuple[GameState, Action, Drawn]:
        """Take one action, a whole sowing as one: the state before, the action, what was drawn."""
        before, hand = self.state, None
        while True:
            action = random_choice(self.random, self.state, legal_actions(self.state), eager=self.eager)
            if isinstance(action, Lift | Drop):
                hand = self.state.progress.hand
            done = step(self.state, action, self.chance)
            self.state = done.state
            if done.state.stage is Stage.SOW:
                continue
            if isinstance(action, Drop):
                assert hand is not None
                sown = Sowing(hand.start, (*hand.path, action.square), (*hand.drops, action.tribe))
                return before, Sow(sown), done.drawn
            return before, action, done.drawn


def play(names: Sequence[str], starts: Sequence[GameState]) -> Counter[str]:
    """Play games to their ends in both engines; gives how often what happened.

    Raises AssertionError with the game's name where the engines differ.
    """
    lanes = [
        Lane(name, state, Random(name), eager=place % 4 > 1)
        for place, (name, state) in enumerate(zip(names, starts, strict=True))
    ]
    batch = pack(starts, range(len(starts)))
    stacked = Stacked()
    seen: Counter[str] = Counter()
    with stacked.drawing():
        compare(batch, lanes, ["start"] * len(lanes), range(len(lanes)))
        for _ in range(LONGEST_GAME):
            playing = [place for place, lane in enumerate(lanes) if not lane.state.is_over]
            if not playing:
                break
            told = ["over"] * len(lanes)
            kinds: dict[type[Action], list[tuple[int, GameState, Action]]] = {}
            for place in playing:
                before, action, drawn = lanes[place].play()
                stacked.stack(batch, place, drawn)
                kinds.setdefault(type(action), []).append((place, before, action))
                told[place] = f"{before.stage}: {action}"
                seen.update(_of_note(before, action, lanes[place].state))
            for kind, taken in kinds.items():
                at = np.array([place for place, _, _ in taken], dtype=np.intp)
                _DO[kind](batch, at, [before for _, before, _ in taken], [action for _, _, action in taken])
            compare(batch, lanes, told, playing)
        else:
            raise AssertionError("games that never end")
    seen["games"] += len(lanes)
    return seen + stacked.remade


def _of_note(before: GameState, action: Action, after: GameState) -> Iterable[str]:
    yield type(action).__name__
    if isinstance(action, UsePower):
        yield f"use {action.paid.djinn}"
        if action.helper is not None:
            yield f"divert by {action.helper.djinn}"
    if isinstance(action, ActTribe | ActTile) and action.choice.helper is not None:
        yield f"use {action.choice.helper.djinn}"
    if isinstance(action, PlaceBid) and action.fakirs:
        yield "bid with fakirs"
    if after.ending is not None and before.ending is None:
        yield f"ending: {after.ending}"
    if isinstance(action, Sow):
        if any(player.djinns and "Marid" in player.djinns for player in before.position.players):
            yield "sow with Marid about"
        if len(action.sowing.path) > 12:
            yield "huge hand"


# Comparing.


def compare(batch: Batch, lanes: Sequence[Lane], told: Sequence[str], among: Iterable[int]) -> None:
    """Everything that both engines know of these games. Raises AssertionError where it differs."""
    totals, points, margins = scoring.totals(batch), scoring.scores(batch), scoring.margins(batch)
    everywhere = np.arange(len(batch))
    bids, bags = rounds.legal_bids(batch, everywhere), decks.bag(batch, everywhere)
    for place in among:
        lane = lanes[place]
        where = f"{lane.name}, after {told[place]}"
        ours, theirs = unpack(batch, place, lane.state), plain(lane.state)
        if ours != theirs:
            raise AssertionError("\n".join([where, *differences(ours, theirs)]))
        position = theirs.position
        if theirs.stage is Stage.BID:
            offered = {(bid.price, bid.fakirs) for bid in legal_actions(theirs) if isinstance(bid, PlaceBid)}
            found = {(PRICES[price], int(fakirs)) for price, fakirs in np.argwhere(bids[:, :, place])}
            assert found == offered, f"{where}: bids {found ^ offered} (rules 3)"
        if not theirs.is_over and theirs.stage is not Stage.KEEP:
            assert bags[:, place].tolist() == GameDraft.of(theirs).bag, f"{where}: the bag (rules 11.11)"
        expected = [player_points(position, player.colour) for player in position.players]
        assert totals[: len(expected), place].tolist() == expected, f"{where}: points (rules 10)"
        if theirs.is_over or theirs.stage is Stage.BID:
            for seat, result in enumerate(score(position).values()):
                categories = [result.points[category] for category in CATEGORIES]
                assert points[:, seat, place].tolist() == categories, f"{where}: points (rules 10)"
        best = [max(other for place_, other in enumerate(expected) if place_ != seat) for seat in range(len(expected))]
        ahead = [own - other for own, other in zip(expected, best, strict=True)]
        assert margins[: len(expected), place].tolist() == ahead, f"{where}: margins"


def differences(ours: GameState, theirs: GameState) -> list[str]:
    """The fields in which two states differ, as lines."""
    pairs: list[tuple[str, object, object]] = [
        (field.name, getattr(ours, field.name), getattr(theirs, field.name))
        for field in fields(GameState)
        if field.name != "position"
    ]
    for name in ("players", "row", "djinns", "to_move", "phase", "bid_order", "turn_order", "discards"):
        pairs.append((name, getattr(ours.position, name), getattr(theirs.position, name)))
    for square, tiles in enumerate(zip(ours.position.board, theirs.position.board, strict=True)):
        pairs.append((f"square {square}", *tiles))
    return [f"  {name}: flat {flat}\n    rules {rules}" for name, flat, rules in pairs if flat != rules]


# Actions of the rules in many lanes at once.

Do = Callable[[Batch, Index, Sequence[GameState], Sequence[Action]], None]


def _numbers(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int16)


def _bid(batch: Batch, at: Index, _: Sequence[GameState], actions: Sequence[Action]) -> None:
    bids = [action for action in actions if isinstance(action, PlaceBid)]
    rounds.place_bid(batch, at, _numbers(bid.price for bid in bids), _numbers(bid.fakirs for bid in bids))


def _sow(batch: Batch, at: Index, _: Sequence[GameState], actions: Sequence[Action]) -> None:
    sowings = [action.sowing for action in actions if isinstance(action, Sow)]
    longest = max(len(sown.path) for sown in sowings)
    path = np.full((longest, len(at)), -1, dtype=np.int16)
    drops = path.copy()
    for place, sown in enumerate(sowings):
        path[: len(sown.path), place] = sown.path
        drops[: len(sown.drops), place] = sown.drops
    length = _numbers(len(sown.path) for sown in sowings)
    sowing.sow(batch, at, _numbers(sown.start for sown in sowings), path, drops, length)


def _columns(befores: Sequence[GameState], actions: Sequence[Action]) -> Turns:
    columns = [
        turn_of([action], before.stage, [player.colour for player in before.position.players])
        for before, action in zip(befores, actions, strict=True)
    ]
    return Turns(np.concatenate([column.data for column in columns], axis=1))


def _tribe(batch: Batch, at: Index, befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    act_tribe(batch, at, _columns(befores, actions))


def _tile(batch: Batch, at: Index, befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    act_tile(batch, at, _columns(befores, actions))


def _power(batch: Batch, at: Index, befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    turns = _columns(befores, actions)
    prices = turns.power_fakirs[0], turns.power_square[0], turns.power_divert[0], turns.power_onto[0]
    use_power(batch, at, turns.power[0], *prices)


def _keep(batch: Batch, at: Index, _: Sequence[GameState], actions: Sequence[Action]) -> None:
    keep_djinn(batch, at, _numbers(DJINN_ID[action.djinn] for action in actions if isinstance(action, KeepDjinn)))


def _sell(batch: Batch, at: Index, befores: Sequence[GameState], actions: Sequence[Action]) -> None:
    sell(batch, at, _columns(befores, actions).sale[0])


def _end(batch: Batch, at: Index, _: Sequence[GameState], __: Sequence[Action]) -> None:
    rounds.end_turn(batch, at)


_DO: dict[type[Action], Do] = {
    PlaceBid: _bid,
    Sow: _sow,
    ActTribe: _tribe,
    ActTile: _tile,
    UsePower: _power,
    KeepDjinn: _keep,
    Sell: _sell,
    EndTurn: _end,
}


# Many games.

STARTS: dict[str, Callable[[int], GameState]] = {"game": set_up, "odd": odd_position, "heap": huge_hand}


def play_numbers(kind: str, numbers: Iterable[int]) -> Counter[str]:
    """Games of one kind of start, by number."""
    chosen = list(numbers)
    return play([f"{kind} {number}" for number in chosen], [STARTS[kind](number) for number in chosen])


def _shares(games: int, first: int) -> list[tuple[str, range]]:
    """Four fifths whole games, the rest from odd positions and huge hands, in batches."""
    parts = {"game": games * 8 // 10, "odd": games * 15 // 100}
    parts["heap"] = games - sum(parts.values())
    return [
        (kind, range(first + number, first + min(number + LANES, count)))
        for kind, count in parts.items()
        for number in range(0, count, LANES)
    ]


def _played(share: tuple[str, range]) -> Counter[str]:
    return play_numbers(*share)


def main() -> None:
    """Play the number of games named on the command line, and say how far it has come."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    seen: Counter[str] = Counter()
    with Pool(options.processes) as pool:
        for played in pool.imap_unordered(_played, _shares(options.games, options.first)):
            seen += played
            print(f"\r{seen['games']} of {options.games} games the same", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for name, number in sorted(seen.items()):
        print(f"{number:9} {name}")


if __name__ == "__main__":
    main()
