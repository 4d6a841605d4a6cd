"""`companion play`: a game at the table, recorded decision by decision."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.asking.players import NamedPlayers, check_playing, read_players
from companion.cli.commands.setup import DRAWN_SEEDS
from companion.cli.inputs import check_typed, open_inputs, tell
from companion.cli.options import NamesInBidOrder, reading_option
from companion.cli.output import console, is_at_terminal, note
from companion.cli.views.setup_view import ShownSetup, print_setup
from companion.errors import OutputExistsError, UsageError, printable
from companion.language.phrase import joined, say
from companion.notation.records.lines import Record
from companion.notation.tokens import whole_number
from companion.rules.engine.setup import can_play, random_setup
from companion.rules.model.components import Colour, markers_each
from companion.rules.model.position import Position
from companion.storage import SavedFile, check_free, lock
from companion.system.local_time import today

if TYPE_CHECKING:
    from companion.asking.seating import Beginning


def play(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The game record to write.")],
    players: Annotated[int | None, typer.Option(min=2, max=4, help="How many players.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The seed that companion setup gave for this table.")] = None,
    setup: Annotated[
        str | None,
        typer.Option(metavar="POSITION", help="The table to start from: a position file, a photo or an FT1 code."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue a record.")] = False,
    names: NamesInBidOrder = None,
    place: Annotated[str, typer.Option(metavar="PLACE", help="Where it's played.")] = "",
    promo: Annotated[bool, typer.Option("--promo", help="With the promo djinn Dhenim.")] = False,
) -> None:
    """Record a game as it is played: type or pick each decision; each one is saved straight away.

    Example: companion play game.txt --players 3 --seed 42 --names "black=Anna,blue=Boris"
    """
    from companion.cli.dialogue.play_session import play_record
    from companion.cli.history_recorder import RecordFollower
    from companion.opening.text import open_record

    of_setup = (setup, seed, players, names, place or None, promo or None)
    if resume and any(given is not None for given in of_setup):
        raise UsageError(
            "--resume continues the record; leave out --players, --seed, --setup, --names, --place, --promo"
        )
    with lock(record):
        # What no record can be written to is neither begun nor gone on with.
        check_free(record, force=True)
        file = SavedFile(record)
        if resume:
            begun = open_record(str(record)).record
        else:
            if record.exists():
                raise OutputExistsError(
                    "{record} exists already; continue it with --resume, or choose another name", record=record
                )
            begun = _new_record(players, seed, setup, names, place, promo=promo)
        follower = RecordFollower(record, resumed=resume)
        play_record(file, begun, console(), follower, saved=resume)


def _new_record(
    players: int | None, seed: int | None, setup: str | None, names: str | None, place: str, *, promo: bool
) -> Record:
    with reading_option("--names"):
        named = read_players(names) if names is not None else NamedPlayers()
    is_shuffled = False
    if seed is None and setup is None and is_at_terminal():
        laid, named, players = _asked_beginning(named, players)
        is_shuffled, seed = not laid, whole_number(laid) if laid else secrets.randbelow(DRAWN_SEEDS)
        setup = laid if seed is None else None
    if (seed is None) == (setup is None):
        raise UsageError("say how the game begins: --seed as in companion setup, or --setup with a position or code")
    if setup is None:
        assert seed is not None
        with reading_option("--names"):
            position = _random(players, seed, named, promo=promo)
        if is_shuffled:
            print_setup(ShownSetup(position, seed))
    else:
        check_typed([setup])
        opened = open_inputs([setup])
        tell(opened)
        position = opened.position
    return begun_record(position, named, players, setup or "", date=today(), place=place, promo=promo)


def _asked_beginning(named: NamedPlayers, players: int | None) -> Beginning:
    """How a table was laid and who plays, as a person says where no option does. Raises KeyboardInterrupt for quit."""
    from companion.asking.seating import table_source
    from companion.cli.dialogue.loop import answered, open_terminal
    from companion.cli.history_recorder import earlier_names

    beginning = answered(table_source(named, players, earlier_names()), open_terminal(console()))
    if beginning is None:
        raise KeyboardInterrupt
    return beginning


def begun_record(
    position: Position,
    named: NamedPlayers,
    players: int | None,
    source: str,
    *,
    date: str,
    place: str = "",
    promo: bool = False,
    asks: bool = True,
) -> Record:
    """A record that begins with the table of a `source`, "" for a seed's. Who plays is asked where nothing tells it and
    it `asks`. Raises UsageError, and UnusableInputError for a position that says too little.
    """
    from companion.asking.seating import lacks_order
    from companion.notation.records.header import new_header
    from companion.notation.records.replay import opening

    with reading_option("--names"):
        if lacks_order(position):
            position, placed = _seated(position, named, players, source, asks=asks)
        elif source and players is not None:
            raise UsageError("--players goes with --seed; this position already says who plays")
        else:
            placed = named.assumed(position.colours)
    check_playing(placed, position.colours)
    record = Record(new_header(position, placed, date=date, place=printable(place), promo=promo))
    opening(record.header)
    return record


def _seated(
    position: Position, named: NamedPlayers, players: int | None, setup: str, *, asks: bool
) -> tuple[Position, dict[Colour, str]]:
    """A table that does not tell who plays in which order with what the options tell of it, or what is asked then."""
    from companion.asking.seating import Seating, in_turn, seat
    from companion.asking.seating import seating as asking
    from companion.cli.dialogue.loop import Dialogue, End, open_terminal
    from companion.table.results import player_name

    says = players is not None or named.colours or named.names or (not asks and can_play(position.colours))
    seats = seat(position, named, players) if says else {}
    terminal = open_terminal(console())
    # Only names tell the order, and of two players' four markers they do not.
    ordered = bool(seats) and len(named.colours) + len(named.names) == len(seats) and markers_each(len(seats)) == 1
    seating = Seating(position, seats, in_turn(tuple(seats)) if ordered else None)
    if asks and terminal.interactive:
        talked = Dialogue(terminal, asking(seating)).run()
        if talked.end is not End.DONE:
            terminal.say(say("Nothing was recorded."))
            raise KeyboardInterrupt
        seating = talked.state
    elif not seats:
        raise UsageError(
            "{setup} doesn't say who plays in which order: give the players in bid order, such as --names "
            '"black=Anna,orange=Boris,blue=Chiara", or how many there are: --players 3',
            setup=setup,
        )
    elif not ordered:
        order = joined(", ", [player_name(colour, seats) for colour in in_turn(tuple(seats))])
        note(
            "assuming that the first bids are in this order: {order}; set bid_order in a file to change it", order=order
        )
    return seating.seated, dict(seating.names)


def _random(players: int | None, seed: int, named: NamedPlayers, *, promo: bool) -> Position:
    """The set-up of a seed, for as many as are said or named to play, in the colours that are named."""
    from companion.asking.seating import number_of

    number = number_of(named, players, 2)
    # Names alone take the colours of the set-up; beside colours they take others.
    everybody = named.assumed() if named.colours else {}
    colours = list(everybody) if len(everybody) == number else None
    try:
        return random_setup(number, seed, colours=colours, promo=promo)
    except ValueError as error:
        raise UsageError(
            "--names: {error}; name those colours, or names alone (--names Anna,Boris)", error=error
        ) from None
