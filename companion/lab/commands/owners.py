"""Commands that look at boards of many boxes, and fit how pieces of one box are compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.lab.commands.shared import say


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
