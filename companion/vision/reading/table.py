"""All photos of one table made one position: the board from any side, its code, the row, djinns, players' goods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from companion.errors import PhotoError
from companion.programs import find_tesseract
from companion.rules.engine.legality import problems
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.vision.cards.laid_out import CardsSeen, find_row, row_names, with_cards
from companion.vision.cards.sight import CardSight, find_cards
from companion.vision.cards.titles import TitleSight, face_up, read_titles
from companion.vision.colour.paints import Paints
from companion.vision.load import Picture
from companion.vision.locate.scan import Glimpse, beside_board, glimpse
from companion.vision.reading.merge import align_readings, merge_readings
from companion.vision.reading.pipeline import read_seen
from companion.vision.reading.reading import Reading

Homography = tuple[tuple[float, float, float], ...]
"""A 3 x 3 matrix, row by row, from board coordinates to px of a photo."""

Say = Callable[[str], None]
"""Told what is being done, in a few words, for a line of progress."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo to be read: the name that messages call it by, and the picture (H, W, 3), BGR.

    `titled` asks for the titles of djinns in it, whatever else it shows.
    """

    name: str
    picture: Picture
    titled: bool = False


@dataclass(frozen=True, slots=True)
class UnclearTitle:
    """A djinn's title in a photo, by its number among those given, that could not be told, and the note about it."""

    photo: int
    sight: TitleSight
    note: str


@dataclass(frozen=True, slots=True)
class TableReading:
    """What several photos of a table told together.

    `reading` holds the position with all that was seen; `views` are the photos of the board, by their number among
    those given, each with its homography for the reading's squares, the first that of the reading itself; there
    are none if the board comes from a code alone. `row` and `goods` are the cards as they were seen; the row in
    the photo of number `row_photo`. `titles` are those of djinns that could not be told.
    """

    reading: Reading
    views: Mapping[int, Homography] = field(default_factory=dict)
    row: tuple[CardSight, ...] = ()
    goods: Mapping[Colour, tuple[CardSight, ...]] = field(default_factory=dict)
    row_photo: int | None = None
    titles: tuple[UnclearTitle, ...] = ()


@dataclass(frozen=True, slots=True)
class _Look:
    """A photo and what was found in it: `board` is a reading of the sultanate, `titles` are None if not looked for."""

    shot: Shot
    sight: Glimpse
    board: Reading | None
    cards: CardsSeen
    titles: Sequence[TitleSight] | None

    @property
    def named(self) -> bool:
        """Whether some djinn was told by its title."""
        return any(title.name is not None for title in self.titles or ())

    @property
    def is_of_use(self) -> bool:
        """Whether there was anything to read, or all was read that was asked for."""
        return bool(self.sight.fault is None or self.sight.coded or self.cards.cards or self.named) or self.shot.titled


def read_table(
    shots: Sequence[Shot],
    goods: Mapping[Colour, Shot] | None = None,
    paints: Paints | None = None,
    say: Say = lambda stage: None,
) -> TableReading:
    """Read photos of one table: each may show the board, the row of cards, djinns, a set-up card's code.

    `goods` are photos of what players have laid out, `paints` the owner's from a calibration. Titles of djinns are
    read where they are asked for, and with Tesseract installed in photos that show no board. Raises PhotoError if
    no photo shows the board or its code, if one shows nothing at all, or if they are of two tables; NotationError
    for a damaged or newer code; MissingDependencyError if titles are asked for and Tesseract is missing.
    """
    sights = [_glimpsed(shot, len(shots) > 1, say) for shot in shots]
    coded = _one_code(shots, sights)
    looks = [_look(shot, sight, coded, paints, say) for shot, sight in zip(shots, sights, strict=True)]
    _check_useful(looks)
    reading, views = _board(looks, coded)
    row, row_notes = find_row([look.cards for look in looks])
    held = {colour: _held(shot, say) for colour, shot in (goods or {}).items()}
    titles = [title for look in looks for title in look.titles or ()]
    position = _with_cards(reading.position, row, titles, held)
    unclear = tuple(_unclear(looks))
    notes = (
        *reading.notes,
        *row_notes,
        *(title.note for title in unclear),
        *_untitled(looks),
        *card_faults(position),
    )
    return TableReading(
        replace(reading, position=position, notes=notes), views, row, held, _photo_of(row, looks), unclear
    )


def _photo_of(row: Sequence[CardSight], looks: Sequence[_Look]) -> int | None:
    """The number of the photo that the row was seen in; cards of two photos may be equal, so it is the very one."""
    for number, look in enumerate(looks):
        if any(card is first for first in row[:1] for card in look.cards.cards):
            return number
    return None


def _glimpsed(shot: Shot, several: bool, say: Say) -> Glimpse:
    say(f"{shot.name}: looking for the board")
    try:
        return glimpse(shot.picture)
    except PhotoError as error:
        raise (PhotoError(f"{shot.name}: {error}") if several else error) from None


def _one_code(shots: Sequence[Shot], sights: Sequence[Glimpse]) -> Reading | None:
    """The reading of the code in the photos. Raises PhotoError if they hold codes of two positions."""
    found = [(shot.name, sight.coded) for shot, sight in zip(shots, sights, strict=True) if sight.coded is not None]
    for name, coded in found[1:]:
        if coded.position != found[0][1].position:
            raise PhotoError(
                f"the codes in {found[0][0]} and {name} are of two positions: photograph this table's card only"
            )
    return found[0][1] if found else None


def _look(shot: Shot, sight: Glimpse, coded: Reading | None, paints: Paints | None, say: Say) -> _Look:
    board = None
    if sight.lattice is not None:
        say(f"{shot.name}: reading the board")
        reading = read_seen(shot.picture, sight, coded, paints)
        board = reading if reading.code is None else None
    say(f"{shot.name}: looking for cards")
    cards = CardsSeen(shot.name, find_cards(shot.picture), board is not None)
    titles = None
    if shot.titled or (sight.lattice is None and sight.coded is None and find_tesseract() is not None):
        say(f"{shot.name}: reading djinns' names")
        titles = read_titles(shot.picture)
    return _Look(shot, sight, board, cards, titles)


def _check_useful(looks: Sequence[_Look]) -> None:
    """Raises PhotoError unless there is a board, and something of use in every photo."""
    for look in looks:
        if not look.is_of_use and look.sight.fault is not None:
            raise PhotoError(f"{look.shot.name}: {look.sight.fault}") if len(looks) > 1 else look.sight.fault
    if any(look.board is not None or look.sight.coded is not None for look in looks):
        return
    name = looks[0].shot.name
    raise PhotoError(
        f"{name} shows cards, but no photo shows the board: add one of all 30 tiles (companion read board.jpg {name})"
        if any(look.cards.cards or look.named for look in looks)
        else f"{name}: {looks[0].sight.fault}"
    )


def _board(looks: Sequence[_Look], coded: Reading | None) -> tuple[Reading, dict[int, Homography]]:
    """The reading of the board from all photos of it, or from the code, and the photos' homographies."""
    names = _short_names([look.shot.name for look in looks])
    boards = [(number, names[number], look.board) for number, look in enumerate(looks) if look.board is not None]
    if not boards:
        assert coded is not None, "one of them is there: checked before"
        return coded, {}
    aligned = align_readings([(name, board) for _, name, board in boards])
    views = {
        number: view.homography
        for (number, _, _), (_, view) in zip(boards, aligned, strict=True)
        if view.homography is not None
    }
    merged = merge_readings(aligned)
    return (merged if coded is None else beside_board(merged, coded.position)), views


def _short_names(names: Sequence[str]) -> list[str]:
    """The photos' names without their folders, where that tells them apart."""
    short = [Path(name).name for name in names]
    return short if len(set(short)) == len(short) else list(names)


def _held(shot: Shot, say: Say) -> tuple[CardSight, ...]:
    say(f"{shot.name}: looking for cards")
    cards = find_cards(shot.picture)
    if not cards:
        raise PhotoError(
            f"{shot.name}: no resource cards found; lay them out face up, side by side, and photograph from above"
        )
    return cards


def _with_cards(
    position: Position,
    row: Sequence[CardSight],
    titles: Sequence[TitleSight],
    held: Mapping[Colour, Sequence[CardSight]],
) -> Position:
    """The position with the cards that were seen; what a code told of them stands."""
    if row and position.row is None:
        position = replace(position, row=row_names(row))
    if position.djinns is None:
        # A djinn seen in two photos is one card.
        likeliest: dict[str, TitleSight] = {}
        for title in titles:
            known = likeliest.get(title.name or "")
            if title.name is not None and (known is None or known.confidence < title.confidence):
                likeliest[title.name] = title
        position = replace(position, djinns=face_up(list(likeliest.values())) or None)
    for colour, cards in held.items():
        position = position.with_player(with_cards(position.player(colour), cards))
    return position


def _unclear(looks: Sequence[_Look]) -> Iterator[UnclearTitle]:
    for number, look in enumerate(looks):
        for title in look.titles or ():
            if title.name is None:
                note = f"{look.shot.name}: the title {title.text!r} is no djinn's for certain; add its name by hand"
                yield UnclearTitle(number, title, note)


def _untitled(looks: Sequence[_Look]) -> Iterator[str]:
    """What is to be said where djinns' titles were asked for and there are none."""
    for look in looks:
        if look.shot.titled and not look.titles:
            yield (
                f"no djinn's name could be read in {look.shot.name}: take the cards from straight above, filling the"
                " picture"
            )


def card_faults(position: Position) -> Iterator[str]:
    """What the cards together hold that the box does not: some card was misread (rules 1.4)."""
    for problem in problems(position):
        if problem.rule == "1.4":
            yield f"{problem.where}: {problem.message} (rules {problem.rule}); look at the cards again"
