"""`companion history`: the games that are kept, and what they tell."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.locale import print_language, run_language
from companion.cli.options import AsJson, Force
from companion.cli.output import check_outputs, note, note_many, print_json, write_and_tell
from companion.errors import NoSuchGameError, UnusableInputError, UsageError, quoted
from companion.language.phrase import joined, say, say_many

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.history.database import History
    from companion.history.saved import GameKey
    from companion.history.saved_results import GamePart


def history(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="GAME", help="One game by its key, or the beginning of it.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the game's record, position or score sheet.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the statistics (.svg or .pdf).")] = None,
    backup: Annotated[Path | None, typer.Option(help="Copy the whole history to a file.")] = None,
    export: Annotated[Path | None, typer.Option(help="Write all games as JSON (.json).")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write all games as CSV, one row for each player.")] = None,
    take_in: Annotated[
        list[Path] | None, typer.Option("--import", help="Add games that --export wrote, from one file or several.")
    ] = None,
    forget: Annotated[
        bool,
        typer.Option("--forget", help="Delete the game and its photos; with --force all, and the setting."),
    ] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Save games again, after --no-history.")] = False,
    no_history: Annotated[bool, typer.Option("--no-history", help="Stop saving games.")] = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Show saved games and statistics: who won how often, averages, djinns, bids against results.

    Example: companion history --plot evenings.svg
    """
    from companion.cli.history_recorder import opened_history, remember_setting
    from companion.history.transfer import back_up, exported_games, games_csv

    actions = {
        "--forget": forget,
        "--import": take_in,
        "--backup": backup,
        "--export": export,
        "--csv": csv,
        "--plot": plot,
        "--output": output,
        "--keep": keep,
        "--no-history": no_history,
    }
    doing = [name for name, wanted in actions.items() if wanted]
    if len(doing) > 1:
        raise UsageError("{options}: give only one of them", options=joined(say(" and "), doing))
    names = game or []
    if take_in:
        # As a shell writes --import *.json out.
        names, files = [], [*take_in, *map(Path, names)]
    if output is not None and not names:
        raise UsageError("--output writes one game: give its key")
    if names and doing not in ([], ["--forget"], ["--output"]):
        raise UsageError("{option} is about all games; leave {game} out", option=doing[0], game=" ".join(names))
    if len(names) > 1:
        raise UsageError("give one game, not {games}", games=joined(say(" and "), names))
    check_outputs(
        *((plot, (".svg", ".pdf")), (export, (".json",)), (csv, (".csv",)), (backup, ()), (output, ())), force=force
    )
    if keep or no_history:
        remember_setting(keep=keep)
        return
    with opened_history() as database:
        if forget:
            _forget(database, *names, force=force)
        elif take_in:
            _take_in(database, files)
        elif backup is not None:
            back_up(database, backup, force=force)
            note("written: {path}", path=backup)
        elif export is not None:
            write_and_tell({export: exported_games(database)}, force=force)
        elif csv is not None:
            write_and_tell({csv: games_csv(database.games(), run_language())}, force=force)
        elif plot is not None:
            write_and_tell({plot: _drawn(database, plot.suffix.lower())}, force=force)
        elif output is not None:
            write_and_tell({output: _written_text(database.parts(_key_of(database, *names))).encode()}, force=force)
        elif names:
            _show_game(database, _key_of(database, *names), as_json=as_json)
        else:
            _show_games(database, as_json=as_json)
        for error in database.spoilt.values():
            note(str(error))


def _key_of(database: History, text: str) -> GameKey:
    """The game whose key is that, or begins so. Raises UnusableInputError if there is none, or more than one."""
    keys = database.keys(text)
    if not keys:
        raise NoSuchGameError("there is no game {key}; companion history lists the saved games", key=quoted(text))
    exact = [key for key in keys if key == text]
    if len(exact or keys) != 1:
        raise NoSuchGameError(
            say_many(
                "{count} game begins with {text}; companion history lists them, type more of the key",
                "{count} games begin with {text}; companion history lists them, type more of the key",
                len(keys),
                text=quoted(text),
            )
        )
    return (exact or keys)[0]


def _show_games(database: History, *, as_json: bool) -> None:
    from companion.cli.views.history_view import game_document, print_games, print_statistics, statistics_document
    from companion.history.statistics import statistics_of

    games = database.games()
    statistics = statistics_of(database.finished_games())
    if as_json:
        print_json({"games": [game_document(game) for game in games], "statistics": statistics_document(statistics)})
        return
    if not games:
        note("no games are saved yet: companion serve, companion play and companion score --ask save theirs")
        return
    print_games(games)
    if statistics.games:
        print_statistics(statistics)


def _show_game(database: History, key: GameKey, *, as_json: bool) -> None:
    from companion.cli.views.history_view import print_game, whole_game_document

    known = database.game(key), database.result(key), database.revisions(key)
    if as_json:
        print_json(whole_game_document(*known))
    else:
        print_game(*known)


def _written_text(parts: Sequence[GamePart]) -> str:
    """What commands open of a game: its record, else its last position or sheet, else the outcome alone."""
    from companion.history.saved_results import TextKind, whole_record

    # A score that was counted puts its position and the outcome behind the record that it is of.
    boards_and_sheets = [part.text for part in parts if part.kind in (TextKind.POSITION, TextKind.SHEET)]
    text = whole_record(parts) or (boards_and_sheets or [part.text for part in parts])[-1]
    return text.removesuffix("\n") + "\n"


def _forget(database: History, game: str | None = None, *, force: bool) -> None:
    from companion.history.opening import forget_setting
    from companion.table.photos import forget_photos, photos_folder

    if game is not None:
        key = _key_of(database, game)
        forget_photos(photos_folder(), {key})
        database.forget(key)
        note("the game has been deleted")
        _tell_copies(database)
        return
    keys = database.keys()
    if keys and not force:
        raise UsageError(
            say_many(
                "this deletes {count} game for good: give --force too, or name one game; --backup FILE saves a copy",
                "this deletes {count} games for good: give --force too, or name one game; --backup FILE saves a copy",
                len(keys),
            )
        )
    forget_photos(photos_folder(), {*keys, None})
    forgotten = database.forget()
    forget_setting()
    note_many("{count} game deleted", "{count} games deleted", forgotten)
    _tell_copies(database)


def _tell_copies(database: History) -> None:
    """Say which files hold games as they were once: nothing in them is forgotten."""
    from companion.history.opening import copies_of

    for path in copies_of(database.path):
        note("{path} is an older copy and may still hold them; delete it if you no longer need it", path=path)


def _take_in(database: History, paths: Iterable[Path]) -> None:
    from companion.history.transfer import import_games
    from companion.inputs import open_file

    with ExitStack() as files:
        added = import_games(database, {path: files.enter_context(open_file(path)) for path in paths})
    note_many(
        "{count} game added; {known} already here",
        "{count} games added; {known} already here",
        added.added,
        known=added.known,
    )
    if added.renewed:
        note_many(
            "{count} game here was updated: it continued there",
            "{count} games here were updated: they continued there",
            added.renewed,
        )


def _drawn(database: History, suffix: str) -> bytes:
    from companion.history.statistics import statistics_of
    from companion.printing.report.history_plot import history_plot

    statistics = statistics_of(database.finished_games())
    if not statistics.games:
        raise UnusableInputError("no game is finished yet, so there is nothing to draw")
    return history_plot(statistics, suffix, language=print_language())
