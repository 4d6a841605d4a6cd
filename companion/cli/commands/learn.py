"""`companion learn`: what the owner's own tiles look like, learnt once from a photo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import AsJson
from companion.cli.output import note, print_json, print_text
from companion.errors import UsageError
from companion.language.phrase import say
from companion.notation.tokens import parse_board
from companion.resources import check_address_space
from companion.rules.engine.legality import check_position
from companion.rules.model.position import Position
from companion.storage import remove_saved


def learn(
    photo: Annotated[Path | None, typer.Argument(metavar="PHOTO", help="A photo of your thirty tiles, set up.")] = None,
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="ROWS", help="The five rows of these tiles, separated by /; read from the photo if not given."
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Show what was learnt.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Drop what was learnt.")] = False,
    as_json: AsJson = False,
) -> None:
    """Learn what your thirty tiles look like from one photo of the board; photos are read with it from then on.

    Example: companion learn mine.jpg
    """
    if sum([photo is not None, show, forget]) != 1:
        raise UsageError("give a photo of your tiles, --show or --forget")
    if rows is not None and photo is None:
        raise UsageError("--rows goes with a photo of your tiles")
    if photo is not None:
        _learn_tiles(photo, rows, as_json=as_json)
    elif forget:
        _forget(as_json=as_json)
    else:
        _show(as_json=as_json)


def _learn_tiles(path: Path, rows: str | None, *, as_json: bool) -> None:
    """Learn the looks of the tiles in a photo; `rows` say which lies where, else the photo is read."""
    from companion.opening.photos import open_photo

    check_address_space()
    from companion.vision.board.owner_tiles import learn_tiles, save_tiles, tiles_path

    board = None if rows is None else parse_board(rows)
    if board is not None:
        check_position(Position(board))
    learnt = learn_tiles(open_photo(path), None if board is None else [tile.kind for tile in board])
    save_tiles(tiles_path(), learnt)
    if as_json:
        print_json({"tiles": list(learnt.codes)})
    note(
        "your tiles are saved in {path}; photos are read with them from now on (companion learn --forget drops them)",
        path=tiles_path(),
    )


def _forget(*, as_json: bool) -> None:
    from companion.vision.board.owner_tiles import tiles_path

    was_there = remove_saved(tiles_path())
    if as_json:
        print_json({"tiles": None})
    note(say("what was learnt is dropped") if was_there else say("nothing has been learnt yet"))


def _show(*, as_json: bool) -> None:
    from companion.vision.board.owner_tiles import load_tiles, tiles_path

    tiles = load_tiles(tiles_path())
    if as_json:
        print_json({"tiles": None if tiles is None else list(tiles.codes)})
    elif tiles is not None:
        print_text(say("your thirty tiles are known by sight"))
    else:
        note("nothing has been learnt yet")
