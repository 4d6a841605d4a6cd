"""Sessions of a conversation: its answers are saved one by one, so that it can be resumed."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from companion.asking.question import Conversation, State
from companion.cli.dialogue.loop import Dialogue, End, Lines, open_terminal
from companion.cli.locale import typed_command
from companion.cli.output import note
from companion.errors import CompanionError, NotationError, OutputExistsError, UnusableInputError, system_reason
from companion.language.phrase import say, stripped
from companion.resources import data_folder
from companion.storage import clear_left_behind, remove_saved, write_private

if TYPE_CHECKING:
    from rich.console import Console

_VERSION = 2
_MAX_BYTES = 1_000_000
"""No conversation comes near it; a file that does is none of ours."""
RESUME = "--resume"


class DraftStore:
    """The draft of a conversation of a command (`kind`) about a `subject`: what it begins with (`start`), and the
    answers so far (`lines`). `typed` is the command that goes on with it.
    """

    def __init__(self, kind: str, subject: Sequence[str], typed: Sequence[str] = ()) -> None:
        key = hashlib.sha256("\0".join([kind, *subject]).encode("utf-8", "surrogateescape")).hexdigest()[:12]
        self.path = data_folder() / "drafts" / f"{kind}-{key}.json"
        clear_left_behind(self.path.parent)
        self._kind = kind
        self.start: Mapping[str, Any] = {}
        self.lines: Lines = ()
        self._typed = typed or typed_command()
        self._own = False
        self._failed = False

    @property
    def how_to_go_on(self) -> str:
        """A sentence's end on what is kept and the whole command that takes it up, "" if nothing is."""
        if not self._own or self._failed:
            return ""
        kept = self._typed
        if self._kind == "score":
            # What these said is among the answers, and they are refused beside them.
            options = ("--names", "--goods", "--cards")
            pairs = zip(("", *kept), kept, strict=False)
            kept = [word for before, word in pairs if before not in options and word.partition("=")[0] not in options]
        words = [word for word in kept if word not in ("--ask", RESUME)]
        command = shlex.join(["companion", *words, RESUME])
        return say("; your answers are saved: continue with {command}", command=command)

    @property
    def is_there(self) -> bool:
        """Whether a draft is kept; none is where nothing can be looked at."""
        try:
            return self.path.exists()
        except OSError:
            return False

    def begin(self, start: Mapping[str, Any] | None = None) -> None:
        """Begin a draft, which is written with the first answer; one from before is mentioned, and replaced then."""
        self.start = start or {}
        if self.is_there:
            note(
                "there is an unfinished draft: {option} continues it; your first answer starts a new one", option=RESUME
            )

    def check_none(self) -> None:
        """Raises OutputExistsError if there is a draft from before."""
        if self.is_there:
            raise OutputExistsError(
                "there is an unfinished draft in {path}: continue it with {option}, or drop it with --force",
                path=self.path,
                option=RESUME,
            )

    def resume(self) -> None:
        """Take up what is kept. Raises UnusableInputError if there is no draft, NotationError if it is damaged."""
        import msgspec

        try:
            with self.path.open("rb") as file:
                content = file.read(_MAX_BYTES)
        except FileNotFoundError:
            raise UnusableInputError("there is no draft to continue; leave out --resume to start") from None
        except OSError as error:
            raise UnusableInputError(
                "cannot read the draft {path}: {reason}", path=self.path, reason=system_reason(error)
            ) from None
        try:
            document = msgspec.json.decode(content, type=dict[str, Any])
            start, lines = msgspec.convert([document["start"], document["lines"]], tuple[dict[str, Any], Lines])
            if (document["draft"], document["kind"]) != (_VERSION, self._kind):
                raise ValueError
        except (msgspec.MsgspecError, ValueError, KeyError, RecursionError):
            raise self.damaged() from None
        self.start, self.lines, self._own = start, lines, True

    def save(self, state: object, lines: Lines) -> None:
        """Put the answers on disk in place of those before. A disk that does not take them is mentioned once."""
        if not lines:
            self.drop()
            return
        document = {"draft": _VERSION, "kind": self._kind, "start": self.start, "lines": lines}
        try:
            write_private(self.path, json.dumps(document, indent=1).encode())
            self._own, self._failed = True, False
        except CompanionError as error:
            # Typing goes on without a net, which is better than losing the answers at once.
            if not self._failed:
                note("The draft can't be saved: {error}", error=error)
            self._failed = True

    def drop(self) -> None:
        """Remove the draft: what it was for is done. One that this session neither wrote nor took up stays."""
        if not self._own:
            return
        try:
            remove_saved(self.path)
        except UnusableInputError as error:
            # Where nothing can be looked into nothing was kept either.
            if self.is_there:
                note(str(error))
        self._own = False

    def damaged(self, why: str = "") -> NotationError:
        """The fault of a draft whose answers are none."""
        reason = f" ({why})" if why else ""
        return NotationError(
            "the draft {path} is damaged{reason}; start again without --resume", path=self.path, reason=reason
        )


@contextmanager
def session(
    conversation: Conversation[State],
    store: DraftStore,
    console: Console | None = None,
    *,
    whole: str = "",
) -> Iterator[Dialogue[State]]:
    """Hold a conversation, from its draft on; what comes of it is made in the block, after which the draft goes.
    Nothing is made of half a `whole` one. Raises NotationError, KeyboardInterrupt, UnusableInputError.
    """
    terminal = open_terminal(console)
    dialogue = Dialogue(terminal, conversation, store)
    try:
        dialogue.resume(store.lines)
    except CompanionError as error:
        raise store.damaged(str(error)) from None
    dialogue.run()
    if dialogue.end is End.BROKEN_OFF:
        note(say("Stopped") + store.how_to_go_on)
        raise KeyboardInterrupt
    if whole and dialogue.end is End.QUIT:
        terminal.say(say("No {what}", what=whole) + store.how_to_go_on)
    elif whole and dialogue.end is End.OUT and dialogue.open is not None:
        values = {"question": stripped(dialogue.open.words), "what": whole}
        if not dialogue.answers:
            raise UnusableInputError("there was no answer to '{question}', so there is no {what}", **values)
        ended = say(
            "the answers ended after {count}, at '{question}', so there is no {what}", count=dialogue.answers, **values
        )
        raise UnusableInputError(ended + store.how_to_go_on)
    yield dialogue
    if dialogue.end is End.DONE or not whole:
        store.drop()
