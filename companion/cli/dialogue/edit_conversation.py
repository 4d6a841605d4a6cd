"""The questions of `companion edit`: a position row by row, with counts of what is still to come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.cli.dialogue.command_words import DONE, SHOW, command_of
from companion.cli.dialogue.holdings_line import EXAMPLE, WORDS, player_line
from companion.cli.dialogue.position_sheet import (
    CARDS_STEP,
    DJINNS_STEP,
    LAST_STEP,
    PLAYERS_STEP,
    PositionSheet,
    enter,
    faults,
)
from companion.cli.dialogue.question import Answer, Question, Said, Shown
from companion.cli.locale import translate
from companion.cli.views.board_view import BLUE_VALUE_STYLE, RED_VALUE_STYLE, BoardView, meeple_sign
from companion.cli.views.position_view import Surroundings
from companion.errors import NotationError
from companion.language.phrase import joined, say, say_as, say_many
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.board import ROWS, SQUARE_NAMES
from companion.rules.model.components import CARD_COUNTS, TILE_KINDS, Colour, Tribe
from companion.rules.model.position import meeples_left, tiles_left

if TYPE_CHECKING:
    from rich.text import Text

_HELP = say(
    "  O8ggw M4 V5w@P#1 S6bb V5 O8   a row: six tiles, each its letter and value,\n"
    "                                meeples (ywbgr, ЖБЗСК, ЖБЗСЧ, 노흰초파빨),\n"
    "                                @ and a camel (KOBP), ^ palms, # palaces\n"
    "  .                             in a row: keep this tile; Enter: the whole row\n"
    "  c3 O8ggw                      change one tile;  2: … types row 2 again\n"
    "  row fakir fish ivory          cards face up, from the start of the row\n"
    "  djinns Utug, Jafaar           djinns face up\n"
    "  pink {example}\n"
    "  phase turn   to_move pink   bid_order black pink   turn_order pink 5 black 0\n"
    "  discards fish fakir           (none: there are none;  -: not known)\n"
    "  done                          writes the file\n"
    "  show                          the board so far",
    example=EXAMPLE,
)

_STEPS = {
    CARDS_STEP: say("The board is whole. The cards face up in the row, from its start; Enter: not known."),
    DJINNS_STEP: say("The djinns face up; Enter: not known."),
    PLAYERS_STEP: say("A line for each player; Enter: no more. Such as:\n  pink {example}", example=EXAMPLE),
    LAST_STEP: say("That is all: Enter or done writes the file, show shows it, ? helps."),
}
"""What the questions after the board are for; each may be skipped."""

LINE_KEY = "line"
"""The key of every question: any line may be typed at any of them."""

_PROMPTS = {
    CARDS_STEP: say("card row"),
    DJINNS_STEP: say_as("prompt", "djinns"),
    PLAYERS_STEP: say_as("prompt", "players"),
    LAST_STEP: say_as("prompt", "done?"),
}


@dataclass(frozen=True, slots=True)
class Editing:
    """A sheet on its way; `done` once it was said to be whole."""

    sheet: PositionSheet
    done: bool = False


class EditConversation:
    """Asks for a position from a first sheet; any line may also change what was typed before."""

    quitting: str = say("leaves and keeps a draft, which --resume goes on with")

    def __init__(self, first: PositionSheet, *, ascii_only: bool = False) -> None:
        self._first = first
        self._ascii_only = ascii_only

    def begin(self) -> Answer[Editing]:
        """See `Conversation.begin`."""
        return Answer(Editing(self._first))

    def welcome(self, state: Editing) -> Iterator[Shown]:
        """What is there at the beginning of a sitting, and how to go on."""
        if any(state.sheet.tiles):
            yield from self._show(state.sheet)
            if state.sheet.doubtful:
                names = ", ".join(SQUARE_NAMES[square] for square in sorted(state.sheet.doubtful))
                yield say("Look again at {names}: type a square and its tile to change it.", names=names)
        yield say("Row by row: six tiles such as O8ggw M4 V5w@P#1; Enter keeps a row; ? helps; done ends.")
        yield from self._counts(state.sheet)

    def earlier(self, state: Editing) -> Editing | None:
        """A draft that is taken up again has all lines of the sittings before."""
        return None

    def question(self, state: Editing) -> Question[Editing] | None:
        """The next row, or what lies beside the board, until all is said to be done."""
        if state.done:
            return None
        sheet = state.sheet
        prompt: str = _PROMPTS.get(sheet.step, "")
        default = ""
        if sheet.step < ROWS:
            tokens = sheet.row_tokens(sheet.step)
            prompt = say("row {number}", number=sheet.step + 1)
            default = "" if set(tokens) == {"."} else " ".join(tokens)
        return Question(
            LINE_KEY,
            prompt,
            lambda line: self._entered(sheet, line),
            default=default,
            help=_HELP,
            completions=(*_completions(sheet.step), DONE),
            listing=lambda: (*self._show(sheet), *self._counts(sheet)),
            commands={SHOW: lambda: self._show(sheet)},
            mark="> ",
        )

    def _entered(self, sheet: PositionSheet, line: str) -> Answer[Editing]:
        if command_of(line) == DONE or (not line and sheet.step == LAST_STEP):
            return self._done(sheet)
        after = enter(sheet, line)
        said: list[Shown] = [Said(sentence, "yellow") for sentence in after.notes]
        if after.known != sheet.known:
            said += _noted(sheet, after)
        if after.tiles != sheet.tiles or faults(after):
            said += self._counts(after)
        if after.step != sheet.step and after.step in _STEPS:
            said.append(_STEPS[after.step])
        return Answer(Editing(replace(after, notes=())), tuple(said))

    @staticmethod
    def _done(sheet: PositionSheet) -> Answer[Editing]:
        if sheet.position is None:
            raise NotationError(
                say_many(
                    "{count} tile is missing still; quit leaves and keeps a draft",
                    "{count} tiles are missing still; quit leaves and keeps a draft",
                    sheet.tiles.count(None),
                )
            )
        if wrong := faults(sheet):
            raise NotationError(joined("\n    ", (say("This position cannot stand on a table:"), *wrong)))
        return Answer(Editing(sheet, done=True))

    def _show(self, sheet: PositionSheet) -> Iterator[Shown]:
        position = sheet.position
        if position is None:
            for row in range(ROWS):
                yield f"{row + 1}  {'  '.join(sheet.row_tokens(row))}"
            return
        yield Said(BoardView(position.board, sheet.doubtful))
        yield ""
        yield Said(Surroundings(position))

    def _counts(self, sheet: PositionSheet) -> Iterator[Shown]:
        """What is still to come: tiles of each kind, meeples of each tribe; then what is too many."""
        yield Said(_tile_counts(sheet))
        yield Said(_meeple_counts(sheet, ascii_only=self._ascii_only))
        for fault in faults(sheet):
            yield Said(joined("", ("  ! ", fault)), "bold red")


def _noted(before: PositionSheet, after: PositionSheet) -> list[Shown]:
    """What was understood of players, with the points of their goods; of anything else that it was taken."""
    changed = [player for player in after.players if player not in before.players]
    return [joined("", ("  ", player_line(player, {}))) for player in changed] or [say("  noted")]


def _completions(step: int) -> tuple[str, ...]:
    names = {CARDS_STEP: tuple(CARD_COUNTS), DJINNS_STEP: tuple(DJINNS)}.get(step, ())
    return tuple(dict.fromkeys((*names, *Colour, *WORDS)))


def _tile_counts(sheet: PositionSheet) -> Text:
    from rich.text import Text

    left_by_code = tiles_left(sheet.laid)
    if sheet.position is not None and not any(left_by_code.values()):
        return Text(translate(say("  tiles          all thirty")))
    line = Text(translate(say("  tiles to come  ")))
    for code, left in left_by_code.items():
        style = "dim" if left == 0 else "bold red" if left < 0 else ""
        line.append(code, style=style or (BLUE_VALUE_STYLE if TILE_KINDS[code].blue else RED_VALUE_STYLE))
        line.append(f" {left}  ", style=style)
    return line


def _meeple_counts(sheet: PositionSheet, *, ascii_only: bool) -> Text:
    from rich.text import Text

    line = Text(translate(say("  meeples left   ")))
    for tribe, left in zip(Tribe, meeples_left(sheet.laid), strict=True):
        line.append_text(meeple_sign(tribe, ascii_only=ascii_only))
        line.append(f" {left}  ", style="bold red" if left < 0 else "")
    return line
