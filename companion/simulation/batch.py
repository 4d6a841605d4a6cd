"""A batch of games: every field an array whose last axis is the lane, one lane a game (rules 1 to 11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.rules.model.board import SQUARES
from companion.rules.model.components import BID_SPOTS, FACE_UP_DJINNS, ROW_LENGTH
from companion.simulation.djinns import DJINN_COUNT
from companion.simulation.layout import CARDS, CARDS_IN_BOX, SEATS, TRIBES, FieldArray, Ints


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
        "ending": (),  # 0 the round is not the last, 1 last camel, 2 no move
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
