"""`companion arena`: bots play whole games against one another."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import AsJson, Force, Workers
from companion.cli.output import check_outputs, note_many, print_json
from companion.cli.progress import progress
from companion.errors import UsageError
from companion.language.phrase import say


def arena(
    bots: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="The bot to measure, then those it meets: random, greedy, one-ply, best or your own MODULE:CLASS.",
        ),
    ],
    players: Annotated[int, typer.Option(min=2, max=4, help="How many play in each game.")] = 2,
    games: Annotated[int, typer.Option(min=1, help="Games, rounded up to whole sets of seats.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 1,
    workers: Workers = 1,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE.jsonl", help="Keep every game in here.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Play only what is missing in --output.")] = False,
    promo: Annotated[bool, typer.Option("--promo", help="With the promo djinn in the deck.")] = False,
    force: Force = False,
    as_json: AsJson = False,
) -> None:
    """Let bots play whole games from the same set-ups, each in every seat, and show which is stronger, with confidence
    intervals.

    Example: companion arena greedy random --games 20 --seed 1
    """
    from companion.arena.registry import make_bot
    from companion.arena.results import check_results, run_tournament
    from companion.arena.tally import Tally
    from companion.arena.tournament import Tournament, line_up, rounded_up
    from companion.arena.workers import workforce
    from companion.cli.views.arena_view import arena_document, games_line, print_figures

    names = line_up(bots, players)
    folder = str(Path.cwd())
    for name in dict.fromkeys(names):
        make_bot(name, folder)
    if resume and output is None:
        raise UsageError("--resume continues a file: give it with --output")
    if output is not None:
        check_outputs((output, (".jsonl",)), force=True)
        check_results(output, resume=resume, force=force)
    tournament = rounded_up(Tournament(names, 1, seed, promo, folder), games)
    if tournament.games != games:
        orders = len(tournament.rotations)
        note_many(
            "{count} game, so that each set-up is played in all {orders} orders around the table",
            "{count} games, so that each set-up is played in all {orders} orders around the table",
            tournament.games,
            orders=orders,
        )
    with progress(say("starting"), wanted=not as_json) as line:
        began, before, seen = time.monotonic(), 0, 0

        def watch(tally: Tally) -> None:
            nonlocal began, before, seen
            seen = tally.games
            if not before and tally.games:
                began, before = time.monotonic(), tally.games
            line.say(games_line(tally, tally.games - before, time.monotonic() - began))

        try:
            with workforce(workers) as run_all:
                tally = run_tournament(tournament, run_all, output=output, resume=resume, force=force, watch=watch)
        except KeyboardInterrupt:
            if output is not None:
                line.stop()
                note_many(
                    "{count} game is kept in {path}; --resume continues",
                    "{count} games are kept in {path}; --resume continues",
                    seen,
                    path=output,
                )
            raise
    if as_json:
        print_json(arena_document(tally))
    else:
        print_figures(tally)
