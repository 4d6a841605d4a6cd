"""`companion record`: a game's record from photos that were taken after each turn."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.asking.players import NamedPlayers, read_players
from companion.cli.commands.play import begun_record
from companion.cli.inputs import open_inputs, tell
from companion.cli.options import AsJson, Force, NamesInBidOrder, reading_option
from companion.cli.output import check_outputs, console, note, note_many, print_json
from companion.cli.progress import progress
from companion.errors import CompanionError, ExitStatus, UnusableInputError, UsageError
from companion.language.phrase import joined, listed, say
from companion.opening.source import STANDARD_INPUT, read_source
from companion.storage import SavedFile, lock
from companion.system.local_time import today
from companion.tracking.inference import Verdict

if TYPE_CHECKING:
    from companion.asking.recording import Recording
    from companion.notation.records.lines import Record
    from companion.opening.position import Opened


def record(
    start: Annotated[
        str,
        typer.Argument(
            metavar="START",
            help="The game before the first photo: a position file, an FT1 code, a photo of the start or of its "
            "set-up card; or a record to continue.",
        ),
    ],
    photos: Annotated[list[str], typer.Argument(metavar="PHOTO", help="Photos, one after each turn.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The game record to write.")],
    names: NamesInBidOrder = None,
    players: Annotated[int | None, typer.Option(min=2, max=4, help="How many players, if START doesn't say.")] = None,
    no_ask: Annotated[
        bool, typer.Option("--no-ask", help="Ask nothing: whatever no photo shows stays open or counts as nothing.")
    ] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Record a game from photos taken after each turn, and ask for what no photo shows.

    Example: companion record start.jpg IMG_*.jpg -o game.txt

    To continue a record: companion record game.txt IMG_2*.jpg -o game.txt
    """
    from companion.asking.photo_record import unasked
    from companion.asking.recording import Ask
    from companion.cli.dialogue.play_session import RecordSaver, ask_for_record
    from companion.cli.history_recorder import RecordFollower
    from companion.table.playing import game_at

    asks = not (no_ask or as_json)
    if STANDARD_INPUT in (start, *photos) and asks:
        raise UsageError("standard input is for your answers; give files, or --no-ask")
    goes_on = os.path.realpath(start) == os.path.realpath(output) and output.is_file()
    check_outputs((output, ()), force=force or goes_on, inputs=photos if goes_on else [start, *photos])
    with lock(output):
        file = SavedFile(output)
        opened = open_inputs([start], quiet=as_json)
        if goes_on and opened.record is None:
            raise UsageError("{path} isn't a game record, so it can't be continued; choose another name", path=output)
        begun = _begun(opened, start, names, players, asks=asks)
        now, useless = _looked_at(start, photos, begun, opened, as_json=as_json)
        saver = RecordSaver(file, begun if goes_on else None, RecordFollower(output, resumed=goes_on))
        if asks:
            now = ask_for_record(now, game_at(begun), saver, output, console())
        else:
            saver.save(now)
            while now.ask not in (None, Ask.TURN):
                now = unasked(now)
                saver.save(now)
        if as_json:
            print_json(_document(now, useless))
        _tell(now, output)
    if now.ask is not None:
        raise typer.Exit(int(ExitStatus.IMPOSSIBLE))


def _begun(opened: Opened, start: str, names: str | None, players: int | None, *, asks: bool) -> Record:
    """The record that the photos go on with: START's own, or a new one that begins with its position."""
    from companion.asking.seating import lacks_order

    tell(opened)
    if players is not None and (opened.record is not None or not lacks_order(opened.position)):
        raise UsageError("--players: {start} already says who plays", start=start)
    if opened.record is None:
        with reading_option("--names"):
            named = read_players(names) if names is not None else NamedPlayers()
        return begun_record(opened.position, named, players, start, date=today(), asks=asks)
    if names is not None:
        raise UsageError("--names is for a new record; {start} has its names already", start=start)
    if opened.record.is_inside_turn or opened.record.announced is not None:
        raise UnusableInputError(
            "{start} breaks off inside a turn, and photos show whole turns: complete that line first", start=start
        )
    if opened.record.state.is_over:
        raise UnusableInputError("The game in {start} is over, so no turn can follow.", start=start)
    return opened.record.record


def _looked_at(
    start: str, photos: list[str], begun: Record, opened: Opened, *, as_json: bool
) -> tuple[Recording, tuple[str, ...]]:
    """The photos read, and what they tell recorded, up to the first question; and those that show nothing of use."""
    with progress(say("reading"), wanted=not as_json) as line:
        from companion.asking.photo_record import begin
        from companion.asking.series_photos import photos_in_order, read_series

        shown = read_source(start).data if opened.reading is not None and start != STANDARD_INPUT else b""
        contents = photos_in_order(photos, shown)
        useless: dict[str, CompanionError] = {}
        now = begin(begun, read_series(contents, opened.position.board, line.say, useless))
    if len(useless) == len(contents):
        raise next(iter(useless.values()))
    unexplained = now.shows(Verdict.UNEXPLAINED)
    if unexplained and not now.turns and now.ask is None:
        raise UnusableInputError(
            "no legal turn leads from {start} to {photos}: is {start} the game just before it, and was the turn over, "
            "with no meeples in hand?",
            photos=listed(unexplained),
            start=start,
        )
    for name, error in useless.items():
        note("{name} can't be used: {error}", name=name, error=error)
    return now, tuple(useless)


def _document(now: Recording, useless: tuple[str, ...]) -> dict[str, object]:
    turns = [
        {
            "photo": turn.photo,
            "player": turn.player,
            "line": turn.line,
            "probability": turn.probability,
            "others": [{"line": line, "probability": probability} for line, probability in turn.others],
            "asked": list(turn.asked),
        }
        for turn in now.turns
    ]
    return {"turns": turns, "unexplained": [*useless, *now.shows(Verdict.UNEXPLAINED)]}


def _tell(now: Recording, output: Path) -> None:
    """Say what was recorded, what wasn't, and where it stopped."""
    from companion.asking.photo_record import line_of

    note_many("{count} turn recorded in {path}.", "{count} turns recorded in {path}.", len(now.turns), path=output)
    for verdict, photos in ((verdict, now.shows(verdict)) for verdict in Verdict):
        if photos and verdict is Verdict.NOTHING:
            note("No new turn since the photo before: {photos}.", photos=listed(photos))
        elif photos and verdict is Verdict.EARLIER:
            note("The table as it was earlier: {photos}.", photos=listed(photos))
        elif photos:
            note("No legal turn explains what these show: {photos}.", photos=listed(photos))
    if now.ask is not None:
        shown = [say("{line} ({share:.0%})", line=line_of(now.game, one.turns), share=p) for one, p in now.choices[:3]]
        note(
            "{photo} doesn't show for sure which turn it was: {turns}. The record stops before it; companion record "
            "without --no-ask asks.",
            photo=now.photos[0].name,
            turns=joined("; ", shown),
        )
