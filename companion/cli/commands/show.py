"""`companion show`: a position in the terminal, or rewritten as a file or a code."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.inputs import input_files, opened_position, tell
from companion.cli.options import Force, PositionFile, PositionInput
from companion.cli.output import POSITION_ENDINGS, check_outputs, console, print_json, print_text, write_and_tell
from companion.errors import UsageError
from companion.language.phrase import say
from companion.notation.codes import encode
from companion.notation.files import format_position, format_toml, to_document


def show(
    as_code: Annotated[bool, typer.Option("--code", help="Print the position's code alone.")] = False,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print a position file.")] = False,
    *,
    given: PositionInput,
    output: PositionFile = None,
    force: Force = False,
) -> None:
    """Show a board, and whatever else is known, in the terminal.

    Example: companion show table.toml
    """
    if as_code + as_toml + given.as_json > 1:
        raise UsageError("give only one of --code, --toml and --json")
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
    elif as_toml:
        print_text(format_toml(shown), end="")
    else:
        from companion.cli.views.position_view import PositionView
        from companion.cli.views.score_table import record_title

        screen = console()
        screen.print(PositionView(shown, opened.reading.doubtful if opened.reading else ()))
        if where := record_title(opened.date, opened.place):
            screen.print()
            screen.print(say("Played: {where}", where=where))
