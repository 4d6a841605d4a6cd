"""The questions of `companion read --ask`: doubtful tiles of a reading, its cards, unclear djinns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.cli.dialogue.command_words import SKIP, command_of
from companion.cli.dialogue.conversation import Answer, Conversation, Message, NumberedList, Question, Styled
from companion.cli.views.reading_view import doubt_lines, why_doubtful
from companion.cli.views.tile_picture import TilePicture
from companion.errors import NotationError
from companion.language.phrase import Phrase, joined, say, say_as, say_many, stripped, term
from companion.notation.names import NOTHING, fold, parse_card, parse_djinn
from companion.notation.tokens import format_tile, whole_number
from companion.notation.typed import parse_typed_tile
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.board import SQUARE_NAMES, Tile, parse_square
from companion.rules.model.components import CARD_COUNTS

if TYPE_CHECKING:
    from companion.vision.load import Picture
    from companion.vision.reading.cards import DoubtfulCard
    from companion.vision.reading.overlay import DoubtPictures
    from companion.vision.reading.table import TableReading, UnclearTitle

_ALL_RIGHT = "ok"
"""What is typed where all tiles that are left are right as they were read."""

_NOTHING = "none"
"""What is typed for what is no card or no djinn's title."""


_THE_TILE = say("the tile (O8:wgg, V5@K#1)")


def _help(what: str) -> Phrase:
    """What can be typed; `what` is what is asked for."""
    return say(
        "  Enter takes the first reading, 2 to 4 another one; or type {what}.\n"
        "  s or skip leaves it as it was read and goes on.",
        what=what,
    )


_NAMING = say(
    "Or name all tiles that are wrong (c3 d4), asked for or not: the others are then right as they were read; "
    "ok if none is wrong."
)


@dataclass(frozen=True, slots=True)
class Reviewing:
    """A reading on its way, and what was asked by its key.

    `wrong` are the tiles that were named as wrong, as they were read, by square.
    """

    table: TableReading
    asked: frozenset[str] = frozenset()
    wrong: Mapping[int, Tile] = field(default_factory=dict)

    @property
    def left(self) -> list[int]:
        """The squares of the tiles that are still to be asked for: those named as wrong, then other doubtful ones."""
        # An answer may settle other tiles, or make them doubtful.
        wanted = dict.fromkeys((*self.wrong, *self.table.reading.doubtful))
        return [square for square in wanted if SQUARE_NAMES[square] not in self.asked]

    def with_wrong(self, squares: Sequence[int]) -> Reviewing:
        """After somebody has looked at all doubtful tiles: only these are wrong."""
        from companion.vision.board.decision import confirmed

        reading = self.table.reading
        wrong = {square: reading.tiles[square].tile for square in squares}
        right = [square for square in self.left if square not in wrong]
        reading = confirmed(reading, right)
        asked = self.asked.difference(SQUARE_NAMES[square] for square in wrong)
        asked |= {SQUARE_NAMES[square] for square in right}
        return replace(self, table=replace(self.table, reading=reading), asked=asked, wrong=wrong)


class ReviewConversation(Conversation[Reviewing]):
    """Asks for what was not read for sure, first where most is at stake.

    `pictures` are those of what is doubtful, and of tiles that may come to be; `show` is given the name of each tile
    asked for.
    """

    quitting: str = say("stops asking; the rest stays as it was read")

    def __init__(
        self,
        table: TableReading,
        pictures: DoubtPictures,
        show: Callable[[str], None] = lambda name: None,
    ) -> None:
        from companion.vision.reading.cards import doubtful_cards, unclear_titles

        super().__init__(Reviewing(table))
        self._cards = doubtful_cards(table)
        self._titles = unclear_titles(table)
        self._pictures = pictures.named
        self._show = show

    def welcome(self, state: Reviewing) -> Iterator[Message]:
        """See `Conversation.welcome`."""
        number = len(state.table.reading.doubtful)
        if not number:
            yield say("All 30 tiles read clearly: nothing to ask.")
        elif number == 1:
            yield (
                say_many("{count} of 30 tiles is doubtful. ", "{count} of 30 tiles are doubtful. ", number)
                + stripped(_help(_THE_TILE))
            )
        else:
            yield from doubt_lines(state.table.reading)
            yield joined("", ("\n", _help(_THE_TILE)))
            yield joined("", ("  ", _NAMING))

    def question(self, state: Reviewing) -> Question[Reviewing] | None:
        """The first doubt that was not asked yet."""
        squares = state.left
        if squares:
            return self._tile(state, squares[0], len(squares))
        for card in self._cards:
            if card.label not in state.asked:
                return self._card(state, card, first=card is self._cards[0])
        return next(self._title_questions(state), None)

    def _tile(self, state: Reviewing, square: int, left: int) -> Question[Reviewing]:
        """The question about a tile; so many are `left` with it."""
        from companion.vision.board.decision import decided_anew

        asked = len(state.asked.intersection(SQUARE_NAMES))
        reading = state.table.reading
        seen = reading.tiles[square]
        # What somebody has called wrong is not offered to him again.
        wrong = format_tile(state.wrong[square]) if square in state.wrong else ""
        choices = [(text, text) for text in map(format_tile, seen.offered) if text != wrong]
        if choices and choices[0][0] == format_tile(seen.tile):
            choices[0] = (choices[0][0], f"{choices[0][0]}  ({seen.confidence:.0%})")
        name = SQUARE_NAMES[square]

        def taken(tile: Tile, said: tuple[Message, ...] = ()) -> Answer[Reviewing]:
            table = replace(state.table, reading=decided_anew(reading, square, tile))
            return Answer(replace(state, table=table, asked=state.asked | {name}), said)

        def parse(line: str) -> Answer[Reviewing]:
            named = _named_squares(line)
            if named is not None:
                return Answer(state.with_wrong(named))
            # A bare number could be a choice or a tile's value.
            _refuse_number(line, lambda number: say("type a tile with its letter, such as S{number}", number=number))
            typed = parse_typed_tile(line)
            notes = tuple(joined("", ("  ", sentence)) for sentence in typed.notes)
            return taken(typed.tile, notes)

        def parse_or_let_stand(line: str) -> Answer[Reviewing]:
            if line or not choices:
                return question.parse(line)
            return taken(parse_typed_tile(choices[0][0]).tile)

        intro = say(
            "\n{name}, {number} of {all}: {why}",
            name=name,
            number=asked + 1,
            all=asked + left,
            why=say("wrong, as you say") if square in state.wrong else why_doubtful(reading, square),
        )
        picture = self._pictures.get(name)
        self._show(name)
        question = self._question(state, name, choices, parse, intro, picture, _THE_TILE, (_ALL_RIGHT,))
        return replace(question, parse=parse_or_let_stand, help=joined("", (question.help, "\n  ", _NAMING)))

    def _card(self, state: Reviewing, card: DoubtfulCard, *, first: bool) -> Question[Reviewing]:
        from companion.vision.reading.cards import NO_CARD, correct_card

        label, detection = card.label, card.detection
        choices: list[tuple[str, str]] = [(name, term(name)) for name in detection.likely[:2]]
        if choices:
            choices[0] = (choices[0][0], joined("", (choices[0][1], f"  ({detection.confidence:.0%})")))

        def parse(line: str) -> Answer[Reviewing]:
            if fold(line) in NOTHING:
                name = NO_CARD
            else:
                _refuse_number(line, lambda _: say("type the card's name"))
                name = parse_card(line)
            return Answer(replace(state, table=correct_card(state.table, card, name), asked=state.asked | {label}))

        whose = say("the row") if card.holder is None else say("what {holder} has", holder=card.holder)
        intro = say("\ncard {number} of {whose}:", number=card.number + 1, whose=whose)
        if first:
            number = len(self._cards)
            intro = say_many("{count} card is doubtful.", "{count} cards are doubtful.", number) + intro
        picture = self._pictures.get(label)
        what = say("the card's name, or none if it is no card")
        return self._question(state, label, choices, parse, intro, picture, what, (*CARD_COUNTS, _NOTHING))

    def _title_questions(self, state: Reviewing) -> Iterator[Question[Reviewing]]:
        from companion.vision.reading.cards import unclear_titles

        for title in self._titles:
            # When three djinns are known, all that lie face up are.
            if title.label not in state.asked and unclear_titles(state.table):
                yield self._title(state, title, title.label)

    def _title(self, state: Reviewing, title: UnclearTitle, label: str) -> Question[Reviewing]:
        from companion.vision.cards.djinn_names import rank_names
        from companion.vision.reading.cards import correct_title

        choices = [(name, name) for name, _ in rank_names(title.detection.text)[:2]]

        def parse(line: str) -> Answer[Reviewing]:
            if fold(line) in NOTHING:
                name = None
            else:
                _refuse_number(line, lambda _: say("type its name"))
                name = parse_djinn(line)
            return Answer(replace(state, table=correct_title(state.table, title, name), asked=state.asked | {label}))

        intro = (
            say("\na djinn's title, read as {text!r}.", text=title.detection.text)
            if title.detection.text
            else say("\na djinn's card whose title could not be read.")
        )
        picture = self._pictures.get(label)
        what = say("the djinn's name, or none if it is no djinn")
        return self._question(state, label, choices, parse, intro, picture, what, (*DJINNS, _NOTHING))

    def _question(
        self,
        state: Reviewing,
        key: str,
        choices: Sequence[tuple[str, str]],
        parse: Callable[[str], Answer[Reviewing]],
        intro: str,
        picture: Picture | None,
        what: str,
        completions: tuple[str, ...],
    ) -> Question[Reviewing]:
        shown = tuple(joined("", (f"  {number}  ", words)) for number, (_, words) in enumerate(choices, 1))
        listed = [NumberedList(shown, tuple(line for line, _ in choices))] if choices else []

        def parse_or_skip(line: str) -> Answer[Reviewing]:
            if command_of(line) == SKIP or (not line and not choices):
                return Answer(replace(state, asked=state.asked | {key}), line=SKIP)
            return parse(line or choices[0][0])

        return Question(
            key,
            key,
            parse_or_skip,
            default="1" if choices else say_as("command", "skip"),
            help=_help(what),
            completions=(*completions, SKIP),
            intro=(intro, *([Styled(TilePicture(picture))] if picture is not None else []), *listed),
            listing=lambda: listed,
        )


def _named_squares(line: str) -> list[int] | None:
    """The squares that a line names, none of them for "ok"; None if it says anything else."""
    words = line.replace(",", " ").casefold().split()
    if words == [_ALL_RIGHT]:
        return []
    if not words or not all(word in SQUARE_NAMES for word in words):
        return None
    return [parse_square(word) for word in words]


def _refuse_number(line: str, instead: Callable[[str], str]) -> None:
    """Raises NotationError for a number, which stands for none of the readings here; `instead` says what to do."""
    number = whole_number(line)
    if number is not None:
        typed = str(number)[:5]
        raise NotationError(say("there is no reading {number}; {instead}", number=typed, instead=instead(typed)))
