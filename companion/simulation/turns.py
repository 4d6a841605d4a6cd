"""Whole turns as arrays, one column a lane: every decision from lifting the meeples to the sale (rules 4 to 7, 11)."""

from __future__ import annotations

from math import prod

import numpy as np

from companion.simulation.layout import NONE, Index, Ints, field_places, field_rows

LONGEST_HAND = 24
"""Steps that a turn has room for; a larger hand is left out."""
POWERS = 4
"""Powers of their own that a turn has room for."""
SALES = 3

TURN_FIELDS: dict[str, tuple[int, ...]] = {
    "start": (),  # square lifted; NONE where the move is skipped (rules 9.2)
    "length": (),  # meeples lifted
    "path": (LONGEST_HAND,),  # squares stepped on, the first `length` of them
    "drops": (LONGEST_HAND,),  # tribe left on each
    # Tribe action (rules 5): what does not bear on the tribe taken is not read.
    "fakirs": (),  # discarded for builders or assassins, beside what Iblis costs
    "victim": (2,),  # square of the victim, or VICTIM_IN_FRONT + seat; NONE for none
    "victim_tribe": (2,),  # in front of a seat a vizier or an elder
    "iblis": (),  # how the second kill was paid: NOT_PAID, or the fakirs in the price (0 or 1)
    # Tile action (rules 6): what does not bear on the kind of the end tile is not read, and it is left out where NONE.
    "bought": (2,),  # places in the row after merchants took theirs and it closed up, in any order; NONE for no card
    "djinn": (),
    "djinn_fakir": (),  # 1: an elder and a fakir, 0: two elders
    "divert": (),  # Hagis or Lamia in the tile action: NOT_PAID, or the fakirs in the price (0 or 1)
    "onto": (),  # the square that the palm or palace goes to then
    # Powers that are actions of their own (rules 11), those of one stage in the order of their places.
    "power": (POWERS,),  # djinn id, NONE for none
    "power_when": (POWERS,),  # stage id: MOVE, TRIBE, TILE or CLOSE; before what the stage itself decides
    "power_fakirs": (POWERS,),  # fakirs in the price, the rest being elders; 1 for Sloar
    "power_square": (POWERS,),  # the tile that it works on: Anun-Nak, Bouraq, Enki, Leta, Utug
    "power_divert": (POWERS,),  # as divert, for Bouraq and Enki (rules 11.5)
    "power_onto": (POWERS,),
    # Sales (rules 7.1), in order: bit g - 1 of a set for good g in layout.CARDS, 0 for no sale.
    "sale": (SALES,),
}
"""Fields of turns and their shapes, the lane's axis left out."""

_PLACES = field_places(TURN_FIELDS)

VICTIM_IN_FRONT = 30
NOT_PAID = NONE

_ZERO = ("length", "fakirs", "djinn_fakir", "sale", "power_when", "power_fakirs")


class Turns:
    """Turns side by side. `data` is [width, lanes]; every name of `TURN_FIELDS` is a view into it, lane last."""

    start: Ints
    length: Ints
    path: Ints
    drops: Ints
    fakirs: Ints
    victim: Ints
    victim_tribe: Ints
    iblis: Ints
    bought: Ints
    djinn: Ints
    djinn_fakir: Ints
    divert: Ints
    onto: Ints
    power: Ints
    power_when: Ints
    power_fakirs: Ints
    power_square: Ints
    power_divert: Ints
    power_onto: Ints
    sale: Ints

    __slots__ = ("data", *TURN_FIELDS)

    def __init__(self, data: Ints) -> None:
        self.data = data

    def __getattr__(self, name: str) -> Ints:
        # As in a batch, a field is made when it is first asked for.
        rows, shape = field_rows(_PLACES, name)
        view = self.data[rows].reshape(*shape, self.data.shape[1])
        setattr(self, name, view)
        return view

    def __reduce__(self) -> tuple[type[Turns], tuple[Ints]]:
        # A pickle of the fields made so far would come back as arrays of their own.
        return Turns, (self.data,)

    @classmethod
    def blank(cls, lanes: int) -> Turns:
        """Turns that do nothing yet."""
        turns = cls(np.full((sum(prod(shape) for shape in TURN_FIELDS.values()), lanes), NONE, dtype=np.int16))
        for name in _ZERO:
            getattr(turns, name)[...] = 0
        return turns

    def __len__(self) -> int:
        return int(self.data.shape[1])

    def select(self, lanes: Index | list[int]) -> Turns:
        """A copy of these turns, in this order."""
        return Turns(np.take(self.data, lanes, axis=1))
