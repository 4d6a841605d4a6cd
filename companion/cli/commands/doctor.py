"""`companion doctor` and `learn`: what is there and what is missing on this machine; what one's own tiles are like."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import IO, Annotated

import typer

from companion.cli.locale import translate
from companion.cli.options import AsJson
from companion.cli.output import console, note, print_json, print_text
from companion.cli.views.board_view import SHAPES
from companion.errors import CompanionError, ExitStatus, UnusableInputError, UsageError
from companion.language.phrase import joined, say, say_each, say_many
from companion.notation.tokens import parse_board
from companion.resources import DISTRIBUTION, check_address_space, data_folder
from companion.rules.engine.legality import check_position
from companion.rules.model.position import Position
from companion.storage import remove_saved
from companion.system.programs import Tesseract, find_tesseract

_PARTS = say_each("part", "program|photos|terminal")

TESSERACT_LANGUAGES = ("eng", "rus", "ukr", "kor")
"""Languages whose letters the names on djinn cards are read in; those on most cards are in Latin letters."""


class State(StrEnum):
    """How it stands with one thing: there, there but not in full, or missing although it is needed."""

    OK = "ok"
    LIMITED = "limited"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: its name, the part of the program it is for, what was found, and what to do about it."""

    part: str
    name: str
    state: State
    found: str
    remedy: str = ""


def doctor(as_json: AsJson = False) -> None:
    """Check what's installed and what's missing on this machine, and what to do about it.

    Example: companion doctor
    """
    findings = list(examine(os.environ, sys.stdout))
    lacks = any(finding.state is State.MISSING for finding in findings)
    if as_json:
        print_json({"ok": not lacks, "checks": list(map(asdict, findings))})
    else:
        _print(findings)
    if lacks:
        raise typer.Exit(int(ExitStatus.MISSING))


def _print(findings: Sequence[Finding]) -> None:
    """Print what was found, part by part, and then what to do."""
    from rich.text import Text

    from companion.cli.views.tables import facts

    marks = {
        State.OK: Text(translate(say("ok")), style="green"),
        State.LIMITED: Text(translate(say("! limited")), style="yellow"),
        State.MISSING: Text(translate(say("x missing")), style="bold red"),
    }
    rows, part = [], ""
    for finding in findings:
        heading = "" if finding.part == part else _PARTS.get(finding.part, "")
        part = finding.part
        rows.append((heading, finding.name, marks[finding.state], Text(translate(finding.found), overflow="fold")))
    remedies = [(finding.name, finding.remedy) for finding in findings if finding.remedy]
    out = console()
    out.print(facts(rows))
    out.print()
    names = {state: joined(", ", [one.name for one in findings if one.state is state]) for state in State}
    if missing := names[State.MISSING]:
        summary = say("Something required is missing: {missing}.", missing=missing)
    elif limited := names[State.LIMITED]:
        summary = say("Everything required is there; limited: {limited}.", limited=limited)
    else:
        summary = say("Everything is there.")
    out.print(Text(translate(summary)))
    if remedies:
        out.print(say("\nWhat to do:"))
        out.print(facts(remedies))


def examine(environment: Mapping[str, str], terminal: IO[str]) -> Iterator[Finding]:
    """Everything looked at, part by part; `terminal` is the stream that results are printed on."""
    checks: tuple[tuple[str, str, Callable[[], Finding]], ...] = (
        ("program", say("packages"), check_packages),
        ("program", say("data folder"), check_data_folder),
        ("program", say("history"), partial(check_history, environment)),
        ("photos", "Tesseract", lambda: check_tesseract(find_tesseract())),
        ("photos", say("own tiles"), partial(check_own_tiles, environment)),
        ("terminal", say("characters"), partial(check_terminal, environment, terminal)),
    )
    return (_checked(*check) for check in checks)


def _checked(part: str, name: str, check: Callable[[], Finding]) -> Finding:
    """What a check finds; one that cannot be made is a limit, and says why."""
    try:
        return check()
    except ImportError as error:
        unknown = say("unknown without {package}", package=error.name or str(error))
        return Finding(part, name, State.LIMITED, unknown)
    except CompanionError as error:
        found, _, remedy = str(error).partition("; " if "; " in str(error) else ": ")
        return Finding(part, name, State.LIMITED, found, remedy)


def check_packages() -> Finding:
    """Whether all Python packages that the program asks for are installed, in versions that suit."""
    from importlib import metadata

    from packaging.requirements import Requirement

    try:
        wanted = list(map(Requirement, metadata.requires(DISTRIBUTION) or ()))
    except metadata.PackageNotFoundError:
        wanted = []
    needed = [one for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})]
    lacking = []
    for requirement in needed:
        try:
            version = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            lacking.append(requirement)
        else:
            lacking += [] if requirement.specifier.contains(version, prereleases=True) else [requirement]
    if lacking:
        remedy = " ".join([sys.executable, "-m pip install", *(f'"{requirement}"' for requirement in lacking)])
        found = say("without {lacking}", lacking=", ".join(map(str, lacking)))
        return Finding("program", say("packages"), State.MISSING, found, remedy)
    found = say_many("{count} package", "{count} packages", len(needed))
    return Finding("program", say("packages"), State.OK, found)


def check_data_folder() -> Finding:
    """Whether the folder for the user's own data can be written, or made."""
    folder = data_folder()
    standing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if standing.is_dir() and os.access(standing, os.W_OK | os.X_OK):
        return Finding("program", say("data folder"), State.OK, str(folder))
    remedy = say("make it writable to save games, drafts and answers to --ask; everything else works without")
    found = say("{standing} cannot be written", standing=standing)
    return Finding("program", say("data folder"), State.LIMITED, found, remedy)


def check_history(environment: Mapping[str, str]) -> Finding:
    """Whether games are kept, where, how many, and whether their file is whole; it is not touched."""
    from companion.history.opening import DamagedHistoryError, history_path, is_off, load_setting, read_only_stats

    path, is_saved = history_path(environment), load_setting(environment).keep
    try:
        stats = read_only_stats(path)
    except DamagedHistoryError as error:
        remedy = say("companion history renames the file and starts a new one")
        return Finding("program", say("history"), State.LIMITED, str(error), remedy)
    except UnusableInputError as error:
        return Finding(
            "program", say("history"), State.LIMITED, str(error), say("COMPANION_HISTORY names another file")
        )
    found = say("no game yet, {path}", path=path)
    if stats is not None and stats.games:
        found = say_many(
            "{count} game, {finished} finished, {size:.1f} MB, {path}",
            "{count} games, {finished} finished, {size:.1f} MB, {path}",
            stats.games,
            finished=stats.finished,
            size=stats.size / 1e6,
            path=path,
        )
    if is_off(environment):
        found = say("games aren't being saved (COMPANION_HISTORY says off); {known}", known=found)
    elif not is_saved:
        found = say("games aren't being saved (companion history --keep turns that on again); {known}", known=found)
    return Finding("program", say("history"), State.OK, found)


def check_tesseract(tesseract: Tesseract | None) -> Finding:
    """Whether the names on djinn cards can be read; boards need no Tesseract."""
    if tesseract is None:
        remedy = say("Debian and Ubuntu: apt install tesseract-ocr; only the names on djinn cards need it")
        return Finding("photos", "Tesseract", State.LIMITED, say("not found"), remedy)
    lacking = [language for language in TESSERACT_LANGUAGES if language not in tesseract.languages]
    if lacking:
        packs = " ".join(f"tesseract-ocr-{language}" for language in lacking)
        found = say("{version} without {lacking}", version=tesseract.version, lacking=joined(" ", lacking))
        remedy = say("to read djinn names in those scripts, on Debian and Ubuntu: apt install {packs}", packs=packs)
        return Finding("photos", "Tesseract", State.LIMITED, found, remedy)
    found = say("{version} with {languages}", version=tesseract.version, languages=joined(" ", tesseract.languages))
    return Finding("photos", "Tesseract", State.OK, found)


def check_own_tiles(environment: Mapping[str, str]) -> Finding:
    """Whether photos are read with tiles of the owner's own. Raises what `load_tiles` raises."""
    from companion.vision.board.owner_tiles import SWITCH, is_switched_off, load_tiles, tiles_path

    if load_tiles(tiles_path()) is None:
        found = say("not learnt: tiles are read as in the known printings")
    elif is_switched_off(environment):
        found = say("there, but {switch} switches it off", switch=SWITCH)
    else:
        found = say("in use, {path}", path=tiles_path())
    return Finding("photos", say("own tiles"), State.OK, found)


def check_terminal(environment: Mapping[str, str], terminal: IO[str]) -> Finding:
    """Whether the terminal shows the shapes of the meeples, and colour."""
    encoding = getattr(terminal, "encoding", None) or "ascii"
    try:
        SHAPES.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        found = say("{encoding} has no {shapes}", encoding=encoding, shapes=SHAPES)
        remedy = say("set PYTHONUTF8=1 or a UTF-8 locale (export LANG=C.UTF-8)")
        return Finding("terminal", say("characters"), State.LIMITED, found, remedy)
    if not terminal.isatty():
        colour = say("no colour (not a terminal)")
    elif environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        colour = say("no colour (switched off by NO_COLOR or TERM)")
    else:
        colour = say("colour")
    return Finding("terminal", say("characters"), State.OK, joined(", ", (encoding, colour)))


# What the owner's own tiles look like, learnt once from a photo.


def learn(
    photo: Annotated[Path | None, typer.Argument(metavar="PHOTO", help="A photo of your thirty tiles, set up.")] = None,
    rows: Annotated[
        str | None,
        typer.Option(
            metavar="ROWS", help="The five rows of these tiles, separated by /; read from the photo if not given."
        ),
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Show what was learnt.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Forget your tiles.")] = False,
    as_json: AsJson = False,
) -> None:
    """Learn what your thirty tiles look like from one photo of the board; photos are read with it from then on.

    Example: companion learn mine.jpg
    """
    if sum([photo is not None, show, forget]) != 1:
        raise UsageError("give a photo of your tiles, --show or --forget")
    if rows is not None and photo is None:
        raise UsageError("--rows goes with a photo of your tiles")
    if photo is not None:
        _learn_tiles(photo, rows, as_json=as_json)
    elif forget:
        _forget(as_json=as_json)
    else:
        _show(as_json=as_json)


def _learn_tiles(path: Path, rows: str | None, *, as_json: bool) -> None:
    """Learn the looks of the tiles in a photo; `rows` say which lies where, else the photo is read."""
    from companion.opening.photos import open_photo

    check_address_space()
    from companion.vision.board.owner_tiles import learn_tiles, save_tiles, tiles_path

    board = None if rows is None else parse_board(rows)
    if board is not None:
        check_position(Position(board))
    learnt = learn_tiles(open_photo(path), None if board is None else [tile.kind for tile in board])
    save_tiles(tiles_path(), learnt)
    if as_json:
        print_json({"tiles": list(learnt.codes)})
    note(
        "your tiles are saved in {path}; photos are read with them from now on (companion learn --forget undoes that)",
        path=tiles_path(),
    )


def _forget(*, as_json: bool) -> None:
    from companion.vision.board.owner_tiles import tiles_path

    was_there = remove_saved(tiles_path())
    if as_json:
        print_json({"tiles": None})
    note(say("your tiles are forgotten") if was_there else say("nothing has been learnt yet"))


def _show(*, as_json: bool) -> None:
    from companion.vision.board.owner_tiles import load_tiles, tiles_path

    tiles = load_tiles(tiles_path())
    if as_json:
        print_json({"tiles": None if tiles is None else list(tiles.codes)})
    elif tiles is not None:
        print_text(say("your thirty tiles have been learnt"))
    else:
        note("nothing has been learnt yet")
