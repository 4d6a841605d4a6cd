"""`companion record`: what photos of a game don't tell is asked, and each turn is on disk before the next question."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.cli.dialogue.conversation import Answer, Conversation, Message, Question
from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.dialogue.photo_questions import photo_question
from companion.cli.dialogue.play import RecordKeeper, step_messages
from companion.cli.dialogue.terminal import open_terminal
from companion.language.phrase import joined, say

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from companion.table.photo_record import Recording
    from companion.table.playing import Playing


class RecordingConversation(Conversation["Recording"]):
    """Asks what photos leave open; `first` is where the first question stands."""

    quitting: str = say("leaves; what was recorded is saved, and the same command goes on")

    def __init__(self, first: Recording, before: Playing) -> None:
        super().__init__(first)
        self._before = before

    def begin(self) -> Answer[Recording]:
        return Answer(self.first, tuple(step_messages(self._before, self.first.playing)))

    def welcome(self, state: Recording) -> tuple[Message, ...]:
        return (say("Photos tell the turns, you what no board shows; ? shows help, back undoes an answer."),)

    def question(self, state: Recording) -> Question[Recording] | None:
        """What is open now; None once all photos are recorded."""
        if state.ask is None:
            return None
        return photo_question(state, lambda after: Answer(after, tuple(step_messages(state.playing, after.playing))))


def ask_for_record(now: Recording, before: Playing, keeper: RecordKeeper, output: Path, console: Console) -> Recording:
    """Ask for what photos leave open until all is recorded or somebody leaves; the recording then.

    Raises KeyboardInterrupt where somebody breaks off, after saying how to go on, and what `save_record` raises.
    """
    terminal = open_terminal(console)
    keeper.how_to_go_on = say("; continue with: companion record {path} PHOTO… -o {path}", path=output)
    keeper.keep(now)
    talked = Dialogue(terminal, RecordingConversation(now, before), keeper).run()
    if talked.end is End.BROKEN_OFF:
        terminal.say(joined("", (say("Stopped"), keeper.how_to_go_on)))
        raise KeyboardInterrupt
    if talked.end is not End.DONE:
        terminal.say(joined("", (say("Saved"), keeper.how_to_go_on)))
        # What wasn't looked at is no photo without an explanation.
        return replace(talked.state, ask=None)
    return talked.state
