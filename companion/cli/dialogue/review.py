"""`companion read --ask`: questions about what is doubtful in photos, and pictures of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.dialogue.command_words import SKIP, command_of
from companion.cli.dialogue.conversation import Answer, Conversation, Message, NumberedList, Question, Styled
from companion.cli.dialogue.drafts import DraftStore, session
from companion.cli.output import note
from companion.cli.views.reading_view import TilePicture, doubt_lines
from companion.errors import CompanionError, NotationError, fault_line
from companion.language.phrase import Phrase, joined, say, say_as
from companion.notation.names import NOTHING, fold
from companion.notation.tokens import whole_number
from companion.notation.typed import parse_typed_tile
from companion.resources import cache_folder
from companion.rules.engine.legality import problems
from companion.rules.model.board import SQUARE_NAMES, SQUARES, Tile, parse_square
from companion.storage import private_folder, write_file
from companion.vision.reading.doubts import doubts, tile_doubt, tile_doubts
from companion.vision.reading.overlay import doubt_pictures, encode_picture
from companion.vision.readings import NOTHING as NO_CARD
from companion.vision.readings import Choice, Doubt

if TYPE_CHECKING:
    from companion.vision.load import Picture
    from companion.vision.reading.session import PhotoSession

_ALL_RIGHT = "ok"
"""What is typed where all tiles that are left are right as they were read."""

_TILE = say("the tile (O8:wgg, V5@K#1)")
_CARD = say("the card's name, or none if it isn't a card")
_DJINN = say("the djinn's name, or none if it isn't a djinn")
_NAMING = say(
    "Or name every tile that's wrong (c3 d4), doubtful or not: all the others are then taken as read; ok if none is "
    "wrong."
)


def _help(what: str) -> Phrase:
    return say(
        "  Enter takes the first reading, 2 to 4 another; or type {what}.\n  s or skip leaves it as it was read.",
        what=what,
    )


@dataclass(frozen=True, slots=True)
class Reviewing:
    """Photos with the answers so far, and the labels of what was asked.

    `wrong` are the tiles that were named as wrong, as they were read, by square.
    """

    photos: PhotoSession
    asked: frozenset[str] = frozenset()
    wrong: Mapping[int, Tile] = field(default_factory=dict)

    @property
    def open(self) -> list[Doubt]:
        """What is still to be asked: tiles named as wrong, then all that is doubtful."""
        # An answer may settle other tiles, or make them doubtful.
        wrong = [tile_doubt(self.photos.reading, square) for square in self.wrong]
        every = {doubt.label: doubt for doubt in (*wrong, *doubts(self.photos.reading))}
        return [doubt for label, doubt in every.items() if label not in self.asked]

    def with_wrong(self, squares: Sequence[int]) -> Reviewing:
        """After somebody has looked at all doubtful tiles: only these are wrong."""
        reading = self.photos.reading
        wrong = {square: reading.tiles[square].tile for square in squares}
        open = [(doubt.label, doubt.tile) for doubt in self.open if doubt.tile is not None]
        right = {label: str(tile) for label, tile in open if parse_square(label) not in wrong}
        asked = self.asked.difference(SQUARE_NAMES[square] for square in wrong) | right.keys()
        return replace(self, photos=self.photos.answered(right), asked=asked, wrong=wrong)

    def answered(self, label: str, answer: str | None) -> Reviewing:
        """After an answer, None where it stays as it was read."""
        photos = self.photos if answer is None else self.photos.answered({label: answer})
        return replace(self, photos=photos, asked=self.asked | {label})


class ReviewConversation(Conversation[Reviewing]):
    """Asks for what was not read for sure, tiles where most is at stake first.

    `pictures` are those of what is doubtful or may come to be, by label.
    """

    quitting: str = say("stops asking; the rest stays as it was read")

    def __init__(self, photos: PhotoSession, pictures: Mapping[str, Picture]) -> None:
        super().__init__(Reviewing(photos))
        self._pictures = pictures

    def welcome(self, state: Reviewing) -> Iterator[Message]:
        """What is doubtful, and how to answer."""
        yield from doubt_lines(state.photos.reading)
        if state.open:
            yield joined("", ("\n", _help(_TILE if tile_doubts(state.photos.reading) else say("it"))))
        if len(tile_doubts(state.photos.reading)) > 1:
            yield joined("", ("  ", _NAMING))

    def question(self, state: Reviewing) -> Question[Reviewing] | None:
        """The first doubt that was not asked yet."""
        left = state.open
        if not left:
            return None
        doubt = left[0]
        is_wrong = doubt.tile is not None and parse_square(doubt.label) in state.wrong
        choices = _choices(doubt, str(state.wrong[parse_square(doubt.label)]) if is_wrong else "")
        listed = [NumberedList.of((words, line) for line, words in choices)] if choices else []
        picture = self._pictures.get(doubt.label)
        intro = say(
            "\n{what}, {number} of {all}",
            what=doubt.what,
            number=len(state.asked) + 1,
            all=len(state.asked) + len(left),
        )
        why = say("you said it's wrong") if is_wrong else doubt.why
        what = _TILE if doubt.tile is not None else _DJINN if doubt.label.startswith("djinn") else _CARD
        all_right = (_ALL_RIGHT,) if doubt.tile is not None else ()
        others = tuple(choice.answer for choice in (*doubt.likely, *doubt.others) if doubt.tile is None)
        return Question(
            doubt.label,
            doubt.label,
            lambda line: _parsed(state, doubt, choices[0][0] if choices and not line else line),
            default="1" if choices else say_as("command", "skip"),
            help=joined("", (_help(what), *(("\n  ", _NAMING) if doubt.tile is not None else ()))),
            completions=(*others, *all_right, SKIP),
            intro=(
                joined(": ", (intro, why)) if why else intro,
                *([Styled(TilePicture(picture))] if picture is not None else []),
                *listed,
            ),
            listing=lambda: listed,
        )


def _choices(doubt: Doubt, wrong: str) -> list[tuple[str, str]]:
    """What is offered, as the line that says it and in words; not what somebody has called `wrong`."""

    def words(choice: Choice, first: bool) -> str:
        text = choice.answer if doubt.tile is not None else choice.words
        return joined("", (text, f"  ({doubt.confidence:.0%})")) if first and doubt.confidence else text

    choices = [(choice.answer, words(choice, choice is doubt.likely[0])) for choice in doubt.likely]
    return [choice for choice in choices if choice[0] != wrong] if doubt.is_guessed else []


def _parsed(state: Reviewing, doubt: Doubt, line: str) -> Answer[Reviewing]:
    if command_of(line) == SKIP or not line:
        return Answer(state.answered(doubt.label, None), line=SKIP)
    number = whole_number(line)
    if doubt.tile is None:
        if fold(line) in NOTHING:
            return Answer(state.answered(doubt.label, NO_CARD))
        if number is not None:
            raise NotationError("there is no reading {number}; type the name", number=str(number)[:5])
        return Answer(state.answered(doubt.label, line))
    squares = line.replace(",", " ").casefold().split()
    if squares == [_ALL_RIGHT]:
        return Answer(state.with_wrong([]))
    if squares and all(word in SQUARE_NAMES for word in squares):
        return Answer(state.with_wrong([parse_square(word) for word in squares]))
    if number is not None:
        # A bare number could be a choice or a tile's value.
        typed = str(number)[:5]
        raise NotationError(
            "there is no reading {number}; type a tile with its letter, such as S{number}", number=typed
        )
    tile = parse_typed_tile(line)
    notes = tuple(joined("", ("  ", sentence)) for sentence in tile.notes)
    return Answer(state.answered(doubt.label, str(tile.tile)), notes)


@contextmanager
def review(photos: PhotoSession, *, resume: bool = False) -> Iterator[PhotoSession]:
    """Write pictures of what is doubtful and ask; what comes of it is made in the block.

    `resume` takes up the answers of a session that was broken off. Raises KeyboardInterrupt if this one is, and
    UnusableInputError or NotationError, with nothing written, if there is no draft to take up or a damaged one.
    """
    # By the pictures and not by their names: answers about one table must not be applied to another.
    store = DraftStore("read", photos.keys)
    if resume:
        # Before any picture is written: without a draft there is nothing to go on with.
        store.resume()
    # An answer may make other tiles doubtful, which then have pictures too.
    pictures = doubt_pictures(photos, range(SQUARES))
    labels = [doubt.label for doubt in doubts(photos.reading) if doubt.label in pictures]
    if labels:
        try:
            folder = _write_pictures({label: pictures[label] for label in labels})
            note("pictures of what is doubtful: {folder}", folder=folder)
        except (CompanionError, OSError) as error:
            note(str(error))
    if not resume:
        store.begin()
    with session(ReviewConversation(photos, pictures), store) as result:
        corrected = result.state.photos
        if corrected.reading.position != photos.reading.position:
            for problem in problems(corrected.reading.position):
                note(fault_line(problem))
        yield corrected


def _write_pictures(pictures: Mapping[str, Picture]) -> Path:
    """Write pictures by label, "c3" as `c3.png`, in place of the last ones; the folder that they're in."""
    folder = cache_folder() / "doubtful"
    private_folder(folder)
    for old in folder.glob("*.png"):
        old.unlink(missing_ok=True)
    for label, picture in pictures.items():
        write_file(folder / f"{label}.png", encode_picture(picture, ".png"), force=True)
    return folder
