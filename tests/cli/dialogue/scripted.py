"""A terminal that answers from a script, for conversations without a command around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.asking.question import Printable, Styled
from companion.cli.dialogue.loop import Terminal


class ScriptedTerminal(Terminal):
    """Gives lines in order, then ends; keeps all that was shown and asked."""

    def __init__(self, lines: Iterable[str], *, interactive: bool = False) -> None:
        self.interactive = interactive
        self.shown: list[str] = []
        self.prompts: list[str] = []
        self.offered: Sequence[str] = ()
        self.history: list[str] = []
        self._lines = iter(lines)

    @property
    def text(self) -> str:
        """The whole talk."""
        return "\n".join(self.shown)

    def ask(self, prompt: str, completions: Sequence[str] = ()) -> str | None:
        """See `Terminal.ask`; "^C" in the script breaks off."""
        self.prompts.append(prompt)
        self.shown.append(prompt)
        self.offered = completions
        line = next(self._lines, None)
        if line == "^C":
            raise KeyboardInterrupt
        return line

    def say(self, message: Printable = "") -> None:
        """See `Terminal.say`."""
        self.shown.append(str(message.content if isinstance(message, Styled) else message))

    def remember(self, lines: Iterable[str]) -> None:
        """See `Terminal.remember`."""
        self.history += lines
