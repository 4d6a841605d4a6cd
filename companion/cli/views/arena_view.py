"""What a tournament showed: a table with its intervals, the line while it runs, the JSON document."""

from __future__ import annotations

from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from companion.arena.intervals import Interval
from companion.arena.tally import BotFigures, Tally
from companion.cli.output import console

BAR = 20
"""Characters of the bar that shows how far a tournament is."""

_HOUR_S, _MINUTE_S = 3600, 60


def games_line(tally: Tally, played: int = 0, seconds: float = 0.0) -> str:
    """How far a tournament is; `played` of its games were played in this run, in so many seconds."""
    games = tally.tournament.games
    full = BAR * tally.games // games
    line = f"[{'#' * full}{'.' * (BAR - full)}] {tally.games:,} of {games:,} games"
    if played and seconds:
        line += f", {_left((games - tally.games) * seconds / played)} left"
    return line


def _left(seconds: float) -> str:
    """A time to wait, roughly: "40 s", "12 min", "3.4 h"."""
    if seconds < 2 * _MINUTE_S:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE_S:.0f} min" if seconds < 2 * _HOUR_S else f"{seconds / _HOUR_S:.1f} h"


def print_figures(tally: Tally) -> None:
    """Print what each bot came to on standard output."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("bot", overflow="fold")
    for heading in ("won", "95%", "fair", "margin", "95%", "s"):
        table.add_column(heading, justify="right", no_wrap=True)
    for figures in tally.figures():
        table.add_row(
            Text(figures.bot if figures.seats == 1 else f"{figures.bot} x {figures.seats}"),
            f"{figures.wins.mean:.1%}",
            _bounds(figures.wins, "{:.1f}", 100),
            f"{figures.fair:.0%}",
            f"{figures.margin.mean:+.1f}",
            _bounds(figures.margin, "{:+.1f}"),
            f"{figures.seconds_per_decision:.2g}",
        )
    out = console()
    out.print(table)
    out.print()
    tournament = tally.tournament
    setups, orders = _counted(tally.seeds, "set-up"), _counted(len(tournament.rotations), "order")
    out.print(
        Text(
            f"{tally.games:,} games of {len(tournament.line_up)}: {setups} of seed {tournament.seed} in {orders} "
            f"around the table; digest {tally.digest}. Won: share of the wins in %; margin: VP ahead of the best "
            "other player; s: seconds a decision."
        )
    )


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _bounds(interval: Interval, form: str, scale: float = 1) -> str:
    if interval.low is None or interval.high is None:
        return "?"
    return f"{form.format(interval.low * scale)} to {form.format(interval.high * scale)}"


def arena_document(tally: Tally) -> dict[str, Any]:
    """The same for `--json`."""
    tournament = tally.tournament
    return {
        "players": len(tournament.line_up),
        "games": tally.games,
        "setups": tally.seeds,
        "orders": len(tournament.rotations),
        "seed": tournament.seed,
        "digest": tally.digest,
        "bots": [_bot_document(figures) for figures in tally.figures()],
    }


def _bot_document(figures: BotFigures) -> dict[str, Any]:
    return {
        "bot": figures.bot,
        "seats": figures.seats,
        "fair": round(figures.fair, 6),
        "wins": _interval_document(figures.wins),
        "margin": _interval_document(figures.margin),
        "points": _interval_document(figures.points),
        "decisions": figures.decisions,
        "seconds_per_decision": round(figures.seconds_per_decision, 6),
    }


def _interval_document(interval: Interval) -> dict[str, float | None]:
    rounded = [None if value is None else round(value, 6) for value in (interval.mean, interval.low, interval.high)]
    return dict(zip(("mean", "low", "high"), rounded, strict=True))
