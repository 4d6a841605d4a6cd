"""`companion learn`: what the owner's own pieces look like, shown once in a photo."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import AsJson, Force
from companion.language.phrase import say, say_many
from companion.storage import remove_kept

if TYPE_CHECKING:
    from companion.vision.board.likeness import ShownPiece
    from companion.vision.load import Picture


def learn(
    photo: Annotated[
        Path | None,
        typer.Argument(
            metavar="PHOTO",
            help="The photo: one piece of each kind in a row beside the board, or in the fields of the printed card.",
        ),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Tell which piece is which, by numbers in a picture of the photo.")
    ] = False,
    overlay: Annotated[
        Path | None,
        typer.Option("--overlay", metavar="PICTURE", help="Write a picture of what was found (.jpg or .png)."),
    ] = None,
    tiles: Annotated[
        bool, typer.Option("--tiles", help="The photo shows your thirty tiles, set up: learn what they look like.")
    ] = False,
    rows: Annotated[
        str | None,
        typer.Option("--rows", metavar="ROWS", help="The five rows of these tiles, separated by /; read without."),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Show what was learnt.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Drop what was learnt.")] = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Learn what your own pieces look like from one photo; photos are read with it from then on.

    Lay out the board and beside it, in a row along one edge, from left to right: vizier, elder, builder, merchant,
    assassin, the camels (black, orange, blue, pink), a palm, a palace. Or lay them on the card of companion markers.

    With --tiles it learns what your thirty tiles look like, from one photo of the board.

    Example: companion learn mine.jpg --overlay found.jpg
    """
    from companion.cli.output import PICTURE_ENDINGS, check_outputs, note, print_json
    from companion.errors import UsageError

    chosen = [photo is not None, show, forget]
    if sum(chosen) != 1:
        raise UsageError(say("give a photo of your pieces, or --show, or --forget: one of the three"))
    if (overlay is not None or ask) and photo is None:
        raise UsageError(say("--overlay and --ask go with a photo of your pieces"))
    if tiles and (photo is None or ask or overlay is not None):
        raise UsageError(say("--tiles goes with a photo of your thirty tiles, and without --ask and --overlay"))
    if rows is not None and not tiles:
        raise UsageError(say("--rows goes with --tiles"))
    if tiles and photo is not None:
        _learn_tiles(photo, rows, as_json=as_json)
        return
    check_outputs((overlay, PICTURE_ENDINGS), force=force, inputs=[photo])
    from companion.cli.views.paints_view import learnt_document, print_learnt
    from companion.vision.board.owner_tiles import load_tiles, tiles_path
    from companion.vision.colour.paints import load_paints, paints_path
    from companion.vision.own.kept import load_pieces, pieces_path

    if forget:
        there = [remove_kept(path) for path in (paints_path(), pieces_path(), tiles_path())]
        if as_json:
            print_json(learnt_document(None, (), None))
        note(say("what was learnt is dropped") if any(there) else say("nothing was learnt yet"))
        return
    # Before anything is learnt: where their file is damaged no photo can be read.
    known = load_tiles(tiles_path())
    if photo is not None:
        _learn_from(photo, overlay, ask=ask, force=force)
    paints, pieces = load_paints(paints_path()), load_pieces(pieces_path())
    if as_json:
        print_json(learnt_document(paints, pieces, known))
    elif paints is not None or pieces or known is not None:
        print_learnt(paints, pieces, known)
    else:
        note(say("nothing was learnt: photos are read as with usual pieces"))
    if photo is not None:
        note(
            say(
                "kept in {folder}; photos are read with it from now on (companion learn --forget drops it)",
                folder=pieces_path().parent,
            )
        )
        if overlay is not None:
            note(say("written: {overlay}", overlay=overlay))


def _learn_tiles(path: Path, rows: str | None, *, as_json: bool) -> None:
    """Learn the looks of the tiles in a photo; `rows` say which lies where, else the photo is read.

    Raises PhotoError if they cannot be learnt, NotationError for rows that are none, ImpossiblePositionError for rows
    that the box cannot make (rules 1.1), UnusableInputError for a photo that cannot be opened and if nothing can be
    kept.
    """
    from companion.cli.output import note, print_json
    from companion.notation.tokens import parse_board
    from companion.opening.photos import open_photo
    from companion.resources import check_address_space
    from companion.rules.engine.legality import check_position
    from companion.rules.model.position import Position

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
        say(
            "the looks of your thirty tiles are kept in {path}; photos are read with them from now on "
            "(companion learn --forget drops them)",
            path=tiles_path(),
        )
    )


def _learn_from(path: Path, overlay: Path | None, *, ask: bool, force: bool) -> None:
    """Learn from a photo, keep it, and say what can hardly be told apart. Raises as `open_photo`, and PhotoError."""
    from companion.cli.output import note
    from companion.opening.photos import open_photo
    from companion.resources import check_address_space
    from companion.storage import write_file, write_private

    check_address_space()
    from companion.vision.colour.paints import format_paints, paints_path
    from companion.vision.colour.recolour import look_alikes
    from companion.vision.own.kept import pieces_path, save_pieces
    from companion.vision.own.showing import alike_pieces, read_shown_card
    from companion.vision.reading.overlay import encode_picture

    photo = open_photo(path)
    card = read_shown_card(photo)
    if card is not None:
        from companion.vision.colour.paint_card import draw_card

        reading, pieces = card
        picture = None if overlay is None else draw_card(reading)
        alike = look_alikes(reading.paints)
    else:
        pieces, picture = _from_row(photo, overlay is not None, ask=ask)
        alike = alike_pieces(pieces)
    if overlay is not None and picture is not None:
        write_file(overlay, encode_picture(picture, overlay.suffix), force=force)
    save_pieces(pieces_path(), pieces)
    if card is not None:
        write_private(paints_path(), format_paints(card[0].paints).encode())
    elif remove_kept(paints_path()):
        # They were measured on the pieces that these take the place of.
        note(say("the paints measured before, on a card, are dropped"))
    for one, other in alike:
        if card is not None:
            note(say("{pair} and {pair2} look alike: only their shapes tell them apart", pair=one, pair2=other))
        else:
            note(say("{pair} and {pair2} look alike: some doubts about them will stay", pair=one, pair2=other))


def _from_row(photo: Picture, wanted: bool, *, ask: bool) -> tuple[list[ShownPiece], Picture | None]:
    """The pieces of a row beside the board, and a picture of them if it is wanted."""
    from companion.cli.output import note
    from companion.vision.board.pieces import PIECE_CLASSES
    from companion.vision.own.picture import draw_found
    from companion.vision.own.showing import look_beside
    from companion.vision.reading.overlay import PIECE_SIGN

    beside = look_beside(photo)
    if ask:
        from companion.cli.dialogue.shown import ask_which

        places = ask_which(beside)
    else:
        row = beside.row()
        places = dict(row.places)
        note(
            say_many(
                "{count} piece found in the row beside the board",
                "{count} pieces found in the row beside the board",
                len(places),
            )
        )
    kinds = [kind for kind in PIECE_CLASSES if kind in places]
    picture = None
    if wanted:
        labels = [PIECE_SIGN.get(kind, kind) for kind in kinds]
        picture = draw_found(photo, beside.lattice, [beside.found[places[kind]] for kind in kinds], labels)
    return beside.pieces({kind: places[kind] for kind in kinds}), picture
