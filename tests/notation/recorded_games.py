"""Random games written down as they are played, for the tests of records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from companion.notation.records.header import new_header
from companion.notation.records.lines import BidsLine, Record, format_record
from companion.notation.records.recording import recorded
from companion.rules.engine.game import legal_actions, step
from companion.rules.engine.resuming import start_game
from companion.rules.engine.setup import random_setup
from companion.rules.model.actions import Action, ActTile, ActTribe, PlaceBid, UsePower
from companion.rules.model.board import NO_MEEPLES
from companion.rules.model.chance import SampledChance
from companion.rules.model.components import NO_GOODS, Colour
from companion.rules.model.position import Bid, Phase
from companion.rules.model.state import GameState
from tests.rules.random_games import random_choice

LONG = 10_000


def named_in(action: Action) -> set[str]:
    """Djinns whose powers an action pays for."""
    match action:
        case PlaceBid(fakirs=fakirs) if fakirs:
            return {"Kumarbi"}
        case UsePower():
            return {action.paid.djinn} | ({action.helper.djinn} if action.helper else set())
        case ActTribe() | ActTile():
            return {action.choice.helper.djinn} if action.choice.helper else set()
        case _:
            return set()


def stuck_game(*djinns: str, unseen: int = 0, turn_order: tuple[Bid, ...] = ()) -> str:
    """The text of a record that begins with a turn of blue, the last of the game, in which nobody can move (rules 9.2).

    Blue has these djinns, a fakir, and so many cards that nobody else has seen; `turn_order` are further turns.
    """
    setup = random_setup(2, 3)
    blue, pink = (replace(player, fakirs=0, goods=NO_GOODS, djinns=()) for player in setup.players)
    played = [Colour.PINK, Colour.PINK, Colour.BLUE, Colour.BLUE]
    for bid in turn_order:
        played.remove(bid.colour)
    position = replace(
        setup,
        board=tuple(replace(tile, meeples=NO_MEEPLES) for tile in setup.board),
        players=(replace(blue, fakirs=1, djinns=djinns), pink),
        djinns=(),
        to_move=Colour.BLUE,
        phase=Phase.TURN,
        bid_order=tuple(played),
        turn_order=turn_order,
    )
    return format_record(Record(new_header(position, {}, hidden={Colour.BLUE: unseen})))


def random_record(
    players: int, seed: int, *, promo: bool = False, djinn: str | None = None, most: int = LONG
) -> tuple[Record, GameState, set[str]]:
    """A random game, its last state, and the djinns whose powers were paid for; at most so many actions.

    With a `djinn`, the first player begins with it and with fakirs, and uses it where it can be used.
    """
    random = Random(f"{players}/{seed}/{djinn}")
    chance = SampledChance(random)
    position = random_setup(players, seed, promo=promo)
    if djinn is not None:
        face_up = tuple(name for name in position.djinns or () if name != djinn)
        first, *others = position.players
        holder = replace(first, djinns=(djinn,), fakirs=6)
        position = replace(position, djinns=face_up, row=("ivory", "fish"), players=(holder, *others))
    record = Record(new_header(position, {}, date="2026-02-14", promo=promo))
    state = start_game(position, promo=promo)
    used: set[str] = set()
    while not state.is_over and most:
        options = legal_actions(state)
        wanted = [option for option in options if djinn in named_in(option)]
        if wanted and random.random() < 0.5:
            options = tuple(wanted)
        action = random_choice(random, state, options, eager=seed % 4 > 1)
        done = step(state, action, chance)
        record = recorded(record, state, action, done)
        used |= named_in(action)
        state = done.state
        most -= 1
    return record, state, used


def stages_of(record: Record, most_rounds: int = LONG) -> Iterator[Record]:
    """A record as it was after each bid, turn and clean-up of its first rounds, from its beginning on."""
    yield Record(record.header)
    for number, line in enumerate(record.lines):
        entry = line.entry
        if isinstance(entry, BidsLine) and entry.round > most_rounds:
            return
        parts = [line]
        if isinstance(entry, BidsLine):
            begun = (replace(entry, bids=entry.bids[:count]) for count in range(1, len(entry.bids)))
            parts = [*(replace(line, entry=one) for one in begun), line]
        yield from (Record(record.header, (*record.lines[:number], part)) for part in parts)
