"""What a conversation is made of: questions and answers as values, whoever asks them (a terminal, later a page)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

from companion.language.phrase import joined

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable

State = TypeVar("State")
"""What a conversation has come to; an immutable value."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something to show: text, or what rich can draw, in a style of rich."""

    content: str | ConsoleRenderable
    style: str = ""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A numbered list as it is shown, and by the places of its numbers the lines that they stand for.

    A line is "" where what is listed cannot be typed.
    """

    shown: tuple[str, ...]
    lines: tuple[str, ...]


Printed: TypeAlias = "str | Said"
"""What a terminal prints."""

Shown: TypeAlias = "Printed | Numbered"


@dataclass(frozen=True, slots=True)
class Answer(Generic[State]):
    """What an answer led to.

    `said` is shown after it. `line` is kept in its place where what was typed needs it put plainly.
    """

    state: State
    said: tuple[Shown, ...] = ()
    line: str | None = None


@dataclass(frozen=True, slots=True)
class Question(Generic[State]):
    """One question: `prompt` with the `default` in brackets, which Enter takes.

    `parse` makes an answer of a line, "" being the default, and raises CompanionError with the reason if it cannot, or
    AmbiguousAnswerError. `key` tells it from the conversation's other questions, `intro` is shown before it, `help`
    explains it; `completions` are words that may be typed; `listing` shows what can be chosen or stands so far;
    `commands` are further words that show something and answer nothing; `own` are words of every conversation that are
    answers here. An `optional` one is answered by the end of a pipe too, as by Enter.
    """

    key: str
    prompt: str
    parse: Callable[[str], Answer[State]]
    default: str = ""
    help: str = ""
    completions: tuple[str, ...] = ()
    intro: tuple[Shown, ...] = ()
    listing: Callable[[], Iterable[Shown]] = tuple
    commands: Mapping[str, Callable[[], Iterable[Shown]]] = field(default_factory=dict)
    mark: str = ": "
    own: frozenset[str] = frozenset()
    optional: bool = False

    @property
    def choices(self) -> Numbered | None:
        """The numbered list that there is to choose from, if there is one."""
        return next((one for one in self.listing() if isinstance(one, Numbered)), None)

    def line(self, default: str = "") -> str:
        """The prompt as it is shown, with another default where one is given."""
        default = default or self.default
        return self.prompt + (joined("", (" [", default, "]")) if default else "") + self.mark


class Conversation(Protocol[State]):
    """A sequence of questions, each worked out from the answers before it."""

    quitting: str
    """What the word quit does here, for the help: "leaves; what was typed is kept"."""

    def begin(self) -> Answer[State]:
        """The state before the first question, and what was done to come to it."""

    def welcome(self, state: State) -> Iterable[Shown]:
        """What is said at the beginning of a sitting in that state."""

    def question(self, state: State) -> Question[State] | None:
        """What is asked next; None when all is answered."""

    def earlier(self, state: State) -> State | None:
        """The state before one that this sitting began with; None if nothing was answered before it."""
