"""`companion show`, `check`, `moves` and `edit`: a position shown, checked, its moves counted, or typed."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.inputs import check_typed, input_files, open_inputs, opened_position, tell
from companion.cli.locale import translate
from companion.cli.options import Force, PhotoOptions, PositionFile, PositionInput, reading_option
from companion.cli.output import (
    POSITION_ENDINGS,
    check_outputs,
    console,
    note,
    print_json,
    print_text,
    wrapped,
    write_and_tell,
)
from companion.errors import ExitStatus, UsageError, fault_line
from companion.language.phrase import say, say_many, thousands
from companion.notation.codes import encode
from companion.notation.files import format_position, to_document
from companion.notation.tokens import sowing_document
from companion.rules.engine.counting import MAX_BOARD_HAND, MoveCounts, count_moves
from companion.rules.engine.legality import missing_players, problems
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, ROWS, SQUARE_NAMES, SQUARES, Board, parse_square
from companion.storage import lock


def show(
    as_code: Annotated[bool, typer.Option("--code", help="Print the position's code alone.")] = False,
    *,
    given: PositionInput,
    output: PositionFile = None,
    force: Force = False,
) -> None:
    """Show a board, and whatever else is known, in the terminal.

    Example: companion show table.toml
    """
    if as_code and given.as_json:
        raise UsageError("give only one of --code and --json")
    check_outputs((output, POSITION_ENDINGS), force=force, inputs=input_files(given.position, given))
    opened = opened_position(given)
    shown = opened.position
    if output is not None:
        write_and_tell({output: format_position(shown, output.suffix).encode()}, force=force)
    tell(opened)
    if given.as_json:
        print_json(to_document(shown))
    elif as_code:
        print_text(encode(shown))
    else:
        from companion.cli.views.position_view import PositionView
        from companion.cli.views.score_table import record_title

        screen = console()
        screen.print(PositionView(shown, opened.reading.doubtful if opened.reading else ()))
        if where := record_title(opened.date, opened.place):
            screen.print()
            screen.print(say("Played: {where}", where=where))


def check(given: PositionInput) -> None:
    """Check a position against what's in the box: exit status 0 if it's possible, 5 if not.

    Example: companion check table.toml
    """
    opened = opened_position(given, checked=False)
    faults = problems(opened.position)
    if given.as_json:
        found = [{"where": fault.where, "rule": fault.rule, "message": fault.message} for fault in faults]
        print_json({"valid": not faults, "problems": found})
    else:
        from companion.cli.output import console
        from companion.cli.views.position_view import count_tables

        screen = console()
        screen.print(count_tables(opened.position))
        for fault in faults:
            screen.print(fault_line(fault), style="bold red")
        verdict = say("This position is possible.")
        if faults:
            verdict = say_many(
                "This position is impossible: {count} problem.",
                "This position is impossible: {count} problems.",
                len(faults),
            )
        screen.print(verdict, style="bold")
    tell(opened)
    for sentence in missing_players(opened.position):
        note(sentence)
    if faults:
        raise typer.Exit(int(ExitStatus.IMPOSSIBLE))


def moves(
    start: Annotated[str | None, typer.Option("--from", metavar="TILE", help="Only moves from this tile.")] = None,
    top: Annotated[
        int, typer.Option(metavar="N", min=0, help="How many moves to list, one per line; none if not given.")
    ] = 0,
    *,
    given: PositionInput,
) -> None:
    """Count the legal moves of the meeples, those of each start tile too.

    Example: companion moves game.toml --from c3 --top 20
    """
    with reading_option("--from"):
        square = None if start is None else parse_square(start)
    starts = range(SQUARES) if square is None else range(square, square + 1)
    opened = opened_position(given)
    tell(opened)
    board = opened.position.board
    counts = count_moves(board, starts)
    sowings = list(islice(legal_sowings(board, starts), top))
    if counts.boards is None:
        note("Boards are only counted for hands of up to {most} meeples; a tile here has more.", most=MAX_BOARD_HAND)
    if given.as_json:
        totals = {"sequences": counts.sequences, "boards": counts.boards, "outcomes": counts.outcomes}
        print_json({**totals, "moves": list(map(sowing_document, sowings))} if top else totals)
    else:
        for line in _lines(counts, board, starts, sowings):
            print_text(line)


def _lines(counts: MoveCounts, board: Board, starts: range, listed: Sequence[Sowing]) -> Iterator[str]:
    """The counts in words, those of each start tile if there are several, and the moves that are listed."""
    from rich.cells import cell_len, set_cell_size

    boards = say("too many to count") if counts.boards is None else thousands(counts.boards)
    rows = (
        (say("sequences"), thousands(counts.sequences), say("different orders of dropping the meeples")),
        (say("boards"), boards, say("different boards to leave")),
        (say("outcomes"), thousands(counts.outcomes), say("different ways to take: from, to, colour, number, emptied")),
    )
    names = [translate(name) for name, _, _ in rows]
    width = max(map(cell_len, names))
    for name, (_, number, meaning) in zip(names, rows, strict=True):
        head = f"{set_cell_size(name, width)}  {translate(number)}  "
        yield from wrapped(translate(meaning), shutil.get_terminal_size().columns, head, " " * (width + 2))
    if not counts.sequences:
        yield ""
        if len(starts) == 1:
            # What other tiles allow was not looked at.
            yield say(
                "No legal move begins on {tile}; without --from the moves of all tiles are counted.",
                tile=SQUARE_NAMES[starts[0]],
            )
        else:
            yield say("No legal move here: the player to move skips it and this round is the last (rules 9.2).")
    elif len(starts) > 1:
        yield ""
        yield say("Sequences by start tile (. holds no meeples)")
        yield from _grid(counts, board)
    if listed:
        yield ""
        yield from map(str, listed)
        if counts.sequences > len(listed):
            yield say("... and {count:,} more; --top shows more of them", count=counts.sequences - len(listed))


def _grid(counts: MoveCounts, board: Board) -> Iterator[str]:
    cells = [
        translate(thousands(number)) if any(tile.meeples) else "."
        for number, tile in zip(counts.by_start, board, strict=True)
    ]
    widths = [max(3, *(len(cell) for cell in cells[column::COLUMNS])) for column in range(COLUMNS)]
    yield "   " + "  ".join(f"{letter:>{width}}" for letter, width in zip("abcdef", widths, strict=True))
    for row in range(ROWS):
        line = cells[row * COLUMNS : (row + 1) * COLUMNS]
        yield f" {row + 1} " + "  ".join(f"{cell:>{width}}" for cell, width in zip(line, widths, strict=True))


def edit(
    output: Annotated[Path, typer.Option("-o", "--output", help="Write the position to this file (.toml or .json).")],
    source: Annotated[
        list[str] | None,
        typer.Argument(metavar="SOURCE", help="A position file, a code FT1-…, a record or photos to start from."),
    ] = None,
    *,
    photos: PhotoOptions,
    resume: Annotated[bool, typer.Option("--resume", help="Continue where you left off.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE, and drop a draft of it.")] = False,
) -> None:
    """Type a position row by row, or correct one; after every line you see what's still missing.

    Example: companion edit photo.jpg -o table.toml
    """
    from companion.cli.dialogue.edit import edit_position

    check_typed(source or [])
    if resume and source:
        raise UsageError("--resume continues the draft; leave out SOURCE")
    photos.check_used(source)
    check_outputs((output, POSITION_ENDINGS), force=force)
    opening = partial(open_inputs, source, photos, checked=False) if source else lambda: None
    with lock(output):
        edit_position(output, console(), opening, resume=resume, force=force)
