"""What each player has, asked player by player where a position doesn't say."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.asking.holdings_line import EXAMPLE, LINE_HELP, WORDS, format_entries, player_line, read_held
from companion.asking.position_sheet import FACE_UP, check_possible, face_up
from companion.asking.question import DONE, Asking, Conversation, LeftError, Question, ask, command_of, once
from companion.errors import NotationError
from companion.language.phrase import joined, say, say_as, term
from companion.notation.names import NOTHING, fold, parse_player
from companion.notation.score_entries import entries_of
from companion.rules.engine.scoring import Holdings, in_front
from companion.rules.model.components import NO_GOODS, Colour
from companion.rules.model.position import HELD, Player, Position
from companion.table.results import player_name

_OPEN = Holdings(viziers=0, elders=0, djinns=())
"""What lies open in front of everybody, so that it is none where a line does not name it."""
_ONE_LINE = say("One line per player: whatever you know of what they have:\n  {example}", example=EXAMPLE)
_EMPTY_HAND = Holdings(fakirs=0, goods=NO_GOODS)
QUITTING = say("stops asking; anything unknown is assumed")


def holdings(position: Position, mover: Colour | None, names: Mapping[Colour, str]) -> Conversation[Position]:
    """Asks for the row and the djinns, then what lies in front of each player, the mover first, if it isn't known.

    Where the board does not tell who plays, lines begin with a colour, and Enter says that there are no more.
    """
    mover = mover if mover is not None else position.to_move

    def asked(told: Position) -> Asking[Position]:
        done: set[Colour] = set()
        try:
            for part in FACE_UP:
                told = yield from face_up(told, part)
            while (question := _next(told, mover, names, done)) is not None:
                answer = yield from ask(question if done or told == position else replace(question, why=(_ONE_LINE,)))
                if answer is None:
                    break
                colour, told = answer
                done.add(colour)
                yield joined("", ("  ", player_line(told.player(colour), names)))
        except LeftError:
            pass
        return told

    shows_example = None not in (position.row, position.djinns) and _next(position, mover, names, ()) is not None
    return Conversation(position, asked, QUITTING, (_ONE_LINE,) if shows_example else ())


def _next(
    position: Position, mover: Colour | None, names: Mapping[Colour, str], done: Collection[Colour]
) -> Question[tuple[Colour, Position] | None] | None:
    """The question for the next player of whom something is not known, or for whoever else plays.

    Its answer is a player, and the position then; None where nobody else plays. None where nothing is to be asked.
    """
    colours = position.colours
    if mover is not None and mover not in colours:
        colours = (mover, *colours)
    unknown = [one for one in colours if None in [getattr(position.player(one), name) for name in HELD]]
    asked = next((one for one in sorted(unknown, key=lambda one: one is not mover) if one not in done), None)
    if asked is None and len(colours) > 1:
        return None

    def parse(line: str) -> tuple[Colour, Position] | None:
        if asked is None and (not line or fold(line) in NOTHING or command_of(line) == DONE):
            return None
        colour, rest = _begun(line)
        colour = asked if colour is None else colour
        if colour is None:
            raise NotationError("the board doesn't say who plays: start with a colour, such as pink 41 gold")
        known = position.player(colour)
        player = _player(known, read_held(rest), mover=colour is mover) if rest else known
        told = position.with_player(player) if rest or colour not in position.colours else position
        check_possible(position, told)
        return colour, told

    shown = [joined("", ("  ", player_line(position.player(colour), names))) for colour in position.colours]
    question = Question(
        "somebody",
        say("who else is playing? (colour, then what they have; Enter: nobody else)"),
        parse,
        help=LINE_HELP,
        completions=(*Colour, *WORDS),
        listing=lambda: shown or ("  " + say("nobody yet"),),
    )
    if asked is None:
        return question
    return replace(
        question,
        key=str(asked),
        words=player_name(asked, names),
        default=format_entries(entries_of(in_front(position.player(asked))))
        or say_as("of what a player holds", "not known"),
        help=LINE_HELP
        + say("\n  A line may start with another colour; Enter: nothing more is known about this player."),
    )


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


def mover_of(colours: Sequence[Colour]) -> Conversation[Colour | None]:
    """Asks which player of these colours moves next; comes to None if nobody says."""
    question = Question(
        "mover",
        joined("", ("1-", str(len(colours)))),
        lambda line: parse_player(line) if line else colours[0],
        default="1",
        choices=tuple((term(colour), str(colour)) for colour in colours),
        why=(say("Whose turn is it?"),),
        help=say("  Enter takes the first player, a number another; or type the colour."),
        completions=tuple(colours),
    )
    return once(question, QUITTING)
