"""The one loop of all conversations: it asks, takes answers back, lists, helps, leaves, and keeps each answer.

Answers come from a terminal with line editing, history and completion, or as plain lines of a pipe.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, Protocol, TextIO, TypeVar, cast

from companion.asking.question import (
    BACK,
    HELP,
    LIST,
    QUIT,
    Conversation,
    Interview,
    Message,
    NumberedList,
    Printable,
    Question,
    State,
    Styled,
    command_of,
    offered,
)
from companion.cli.locale import run_language, translate
from companion.cli.output import broken, fitted, known_sizes
from companion.errors import CompanionError, MissingDependencyError, UnusableInputError, printable
from companion.language.phrase import joined, padded, say, say_as
from companion.notation.names import UnknownNameError, nearest
from companion.notation.tokens import whole_number

if TYPE_CHECKING:
    from rich.console import Console


# Where answers come from.


def open_terminal(console: Console | None = None) -> Terminal:
    """A terminal whose questions stand on `console` or standard error: with line editing for a person at both ends."""
    if console is None:
        from rich.console import Console as RichConsole

        console = RichConsole(stderr=True, highlight=False, _environ=known_sizes())
    if sys.stdin.isatty() and console.file.isatty() and os.environ.get("TERM") != "dumb":
        return PromptTerminal(console)
    return Terminal(console)


class Terminal:
    """What a dialogue is held on: prompts and answers as plain lines; answers of a pipe are shown after their prompts.

    `interactive` says that a person types and sees the questions, so that there is somebody to ask once more.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self.interactive = sys.stdin.isatty()

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str | None:
        """The line typed after a prompt, None where a pipe has ended. Raises KeyboardInterrupt for Ctrl-C or Ctrl-D,
        UnusableInputError for what is no text.
        """
        self._console.file.write(self._prompt(prompt))
        self._console.file.flush()
        try:
            line = sys.stdin.readline()
            # In a locale without UTF-8 Python hides bytes of other encodings in lone surrogates.
            line.encode()
        except UnicodeError:
            raise UnusableInputError("what was typed is not text in UTF-8") from None
        if self.interactive and not line:
            raise KeyboardInterrupt
        if not self.interactive:
            self.say(line.rstrip("\n"))
        return line.rstrip("\r\n") if line else None

    def _prompt(self, prompt: str) -> str:
        return fitted(printable(translate(prompt)), cast(TextIO, self._console.file))

    def say(self, message: Printable = "") -> None:
        """Show something on lines of its own."""
        console = self._console
        styled = message if isinstance(message, Styled) else Styled(message)
        if isinstance(styled.content, str):
            text = printable(translate(styled.content))
            if console.is_terminal:
                text = "\n".join(broken(line, console.width, "  ") for line in text.split("\n"))
            console.print(text, style=styled.style, markup=False, highlight=False, soft_wrap=True)
        else:
            console.print(styled.content)

    def remember(self, lines: Iterable[str]) -> None:
        """Have lines typed before in the history, where there is one."""


class PromptTerminal(Terminal):
    """Line editing, history with the arrow keys and completion with Tab, by prompt_toolkit."""

    def __init__(self, console: Console) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output import create_output
        from prompt_toolkit.shortcuts import CompleteStyle

        super().__init__(console)
        self._history = InMemoryHistory()
        self._session: PromptSession[str] = PromptSession(
            history=self._history,
            output=create_output(stdout=cast("TextIO", console.file)),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
        )

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str | None:
        try:
            return self._session.prompt(self._prompt(prompt), completer=_completer(completions))
        except EOFError:
            raise KeyboardInterrupt from None

    def remember(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._history.append_string(line)


def _completer(words: Sequence[str]) -> Any:
    """Completes the last word, after a comma or space, to those of `words` that begin so in either case."""
    from prompt_toolkit.completion import WordCompleter

    # prompt_toolkit looks for the word backwards from where the cursor stands.
    return WordCompleter(list(words), ignore_case=True, pattern=re.compile(r"^[^\s,]+"))


# The loop.


_WIDTH, _MIN_LETTERS = 20, 3
"""Columns that the words of a command take in the help, in the language that has the longest."""

State_contra = TypeVar("State_contra", contravariant=True)

Lines = tuple[tuple[str, str], ...]
"""Answers given so far: the key of the question, and the line."""


class Saver(Protocol[State_contra]):
    """Where answers are put so that nothing can be lost."""

    @property
    def how_to_go_on(self) -> str:
        """The end of a sentence that says how to take the conversation up again, "" if nothing is kept."""

    def save(self, state: State_contra, lines: Lines) -> None:
        """Put a state and the answers that led to it on disk."""


class End(Enum):
    """How a conversation came to its end."""

    DONE = "all was answered"
    QUIT = "left by quit"
    OUT = "the answers of a pipe ended"
    BROKEN_OFF = "Ctrl-C or Ctrl-D"


class Dialogue(Generic[State]):
    """Holds a conversation on a terminal; the `saver`, if any, gets each answer before anything of it is shown.

    Once it has run, `end` says how it ended, and `open` is the question that was left.
    """

    def __init__(
        self, terminal: Terminal, conversation: Conversation[State], saver: Saver[State] | None = None
    ) -> None:
        self._terminal = terminal
        self._conversation = conversation
        self._saver = saver
        self._interview = Interview(conversation)
        self._taken_back: list[tuple[str, str]] = []
        # What numbers pick from: the numbered list that was shown last, until an answer or a command's own words.
        self._numbered: tuple[str, ...] = ()
        self.end = End.DONE
        self.open: Question[Any] | None = None

    @property
    def answers(self) -> int:
        return len(self._interview.answers)

    @property
    def state(self) -> State:
        return self._interview.state

    def resume(self, lines: Iterable[tuple[str, str]]) -> None:
        """Give a draft's answers again. Raises CompanionError for one that is no answer."""
        self._interview.resume(lines)
        self._terminal.remember(line for _, line in self._interview.answers)

    def run(self) -> Dialogue[State]:
        """Ask until all is answered or somebody leaves. Raises UnusableInputError for input that is no text."""
        end: End | None = None
        try:
            self._say((*self._conversation.welcome, *self._interview.said))
            while end is None and (question := self._interview.question) is not None:
                if self.open is not question:
                    self._say(question.before)
                self.open = question
                end = self._ask(question)
        except KeyboardInterrupt:
            self._terminal.say()
            end = End.BROKEN_OFF
        if end is None:
            self.open = None
        elif end is not End.BROKEN_OFF:
            self._interview.leave()
        self.end = end or End.DONE
        return self

    def _ask(self, question: Question[Any]) -> End | None:
        """Take one line, a command or an answer. How the conversation ends, if it does."""
        # What was answered before it was taken back.
        before = next((line for key, line in reversed(self._taken_back) if key == question.key), "")
        words = offered((*question.completions, *question.commands, BACK, "undo", LIST, HELP, QUIT), run_language())
        try:
            typed = self._terminal.ask(question.prompt(before), words)
        except UnusableInputError as error:
            how_to_go_on = "" if self._saver is None else self._saver.how_to_go_on
            raise UnusableInputError(joined("", (str(error), how_to_go_on))) from None
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
            self._say(_listing(question))
        elif command in question.commands:
            # What a command prints by itself is no list either.
            self._numbered = ()
            self._say(question.commands[command]())
        elif (number := whole_number(line)) is not None and question.listed is not None:
            self._pick(question, line, number, question.listed)
        else:
            self._answer(question, line)
        return End.OUT if typed is None and self._interview.question is question else None

    def _pick(self, question: Question[Any], line: str, number: int, choices: NumberedList) -> None:
        """Take the line that a number stands for in the list shown last; without one, show the list."""
        lines = self._numbered or choices.lines
        if not 0 < number <= len(lines):
            # It may be an answer of its own; else the question's words say what can be typed.
            self._answer(question, line)
        elif not self._numbered:
            self._say((say("  Pick from this list:"), choices))
        elif lines[number - 1]:
            self._answer(question, lines[number - 1])
        else:
            self._refuse(say("number {number} can't be picked; type it in words", number=line))

    def _answer(self, question: Question[Any], line: str) -> None:
        """Take a line as the answer, or what is typed in place of a word that is no name."""
        meant: str | None = line
        while meant is not None:
            try:
                self._interview.answer(meant)
            except MissingDependencyError:
                raise
            except CompanionError as error:
                self._refuse(joined("", (str(error), self._meant(question, meant))))
                if not isinstance(error, UnknownNameError) or not error.is_part_of(meant):
                    return
                meant = self._respelt(meant, error)
            else:
                self._accepted((question.key, meant))
                self._save()
                self._say(self._interview.said)
                return

    def _meant(self, question: Question[Any], line: str) -> str:
        """The command that a word probably is that was taken for an answer, as the end of a sentence."""
        if len(line) < _MIN_LETTERS or not line.isalpha():
            return ""
        return nearest(line, offered((*question.commands, BACK, LIST, HELP, QUIT), run_language()))

    def _refuse(self, error: CompanionError | str) -> None:
        self._say((Styled("  " + joined("", (str(error),)), "red"),))

    def _save(self) -> None:
        if self._saver is not None:
            self._saver.save(self.state, self._interview.answers)

    def _accepted(self, given: tuple[str, str]) -> None:
        self._numbered = ()
        if given in self._taken_back[-1:]:
            self._taken_back.pop()
        else:
            # Another answer leads elsewhere.
            self._taken_back = [taken for taken in self._taken_back if taken[0] != given[0]]

    def _respelt(self, line: str, error: UnknownNameError) -> str | None:
        """The line with what is typed in place of a word that is no name; None to type the line again."""
        prompt = say("  what instead of {word}? (back: type the line again)", word=repr(error.word))
        typed = self._terminal.ask(joined("", (prompt, " [", error.nearest, "]: ")))
        if typed is None or command_of(typed) in (BACK, QUIT):
            return None
        return error.mended(line, typed.strip() or error.nearest)

    def _back(self) -> None:
        taken = self._interview.back()
        if taken is None:
            self._say(("  " + say("Nothing to undo."),))
            return
        self._taken_back.append(taken)
        self._numbered = ()
        self._save()
        self._say(("  " + say("Undone."),))

    def _help(self, question: Question[Any]) -> None:
        if question.help:
            self._say((question.help,))
        for words, what in (
            (say("back or undo"), say("undo the last answer")),
            (say_as("command", "list"), say("show the choices, or your answers so far")),
            (say_as("command", "quit"), self._conversation.quitting),
            (say("help or ?"), say("this")),
        ):
            self._say((joined("", ("  ", padded(words, _WIDTH), " ", what)),))
        self._say(one for one in question.before if isinstance(one, NumberedList))

    def _say(self, messages: Iterable[Message]) -> None:
        for message in messages:
            if isinstance(message, NumberedList):
                for line in message.shown:
                    self._terminal.say(line)
                self._numbered = message.lines
            else:
                self._terminal.say(message)


def answered(conversation: Conversation[State], terminal: Terminal | None = None) -> State:
    """What a conversation comes to that is kept nowhere. Raises KeyboardInterrupt where somebody breaks off."""
    talked = Dialogue(terminal or open_terminal(), conversation).run()
    if talked.end is End.BROKEN_OFF:
        raise KeyboardInterrupt
    return talked.state


def _listing(question: Question[Any]) -> Iterable[Message]:
    """What the word list shows: the choices, else what was told so far."""
    listed = question.listed
    return (listed,) if listed is not None else () if question.listing is None else question.listing()
