"""Tournaments from the first game to the last, and their files: JSON lines, each on the disk as its game is over."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from companion import __version__
from companion.arena.referee import PlayedGame
from companion.arena.tally import Tally
from companion.arena.tournament import ArenaGame, Fixture, Tournament, play_fixture
from companion.arena.workers import RunAll, in_this_process
from companion.errors import OutputExistsError, UnusableInputError
from companion.language.phrase import say
from companion.rules.model.components import Colour
from companion.rules.model.state import Ending
from companion.storage import check_free, lock

FORMAT = 1


def to_line(game: ArenaGame) -> str:
    """A game as one line of JSON, without its end."""
    played = game.played
    return json.dumps(
        {
            "game": game.fixture.number,
            "rotation": game.fixture.rotation,
            "setup": game.setup,
            "bots": game.bots,
            "colours": played.colours,
            "points": played.points,
            "shares": [round(share, 6) for share in played.shares],
            "decisions": played.decisions,
            "seconds": [round(seconds, 6) for seconds in played.seconds],
            "turns": played.turns,
            "ending": played.ending,
        },
        separators=(",", ":"),
    )


def from_line(line: str | bytes) -> ArenaGame:
    """A game from its line.

    Raises ValueError, LookupError, TypeError, OverflowError or RecursionError for any other text.
    """
    known = json.loads(line)
    played = PlayedGame(
        colours=tuple(Colour(colour) for colour in known["colours"]),
        points=tuple(map(int, known["points"])),
        shares=tuple(map(float, known["shares"])),
        decisions=tuple(map(int, known["decisions"])),
        seconds=tuple(map(float, known["seconds"])),
        turns=int(known["turns"]),
        ending=None if known["ending"] is None else Ending(known["ending"]),
    )
    fixture = Fixture(int(known["game"]), int(known["rotation"]))
    return ArenaGame(fixture, int(known["setup"]), tuple(map(str, known["bots"])), played)


class ResultsFile:
    """A file of results that games are appended to; a context manager that closes it.

    With `resume`, `note` is called with each game that the file holds already, and a line that was torn by a kill or
    a full disk is cut off. Raises OutputExistsError if there is a file and it is not to go on, UnusableInputError
    if it holds something else or results of another tournament.
    """

    def __init__(
        self,
        path: Path,
        tournament: Tournament,
        note: Callable[[ArenaGame], None],
        *,
        resume: bool = False,
        force: bool = False,
    ) -> None:
        there = resume and path.exists()
        check_results(path, resume=resume, force=force)
        whole = _read(path, tournament, note) if there else 0
        self._file = path.open("r+b" if there else "wb")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._put(json.dumps(_head(tournament)))

    def append(self, game: ArenaGame) -> None:
        """Put a game on the disk."""
        self._put(to_line(game))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _put(self, line: str) -> None:
        self._file.write(line.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def check_results(path: Path, *, resume: bool, force: bool) -> None:
    """Refuse, before any work, a file that cannot be written. Raises what `storage.check_free` raises."""
    try:
        check_free(path, force=force or resume)
    except OutputExistsError:
        raise OutputExistsError(
            say(
                "{path} already exists; --resume continues it, --force overwrites it, or choose another name",
                path=path,
            )
        ) from None


def _head(tournament: Tournament) -> dict[str, Any]:
    """What has to be the same for games to belong to one tournament; the number of games may grow."""
    return {
        "format": FORMAT,
        "players": len(tournament.line_up),
        "line_up": list(tournament.line_up),
        "seed": tournament.seed,
        "promo": tournament.promo,
        "version": __version__,
    }


def _read(path: Path, tournament: Tournament, note: Callable[[ArenaGame], None]) -> int:
    """Note the games of a file; how many bytes of it are whole lines."""
    whole = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            torn = not line.endswith(b"\n")
            if torn and (number > 1 or json.dumps(_head(tournament)).encode().startswith(line)):
                break
            whole += len(line)
            try:
                if number == 1:
                    head = dict(json.loads(line))
                else:
                    note(from_line(line))
            except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as error:
                raise UnusableInputError(
                    say(
                        "{path}, line {line} isn't a line of results: fix or remove it, or choose another --output",
                        path=path,
                        line=number,
                    )
                ) from error
            if number == 1:
                _check_head(path, head, tournament)
    return whole


def _check_head(path: Path, head: Mapping[str, Any], tournament: Tournament) -> None:
    """Refuse to go on with another tournament: its games would not be the same ones."""
    wanted = _head(tournament)
    different = [name for name in wanted if head.get(name) != wanted[name]]
    if different:
        raise UnusableInputError(
            say(
                "{path} belongs to another tournament: its {key} is {found}, not {wanted}; repeat the same "
                "options, or choose another --output",
                path=path,
                key=different[0],
                found=json.dumps(head.get(different[0])),
                wanted=json.dumps(wanted[different[0]]),
            )
        )


def run_tournament(
    tournament: Tournament,
    run_all: RunAll = in_this_process,
    *,
    output: Path | None = None,
    resume: bool = False,
    force: bool = False,
    watch: Callable[[Tally], None] | None = None,
) -> Tally:
    """Play what is missing of a tournament, and count all of it.

    `output` keeps every game as it is done; with `resume` the games that it holds already are counted, not played.
    `watch` is called with the tally after each game. Raises what `run_all`, `play_fixture`,
    `ResultsFile` and `storage.lock` raise.
    """
    tally = Tally(tournament)
    with ExitStack() as stack:
        kept = None
        if output is not None:
            stack.enter_context(lock(output))
            kept = stack.enter_context(ResultsFile(output, tournament, tally.note, resume=resume, force=force))
        if watch is not None:
            watch(tally)
        missing = (fixture for fixture in tournament.fixtures() if not tally.has(fixture))
        for _, game in run_all(partial(play_fixture, tournament), missing):
            if kept is not None:
                kept.append(game)
            tally.note(game)
            if watch is not None:
                watch(tally)
    return tally
