"""Every fault that a user can meet, each with the exit status it ends in.

A message says what is wrong, where, and what to do next. Programming mistakes stay ordinary Python
exceptions; only `companion.cli.main` turns an unforeseen one into a line.
"""

from __future__ import annotations

import errno
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from companion.language import phrase
from companion.language.phrase import Phrase, joined, say, say_as


class ExitStatus(IntEnum):
    """What the program's exit status means."""

    DONE = 0
    FAULT = 1
    USAGE = 2
    MISSING = 3
    UNUSABLE_INPUT = 4
    IMPOSSIBLE = 5
    INTERRUPTED = 130


class CompanionError(Exception):
    """A fault to tell the user about; `str()` is the whole message.

    It's made of a sentence with places in braces and their values, as `say` is, or of a phrase as it is.
    """

    status: ExitStatus = ExitStatus.FAULT

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(message if isinstance(message, Phrase) else phrase.say(message, **values))


class UsageError(CompanionError):
    """Options or arguments that do not fit together."""

    status = ExitStatus.USAGE


class MissingDependencyError(CompanionError):
    """A program, font or package that a command needs is not there; the message says how to get it."""

    status = ExitStatus.MISSING


class NoRoomError(CompanionError):
    """The disk, the quota or the limit on files leaves no room for what is to be written."""

    status = ExitStatus.MISSING


class UnusableInputError(CompanionError):
    """An input that cannot be used: unreadable, malformed, no board in the photo, a foreign code."""

    status = ExitStatus.UNUSABLE_INPUT


class NotationError(UnusableInputError):
    """Text that is not a tile, board, card, colour, position file or code."""


class PhotoError(UnusableInputError):
    """A picture that cannot be decoded, or in which no sultanate was found."""


class OutputExistsError(UsageError):
    """A file would be overwritten and `--force` was not given."""


class InUseError(UnusableInputError):
    """Another run of the program has the file."""


class ChangedMeanwhileError(UnusableInputError):
    """A file is not as this program left it: somebody else wrote it."""


class ConflictError(UnusableInputError):
    """A game was changed by somebody else since it was looked at; nothing was changed now."""


class NoSuchGameError(UnusableInputError):
    """No game is kept under that key, or there is nothing in it to go to."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a position.

    `where` is a square ("c3"), a player's colour or a part of the position ("row", "board");
    `rule` is the number of the clause that it breaks ("1.2"); `message` is one sentence.
    """

    where: str
    rule: str
    message: str


_PLACES = {
    "board": say_as("place of a fault", "board"),
    "players": say_as("place of a fault", "players"),
    "row": say_as("place of a fault", "row"),
    "cards": say_as("place of a fault", "cards"),
    "discards": say_as("place of a fault", "discards"),
    "djinns": say_as("place of a fault", "djinns"),
    "bid_order": say_as("place of a fault", "bid_order"),
    "turn_order": say_as("place of a fault", "turn_order"),
    "unseen": say_as("place of a fault", "unseen"),
    "djinn discards": say_as("place of a fault", "djinn discards"),
}


def fault_line(problem: Problem) -> Phrase:
    """A fault of a position as a line: where, what, and the clause that it breaks."""
    where = _PLACES.get(problem.where, problem.where)
    return say("{where}: {message} (rules {rule})", where=where, message=problem.message, rule=problem.rule)


class ImpossiblePositionError(CompanionError):
    """A position that cannot stand on a table, with every fault found."""

    status = ExitStatus.IMPOSSIBLE

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [joined("", ("  ", fault_line(problem))) for problem in self.problems]
        super().__init__(joined("\n", (say("This position is impossible:"), *lines)))


class IllegalMoveError(CompanionError):
    """A move that the rules forbid here; the message names the clause."""

    status = ExitStatus.IMPOSSIBLE


_REASONS = {
    errno.ENOENT: say("No such file or directory"),
    errno.EACCES: say("Permission denied"),
    errno.EPERM: say("Operation not permitted"),
    errno.ENOSPC: say("No space left on device"),
    errno.EFBIG: say("File too large"),
    errno.EROFS: say("Read-only file system"),
    errno.EIO: say("Input/output error"),
    errno.EISDIR: say("Is a directory"),
    errno.ENOTDIR: say("Not a directory"),
    errno.EEXIST: say("File exists"),
    errno.ELOOP: say("Too many levels of symbolic links"),
    errno.ENAMETOOLONG: say("File name too long"),
    errno.EMFILE: say("Too many open files"),
    errno.EBUSY: say("Device or resource busy"),
}
"""What systems say most often of files."""


def system_reason(error: OSError) -> str:
    """Why the system refused something, in its own words, which are English, or those of `_REASONS`."""
    reason = _REASONS.get(error.errno or 0)
    if reason is not None and error.strerror in (None, reason):
        return reason
    return error.strerror or say("the system gives no reason")


_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and newline, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, overrides and isolates of direction
    "\u2028\u2029\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"  # separators, byte order, annotations, none
)
_MAX_ODD = 3
"""Odd signs of a text that a message names."""
_ODD_NAMES = {
    "\xa0": say("a non-breaking space"),
    "\u202f": say("a narrow non-breaking space"),
    "\u3000": say("a full-width space"),
    "\xad": say("a soft hyphen"),
    "\u2011": say("a non-breaking hyphen"),
    "\u200b": say("a zero-width space"),
    "\u2060": say("a zero-width joiner"),
    "\u200d": say("a zero-width joiner"),
    "\ufeff": say("a byte order mark"),
}
_ODD_KINDS = {"Zs": say("an unusual space"), "Cf": say("an invisible character")}

_SURROGATES = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Text from outside as it may reach a terminal: without what moves, colours, renames or turns it about.

    Control characters and those that turn the direction of writing are left out; newlines and tabs stay. What no
    encoding can write (lone surrogates, from bytes that are not UTF-8) becomes a replacement character.

    >>> printable("a\x1b]0;owned\x07b\nc")
    'a]0;ownedb\nc'
    """
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text))


def is_garbled(text: str) -> bool:
    """Whether a text holds lone surrogates: bytes that were no UTF-8, which no file can hold again."""
    return _SURROGATES.search(text) is not None


def quoted(text: str, most: int = 60) -> str:
    r"""Text from outside as a message quotes it: in quotes, cut off after so many letters, odd ones escaped and named.

    >>> print(quoted("O8:\x1bggw"), quoted("a" * 99, 3), quoted("c３"))
    'O8:\x1bggw' 'aaa…' 'c３' (３ is a full-width 3)
    """
    return with_odd_signs(repr(text if len(text) <= most else text[:most] + "…"), text[:most])


def with_odd_signs(shown: str, text: str) -> str:
    r"""What a message shows of a text, and in brackets what signs in it are that look like others or like nothing.

    >>> print(with_odd_signs("line 3", "go\xadld"))
    line 3 (\xad is a soft hyphen)
    """
    odd = [say("{sign} is {name}", sign=repr(sign)[1:-1], name=name) for sign in text if (name := _odd_name(sign))]
    return (
        say("{shown} ({signs})", shown=shown, signs=joined(", ", list(dict.fromkeys(odd))[:_MAX_ODD])) if odd else shown
    )


def _odd_name(sign: str) -> str | None:
    """What a sign is that looks like another or like nothing; None for one that everybody sees as it is."""
    if sign.isascii():
        return None
    if sign in _ODD_NAMES:
        return _ODD_NAMES[sign]
    if "\uff01" <= sign <= "\uff5e":
        return say("a full-width {plain}", plain=unicodedata.normalize("NFKC", sign))
    kind = unicodedata.category(sign)
    if kind == "Nd":
        return say("{plain} in another script", plain=unicodedata.decimal(sign))
    return _ODD_KINDS.get(kind)
