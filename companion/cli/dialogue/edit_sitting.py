"""One sitting of `companion edit`: the position it starts from, the lines about it, and the file that comes of them."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.dialogue.edit_conversation import LINE_KEY, EditConversation
from companion.cli.dialogue.journal import Journal, Kept
from companion.cli.dialogue.loop import End
from companion.cli.dialogue.position_sheet import PositionSheet, sheet_of
from companion.cli.dialogue.sitting import sitting
from companion.errors import CompanionError, NotationError, UnusableInputError
from companion.language.phrase import say
from companion.notation.codes import encode
from companion.notation.files import format_position, from_document, to_document
from companion.resources import data_folder
from companion.rules.model.board import SQUARES
from companion.storage import write_file, write_with_backup

if TYPE_CHECKING:
    from rich.console import Console

    from companion.opening.position import Opened


class EditSitting:
    """The draft of one output file, the questions about it, and the file written in the end."""

    def __init__(self, output: Path, *, force: bool) -> None:
        self._output = output
        self._force = force
        self._journal = Journal("edit", [os.path.realpath(output)], "--resume")
        self._first = PositionSheet()
        self._kept: Kept | None = None

    def resume(self) -> None:
        """Take up the draft.

        Raises UnusableInputError if there is none, NotationError if it is damaged, and for a draft of version 0.1 what
        `Journal.adopt` raises.
        """
        if not self._journal.is_there:
            self._adopt_older_draft()
        self._kept = self._journal.resume()
        self._first = _first_of(self._kept, self._journal)

    def _adopt_older_draft(self) -> None:
        """Make a draft as version 0.1 kept it one of today's; one that cannot be read stays as it is.

        Raises what `Journal.adopt` raises; the older draft stays then too.
        """
        import msgspec

        key = hashlib.sha256(str(self._output.absolute()).encode("utf-8", "surrogateescape")).hexdigest()[:12]
        path = data_folder() / "drafts" / f"{key}.json"
        try:
            document = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
            lines = msgspec.convert(document["lines"], type=tuple[str, ...])
            start = {"position": document["start"], "doubtful": document["doubtful"]}
        except (OSError, msgspec.MsgspecError, KeyError, RecursionError):
            return
        self._journal.adopt(Kept(start, tuple((LINE_KEY, line) for line in lines)))
        path.unlink(missing_ok=True)

    def check_new(self) -> None:
        """Raises OutputExistsError for a draft that is neither to be resumed nor, with `force`, to be dropped."""
        if not self._force:
            self._journal.check_none()

    def begin(self, opened: Opened | None) -> None:
        """Start from a position and the doubts that its photos left, or from nothing."""
        document = None if opened is None else to_document(opened.position)
        doubtful = () if opened is None or opened.reading is None else tuple(opened.reading.reading.doubtful)
        self._journal.begin({"position": document, "doubtful": doubtful})
        self._first = _first(document, doubtful)

    def run(self, console: Console) -> None:
        """Ask for the position on a console and write it; what was typed is kept until then.

        Raises UnusableInputError if the lines of a pipe end too early, KeyboardInterrupt where somebody breaks off,
        and what `write_file` raises.
        """
        conversation = EditConversation(self._first, ascii_only=console.options.ascii_only)
        with sitting(conversation, self._journal, console, self._kept, whole=True) as talked:
            position = talked.state.sheet.position
            if talked.end is End.OUT:
                raise UnusableInputError(
                    say(
                        "the input ended before `done`, so nothing was written{go_on}",
                        go_on=self._journal.how_to_go_on,
                    )
                )
            if talked.end is End.QUIT or position is None:
                console.print(say("Nothing was written{go_on}", go_on=self._journal.how_to_go_on), soft_wrap=True)
                return
            content = format_position(position, self._output.suffix).encode()
            backup = write_with_backup(self._output, content) if self._force else None
            if not self._force:
                write_file(self._output, content, force=False)
        if backup is not None:
            console.print(say("What it held before is kept in {backup}.", backup=backup), soft_wrap=True)
        console.print(
            say("Written to {output}. Its code: {code}", output=self._output, code=encode(position)), soft_wrap=True
        )


def _first(document: dict[str, object] | None, doubtful: tuple[int, ...]) -> PositionSheet:
    return PositionSheet() if document is None else sheet_of(from_document(document), doubtful)


def _first_of(kept: Kept, journal: Journal) -> PositionSheet:
    """What a draft started from. Raises NotationError if it is damaged."""
    import msgspec

    try:
        document = msgspec.convert(kept.start.get("position"), type=dict[str, object] | None)
        doubtful = msgspec.convert(kept.start.get("doubtful"), type=tuple[int, ...])
        if not all(0 <= square < SQUARES for square in doubtful):
            raise NotationError(say("there is no such square"))
        return _first(document, doubtful)
    except (CompanionError, msgspec.MsgspecError) as error:
        raise journal.damaged(str(error)) from None
