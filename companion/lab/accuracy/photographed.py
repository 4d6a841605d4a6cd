"""Whole games of bots, with a photo after each turn, to measure how turns are named on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from companion.lab.arena.bots import make_bot
from companion.lab.arena.referee import derived_seed
from companion.lab.rendering.heldout import SCENARIOS, SIZE_PX
from companion.lab.rendering.render import draw_photo
from companion.lab.rendering.surface import Art
from companion.lab.rendering.truth import store_photo, truth_document
from companion.lab.world.catalogue import HELD_OUT
from companion.lab.world.frames import FrameSettings, Tracer, frame_photo
from companion.lab.world.scenes import draw_scene
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record, format_record, parse_record
from companion.notation.records.player import Played
from companion.notation.records.recording import recorded
from companion.notation.records.replay import replay
from companion.rules.engine.game import step
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import Drop, EndTurn, PlaceBid, Sell, Sow
from companion.rules.model.chance import NOTHING_DRAWN, SampledChance
from companion.rules.model.state import GameState

_SALT = 60_013
"""Keeps these pictures' random numbers apart from all others of the same seed."""

_FIRST_TRACED, _TRACED_EACH = 5_600_000, 100
"""The seeds of path-traced photos: of tables as games leave them, so many for each game."""

_TRACED_PX = 1280
"""The longer side of a path-traced photo: a larger one takes minutes."""

_SEEN_FROM = ("topdown", "oblique", "dim", "turned", "clutter", "glare")
"""How the photos of a game are taken, in turn."""


@dataclass(frozen=True, slots=True)
class PhotographedTurn:
    """A turn in which meeples were sown: the state it began in and that before its end, what was sold, its photo, and
    the djinns that came from the deck.
    """

    before: GameState
    after: GameState
    sold: tuple[Sell, ...]
    photo: str
    djinns: tuple[str, ...] = ()


def bot_game(seed: int, players: int = 3, bot: str = "greedy") -> Record:
    """A game of bots; the same seed gives the same game."""
    state = new_game(players, seed)
    seats = [make_bot(bot) for _ in state.position.players]
    chance = SampledChance(Random(derived_seed(seed, "chance")))
    record, decisions = Record(new_header(state.position, {})), 0
    while state.mover is not None:
        seat = state.position.colours.index(state.mover)
        for action in seats[seat].decide(state, derived_seed(seed, "bot", seat, decisions)):
            done = step(state, action, chance)
            record, state = recorded(record, state, action, done), done.state
            if done.drawn != NOTHING_DRAWN:
                break
        decisions += 1
    return record


def recorded_turns(record: Record) -> list[PhotographedTurn]:
    """The turns of a record in which meeples were sown, their photos named by their numbers."""
    turns: list[PhotographedTurn] = []
    plays: list[Played] = []
    for play in replay(record).plays:
        if isinstance(play.action, EndTurn):
            if any(isinstance(one.action, Sow | Drop) for one in plays):
                sold = tuple(one.action for one in plays if isinstance(one.action, Sell))
                djinns = tuple(name for one in plays for name in one.step.drawn.djinns)
                photo = f"turn-{len(turns) + 1:02d}"
                turns.append(PhotographedTurn(plays[0].before, play.before, sold, photo, djinns))
            plays = []
        elif not isinstance(play.action, PlaceBid):
            plays.append(play)
    return turns


def game_in(folder: Path) -> Record:
    """The game that `photographed_game` wrote into a folder."""
    return parse_record((folder / "game.txt").read_text(encoding="utf-8"))


def photographed_game(
    folder: Path,
    record: Record,
    seed: int,
    *,
    art: Art | None = None,
    usual: bool = False,
    tracer: Tracer | None = None,
) -> Iterator[str]:
    """Write a game into a folder: `game.txt`, and a photo with its truth after each turn; the photos' names.

    The pieces are of other productions than those that networks learn from, or the game's own if `usual`. With a
    `tracer` the photos are path-traced, of pieces as its scenes draw them.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.txt").write_text(format_record(record), encoding="utf-8")
    for number, turn in enumerate(recorded_turns(record)):
        if not (folder / f"{turn.photo}.json").exists():
            board = turn.after.position.board
            if tracer is not None:
                scene = draw_scene(_FIRST_TRACED + _TRACED_EACH * seed + number, HELD_OUT, _TRACED_PX, board)
                store_photo(folder, turn.photo, *frame_photo(scene, FrameSettings(HELD_OUT, art, _TRACED_PX), tracer))
            else:
                scenario = _SEEN_FROM[number % len(_SEEN_FROM)]
                rng = np.random.default_rng((_SALT, seed, number))
                picture, truth = draw_photo(rng, SIZE_PX, SCENARIOS[scenario], art, board, usual=usual)
                store_photo(folder, turn.photo, picture, {"scenario": scenario, **truth_document(truth)})
        yield turn.photo
