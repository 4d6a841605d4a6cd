"""The questions of `companion play` about a table: how it was laid, who plays in which order, the row, the djinns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.asking.players import NamedPlayers, check_named, read_players
from companion.asking.position_sheet import face_up
from companion.asking.question import LEAVING, Asking, Conversation, Question, ask, parse_file
from companion.errors import NotationError
from companion.language.phrase import joined, say, say_many, term
from companion.notation.names import fold, parse_player
from companion.notation.tokens import whole_number
from companion.rules.engine.setup import can_play, default_colours
from companion.rules.model.components import Colour, markers_each
from companion.rules.model.position import Phase, Position
from companion.table.games import with_players
from companion.table.results import player_name


@dataclass(frozen=True, slots=True)
class Seating:
    """A table at its first bid, and the players' names in the order in which they bid.

    `order` are the markers on the bid order track, two for each of two players (rules 2.1), None while unknown.
    """

    position: Position
    names: Mapping[Colour, str] = field(default_factory=dict)
    order: tuple[Colour, ...] | None = None

    @property
    def seated(self) -> Position:
        """The position with the players at their first bid of the round."""
        order = self.order if self.order is not None else in_turn(tuple(self.names))
        return with_players(self.position, order)


def lacks_order(position: Position) -> bool:
    """Whether bids come next on a table, as far as it tells, and not in which order."""
    bidding = position.phase in (None, Phase.BID) and position.to_move is None and not position.turn_order
    return bidding and position.bid_order is None


def seat(position: Position, named: NamedPlayers, players: int | None) -> dict[Colour, str]:
    """Who plays, in the order named, with a name each or ""; `players` says how many, where more play than are named.

    Raises NotationError for players who cannot play on this board (rules 2.1).
    """
    there = position.colours
    number = number_of(named, players, len(there))
    if number not in (2, 3, 4):
        raise NotationError("a game is for 2 to 4 players, not for {number} (rules 2.1)", number=number)
    if named.names and there:
        raise NotationError(
            "{colours} already have camels or players here: name the colours too, such as {colour} Anna",
            colours=joined(say(" and "), map(term, there)),
            colour=term(there[0]),
        )
    placed = named.assumed(default_colours(number)) if named.names else dict(named.colours)
    for colour in (*there, *default_colours(number), *Colour):
        if len(placed) < number:
            placed.setdefault(colour, "")
    check_named(placed, there)
    if not can_play(placed):
        raise NotationError("two players are blue and pink (rules 2.1)")
    return placed


def number_of(named: NamedPlayers, players: int | None, least: int) -> int:
    """How many play: as many as `players` says, else all who are named. Raises NotationError where more are named."""
    known = len(named.colours) + len(named.names)
    number = players if players is not None else max(known, least)
    if known > number:
        raise NotationError(
            "{known} players are named, but --players says {number}; leave one of them out", known=known, number=number
        )
    return number


def in_turn(colours: Sequence[Colour]) -> tuple[Colour, ...]:
    """The markers of these players in turn: each has one, of two players each has two (rules 2.1)."""
    return tuple(colours) * markers_each(len(colours))


def seating(first: Seating) -> Conversation[Seating]:
    """Asks what is still unknown of a table: who plays, the order of the markers, what lies face up."""

    def asked(told: Seating) -> Asking[Seating]:
        if not told.names:
            names, assumed = yield from ask(_who(told.position))
            if assumed:
                taken = joined(", ", [player_name(colour, names) for colour in names])
                yield say(
                    "  colours assumed: {players}; to change them type back, then colours with the names", players=taken
                )
            # With one marker each the names give the order.
            order = in_turn(tuple(names)) if markers_each(len(names)) == 1 else None
            told = replace(told, names=names, order=order)
        if told.order is None:
            told = replace(told, order=(yield from ask(_order(told.names))))
        position = yield from face_up(told.position, "row")
        return replace(told, position=(yield from face_up(position, "djinns")))

    welcome = say("A few things about the table are still missing; ? shows help, back undoes an answer, quit leaves.")
    return Conversation(first, asked, say("leaves without recording anything"), (welcome,))


def _who(position: Position) -> Question[tuple[dict[Colour, str], bool]]:
    """Its answer is everybody by colour, and whether colours are assumed."""
    there = position.colours

    def parse(line: str) -> tuple[dict[Colour, str], bool]:
        named = read_players(line) if line or not there else NamedPlayers(dict.fromkeys(there, ""))
        return seat(position, named, None), bool(named.names)

    return Question(
        "players",
        say("Who's playing, in the order of the first bids? (black Anna, blue Boris, …)"),
        parse,
        default=joined(", ", map(term, there)),
        help=say(
            "  Names, or colours with names, as the markers stand on the bid order track.\n"
            "  Two players are blue and pink, and their markers, two each, are asked for next."
        ),
        completions=tuple(Colour),
        listing=lambda: (joined("", ("  ", joined(", ", map(term, there or Colour)))),),
    )


def _order(names: Mapping[Colour, str]) -> Question[tuple[Colour, ...]]:
    usual = in_turn(tuple(names))

    def parse(line: str) -> tuple[Colour, ...]:
        order = read_markers(line, names) if line else usual
        if Counter(order) != Counter(usual):
            raise NotationError(
                say_many(
                    "name every marker of {players} once: each has {count}",
                    "name every marker of {players}: each has {count} of them",
                    markers_each(len(names)),
                    players=joined(say(" and "), [player_name(colour, names) for colour in names]),
                )
            )
        return order

    return Question(
        "order",
        say("What order do their markers bid in?"),
        parse,
        default=joined(" ", [names[colour] or term(colour) for colour in usual]),
        help=say("  The markers on the bid order track, by name or colour, first to bid first."),
        completions=(*Colour, *filter(None, names.values())),
    )


def read_markers(line: str, names: Mapping[Colour, str]) -> tuple[Colour, ...]:
    """The markers that a line names, by players' names or colours. Raises NotationError for somebody else."""
    by_name = {fold(name): colour for colour, name in names.items() if name}
    words = line.replace(",", " ").split()
    if len(by_name) == len(names) and not all(fold(word) in by_name for word in words):
        whole = [part.strip() for part in line.split(",")]
        words = whole if all(fold(part) in by_name for part in whole) else words
    return tuple(by_name.get(fold(word)) or parse_player(word) for word in words)


# How a table was laid.


Beginning = tuple[str, NamedPlayers, int | None]
"""A photo, a code, the number of a set-up or "" for one to be shuffled now; who plays in a set-up, and how many."""


def table_source(named: NamedPlayers, number: int | None, names: Iterable[str]) -> Conversation[Beginning | None]:
    """Asks how a table was laid, and who plays where a set-up is laid and neither `named` nor `number` says so.

    `names` are those of earlier games.
    """
    table = Question(
        "table",
        say("How was the table laid? A photo of it (drag the file here), a set-up's number, or Enter to shuffle one"),
        lambda line: line if whole_number(line) is not None else parse_file(line),
        help=say("  companion setup prints the number, and so does its card. Shuffled now, the table to lay is shown."),
    )
    players = Question(
        "players",
        say("Who's playing, or how many? (Anna, Boris, Clara; black Anna, blue Boris; 3)"),
        _how_many,
        default="2",
        help=say("  As many players as the set-up is for; if it's on a card, in the card's colours."),
        completions=(*Colour, *names),
    )

    def asked(_: Beginning | None) -> Asking[Beginning | None]:
        source = yield from ask(table)
        is_told = named != NamedPlayers() or number is not None
        if is_told or (source and whole_number(source) is None):
            return source, named, number
        return source, *(yield from ask(players))

    return Conversation(None, asked, LEAVING)


def _how_many(line: str) -> tuple[NamedPlayers, int | None]:
    number = whole_number(line or "2")
    named = read_players(line) if number is None else NamedPlayers()
    placed = named.assumed()
    if number is not None and not 2 <= number <= len(Colour):
        raise NotationError("a game is for 2 to 4 players, not for {number} (rules 2.1)", number=number)
    if named.colours and len(placed) > 1 and not can_play(placed):
        raise NotationError("two players are blue and pink (rules 2.1)")
    return named, number
