"""`companion record`: what photos of a game don't tell is asked, and each turn is on disk before the next question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.asking.photo_questions import photo_question
from companion.asking.question import Asking, Conversation, ask
from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.dialogue.play import RecordSaver, step_messages
from companion.cli.dialogue.terminal import open_terminal
from companion.language.phrase import joined, say

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from companion.table.photo_record import Recording
    from companion.table.playing import Playing


def recording(first: Recording, before: Playing) -> Conversation[Recording]:
    """Asks what photos leave open; `first` is where the first question stands, `before` the game before any photo."""

    def asked(now: Recording) -> Asking[Recording]:
        if now.ask is None:
            return now
        after = yield from ask(photo_question(now))
        yield from step_messages(now.playing, after.playing)
        return after

    welcome = say("Photos show the turns, and you add what no board shows; ? shows help, back undoes an answer.")
    quitting = say("leaves; what was recorded is saved, and the same command continues")
    return Conversation(first, asked, quitting, (welcome, *step_messages(before, first.playing)), goes_on=True)


def ask_for_record(now: Recording, before: Playing, keeper: RecordSaver, output: Path, console: Console) -> Recording:
    """Ask for what photos leave open; the recording then. Raises KeyboardInterrupt, and as `save_record`."""
    terminal = open_terminal(console)
    keeper.how_to_go_on = say("; continue with: companion record {path} PHOTO… -o {path}", path=output)
    keeper.keep(now)
    talked = Dialogue(terminal, recording(now, before), keeper).run()
    if talked.end is End.BROKEN_OFF:
        terminal.say(joined("", (say("Stopped"), keeper.how_to_go_on)))
        raise KeyboardInterrupt
    if talked.end is not End.DONE:
        terminal.say(joined("", (say("Saved"), keeper.how_to_go_on)))
        # What wasn't looked at is no photo without an explanation.
        return replace(talked.state, ask=None)
    return talked.state
