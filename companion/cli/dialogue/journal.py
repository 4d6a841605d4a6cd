"""Answers kept as they are given, so that a conversation can be taken up again after a power cut."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.cli.dialogue.loop import Dialogue, Lines
from companion.cli.output import note
from companion.errors import CompanionError, NotationError, OutputExistsError, UnusableInputError, system_reason
from companion.language.phrase import say
from companion.resources import data_folder
from companion.storage import clear_left_behind, remove_kept, write_private

_VERSION = 2
_MAX_BYTES = 1_000_000
"""No conversation comes near it; a file that does is none of ours."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a draft holds: what the conversation began with, as a document of its own, and its answers."""

    start: Mapping[str, Any] = field(default_factory=dict)
    lines: Lines = ()


class Journal:
    """The draft of one conversation: `kind` is the command that holds it, `subject` what it is about.

    There is one draft for each kind and subject, in the user's data folder; `again` is the command that goes on
    with it.
    """

    def __init__(self, kind: str, subject: Sequence[str], again: str) -> None:
        key = hashlib.sha256("\0".join([kind, *subject]).encode("utf-8", "surrogateescape")).hexdigest()[:12]
        self.path = data_folder() / "drafts" / f"{kind}-{key}.json"
        clear_left_behind(self.path.parent)
        self._kind = kind
        self._again = again
        self._start: Mapping[str, Any] = {}
        self._kept = False
        self._own = False
        self._failed = False

    @property
    def how_to_go_on(self) -> str:
        """A sentence's end on what is kept, "" if nothing is."""
        if not self._kept:
            return ""
        return say("; what was typed is kept in {path}: go on with {option}", path=self.path, option=self._again)

    @property
    def is_there(self) -> bool:
        """Whether a draft is kept; none is where nothing can be looked at."""
        try:
            return self.path.exists()
        except OSError:
            return False

    def begin(self, start: Mapping[str, Any]) -> None:
        """Begin a draft that is written with the first answer; a draft from before is replaced then, and told of."""
        self._start = start
        if self.is_there:
            note(
                say(
                    "an unfinished draft is kept: {option} goes on with it; the first answer now begins a new one",
                    option=self._again,
                )
            )

    def check_none(self) -> None:
        """Raises OutputExistsError if there is a draft from before."""
        if self.is_there:
            raise OutputExistsError(
                say(
                    "an unfinished draft is kept in {path}: go on with {option}, or drop it with --force",
                    path=self.path,
                    option=self._again,
                )
            )

    def resume(self) -> Kept:
        """The draft that is kept. Raises UnusableInputError if there is none, NotationError if it is damaged."""
        kept = self._read()
        self._start = kept.start
        self._kept = self._own = True
        return kept

    def adopt(self, kept: Kept) -> None:
        """Put on disk a draft that was kept elsewhere. Raises what `write_private` raises."""
        self._start = kept.start
        self._write(kept.lines)

    def keep(self, state: object, lines: Lines) -> None:
        """Put the answers on disk in place of those before. A disk that does not take them is told of once."""
        if not lines:
            self.drop()
            return
        try:
            self._write(lines)
        except CompanionError as error:
            # Typing goes on without a net, which is better than losing the answers at once.
            if not self._failed:
                note(say("No draft can be kept: {error}", error=error))
            self._failed, self._kept = True, False

    def _write(self, lines: Lines) -> None:
        document = {"draft": _VERSION, "kind": self._kind, "start": self._start, "lines": lines}
        write_private(self.path, json.dumps(document, indent=1).encode())
        self._kept = self._own = True

    def drop(self) -> None:
        """Take the draft away: what it was for is done. One that this sitting neither wrote nor took up stays."""
        if not self._own:
            return
        try:
            remove_kept(self.path)
        except UnusableInputError as error:
            # Where nothing can be looked into nothing was kept either.
            if self.is_there:
                note(str(error))
        self._kept = self._own = False

    def _read(self) -> Kept:
        try:
            with self.path.open("rb") as file:
                content = file.read(_MAX_BYTES + 1)
        except FileNotFoundError:
            raise UnusableInputError(say("there is no draft to go on with; leave out --resume to begin")) from None
        except OSError as error:
            raise UnusableInputError(
                say("cannot read the draft {path}: {reason}", path=self.path, reason=system_reason(error))
            ) from None
        import msgspec

        try:
            if len(content) > _MAX_BYTES:
                raise ValueError
            document = msgspec.json.decode(content, type=dict[str, Any])
            lines = msgspec.convert(document["lines"], type=tuple[tuple[str, str], ...])
            start = msgspec.convert(document["start"], type=dict[str, Any])
            if (document["draft"], document["kind"]) != (_VERSION, self._kind):
                raise ValueError
        except (msgspec.MsgspecError, ValueError, KeyError, RecursionError):
            raise self.damaged() from None
        return Kept(start, lines)

    def take_up(self, dialogue: Dialogue[Any], kept: Kept) -> None:
        """Give a dialogue the answers of its draft again. Raises NotationError if they are none."""
        try:
            dialogue.resume(kept.lines)
        except CompanionError as error:
            raise self.damaged(str(error)) from None

    def damaged(self, why: str = "") -> NotationError:
        """The fault of a draft whose answers are none."""
        if why:
            return NotationError(
                say("the draft {path} is damaged ({why}); begin anew without --resume", path=self.path, why=why)
            )
        return NotationError(say("the draft {path} is damaged; begin anew without --resume", path=self.path))
