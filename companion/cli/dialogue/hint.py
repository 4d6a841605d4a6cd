"""What `companion hint` asks: what a photo does not show of the players, whose turn it is, and tiles that decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.asking.doubts import Looking, deciding_tiles
from companion.asking.holdings import holdings, mover_of
from companion.cli.dialogue.drafts import DraftStore, session
from companion.cli.dialogue.loop import answered
from companion.cli.views.board_view import tile_line
from companion.cli.views.reading_view import TilePicture
from companion.rules.model.board import SQUARES
from companion.rules.model.components import Colour
from companion.rules.model.position import Position

if TYPE_CHECKING:
    from companion.advisor.advice import TurnAdvice
    from companion.vision.reading.session import PhotoSession


@contextmanager
def asked_holdings(
    position: Position, mover: Colour | None, names: Mapping[Colour, str], opened_from: Sequence[str], *, resume: bool
) -> Iterator[Position]:
    """The position with what a person says of the players, to be used in the block; `opened_from` names its draft.
    Raises as `session`, and UnusableInputError without a draft to `resume`.
    """
    store = DraftStore("hint", opened_from)
    if resume:
        store.resume()
    else:
        store.begin()
    with session(holdings(position, mover, names), store) as result:
        yield result.state


def ask_mover(colours: Sequence[Colour]) -> Colour | None:
    """Whose turn it is, of these colours; None if nobody says. Raises KeyboardInterrupt on breaking off."""
    return answered(mover_of(colours))


def ask_tiles(
    photos: PhotoSession, advice: TurnAdvice, think: Callable[[PhotoSession], TurnAdvice]
) -> tuple[PhotoSession, TurnAdvice]:
    """The photos and the advice once a person said what lies on the tiles that decide; raises as `ask_mover`."""
    from companion.vision.reading.overlay import doubt_pictures

    pictures = {name: TilePicture(one) for name, one in doubt_pictures(photos, range(SQUARES)).items()}
    answers = answered(deciding_tiles(Looking(photos, advice), think, pictures, tile_line))
    return answers.photos, answers.advice
