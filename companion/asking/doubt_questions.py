"""What is doubtful in photos, asked one thing after another: all of it, or the tiles that the best turn hangs on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.advisor.advice import MOST_ASKED, MOST_CHOICES
from companion.asking.question import SKIP, Asking, Conversation, Question, T, ask, command_of
from companion.errors import NotationError
from companion.language.phrase import Phrase, joined, say, say_as
from companion.notation.names import NOTHING, fold
from companion.notation.tokens import whole_number
from companion.notation.typed import parse_typed_tile
from companion.rules.model.board import SQUARE_NAMES, Tile, parse_square
from companion.vision.reading.doubts import doubts, tile_doubt, tile_doubts
from companion.vision.readings import NOTHING as NO_CARD
from companion.vision.readings import Choice, Doubt

if TYPE_CHECKING:
    from companion.advisor.advice import DecidingTile, TurnAdvice
    from companion.vision.reading.session import PhotoSession

QUITTING = say("stops asking; the rest stays as read")
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
        "  Enter takes the first reading, a number another; or type {what}.\n  s or skip leaves it as read.",
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
        """After somebody has looked at all doubtful tiles, and only these are wrong."""
        reading = self.photos.reading
        wrong = {square: reading.tiles[square].tile for square in squares}
        open = [(doubt.label, doubt.tile) for doubt in self.open if doubt.tile is not None]
        right = {label: str(tile) for label, tile in open if parse_square(label) not in wrong}
        asked = self.asked.difference(SQUARE_NAMES[square] for square in wrong) | right.keys()
        return replace(self, photos=self.photos.answered(right), asked=asked, wrong=wrong)

    def answered(self, label: str, answer: str | None) -> Reviewing:
        """After an answer; None leaves it as it was read."""
        photos = self.photos if answer is None else self.photos.answered({label: answer})
        return replace(self, photos=photos, asked=self.asked | {label})


def review(photos: PhotoSession, pictures: Mapping[str, object], shown: Iterable[str] = ()) -> Conversation[Reviewing]:
    """Asks for what was not read for sure, tiles where most is at stake first; what is doubtful is `shown` before.

    `pictures` are those of what is doubtful or may come to be, by label.
    """

    def asked(state: Reviewing) -> Asking[Reviewing]:
        if not state.open:
            return state
        return (yield from _answered(state, _doubt(state, pictures)))

    first = Reviewing(photos)
    welcome = list(shown)
    if first.open:
        welcome.append(joined("", ("\n", _help(_TILE if tile_doubts(photos.reading) else say("it")))))
    if len(tile_doubts(photos.reading)) > 1:
        welcome.append(joined("", ("  ", _NAMING)))
    return Conversation(first, asked, QUITTING, tuple(welcome), goes_on=True)


def _answered(state: T, question: Question[tuple[T, Sequence[str]]]) -> Asking[T]:
    """Ask, and say how a tile was read that was typed in another way than it's written."""
    state, notes = yield from ask(question)
    yield from (joined("", ("  ", sentence)) for sentence in notes)
    return state


def _doubt(state: Reviewing, pictures: Mapping[str, object]) -> Question[tuple[Reviewing, Sequence[str]]]:
    """The question about the first doubt that was not asked yet."""
    left = state.open
    doubt = left[0]
    is_wrong = doubt.tile is not None and parse_square(doubt.label) in state.wrong
    choices = _choices(doubt, str(state.wrong[parse_square(doubt.label)]) if is_wrong else "")
    why = say("you said it's wrong") if is_wrong else doubt.why
    what = _TILE if doubt.tile is not None else _DJINN if doubt.label.startswith("djinn") else _CARD
    all_right = (_ALL_RIGHT,) if doubt.tile is not None else ()
    others = tuple(choice.answer for choice in (*doubt.likely, *doubt.others) if doubt.tile is None)
    number, every = len(state.asked) + 1, len(state.asked) + len(left)
    which = say("\n{what}, {number} of {all}", what=doubt.what, number=number, all=every)
    return Question(
        doubt.label,
        doubt.label,
        lambda line: _parsed(state, doubt, choices[0][1] if choices and not line else line),
        default="1" if choices else say_as("command", "skip"),
        choices=tuple(choices),
        why=(joined(": ", (which, why)) if why else which,),
        picture=pictures.get(doubt.label),
        help=joined("", (_help(what), *(("\n  ", _NAMING) if doubt.tile is not None else ()))),
        completions=(*others, *all_right, SKIP),
    )


def _choices(doubt: Doubt, wrong: str) -> list[tuple[str, str]]:
    """What is offered, in words and as the line that says it; not what somebody has called `wrong`."""

    def words(choice: Choice, first: bool) -> str:
        text = choice.answer if doubt.tile is not None else choice.words
        return joined("", (text, f"  ({doubt.confidence:.0%})")) if first and doubt.confidence else text

    choices = [(words(choice, choice is doubt.likely[0]), choice.answer) for choice in doubt.likely]
    return [choice for choice in choices if choice[1] != wrong] if doubt.is_guessed else []


def _parsed(state: Reviewing, doubt: Doubt, line: str) -> tuple[Reviewing, Sequence[str]]:
    if command_of(line) == SKIP or not line:
        return state.answered(doubt.label, None), ()
    number = whole_number(line)
    if doubt.tile is None:
        if fold(line) in NOTHING:
            return state.answered(doubt.label, NO_CARD), ()
        if number is not None:
            raise NotationError("there is no reading {number}; type the name", number=str(number)[:5])
        return state.answered(doubt.label, line), ()
    squares = line.replace(",", " ").casefold().split()
    if squares == [_ALL_RIGHT]:
        return state.with_wrong([]), ()
    if squares and all(word in SQUARE_NAMES for word in squares):
        return state.with_wrong([parse_square(word) for word in squares]), ()
    if number is not None:
        # A bare number could be a choice or a tile's value.
        typed = str(number)[:5]
        raise NotationError(
            "there is no reading {number}; type a tile with its letter, such as S{number}", number=typed
        )
    tile = parse_typed_tile(line)
    return state.answered(doubt.label, str(tile.tile)), tile.notes


@dataclass(frozen=True, slots=True)
class AdvisedPhotos:
    """Photos with the answers so far, the advice on them, and the squares that were asked about."""

    photos: PhotoSession
    advice: TurnAdvice
    asked: tuple[int, ...] = ()


def deciding_tiles(
    first: AdvisedPhotos,
    think: Callable[[PhotoSession], TurnAdvice],
    pictures: Mapping[str, object],
    drawn: Callable[[Tile], str],
) -> Conversation[AdvisedPhotos]:
    """Asks for the tiles in doubt whose contents bear on the best turn, the dearest first, each answer thought over.

    `think` advises on photos with their answers; `pictures` are those of tiles by name; `drawn` is a tile in one line.
    """

    def asked(state: AdvisedPhotos) -> Asking[AdvisedPhotos]:
        tiles = [one for one in state.advice.worth_a_look if one.square not in state.asked]
        if not tiles or len(state.asked) == MOST_ASKED:
            return state
        return (yield from _answered(state, _deciding(state, tiles[0], think, pictures, drawn)))

    return Conversation(first, asked, QUITTING, goes_on=True)


def _deciding(
    state: AdvisedPhotos,
    tile: DecidingTile,
    think: Callable[[PhotoSession], TurnAdvice],
    pictures: Mapping[str, object],
    drawn: Callable[[Tile], str],
) -> Question[tuple[AdvisedPhotos, Sequence[str]]]:
    from companion.vision.board.decision import differences

    name, first = SQUARE_NAMES[tile.square], tile.readings[0].tile

    def parse(line: str) -> tuple[AdvisedPhotos, Sequence[str]]:
        asked = (*state.asked, tile.square)
        if command_of(line) == SKIP:
            return replace(state, asked=asked), ()
        typed = parse_typed_tile(line or str(first))
        photos = state.photos.answered({name: str(typed.tile)})
        return AdvisedPhotos(photos, think(photos), asked), typed.notes

    return Question(
        name,
        name,
        parse,
        default="1",
        choices=tuple(
            (joined("   ", (drawn(one.tile), *differences(first, one.tile))), str(one.tile))
            for one in tile.readings[:MOST_CHOICES]
        ),
        why=(say("\nWhat's on {tile}? The best turn depends on this tile.", tile=name),),
        picture=pictures.get(name),
        help=_help(_TILE),
        completions=(SKIP,),
    )
