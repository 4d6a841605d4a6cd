"""How good hints from photos are: a person with the truth in hand asks, answers what is asked, and asks again.

    python -m tests.benchmarks.photo_hints PHOTO...

The truth of a photo stands beside it, under the same name: a position (`.toml`), or `.json` with `rows`. For each photo
the first turn is held against that of a hint from the true position: without an answer, and with the answers that the
hint asks for. Both are played on from there to the end by the playout policy. A turn that can't be played there costs
what the best turn brings at once. Losses are in VP with standard errors.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.advisor.advice import MOST_ASKED, PHOTO_PLAYOUTS, AdvisedTurn, Budget, TurnAdvice
from companion.advisor.search.advise import advise
from companion.advisor.search.assume import table_state
from companion.advisor.search.boards import outcome
from companion.errors import CompanionError
from companion.lab.fitting.selfplay import final_margins
from companion.notation.files import parse_position
from companion.notation.tokens import parse_board
from companion.opening.position import open_position
from companion.rules.model.actions import Action
from companion.rules.model.board import SQUARE_NAMES, Board
from companion.rules.model.position import Position
from companion.rules.model.state import GameState
from companion.simulation.bridge import sample_worlds
from companion.simulation.evaluation import fitted_weights
from companion.simulation.playing import play_turns
from companion.simulation.policy import play_on
from companion.simulation.rounds import end_turn
from companion.simulation.unknowns import surely_held
from companion.vision.readings import Reading
from tests.simulation.twin import actions_to_turns

WORLDS = 1024
"""Games that are played on from each turn."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a photo's hints came to: losses in VP without and with answers, whether the turns were there, the tiles."""

    wrong: int
    alone: float
    answered: float
    alone_legal: bool
    answered_legal: bool
    tiles: int
    ideas: int


def true_board(photo: Path) -> Board:
    """The board that a photo shows."""
    if (toml := photo.with_suffix(".toml")).exists():
        return parse_position(toml.read_text(encoding="utf-8")).board
    return parse_board("\n".join(json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))["rows"]))


def thought(reading: Reading) -> TurnAdvice:
    """What a hint from the photo advises."""
    return advise(reading.position, budget=Budget(PHOTO_PLAYOUTS), alternatives=reading.alternatives)


def asked(photo: Path) -> Asked:
    """Go through the hints of a photo with the truth in hand."""
    truth = true_board(photo)
    opened = open_position(str(photo), checked=False)
    assert opened.photos is not None
    photos, reading = opened.photos, opened.photos.reading
    # A board read half-turned is right too.
    wrong, truth = min(
        (
            (sum(one != other for one, other in zip(reading.position.board, told, strict=True)), told)
            for told in (truth, truth[::-1])
        ),
        key=lambda case: case[0],
    )
    first = advice = thought(reading)
    told: set[int] = set()
    while len(told) < MOST_ASKED:
        square = next((tile.square for tile in advice.worth_a_look if tile.square not in told), None)
        if square is None:
            break
        told.add(square)
        photos = photos.answered({SQUARE_NAMES[square]: str(truth[square])})
        advice = thought(photos.reading)
    position = opened.position.with_board(truth)
    (alone, alone_legal), (answered, answered_legal) = _losses(position, [first.turns[0], advice.turns[0]])
    ideas = len({turn.idea for turn in first.turns})
    return Asked(wrong, alone, answered, alone_legal, answered_legal, len(told), ideas)


def _losses(truth: Position, turns: Sequence[AdvisedTurn]) -> list[tuple[float, bool]]:
    """What each turn loses against the true position's hint, in games played on to their ends from both."""
    told = table_state(truth).state
    known = surely_held(told)
    legal = [outcome(known, turn.actions) is not None for turn in turns]
    best = advise(truth, seed=1).turns[0]
    playing = [best, *(turn for turn, there in zip(turns, legal, strict=True) if there)]
    margins = iter(_ends(told, known, [turn.actions for turn in playing]))
    most = next(margins)
    return [(most - next(margins) if there else best.gain, there) for there in legal]


def _ends(told: GameState, known: GameState, turns: Sequence[Sequence[Action]]) -> list[float]:
    """The mean margins with which games end after each turn, all in the same worlds."""
    worlds = sample_worlds(told, WORLDS, seed=2)
    seat, lanes = int(worlds.mover[0]), np.arange(WORLDS)
    weights, colours = fitted_weights(int(worlds.seats[0])), [player.colour for player in known.position.players]
    found = []
    for actions in turns:
        batch = worlds.select(lanes)
        play_turns(batch, lanes, actions_to_turns(actions, known.stage, colours).select(np.zeros_like(lanes)))
        end_turn(batch, lanes)
        play_on(batch, weights, noise=1.0)
        found.append(float(final_margins(batch)[seat].mean()))
    return found


def report(found: Sequence[Asked]) -> str:
    """The figures of all photos."""
    lines = [f"{len(found)} photos, {statistics.mean(one.wrong for one in found):.1f} tiles misread on average"]
    for name, losses, legal in [
        ("no answers", [one.alone for one in found], [one.alone_legal for one in found]),
        ("answers", [one.answered for one in found], [one.answered_legal for one in found]),
    ]:
        error = statistics.stdev(losses) / len(losses) ** 0.5 if len(losses) > 1 else 0.0
        lines.append(
            f"{name}: {statistics.mean(losses):.2f} ± {error:.2f} VP lost, {sum(legal) / len(legal):.1%} legal"
        )
    tiles = sorted(one.tiles for one in found)
    lines.append(f"tiles asked: median {statistics.median(tiles):g}, 90% {tiles[int(0.9 * (len(tiles) - 1))]}")
    lines.append(f"ideas shown: {min(one.ideas for one in found)} to {max(one.ideas for one in found)}")
    return "\n".join(lines)


def main(names: Sequence[str]) -> None:
    """Print a line a photo, then the figures."""
    found = []
    for name in names:
        try:
            one = asked(Path(name))
        except (CompanionError, IndexError) as error:
            print(f"{name}: {error}", flush=True)
            continue
        found.append(one)
        print(f"{name}: {one}", flush=True)
    print(report(found))


if __name__ == "__main__":
    main(sys.argv[1:])
