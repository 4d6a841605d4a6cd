"""What a person names, as bytes: files, standard input, a code, or bytes; photos are told from text."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from companion.errors import PhotoError, UsageError
from companion.inputs import LIMITS, exists, foreign_kind, is_picture, read_input
from companion.language.phrase import say
from companion.notation.codes import looks_like_code
from companion.rules.model.components import Colour

Source = str | Path | bytes
"""A file's name, "-" for standard input, a position code FT1-…; or a file's bytes themselves."""

STANDARD_INPUT = "-"
WANTED = say("give a position file, a game record, a code FT1-…, a photo, or - for standard input")
WANTED_PHOTO = say("give a photo, or - for standard input")
WANTED_RECORD = say("give a game record, or - for standard input")
_TOO_LARGE = say(", too large for a position file or a game record, and it isn't a picture that can be read")


@dataclass(frozen=True, slots=True)
class Content:
    """What a source holds, its `name` in messages, whether it `is_picture` by its bytes, or something `foreign`; a
    photo to be read for djinns is `titled`, one of a player's cards has a `holder`.
    """

    name: str
    data: bytes
    is_picture: bool = False
    foreign: str | None = None
    titled: bool = False
    holder: Colour | None = None
    wanted: str = WANTED


def read_inputs(
    sources: Sequence[Source],
    goods: Mapping[Colour, Source] | None = None,
    cards: Source | None = None,
    *,
    photos_only: bool = False,
) -> list[Content]:
    """All sources read, before any is decoded: one text or photos, and photos of `goods`. Raises UnusableInputError,
    PhotoError for goods or cards that aren't a photo, UsageError for what doesn't go together.
    """
    given: list[tuple[Colour | None, Source]] = [(None, source) for source in sources]
    if cards is not None and cards not in sources:
        given.append((None, cards))
    given += (goods or {}).items()
    if not given:
        raise UsageError("there is nothing to open; {wanted}", wanted=WANTED)
    _check_together([source for _, source in given])
    wanted = WANTED_PHOTO if photos_only else WANTED
    read = [
        (colour, source, read_source(source, wanted if colour is None else WANTED_PHOTO)) for colour, source in given
    ]
    for colour, source, content in read:
        if not content.is_picture and content.foreign is not None and len(read) > 1:
            raise PhotoError("{name} is {foreign}", name=content.name, foreign=content.foreign)
        if not content.is_picture and (colour is not None or source == cards):
            raise PhotoError(
                "{content} is not a photo; what players hold is only read from photos", content=content.name
            )
    seen: dict[bytes, str] = {}
    for _, _, content in read:
        # A copy under another name would count as a second witness.
        if content.data and content.data in seen:
            raise UsageError(
                "{seen} and {content} are the same photo; give each photo once",
                seen=seen[content.data],
                content=content.name,
            )
        seen[content.data] = content.name
    contents = [replace(content, titled=source == cards, holder=colour) for colour, source, content in read]
    texts = [content for content in contents if not content.is_picture]
    if texts and not photos_only and sum(content.holder is None for content in contents) > 1:
        raise UsageError(
            "{name} is not a photo; only photos can be read together", name=texts[0].name or say("the code")
        )
    return contents


def read_source(source: Source, wanted: str = WANTED) -> Content:
    """What one source holds; `wanted` says what to give instead. Raises UnusableInputError as `read_inputs`."""
    name: str = say("standard input")
    origin: str | Path | BinaryIO
    if isinstance(source, bytes):
        origin, name = io.BytesIO(source), say("the input")
    elif str(source) == STANDARD_INPUT:
        # Whoever runs commands from Python may have put text in its place.
        origin = getattr(sys.stdin, "buffer", None) or io.BytesIO(sys.stdin.read(LIMITS.text_bytes + 1).encode())
    elif isinstance(source, str) and looks_like_code(source) and not exists(source):
        return Content("", source.encode("utf-8", "replace"), wanted=wanted)
    else:
        origin, name = source, ""
    name, data = read_input(origin, name, wanted, _most_bytes)
    return Content(name, data, is_picture(data), foreign_kind(data), wanted=wanted)


def _most_bytes(head: bytes) -> tuple[int, str]:
    """How much of a file is read that begins so, and what to say of a larger one."""
    if is_picture(head):
        return LIMITS.photo_bytes, say("; make the photo smaller")
    return LIMITS.text_bytes, _TOO_LARGE


def _check_together(given: Sequence[Source]) -> None:
    """Raises UsageError for too many sources, or a file that is named twice."""
    if len(given) > LIMITS.photos:
        raise UsageError(
            "{number} photos given; at most {photos} of the same table can be read together",
            number=len(given),
            photos=LIMITS.photos,
        )
    seen: set[object] = set()
    for source in given:
        key: object = source
        if not isinstance(source, bytes) and str(source) != STANDARD_INPUT:
            try:
                status = os.stat(source)  # noqa: PTH116
                key = (status.st_dev, status.st_ino)
            except (OSError, ValueError):
                # What is not there is refused where it is opened.
                key = str(source)
        if key in seen:
            raise UsageError(
                "{value} is given twice; give each once",
                value=say("a picture") if isinstance(source, bytes) else source,
            )
        seen.add(key)
