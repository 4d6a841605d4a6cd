"""Every error that a user can meet, with its exit status.

A message says what is wrong, where, and what to do next. Bugs stay ordinary Python exceptions.
"""

from __future__ import annotations

import errno
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from companion.language import phrase
from companion.language.phrase import Phrase, joined, say, say_each


class ExitStatus(IntEnum):
    DONE = 0
    FAULT = 1
    USAGE = 2
    MISSING = 3
    UNUSABLE_INPUT = 4
    IMPOSSIBLE = 5
    INTERRUPTED = 130


class CompanionError(Exception):
    """An error to show the user, made of a template and its values, as `say` is, or of a phrase."""

    status: ExitStatus = ExitStatus.FAULT

    def __init__(self, message: str, /, **values: object) -> None:
        super().__init__(message if isinstance(message, Phrase) else phrase.say(message, **values))

    def __reduce__(self) -> tuple[object, ...]:
        # What another process raised arrives as it was, whatever its class is made of.
        return _as_raised, (type(self), self.args, self.__dict__)


def _as_raised(kind: type[CompanionError], args: tuple[object, ...], attributes: dict[str, object]) -> CompanionError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class UsageError(CompanionError):
    """Options or arguments that don't go together."""

    status = ExitStatus.USAGE


class ArgumentError(UsageError, ValueError):
    """An argument that a function of the library doesn't take."""


class MissingDependencyError(CompanionError):
    """A program, font or package that a command needs is missing; the message says how to get it."""

    status = ExitStatus.MISSING


class NoRoomError(CompanionError):
    """The disk is full, or a quota or limit is reached."""

    status = ExitStatus.MISSING


class UnusableInputError(CompanionError):
    """An input that can't be used: unreadable, malformed, a photo without a board, a foreign code."""

    status = ExitStatus.UNUSABLE_INPUT


class NotationError(UnusableInputError):
    """Text that isn't a tile, board, card, colour, position file or code."""


class PhotoError(UnusableInputError):
    """A picture that can't be decoded, or without a board in it."""


class OutputExistsError(UsageError):
    """A file would be overwritten and `--force` was not given."""


class InUseError(UnusableInputError):
    """Another run of the program has the file."""


class ChangedMeanwhileError(UnusableInputError):
    """Another program changed a file."""


class ConflictError(UnusableInputError):
    """Somebody else changed a game meanwhile; nothing was changed now."""


class NoSuchGameError(UnusableInputError):
    """There is no game with that key, or nothing at that point of it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a position: a square ("c3"), colour or part ("row"), the clause broken ("1.2"), a sentence."""

    where: str
    rule: str
    message: str


_PLACES = say_each(
    "place of a fault",
    "board|players|row|cards|discards|djinns|bid_order|turn_order|unseen|djinn discards",
)


def fault_line(problem: Problem) -> Phrase:
    where = _PLACES.get(problem.where, problem.where)
    return say("{where}: {message} (rules {rule})", where=where, message=problem.message, rule=problem.rule)


class ImpossiblePositionError(CompanionError):
    """An impossible position, with every fault."""

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
"""What systems say most often about files."""


def system_reason(error: OSError) -> str:
    """Why the system refused something, translatable if it's one of `_REASONS`."""
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
    **dict.fromkeys("“”„«»", say("a curly quotation mark")),
}
_ODD_KINDS = {"Zs": say("an unusual space"), "Cf": say("an invisible character")}

_SURROGATES = re.compile("[\ud800-\udfff]")


def printable(text: str) -> str:
    r"""Text from outside that is safe to print: without control characters and changes of direction.

    Newlines and tabs stay; lone surrogates, from bytes that aren't UTF-8, become replacement characters.

    >>> printable("a\x1b]0;owned\x07b\nc")
    'a]0;ownedb\nc'
    """
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text))


def is_garbled(text: str) -> bool:
    """Whether a text holds lone surrogates, from bytes that aren't UTF-8."""
    return _SURROGATES.search(text) is not None


def quoted(text: str, most: int = 60) -> str:
    r"""Text from outside in quotes, cut off after that many letters, with odd ones escaped and named.

    >>> print(quoted("O8:\x1bggw"), quoted("a" * 99, 3), quoted("c３"))
    'O8:\x1bggw' 'aaa…' 'c３' (３ is a full-width 3)
    """
    return with_odd_signs(repr(text if len(text) <= most else text[:most] + "…"), text[:most])


def with_odd_signs(shown: str, text: str) -> str:
    r"""`shown`, and in brackets the signs in a text that look like others or like nothing.

    >>> print(with_odd_signs("line 3", "go\xadld"))
    line 3 (\xad is a soft hyphen)
    """
    odd = [say("{sign} is {name}", sign=repr(sign)[1:-1], name=name) for sign in text if (name := _odd_name(sign))]
    return say("{text} ({how})", text=shown, how=joined(", ", list(dict.fromkeys(odd))[:_MAX_ODD])) if odd else shown


def _odd_name(sign: str) -> str | None:
    """The name of a sign that looks like another or like nothing; None for any other."""
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
