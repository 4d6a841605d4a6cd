"""The conversation of `companion edit`: prompts, answers, counts, and a draft after every line."""

from __future__ import annotations

import contextlib
import importlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.dialogue.drafts import Draft, save_draft
from companion.cli.dialogue.editing import (
    CARDS_STEP,
    DJINNS_STEP,
    LAST_STEP,
    PLAYERS_STEP,
    Sheet,
    enter,
    faults,
    sheet_of,
)
from companion.cli.output import write_position
from companion.cli.views.board_view import BLUE_VALUE_STYLE, RED_VALUE_STYLE, board_view, meeple_sign
from companion.cli.views.position_view import print_surroundings
from companion.errors import CompanionError, ExitStatus, NotationError, UnusableInputError
from companion.notation.codes import encode
from companion.notation.files import from_document
from companion.rules.model.board import ROWS, SQUARE_NAMES
from companion.rules.model.components import TILE_KINDS, Tribe
from companion.rules.model.inventory import meeples_left, tiles_left

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

HELP = """\
  O8ggw M4 V5w@P#1 S6bb V5 O8   a row: six tiles, each its letter and value, then
                                meeples (y w b g r, or ЖБЗСК, ЖБЗСЧ, 노흰초파빨),
                                @ and a camel (K O B P), ^ palms, # palaces
  .                             in a row: keep this tile     Enter: keep the whole row
  c3 O8ggw                      change one tile              2: …  type row 2 again
  row fakir fish ivory          cards face up, from the start of the row
  djinns Utug, Jafaar           djinns face up
  pink gold 41 viziers 2 elders 3 fakirs 1 goods ivory 1 fish 2 djinns Enki
  phase turn   to_move pink   bid_order black pink   turn_order pink 5 black 0
  discards fish fakir           (none: there are none;  -: not known)
  show  undo  done  quit        done writes the file, quit keeps a draft"""


class Session:
    """One sitting at a sheet; `run` talks until it is done, left or broken off."""

    def __init__(self, console: Console, output: Path, draft_file: Path, draft: Draft, *, force: bool) -> None:
        self._console = console
        self._output = output
        self._draft_file = draft_file
        self._force = force
        self._start = draft.start
        self._doubtful = draft.doubtful
        self._lines: list[str] = []
        self._draftless = False
        first = sheet_of(from_document(draft.start), draft.doubtful) if draft.start else Sheet()
        self._sheets = [first]
        for line in draft.lines:
            self._take(line)

    @property
    def _sheet(self) -> Sheet:
        return self._sheets[-1]

    def _take(self, line: str) -> None:
        self._sheets.append(enter(self._sheet, line))
        self._lines.append(line)

    def run(self) -> ExitStatus:
        """Talk until `done` or `quit`; the exit status to end with.

        Raises UnusableInputError when the input ends early; what was typed is then kept in the draft.
        """
        _edit_lines_with_arrows()
        self._welcome()
        try:
            while True:
                try:
                    line = self._ask()
                except EOFError:
                    raise UnusableInputError(
                        f"the input ended before `done`, so nothing was written{self._kept()}"
                    ) from None
                command = line.strip().casefold()
                if command == "done" or (not command and self._sheet.step == LAST_STEP):
                    if self._done():
                        return ExitStatus.DONE
                elif command in ("quit", "q", "exit"):
                    self._say(f"Nothing was written{self._kept()}")
                    return ExitStatus.DONE
                else:
                    self._answer(line, command)
        except KeyboardInterrupt:
            self._say(f"\nBroken off{self._kept()}")
            return ExitStatus.INTERRUPTED

    def _welcome(self) -> None:
        if any(self._sheet.tiles):
            self._show()
            if self._sheet.doubtful:
                names = ", ".join(SQUARE_NAMES[square] for square in sorted(self._sheet.doubtful))
                self._say(f"Look again at {names}: type a square and its tile to change it.")
        self._say("Row by row: six tiles such as O8ggw M4 V5w@P#1; Enter keeps a row; ? helps; done ends.")
        self._counts()

    def _ask(self) -> str:
        prompt = self._prompt()
        try:
            line = input(prompt)
        except UnicodeDecodeError:
            raise UnusableInputError(f"what was typed is not text in UTF-8{self._kept()}") from None
        if not sys.stdin.isatty():
            self._say(line)
        return line

    def _prompt(self) -> str:
        step = self._sheet.step
        if step < ROWS:
            tokens = self._sheet.row_tokens(step)
            before = "" if set(tokens) == {"."} else f" [{' '.join(tokens)}]"
            return f"row {step + 1}{before}> "
        return {CARDS_STEP: "card row> ", DJINNS_STEP: "djinns> ", PLAYERS_STEP: "players> "}.get(step, "done?> ")

    def _answer(self, line: str, command: str) -> None:
        if command in ("?", "h", "help"):
            self._say(HELP)
        elif command == "show":
            self._show()
        elif command in ("undo", "u"):
            if len(self._sheets) == 1:
                self._say("There is nothing to undo.")
                return
            self._sheets.pop()
            self._lines.pop()
            self._keep_draft()
            self._counts()
        else:
            self._typed(line)

    def _typed(self, line: str) -> None:
        before = self._sheet
        try:
            self._take(line)
        except NotationError as error:
            self._say(str(error), style="red")
            return
        self._keep_draft()
        for sentence in self._sheet.notes:
            self._say(sentence, style="yellow")
        if self._sheet.tiles != before.tiles or faults(self._sheet):
            self._counts()
        elif self._sheet.known != before.known:
            self._say("  noted")
        if self._sheet.step != before.step:
            self._introduce()

    def _introduce(self) -> None:
        """Say what the questions after the board are for; each may be skipped."""
        words = {
            CARDS_STEP: "The board is whole. Now the cards face up in the row, from its start; Enter: not known.",
            DJINNS_STEP: "The djinns face up; Enter: not known.",
            PLAYERS_STEP: "A line for each player, such as: pink gold 41 viziers 2 elders 3 fish 2 djinns Jafaar;"
            " Enter: no more.",
            LAST_STEP: "That is all: Enter or done writes the file, show shows it, ? helps.",
        }
        if self._sheet.step in words:
            self._say(words[self._sheet.step])

    def _done(self) -> bool:
        position = self._sheet.position
        wrong = faults(self._sheet)
        if position is None:
            self._say(
                f"{self._sheet.tiles.count(None)} tiles are missing still; quit leaves and keeps a draft.", style="red"
            )
            return False
        if wrong:
            self._say("This position cannot stand on a table:", style="red")
            for fault in wrong:
                self._say(f"  {fault}", style="red")
            return False
        backup = write_position(self._output, position, force=self._force, backup=True)
        self._draft_file.unlink(missing_ok=True)
        if backup is not None:
            self._say(f"What it held before is kept in {backup}.")
        self._say(f"Written to {self._output}. Its code: {encode(position)}")
        return True

    def _show(self) -> None:
        position = self._sheet.position
        if position is None:
            for row in range(ROWS):
                self._say(f"{row + 1}  {'  '.join(self._sheet.row_tokens(row))}")
            return
        self._console.print(board_view(position.board, self._sheet.doubtful))
        self._console.print()
        print_surroundings(self._console, position)

    def _counts(self) -> None:
        """What is still to come: tiles of each kind, meeples of each tribe; then what is too many."""
        self._console.print(self._tile_counts(), self._meeple_counts(), sep="\n")
        for fault in faults(self._sheet):
            self._say(f"  ! {fault}", style="bold red")

    def _tile_counts(self) -> Text:
        from rich.text import Text

        if self._sheet.position is not None and not any(tiles_left(self._sheet.laid).values()):
            return Text("  tiles          all thirty")
        line = Text("  tiles to come  ")
        for code, left in tiles_left(self._sheet.laid).items():
            style = "dim" if left == 0 else "bold red" if left < 0 else ""
            line.append(code, style=style or (BLUE_VALUE_STYLE if TILE_KINDS[code].blue else RED_VALUE_STYLE))
            line.append(f" {left}  ", style=style)
        return line

    def _meeple_counts(self) -> Text:
        from rich.text import Text

        line = Text("  meeples left   ")
        for tribe, left in zip(Tribe, meeples_left(self._sheet.laid), strict=True):
            line.append_text(meeple_sign(tribe, ascii_only=self._console.options.ascii_only))
            line.append(f" {left}  ", style="bold red" if left < 0 else "")
        return line

    def _keep_draft(self) -> None:
        if not self._lines:
            self._draft_file.unlink(missing_ok=True)
            return
        try:
            save_draft(self._draft_file, Draft(self._start, self._doubtful, tuple(self._lines)))
        except CompanionError as error:
            # Typing goes on without a net, which is better than losing the lines at once.
            if not self._draftless:
                self._say(f"No draft can be kept: {error}", style="yellow")
            self._draftless = True

    def _kept(self) -> str:
        """How to go on, if there is something to go on with."""
        if not self._lines or self._draftless:
            return ""
        return f"; what was typed is kept in {self._draft_file}: go on with --resume"

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


def _edit_lines_with_arrows() -> None:
    """Give `input` its line editing and history, where Python has it."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
