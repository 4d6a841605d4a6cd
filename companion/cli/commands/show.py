"""`companion show`: a position in the terminal, or rewritten as a file or a code."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.colouring import ColourChoice, ColourOption
from companion.cli.options import AsJson, PositionOrPhoto


def show(
    source: PositionOrPhoto,
    as_code: Annotated[bool, typer.Option("--code", help="Print the position's code alone.")] = False,
    as_toml: Annotated[bool, typer.Option("--toml", help="Print a position file.")] = False,
    as_json: AsJson = False,
    colour: ColourOption = ColourChoice.AUTO,
) -> None:
    """Show a board, and all that is known beside it, in the terminal.

    Example: companion show table.toml
    """
    from companion.cli.colouring import coloured_console
    from companion.cli.output import note, print_json, say
    from companion.errors import UsageError
    from companion.notation.codes import encode
    from companion.notation.files import format_toml, to_document
    from companion.opening.position import load_position

    if as_code + as_toml + as_json > 1:
        raise UsageError("give only one of --code, --toml and --json")
    loaded = load_position(source, photo_allowed=True)
    position = loaded.position
    for sentence in loaded.notes:
        note(sentence)
    if as_json:
        print_json(to_document(position))
    elif as_code:
        say(encode(position))
    elif as_toml:
        say(format_toml(position), end="")
    else:
        from companion.cli.views.board_view import board_view
        from companion.cli.views.position_view import print_surroundings

        console = coloured_console(colour)
        console.print(board_view(position.board, loaded.reading.doubtful if loaded.reading else ()))
        console.print()
        print_surroundings(console, position)
