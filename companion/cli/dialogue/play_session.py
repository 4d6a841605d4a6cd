"""The conversation of `companion play`: prompts, answers, points, and the record on disk after every decision."""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from companion.cli.dialogue import play_options as options
from companion.errors import CompanionError, ExitStatus, IllegalMoveError, NotationError, UnusableInputError
from companion.notation.records.decisions import Item, Seen
from companion.notation.records.items import parse_seen
from companion.notation.records.lines import BidsLine, Line, Record, Remark, format_entry
from companion.notation.records.recording import action_words, commented, examples, recorded, shut, taken_back
from companion.notation.records.replay import RecordPlayer, replay
from companion.opening.record import save_record
from companion.rules.engine.scoring import player_points
from companion.rules.model.actions import EndTurn
from companion.rules.model.chance import ChanceNeededError, SampledChance
from companion.rules.model.state import GameState, Stage
from companion.storage import KeptFile

if TYPE_CHECKING:
    from rich.console import Console

HELP = """\
  5   8 with 1 fakir             a bid: the price of the spot
  c3 > c4g > d4b > d4y           move: the tile, then each step and the meeple left
  c3                             only take the meeples; the steps one by one: c4g
  2 viziers                      the tribe action; fakirs: 3 builders with 1 fakir
  kill b on c2   kill w of pink  whom the assassins kill, fakirs: with 1 fakir kill …
  palm   palace   buy fish, silk   buy fish (3)   take Utug for 2 elders   pass
  use Sloar for fakir   use Enki for elder on c3   keep Utug
  sell fish, silk                end: ends the turn
  c3 > c4g > c5y; 2 viziers; pass; end      a whole turn at once
  3                              picks from the numbered list, which list shows again
  ?  list  show  score  hint  undo  quit    # text: a comment into the record"""

_LONGEST_LIST = 12


class Session:
    """One sitting at a game; `run` talks until the game is over, left or broken off.

    `simulate` is a seed to draw cards by; without one the table is asked what came.
    """

    def __init__(self, console: Console, file: KeptFile, record: Record, simulate: int | None) -> None:
        self._console = console
        self._file = file
        self._path = file.path
        self._simulate = simulate
        self._commands: dict[str, Callable[[], None]] = {
            "?": lambda: self._say(HELP),
            "help": lambda: self._say(HELP),
            "list": lambda: self._list(everything=True),
            "show": self._show,
            "score": self._score,
            "hint": self._hint,
            "undo": self._undo,
            "u": self._undo,
        }
        self._go_to(record)

    def _go_to(self, record: Record) -> None:
        played = replay(record)
        self._record: Record = record
        self._state: GameState = played.state
        self._owes: bool = played.owes_refill

    def run(self, *, saved: bool) -> ExitStatus:
        """Talk until the game is over or left; the exit status to end with. `saved`: the record is on disk."""
        _edit_lines_with_arrows()
        try:
            if not saved:
                save_record(self._file, self._record)
            self._say(
                f"{'Going on with' if saved else 'Recording to'} {self._path}; ? helps, quit leaves, undo takes back."
            )
            self._settle()
            while not self._state.is_over:
                self._list(everything=False)
                line = self._ask()
                if line.casefold() in ("quit", "q", "exit"):
                    break
                self._answer(line)
        except EOFError:
            self._say("")
        except KeyboardInterrupt:
            self._say(f"\nBroken off; {self._how_to_go_on()}")
            return ExitStatus.INTERRUPTED
        if self._state.is_over:
            self._say("The game is over.")
            self._score()
        else:
            self._say(f"Kept; {self._how_to_go_on()}")
        return ExitStatus.DONE

    def _how_to_go_on(self) -> str:
        return f"go on with: companion play {self._path} --resume"

    def _ask(self, prompt: str | None = None) -> str:
        try:
            line = input(prompt or options.prompt(self._state, owes_refill=self._owes))
        except UnicodeDecodeError:
            raise UnusableInputError(f"what was typed is not text in UTF-8; {self._how_to_go_on()}") from None
        if not sys.stdin.isatty():
            self._say(line)
        return line.strip()

    def _answer(self, line: str) -> None:
        """Do what was typed, or say why not; nothing changes then."""
        command = self._commands.get(line.casefold())
        if command is not None:
            command()
        elif line.startswith("#"):
            self._keep(commented(self._record, line[1:]))
            self._say("  noted")
        elif line:
            try:
                self._decide(line)
            except IllegalMoveError as error:
                self._say(str(error), style="red")
                some = examples(self._state, start=options.start_of(line))
                if some and not self._owes:
                    self._say(f"  possible: {'; or '.join(some)}")
            except _CancelledError:
                self._say("  taken back")
            except UnusableInputError as error:
                self._say(str(error), style="red")

    def _keep(self, record: Record) -> None:
        save_record(self._file, record)
        self._record = record

    # Decisions.

    def _player(self) -> RecordPlayer:
        chance = None
        if self._simulate is not None:
            # The same draws again after an undo: they hang on what was played before.
            before = "\n".join(format_entry(line.entry) for line in self._record.lines)
            chance = SampledChance(Random(f"{self._simulate}\n{before}"))
        return RecordPlayer(self._state, chance, owes_refill=self._owes)

    def _decide(self, line: str) -> None:
        trial = self._player()
        if self._owes:
            trial.refill(parse_seen(line.partition(":")[2] if line.lower().startswith("refill:") else line))
        elif self._state.stage is Stage.BID:
            trial.act(options.parse_bid(self._state, line))
        else:
            self._play_items(trial, line)
        self._accept(trial)
        self._settle()

    def _play_items(self, trial: RecordPlayer, line: str) -> None:
        chosen = options.chosen(self._state, line)
        if isinstance(chosen, EndTurn):
            trial.end_turn()
            return
        text = line if chosen is None else action_words(self._state, chosen)
        items, ends = options.parse_items(self._state, text)
        for item in items:
            self._play_item(trial, item)
        if ends:
            trial.end_turn()

    def _play_item(self, trial: RecordPlayer, item: Item) -> None:
        """Do one item; what it draws and does not tell is asked for, all of it on one line."""
        while True:
            try:
                trial.item(item)
                return
            except ChanceNeededError as needed:
                hint = {"card": "cards drawn, ? where nobody saw it", "meeple": "meeples drawn, such as ywg"}
                words = hint.get(needed.wanted, "djinns drawn, in order")
                item = self._told(item, words)

    def _told(self, item: Item, words: str) -> Item:
        while True:
            answer = self._ask(f"{words} (back: do something else)> ")
            if answer.casefold() in ("back", "undo", "u"):
                raise _CancelledError
            try:
                told = parse_seen(answer)
            except NotationError as error:
                self._say(str(error), style="red")
                continue
            seen = item.seen
            return Item(item.decision, Seen(told.cards, told.djinns, told.meeples, seen.gold, seen.claims))

    def _accept(self, trial: RecordPlayer) -> None:
        """Put on disk what was played, then go on from there."""
        record = self._record
        for played in trial.plays:
            record = recorded(record, played.before, played.action, played.step, owed=self._owes)
        if trial.owes_refill and not self._owes:
            record = shut(record, trial.state)
        new = [line for line in record.lines if line not in self._record.lines]
        self._keep(record)
        turn_over = trial.state.mover is not self._state.mover or trial.owes_refill or trial.state.is_over
        self._state, self._owes = trial.state, trial.owes_refill
        self._tell(new, points=turn_over)

    def _settle(self) -> None:
        """Do what leaves no choice."""
        while not self._owes and options.is_forced(self._state):
            trial = self._player()
            if self._state.stage in (Stage.CLOSE, Stage.SELL):
                trial.end_turn()
            else:
                trial.act(options.forced(self._state))
            self._accept(trial)

    def _undo(self) -> None:
        record = taken_back(self._record)
        while record is not None:
            self._go_to(record)
            if not self._is_settled():
                record = taken_back(record)
                continue
            self._keep(record)
            self._say("  taken back")
            return
        self._go_to(self._record)
        self._say("There is nothing to undo.")

    def _is_settled(self) -> bool:
        """Whether somebody has something to decide or to tell."""
        if self._owes:
            return self._simulate is None
        return not options.is_forced(self._state)

    # What is shown.

    def _tell(self, new: list[Line], *, points: bool) -> None:
        """Show the lines as they stand in the record now, and the points when a turn is over."""
        for line in new:
            if not isinstance(line.entry, Remark):
                self._say(f"  {format_entry(line.entry)}")
        if points and not any(isinstance(line.entry, BidsLine) for line in new):
            position = self._state.position
            now = ", ".join(f"{colour} {player_points(position, colour)}" for colour in position.colours)
            self._say(f"  points: {now}", style="dim")

    def _list(self, *, everything: bool) -> None:
        if self._owes or self._state.stage is Stage.BID:
            return
        found = options.listed(self._state)
        if len(found) > _LONGEST_LIST and not everything:
            return
        self._say("\n".join(f"  {number:>2}  {words}" for number, words in enumerate(found, 1)))

    def _show(self) -> None:
        from companion.cli.views.board_view import board_view
        from companion.cli.views.position_view import print_surroundings

        self._console.print(board_view(self._state.position.board, ()))
        self._console.print()
        print_surroundings(self._console, self._state.position)

    def _score(self) -> None:
        from companion.cli.views.score_table import print_result
        from companion.rules.engine.result import result_of

        print_result(result_of(self._state.position), self._record.header.names)

    def _hint(self) -> None:
        from companion.advisor.hint import hints
        from companion.cli.views.hint_view import hint_lines

        if self._state.stage is not Stage.MOVE:
            self._say("Hints are about whole turns: ask when meeples are to be moved.")
            return
        try:
            for line in hint_lines(hints(self._state.position, 3, merge_starts=True)):
                self._say(line)
        except CompanionError as error:
            self._say(str(error), style="red")

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(text, style=style, markup=False, highlight=False, soft_wrap=True)


class _CancelledError(Exception):
    """The question about what was drawn was left."""


def _edit_lines_with_arrows() -> None:
    """Give `input` its line editing and history, where Python has it."""
    with contextlib.suppress(ImportError):
        importlib.import_module("readline")
