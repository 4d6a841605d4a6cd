"""Where answers come from: a terminal with line editing, history and completion, or plain lines of a pipe."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TextIO, cast

from companion.asking.question import Printable, Styled
from companion.cli.locale import translate
from companion.cli.output import known_sizes
from companion.cli.wrapping import broken
from companion.errors import UnusableInputError, printable

if TYPE_CHECKING:
    from rich.console import Console


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
        self._console.file.write(printable(translate(prompt)))
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
            output=create_output(stdout=cast(TextIO, console.file)),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
        )

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str | None:
        try:
            return self._session.prompt(printable(translate(prompt)), completer=_completer(completions))
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
