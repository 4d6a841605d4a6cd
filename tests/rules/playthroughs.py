"""Seeded games written out as text, one for each number of players.

`python -m tests.rules.playthroughs` writes them anew into `playthroughs/`. A change of the rules shows as
a difference in these files, for a person to read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from random import Random

from companion.notation.tokens import format_board
from companion.rules.engine.game import Step, legal_actions, step
from companion.rules.engine.resuming import start_game
from companion.rules.engine.scoring import score, winners
from companion.rules.engine.setup import random_setup
from companion.rules.model import events as happened
from companion.rules.model.actions import (
    Action,
    Drop,
    EndTurn,
    Lift,
    Sow,
    Sowing,
    in_words,
)
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import GOODS, Tribe
from companion.rules.model.position import Player
from companion.rules.model.state import GameState, Stage
from tests.rules.random_games import random_choice

FOLDER = Path(__file__).parent / "playthroughs"

GAMES = {f"{players}-players": players for players in (2, 3, 4)}
"""Players, who are the seed too, by the name of the file."""


def play(players: int) -> Iterator[str]:
    """The game, line by line."""
    random = Random(players)
    chance = SampledChance(random)
    state = start_game(random_setup(players, players))
    yield f"A random game of {players} players, seed {players}"
    number = 0
    while not state.is_over:
        if state.stage is Stage.BID and len(state.position.turn_order) == 0:
            number += 1
            yield from ("", f"Round {number}", *table_lines(state), "")
        before = state
        action, done = take(random, chance, state)
        state = done.state
        yield f"{before.mover}: {action}"
        yield from (f"    {line}" for line in map(words, done.events) if line)
        if isinstance(action, EndTurn):
            yield ""
    yield from ("", "The end", *table_lines(state), "")
    scores = score(state.position)
    yield from (f"{colour}: {result.total} = {result.points}" for colour, result in scores.items())
    yield f"won by {' and '.join(winners(scores))}"


def take(random: Random, chance: SampledChance, state: GameState) -> tuple[Action, Step]:
    """One action, a sowing as a whole."""
    action = random_choice(random, state, legal_actions(state), eager=True)
    if not isinstance(action, Lift):
        return action, step(state, action, chance)
    way: list[Drop] = []
    on_its_way = step(state, action).state
    while on_its_way.stage is Stage.SOW:
        drop = random_choice(random, on_its_way, legal_actions(on_its_way), eager=True)
        assert isinstance(drop, Drop)
        way.append(drop)
        on_its_way = step(on_its_way, drop).state
    sow = Sow(Sowing(action.square, tuple(drop.square for drop in way), tuple(drop.tribe for drop in way)))
    return sow, step(state, sow)


def table_lines(state: GameState) -> Iterator[str]:
    """The table: board, cards, players."""
    position = state.position
    yield from format_board(position.board).splitlines()
    yield f"row: {' '.join(position.row)}"
    yield f"djinns: {', '.join(position.djinns)}"
    yield from (f"{player.colour}: {holdings(player)}" for player in position.players)


def holdings(player: Player) -> str:
    """What a player has, in words."""
    goods = [f"{count} {name}" for name, count in zip(GOODS, player.goods, strict=True) if count]
    parts = [
        f"{player.gold} GC",
        f"{player.viziers} viziers",
        in_words(player.elders, player.fakirs),
        *goods,
        *player.djinns,
    ]
    return ", ".join(parts)


QUIET = (happened.MeepleDropped, happened.GoodsSold)


def words(event: happened.Event) -> str:
    """An event as "tile claimed: c4"; nothing for what the action says."""
    if isinstance(event, QUIET):
        return ""
    name = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in type(event).__name__).strip()
    values = [word(field.name, getattr(event, field.name)) for field in fields(event) if field.name != "by"]
    return f"{name}: {' '.join(values)}".rstrip(": ")


def word(name: str, value: object) -> str:
    """A field of an event in short."""
    if name == "square" and isinstance(value, int):
        return SQUARE_NAMES[value]
    if isinstance(value, Tribe):
        return value.noun
    if isinstance(value, happened.Victim):
        return f"{value.tribe.noun} {value.owner if value.square is None else SQUARE_NAMES[value.square]}"
    if isinstance(value, tuple):
        return ", ".join(word("", item) for item in value)
    if name in ("price", "gold", "paid"):
        return f"{value} GC"
    if name in ("elders", "fakirs", "builders", "blue", "factor"):
        return f"{name} {value}"
    return str(value)


def text(name: str) -> str:
    """The whole file of a game."""
    return "\n".join(play(GAMES[name])) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        (FOLDER / f"{game}.txt").write_text(text(game), encoding="utf-8")
