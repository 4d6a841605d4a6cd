"""Whole turns as arrays, one column a lane: every decision from lifting the meeples to the sale (rules 4 to 7, 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.simulation.layout import NONE, FieldArray, Ints

MAX_HAND = 24
"""Steps that a turn has room for; a larger hand is left out."""
POWERS = 4
"""Powers of their own that a turn has room for."""
SALES = 3
VICTIM_IN_FRONT = 30
NOT_PAID = NONE

_ZERO = ("length", "fakirs", "djinn_fakir", "sale", "power_when", "power_fakirs")


class Turns(FieldArray):
    """Turns side by side."""

    FIELDS: ClassVar[dict[str, tuple[int, ...]]] = {
        "start": (),  # square lifted; NONE where the move is skipped (rules 9.2)
        "length": (),  # meeples lifted
        "path": (MAX_HAND,),  # squares stepped on, the first `length` of them
        "drops": (MAX_HAND,),  # tribe left on each
        # Tribe action (rules 5): what does not bear on the tribe taken is not read.
        "fakirs": (),  # discarded for builders or assassins, beside what a second kill costs
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
    }
    BLANK = tuple(name for name in FIELDS if name not in _ZERO)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Ints: ...
