"""The photos that a command is given: all of them looked for first, then decoded, each named in what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.options import reading_option
from companion.errors import PhotoError, UsageError
from companion.notation.names import parse_colour
from companion.opening.position import piped_photo
from companion.rules.model.components import Colour

if TYPE_CHECKING:
    from companion.vision.load import Picture
    from companion.vision.reading.table import Shot

MOST_PHOTOS = 8
"""Photos of one table that are read together: all are in memory at once."""

STANDARD_INPUT = Path("-")


def parse_goods(texts: Sequence[str]) -> dict[Colour, Path]:
    """Players' photos from texts such as "pink=goods.jpg". Raises UsageError for any other text."""
    photos: dict[Colour, Path] = {}
    for text in texts:
        name, sign, path = text.partition("=")
        if not sign or not path:
            raise UsageError(f"--goods {text}: say whose they are, COLOUR=PHOTO, such as pink=goods.jpg")
        with reading_option("--goods"):
            colour = parse_colour(name)
        if colour in photos:
            raise UsageError(f"--goods: {colour} is named twice; lay all of a player's cards out for one photo")
        photos[colour] = Path(path)
    return photos


def check_photos(paths: Sequence[Path], cards: Path | None, goods: Mapping[Colour, Path]) -> None:
    """Refuse early what cannot be read together.

    Raises UsageError for a photo named twice or too many of them, PhotoError for one that is not there.
    """
    given = [*paths, *([cards] if cards is not None and cards not in paths else []), *goods.values()]
    if len(given) > MOST_PHOTOS:
        raise UsageError(f"{len(given)} photos given; {MOST_PHOTOS} of one table are read together at most")
    seen: dict[Path, Path] = {}
    for path in given:
        place = path if path == STANDARD_INPUT else path.absolute().resolve()
        if place in seen:
            raise UsageError(f"{path} is given twice; give each photo once")
        seen[place] = path
    for path in given:
        if path == STANDARD_INPUT:
            continue
        try:
            if path.is_dir():
                raise PhotoError(f"{path} is a folder; name the photos in it")
            if not path.exists():
                raise PhotoError(f"there is no photo {path}; nothing was read")
        except OSError as error:
            raise PhotoError(f"cannot read {str(path)[:100]}: {error.strerror}") from None


def load_shots(paths: Sequence[Path], cards: Path | None) -> list[Shot]:
    """The photos decoded; `cards` is the one, among them or besides, in which djinns' titles are to be read.

    Raises PhotoError for one that cannot be decoded, UsageError if two are the same picture.
    """
    from companion.vision.reading.table import Shot

    shots: list[Shot] = []
    for path in [*paths, *([cards] if cards is not None and cards not in paths else [])]:
        name = "standard input" if path == STANDARD_INPUT else str(path)
        shot = Shot(name, _load(path, name), titled=path == cards)
        _check_new(shot, shots)
        shots.append(shot)
    return shots


def load_goods(photos: Mapping[Colour, Path], shots: Sequence[Shot]) -> dict[Colour, Shot]:
    """Players' photos decoded. Raises as `load_shots`; `shots` are the photos of the table."""
    from companion.vision.reading.table import Shot

    goods: dict[Colour, Shot] = {}
    for colour, path in photos.items():
        shot = Shot(str(path), _load(path, str(path)))
        _check_new(shot, [*shots, *goods.values()])
        goods[colour] = shot
    return goods


def _load(path: Path, name: str) -> Picture:
    from companion.vision.load import decode_photo, load_photo

    return decode_photo(piped_photo(), name) if path == STANDARD_INPUT else load_photo(path)


def _check_new(shot: Shot, others: Sequence[Shot]) -> None:
    """A copy under another name would count as a second witness."""
    import numpy as np

    for other in others:
        if np.array_equal(shot.picture, other.picture):
            raise UsageError(f"{other.name} and {shot.name} are the same photo; give each photo once")
