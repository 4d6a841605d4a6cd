"""The command that renders tiles in styles other than the game's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.lab.commands.photos import load_art, store
from companion.lab.commands.shared import Art, say


def tiles(
    folder: Annotated[Path, typer.Argument(help="Folder of the photos; examples already there are left.")],
    count: Annotated[int, typer.Option(min=1, help="How many photos.")] = 800,
    first: Annotated[int, typer.Option(min=0, help="Seed of the first photo; the rest follow.")] = 0,
    art: Art = None,
    flat: Annotated[
        bool, typer.Option("--flat", help="Examples for the tile network alone, drawn flat: ten times as fast.")
    ] = False,
    held_out: Annotated[
        bool, typer.Option("--held-out", help="Styles that training never sees, as photos for `accuracy`.")
    ] = False,
    expansions: Annotated[
        bool, typer.Option("--expansions", help="Known tiles with an expansion's among them, as photos with truth.")
    ] = False,
    shown: Annotated[
        bool,
        typer.Option("--shown", help="With --held-out or --kept, the same owners' empty tiles, for `learn --tiles`."),
    ] = False,
    kept: Annotated[
        bool, typer.Option("--kept", help="As --held-out, in styles that training may draw: photos to choose by.")
    ] = False,
    fonts: Annotated[
        Path | None, typer.Option(help="A folder of fonts (.ttf, .otf, .woff) that training styles set values in too.")
    ] = None,
    width: Annotated[int, typer.Option(min=200, help="The longer side of photos with truth, in px.")] = 1700,
) -> None:
    """Render tiles drawn in other styles, and tiles that are none of the game's: examples to train on, or photos."""
    if shown and (expansions or not (held_out or kept)):
        raise typer.BadParameter("--shown goes with --held-out or --kept, and not with --expansions")
    if flat and (held_out or expansions or kept):
        raise typer.BadParameter("--flat draws examples to train on: leave out --held-out, --kept and --expansions")
    if held_out and (expansions or kept):
        raise typer.BadParameter("--held-out is other tiles than --kept or --expansions: choose one")

    from companion.lab.tiles.flat import flat_example
    from companion.lab.tiles.frames import held_out_files, training_frame
    from companion.lab.tiles.numerals import font_files
    from companion.lab.training.dataset import make_example, save_example

    faces = [] if fonts is None else font_files(fonts)
    folder.mkdir(parents=True, exist_ok=True)
    pictures = None if art is None else load_art(art)
    seeds = range(first, first + count)
    if held_out or expansions or kept:
        options = {"expansions": expansions, "shown": shown, "kept": kept}
        for name, photo, truth in held_out_files(seeds, width, pictures, **options):
            store(folder, name, photo, truth)
        return
    for done, seed in enumerate(seeds, 1):
        path = folder / f"{'flat' if flat else 'styles'}_{seed:07d}.npz"
        if not path.exists():
            drawn = flat_example(seed, pictures, faces) if flat else None
            save_example(path, drawn or make_example(*training_frame(seed, pictures, faces)))
        if done % 50 == 0:
            say(f"{done} rendered")


def unknown(
    folder: Annotated[
        Path, typer.Argument(help="Folder of examples with unknown tiles that no network was trained on.")
    ],
    target: Annotated[Path, typer.Argument(help="Folder of the ONNX files; unknown.json is written there.")],
) -> None:
    """Fit how likely a tile is unknown, and from where it is called so, with the tile network that the program runs."""
    from companion.lab.tiles.threshold import figures_text, fit_unknown, measure_tiles, write_unknown
    from companion.lab.training.dataset import example_paths

    paths = example_paths(folder)
    target.mkdir(parents=True, exist_ok=True)
    figures = measure_tiles(paths)
    curve = fit_unknown(figures)
    write_unknown(target / "unknown.json", curve)
    say(figures_text(figures, curve))
