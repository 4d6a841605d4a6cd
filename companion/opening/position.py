"""The one way in: whatever a person holds becomes a position, told apart by content and not by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import NotationError, PhotoError, UsageError
from companion.inputs import LIMITS
from companion.notation.files import parse_position
from companion.notation.records.lines import Header, is_record
from companion.notation.records.replay import Replayed
from companion.opening.record import play_record
from companion.opening.source import STANDARD_INPUT, Content, Source, decode_text, read_source
from companion.rules.engine.legality import check_position, oddities
from companion.rules.engine.result import is_finished
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import Stage

if TYPE_CHECKING:
    from companion.opening.photos import Photos
    from companion.vision.reading.table import TableReading

Say = Callable[[str], None]
"""Told what is being done, in a few words, for a line of progress."""


def _silent(stage: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A position and all that is known of where it came from.

    `notes` are sentences worth telling a person; what photos leave in doubt stands in `reading`, which is None
    for text. `record` is the game that the position ends, with its names, date and place in `header`; both are None
    for anything but a record. `photos` are those that were read.
    """

    position: Position
    notes: tuple[str, ...] = ()
    header: Header | None = None
    reading: TableReading | None = None
    record: Replayed | None = None
    photos: Photos | None = None

    @property
    def names(self) -> Mapping[Colour, str]:
        """The players' names by colour, as far as a record tells them."""
        return {} if self.header is None else self.header.names

    @property
    def finished(self) -> bool:
        """Whether the game is over (rules 9); a position that names no phase counts as an end if it can be one."""
        return is_finished(self.position)

    def with_reading(self, table: TableReading) -> Opened:
        """The same photos read otherwise: as a person corrected them."""
        position = table.reading.position
        return replace(self, position=position, reading=table, notes=_notes(position))


def open_position(
    *sources: Source,
    goods: Mapping[Colour, Source] | None = None,
    cards: Source | None = None,
    checked: bool = True,
    own_set: bool = True,
    say: Say = _silent,
) -> Opened:
    """The position of a file, a code, a game record (after its last line), or one or several photos of a table.

    A source is a file's name, "-" for standard input, a code FT1-…, or bytes; what it is, its first bytes tell.
    `goods` are photos of what players have laid out, `cards` is a photo, the same or another, in which djinns'
    titles are to be read. `own_set` reads photos with what is kept of the user's own pieces. An impossible position
    is handed over unless it is to be `checked`. `say` is told what is being done while photos are read.

    Raises UnusableInputError (or NotationError, PhotoError) if no position is to be had, UsageError for sources that
    do not go together, IllegalMoveError for a record that the rules forbid, ImpossiblePositionError with every
    fault for a position that cannot stand on a table, and MissingDependencyError if titles are to be read and
    Tesseract is missing.
    """
    contents, held, titled = _read_sources(sources, goods or {}, cards)
    texts = [content for content in contents if not content.is_picture]
    opened = (
        _from_photos(contents, held, titled, own_set=own_set, say=say)
        if not texts
        else _from_text(_one(texts, [*contents, *held.values(), *([] if titled is None else [titled])]))
    )
    if checked:
        check_position(opened.position)
    return opened


def open_photos(
    *photos: Source,
    goods: Mapping[Colour, Source] | None = None,
    cards: Source | None = None,
    own_set: bool = True,
    say: Say = _silent,
) -> Opened:
    """The position of photos and nothing else; otherwise as `open_position`, unchecked.

    Raises PhotoError for what is no photo, and what `open_position` raises.
    """
    contents, held, titled = _read_sources(photos, goods or {}, cards)
    return _from_photos(contents, held, titled, own_set=own_set, say=say)


def parse_goods(texts: Sequence[str]) -> dict[Colour, Path]:
    """Players' photos from texts such as "pink=goods.jpg". Raises UsageError for any other text."""
    from companion.notation.names import parse_colour

    photos: dict[Colour, Path] = {}
    for text in texts:
        name, sign, path = text.partition("=")
        if not sign or not path:
            raise UsageError(f"--goods {text}: say whose they are, COLOUR=PHOTO, such as pink=goods.jpg")
        try:
            colour = parse_colour(name)
        except NotationError as error:
            raise UsageError(f"--goods: {error}") from None
        if colour in photos:
            raise UsageError(f"--goods: {colour} is named twice; lay all of a player's cards out for one photo")
        photos[colour] = Path(path)
    return photos


def _read_sources(
    sources: Sequence[Source], goods: Mapping[Colour, Source], cards: Source | None
) -> tuple[list[Content], dict[Colour, Content], Content | None]:
    """The bytes of all sources, of which none is decoded before all are there."""
    shared = cards is not None and cards in sources
    given: list[Source] = [*sources, *([] if cards is None or shared else [cards]), *goods.values()]
    if not sources:
        raise UsageError("name a position file, a game record, a code, photos, or - for standard input")
    if len(given) > LIMITS.photos:
        raise UsageError(f"{len(given)} photos given; {LIMITS.photos} of one table are read together at most")
    _check_once(given)
    contents = {number: read_source(source) for number, source in enumerate(sources)}
    titled = None if cards is None else contents[sources.index(cards)] if shared else read_source(cards)
    held = {colour: read_source(source) for colour, source in goods.items()}
    for content in [*held.values(), *([] if titled is None else [titled])]:
        if not content.is_picture:
            raise PhotoError(f"{content.name} is no photo: what players have and djinns' titles are read from photos")
    return list(contents.values()), held, titled


def _check_once(given: Sequence[Source]) -> None:
    """Raises UsageError for a file that is named twice."""
    seen: set[object] = set()
    for source in given:
        key: object = source
        if not isinstance(source, bytes) and str(source) != STANDARD_INPUT:
            try:
                status = Path(source).stat()
                key = (status.st_dev, status.st_ino)
            except (OSError, ValueError):
                # What is not there is refused where it is opened.
                key = str(source)
        if key in seen:
            name = "a picture" if isinstance(source, bytes) else source
            raise UsageError(f"{name} is given twice; give each photo once")
        seen.add(key)


def _one(texts: Sequence[Content], given: Sequence[Content]) -> Content:
    """The one text among the inputs, which stands alone. Raises UsageError if there is more."""
    if len(given) > 1:
        raise UsageError(
            f"{texts[0].name or 'the code'} is text, and a position stands alone: only photos are read together"
        )
    return texts[0]


def _from_text(content: Content) -> Opened:
    try:
        text = decode_text(content)
        if is_record(text):
            return _from_record(play_record(text, content.name), content.name)
        position = parse_position(text)
    except NotationError as error:
        raise _named(content.name, error) from None
    return Opened(position, _notes(position))


def _named(name: str, error: NotationError) -> NotationError:
    """The fault with the input's name in front, unless it is there."""
    message = str(error)
    if not name or message.startswith(name):
        return error
    return NotationError(f"{name}: {message}" if "\n" not in message else f"{name}:\n{_indented(message)}")


def _indented(lines: str) -> str:
    return "\n".join(f"  {line}" for line in lines.splitlines())


def _from_record(played: Replayed, name: str) -> Opened:
    """The position after the last line of a game record."""
    position = played.state.position
    notes = (*_notes(position), *_where_it_stops(played, name))
    return Opened(position, notes, played.record.header, record=played)


def _where_it_stops(played: Replayed, name: str) -> Iterator[str]:
    """A sentence about a record that ends between two turns or inside one, where that bears on the position."""
    state = played.state
    mover = state.mover
    if played.owes_refill:
        yield f"{name} ends after the round's last turn: the row and the djinns are not refilled yet (rules 8.1)."
    elif state.stage in (Stage.SOW, Stage.TRIBE):
        yield f"{name} breaks off inside {mover}'s turn; what {mover} has in hand is not on the board."
    elif state.stage is Stage.KEEP:
        yield f"{name} breaks off inside {mover}'s turn; the djinns that {mover} drew are not in the position."
    elif state.stage is Stage.TILE:
        yield f"{name} breaks off inside {mover}'s turn, before the action of the tile (rules 6)."
    elif state.stage in (Stage.CLOSE, Stage.SELL):
        yield f"{name} stops before the end of {mover}'s turn: powers and sales may still come (rules 7)."


def _from_photos(
    contents: Sequence[Content], goods: Mapping[Colour, Content], cards: Content | None, *, own_set: bool, say: Say
) -> Opened:
    say(f"reading {contents[0].name}")
    # The reader of photos takes its time to load, which text need not wait for.
    from companion.opening.photos import read_photos

    table, photos = read_photos(contents, goods, cards, own_set=own_set, say=say)
    position = table.reading.position
    return Opened(position, _notes(position), reading=table, photos=photos)


def _notes(position: Position) -> tuple[str, ...]:
    return tuple(oddities(position))
