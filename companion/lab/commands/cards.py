"""Commands that train the networks of hands and coins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.lab.commands.shared import say

if TYPE_CHECKING:
    from companion.lab.training.card_stock import Stock

Weights = Annotated[
    Path,
    typer.Argument(exists=True, file_okay=False, help="Folder of the ONNX files: companion/vision/weights."),
]
Photo = Annotated[
    Path | None, typer.Option(help="A photo, from above, of the owner's resource cards, upright in lines.")
]
Laid = Annotated[str, typer.Option(help="Those cards, lines separated by /.")]


def hands(
    weights: Weights,
    photo: Photo = None,
    laid: Laid = "",
    steps: Annotated[int, typer.Option(min=1, help="Training steps of the network that finds symbols.")] = 1500,
    tables: Annotated[int, typer.Option(min=1, help="Hands drawn for the one that tells them.")] = 900,
    epochs: Annotated[int, typer.Option(min=1, help="How often each of its symbols is seen.")] = 12,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples and of the order.")] = 0,
    workers: Annotated[int, typer.Option(min=0, help="Processes that draw samples; 0 draws them here.")] = 1,
) -> None:
    """Train the networks that find and tell the symbols of cards under others: symbols and symbol_kinds."""
    from functools import partial

    import numpy as np

    from companion.lab.training.cells import CellAnswer, train_cells
    from companion.lab.training.hand_samples import NOTHING, WAYS, sample_hand
    from companion.lab.training.small_faces import train_faces
    from companion.lab.training.symbol_faces import sample_corners

    stock = _stock(photo, laid, seed)
    train_cells(
        CellAnswer(NOTHING, WAYS, sided=True),
        partial(sample_hand, stock),
        weights / "symbols.onnx",
        steps=steps,
        batch=8,
        seed=seed,
        workers=workers,
        say=say,
    )
    rng = np.random.default_rng(seed)
    drawn = [corner for _ in range(tables) for corner in sample_corners(stock, rng)]
    target = weights / "symbol_kinds.onnx"
    train_faces(drawn, NOTHING + 1, target, any_way=False, epochs=epochs, batch=96, seed=seed, say=say)


def coins(
    weights: Weights,
    tables: Annotated[int, typer.Option(min=1, help="Tables with coins that are drawn.")] = 300,
    epochs: Annotated[int, typer.Option(min=1, help="How often each disc is seen.")] = 8,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the samples and of the order.")] = 0,
) -> None:
    """Train the network that tells coins of 1 from coins of 5."""
    import numpy as np

    from companion.lab.training.coin_samples import sample_discs
    from companion.lab.training.small_faces import train_faces
    from companion.vision.cards.coins import NOTHING

    stock = _stock(None, "", seed)
    rng = np.random.default_rng(seed)
    drawn = [disc for _ in range(tables) for disc in sample_discs(stock, rng)]
    target = weights / "coins.onnx"
    train_faces(drawn, NOTHING + 1, target, any_way=True, epochs=epochs, batch=96, seed=seed, say=say)


def _stock(photo: Path | None, laid: str, seed: int) -> Stock:
    from companion.lab.training.card_stock import make_stock
    from companion.vision.load import load_photo

    owner = None if photo is None else (load_photo(photo), [line.split() for line in laid.split("/")])
    return make_stock(seed, owner, [], say)
