"""How a game lies in numbers: ids of cards, djinns and stages, tables of the board (rules 1, 4.2, 5.3, 5.4)."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from companion.rules.model.board import NEIGHBOURS, SQUARES, SURROUNDINGS, distance
from companion.rules.model.components import (
    CARD_COUNTS,
    SET_PRICES_GC,
    TILE_KINDS,
    TileAction,
)
from companion.rules.model.state import Stage

Ints = npt.NDArray[np.int16]
"""Values of many lanes, the lane along the last axis."""
Wide = npt.NDArray[np.integer[Any]]
"""The same of whole numbers of any width."""
Index = npt.NDArray[np.intp]
"""Lane numbers, squares or places, to index with."""

SEATS = 4
"""Places for players in a batch; a game of fewer leaves the last ones empty."""
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
    """Arrays side by side: `data` is [width, columns], and every name of `FIELDS` is a view into it, column last.

    The column comes last so that whole boards are added and compared in one sweep. Pickled, only `data` goes.
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
        """Columns to be filled in."""
        found = cls(np.zeros((cls.WIDTH, columns), dtype=cls.DTYPE))
        for name in cls.BLANK:
            getattr(found, name)[...] = NONE
        return found

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
