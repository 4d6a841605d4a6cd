"""`companion edit`: a position typed row by row, with counts of what is still to come."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.asking.holdings_line import EXAMPLE, WORDS, player_line
from companion.asking.position_sheet import (
    CARDS_STEP,
    DJINNS_STEP,
    FACE_UP,
    LAST_STEP,
    PLAYERS_STEP,
    PositionSheet,
    enter,
    faults,
    sheet_of,
)
from companion.asking.question import DONE, SHOW, Asking, Conversation, Message, Question, Styled, ask, command_of
from companion.cli.dialogue.drafts import DraftStore, session
from companion.cli.dialogue.loop import End
from companion.cli.views.position_view import PositionView, meeples_to_come, tiles_to_come
from companion.errors import CompanionError, NotationError
from companion.language.phrase import joined, say, say_as, say_many
from companion.notation.codes import encode
from companion.notation.files import format_position, from_document, to_document
from companion.opening.position import Opened
from companion.rules.model.board import ROWS, SQUARE_NAMES, SQUARES
from companion.rules.model.components import Colour
from companion.storage import write_file, write_with_backup

if TYPE_CHECKING:
    from rich.console import Console

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
    CARDS_STEP: say("The board is complete. {question}; Enter: not known.", question=FACE_UP["row"][0]),
    DJINNS_STEP: say("{question}; Enter: not known.", question=FACE_UP["djinns"][0]),
    PLAYERS_STEP: say("A line for each player; Enter: no more. Such as:\n  pink {example}", example=EXAMPLE),
    LAST_STEP: say("That's everything: Enter or done writes the file, show shows it, ? shows help."),
}
"""What the questions after the board are for; each may be skipped."""

_NAMES = {CARDS_STEP: FACE_UP["row"][3], DJINNS_STEP: FACE_UP["djinns"][3]}

_PROMPTS = {
    CARDS_STEP: say("card row"),
    DJINNS_STEP: say_as("prompt", "djinns"),
    PLAYERS_STEP: say_as("prompt", "players"),
    LAST_STEP: say_as("prompt", "done?"),
}


def editing(first: PositionSheet) -> Conversation[PositionSheet]:
    """Asks for a position from a first sheet; any line may also change what was typed before."""

    def asked(sheet: PositionSheet) -> Asking[PositionSheet]:
        """The next row, or what lies beside the board, until all is said to be done."""
        if sheet.step > LAST_STEP:
            return sheet
        after = yield from ask(_row(sheet))
        yield from _understood(sheet, after)
        return replace(after, notes=())

    welcome: list[Message] = []
    if any(first.tiles):
        welcome += _show(first)
        if first.doubtful:
            names = ", ".join(SQUARE_NAMES[square] for square in sorted(first.doubtful))
            welcome.append(say("Please check {names}: type a square and its tile to change it.", names=names))
    welcome.append(say("Row by row: six tiles such as O8ggw M4 V5w@P#1. Enter keeps a row, ? shows help, done ends."))
    quitting = say("leaves and saves a draft; --resume continues it")
    return Conversation(first, asked, quitting, (*welcome, *_counts(first)), goes_on=True)


def _row(sheet: PositionSheet) -> Question[PositionSheet]:
    prompt: str = _PROMPTS.get(sheet.step, "")
    default = ""
    if sheet.step < ROWS:
        tokens = sheet.row_tokens(sheet.step)
        prompt = say("row {number}", number=sheet.step + 1)
        default = "" if set(tokens) == {"."} else " ".join(tokens)
    return Question(
        "line",
        prompt,
        lambda line: _entered(sheet, line),
        default=default,
        help=_HELP,
        completions=tuple(dict.fromkeys((*_NAMES.get(sheet.step, ()), *Colour, *WORDS, DONE))),
        commands={SHOW: lambda: _show(sheet)},
        listing=lambda: (*_show(sheet), *_counts(sheet)),
        mark="> ",
    )


def _entered(sheet: PositionSheet, line: str) -> PositionSheet:
    """The sheet after a line. Raises NotationError for one that can't be, and where a sheet isn't whole."""
    if command_of(line) != DONE and (line or sheet.step != LAST_STEP):
        return enter(sheet, line)
    if sheet.position is None:
        raise NotationError(
            say_many(
                "{count} tile is still missing; quit leaves and saves a draft",
                "{count} tiles are still missing; quit leaves and saves a draft",
                sheet.tiles.count(None),
            )
        )
    if wrong := faults(sheet):
        raise NotationError(joined("\n    ", (say("This position is impossible:"), *wrong)))
    return replace(sheet, step=LAST_STEP + 1)


def _understood(sheet: PositionSheet, after: PositionSheet) -> Iterator[Message]:
    yield from (Styled(sentence, "yellow") for sentence in after.notes)
    if after.known != sheet.known:
        yield from _noted(sheet, after)
    if after.tiles != sheet.tiles or (after.step <= LAST_STEP and faults(after)):
        yield from _counts(after)
    if after.step != sheet.step and after.step in _STEPS:
        yield _STEPS[after.step]


def _show(sheet: PositionSheet) -> Iterator[Message]:
    if sheet.position is not None:
        yield Styled(PositionView(sheet.position, sheet.doubtful))
        return
    for row in range(ROWS):
        yield f"{row + 1}  {'  '.join(sheet.row_tokens(row))}"


def _counts(sheet: PositionSheet) -> Iterator[Message]:
    """What is still to come: tiles of each kind, meeples of each tribe; then what is too many."""
    yield Styled(tiles_to_come(sheet.laid))
    yield Styled(meeples_to_come(sheet.laid))
    for fault in faults(sheet):
        yield Styled(joined("", ("  ! ", fault)), "bold red")


def _noted(before: PositionSheet, after: PositionSheet) -> list[Message]:
    """What was understood of players, with the points of their goods; of anything else that it was taken."""
    changed = [player for player in after.players if player not in before.players]
    return [joined("", ("  ", player_line(player, {}))) for player in changed] or [say("  noted")]


def edit_position(
    output: Path, console: Console, opening: Callable[[], Opened | None], *, resume: bool, force: bool
) -> None:
    """Ask for a position and write it to a file, from the draft with `resume`, else from what `opening` gives. Raises
    OutputExistsError for a draft in the way, KeyboardInterrupt, and as `session` and `write_file`.
    """
    store = DraftStore("edit", [os.path.realpath(output)], ("edit", "-o", str(output), *["--force"] * force))
    if resume:
        store.resume()
    else:
        if not force:
            store.check_none()
        opened = opening()
        doubtful = () if opened is None or opened.reading is None else opened.reading.doubtful
        store.begin({"position": None if opened is None else to_document(opened.position), "doubtful": list(doubtful)})
    try:
        first = _first_sheet(store.start)
    except (CompanionError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise store.damaged(str(error)) from None
    with session(editing(first), store, console, whole=say("position file")) as result:
        position = result.state.position
        if result.end is not End.DONE or position is None:
            return
        content, backup = format_position(position, output.suffix).encode(), None
        if force:
            backup = write_with_backup(output, content)
        else:
            write_file(output, content, force=False)
    if backup is not None:
        console.print(say("Its old content is in {backup}.", backup=backup), soft_wrap=True)
    console.print(say("Written to {output}. Its code: {code}", output=output, code=encode(position)), soft_wrap=True)


def _first_sheet(start: Mapping[str, Any]) -> PositionSheet:
    document, doubtful = start["position"], start["doubtful"]
    if not all(isinstance(square, int) and 0 <= square < SQUARES for square in doubtful):
        raise NotationError("there is no such square")
    return PositionSheet() if document is None else sheet_of(from_document(document), doubtful)
