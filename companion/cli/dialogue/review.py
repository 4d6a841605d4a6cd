"""What is done about the doubts of a photo's reading: pictures of them, questions, and answers kept for later."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.dialogue.journal import Journal
from companion.cli.dialogue.review_conversation import ReviewConversation, card_label, title_label
from companion.cli.dialogue.sitting import hold
from companion.cli.output import note
from companion.errors import CompanionError, UnusableInputError, UsageError
from companion.resources import cache_folder
from companion.rules.engine.legality import problems
from companion.rules.model.board import SQUARE_NAMES, Tile
from companion.rules.model.components import Colour
from companion.storage import check_free, private_folder, write_file, write_private

if TYPE_CHECKING:
    from companion.vision.load import Picture
    from companion.vision.reading.table import Shot, TableReading


def review(
    shots: Sequence[Shot],
    goods: Mapping[Colour, Shot],
    table: TableReading,
    *,
    ask: bool,
    crops: Path | None,
    force: bool,
    resume: bool = False,
) -> TableReading:
    """Write pictures of what is doubtful and ask, as far as is wanted.

    `resume` takes up the answers of a sitting that was broken off. Raises KeyboardInterrupt if this one is.
    """
    import numpy as np

    from companion.vision.reading.overlay import tile_pictures

    views = [(shots[number].picture, np.array(homography)) for number, homography in table.views.items()]
    left = tile_pictures(views, table.reading.doubtful) if views else {}
    cards = _card_pictures(shots, goods, table)
    named = {SQUARE_NAMES[square]: wide for square, (_, wide) in left.items()} | cards
    if named:
        try:
            note(f"pictures of what is doubtful: {_write_crops(named, crops, force=force)}")
        except CompanionError as error:
            if crops is not None:
                raise
            note(f"{error}; --crops FOLDER writes the pictures of what is doubtful elsewhere")
    return _asked(shots, table, left, cards, resume=resume) if ask else table


def _write_crops(pictures: Mapping[str, Picture], named: Path | None, *, force: bool) -> Path:
    """Write pictures by name, "c3" as `c3.png`, into the folder that was named or the user's cache; which it was.

    A named folder is made if its parent is there, and nothing in it is overwritten without `force`; the cache
    only ever holds the pictures of the last photo. Raises UsageError or UnusableInputError
    if it cannot be written.
    """
    from companion.vision.reading.overlay import encode_crops

    folder = cache_folder() / "doubtful" if named is None else named
    try:
        if named is not None:
            folder.mkdir(exist_ok=True)
        else:
            private_folder(folder)
            for old in folder.glob("*.png"):
                old.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot make the folder {folder}: {error.strerror}") from None
    files = encode_crops({f"{name}.png": picture for name, picture in pictures.items()})
    if named is not None:
        # All or none.
        for name in files:
            check_free(folder / name, force=force)
    for name, content in files.items():
        write_file(folder / name, content, force=force or named is None)
    return folder


def _card_pictures(shots: Sequence[Shot], goods: Mapping[Colour, Shot], table: TableReading) -> dict[str, Picture]:
    """The pictures of the doubtful cards by their labels."""
    from companion.vision.reading.cards import doubtful_cards, unclear_titles
    from companion.vision.reading.overlay import card_picture, title_picture

    pictures = {}
    for doubtful in doubtful_cards(table):
        shot = goods[doubtful.holder] if doubtful.holder is not None else shots[table.row_photo or 0]
        pictures[card_label(doubtful)] = card_picture(shot.picture, doubtful.detection)
    for number, title in enumerate(unclear_titles(table), 1):
        pictures[title_label(number)] = title_picture(shots[title.photo].picture, title.detection.box)
    return pictures


def _asked(
    shots: Sequence[Shot],
    table: TableReading,
    pictures: Mapping[int, tuple[Picture, Picture]],
    cards: Mapping[str, Picture],
    *,
    resume: bool,
) -> TableReading:
    """Ask for the doubtful tiles, then cards; `pictures` of tiles are to keep and to look at, by square."""
    journal = Journal("read", [os.path.realpath(shot.name) for shot in shots], "--resume")
    before = table.reading.position
    remember = _rememberer(shots, table, pictures)
    shown = {square: wide for square, (_, wide) in pictures.items()}
    conversation = ReviewConversation(table, shown, cards, remember)
    kept = None
    if resume:
        kept = journal.resume()
    else:
        journal.begin({})
    talked = hold(conversation, journal, kept=kept)
    told = talked.state.table
    if any(square in pictures for square in talked.state.told):
        try:
            _learn()
        except CompanionError as error:
            note(f"no paints are learnt from your answers: {error}")
    journal.drop()
    if told.reading.position != before:
        for problem in problems(told.reading.position):
            note(f"{problem.where}: {problem.message} (rules {problem.rule})")
    return told


def _rememberer(
    shots: Sequence[Shot], table: TableReading, pictures: Mapping[int, tuple[Picture, Picture]]
) -> Callable[[int, Tile], None]:
    """Keeps each tile that is told for later photos; what cannot be kept holds for this reading all the same."""
    from datetime import datetime

    import numpy as np

    from companion.vision.colour.learnt import seen_pieces
    from companion.vision.reading.examples import examples_folder, picture_key, save_example

    if not pictures:
        return lambda square, tile: None
    today = datetime.now().astimezone().date().isoformat()
    number, homography = next(iter(table.views.items()))
    feet = {square: table.reading.tiles[square].detections for square in pictures}
    pieces = seen_pieces(shots[number].picture, np.array(homography), feet)
    photo = picture_key(shots[number].picture)
    failed = False

    def remember(square: int, tile: Tile) -> None:
        nonlocal failed
        if square not in pictures or failed:
            return
        read = table.reading.tiles[square].tile
        try:
            save_example(examples_folder(), pictures[square][0], tile, read, today, pieces[square], photo)
        except UnusableInputError as error:
            failed = True
            note(f"{error}; what you answer holds for this reading only")

    return remember


def _learn() -> None:
    """Keep the unusual paints that all examples together show, and tell of it where they are new.

    Raises UnusableInputError or UsageError if the data folder cannot be written.
    """
    from companion.vision.colour.learnt import LabelledTile, learn_paints, unusual_pieces
    from companion.vision.colour.paints import (
        PIECE_NAMES,
        forget_paints,
        format_paints,
        is_learnt_in_use,
        learnt_path,
        load_learnt,
    )
    from companion.vision.reading.examples import examples_folder, load_examples

    path = learnt_path()
    before = unusual_pieces(load_learnt(path))
    # An example without a photo's key is from before pieces were kept: it does not tell what was read.
    examples = [example for example in load_examples(examples_folder()) if example.photo]
    paints = learn_paints([LabelledTile(example.tile, example.pieces, example.photo) for example in examples], before)
    if paints is None:
        forget_paints(path)
        return
    write_private(path, format_paints(paints).encode())
    new = [PIECE_NAMES[piece] for piece in unusual_pieces(paints) if piece not in before]
    if new and is_learnt_in_use(os.environ):
        note(f"learnt from your answers: the paint of {', '.join(new)}; photos are read with it from now on")
