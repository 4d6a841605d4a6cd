"""The questions of `companion hint`: a line per player for what a photo does not show, and tiles that decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.advisor.advice import MOST_ASKED, MOST_CHOICES
from companion.cli.dialogue.command_words import DONE, SKIP, command_of
from companion.cli.dialogue.conversation import Answer, Conversation, Message, NumberedList, Question, Styled
from companion.cli.dialogue.drafts import DraftStore, session
from companion.cli.dialogue.holdings_line import EXAMPLE, LINE_HELP, WORDS, format_entries, player_line, read_held
from companion.cli.dialogue.loop import Dialogue, End
from companion.cli.dialogue.seating import FACE_UP, check_told, face_up_question
from companion.cli.dialogue.terminal import open_terminal
from companion.cli.views.board_view import tile_line
from companion.cli.views.reading_view import TilePicture
from companion.errors import NotationError
from companion.language.phrase import joined, say, say_as, term
from companion.notation.names import NOTHING, fold, parse_player
from companion.notation.score_entries import entries_of
from companion.notation.typed import parse_typed_tile
from companion.rules.engine.scoring import Holdings, in_front
from companion.rules.model.board import SQUARE_NAMES, SQUARES
from companion.rules.model.components import NO_GOODS, Colour
from companion.rules.model.position import HELD, Player, Position
from companion.table.results import player_name

if TYPE_CHECKING:
    from companion.advisor.advice import DecidingTile, TurnAdvice
    from companion.vision.load import Picture
    from companion.vision.reading.session import PhotoSession

_OPEN = Holdings(viziers=0, elders=0, djinns=())
"""What lies open in front of everybody, so that it is none where a line does not name it."""
_ONE_LINE = say("One line per player: whatever you know of what they have:\n  {example}", example=EXAMPLE)
_EMPTY_HAND = Holdings(fakirs=0, goods=NO_GOODS)


@dataclass(frozen=True, slots=True)
class HoldingsAnswers:
    """A position on its way, what and who was asked for, and whether nobody else plays."""

    position: Position
    asked: frozenset[str] = frozenset()
    everybody: bool = False


class HintConversation(Conversation[HoldingsAnswers]):
    """Asks for the row and the djinns, then what lies in front of each player, the mover first, if it isn't known.

    Where the board does not tell who plays, lines begin with a colour, and Enter says that there are no more.
    """

    quitting: str = say("stops asking; anything unknown is assumed")

    def __init__(self, position: Position, mover: Colour | None, names: Mapping[Colour, str]) -> None:
        super().__init__(HoldingsAnswers(position))
        self._names = names
        self._mover = mover if mover is not None else position.to_move

    def welcome(self, state: HoldingsAnswers) -> tuple[Message, ...]:
        """What a line looks like, if one is asked for now."""
        question = self.question(state)
        return () if question is None or question.key in FACE_UP else (_ONE_LINE,)

    def question(self, state: HoldingsAnswers) -> Question[HoldingsAnswers] | None:
        """What lies face up, the next player of whom something is not known, or whoever else plays."""
        if (face_up := face_up_question(state.position, state.asked, partial(_told, state))) is not None:
            return face_up
        colours = state.position.colours
        if self._mover is not None and self._mover not in colours:
            colours = (self._mover, *colours)
        for colour in sorted(colours, key=lambda colour: colour is not self._mover):
            player = state.position.player(colour)
            if colour not in state.asked and any(getattr(player, name) is None for name in HELD):
                return self._player(state, colour)
        if len(colours) < 2 and not state.everybody:
            return self._somebody(state)
        return None

    def _player(self, state: HoldingsAnswers, colour: Colour) -> Question[HoldingsAnswers]:
        player = state.position.player(colour)
        known = format_entries(entries_of(in_front(player)))
        return Question(
            str(colour),
            player_name(colour, self._names),
            lambda line: self._answered(state, colour, line),
            default=known or say_as("of what a player holds", "not known"),
            help=LINE_HELP
            + say("\n  A line may start with another colour; Enter: nothing more is known about this player."),
            completions=(*WORDS, *Colour),
            intro=_after_cards(state),
        )

    def _somebody(self, state: HoldingsAnswers) -> Question[HoldingsAnswers]:
        def parse(line: str) -> Answer[HoldingsAnswers]:
            if not line or fold(line) in NOTHING or command_of(line) == DONE:
                return Answer(replace(state, everybody=True))
            colour, rest = _begun(line)
            if colour is None:
                raise NotationError(say("the board doesn't say who plays: start with a colour, such as pink 41 gold"))
            return self._answered(state, colour, rest)

        return Question(
            "somebody",
            say("who else is playing? (colour, then what they have; Enter: nobody else)"),
            parse,
            help=LINE_HELP,
            completions=(*Colour, *WORDS),
            intro=_after_cards(state),
        )

    def _answered(self, state: HoldingsAnswers, asked: Colour, line: str) -> Answer[HoldingsAnswers]:
        colour, rest = _begun(line)
        colour = asked if colour is None else colour
        player = None
        if rest:
            player = _player(state.position.player(colour), read_held(rest), mover=colour is self._mover)
        position = state.position if player is None else state.position.with_player(player)
        if player is None and colour not in position.colours:
            position = position.with_player(Player(colour))
        check_told(state.position, position)
        line = joined("", ("  ", player_line(position.player(colour), self._names)))
        return Answer(replace(state, position=position, asked=state.asked | {colour}), (line,))

    def listing(self, state: HoldingsAnswers) -> Iterator[Message]:
        """What is known of each player."""
        for colour in state.position.colours:
            yield joined("", ("  ", player_line(state.position.player(colour), self._names)))
        if not state.position.colours:
            yield say("  nobody yet")


def _after_cards(state: HoldingsAnswers) -> tuple[Message, ...]:
    """What a line looks like, where what lies face up was asked for and nobody was yet."""
    return (_ONE_LINE,) if state.asked and not state.asked.intersection(Colour) else ()


def _told(state: HoldingsAnswers, key: str, position: Position) -> HoldingsAnswers:
    return replace(state, position=position, asked=state.asked | {key})


def _begun(line: str) -> tuple[Colour | None, str]:
    word, _, rest = line.replace(":", " ", 1).partition(" ")
    try:
        return parse_player(word), rest.strip()
    except NotationError:
        return None, line


def _player(known: Player, held: Holdings, *, mover: bool) -> Player:
    """What is known of a player after a line.

    What lies open and is not named is none; cards in the hand are so if the line names any, or if it is the hand of
    the player whose turn it is.
    """
    named_cards = held.goods is not None or held.fakirs is not None
    values: dict[str, Any] = {}
    for layer in ([_EMPTY_HAND] if named_cards or mover else []) + [_OPEN, known, held]:
        values |= {name: value for name in HELD if (value := getattr(layer, name)) is not None}
    return Player(known.colour, **values)


@contextmanager
def asked_holdings(
    position: Position, mover: Colour | None, names: Mapping[Colour, str], opened_from: Sequence[str], *, resume: bool
) -> Iterator[Position]:
    """The position with what standard input says of the players, whose names are `names`.

    `opened_from` tells its inputs from any others. What comes of the answers is made in the block; their draft goes at
    its end. Raises KeyboardInterrupt where somebody breaks off, UnusableInputError or NotationError if there is no
    draft to take up with `resume`, or a damaged one.
    """
    store = DraftStore("hint", opened_from)
    if resume:
        store.resume()
    else:
        store.begin()
    with session(HintConversation(position, mover, names), store) as result:
        yield result.state.position


class MoverConversation(Conversation["tuple[Colour, ...]"]):
    """Asks whose turn it is, of the players of some colours; comes to that colour alone, or to none."""

    quitting: str = say("stops asking; anything unknown is assumed")

    def __init__(self, colours: Sequence[Colour]) -> None:
        super().__init__(())
        self._colours = colours

    def question(self, state: tuple[Colour, ...]) -> Question[tuple[Colour, ...]] | None:
        """The one question."""
        if state:
            return None
        listed = NumberedList.of((str(colour), term(colour)) for colour in self._colours)
        return Question(
            "mover",
            joined("", ("1-", str(len(self._colours)))),
            lambda line: Answer((parse_player(line) if line else self._colours[0],)),
            default="1",
            help=say("  Enter takes the first player, a number another; or type the colour."),
            completions=tuple(self._colours),
            intro=(say("Whose turn is it?"), listed),
            listing=lambda: [listed],
        )


def ask_mover(colours: Sequence[Colour]) -> Colour | None:
    """Whose turn it is, of these colours, as a person says; None if nobody does.

    Raises KeyboardInterrupt where somebody breaks off.
    """
    result = Dialogue(open_terminal(), MoverConversation(colours)).run()
    if result.end is End.BROKEN_OFF:
        raise KeyboardInterrupt
    return next(iter(result.state), None)


@dataclass(frozen=True, slots=True)
class Looking:
    """Photos with the answers so far, the advice on them, and the squares that were asked about."""

    photos: PhotoSession
    advice: TurnAdvice
    asked: tuple[int, ...] = ()


class TileConversation(Conversation[Looking]):
    """Asks for the tiles in doubt whose contents bear on the best turn, the dearest first, each answer thought over.

    `think` advises on photos with their answers; `pictures` are those of tiles by name.
    """

    quitting: str = say("stops asking; the rest stays as it was read")

    def __init__(
        self,
        photos: PhotoSession,
        advice: TurnAdvice,
        think: Callable[[PhotoSession], TurnAdvice],
        pictures: Mapping[str, Picture],
    ) -> None:
        super().__init__(Looking(photos, advice))
        self._think = think
        self._pictures = pictures

    def question(self, state: Looking) -> Question[Looking] | None:
        """The tile whose contents are worth most, if any is worth a question."""
        if len(state.asked) == MOST_ASKED:
            return None
        tiles = [one for one in state.advice.worth_a_look if one.square not in state.asked]
        return self._tile(state, tiles[0]) if tiles else None

    def _tile(self, state: Looking, tile: DecidingTile) -> Question[Looking]:
        from companion.vision.board.decision import differences

        name = SQUARE_NAMES[tile.square]
        first = tile.readings[0].tile
        choices = [
            (str(one.tile), joined("   ", (tile_line(one.tile), *differences(first, one.tile))))
            for one in tile.readings[:MOST_CHOICES]
        ]
        listed = [NumberedList.of((words, line) for line, words in choices)]
        picture = self._pictures.get(name)
        intro = say("\nWhat's on {tile}? The best turn depends on this tile.", tile=name)
        return Question(
            name,
            name,
            lambda line: self._answered(state, tile.square, line or choices[0][0]),
            default="1",
            help=say("  Enter takes the first reading, a number another; or type the tile (O8:wgg, V5@K#1)."),
            completions=(SKIP,),
            intro=(intro, *([Styled(TilePicture(picture))] if picture is not None else []), *listed),
            listing=lambda: listed,
        )

    def _answered(self, state: Looking, square: int, line: str) -> Answer[Looking]:
        asked = (*state.asked, square)
        if command_of(line) == SKIP:
            return Answer(replace(state, asked=asked))
        photos = state.photos.answered({SQUARE_NAMES[square]: str(parse_typed_tile(line).tile)})
        return Answer(Looking(photos, self._think(photos), asked))


def ask_tiles(
    photos: PhotoSession, advice: TurnAdvice, think: Callable[[PhotoSession], TurnAdvice]
) -> tuple[PhotoSession, TurnAdvice]:
    """The photos and the advice after a person said what lies on the tiles that decide.

    Raises KeyboardInterrupt where somebody breaks off.
    """
    from companion.vision.reading.overlay import doubt_pictures

    pictures = doubt_pictures(photos, range(SQUARES))
    result = Dialogue(open_terminal(), TileConversation(photos, advice, think, pictures)).run()
    if result.end is End.BROKEN_OFF:
        raise KeyboardInterrupt
    return result.state.photos, result.state.advice
