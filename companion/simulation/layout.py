"""How games and whole turns lie in arrays: ids, tables of the board, a batch of games, turns (rules 1 to 11)."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from companion.rules.model.board import NEIGHBOURS, SQUARES, SURROUNDINGS, distance
from companion.rules.model.components import (
    BID_SPOTS,
    CARD_COUNTS,
    FACE_UP_DJINNS,
    ROW_LENGTH,
    SET_PRICES_GC,
    TILE_KINDS,
    TileAction,
)
from companion.rules.model.state import Stage
from companion.simulation.djinns import DJINN_COUNT

Ints = npt.NDArray[np.int16]
"""Values of many lanes, the lane along the last axis."""
Wide = npt.NDArray[np.integer[Any]]
"""The same of whole numbers of any width."""
Index = npt.NDArray[np.intp]
"""Lane numbers, squares or places, to index with."""

SEATS = 4
"""Places for players in a batch; a game of fewer leaves the last ones empty."""
SEAT_NUMBERS = np.arange(SEATS)[:, None]
"""Of [SEATS, lanes], which row is whose."""
TRIBES = 5
NONE = -1
"""What stands for nobody, no card, no djinn, no square."""

CARDS: tuple[str, ...] = tuple(CARD_COUNTS)
"""Resource cards by id: 0 is the fakir, 1 to 9 the goods in the order of `components.GOODS`."""
CARD_ID: dict[str, int] = {name: number for number, name in enumerate(CARDS)}
FAKIR_ID = 0
CARDS_IN_BOX = sum(CARD_COUNTS.values())

STAGES: tuple[Stage, ...] = tuple(Stage)
STAGE_ID: dict[Stage, int] = {stage: number for number, stage in enumerate(STAGES)}
NOT_ENDING, LAST_CAMEL, NO_MOVE = range(3)
"""Values of `Batch.ending` (rules 9)."""
BID, MOVE, SOW, TRIBE, TILE, CLOSE, SELL, KEEP, END = STAGE_ID.values()

KINDS: tuple[str, ...] = tuple(TILE_KINDS)
"""Kinds of tiles by id."""
KIND_ID: dict[str, int] = {code: number for number, code in enumerate(KINDS)}
TILE_VP: Ints = np.array([kind.vp for kind in TILE_KINDS.values()], dtype=np.int16)
TILE_BLUE: npt.NDArray[np.bool_] = np.array([kind.blue for kind in TILE_KINDS.values()])
ACTIONS: tuple[TileAction, ...] = tuple(TileAction)
ACTION_ID: dict[TileAction, int] = {action: number for number, action in enumerate(ACTIONS)}
TILE_ACTION: Ints = np.array([ACTION_ID[kind.action] for kind in TILE_KINDS.values()], dtype=np.int16)
OASIS = ACTION_ID[TileAction.OASIS]
VILLAGE = ACTION_ID[TileAction.VILLAGE]
SMALL_MARKET = ACTION_ID[TileAction.SMALL_MARKET]
LARGE_MARKET = ACTION_ID[TileAction.LARGE_MARKET]
SACRED_PLACE = ACTION_ID[TileAction.SACRED_PLACE]

SET_PRICES: Ints = np.array(SET_PRICES_GC, dtype=np.int16)

SQUARE_BITS: npt.NDArray[np.uint32] = np.uint32(1) << np.arange(SQUARES, dtype=np.uint32)
"""Bit s for square s: sets of squares are numbers."""
DISTANCE: Ints = np.array(
    [[distance(square, other) for other in range(SQUARES)] for square in range(SQUARES)], dtype=np.int16
)
"""Orthogonal steps between squares, [from, to] (rules 5.4)."""
AROUND: Ints = np.array(
    [[int(other == square or other in SURROUNDINGS[square]) for other in range(SQUARES)] for square in range(SQUARES)],
    dtype=np.int16,
)
"""1 for the square itself and the up to eight around it, [square, other] (rules 5.3)."""
NEIGHBOUR_TABLE: Ints = np.array(
    [[*NEIGHBOURS[square], *(NONE,) * (4 - len(NEIGHBOURS[square]))] for square in range(SQUARES)], dtype=np.int16
)
"""Orthogonal neighbours, [square, 4], filled up with NONE."""


class FieldArray:
    """Arrays side by side: `data` is [width, columns], each name of `FIELDS` a view into it, the column last, so that
    whole boards are added in one sweep. Only `data` is pickled.
    """

    FIELDS: ClassVar[Mapping[str, tuple[int, ...]]]
    """The shape of each field, the column's axis left out."""
    PLACES: ClassVar[dict[str, slice]]
    """The rows of `data` that each field takes."""
    WIDTH: ClassVar[int]
    DTYPE: ClassVar[type[np.integer[Any]]] = np.int16
    BLANK: ClassVar[tuple[str, ...]]
    """Fields that are NONE where nothing is noted yet, not 0."""

    def __init_subclass__(cls) -> None:
        cls.PLACES, cls.WIDTH = {}, 0
        for name, shape in cls.FIELDS.items():
            cls.PLACES[name] = slice(cls.WIDTH, cls.WIDTH + prod(shape))
            cls.WIDTH += prod(shape)

    def __init__(self, data: npt.NDArray[Any]) -> None:
        self.data = data

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        # A field is made when it is first asked for: making them all takes as long as copying some hundred columns.
        if name not in self.PLACES:
            raise AttributeError(f"there is no field {name!r}")
        view = self.data[self.PLACES[name]].reshape(*self.FIELDS[name], self.data.shape[1])
        self.__dict__[name] = view
        return view

    def __reduce__(self) -> tuple[type[Self], tuple[npt.NDArray[Any]]]:
        return type(self), (self.data,)

    @classmethod
    def blank(cls, columns: int) -> Self:
        blank = cls(np.zeros((cls.WIDTH, columns), dtype=cls.DTYPE))
        for name in cls.BLANK:
            getattr(blank, name)[...] = NONE
        return blank

    def __len__(self) -> int:
        return int(self.data.shape[1])

    def select(self, columns: Index | npt.NDArray[np.bool_] | list[int]) -> Self:
        """A copy of these columns, in this order; one may be named more than once."""
        if isinstance(columns, np.ndarray) and columns.dtype == np.bool_:
            columns = np.flatnonzero(columns)
        if len(self) == 1:
            # Many copies of one column are made twenty times as fast this way.
            return type(self)(np.repeat(self.data, len(columns), axis=1))
        return type(self)(np.take(self.data, columns, axis=1))


MAX_TABLED_HAND = 16
"""Meeples in a hand whose walks are tabled; larger hands end where those of the same parity do."""


class Batch(FieldArray):
    """Games side by side.

    Unlike a `GameState` it changes in place, and holds no unknown: a hidden card is drawn before a game gets here.
    """

    FIELDS: ClassVar[dict[str, tuple[int, ...]]] = {
        # The sultanate.
        "meeples": (SQUARES, TRIBES),
        "camel": (SQUARES,),  # seat of the owner, or NONE
        "palms": (SQUARES,),
        "palaces": (SQUARES,),
        "kind": (SQUARES,),  # id in layout.KINDS; never changes
        "tile_vp": (SQUARES,),  # follows from kind
        "tile_action": (SQUARES,),  # follows from kind
        "blue_around": (SQUARES,),  # blue-valued tiles here and around (rules 5.3); follows from kind
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
        "ending": (),  # whether the round is the last, and why: NOT_ENDING and so on
        "used": (DJINN_COUNT,),  # powers paid for in this turn
        "income": (),  # GC that builders brought in this turn
        "factor": (),  # what builders bring is multiplied by (rules 11.9)
        "end": (),  # end tile of the turn, NONE before 4.7
        "tribe": (),  # taken in hand
        "count": (),
        "drawn": (FACE_UP_DJINNS,),  # djinns to keep one of
        "resume": (),  # stage that goes on after keeping
        # Chance: what is not in the decks follows from these (see decks.uniform).
        "world": (),
        "clock": (),
    }
    BLANK = ("camel", "row", "face_up", "bid_order", "turn_seat", "turn_price", "end", "tribe", "drawn")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Ints: ...

    @property
    def playing(self) -> npt.NDArray[np.bool_]:
        """Which seats somebody has, [SEATS, lanes]."""
        return np.asarray(self.seats > SEAT_NUMBERS)


MAX_HAND = 24
"""Steps that a turn has room for; a larger hand is left out."""
POWERS = 4
"""Powers of their own that a turn has room for."""
SALES = 3
VICTIM_IN_FRONT = 30
NOT_PAID = NONE

_ZERO = ("length", "fakirs", "djinn_fakir", "sale", "power_when", "power_fakirs")


class Turns(FieldArray):
    FIELDS: ClassVar[dict[str, tuple[int, ...]]] = {
        "start": (),  # square lifted; NONE where the move is skipped (rules 9.2)
        "length": (),  # meeples lifted
        # Tribe action (rules 5): what does not bear on the tribe taken is not read.
        "fakirs": (),  # discarded for builders or assassins, besides what a second kill costs
        "victim": (2,),  # square of the victim, or VICTIM_IN_FRONT + seat; NONE for none
        "victim_tribe": (2,),  # in front of a seat a vizier or an elder
        "double_paid": (),  # how the second kill was paid: NOT_PAID, or the fakirs in the price (0 or 1)
        # Tile action (rules 6): what does not bear on the kind of the end tile is not read; left out where NONE.
        "bought": (2,),  # places in the row after merchants took theirs, in any order; NONE for no card
        "djinn": (),
        "djinn_fakir": (),  # 1: an elder and a fakir, 0: two elders
        "divert": (),  # fakirs in the price of putting a palm or palace elsewhere (rules 11.5), or NOT_PAID
        "onto": (),  # the square that the palm or palace goes to then
        # Powers that are actions of their own (rules 11), those of one stage in the order of their places.
        "power": (POWERS,),  # djinn id, NONE for none
        "power_when": (POWERS,),  # stage id: MOVE, TRIBE, TILE or CLOSE; before what the stage itself decides
        "power_fakirs": (POWERS,),  # fakirs in the price, the rest being elders
        "power_square": (POWERS,),  # the tile that it works on, NONE for none
        "power_divert": (POWERS,),  # as divert, for powers that build (rules 11.5)
        "power_onto": (POWERS,),
        # Sales (rules 7.1), in order: bit g - 1 of a set for good g in layout.CARDS, 0 for no sale.
        "sale": (SALES,),
        # The sowing comes last, for turns are decided before it's chosen (see candidates.Candidates).
        "path": (MAX_HAND,),  # squares stepped on, the first `length` of them
        "drops": (MAX_HAND,),  # tribe left on each
    }
    BLANK = tuple(name for name in FIELDS if name not in _ZERO)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Ints: ...
