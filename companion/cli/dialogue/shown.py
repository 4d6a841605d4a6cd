"""One sitting of `companion learn --ask`: a picture with numbers, and the questions about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.dialogue.shown_conversation import ShownConversation
from companion.cli.dialogue.terminal import open_terminal
from companion.cli.output import note
from companion.errors import PhotoError, UnusableInputError
from companion.language.phrase import say
from companion.resources import cache_folder
from companion.storage import write_private

if TYPE_CHECKING:
    from companion.vision.own.showing import Beside

PICTURE_NAME = "pieces-numbered.jpg"


def ask_which(beside: Beside) -> dict[str, int]:
    """The place in `beside.found` of each piece, as a person tells it by the numbers in a picture.

    Raises PhotoError if there is nothing to be numbered, KeyboardInterrupt if nothing or too little was told.
    """
    from rich.console import Console

    from companion.vision.colour.paints import PIECE_NAMES
    from companion.vision.own.picture import draw_found
    from companion.vision.own.showing import MOST_NUMBERED
    from companion.vision.reading.overlay import encode_picture

    numbered = beside.found[:MOST_NUMBERED]
    if not numbered:
        raise PhotoError(say("no pieces found beside the board: lay them on plain table, a hand's breadth around them"))
    try:
        guessed = {kind: place + 1 for kind, place in beside.row().places if place < len(numbered)}
    except PhotoError as error:
        note(str(error))
        guessed = {}
    path = cache_folder() / PICTURE_NAME
    labels = [str(number) for number in range(1, len(numbered) + 1)]
    picture = draw_found(beside.photo, beside.lattice, numbered, labels)
    write_private(path, encode_picture(picture, path.suffix))
    note(say("the picture with the numbers: {path}", path=path))
    conversation = ShownConversation(PIECE_NAMES, len(numbered), guessed)
    console = Console(stderr=True, highlight=False)
    talked = Dialogue(open_terminal(console), conversation).run()
    if talked.end is End.OUT:
        raise UnusableInputError(say("the answers ended too early; nothing is learnt"))
    if talked.end is not End.DONE:
        raise KeyboardInterrupt
    places = {kind: number - 1 for kind, number in talked.state.numbers.items() if number is not None}
    if not places:
        raise UnusableInputError(say("no piece was told; nothing is learnt"))
    return places
