"""What `companion learn --tiles` does: an owner's thirty tiles from one photo."""

from __future__ import annotations

from pathlib import Path

from companion.language.phrase import say


def learn_tiles_from(path: Path, rows: str | None) -> None:
    """Learn the looks of the tiles in a photo and keep them; `rows` say which lies where, else the photo is read.

    Raises PhotoError if the tiles cannot be learnt, NotationError for rows that are none, UnusableInputError for a
    photo that cannot be opened and if nothing can be kept.
    """
    from companion.cli.output import note
    from companion.notation.tokens import parse_board
    from companion.opening.photos import open_photo
    from companion.vision.board.owner_tiles import learn_tiles, save_tiles, tiles_path

    board = None if rows is None else [tile.kind for tile in parse_board(rows)]
    save_tiles(tiles_path(), learn_tiles(open_photo(path), board))
    note(
        say(
            "the looks of your thirty tiles are kept in {path}; photos are read with them from now on "
            "(companion learn --forget drops them)",
            path=tiles_path(),
        )
    )
