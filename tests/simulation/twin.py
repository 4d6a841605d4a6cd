"""The flat engine against the rules: the same random games in both, compared after every action (rules 2 to 11).

`python -m tests.simulation.twin --games 10000` plays that many.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from multiprocessing import Pool

import numpy as np

from companion.rules.engine.game import legal_actions
from companion.rules.engine.mutable_game import MutableGame
from companion.rules.engine.scoring import CATEGORIES, player_points, score
from companion.rules.model.actions import KeepDjinn, PlaceBid
from companion.rules.model.components import SPOT_PRICES_GC
from companion.rules.model.state import GameState, Stage
from companion.simulation import decks, rounds, scoring
from companion.simulation.batch import Batch
from companion.simulation.bridge import pack, unpack
from companion.simulation.layout import DJINN_ID, Index, Ints
from companion.simulation.playing import play_turns
from tests.simulation.acting import act, join, whole_turn
from tests.simulation.beside import canonical
from tests.simulation.lane import Lane, Played, of_note
from tests.simulation.stacking import Stacked
from tests.simulation.starts import huge_hand, odd_position, set_up

LANES = 200
"""Games played side by side."""
LONGEST_GAME = 2000


def play(names: Sequence[str], starts: Sequence[GameState]) -> Counter[str]:
    """Play games to their ends in both engines; gives how often what happened.

    Most moves are compared action by action, some as whole turns. Raises AssertionError with the game's name where
    the engines differ.
    """
    lanes = [Lane(name, state, place % 4 > 1) for place, (name, state) in enumerate(zip(names, starts, strict=True))]
    batch = pack(starts, range(len(starts)))
    stacked = Stacked()
    seen: Counter[str] = Counter()
    with stacked.drawing():
        compare(batch, lanes, {place: "the start" for place in range(len(lanes))})
        for _ in range(LONGEST_GAME):
            playing = {place: lane.play() for place, lane in enumerate(lanes) if not lane.state.is_over}
            if not playing:
                break
            for place, played in playing.items():
                stacked.stack(batch, place, played.drawn)
                seen.update(of_note(played, lanes[place].state))
            _play_in_batch(batch, playing)
            compare(batch, lanes, {place: "; ".join(map(str, played.actions)) for place, played in playing.items()})
        else:
            raise AssertionError(f"{[lane.name for lane in lanes if not lane.state.is_over]}: no end")
    seen["games"] += len(lanes)
    return seen + stacked.remade


def _play_in_batch(batch: Batch, playing: dict[int, Played]) -> None:
    single = {place: played for place, played in playing.items() if not played.is_whole_turn}
    act(
        batch,
        list(single),
        [played.before for played in single.values()],
        [played.actions[0] for played in single.values()],
    )
    whole = {place: played for place, played in playing.items() if played.is_whole_turn}
    kept = {
        place: DJINN_ID[action.djinn]
        for place, played in whole.items()
        for action in played.actions
        if isinstance(action, KeepDjinn)
    }

    def keep(_: Batch, at: Index) -> Ints:
        return np.array([kept[place] for place in at.tolist()], dtype=np.int16)

    if whole:
        turns = join([whole_turn(played.before, played.actions) for played in whole.values()])
        play_turns(batch, np.array(list(whole), dtype=np.intp), turns, keep)


def compare(batch: Batch, lanes: Sequence[Lane], told: dict[int, str]) -> None:
    """Everything that both engines know of the games that are told of. Raises AssertionError where it differs."""
    totals, points, margins = scoring.totals(batch), scoring.scores(batch), scoring.margins(batch)
    everywhere = np.arange(len(batch))
    bids, bags = rounds.legal_bids(batch, everywhere), decks.bag(batch, everywhere)
    for place, what in told.items():
        where = f"{lanes[place].name}, after {what}"
        ours, theirs = unpack(batch, place, lanes[place].state), canonical(lanes[place].state)
        if ours != theirs:
            raise AssertionError("\n".join([where, *differences(ours, theirs)]))
        position = theirs.position
        if theirs.stage is Stage.BID:
            offered = {(bid.price, bid.fakirs) for bid in legal_actions(theirs) if isinstance(bid, PlaceBid)}
            found = {(SPOT_PRICES_GC[price], int(fakirs)) for price, fakirs in np.argwhere(bids[:, :, place])}
            assert found == offered, f"{where}: bids {found ^ offered} (rules 3)"
        if not theirs.is_over and theirs.stage is not Stage.KEEP:
            assert bags[:, place].tolist() == MutableGame.of(theirs).bag, f"{where}: the bag (rules 11.11)"
        expected = [player_points(position, player.colour) for player in position.players]
        assert totals[: len(expected), place].tolist() == expected, f"{where}: points (rules 10)"
        best = [max(other for seat, other in enumerate(expected) if seat != own) for own in range(len(expected))]
        ahead = [own - other for own, other in zip(expected, best, strict=True)]
        assert margins[: len(expected), place].tolist() == ahead, f"{where}: margins (rules 9.3)"
        if theirs.is_over or theirs.stage is Stage.BID:
            for seat, result in enumerate(score(position).values()):
                categories = [result.points[category] for category in CATEGORIES]
                assert points[:, seat, place].tolist() == categories, f"{where}: points (rules 10)"


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
