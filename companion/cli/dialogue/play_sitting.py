"""One sitting of `companion play`: a record gone on with, on disk after every decision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.dialogue.play_conversation import PlayConversation, RecordKeeper, show_score
from companion.cli.dialogue.terminal import open_terminal
from companion.language.phrase import joined, say
from companion.notation.records.lines import Record
from companion.storage import KeptFile

if TYPE_CHECKING:
    from rich.console import Console

    from companion.cli.history_recorder import RecordFollower


def play_record(
    file: KeptFile, record: Record, console: Console, follower: RecordFollower, *, simulate: int | None, saved: bool
) -> None:
    """Ask for the decisions of a game from a record on, until it is over or left; `saved`: the record is on disk.

    `follower` keeps the game in the history beside its file.

    Raises KeyboardInterrupt where somebody breaks off, once it was said how to go on, and what `save_record` raises.
    """
    terminal = open_terminal(console)
    welcome = (
        say("Going on with {path}; ? helps, quit leaves, undo takes back.", path=file.path)
        if saved
        else say("Recording to {path}; ? helps, quit leaves, undo takes back.", path=file.path)
    )
    keeper = RecordKeeper(file, record if saved else None, follower)
    dialogue = Dialogue(terminal, PlayConversation(record, simulate, welcome), keeper)
    keeper.keep(dialogue.state)
    talked = dialogue.run()
    if talked.end is End.BROKEN_OFF:
        terminal.say(joined("", (say("Broken off"), keeper.how_to_go_on)))
        raise KeyboardInterrupt
    if talked.end is End.DONE:
        terminal.say(say("The game is over."))
        for sentence in show_score(talked.state):
            terminal.say(sentence)
        follower.finish()
    else:
        terminal.say(joined("", (say("Kept"), keeper.how_to_go_on)))
