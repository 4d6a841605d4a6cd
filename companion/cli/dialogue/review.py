"""What is done about the doubts of a photo's reading: pictures of them, and questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.dialogue.drafts import DraftStore, session
from companion.cli.dialogue.review_conversation import ReviewConversation
from companion.cli.output import note
from companion.errors import CompanionError, UsageError, fault_line, system_reason
from companion.language.phrase import say
from companion.resources import cache_folder
from companion.rules.engine.legality import problems
from companion.rules.model.board import SQUARE_NAMES, SQUARES
from companion.storage import check_free, private_folder, write_file

if TYPE_CHECKING:
    from companion.opening.photos import Photos
    from companion.vision.load import Picture
    from companion.vision.reading.table import TableReading


@contextmanager
def review(
    photos: Photos,
    table: TableReading,
    *,
    ask: bool,
    crops: Path | None,
    force: bool,
    resume: bool = False,
) -> Iterator[TableReading]:
    """Write pictures of what is doubtful and ask, as far as is wanted; what comes of it is made in the block.

    `resume` takes up the answers of a sitting that was broken off. Raises KeyboardInterrupt if this one is, and
    UnusableInputError or NotationError, with nothing written, if there is no draft to take up or a damaged one.
    """
    from companion.vision.reading.overlay import doubt_pictures

    # By the pictures and not by their names: what is told of one table must not be laid on another.
    store = DraftStore("read", photos.keys)
    # Before any picture is written: without a draft there is nothing to go on with.
    kept = store.resume() if resume else None
    # An answer may make other tiles doubtful, which then have pictures too.
    pictures = doubt_pictures(photos.shots, photos.goods, table, range(SQUARES) if ask else None)
    doubtful = [SQUARE_NAMES[square] for square in table.reading.doubtful]
    named = {name: picture for name, picture in pictures.named.items() if name in doubtful or name in pictures.cards}
    folder = None
    if named:
        try:
            folder = _write_crops(named, crops, force=force)
            note(say("pictures of what is doubtful: {folder}", folder=folder))
        except CompanionError as error:
            if crops is not None:
                raise
            note(say("{error}; --crops FOLDER writes the pictures of what is doubtful elsewhere", error=error))
    if not ask:
        yield table
        return
    late = _LatePictures(pictures.named, folder, set(named), force=force or crops is None)
    conversation = ReviewConversation(table, pictures, late.write)
    if kept is None:
        store.begin({})
    with session(conversation, store, draft=kept) as talked:
        told = talked.state.table
        if told.reading.position != table.reading.position:
            for problem in problems(told.reading.position):
                note(fault_line(problem))
        yield told


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
        raise UsageError(
            say("cannot make the folder {folder}: {reason}", folder=folder, reason=system_reason(error))
        ) from None
    files = encode_crops({f"{name}.png": picture for name, picture in pictures.items()})
    if named is not None:
        # All or none.
        for name in files:
            check_free(folder / name, force=force)
    for name, content in files.items():
        write_file(folder / name, content, force=force or named is None)
    return folder


class _LatePictures:
    """Writes pictures of what comes into doubt while it is asked, beside the others in their folder."""

    def __init__(self, pictures: Mapping[str, Picture], folder: Path | None, written: set[str], *, force: bool) -> None:
        self._pictures = pictures
        self._folder = folder
        self._written = written
        self._force = force

    def write(self, name: str) -> None:
        """Write the picture of that name, unless it lies there; one that cannot be written is left out."""
        from companion.vision.reading.overlay import encode_crops

        if self._folder is None or name in self._written or name not in self._pictures:
            return
        self._written.add(name)
        for file, content in encode_crops({f"{name}.png": self._pictures[name]}).items():
            with suppress(CompanionError):
                write_file(self._folder / file, content, force=self._force)
