"""Commands that fit the advice's weights and measure its strength."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.lab.arena.workers import workforce
from companion.lab.commands.shared import Scheduler, Workers, say, writable

WEIGHTS = Path("companion/simulation/weights.json")
WeightsFile = Annotated[
    Path,
    typer.Argument(callback=writable, help="The file of weights; those for other numbers of players stay as they are."),
]
WeightsGoneOnFrom = Annotated[
    Path,
    typer.Argument(
        callback=writable,
        help="The file of weights that are gone on from; those that ship where it has none for so many players.",
    ),
]
Players = Annotated[int, typer.Option(min=2, max=4, help="Players in the games.")]
FirstSeed = Annotated[int, typer.Option(min=0, help="Seed of the first game; the rest follow.")]
Checks = Annotated[int, typer.Option(min=1, help="Games that the result is checked in, apart from the others.")]


def fit(
    target: WeightsFile = WEIGHTS,
    players: Players = 4,
    games: Annotated[int, typer.Option(min=1, help="Games an iteration.")] = 10_000,
    seed: FirstSeed = 0,
    iterations: Annotated[int, typer.Option(min=1, help="How often the games are played anew with new weights.")] = 4,
    noise: Annotated[float, typer.Option(help="How freely the players try turns, in VP.")] = 1.0,
    checks: Checks = 2000,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Fit what holdings are worth to games of the playout policy against itself, and write the weights."""
    from companion.lab.fitting.iterating import check, iterate
    from companion.lab.fitting.weights_file import write_evaluation

    with workforce(workers, scheduler) as run_all:
        weights = iterate(
            players, games=games, seed=seed, iterations=iterations, noise=noise, checks=checks, say=say, run_all=run_all
        )
        say(f"explained in games held out: {check(weights, players, noise, checks, run_all):.3f}")
    made = f"python -m companion.lab fit --players {players} --games {games} --seed {seed}"
    write_evaluation(target, players, weights, f"{made} --iterations {iterations} --noise {noise:g}")


def weigh(
    players: Players = 4,
    games: Annotated[int, typer.Option(min=1, help="Games of each kind.")] = 2000,
    noise: Annotated[float, typer.Option(help="How freely the players try turns, in VP.")] = 1.0,
) -> None:
    """Check the weights that ship: what they foretell in games held out, and whom they beat."""
    from companion.lab.accuracy.report import markdown_table
    from companion.lab.fitting.iterating import FIRST_CHECK_SEED, challenge, check_by_stage
    from companion.lab.fitting.regression import prior_weights
    from companion.simulation.evaluation import NO_WEIGHTS, fitted_weights

    weights = fitted_weights(players)
    checks = check_by_stage(weights, players, noise, games)
    rows = [[name, f"{share:.2f}", f"{off:.1f}"] for name, share, off in checks]
    typer.echo(markdown_table(["quarter of the game", "explained", "off by, VP"], rows) + "\n")
    for name, others in (("no weights", NO_WEIGHTS), ("guessed weights", prior_weights())):
        result = challenge(weights, others, players, games, FIRST_CHECK_SEED)
        typer.echo(f"one against {players - 1} with {name}: {result}")


def spread(
    target: WeightsGoneOnFrom = WEIGHTS,
    players: Players = 4,
    games: Annotated[int, typer.Option(min=1, help="Games to fit to.")] = 2000,
    seed: FirstSeed = 560_000,
) -> None:
    """Fit how far final points are from those expected, and write it to the file of weights."""
    from companion.lab.fitting.iterating import fitted_spread, keep_off_checks
    from companion.lab.fitting.weights_file import weights_to_start_from, write_spread

    keep_off_checks(games, 1, seed)
    spread_vp = fitted_spread(players, games, seed, weights_to_start_from(target, players))
    say(f"{players} players: a spread of {spread_vp:.1f} VP with a whole game to go")
    write_spread(target, players, spread_vp)


def strength(
    target: Annotated[
        Path, typer.Argument(callback=writable, help="The table: docs/strength.csv; rows of matches not played stay.")
    ],
    match: Annotated[
        list[str] | None,
        typer.Option(help="Only this match, such as 4-best-greedy, or another: '3 best:playouts=500 one-ply'."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games a match.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the set-ups.")] = 1,
    workers: Workers = 1,
    scheduler: Scheduler = None,
    work: Annotated[Path, typer.Option(help="Folder that keeps the games, so that a run can go on.")] = Path(
        "out/strength"
    ),
) -> None:
    """Play bots (random, greedy, one-ply, best) against one another and write how many games they win (some hours)."""
    import datetime

    from companion.lab.fitting.strength import MATCHES, Match, measure

    chosen = MATCHES if match is None else tuple(map(Match.of, match))
    today = datetime.date.today().isoformat()
    with workforce(workers, scheduler) as run_all:
        measure(target, chosen, games=games, seed=seed, run_all=run_all, work=work, date=today, say=say)
