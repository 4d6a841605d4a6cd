"""The one loop of all conversations: it asks, takes answers back, lists, helps, leaves, and keeps each answer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

from companion.cli.dialogue.command_words import BACK, HELP, LIST, QUIT, command_of, offered
from companion.cli.dialogue.question import Answer, Conversation, Numbered, Question, Said, Shown, State
from companion.cli.dialogue.terminal import Terminal
from companion.cli.locale import run_language
from companion.errors import CompanionError, MissingDependencyError, UnusableInputError, quoted
from companion.language.phrase import joined, padded, say, say_as, say_many
from companion.notation.names import UnknownNameError, fold
from companion.notation.score_entries import AmbiguousAnswerError
from companion.notation.tokens import whole_number

WORDS = (BACK, "undo", LIST, HELP, QUIT)
"""The words of every conversation, as they are completed."""

_WIDTH = 20
"""Columns that the words of a command take in the help, in the language that has the longest."""

Kept_contra = TypeVar("Kept_contra", contravariant=True)

Lines = tuple[tuple[str, str], ...]
"""Answers given so far: the key of the question, and the line."""


class Keeper(Protocol[Kept_contra]):
    """Where answers are put so that nothing can be lost."""

    @property
    def how_to_go_on(self) -> str:
        """The end of a sentence that says how to take the conversation up again, "" if nothing is kept."""

    def keep(self, state: Kept_contra, lines: Lines) -> None:
        """Put a state and the answers that led to it on disk."""


class Unkept:
    """Keeps no answers, where they are few."""

    how_to_go_on = ""

    def keep(self, state: object, lines: Lines) -> None:
        """See `Keeper.keep`."""


class End(Enum):
    """How a conversation came to its end."""

    DONE = "all was answered"
    QUIT = "left by quit"
    OUT = "the answers of a pipe ended"
    BROKEN_OFF = "Ctrl-C or Ctrl-D"


@dataclass(frozen=True, slots=True)
class Talked(Generic[State]):
    """How a conversation ended, the state it came to, how many answers were given, and the question left open."""

    state: State
    end: End
    answers: int
    open: Question[State] | None = None


class Dialogue(Generic[State]):
    """Holds a conversation on a terminal; `keeper` gets each answer before anything of it is shown."""

    def __init__(self, terminal: Terminal, conversation: Conversation[State], keeper: Keeper[State]) -> None:
        self._terminal = terminal
        self._conversation = conversation
        self._keeper = keeper
        begun = conversation.begin()
        self._first: tuple[Shown, ...] = begun.said
        self._states = [begun.state]
        self._lines: list[tuple[str, str]] = []
        self._taken_back: list[tuple[str, str]] = []
        # What numbers pick from: the numbered list that was shown last, if nothing was shown after it.
        self._counted: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """What the answers so far have come to."""
        return self._states[-1]

    def resume(self, lines: Sequence[tuple[str, str]]) -> None:
        """Give answers of a sitting before again; those to questions that are asked no more are left out.

        Raises NotationError for one that is no answer.
        """
        left = list(lines)
        while (question := self._conversation.question(self.state)) is not None:
            place = next((place for place, (key, _) in enumerate(left) if key == question.key), None)
            if place is None:
                break
            line = _picked_before(question, left[place][1])
            self._accept(question, line, question.parse(line))
            del left[: place + 1]
        self._terminal.remember(line for _, line in self._lines)

    def run(self) -> Talked[State]:
        """Ask until all is answered or somebody leaves.

        Raises UnusableInputError for input that is no text, and for a line with two readings where nobody is there
        to be asked.
        """
        question: Question[State] | None = None
        try:
            self._say(self._conversation.welcome(self.state))
            self._say(self._first)
            introduced: State | None = None
            while (question := self._conversation.question(self.state)) is not None:
                if introduced is not self.state:
                    self._say(question.intro)
                introduced = self.state
                end = self._ask(question)
                if end is not None:
                    return Talked(self.state, end, len(self._lines), question)
        except KeyboardInterrupt:
            self._terminal.say()
            return Talked(self.state, End.BROKEN_OFF, len(self._lines), question)
        return Talked(self.state, End.DONE, len(self._lines))

    def _ask(self, question: Question[State]) -> End | None:
        """Take one line: what a word says is done, any other is the answer. How the conversation ends, if it does."""
        before = self._answer_before(question)
        try:
            words = offered((*question.completions, *question.commands, *WORDS), run_language())
            typed = self._terminal.ask(question.line(before), words)
        except UnusableInputError as error:
            raise UnusableInputError(joined("", (str(error), self._keeper.how_to_go_on))) from None
        if typed is None:
            self._terminal.say()
            if not question.optional:
                return End.OUT
        line = (typed or "").strip()
        command = command_of(line)
        if (not line and before) or line in question.own:
            self._answer(question, line or before)
        elif command == QUIT:
            return End.QUIT
        elif command == BACK:
            self._back()
        elif command == HELP:
            self._help(question)
        elif command == LIST:
            self._say(question.listing())
        elif command in question.commands:
            # What a command prints by itself is no list either.
            self._counted = ()
            self._say(question.commands[command]())
        elif (number := whole_number(line)) is not None and (listed := question.choices) is not None:
            self._pick(question, line, number, listed)
        else:
            self._answer(question, line)
        return None

    def _answer_before(self, question: Question[State]) -> str:
        """What was answered to a question before it was taken back, "" if nothing was."""
        return next((line for key, line in reversed(self._taken_back) if key == question.key), "")

    def _pick(self, question: Question[State], line: str, number: int, listed: Numbered) -> None:
        """Take what a number stands for in the list that was shown last; one that counts no such list is refused."""
        counted, state = self._counted, self.state
        lines = counted or listed.lines
        if not 0 < number <= len(lines):
            # It may be an answer of its own; else the question's words say what can be typed.
            self._answer(question, line)
        elif not counted:
            shown = _numbered(question)
            self._refuse(
                say("{number} is a place in a list, and something else was shown since; here is the list", number=line)
                if shown
                else say(
                    "{number} is a place in a list, and none was shown last; list shows what there is to choose",
                    number=line,
                )
            )
            self._say(shown)
        elif lines[number - 1]:
            self._answer(question, lines[number - 1])
        else:
            self._refuse(say("number {number} cannot be picked; type it in words", number=line))
        if self.state is state:
            self._counted = counted or self._counted

    def _answer(self, question: Question[State], line: str) -> None:
        """Take a line as the answer, or what is chosen where it has several readings or a word that is misspelt."""
        meant: str | None = line
        while meant is not None:
            try:
                self._take(question, meant)
                return
            except AmbiguousAnswerError as error:
                meant = self._choose(meant, error)
            except UnknownNameError as error:
                meant = self._respelt(meant, error)

    def _take(self, question: Question[State], line: str) -> None:
        """Take a line as the answer, or refuse it. Raises AmbiguousAnswerError for one with several readings."""
        try:
            answer = question.parse(line)
        except (AmbiguousAnswerError, MissingDependencyError):
            raise
        except CompanionError as error:
            if isinstance(error, UnknownNameError) and error.is_part_of(line):
                raise
            self._refuse(error)
            return
        self._accept(question, line, answer)
        self._keeper.keep(self.state, tuple(self._lines))
        self._say(answer.said)

    def _refuse(self, error: CompanionError | str) -> None:
        self._say((Said("  " + joined("", (str(error),)), "red"),))

    def _accept(self, question: Question[State], line: str, answer: Answer[State]) -> None:
        self._states.append(answer.state)
        given = (question.key, line if answer.line is None else answer.line)
        self._lines.append(given)
        self._counted = ()
        if self._taken_back:
            # Where one key is that of every question, another answer leads elsewhere.
            same = self._answer_before(question) == given[1]
            before = [place for place, (key, _) in enumerate(self._taken_back) if key == question.key]
            dropped = before[-1:] if same else before
            self._taken_back = [one for place, one in enumerate(self._taken_back) if place not in dropped]

    def _choose(self, line: str, error: AmbiguousAnswerError) -> str | None:
        """The reading that is meant; None to type the line again. Without anybody to ask, raises the error."""
        if not self._terminal.interactive:
            raise UnusableInputError(joined("", (str(error), self._keeper.how_to_go_on)))
        self._terminal.say(
            say_many(
                "  {line} can be read in {count} way:",
                "  {line} can be read in {count} ways:",
                len(error.readings),
                line=quoted(line),
            )
        )
        for number, (words, _) in enumerate(error.readings, 1):
            self._terminal.say(joined("", (f"    {number}  ", words)))
        while True:
            picked = self._terminal.ask(say("  which one? (back: type it again) "))
            if picked is None or command_of(picked) in (BACK, QUIT, ""):
                return None
            if fold(picked).isdecimal() and 0 < int(fold(picked)[:3]) <= len(error.readings):
                return error.readings[int(fold(picked)[:3]) - 1][1]
            self._terminal.say(say("  type a number from 1 to {most}", most=len(error.readings)))

    def _respelt(self, line: str, error: UnknownNameError) -> str | None:
        """The line with what is typed in place of a word that is no name; None to type the line again."""
        self._refuse(error)
        prompt = say("  what instead of {word}? (back: type the line again)", word=repr(error.word))
        typed = self._terminal.ask(joined("", (prompt, " [", error.nearest, "]: ")))
        if typed is None or command_of(typed) in (BACK, QUIT):
            return None
        return error.mended(line, typed.strip() or error.nearest)

    def _back(self) -> None:
        if len(self._states) > 1:
            self._states.pop()
            self._taken_back.append(self._lines.pop())
        else:
            before = self._conversation.earlier(self.state)
            if before is None:
                self._say((say("  There is nothing to undo."),))
                return
            self._states = [before]
        self._keeper.keep(self.state, tuple(self._lines))
        self._say((say("  taken back"),))

    def _help(self, question: Question[State]) -> None:
        if question.help:
            self._say((question.help,))
        for words, what in (
            (say("back or undo"), say("take the last answer back")),
            (say_as("command", "list"), say("what there is to choose from, or what stands so far")),
            (say_as("command", "quit"), self._conversation.quitting),
            (say("help or ?"), say("this")),
        ):
            self._say((joined("", ("  ", padded(words, _WIDTH), " ", what)),))
        self._say(_numbered(question))

    def _say(self, shown: Iterable[Shown]) -> None:
        for one in shown:
            if isinstance(one, Numbered):
                for line in one.shown:
                    self._terminal.say(line)
                self._counted = one.lines
            else:
                self._terminal.say(one)
                self._counted = ()


def _numbered(question: Question[State]) -> list[Numbered]:
    """The numbered lists that stand before a question, to be shown again where something else came after them."""
    return [one for one in question.intro if isinstance(one, Numbered)]


def _picked_before(question: Question[State], line: str) -> str:
    """A line of a draft; earlier versions kept the number of what was picked."""
    number, listed = whole_number(line), question.choices
    return listed.lines[number - 1] if listed and number is not None and 0 < number <= len(listed.lines) else line
