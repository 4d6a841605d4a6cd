"""From the rules' states to batches: `pack` lays states side by side, `sample_worlds` games that fit what is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from random import Random

import numpy as np
import numpy.typing as npt

from companion.rules.engine.djinns import djinns_in_game
from companion.rules.engine.game import END_TURN
from companion.rules.model.actions import (
    Action,
    ActTile,
    ActTribe,
    Paid,
    Sell,
    Sow,
    Sowing,
    TileChoice,
    TribeChoice,
    UsePower,
)
from companion.rules.model.board import SQUARES, Board
from companion.rules.model.components import (
    BID_SPOTS,
    CARD_COUNTS,
    FACE_UP_DJINNS,
    GOODS,
    ROW_LENGTH,
    Colour,
    Tribe,
    camels_in_box,
)
from companion.rules.model.events import Victim
from companion.rules.model.position import Player, Position
from companion.rules.model.state import Ending, GameState, Stage, TurnProgress
from companion.simulation import decks
from companion.simulation.djinns import (
    DIVERTING,
    DJINN_ID,
    DJINN_NAMES,
    DOUBLE_KILLING,
    DRAWING_DJINNS,
    PAYMENTS,
    REAPING,
)
from companion.simulation.layout import (
    AROUND,
    CARD_ID,
    CARDS,
    KIND_ID,
    LAST_CAMEL,
    NO_MOVE,
    NONE,
    NOT_ENDING,
    NOT_PAID,
    POWERS,
    STAGE_ID,
    TILE_ACTION,
    TILE_BLUE,
    TILE_VP,
    TRIBES,
    VICTIM_IN_FRONT,
    Batch,
    Ints,
    Turns,
)
from companion.simulation.unknowns import is_known, sample_unknowns

_ENDINGS: dict[Ending | None, int] = {None: NOT_ENDING, Ending.LAST_CAMEL: LAST_CAMEL, Ending.NO_MOVE: NO_MOVE}
_CARD_COUNTS: Ints = np.array(list(CARD_COUNTS.values()), dtype=np.int16)


def pack(states: Sequence[GameState], worlds: Sequence[int]) -> Batch:
    """Games side by side, a lane each; where nobody knows the order of the decks it is drawn from the lane's world.

    Cards that are hidden in a hand stay out of the decks and of the hands: whoever wants to know them names them in
    the states first. Raises ValueError where a state holds another unknown, or a hand is on its way (stage SOW).
    """
    distinct: dict[int, int] = {}
    for state in states:
        distinct.setdefault(id(state), len(distinct))
    batch = Batch.blank(len(distinct))
    packed = set()
    for state in states:
        if id(state) not in packed:
            packed.add(id(state))
            _fill(batch, distinct[id(state)], state)
    batch.tile_vp[...] = TILE_VP[batch.kind]
    batch.tile_action[...] = TILE_ACTION[batch.kind]
    batch.blue_around[...] = AROUND @ TILE_BLUE[batch.kind].astype(np.int16)
    batch = batch.select([distinct[id(state)] for state in states])
    batch.world[...] = worlds
    _shuffle(batch, states)
    return batch


def _shuffle(batch: Batch, states: Sequence[GameState]) -> None:
    """Decks of what lies nowhere else; hidden cards are in hands, and nobody knows which they are."""
    everywhere = np.arange(len(batch))
    unseen = _CARD_COUNTS[:, None] - batch.discards - batch.cards.sum(axis=0, dtype=np.int16)
    for card in range(len(CARDS)):
        unseen[card] -= (batch.row == card).sum(axis=0, dtype=np.int16)
    unseen = np.maximum(unseen, 0)
    batch.deck[...] = decks.card_order(batch, everywhere, unseen)
    size = np.maximum(unseen.sum(axis=0) - batch.hidden.sum(axis=0), 0)
    batch.deck_size[...] = size
    batch.deck[np.arange(len(batch.deck))[:, None] >= size] = NONE
    in_game = np.array([[name in djinns_in_game(promo=state.promo) for state in states] for name in DJINN_NAMES])
    there = (in_game & ~batch.owns.any(axis=0) & ~batch.djinn_discards.astype(bool)).astype(np.int16)
    for shown in (*batch.face_up, *batch.drawn):
        lanes = np.nonzero(shown != NONE)[0]
        there[shown[lanes], lanes] = 0
    batch.djinn_deck[...] = decks.djinn_order(batch, everywhere, there)
    batch.djinn_size[...] = there.sum(axis=0)


def _fill(batch: Batch, lane: int, state: GameState) -> None:
    """Everything of a state but the decks."""
    position, progress = state.position, state.progress
    if state.stage is Stage.SOW:
        raise ValueError("a hand is on its way; play the whole sowing first")
    if position.row is None or position.djinns is None or position.discards is None:
        raise ValueError("the row, the face-up djinns and the discards must be known")
    if position.bid_order is None or position.turn_order is None:
        raise ValueError("both tracks must be known")
    seat = {player.colour: number for number, player in enumerate(position.players)}
    _fill_board(batch, lane, position.board, seat)
    for player in position.players:
        _fill_player(batch, lane, seat[player.colour], player, position)
    batch.hidden[: len(state.hidden), lane] = state.hidden
    batch.seats[lane] = len(seat)
    batch.row[:, lane] = _filled_up((CARD_ID[card] for card in position.row), ROW_LENGTH)
    batch.face_up[:, lane] = _filled_up((DJINN_ID[name] for name in position.djinns), FACE_UP_DJINNS)
    for card, number in Counter(position.discards).items():
        batch.discards[CARD_ID[card], lane] = number
    batch.djinn_discards[[DJINN_ID[name] for name in state.djinn_discards], lane] = 1
    batch.bid_order[:, lane] = _filled_up((seat[colour] for colour in position.bid_order), BID_SPOTS)
    batch.turn_seat[:, lane] = _filled_up((seat[bid.colour] for bid in position.turn_order), BID_SPOTS)
    batch.turn_price[:, lane] = _filled_up((bid.price for bid in position.turn_order), BID_SPOTS)
    batch.mover[lane] = 0 if position.to_move is None else seat[position.to_move]
    batch.stage[lane] = STAGE_ID[state.stage]
    batch.ending[lane] = _ENDINGS[state.ending]
    _fill_progress(batch, lane, progress)


def _fill_board(batch: Batch, lane: int, board: Board, seat: dict[Colour, int]) -> None:
    meeples = chain.from_iterable(tile.meeples for tile in board)
    batch.meeples[:, :, lane] = np.fromiter(meeples, dtype=np.int16, count=SQUARES * TRIBES).reshape(SQUARES, TRIBES)
    batch.camel[:, lane] = [NONE if tile.camel is None else seat[tile.camel] for tile in board]
    batch.palms[:, lane] = [tile.palms for tile in board]
    batch.palaces[:, lane] = [tile.palaces for tile in board]
    batch.kind[:, lane] = [KIND_ID[tile.kind.code] for tile in board]


def _fill_player(batch: Batch, lane: int, seat: int, player: Player, position: Position) -> None:
    if player.gold is None or player.viziers is None or player.elders is None:
        raise ValueError(f"the gold, viziers and elders of {player.colour} must be known")
    if player.fakirs is None or player.goods is None or player.djinns is None:
        raise ValueError(f"the cards and djinns of {player.colour} must be known")
    batch.gold[seat, lane] = player.gold
    batch.viziers[seat, lane] = player.viziers
    batch.elders[seat, lane] = player.elders
    batch.cards[seat, :, lane] = (player.fakirs, *player.goods)
    batch.owns[seat, [DJINN_ID[name] for name in player.djinns], lane] = 1
    placed = sum(tile.camel is player.colour for tile in position.board)
    batch.camels[seat, lane] = camels_in_box(player.colour, len(position.players)) - placed


def _fill_progress(batch: Batch, lane: int, progress: TurnProgress) -> None:
    batch.used[[DJINN_ID[name] for name in progress.used], lane] = 1
    batch.income[lane] = progress.income
    batch.factor[lane] = progress.factor
    if progress.taken is not None:
        batch.end[lane] = progress.taken.end
        batch.tribe[lane] = progress.taken.tribe
        batch.count[lane] = progress.taken.count
    batch.drawn[:, lane] = _filled_up((DJINN_ID[name] for name in progress.drawn), FACE_UP_DJINNS)
    batch.resume[lane] = 0 if progress.resume is None else STAGE_ID[progress.resume]


def _filled_up(ids: Iterable[int], length: int) -> list[int]:
    there = list(ids)
    return there + [NONE] * (length - len(there))


WORLD_IDS = 1 << 15
"""Ids of worlds are below this: what a number of 16 bits holds without its sign."""


def world_ids(count: int, seed: int) -> list[int]:
    """That many different ids of worlds; fewer are the first of them. Raises ValueError beyond `WORLD_IDS`."""
    if count > WORLD_IDS:
        raise ValueError(f"there are {WORLD_IDS} different worlds, not {count}")
    random = Random(f"worlds {seed}").random
    ids: dict[int, None] = {}
    while len(ids) < count:
        ids[int(random() * WORLD_IDS)] = None
    return list(ids)


def sample_worlds(state: GameState, count: int, seed: int, first: int = 0) -> Batch:
    """That many complete games that fit what is known, one a lane, each with luck of its own; from number `first` on.

    What is known is the same in all, what isn't is drawn by `sample_unknowns`, and decks lie in the order that
    follows from a lane's world: a `GameState` has none that could show. The same seed gives the same worlds, a smaller
    count the first of them. `state` is a possible position that lists everybody who plays.
    Raises ValueError if a hand is on its way (stage SOW).
    """
    ids = world_ids(first + count, seed)[first:]
    if is_known(state):
        return pack([state] * count, ids)
    return pack([sample_unknowns(state, Random(f"world {world} of {seed}")) for world in ids], ids)


_FIRST_WORLDS = 64
_MOST_MORE = 512
"""At most this many worlds are drawn beyond those asked for, no more than there are already."""


class Worlds:
    """Whole games that a search tries something in, up to `size`; `draw` gives that many from a number on."""

    def __init__(self, draw: Callable[[int, int], Batch], size: int = WORLD_IDS) -> None:
        self.size, self._draw = size, draw
        self.drawn = draw(min(size, _FIRST_WORLDS), 0)

    @classmethod
    def of(cls, state: GameState, seed: int, size: int = WORLD_IDS) -> Worlds:
        """Games that fit what is known, as `sample_worlds` gives them."""
        return cls(lambda count, first: sample_worlds(state, count, seed, first), size)

    def draw_up_to(self, count: int) -> Batch:
        """Draw that many worlds, or all there are, and perhaps a few more."""
        here = len(self.drawn)
        if min(count, self.size) > here:
            more = min(max(count - here, min(here, _MOST_MORE)), self.size - here)
            self.drawn = Batch(np.concatenate([self.drawn.data, self._draw(more, here).data], axis=1))
        return self.drawn


def turns_to_actions(root: Batch, turns: Turns, column: int, state: GameState) -> tuple[tuple[Action, ...], bool]:
    """The actions of a turn from `state`, lane 0 of `root`, with `EndTurn`; and whether they are cut off after one that
    draws what nobody has seen.
    """
    actions: list[Action] = []
    for action in _decided(root, turns, column, state):
        actions.append(action)
        if draws(state, action):
            return tuple(actions), True
    return (*actions, END_TURN), False


def draws(state: GameState, action: Action) -> bool:
    """Whether an action draws what nobody has seen: by a power, or for a merchant who is reaped."""
    if isinstance(action, UsePower):
        return action.paid.djinn in DRAWING_DJINNS
    if isinstance(action, ActTribe) and state.mover is not None:
        merchants = any(victim.tribe is Tribe.MERCHANT for victim in action.choice.victims)
        return merchants and DJINN_NAMES[REAPING] in (state.player(state.mover).djinns or ())
    return False


def drawing_turns(root: Batch, turns: Turns) -> npt.NDArray[np.bool_]:
    """Which turns of the root's mover may draw what nobody has seen, by a power or for a victim."""
    draws = np.isin(turns.power, [DJINN_ID[name] for name in DRAWING_DJINNS]).any(axis=0)
    return np.asarray(draws | (root.owns[root.mover[0], REAPING, 0] & (turns.victim != NONE).any(axis=0)) > 0)


def _decided(root: Batch, turns: Turns, column: int, state: GameState) -> Iterator[Action]:
    """Every decision of a turn that its column names, in order."""
    yield from _powers(root, turns, column, Stage.MOVE)
    if turns.start[column] != NONE:
        length = int(turns.length[column])
        path = tuple(int(square) for square in turns.path[:length, column])
        drops = tuple(Tribe(int(tribe)) for tribe in turns.drops[:length, column])
        yield Sow(Sowing(int(turns.start[column]), path, drops))
        yield from _powers(root, turns, column, Stage.TRIBE)
        yield ActTribe(_tribe_choice(turns, column, drops[-1], state))
        yield from _powers(root, turns, column, Stage.TILE)
        yield ActTile(_tile_choice(root, turns, column, path[-1]))
    yield from _powers(root, turns, column, Stage.CLOSE)
    for goods in turns.sale[:, column].tolist():
        if goods:
            yield Sell(tuple(good for place, good in enumerate(GOODS) if goods >> place & 1))


def _tribe_choice(turns: Turns, column: int, tribe: Tribe, state: GameState) -> TribeChoice:
    if tribe not in (Tribe.BUILDER, Tribe.ASSASSIN):
        return TribeChoice()
    fakirs = int(turns.fakirs[column])
    victims = [
        _victim(int(where), int(who), state)
        for where, who in zip(turns.victim[:, column], turns.victim_tribe[:, column], strict=True)
        if where != NONE and tribe is Tribe.ASSASSIN
    ]
    helper = (
        None
        if turns.double_paid[column] == NOT_PAID or not victims
        else _paid(DOUBLE_KILLING, int(turns.double_paid[column]))
    )
    return TribeChoice(
        fakirs, victims[0] if victims else None, victims[1] if helper is not None and len(victims) > 1 else None, helper
    )


def _victim(where: int, who: int, state: GameState) -> Victim:
    if where >= VICTIM_IN_FRONT:
        return Victim(Tribe(who), owner=state.position.players[where - VICTIM_IN_FRONT].colour)
    return Victim(Tribe(who), square=where)


def _tile_choice(root: Batch, turns: Turns, column: int, end: int) -> TileChoice:
    cards = tuple(sorted(int(place) for place in turns.bought[:, column] if place != NONE))
    if turns.divert[column] != NOT_PAID:
        helper = _paid(DIVERTING[int(root.tile_action[end, 0])], int(turns.divert[column]))
        return TileChoice(helper=helper, onto=int(turns.onto[column]))
    djinn = int(turns.djinn[column])
    if djinn != NONE:
        return TileChoice(djinn=DJINN_NAMES[djinn], with_fakir=bool(turns.djinn_fakir[column]))
    return TileChoice(cards)


def _powers(root: Batch, turns: Turns, column: int, stage: Stage) -> Iterator[UsePower]:
    for place in range(POWERS):
        djinn = int(turns.power[place, column])
        if djinn == NONE or turns.power_when[place, column] != STAGE_ID[stage]:
            continue
        square = int(turns.power_square[place, column])
        helper, onto = None, None
        if turns.power_divert[place, column] != NOT_PAID:
            helper = _paid(DIVERTING[int(root.tile_action[square, 0])], int(turns.power_divert[place, column]))
            onto = int(turns.power_onto[place, column])
        paid = _paid(djinn, int(turns.power_fakirs[place, column]))
        yield UsePower(paid, None if square == NONE else square, helper, onto)


def _paid(djinn: int, fakirs: int) -> Paid:
    """The way to pay for a power with that many fakirs."""
    return next(Paid(DJINN_NAMES[djinn], *cost) for cost in PAYMENTS[djinn] if cost[1] == fakirs)
