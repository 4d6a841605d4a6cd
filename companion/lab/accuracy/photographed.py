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
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record, format_record
from companion.notation.records.recording import recorded
from companion.rules.engine.game import step
from companion.rules.engine.setup import new_game
from companion.rules.model.actions import Action, Drop, EndTurn, PlaceBid, Sell, Sow
from companion.rules.model.chance import NOTHING_DRAWN, SampledChance
from companion.rules.model.state import GameState, Stage

_SALT = 60_013
"""Keeps these pictures' random numbers apart from all others of the same seed."""

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


def bot_game(seed: int, players: int = 3, bot: str = "greedy") -> tuple[Record, list[PhotographedTurn]]:
    """A game of bots as a record, with its turns; the same seed gives the same game."""
    state = new_game(players, seed)
    seats = [make_bot(bot) for _ in state.position.players]
    chance = SampledChance(Random(derived_seed(seed, "chance")))
    record, turns = Record(new_header(state.position, {})), list[PhotographedTurn]()
    begun, decisions = state, 0
    actions: list[Action] = []
    djinns: list[str] = []
    while state.mover is not None:
        seat = state.position.colours.index(state.mover)
        for action in seats[seat].decide(state, derived_seed(seed, "bot", seat, decisions)):
            if state.stage is Stage.MOVE and not actions:
                begun = state
            if isinstance(action, EndTurn):
                if any(isinstance(one, Sow | Drop) for one in actions):
                    sold = tuple(one for one in actions if isinstance(one, Sell))
                    turns.append(PhotographedTurn(begun, state, sold, f"turn-{len(turns) + 1:02d}", tuple(djinns)))
                actions, djinns = [], []
            elif not isinstance(action, PlaceBid):
                actions.append(action)
            done = step(state, action, chance)
            if not isinstance(action, EndTurn):
                djinns += done.drawn.djinns
            record, state = recorded(record, state, action, done), done.state
            if done.drawn != NOTHING_DRAWN:
                break
        decisions += 1
    return record, turns


def photographed_game(
    folder: Path, seed: int, players: int = 3, *, art: Art | None = None, usual: bool = False
) -> Iterator[str]:
    """Write a game into a folder: `game.txt`, and a photo with its truth after each turn; the photos' names.

    The pieces are of other productions than those that networks learn from, or the game's own if `usual`.
    """
    record, turns = bot_game(seed, players)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.txt").write_text(format_record(record), encoding="utf-8")
    for number, turn in enumerate(turns):
        if not (folder / f"{turn.photo}.json").exists():
            scenario = _SEEN_FROM[number % len(_SEEN_FROM)]
            rng, board = np.random.default_rng((_SALT, seed, number)), turn.after.position.board
            picture, truth = draw_photo(rng, SIZE_PX, SCENARIOS[scenario], art, board, usual=usual)
            store_photo(folder, turn.photo, picture, {"scenario": scenario, **truth_document(truth)})
        yield turn.photo
