"""The table of strength: who wins how many games against whom, as docs/strength.csv."""

from __future__ import annotations

import csv
import hashlib
import io
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.advisor.advice import DEFAULT_PLAYOUTS
from companion.errors import UsageError
from companion.lab.arena.results import run_tournament
from companion.lab.arena.tally import Interval, Tally
from companion.lab.arena.tournament import Tournament, line_up, rounded_up
from companion.lab.arena.workers import RunAll
from companion.storage import write_file


@dataclass(frozen=True, slots=True)
class Match:
    """A line of the table: who is measured, against whom, and how many play."""

    players: int
    bots: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Match:
        """A match of the table by its name, or any: "3 best greedy"."""
        known = {match.name: match for match in MATCHES}
        if text in known:
            return known[text]
        players, *bots = text.split()
        if not (players.isdecimal() and bots):
            raise UsageError(f"--match is one of {', '.join(known)}, or players and bots such as '3 best greedy'")
        return cls(int(players), tuple(bots))

    @property
    def name(self) -> str:
        """What the match is called on the command line and its file of games."""
        words = "-".join(self.bots).replace(":", ".").replace("=", "")
        return f"{self.players}-{words}"


MATCHES = (
    *(Match(players, ("best", "greedy")) for players in (2, 3, 4)),
    Match(4, ("best", "one-ply")),
    Match(2, ("best", f"best:playouts={DEFAULT_PLAYOUTS // 2}")),
    Match(4, ("one-ply", "greedy")),
)
"""The matches of the table, in its order."""

HEAD = (
    *("date", "commit", "players", "bot", "opponents", "games", "setups", "seed", "fair"),
    *("won", "won_low", "won_high", "margin", "margin_low", "margin_high", "seconds_per_decision", "digest"),
)
"""The columns of the table: shares of the wins from 0 to 1, margins in VP, bounds of 95% intervals."""


def measure(
    target: Path,
    matches: Sequence[Match],
    *,
    games: int,
    seed: int,
    run_all: RunAll,
    work: Path,
    date: str,
    say: Callable[[str], None],
) -> None:
    """Play the matches and write the table, a row a match as it is done; rows of other matches stay.

    Games are kept in `work` by the version of the code, so that a run that broke off goes on. Raises what
    `run_tournament` raises.
    """
    commit = code_version()
    work.mkdir(parents=True, exist_ok=True)
    rows = {(row["players"], row["bot"], row["opponents"]): row for row in _read(target)}
    for match in matches:
        names = line_up(match.bots, match.players)
        tournament = rounded_up(Tournament(names, 1, seed), games)
        path = work / f"{match.name}-{seed}-{commit}.jsonl"
        watch = _teller(match, say)
        tally = run_tournament(tournament, path, run_all, watch)
        row = _row(match, tally, date, commit)
        rows[row["players"], row["bot"], row["opponents"]] = row
        write_file(target, _text(rows.values()).encode(), force=True)
        say(f"{match.name}: won {row['won']} ({row['won_low']} to {row['won_high']}), fair {row['fair']}")


_HERE = Path(__file__).resolve().parent


def code_version(folder: Path = _HERE) -> str:
    """The commit of the code, with letters of its own if something was changed since."""
    commit = _git(folder, "rev-parse", "--short", "HEAD").strip() or "unknown"
    changes = _git(folder, "diff", "HEAD", "--", ":/companion")
    return f"{commit}+{hashlib.sha256(changes.encode()).hexdigest()[:6]}" if changes else commit


def _git(folder: Path, *words: str) -> str:
    try:
        asked = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return asked.stdout


def _teller(match: Match, say: Callable[[str], None]) -> Callable[[Tally], None]:
    """Tells every twentieth part of a match."""
    reported = 0

    def watch(tally: Tally) -> None:
        nonlocal reported
        part = 20 * tally.games // tally.tournament.games
        if part > reported:
            reported = part
            won = tally.figures()[0].wins
            say(f"{match.name}: {tally.games} of {tally.tournament.games} games, {won.mean:.1%} won")

    return watch


def _row(match: Match, tally: Tally, date: str, commit: str) -> dict[str, str]:
    measured = tally.figures()[0]
    opponents = " ".join(match.bots[1:])
    values = (date, commit, match.players, match.bots[0], opponents, tally.games, tally.seeds, tally.tournament.seed)
    figures = (f"{measured.fair:.4f}", *_three(measured.wins, 4), *_three(measured.margin, 2))
    return dict(
        zip(HEAD, (*map(str, values), *figures, f"{measured.seconds_per_decision:.4f}", tally.digest), strict=True)
    )


def _three(interval: Interval, digits: int) -> Iterator[str]:
    for value in (interval.mean, interval.low, interval.high):
        yield "" if value is None else f"{value:.{digits}f}"


def _read(path: Path) -> list[dict[str, str]]:
    """The rows of a table that is there; those of another layout are left out."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if tuple(row) == HEAD]


def _text(rows: Iterable[dict[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, HEAD, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
