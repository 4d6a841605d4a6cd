"""What `companion read` and `hint` ask: what is doubtful in photos, what they don't show, the tiles that decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.asking import doubt_questions as asking
from companion.asking.doubt_questions import AdvisedPhotos, deciding_tiles
from companion.asking.holdings_questions import holdings
from companion.cli.dialogue.drafts import DraftStore, session
from companion.cli.dialogue.loop import answered
from companion.cli.output import note
from companion.cli.views.board_view import tile_line
from companion.cli.views.reading_view import TilePicture, doubt_lines
from companion.errors import CompanionError, fault_line
from companion.resources import cache_folder
from companion.rules.engine.legality import problems
from companion.rules.model.board import SQUARES
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.storage import private_folder, write_file
from companion.vision.reading.doubts import doubts

if TYPE_CHECKING:
    from companion.advisor.advice import TurnAdvice
    from companion.vision.load import Picture
    from companion.vision.reading.session import PhotoSession


@contextmanager
def review(photos: PhotoSession, *, resume: bool = False) -> Iterator[PhotoSession]:
    """Write pictures of what is doubtful and ask; what comes of it is made in the block. `resume` takes up earlier
    answers. Raises as `session`, with nothing written.
    """
    from companion.vision.reading.overlay import doubt_pictures

    # By the pictures and not by their names: answers about one table must not be applied to another.
    store = DraftStore("read", photos.keys)
    if resume:
        # Before any picture is written: without a draft there is nothing to go on with.
        store.resume()
    # An answer may make other tiles doubtful, which then have pictures too.
    pictures = doubt_pictures(photos, range(SQUARES))
    labels = [doubt.label for doubt in doubts(photos.reading) if doubt.label in pictures]
    if labels:
        try:
            folder = _write_pictures({label: pictures[label] for label in labels})
            note("pictures of the doubtful tiles and cards: {folder}", folder=folder)
        except (CompanionError, OSError) as error:
            note(str(error))
    if not resume:
        store.begin()
    shown = {label: TilePicture(picture) for label, picture in pictures.items()}
    with session(asking.review(photos, shown, doubt_lines(photos.reading)), store) as result:
        corrected = result.state.photos
        if corrected.reading.position != photos.reading.position:
            for problem in problems(corrected.reading.position):
                note(fault_line(problem))
        yield corrected


def _write_pictures(pictures: Mapping[str, Picture]) -> Path:
    """Write pictures by label, "c3" as `c3.png`, in place of the last ones; the folder that they're in."""
    from companion.vision.reading.overlay import encode_picture

    folder = cache_folder() / "doubtful"
    private_folder(folder)
    for old in folder.glob("*.png"):
        old.unlink(missing_ok=True)
    for label, picture in pictures.items():
        write_file(folder / f"{label}.png", encode_picture(picture, ".png"), force=True)
    return folder


# What a hint needs.


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


def ask_tiles(
    photos: PhotoSession, advice: TurnAdvice, think: Callable[[PhotoSession], TurnAdvice]
) -> tuple[PhotoSession, TurnAdvice]:
    """The photos and the advice once a person said what lies on the tiles that decide; raises as `answered`."""
    from companion.vision.reading.overlay import doubt_pictures

    pictures = {name: TilePicture(one) for name, one in doubt_pictures(photos, range(SQUARES)).items()}
    answers = answered(deciding_tiles(AdvisedPhotos(photos, advice), think, pictures, tile_line))
    return answers.photos, answers.advice
