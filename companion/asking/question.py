"""What is asked and said, as values; a conversation is a generator of them, whoever asks."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from companion.errors import NotationError
from companion.language.phrase import joined, say
from companion.notation.codes import looks_like_code
from companion.rules.model.components import Tribe

T = TypeVar("T")
State = TypeVar("State")
"""What a conversation has come to; an immutable value."""

_MOST_SHOWN = 12
"""At most this many choices are shown before a question; more only when they're asked for."""


@dataclass(frozen=True, slots=True)
class Styled:
    """Text, or what a terminal can draw, in a style of rich."""

    content: object
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
class Tap:
    """One answer: its word in an address, what it says, and what shows it: a tile, meeples, or an icon."""

    token: str
    words: str
    square: int | None = None
    tribes: tuple[Tribe, ...] = ()
    icon: str = ""


class Kind(Enum):
    """What a page has for a question."""

    LINE = auto()
    NUMBER = auto()
    TICK = auto()
    ONE = auto()
    """One of its taps."""
    ORDER = auto()
    """Several of its taps, one after another."""


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """One question: its `words` with the `default` in brackets, which Enter takes.

    `parse` makes an answer of a line, "" being the default; it raises CompanionError with the reason if it cannot, and
    it alone does: what has been parsed is accepted. `key` tells the question from the conversation's others, `why` and
    what a `picture` shows come before it, then its `choices` in words, each with the line that it stands for. `help`
    explains it; `completions` are words that may be typed; `listing` shows what was told so far, where that isn't the
    answers; `commands` are further words that show something and answer nothing; `own` are words of every conversation
    that are answers here. The end of a pipe answers an `optional` one as Enter does.

    A page has something of a `kind` for it. `taps` are what can be tapped there in place of typing, at most `most` of
    them, with commas between in the line, and only those named in `left` after what is told; a number's one tap shows
    what is counted. Djinns among `powers` may be used first. `known` is the line that stands for what is known already.
    """

    key: str
    words: str
    parse: Callable[[str], T]
    default: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    why: tuple[Message, ...] = ()
    picture: object = None
    help: str = ""
    completions: tuple[str, ...] = ()
    listing: Callable[[], Iterable[Message]] | None = None
    commands: Mapping[str, Callable[[], Iterable[Message]]] = field(default_factory=dict)
    mark: str = ": "
    own: frozenset[str] = frozenset()
    optional: bool = False
    kind: Kind = Kind.LINE
    taps: tuple[Tap, ...] = ()
    powers: tuple[Tap, ...] = ()
    left: tuple[str, ...] = ()
    most: int | None = None
    known: str = ""

    @property
    def offered(self) -> tuple[Tap, ...]:
        return (*self.taps, *self.powers)

    @property
    def listed(self) -> NumberedList | None:
        """The numbered list to choose from, if there is one."""
        return NumberedList.of(self.choices) if self.choices else None

    @property
    def before(self) -> tuple[Message, ...]:
        seen = () if self.picture is None else (Styled(self.picture),)
        listed = self.listed
        return (*self.why, *seen, *((listed,) if listed and len(self.choices) <= _MOST_SHOWN else ()))

    def prompt(self, default: str = "") -> str:
        """The question as it is asked, with another default where one is given."""
        default = default or self.default
        return self.words + (joined("", (" [", default, "]")) if default else "") + self.mark


class LeftError(Exception):
    """Thrown into a conversation where somebody leaves it; what it returns then is what it has come to."""


Asking: TypeAlias = "Generator[Question[Any] | Message, Any, State]"
"""Yields questions, and is sent their answers as `parse` made them, and messages; returns what it has come to."""


def ask(question: Question[T]) -> Generator[Question[Any] | Message, Any, T]:
    """Ask one question; returns its answer."""
    answer: T = yield question
    return answer


@dataclass(frozen=True, slots=True)
class Conversation(Generic[State]):
    """What asks from a `first` state on, whose `welcome` is shown whenever a session begins.

    `ask` yields the questions of a state and returns the next one. One that `goes_on` is asked again from there, until
    nothing is asked any more; `earlier` is then the state before the one that a session began with, None if there is
    none. `quitting` says for the help what the word quit does: "leaves; what was typed is kept".
    """

    first: State
    ask: Callable[[State], Asking[State]]
    quitting: str
    welcome: tuple[Message, ...] = ()
    goes_on: bool = False
    earlier: Callable[[State], State | None] = lambda state: None


def once(question: Question[T], quitting: str) -> Conversation[T | None]:
    """Asks a single question; comes to None if somebody leaves."""
    return Conversation(None, lambda _: ask(question), quitting)


LEAVING = say("leaves")


def parse_file(line: str) -> str:
    """The name of a file that's there, as a terminal writes it when it's dropped; a code; or ""."""
    if not line or looks_like_code(line):
        return line
    path = Path(line.strip("'\"").replace("\\ ", " ")).expanduser()
    if not path.is_file():
        raise NotationError("there's no file {path}: type where it is, or press Enter", path=path)
    return str(path)


class Interview(Generic[State]):
    """A conversation on its way: the `question` that is open, what is `said` before it, and the answers so far.

    `state` is what it has come to: what it returned last, or its first state.
    """

    def __init__(self, conversation: Conversation[State]) -> None:
        self._conversation = conversation
        self._before: list[tuple[State, list[tuple[str, str]]]] = []
        self._lines: list[tuple[str, str]] = []
        self.said: list[Message] = []
        self.question: Question[Any] | None = None
        self._begin(conversation.first)

    @property
    def answers(self) -> tuple[tuple[str, str], ...]:
        """The key of each question that was answered, and the line."""
        return (*(line for _, lines in self._before for line in lines), *self._lines)

    def answer(self, line: str) -> None:
        """Take the answer to the open question. Raises what its `parse` raises, and nothing has changed then."""
        assert self.question is not None, "something is asked"
        value, self.said = self.question.parse(line), []
        self._lines.append((self.question.key, line))
        self._advance(value)

    def resume(self, lines: Iterable[tuple[str, str]]) -> None:
        """Give answers again; those to questions that are asked no more are left out. Raises what `answer` raises."""
        left = list(lines)
        while (question := self.question) is not None:
            number = next((number for number, (key, _) in enumerate(left) if key == question.key), None)
            if number is None:
                break
            self.answer(left[number][1])
            del left[: number + 1]
        self.said = []

    def back(self) -> tuple[str, str] | None:
        """Take the last answer back: its key and line; ("", "") for one that the session began with, None for none."""
        if not self._lines and self._before:
            self.state, self._lines = self._before.pop()
        elif not self._lines:
            state = self._conversation.earlier(self.state)
            if state is not None:
                self._begin(state)
            return None if state is None else ("", "")
        *lines, taken = self._lines
        self._begin(self.state)
        self.resume(lines)
        return taken

    def leave(self) -> None:
        """Ask nothing more; the state is what was answered so far."""
        try:
            self._running.throw(LeftError)
        except StopIteration as over:
            self.state = over.value
        except LeftError:
            pass

    def _begin(self, state: State) -> None:
        self.state, self.said, self._lines = state, [], []
        self._running = self._conversation.ask(state)
        self._advance(None)

    def _advance(self, sent: object) -> None:
        self.question = None
        while True:
            try:
                item = self._running.send(sent)
            except StopIteration as over:
                if not (self._conversation.goes_on and self._lines):
                    self.state = over.value
                    return
                self._before.append((self.state, self._lines))
                self.state, self._lines = over.value, []
                self._running = self._conversation.ask(self.state)
                item = None
            sent = None
            if isinstance(item, Question):
                self.question = item
                return
            if item is not None:
                self.said.append(item)


# The words of commands in the five languages: typed, any is taken, whichever the run speaks. None may be a name of the
# game or an answer.


BACK, LIST, HELP, QUIT = "back", "list", "help", "quit"
"""The commands of every conversation."""

DONE, SKIP, SHOW, SCORE, HINT = "done", "skip", "show", "score", "hint"
"""Commands of some questions."""

COMMAND_WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    BACK: {"en": ("back", "undo", "u", "<"), "ru": ("назад",), "uk": ("назад",), "ko": ("뒤로",), "it": ("indietro",)},
    LIST: {"en": ("list",), "ru": ("список",), "uk": ("список",), "ko": ("목록",), "it": ("elenco",)},
    HELP: {"en": ("help", "?", "h"), "ru": ("помощь",), "uk": ("допомога",), "ko": ("도움말",), "it": ("aiuto",)},
    QUIT: {"en": ("quit", "q", "exit"), "ru": ("выход",), "uk": ("вихід",), "ko": ("나가기",), "it": ("esci",)},
    DONE: {"en": ("done",), "ru": ("готово",), "uk": ("готово",), "ko": ("끝",), "it": ("finito",)},
    SKIP: {"en": ("skip", "s"), "ru": ("пропустить",), "uk": ("пропустити",), "ko": ("건너뛰기",), "it": ("salta",)},
    SHOW: {"en": ("show",), "ru": ("показать",), "uk": ("показати",), "ko": ("보기",), "it": ("mostra",)},
    SCORE: {"en": ("score",), "ru": ("очки",), "uk": ("очки",), "ko": ("점수",), "it": ("punti",)},
    HINT: {"en": ("hint",), "ru": ("подсказка",), "uk": ("підказка",), "ko": ("힌트",), "it": ("consiglio",)},
}
"""The words of each command by language, the one that help mentions first."""

_BY_WORD = {word: command for command, forms in COMMAND_WORDS.items() for words in forms.values() for word in words}


def command_of(line: str) -> str:
    """The command that a line is in any language, by its English name; a line that is none in lower case.

    >>> command_of("Назад"), command_of("q"), command_of("Anna")
    ('back', 'quit', 'anna')
    """
    # Some keyboards send й and Hangul in pieces.
    word = unicodedata.normalize("NFC", line.strip()).casefold()
    return _BY_WORD.get(word, word)


def words_in(language: str) -> dict[str, str]:
    """The word of each command in a language; the English one where the program does not speak it."""
    return {command: words.get(language, words["en"])[0] for command, words in COMMAND_WORDS.items()}


def offered(words: Iterable[str], language: str) -> tuple[str, ...]:
    """Words to be completed, commands among them in the language as well as in English.

    >>> offered(["pink", "done"], "it")
    ('pink', 'done', 'finito')
    """
    own = words_in(language)
    return tuple(dict.fromkeys(form for word in words for form in (word, own.get(word, word))))
