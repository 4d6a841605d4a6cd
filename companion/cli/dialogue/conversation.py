"""What a conversation is made of: questions and answers as values, whoever asks them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from companion.language.phrase import joined

if TYPE_CHECKING:
    from rich.console import ConsoleRenderable

State = TypeVar("State")
"""What a conversation has come to; an immutable value."""


@dataclass(frozen=True, slots=True)
class Styled:
    """Text, or what rich can draw, in a style of rich."""

    content: str | ConsoleRenderable
    style: str = ""


@dataclass(frozen=True, slots=True)
class NumberedList:
    """A list as it is shown, and for each of its numbers the line that it stands for, "" where that cannot be typed."""

    shown: tuple[str, ...]
    lines: tuple[str, ...]

    @classmethod
    def of(cls, choices: Iterable[tuple[str, str]]) -> NumberedList:
        """The list of choices in words, each with the line that it stands for."""
        words, lines = zip(*choices, strict=True)
        width = len(str(len(lines)))
        numbered = (joined("", (f"  {number:>{width}}  ", choice)) for number, choice in enumerate(words, 1))
        return cls(tuple(numbered), lines)


Printable: TypeAlias = "str | Styled"
"""What a terminal prints."""

Message: TypeAlias = "Printable | NumberedList"


@dataclass(frozen=True, slots=True)
class Answer(Generic[State]):
    """What an answer led to: a state, and messages shown after it; `line` is kept in place of what was typed."""

    state: State
    messages: tuple[Message, ...] = ()
    line: str | None = None


@dataclass(frozen=True, slots=True)
class Question(Generic[State]):
    """One question: `prompt` with the `default` in brackets, which Enter takes.

    `parse` makes an answer of a line, "" being the default; it raises CompanionError with the reason if it cannot.
    `key` tells it from the conversation's other questions, `intro` is shown before it, `help`
    explains it; `completions` are words that may be typed; `listing` shows what can be chosen, else the answers so far;
    `commands` are further words that show something and answer nothing; `own` are words of every conversation that are
    answers here. The end of a pipe answers an `optional` one as Enter does.
    """

    key: str
    prompt: str
    parse: Callable[[str], Answer[State]]
    default: str = ""
    help: str = ""
    completions: tuple[str, ...] = ()
    intro: tuple[Message, ...] = ()
    listing: Callable[[], Iterable[Message]] | None = None
    commands: Mapping[str, Callable[[], Iterable[Message]]] = field(default_factory=dict)
    mark: str = ": "
    own: frozenset[str] = frozenset()
    optional: bool = False

    @property
    def choices(self) -> NumberedList | None:
        """The numbered list to choose from, if there is one."""
        listed = () if self.listing is None else self.listing()
        return next((message for message in listed if isinstance(message, NumberedList)), None)

    def line(self, default: str = "") -> str:
        """The prompt as it is shown, with another default where one is given."""
        default = default or self.default
        return self.prompt + (joined("", (" [", default, "]")) if default else "") + self.mark


class Conversation(ABC, Generic[State]):
    """A sequence of questions from the `first` state on, each worked out from the answers before it.

    `quitting` says for the help what the word quit does here: "leaves; what was typed is kept".
    """

    quitting: str

    def __init__(self, first: State) -> None:
        self.first = first

    def begin(self) -> Answer[State]:
        """The state before the first question, and what was done to come to it."""
        return Answer(self.first)

    def welcome(self, state: State) -> Iterable[Message]:
        """What is shown when a session begins in that state."""
        return ()

    @abstractmethod
    def question(self, state: State) -> Question[State] | None:
        """What is asked next; None when all is answered."""

    def listing(self, state: State) -> Iterable[Message]:
        """The answers so far."""
        return ()

    def earlier(self, state: State) -> State | None:
        """The state before the one that this session began with; None if there is none."""
        return None
