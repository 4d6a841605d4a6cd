"""A batch of games: every field an array whose last axis is the lane, one lane a game (rules 1 to 11).

Lanes lie last so that whole boards are added and compared in one sweep over memory.
"""

from __future__ import annotations

from math import prod

import numpy as np

from companion.rules.model.board import SQUARES
from companion.rules.model.components import BID_SPOTS, FACE_UP_DJINNS, ROW_LENGTH
from companion.simulation.layout import (
    CARDS,
    CARDS_IN_BOX,
    DJINN_COUNT,
    NONE,
    SEATS,
    TRIBES,
    Index,
    Ints,
    field_places,
    field_rows,
)

FIELDS: dict[str, tuple[int, ...]] = {
    # The sultanate.
    "meeples": (SQUARES, TRIBES),
    "camel": (SQUARES,),  # seat of the owner, or NONE
    "palms": (SQUARES,),
    "palaces": (SQUARES,),
    "kind": (SQUARES,),  # id in layout.KINDS; never changes
    "tile_vp": (SQUARES,),  # follows from kind
    "tile_action": (SQUARES,),  # follows from kind
    "blue_around": (SQUARES,),  # blue-valued tiles among the square and those around it (rules 5.3); follows from kind
    # Cards on offer and in the decks; ids, NONE where there is none.
    "row": (ROW_LENGTH,),
    "face_up": (FACE_UP_DJINNS,),
    "deck": (CARDS_IN_BOX,),  # in drawing order: deck[deck_next] is the top card, those from deck_size on are void
    "deck_next": (),
    "deck_size": (),
    "djinn_deck": (DJINN_COUNT,),
    "djinn_next": (),
    "djinn_size": (),
    "discards": (len(CARDS),),  # resource cards put away, by id
    "djinn_discards": (DJINN_COUNT,),  # 1 for each djinn put away
    # Players by seat, the place in position.players.
    "gold": (SEATS,),
    "viziers": (SEATS,),
    "elders": (SEATS,),
    "camels": (SEATS,),  # left to place
    "cards": (SEATS, len(CARDS)),  # hand: [seat, 0] fakirs, [seat, 1:] goods
    "hidden": (SEATS,),  # cards in hand that nobody else has seen
    "owns": (SEATS, DJINN_COUNT),  # 1 for each own djinn
    "seats": (),  # players in the game
    # Round and turn.
    "bid_order": (BID_SPOTS,),  # seats, NONE at the end, as GameState has it
    "turn_seat": (BID_SPOTS,),  # markers on the turn order track still to play, in playing order
    "turn_price": (BID_SPOTS,),
    "mover": (),
    "stage": (),  # id in layout.STAGES
    "ending": (),  # 0 the round is not the last, 1 last camel, 2 no move
    "used": (DJINN_COUNT,),  # powers paid for in this turn
    "income": (),  # GC that builders brought in this turn
    "factor": (),  # what builders bring is multiplied by (rules 11.9)
    "end": (),  # end tile of the turn, NONE before 4.7
    "tribe": (),  # taken in hand
    "count": (),
    "drawn": (FACE_UP_DJINNS,),  # djinns to keep one of
    "resume": (),  # stage that goes on after keeping
    # Chance: what is not in the decks follows from these (see chance.uniform).
    "world": (),
    "clock": (),
}
"""Fields of a batch and their shapes, the lane's axis left out."""

WIDTH = sum(prod(shape) for shape in FIELDS.values())
"""Numbers a lane."""

PLACES = field_places(FIELDS)
"""The rows of `Batch.data` that each field takes, and its shape."""


class Batch:
    """Games side by side. `data` is [WIDTH, lanes]; every name of `FIELDS` is a view into it, lane last.

    Unlike a `GameState` it changes in place, and holds no unknown: a hidden card is drawn before a game gets here.
    """

    meeples: Ints
    camel: Ints
    palms: Ints
    palaces: Ints
    kind: Ints
    tile_vp: Ints
    tile_action: Ints
    blue_around: Ints
    row: Ints
    face_up: Ints
    deck: Ints
    deck_next: Ints
    deck_size: Ints
    djinn_deck: Ints
    djinn_next: Ints
    djinn_size: Ints
    discards: Ints
    djinn_discards: Ints
    gold: Ints
    viziers: Ints
    elders: Ints
    camels: Ints
    cards: Ints
    hidden: Ints
    owns: Ints
    seats: Ints
    bid_order: Ints
    turn_seat: Ints
    turn_price: Ints
    mover: Ints
    stage: Ints
    ending: Ints
    used: Ints
    income: Ints
    factor: Ints
    end: Ints
    tribe: Ints
    count: Ints
    drawn: Ints
    resume: Ints
    world: Ints
    clock: Ints

    __slots__ = ("data", *FIELDS)

    def __init__(self, data: Ints) -> None:
        self.data = data

    def __getattr__(self, name: str) -> Ints:
        # A field is made when it is first asked for: to make them all takes as long as copying some hundred lanes.
        rows, shape = field_rows(PLACES, name)
        view = self.data[rows].reshape(*shape, self.data.shape[1])
        setattr(self, name, view)
        return view

    def __reduce__(self) -> tuple[type[Batch], tuple[Ints]]:
        # A pickle of the fields made so far would come back as arrays of their own.
        return Batch, (self.data,)

    @classmethod
    def blank(cls, lanes: int) -> Batch:
        """Lanes to be filled: everything 0, and NONE where nothing is another number."""
        batch = cls(np.zeros((WIDTH, lanes), dtype=np.int16))
        for name in ("camel", "row", "face_up", "bid_order", "turn_seat", "turn_price", "end", "tribe", "drawn"):
            getattr(batch, name)[...] = NONE
        return batch

    def __len__(self) -> int:
        return int(self.data.shape[1])

    def select(self, lanes: Index | list[int]) -> Batch:
        """A copy of these lanes, in this order; a lane may be named more than once."""
        if len(self) == 1:
            # Many copies of one game are made twenty times as fast this way.
            return Batch(np.repeat(self.data, len(lanes), axis=1))
        return Batch(np.take(self.data, lanes, axis=1))
