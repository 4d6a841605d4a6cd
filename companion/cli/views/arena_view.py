"""What a tournament showed: a table with its intervals, the line while it runs, the JSON document."""

from __future__ import annotations

from typing import Any

from companion.arena.tally import Interval, Tally
from companion.cli.locale import translate
from companion.cli.output import console
from companion.cli.progress import bar
from companion.cli.views.tables import Column, figures, number, print_table
from companion.cli.wrapping import wrapped
from companion.language.phrase import Phrase, decimal, percentage, rounded, say, say_as, say_many

_HOUR_S, _MINUTE_S = 3600, 60


def games_line(tally: Tally, played: int = 0, seconds: float = 0.0) -> Phrase:
    """How far a tournament is; `played` of its games were played in this run, in so many seconds."""
    games = tally.tournament.games
    values = {"bar": bar(tally.games, games), "done": tally.games}
    if not (played and seconds):
        return say_many("{bar} {done:,} of {count:,} game", "{bar} {done:,} of {count:,} games", games, **values)
    return say_many(
        "{bar} {done:,} of {count:,} game, {time} left",
        "{bar} {done:,} of {count:,} games, {time} left",
        games,
        **values,
        time=_left((games - tally.games) * seconds / played),
    )


def _left(seconds: float) -> Phrase:
    """A time to wait, roughly: "40 s", "12 min", "3.4 h"."""
    if seconds < 2 * _MINUTE_S:
        return say("{time:.0f} s", time=seconds)
    if seconds < 2 * _HOUR_S:
        return say("{time:.0f} min", time=seconds / _MINUTE_S)
    return say("{time:.1f} h", time=seconds / _HOUR_S)


def print_figures(tally: Tally) -> None:
    """Print what each bot came to on standard output."""
    columns = [
        Column(say_as("head of the bots", "bot")),
        number(say_as("head of the bots", "won")),
        number("95%"),
        number(say_as("head of the bots", "fair")),
        number(say_as("head of the bots", "margin")),
        number("95%"),
        number(say_as("head of the bots", "s")),
    ]
    rows = [
        (
            bot.bot if bot.seats == 1 else f"{bot.bot} x {bot.seats}",
            percentage(bot.wins.mean, 1),
            _bounds(bot.wins, scale=100),
            percentage(bot.fair),
            decimal(bot.margin.mean, signed=True),
            _bounds(bot.margin, signed=True),
            rounded(bot.seconds_per_decision),
        )
        for bot in tally.figures()
    ]
    out = console()
    print_table(out, figures(columns, rows))
    out.print()
    for line in wrapped(translate(_summary(tally)), out.width):
        out.print(line)


def _summary(tally: Tally) -> Phrase:
    tournament = tally.tournament
    return say(
        "{games} of {players}: {setups} of seed {seed} in {orders} around the table; digest {digest}. Won: "
        "share of the wins in %; margin: VP ahead of the best other player; s: seconds a decision.",
        games=say_many("{count:,} game", "{count:,} games", tally.games),
        players=len(tournament.line_up),
        setups=say_many("{count:,} set-up", "{count:,} set-ups", tally.seeds),
        seed=tournament.seed,
        orders=say_many("{count:,} order", "{count:,} orders", len(tournament.rotations)),
        digest=tally.digest,
    )


def _bounds(interval: Interval, *, scale: float = 1, signed: bool = False) -> str:
    if interval.low is None or interval.high is None:
        return "?"
    low, high = (decimal(bound * scale, signed=signed) for bound in (interval.low, interval.high))
    return say("{low} to {high}", low=low, high=high)


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
        "bots": [
            {
                "bot": bot.bot,
                "seats": bot.seats,
                "fair": round(bot.fair, 6),
                "wins": _interval_document(bot.wins),
                "margin": _interval_document(bot.margin),
                "points": _interval_document(bot.points),
                "decisions": bot.decisions,
                "seconds_per_decision": round(bot.seconds_per_decision, 6),
            }
            for bot in tally.figures()
        ],
    }


def _interval_document(interval: Interval) -> dict[str, float | None]:
    rounded = [None if value is None else round(value, 6) for value in (interval.mean, interval.low, interval.high)]
    return dict(zip(("mean", "low", "high"), rounded, strict=True))
