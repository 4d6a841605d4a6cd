"""The one way in: whatever a person has becomes a position, by content and not by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.language.phrase import say
from companion.opening.source import Source, read_inputs
from companion.resources import check_address_space
from companion.rules.engine.legality import check_position, warnings
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import Stage
from companion.system.progress import ReadingStep, TellStep

if TYPE_CHECKING:
    from companion.notation.outcome import Outcome
    from companion.notation.records.header import Header
    from companion.notation.records.replay import Replayed
    from companion.vision.reading.session import PhotoSession
    from companion.vision.readings import Reading


@dataclass(frozen=True, slots=True)
class Opened:
    """A position and where it came from, photos or a game's `record`; `name` is what messages call the input."""

    position: Position
    name: str = ""
    photos: PhotoSession | None = None
    record: Replayed | None = None

    @property
    def reading(self) -> Reading | None:
        """What was read from the photos, with all answers; None without any."""
        return None if self.photos is None else self.photos.reading

    @property
    def header(self) -> Header | None:
        """The record's names, date and place."""
        return None if self.record is None else self.record.record.header

    @property
    def outcome(self) -> Outcome | None:
        """The result of this position's players, by the code of a score sheet in a photo."""
        outcome = None if self.reading is None else self.reading.outcome
        return outcome if outcome is not None and set(outcome.totals) == set(self.position.colours) else None

    @property
    def names(self) -> Mapping[Colour, str]:
        """The players' names by colour, from a record or a score sheet."""
        if self.header is not None:
            return self.header.names
        return {} if self.outcome is None else self.outcome.names

    @property
    def date(self) -> str:
        """When the game was played, from a record or a score sheet; "" if unknown."""
        if self.header is not None:
            return self.header.tag("date") or ""
        return "" if self.outcome is None else self.outcome.date

    @property
    def place(self) -> str:
        """Where the game was played, as for `date`."""
        if self.header is not None:
            return self.header.tag("place") or ""
        return "" if self.outcome is None else self.outcome.place

    @property
    def finished(self) -> bool:
        """Whether the game is over (rules 9), as `is_finished` judges it."""
        from companion.rules.engine.scoring import is_finished

        return is_finished(self.position)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for people; doubts about photos are in `reading`."""
        return (*warnings(self.position), *self.where_it_stops)

    @property
    def where_it_stops(self) -> tuple[str, ...]:
        """A sentence about a record that ends between two turns or inside one, where that bears on the position."""
        return () if self.record is None else tuple(_where_it_stops(self.record, self.name))

    def unseen_in(self, position: Position) -> Mapping[Colour, int]:
        """Cards in hands that nobody else has seen, by a record; a hand that `position` changes is known."""
        return {} if self.record is None else self.record.state.unseen_in(position)

    def answered(self, photos: PhotoSession) -> Opened:
        """The same photos with a person's answers."""
        return replace(self, position=photos.reading.position, photos=photos)


def open_position(
    *sources: Source,
    goods: Mapping[Colour, Source] | None = None,
    cards: Source | None = None,
    photos_only: bool = False,
    checked: bool = True,
    own_set: bool = True,
    tell: TellStep = lambda step, words: None,
) -> Opened:
    """The position of a file, a code, a game record (after its last line), or one or several photos of a table.

    A source is a file's name, "-" for standard input, a code FT1-…, or bytes. `goods` are photos of cards that players
    have laid out; `cards` is a photo in which to read djinns' titles; with `photos_only` no text is taken. `own_set`
    reads photos with the user's own tiles, if learnt. With `checked` an impossible position is refused. `tell` is
    called with what is being done while photos are read.

    Raises UnusableInputError if there is no position, UsageError for sources that don't go together, IllegalMoveError
    for a record that the rules forbid, ImpossiblePositionError with every fault of an impossible position, and
    MissingDependencyError if titles are to be read and Tesseract is missing.
    """
    contents = read_inputs(sources, goods, cards, photos_only=photos_only)
    first, position, played = contents[0], None, None
    if not (first.is_picture or photos_only):
        # A photo needn't wait for all that texts can hold.
        from companion.opening.text import parse_text

        position, played = parse_text(first)
    if position is not None and not goods:
        opened = Opened(position, first.name, record=played)
    else:
        tell(ReadingStep.OPEN, say("reading {name}", name=first.name or say("the code")))
        check_address_space()
        # Text needn't wait for the reader of photos, which is slow to load.
        from companion.opening.photos import read_photos

        session = read_photos(contents, position, own_set=own_set, tell=tell)
        opened = Opened(session.reading.position, first.name, session, played)
    if checked:
        check_position(opened.position)
    return opened


def _where_it_stops(played: Replayed, name: str) -> Iterator[str]:
    """A sentence about a record that ends between two turns or inside one, where that bears on the position."""
    state = played.state
    mover = state.mover
    if played.owes_refill:
        yield say(
            "{name} ends after the round's last turn: the row and the djinns haven't been refilled yet (rules 8.1).",
            name=name,
        )
    elif played.announced is not None:
        words = played.announced
        yield say(
            "{name} breaks off before {words!r}: it doesn't say what was drawn (rules 11).", name=name, words=words
        )
    elif state.stage in (Stage.SOW, Stage.TRIBE):
        yield say(
            "{name} breaks off inside {mover}'s turn; what {mover} has in hand is not on the board.",
            name=name,
            mover=mover,
        )
    elif state.stage is Stage.KEEP:
        yield say(
            "{name} breaks off inside {mover}'s turn; the djinns that {mover} drew are not in the position.",
            name=name,
            mover=mover,
        )
    elif state.stage is Stage.TILE:
        yield say(
            "{name} breaks off inside {mover}'s turn, before the action of the tile (rules 6).", name=name, mover=mover
        )
    elif played.is_inside_turn:
        yield say(
            "{name} stops before the end of {mover}'s turn: powers and sales may still come (rules 7).",
            name=name,
            mover=mover,
        )
