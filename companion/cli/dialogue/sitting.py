"""One sitting at a conversation whose answers are kept in a draft until something has come of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.cli.dialogue.journal import Journal, Kept
from companion.cli.dialogue.loop import Dialogue, End, Talked
from companion.cli.dialogue.question import Conversation, State
from companion.cli.dialogue.terminal import open_terminal
from companion.cli.output import note
from companion.errors import UnusableInputError
from companion.language.phrase import say, stripped

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def sitting(
    conversation: Conversation[State],
    journal: Journal,
    console: Console | None = None,
    kept: Kept | None = None,
    *,
    whole: bool = False,
) -> Iterator[Talked[State]]:
    """Hold a conversation on a console, standard error if none is given; what comes of it is made in the block.

    `kept` is a draft to go on with. The draft is taken away once the block has come to its end without a fault; where
    something comes of a `whole` conversation alone, one that was left keeps it.
    Raises NotationError for a draft that is damaged, and KeyboardInterrupt where somebody breaks off, once it was
    said how to go on.
    """
    talked = _held(conversation, journal, console, kept)
    yield talked
    if talked.end is End.DONE or not whole:
        journal.drop()


def _held(
    conversation: Conversation[State], journal: Journal, console: Console | None, kept: Kept | None
) -> Talked[State]:
    if console is None:
        from rich.console import Console as RichConsole

        console = RichConsole(stderr=True, highlight=False)
    dialogue = Dialogue(open_terminal(console), conversation, journal)
    if kept is not None:
        journal.take_up(dialogue, kept)
    talked = dialogue.run()
    if talked.end is End.BROKEN_OFF:
        note(say("Broken off") + journal.how_to_go_on)
        raise KeyboardInterrupt
    return talked


def check_answered(talked: Talked[State], journal: Journal, what: str) -> bool:
    """Whether all was answered; where it was left by quit, a word on how to go on is said.

    Raises UnusableInputError if the answers of a pipe ended too early for `what` is made of them.
    """
    if talked.end is End.QUIT:
        note(say("No {what}", what=what) + journal.how_to_go_on)
    elif talked.end is End.OUT and talked.open is not None:
        asked = stripped(talked.open.prompt)
        raise UnusableInputError(
            say(
                "the answers ended after {count}, at '{question}', so there is no {what}",
                count=talked.answers,
                question=asked,
                what=what,
            )
            + journal.how_to_go_on
        )
    return talked.end is End.DONE
