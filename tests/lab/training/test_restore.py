"""Weights made out of an exported network answer as it does, and can be trained further."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import onnx
import pytest
import torch
from torch import nn

from companion.lab.training.networks import HeatmapNet, PieceNet, TileNet
from companion.lab.training.restore import restore

WIDTHS = (4, 6, 8, 8, 10)


def trained(network: nn.Module, shape: tuple[int, ...]) -> nn.Module:
    """The network after a few batches, its statistics no longer those it began with."""
    torch.manual_seed(3)
    network.train()
    with torch.no_grad():
        for number in range(5):
            network(torch.randn(shape) * (1 + number) + 0.3 * number)
    return network.eval()


def exported(network: nn.Module, shape: tuple[int, ...], path: Path) -> Path:
    torch.onnx.export(network, (torch.zeros(shape),), path, opset_version=17, dynamo=False)
    return path


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (lambda: HeatmapNet(2, WIDTHS), (2, 3, 64, 64)),
        (lambda: TileNet(8), (2, 3, 144, 144)),
        (lambda: PieceNet(3, 5, (8, 8, 8, 8, 16)), (2, 3, 512, 768)),
    ],
)
def test_a_restored_network_answers_as_the_exported_one(
    make: Callable[[], nn.Module], shape: tuple[int, ...], tmp_path: Path
) -> None:
    first = trained(make(), shape)
    other = make()
    restore(other, exported(first, shape, tmp_path / "network.onnx"), torch.zeros(shape), [torch.randn(shape)])
    other.eval()
    picture = torch.randn(shape)
    with torch.no_grad():
        told, again = (
            answer if isinstance(answer, tuple) else (answer,) for answer in (first(picture), other(picture))
        )
    assert all(torch.allclose(one, two, atol=1e-4) for one, two in zip(told, again, strict=True))
    variances = [value for name, value in other.state_dict().items() if name.endswith("running_var")]
    assert variances and not any(torch.allclose(value, torch.ones_like(value)) for value in variances)


@pytest.mark.filterwarnings("ignore")
def test_the_file_of_another_network_is_refused(tmp_path: Path) -> None:
    path = exported(trained(TileNet(8), (2, 3, 144, 144)), (2, 3, 144, 144), tmp_path / "tiles.onnx")
    assert onnx.load(path)
    with pytest.raises(ValueError, match="layers"):
        restore(HeatmapNet(2, WIDTHS), path, torch.zeros((2, 3, 64, 64)), [])
