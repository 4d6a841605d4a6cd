"""One sitting at a conversation whose answers are kept in a draft: taken up, held, and left to be gone on with."""

from __future__ import annotations

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


def hold(
    conversation: Conversation[State], journal: Journal, console: Console | None = None, kept: Kept | None = None
) -> Talked[State]:
    """Hold a conversation on a console, standard error if none is given; `kept` is a draft to go on with.

    Raises NotationError for a draft that is damaged, and KeyboardInterrupt where somebody breaks off, once it was
    said how to go on.
    """
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
