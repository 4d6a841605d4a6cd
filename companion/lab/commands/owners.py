"""Commands that draw owners of odd pieces and train the network that knows pieces by those shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.lab.commands.photos import load_art
from companion.lab.commands.shared import Art, Folder, say


def owners(
    folder: Folder,
    count: Annotated[int, typer.Option(min=1, help="How many owners.")] = 120,
    first: Annotated[int, typer.Option(min=0, help="Seed of the first owner; the rest follow.")] = 0,
    art: Art = None,
) -> None:
    """Draw owners of odd pieces: pictures of those they show, and of the same on boards."""
    from companion.lab.training.owners import store_owners

    folder.mkdir(parents=True, exist_ok=True)
    pictures = None if art is None else load_art(art)
    for done, _ in enumerate(store_owners(folder, range(first, first + count), pictures), 1):
        if done % 10 == 0:
            say(f"{done} drawn")


def likeness(
    folder: Folder,
    target: Annotated[Path, typer.Argument(help="The ONNX file: companion/vision/weights/likeness.onnx.")],
    steps: Annotated[int, typer.Option(min=1, help="Training steps.")] = 2000,
    seed: Annotated[int, typer.Option(help="Seed of the order and of the augmentation.")] = 0,
) -> None:
    """Train the network that compares pieces with those an owner showed, on what `owners` drew."""
    from companion.lab.training.likeness import train_likeness

    train_likeness(sorted(folder.glob("owner_*.npz")), target, steps, seed, say)
