"""`python -m companion.lab`: render photos, measure the reader on them, train its networks; see docs/training.md.

The advice's weights are fitted here, and it is judged: how much its first turns and bids lose; see docs/judging.md.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.advisor.advice import DEFAULT_PLAYOUTS
from companion.errors import CompanionError, ExitStatus

if TYPE_CHECKING:
    from companion.vision.load import Picture

RENDER, MEASURE, TRAIN = "Render photos", "Measure the reader", "Train its networks"
FIT, JUDGE = "Fit the advice", "Judge advice"

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Render photos of tables, measure the photo reader on them, train its networks; fit and judge advice.",
)

Art = Annotated[Path | None, typer.Option(help="Tile art cut by the `art` command; the project's own without.")]
Folder = Annotated[Path, typer.Argument(help="Folder of the rendered examples.")]


def _say(text: str) -> None:
    typer.echo(text, err=True)


def _load_art(path: Path) -> dict[str, list[Picture]]:
    """Tile art that the `art` command cut, by the code of its kind."""
    import numpy as np

    with np.load(path) as stored:
        return {code: list(stored[code]) for code in stored.files}


def _store(folder: Path, name: str, photo: bytes, truth: dict[str, object]) -> None:
    """Write a photo and its truth beside it, as `companion accuracy` takes them."""
    import json

    (folder / f"{name}.jpg").write_bytes(photo)
    (folder / f"{name}.json").write_text(json.dumps(truth), encoding="utf-8")


@app.command(rich_help_panel=RENDER)
def render(
    folder: Folder,
    count: Annotated[int, typer.Option(help="How many photos.")] = 2000,
    first: Annotated[int, typer.Option(min=0, help="Seed of the first photo; the rest follow.")] = 0,
    art: Art = None,
    own: Annotated[float, typer.Option(help="Share of photos that show the project's own art all the same.")] = 0.35,
    step: Annotated[int, typer.Option(min=1, help="Render every step-th seed: several processes share the work.")] = 1,
    ordinary: Annotated[
        bool, typer.Option("--ordinary", help="Photos as people take them, for `calibrate`; else varied far wider.")
    ] = False,
) -> None:
    """Render training photos with their truth."""
    from companion.lab.rendering.profiles import PROFILES, ordinary_profiles
    from companion.lab.training.dataset import render_examples

    folder.mkdir(parents=True, exist_ok=True)
    pictures = None if art is None else _load_art(art)
    profiles = ordinary_profiles() if ordinary else (PROFILES["train"],)
    seeds = range(first, first + count, step)
    for done, _ in enumerate(render_examples(folder, seeds, pictures, own, profiles), 1):
        if done % 50 == 0:
            _say(f"{done} rendered")


@app.command(rich_help_panel=RENDER)
def heldout(
    folder: Annotated[Path, typer.Argument(help="Folder that `companion accuracy` can then measure.")],
    count: Annotated[int, typer.Option(help="How many photos; the scenarios take turns.")] = 80,
    first: Annotated[int, typer.Option(help="Seed of the first photo; the rest follow.")] = 0,
    art: Art = None,
    own: Annotated[float, typer.Option(help="Share of photos that show the project's own art all the same.")] = 0.35,
) -> None:
    """Render photos, with their truth, of pieces, lamps and tables that training never sees."""
    from companion.lab.rendering.heldout import heldout_files

    folder.mkdir(parents=True, exist_ok=True)
    pictures = None if art is None else _load_art(art)
    for name, photo, truth in heldout_files(range(first, first + count), pictures, own):
        _store(folder, name, photo, truth)


@app.command(rich_help_panel=MEASURE)
def accuracy(
    folders: Annotated[list[Path], typer.Argument(help="Folders of photos with their truth beside them.")],
    csv: Annotated[Path | None, typer.Option(help="Write a row a photo to this file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Write the reliability diagram to this file (.svg).")] = None,
) -> None:
    """Measure how well photos are read whose truth is known."""
    from companion.lab.accuracy.report import accuracy_table
    from companion.lab.accuracy.scores import csv_text, score_folders

    by_folder = {folder.name: score_folders([folder]) for folder in folders}
    scores = [score for group in by_folder.values() for score in group]
    typer.echo(accuracy_table(scores))
    if csv is not None:
        csv.write_text(csv_text(scores), encoding="utf-8")
    if plot is not None:
        from companion.lab.accuracy.plot import reliability_svg

        plot.write_text(reliability_svg(by_folder), encoding="utf-8")


@app.command(rich_help_panel=MEASURE)
def several(
    folder: Annotated[Path, typer.Argument(help="Folder of photos of the same tables from three sides each.")],
    count: Annotated[int, typer.Option(help="How many tables; those already there are left.")] = 24,
    first: Annotated[int, typer.Option(help="Seed of the first table; the rest follow.")] = 700_024,
    art: Art = None,
    own: Annotated[float, typer.Option(help="Share of tables with the project's own art all the same.")] = 0.4,
    width: Annotated[int, typer.Option(help="The longer side of the photos, in px.")] = 1700,
) -> None:
    """Measure how much better several photos of a table are read than one; render them first where there are none."""
    from companion.lab.accuracy.several import SIDES, measure_tables, table_photos
    from companion.rules.model.board import SQUARES

    folder.mkdir(parents=True, exist_ok=True)
    pictures = None if art is None else _load_art(art)
    for seed in range(first, first + count):
        if not (folder / f"{seed:06d}_{SIDES[-1]}.json").exists():
            for name, photo, truth in table_photos(seed, pictures, own, width):
                _store(folder, name, photo, truth)
    typer.echo("| photos | boards | wholly right | flags a board | wrong, not flagged | log loss |")
    typer.echo("| --- | --- | --- | --- | --- | --- |")
    for row in measure_tables(folder):
        right, flags = row.right / (SQUARES * row.boards), row.flagged / row.boards
        typer.echo(
            f"| {row.photos} | {row.boards} | {right:.1%} | {flags:.1f} | {row.unflagged_wrong} | {row.nll:.3f} |"
        )


@app.command(rich_help_panel=TRAIN)
def art(
    photo: Annotated[Path, typer.Argument(help="A photo, from above, of the owner's thirty empty tiles.")],
    target: Annotated[Path, typer.Argument(help="The .npz file that is written.")],
    rows: Annotated[str, typer.Option(help="The five rows of the board, separated by /.")],
    corners: Annotated[
        str | None, typer.Option(help="Corners of the board in px, x,y at a1 f1 f5 a5; found in the photo without.")
    ] = None,
) -> None:
    """Cut the tile art out of a photo of the owner's empty tiles."""
    import cv2
    import numpy as np

    from companion.lab.rendering.tile_art import cut_tiles
    from companion.notation.tokens import parse_board
    from companion.vision.load import load_photo
    from companion.vision.locate.lattice import find_lattice

    picture = load_photo(photo)
    if corners is None:
        homography = find_lattice(picture).homography
    else:
        points = np.array([float(number) for number in corners.replace(",", " ").split()], dtype=np.float32)
        ideal = np.array([(0, 0), (6, 0), (6, 5), (0, 5)], dtype=np.float32)
        homography = cv2.getPerspectiveTransform(ideal, points.reshape(4, 2)).astype(np.float64)
    tiles = {code: np.stack(cuts) for code, cuts in cut_tiles(picture, homography, parse_board(rows)).items()}
    with target.open("wb") as file:
        np.savez(file, allow_pickle=False, **tiles)


@app.command(rich_help_panel=TRAIN)
def train(
    folder: Folder,
    weights: Annotated[Path, typer.Argument(help="Folder of the trained weights; existing ones are trained further.")],
    network: Annotated[str, typer.Option(help="`locate`, `pieces` or `tiles`.")] = "pieces",
    steps: Annotated[int, typer.Option(help="Training steps.")] = 4000,
    batch: Annotated[int, typer.Option(help="Photos a step.")] = 8,
    rate: Annotated[float, typer.Option(help="Peak learning rate.")] = 2e-3,
    seed: Annotated[int, typer.Option(help="Seed of the order and of the augmentation.")] = 0,
    workers: Annotated[int, typer.Option(help="Processes that prepare samples.")] = 2,
) -> None:
    """Train a network on rendered photos."""
    from companion.lab.training.train import Plan, train_locate, train_pieces, train_tiles

    weights.mkdir(parents=True, exist_ok=True)
    plan = Plan(steps=steps, batch=batch, peak_rate=rate, workers=workers, seed=seed)
    {"locate": train_locate, "pieces": train_pieces, "tiles": train_tiles}[network](folder, weights, plan, _say)


@app.command(rich_help_panel=TRAIN)
def average(
    folder: Folder,
    weights: Annotated[Path, typer.Argument(help="Folder for the averaged weights of the piece network.")],
    sources: Annotated[list[Path], typer.Argument(help="Folders of weights trained on from the same ones.")],
) -> None:
    """Average piece networks that were trained on from the same weights with other seeds."""
    from companion.lab.training.train import average_pieces

    average_pieces(sources, folder, weights)


@app.command(rich_help_panel=TRAIN)
def export(
    weights: Annotated[Path, typer.Argument(help="Folder of the trained weights.")],
    target: Annotated[Path, typer.Argument(help="Folder for the ONNX files: companion/vision/weights.")],
) -> None:
    """Write trained weights as the ONNX files that the program runs."""
    from companion.lab.training.train import export as export_networks

    target.mkdir(parents=True, exist_ok=True)
    export_networks(weights, target)


@app.command(rich_help_panel=TRAIN)
def calibrate(
    folder: Annotated[Path, typer.Argument(help="Folder of rendered examples that no network was trained on.")],
    target: Annotated[Path, typer.Argument(help="Folder of the ONNX files; calibration.json is written there.")],
) -> None:
    """Fit the reader's confidences on photos held out of training, with the networks that the program runs now."""
    from companion.lab.training.calibrate import fit_all, write_calibration

    write_calibration(target / "calibration.json", fit_all(sorted(folder.glob("*.npz")), _say))


@app.command(rich_help_panel=TRAIN)
def everything(
    photo: Annotated[Path, typer.Argument(help="A photo, from above, of the owner's thirty empty tiles.")],
    work: Annotated[Path, typer.Argument(help="Folder for what comes in between; existing files are reused.")],
    target: Annotated[Path, typer.Argument(help="Folder for the ONNX files: companion/vision/weights.")],
    rows: Annotated[str, typer.Option(help="The five rows of the board in the photo, separated by /.")],
    corners: Annotated[
        str | None, typer.Option(help="Corners of the board in px, x,y at a1 f1 f5 a5; found in the photo without.")
    ] = None,
    photos: Annotated[int, typer.Option(help="How many photos are rendered.")] = 5000,
    held_out: Annotated[int, typer.Option(help="How many more the confidences are fitted on.")] = 240,
    steps: Annotated[
        int, typer.Option(help="Training steps of the piece network; the others take their share.")
    ] = 6000,
) -> None:
    """From a photo of empty tiles to all weights of the board's reader, in one go (hours on two cores)."""
    work.mkdir(parents=True, exist_ok=True)
    cut, examples, unseen, trained = work / "art.npz", work / "examples", work / "held_out", work / "trained"
    art(photo, cut, rows, corners)
    render(examples, photos, 0, cut, 0.3)
    render(unseen, held_out, 900_000, cut, 0.2, ordinary=True)
    train(examples, trained, "locate", max(steps // 4, 1), 8)
    train(examples, trained, "tiles", max(steps // 4, 1), 8)
    train(examples, trained, "pieces", steps, 4)
    export(trained, target)
    calibrate(unseen, target)


@app.command(rich_help_panel=TRAIN)
def cards(
    target: Annotated[Path, typer.Argument(help="The ONNX file: companion/vision/weights/cards.onnx.")],
    photo: Annotated[
        Path | None, typer.Option(help="A photo, from above, of the owner's resource cards, upright in lines.")
    ] = None,
    laid: Annotated[str, typer.Option(help="Those cards, lines separated by /.")] = "",
    without: Annotated[list[Path] | None, typer.Option(help="Photos that show no resource card, for a start.")] = None,
    samples: Annotated[int, typer.Option(help="How many faces are drawn.")] = 18000,
    epochs: Annotated[int, typer.Option(help="How often each is seen.")] = 6,
    seed: Annotated[int, typer.Option(help="Seed of the samples and of the order.")] = 0,
    workers: Annotated[int, typer.Option(help="Processes that draw samples.")] = 2,
) -> None:
    """Train the network that tells resource cards, on the project's art and the owner's cards."""
    from companion.lab.training.card_stock import make_stock
    from companion.lab.training.cards import draw_samples, train_cards
    from companion.vision.load import load_photo

    lines = [line.split() for line in laid.split("/")]
    owner = None if photo is None else (load_photo(photo), lines)
    stock = make_stock(seed, owner, [load_photo(path) for path in without or ()], _say)
    faces, kinds = draw_samples(stock, samples, workers, seed, _say)
    train_cards(faces, kinds, target, epochs, 96, seed, _say)


@app.command(rich_help_panel=FIT)
def fit(
    target: Annotated[
        Path, typer.Argument(help="The file of weights; those for other numbers of players stay as they are.")
    ] = Path("companion/simulation/weights.json"),
    players: Annotated[int, typer.Option(min=2, max=4, help="Players in the games.")] = 4,
    games: Annotated[int, typer.Option(min=1, help="Games an iteration.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game; the rest follow.")] = 0,
    iterations: Annotated[int, typer.Option(min=1, help="How often the games are played anew with new weights.")] = 4,
    noise: Annotated[float, typer.Option(help="How freely the players try turns, in VP.")] = 1.0,
    checks: Annotated[
        int, typer.Option(min=1, help="Games that weights are checked in, apart from the others.")
    ] = 2000,
) -> None:
    """Fit what holdings are worth to games of the playout policy against itself, and write the weights."""
    from companion.lab.fitting.iterating import check, iterate, write_weights

    weights = iterate(players, games=games, seed=seed, iterations=iterations, noise=noise, checks=checks, say=_say)
    _say(f"explained in games held out: {check(weights, players, noise, checks):.3f}")
    made = f"python -m companion.lab fit --players {players} --games {games} --seed {seed}"
    write_weights(target, players, weights, f"{made} --iterations {iterations} --noise {noise:g}")


@app.command(rich_help_panel=FIT)
def weigh(
    players: Annotated[int, typer.Option(min=2, max=4, help="Players in the games.")] = 4,
    games: Annotated[int, typer.Option(min=1, help="Games of each kind.")] = 2000,
    noise: Annotated[float, typer.Option(help="How freely the players try turns, in VP.")] = 1.0,
) -> None:
    """Check the weights that ship: what they foretell in games held out, and whom they beat."""
    from companion.lab.fitting.iterating import FIRST_CHECK_SEED, challenge, check_by_stage
    from companion.lab.fitting.priors import prior_weights
    from companion.simulation.evaluation import NO_WEIGHTS, fitted_weights

    weights = fitted_weights(players)
    typer.echo("| quarter of the game | explained | off by, VP |")
    typer.echo("| --- | --- | --- |")
    for name, share, off in check_by_stage(weights, players, noise, games):
        typer.echo(f"| {name} | {share:.2f} | {off:.1f} |")
    typer.echo("")
    for told, others in (("no weights", NO_WEIGHTS), ("guessed weights", prior_weights())):
        result = challenge(weights, others, players, games, FIRST_CHECK_SEED)
        typer.echo(f"one against {players - 1} with {told}: {result}")


@app.command(rich_help_panel=JUDGE)
def positions(
    target: Annotated[Path, typer.Argument(help="The file: companion/lab/judging/positions.txt.")],
    games: Annotated[
        int, typer.Option(min=1, help="Games, of 2, 3 and 4 players in turn; each gives two turns and two bids.")
    ] = 60,
    slips: Annotated[float, typer.Option(min=0, max=1, help="Share of decisions that are taken at random.")] = 0.15,
) -> None:
    """Make the positions that advice is judged on, from games of the greedy bot with slips."""
    from companion.lab.judging.positions import game_positions, to_text

    target.write_text(to_text(game_positions(games, slips, _say)), encoding="utf-8")


@app.command(rich_help_panel=JUDGE)
def judge(
    table: Annotated[
        Path, typer.Argument(help="CSV file for the verdicts; positions that it has are not judged again.")
    ],
    player: Annotated[
        list[str], typer.Option(help="Whom to judge: `advice`, or a bot of the arena; may be given several times.")
    ] = ["advice", "greedy", "one-ply"],  # noqa: B006
    kind: Annotated[str, typer.Option(help="`turn`, `bid` or `both`.")] = "both",
    count: Annotated[int, typer.Option(min=1, help="How many positions of each kind.")] = 120,
    first: Annotated[int, typer.Option(help="The first of them; with --step, several processes share the work.")] = 0,
    step: Annotated[int, typer.Option(help="Judge every step-th position.")] = 1,
    playings: Annotated[
        int, typer.Option(min=8, help="How often the best and the judged are played on to the end.")
    ] = 600,
    screening: Annotated[int, typer.Option(min=1, help="How often each candidate is played on to find the best.")] = 60,
    keep: Annotated[int, typer.Option(min=1, help="How many of the best are played on to the full.")] = 5,
    playouts: Annotated[int, typer.Option(min=1, help="Budget of the advice, in best replies.")] = DEFAULT_PLAYOUTS,
) -> None:
    """Measure what the first turns and bids of players lose against the best (an hour for all on one core)."""
    from companion.advisor.advice import Budget
    from companion.lab.judging.players import chooser, policies
    from companion.lab.judging.positions import kept_positions, of_kind
    from companion.lab.judging.verdicts import Effort, figures_table, judge_into

    choosers = {name: chooser(name, Budget(playouts)) for name in player}
    effort = Effort(playings, screening, keep)
    chosen = of_kind(kept_positions(), kind, count)[first::step]
    typer.echo(figures_table(judge_into(table, chosen, choosers, policies, effort, _say)))


@app.command(rich_help_panel=JUDGE)
def strength(
    target: Annotated[Path, typer.Argument(help="The table: docs/strength.csv; rows of matches not played stay.")],
    match: Annotated[list[str] | None, typer.Option(help="Only this match, such as 4-best-greedy.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games a match.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the set-ups.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
    work: Annotated[Path, typer.Option(help="Folder that keeps the games, so that a run can go on.")] = Path(
        "out/strength"
    ),
) -> None:
    """Play the bots of the arena against one another and write how many games they win (some hours)."""
    import datetime

    from companion.lab.judging.strength import MATCHES, measure

    chosen = [one for one in MATCHES if match is None or one.name in match]
    if not chosen or (match is not None and len(chosen) < len(set(match))):
        raise typer.BadParameter(f"there are {', '.join(one.name for one in MATCHES)}", param_hint="--match")
    today = datetime.date.today().isoformat()
    measure(target, chosen, games=games, seed=seed, workers=workers, work=work, date=today, say=_say)


@app.command(rich_help_panel=JUDGE)
def regret(
    tables: Annotated[list[Path], typer.Argument(help="CSV files that `judge` has written.")],
) -> None:
    """Show the figures over several tables of verdicts together."""
    from companion.lab.judging.verdicts import figures_table, read_verdicts

    typer.echo(figures_table([verdict for table in tables for verdict in read_verdicts(table)]))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command of the lab and return its exit status; None takes the process's own arguments."""
    try:
        app(args=None if arguments is None else list(arguments), prog_name="python -m companion.lab")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except CompanionError as error:
        _say(f"companion.lab: {error}")
        return int(error.status)
    except ModuleNotFoundError as error:
        _say(f"companion.lab: {error.name} is not installed; get it with: .venv/bin/pip install -e '.[lab]'")
        return int(ExitStatus.MISSING)
    return int(ExitStatus.DONE)


if __name__ == "__main__":
    sys.exit(main())
