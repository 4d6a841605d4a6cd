"""`companion play`: a game at the table, recorded decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.colouring import ColourChoice, ColourOption
from companion.cli.options import NoHistory
from companion.language.phrase import joined, say

if TYPE_CHECKING:
    from companion.cli.dialogue.players import NamedPlayers
    from companion.notation.records.lines import Record
    from companion.rules.model.position import Position


def play(
    record: Annotated[Path, typer.Argument(metavar="RECORD", help="The game record to write.", show_default=False)],
    players: Annotated[
        int | None,
        typer.Option("--players", min=2, max=4, metavar="N", help="How many play, with --seed.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            metavar="N",
            help="The seed of `companion setup` that the table was set up by.",
            show_default=False,
        ),
    ] = None,
    setup: Annotated[
        str | None,
        typer.Option(
            "--setup", metavar="POSITION", help="A position file or FT1 code to begin with.", show_default=False
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a record.")] = False,
    names: Annotated[
        str | None,
        typer.Option("--names", metavar="LIST", help='Players\' names: "pink=Anna,black=Boris".', show_default=False),
    ] = None,
    place: Annotated[
        str, typer.Option("--place", metavar="PLACE", help="Where it is played.", show_default=False)
    ] = "",
    promo: Annotated[bool, typer.Option("--promo", help="With the promo djinn Dhenim.")] = False,
    simulate: Annotated[
        int | None,
        typer.Option(
            "--simulate", min=0, metavar="SEED", help="Draw cards by a seed instead of asking.", show_default=False
        ),
    ] = None,
    colour: ColourOption = ColourChoice.AUTO,
    no_history: NoHistory = False,
) -> None:
    """Record a game as it is played: type or pick each decision; every accepted one is on disk at once.

    Example: companion play game.txt --players 3 --seed 42 --names "black=Anna,blue=Boris"
    """
    from companion.cli.colouring import coloured_console
    from companion.cli.dialogue.play_sitting import play_record
    from companion.cli.keeping import RecordFollower
    from companion.errors import OutputExistsError, UsageError
    from companion.opening.record import open_record
    from companion.storage import KeptFile, check_free, lock

    of_setup = (setup, seed, players, names, place or None, promo or None)
    if resume and any(given is not None for given in of_setup):
        raise UsageError(
            say("--resume goes on with the record; leave out --players, --seed, --setup, --names, --place, --promo")
        )
    with lock(record):
        # What no record can be written to is neither begun nor gone on with.
        check_free(record, force=True)
        file = KeptFile(record)
        if resume:
            begun = open_record(str(record)).record
        else:
            if record.exists():
                raise OutputExistsError(
                    say("{record} exists already; go on with --resume, or choose another name", record=record)
                )
            begun = _new_record(players, seed, setup, names, place, promo=promo)
        follower = RecordFollower(record, off=no_history, resumed=resume)
        play_record(file, begun, coloured_console(colour), follower, simulate=simulate, saved=resume)


def _new_record(
    players: int | None, seed: int | None, setup: str | None, names: str | None, place: str, *, promo: bool
) -> Record:
    from companion.cli.dialogue.players import NamedPlayers, read_players
    from companion.cli.inputs import open_inputs
    from companion.cli.options import reading_option
    from companion.errors import UsageError, printable
    from companion.local_time import today
    from companion.notation.records.header import new_header
    from companion.notation.records.lines import Record
    from companion.notation.records.replay import opening

    if (seed is None) == (setup is None):
        raise UsageError(
            say("say how the game begins: --seed S of `companion setup`, or --setup with a position or code")
        )
    if setup is not None and players is not None:
        raise UsageError(say("--players goes with --seed; a position says itself who plays"))
    with reading_option("--names"):
        named = read_players(names) if names is not None else NamedPlayers()
        if setup is not None:
            position = open_inputs([setup]).position
        else:
            assert seed is not None
            position = _random(players, seed, named, promo=promo)
        placed = named.assumed(position.colours)
    absent = [colour for colour in placed if colour not in position.colours]
    if absent:
        raise UsageError(
            say(
                "--names: {absent} is not in this game; it has {colours}",
                absent=joined(say(" and "), absent),
                colours=joined(", ", position.colours),
            )
        )
    record = Record(new_header(position, placed, date=today(), place=printable(place), promo=promo))
    opening(record.header)
    return record


def _random(players: int | None, seed: int, named: NamedPlayers, *, promo: bool) -> Position:
    """The set-up of a seed, for as many as are said or named to play, in the colours that are named.

    Raises UsageError where number, names and colours do not go together.
    """
    from companion.errors import UsageError
    from companion.rules.engine.setup import random_setup

    known = len(named.colours) + len(named.names)
    number = players or max(2, known)
    if known > number:
        raise UsageError(
            say(
                "--names has {known} players, but --players {number} play; leave one of them out",
                known=known,
                number=number,
            )
        )
    colours = list(named.colours) if len(named.colours) == number else None
    try:
        return random_setup(number, seed, colours=colours, promo=promo)
    except ValueError as error:
        raise UsageError(
            say("--names: {error}; name those colours, or names alone (--names Anna,Boris)", error=error)
        ) from None
