"""Networks trained on from the same weights become one: the mean of their weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from companion.lab.training.devices import laid_out, memory_format
from companion.lab.training.networks import piece_net
from companion.lab.training.pretrained import PRETRAINED
from companion.lab.training.stream import TURN_PROB, Examples, piece_arrays

STATISTICS_BATCHES = 70
"""So many batches of four boards the statistics of the averaged network are taken from."""


def mean_weights(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of the weights of networks of one make, by name."""
    return {
        name: torch.stack([state[name].float() for state in states]).mean(0).to(first.dtype)
        for name, first in states[0].items()
    }


def average_pieces(sources: Sequence[Path], examples: Path, target: Path, batches: int = STATISTICS_BATCHES) -> None:
    """Write `target`/pieces.pt, the mean of the sources' pieces.pt.

    The statistics of the batch normalisation belong to each network's own weights, so they are taken anew, from
    the examples; those of the pretrained layers, which are the same in all, stay.
    """
    network = piece_net()
    network.load_state_dict(mean_weights([torch.load(folder / "pieces.pt", weights_only=True) for folder in sources]))
    network.train().to(memory_format=memory_format())  # type: ignore[call-overload]
    network.pretrained.eval()
    norms = [
        module
        for name, module in network.named_modules()
        if isinstance(module, nn.BatchNorm2d) and not name.startswith(f"{PRETRAINED}.")
    ]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    loader = DataLoader(Examples(examples, piece_arrays, seed=0), batch_size=4)
    turns = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for number, (picture, *_) in enumerate(loader, 1):
            quarters = int(torch.rand((), generator=turns) < TURN_PROB)
            network(laid_out(torch.rot90(picture, quarters, (2, 3))))
            if number == batches:
                break
    target.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), target / "pieces.pt")
