"""The questions of `companion read --ask`: the doubtful tiles of a reading, then its cards, then unclear djinns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from companion.cli.dialogue.question import Answer, Question, Said, Shown
from companion.cli.views.reading_view import why_doubtful
from companion.cli.views.tile_picture import TilePicture
from companion.errors import NotationError
from companion.language.phrase import Phrase, joined, say, say_many, stripped, term
from companion.notation.names import parse_card, parse_djinn
from companion.notation.tokens import format_tile
from companion.notation.typed import parse_typed_tile
from companion.rules.engine.djinns.registry import DJINNS
from companion.rules.model.board import SQUARE_NAMES, Tile
from companion.rules.model.components import CARD_COUNTS

if TYPE_CHECKING:
    from companion.vision.load import Picture
    from companion.vision.reading.cards import DoubtfulCard
    from companion.vision.reading.overlay import DoubtPictures
    from companion.vision.reading.table import TableReading, UnclearTitle

_Choice = TypeVar("_Choice")

_SKIP = frozenset({"s", "skip"})


_THE_TILE = say("the tile (O8:wgg, V5@K#1)")


def _help(what: str) -> Phrase:
    """What can be typed; `what` is what is asked for."""
    return say(
        "  Enter takes the first reading, 2 to 4 another one; or type {what}.\n"
        "  s or skip leaves it as it was read and goes on.",
        what=what,
    )


@dataclass(frozen=True, slots=True)
class Reviewing:
    """A reading on its way: what was asked by its key, and the squares of tiles that were told."""

    table: TableReading
    asked: frozenset[str] = frozenset()
    told: tuple[int, ...] = ()


class ReviewConversation:
    """Asks for what was not read for sure, first where most is at stake.

    `pictures` are those of what is doubtful; `remember` is given each tile that is told, at once, so that nothing
    answered is lost.
    """

    quitting: str = say("stops asking; the rest stays as it was read")

    def __init__(
        self,
        table: TableReading,
        pictures: DoubtPictures,
        remember: Callable[[int, Tile], None],
    ) -> None:
        from companion.vision.reading.cards import doubtful_cards, unclear_titles

        self._first = table
        self._squares = table.reading.doubtful
        self._cards = doubtful_cards(table)
        self._titles = unclear_titles(table)
        self._pictures = pictures.named
        self._remember = remember

    def begin(self) -> Answer[Reviewing]:
        """See `Conversation.begin`."""
        return Answer(Reviewing(self._first))

    def welcome(self, state: Reviewing) -> Iterator[Shown]:
        """See `Conversation.welcome`."""
        number = len(self._squares)
        if not number:
            yield say("All 30 tiles read clearly: nothing to ask.")
        else:
            yield (
                say_many("{count} of 30 tiles is doubtful. ", "{count} of 30 tiles are doubtful. ", number)
                + stripped(_help(_THE_TILE))
            )

    def earlier(self, state: Reviewing) -> Reviewing | None:
        """A sitting that is taken up again has all answers of those before."""
        return None

    def question(self, state: Reviewing) -> Question[Reviewing] | None:
        """The first doubt that was not asked yet."""
        for number, square in enumerate(self._squares, 1):
            if SQUARE_NAMES[square] not in state.asked:
                return self._tile(state, square, number)
        for card in self._cards:
            if card.label not in state.asked:
                return self._card(state, card, first=card is self._cards[0])
        return next(self._title_questions(state), None)

    def _tile(self, state: Reviewing, square: int, number: int) -> Question[Reviewing]:
        reading = state.table.reading
        seen = reading.tiles[square]
        choices = [(tile, format_tile(tile)) for tile in seen.offered]
        choices[0] = (seen.tile, f"{format_tile(seen.tile)}  ({seen.confidence:.0%})")
        name = SQUARE_NAMES[square]

        def told(tile: Tile, said: tuple[Shown, ...]) -> Answer[Reviewing]:
            table = replace(state.table, reading=reading.corrected(square, tile))
            after = Reviewing(table, state.asked | {name}, (*state.told, square))
            return Answer(after, said, effect=lambda: self._remember(square, tile))

        def parse(line: str) -> Answer[Reviewing]:
            # A bare number could be a choice or a tile's value.
            chosen = _chosen(
                line, choices, lambda number: say("type a tile with its letter, such as S{number}", number=number)
            )
            if chosen is not None:
                return told(chosen, ())
            typed = parse_typed_tile(line)
            return told(typed.tile, tuple(joined("", ("  ", sentence)) for sentence in typed.notes))

        intro = say(
            "\n{name}, {number} of {all}: {why}",
            name=name,
            number=number,
            all=len(self._squares),
            why=why_doubtful(reading, square),
        )
        picture = self._pictures.get(name)
        return self._question(state, name, choices, parse, intro, picture, _THE_TILE, ())

    def _card(self, state: Reviewing, card: DoubtfulCard, *, first: bool) -> Question[Reviewing]:
        from companion.vision.reading.cards import correct_card

        label, detection = card.label, card.detection
        choices: list[tuple[str, str]] = [(name, term(name)) for name in detection.likely[:2]]
        if choices:
            choices[0] = (choices[0][0], joined("", (choices[0][1], f"  ({detection.confidence:.0%})")))

        def parse(line: str) -> Answer[Reviewing]:
            name = _chosen(line, choices, lambda _: say("type the card's name")) or parse_card(line)
            return Answer(replace(state, table=correct_card(state.table, card, name), asked=state.asked | {label}))

        whose = say("the row") if card.holder is None else say("what {holder} has", holder=card.holder)
        intro = say("\ncard {number} of {whose}:", number=card.number + 1, whose=whose)
        if first:
            number = len(self._cards)
            intro = say_many("{count} card is doubtful.", "{count} cards are doubtful.", number) + intro
        picture = self._pictures.get(label)
        return self._question(state, label, choices, parse, intro, picture, say("the card's name"), tuple(CARD_COUNTS))

    def _title_questions(self, state: Reviewing) -> Iterator[Question[Reviewing]]:
        from companion.vision.reading.cards import title_label, unclear_titles

        for number, title in enumerate(self._titles, 1):
            # When three djinns are known, all that lie face up are.
            if title_label(number) not in state.asked and unclear_titles(state.table):
                yield self._title(state, title, title_label(number))

    def _title(self, state: Reviewing, title: UnclearTitle, label: str) -> Question[Reviewing]:
        from companion.vision.cards.djinn_names import rank_names
        from companion.vision.reading.cards import correct_title

        choices = [(name, name) for name, _ in rank_names(title.detection.text)[:2]]

        def parse(line: str) -> Answer[Reviewing]:
            name = _chosen(line, choices, lambda _: say("type its name")) or parse_djinn(line)
            return Answer(replace(state, table=correct_title(state.table, title, name), asked=state.asked | {label}))

        intro = (
            say("\na djinn's title, read as {text!r}.", text=title.detection.text)
            if title.detection.text
            else say("\na djinn's card whose title could not be read.")
        )
        picture = self._pictures.get(label)
        return self._question(state, label, choices, parse, intro, picture, say("the djinn's name"), tuple(DJINNS))

    def _question(
        self,
        state: Reviewing,
        key: str,
        choices: Sequence[tuple[object, str]],
        parse: Callable[[str], Answer[Reviewing]],
        intro: str,
        picture: Picture | None,
        what: str,
        completions: tuple[str, ...],
    ) -> Question[Reviewing]:
        listed = [joined("", (f"  {number}  ", words)) for number, (_, words) in enumerate(choices, 1)]

        def parse_or_skip(line: str) -> Answer[Reviewing]:
            if line.casefold() in _SKIP or (not line and not choices):
                return Answer(replace(state, asked=state.asked | {key}), line="skip")
            return parse(line)

        return Question(
            key,
            key,
            parse_or_skip,
            default="1" if choices else "skip",
            help=_help(what),
            completions=(*completions, "skip"),
            intro=(intro, *([Said(TilePicture(picture))] if picture is not None else []), *listed),
            listing=lambda: listed,
        )


def _chosen(line: str, choices: Sequence[tuple[_Choice, str]], instead: Callable[[str], str]) -> _Choice | None:
    """The reading that a number picks, Enter the first; None if no number was typed.

    Raises NotationError for a number that stands for none; `instead` says of it what to do.
    """
    if not line and choices:
        return choices[0][0]
    if not line.isdecimal():
        return None
    if not 0 < int(line[:5]) <= len(choices):
        raise NotationError(say("there is no reading {number}; {instead}", number=line[:5], instead=instead(line[:5])))
    return choices[int(line) - 1][0]
