"""Commands that render photos and measure the reader on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.errors import UnusableInputError
from companion.lab.arena.workers import workforce
from companion.lab.commands.shared import Art, Folder, Scheduler, Workers, say

if TYPE_CHECKING:
    from companion.lab.rendering.profiles import Profile
    from companion.vision.load import Picture


@lru_cache(maxsize=1)
def load_art(path: Path) -> dict[str, list[Picture]]:
    """Tile art that the `art` command cut, by the code of its kind. Raises UnusableInputError for any other file."""
    import zipfile

    import numpy as np

    if not zipfile.is_zipfile(path):
        raise UnusableInputError(f"{path} is no tile art; cut some with the `art` command")
    with np.load(path) as stored:
        return {code: list(stored[code]) for code in stored.files}


def render(
    folder: Folder,
    count: Annotated[int, typer.Option(min=1, help="How many photos.")] = 2000,
    first: Annotated[int, typer.Option(min=0, help="Seed of the first photo; the rest follow.")] = 0,
    art: Art = None,
    own: Annotated[
        float, typer.Option(min=0, max=1, help="Share of photos that show the project's own art all the same.")
    ] = 0.35,
    ordinary: Annotated[
        bool, typer.Option("--ordinary", help="Photos as people take them, for `calibrate`; else varied far wider.")
    ] = False,
    usual: Annotated[
        bool, typer.Option("--usual", help="Photos of the game's own pieces, with what is easily confused.")
    ] = False,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Render training photos with their truth."""
    from companion.lab.rendering.profiles import PROFILES, ordinary_profiles, usual_profiles

    if ordinary and usual:
        raise typer.BadParameter("--ordinary and --usual are two sorts of photos: choose one")
    folder.mkdir(parents=True, exist_ok=True)
    profiles = usual_profiles() if usual else ordinary_profiles() if ordinary else (PROFILES["train"],)
    with workforce(workers, scheduler) as run_all:
        rendered = run_all(partial(_rendered, folder, art, own, profiles), range(first, first + count))
        for done, _ in enumerate(rendered, 1):
            if done % 50 == 0:
                say(f"{done} rendered")


def _rendered(folder: Path, art: Path | None, own: float, profiles: Sequence[Profile], seed: int) -> None:
    from companion.lab.training.dataset import render_example

    render_example(folder, None if art is None else load_art(art), own, profiles, seed)


def heldout(
    folder: Annotated[Path, typer.Argument(help="Folder that `companion accuracy` can then measure.")],
    count: Annotated[int, typer.Option(min=1, help="How many photos; the scenarios take turns.")] = 80,
    first: Annotated[int, typer.Option(min=0, help="Seed of the first photo; the rest follow.")] = 0,
    art: Art = None,
    usual: Annotated[bool, typer.Option("--usual", help="With the game's own pieces, which training sees.")] = False,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Render photos, with their truth, of pieces, lamps and tables that training never sees."""
    folder.mkdir(parents=True, exist_ok=True)
    with workforce(workers, scheduler) as run_all:
        for _ in run_all(partial(_held_out, folder, art, usual), range(first, first + count)):
            pass


def _held_out(folder: Path, art: Path | None, usual: bool, seed: int) -> None:
    from companion.lab.rendering.heldout import heldout_photos
    from companion.lab.rendering.truth import store_photo

    for photo in heldout_photos(range(seed, seed + 1), None if art is None else load_art(art), usual=usual):
        store_photo(folder, *photo)


def games(
    folder: Annotated[Path, typer.Argument(help="Folder of the games: one folder each, with its record.")],
    count: Annotated[int, typer.Option(min=1, help="How many games.")] = 20,
    first: Annotated[int, typer.Option(min=0, help="Seed of the first game; the rest follow.")] = 0,
    players: Annotated[int, typer.Option(min=2, max=4, help="How many play.")] = 3,
    art: Art = None,
    usual: Annotated[bool, typer.Option("--usual", help="With the game's own pieces in every second game.")] = False,
    bot: Annotated[str, typer.Option(help="Who plays: random, greedy, one-ply, or best:playouts=200.")] = "greedy",
    traced: Annotated[
        bool, typer.Option("--traced", help="Path-traced (needs the extra `lab-world`: Blender).")
    ] = False,
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Render whole games of bots: a photo with its truth after each turn."""
    each = partial(_photographed, folder, players, art, usual, bot, traced)
    with workforce(workers, scheduler) as run_all:
        for seed, turns in run_all(each, range(first, first + count)):
            say(f"game {seed}: {turns} turns")


def _photographed(folder: Path, players: int, art: Path | None, usual: bool, bot: str, traced: bool, seed: int) -> int:
    from companion.lab.accuracy.photographed import bot_game, photographed_game

    tracer = None
    if traced:
        from companion.lab.world.blender import trace

        tracer = partial(trace, samples=8)
    pictures = None if art is None else load_art(art)
    game, into = bot_game(seed, players, bot), folder / f"game-{players}-{seed}"
    photos = photographed_game(into, game, seed, art=pictures, usual=usual and seed % 2 == 0, tracer=tracer)
    return sum(1 for _ in photos)


def turns(
    folders: Annotated[list[Path], typer.Argument(help="Games of the `games` command, or folders of photos.")],
    cases: Annotated[int, typer.Option(min=1, help="So many turns are made backwards from each photo.")] = 6,
) -> None:
    """Measure how turns are named from photos."""
    from companion.lab.accuracy.scores import find_truths
    from companion.lab.accuracy.tracking import NamedTurn, backward_cases, calibration_table, game_turns, turns_table

    named: list[NamedTurn] = []
    for folder in folders:
        games_in = sorted(path.parent for path in folder.glob("*/game.txt"))
        for game in games_in or ([folder] if (folder / "game.txt").exists() else []):
            named += game_turns(game)
            say(f"{game.name} measured")
        for photo, truth, _ in [] if games_in else find_truths(folder):
            named += backward_cases(photo, truth, cases)
    typer.echo(turns_table(named))
    typer.echo(f"\n{calibration_table([turn for turn in named if turn.case in ('one', 'game')])}")
    for turn in named:
        if not turn.first or turn.line is False:
            say(f"{turn.photo}: {turn.case}, {turn.read_right} of 30 read right, likeliest {turn.probability:.3f}")


def records(
    folders: Annotated[list[Path], typer.Argument(help="Folders of games of the `games` command.")],
) -> None:
    """Measure how well whole games are recorded, with what is asked answered by the truth."""
    from companion.lab.accuracy.photographed import game_in
    from companion.lab.accuracy.recorded import game_photos, games_table, recorded_game

    done = []
    for game in sorted(path.parent for folder in folders for path in folder.glob("*/game.txt")):
        done.append(recorded_game(game.name, game_in(game), game_photos(game)))
        say(f"{game.name}: {done[-1].right} of {done[-1].turns} turns right")
    typer.echo(games_table(done))


def sides(
    count: Annotated[
        int, typer.Option(min=1, help="How many tables; every second one has the game's own pieces.")
    ] = 40,
    first: Annotated[int, typer.Option(min=0, help="Seed of the first table; the rest follow.")] = 0,
) -> None:
    """Measure how much better tables are read from three sides."""
    from companion.lab.accuracy.sides import SidesRead, read_sides, sides_table

    read: list[SidesRead] = []
    for seed in range(first, first + count):
        read += read_sides(seed)
        say(f"table {seed}")
    typer.echo(sides_table(read))


def world(
    folder: Annotated[Path, typer.Argument(help="Folder of the frames; those already there are left.")],
    count: Annotated[int, typer.Option(min=1, help="How many frames.")] = 1000,
    first: Annotated[int, typer.Option(min=0, help="First frame, counted from 0 in either world.")] = 0,
    held_out: Annotated[
        bool, typer.Option("--held-out", help="Families that training never sees, as photos for `accuracy`.")
    ] = False,
    art: Art = None,
    step: Annotated[int, typer.Option(min=1, help="Every step-th frame: several processes share the work.")] = 1,
    width: Annotated[int, typer.Option(min=200, help="The longer side of a frame, in px.")] = 1280,
    samples: Annotated[int, typer.Option(min=1, help="Light paths a pixel; noise is taken away afterwards.")] = 8,
    near: Annotated[bool, typer.Option("--near", help="Trace only the board's surroundings at full size.")] = False,
) -> None:
    """Path-trace training frames, or held-out photos, with their truth (needs the extra `lab-world`: Blender)."""
    from functools import partial

    from companion.lab.world.blender import trace
    from companion.lab.world.catalogue import HELD_OUT, SEEDS, TRAINING, check_seeds
    from companion.lab.world.frames import FrameSettings, write_frames

    name = HELD_OUT if held_out else TRAINING
    wanted = check_seeds(name, SEEDS[name][0] + first, count)
    folder.mkdir(parents=True, exist_ok=True)
    settings = FrameSettings(name, None if art is None else load_art(art), width)
    tracer = partial(trace, samples=samples, near=near)
    for done, path in enumerate(write_frames(folder, wanted[::step], settings, tracer), 1):
        say(f"{done} of {len(wanted[::step])}: {path.name}")


def accuracy(
    folders: Annotated[list[Path], typer.Argument(help="Folders of photos with their truth beside them.")],
    workers: Workers = 1,
    scheduler: Scheduler = None,
) -> None:
    """Measure how well photos are read whose truth is known."""
    from companion.lab.accuracy.report import accuracy_table
    from companion.lab.accuracy.scores import score_folders, without_truth

    with workforce(workers, scheduler) as run_all:
        typer.echo(accuracy_table(score_folders(folders, run_all)))
    for photo in without_truth(folders):
        say(f"{photo} was left out: no truth lies beside it")
