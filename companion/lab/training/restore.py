"""Trainable weights out of an exported network, so that training can go on from what the program ships.

The export folds each batch normalisation into the convolution before it. Unfolding takes data: the mean and variance of
what a convolution gives, over examples, become the running statistics, and the scale and shift are set so that the
network answers as before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from companion.vision.numerics import Float32

Layer: TypeAlias = "nn.Conv2d | nn.Linear"


@dataclass(slots=True)
class _Folded:
    """A layer in the order of use, and the normalisation that was folded into it."""

    layer: Layer
    norm: nn.BatchNorm2d | None = None
    output: Tensor | None = None


def restore(network: nn.Module, path: Path, inputs: Tensor, batches: Iterable[Tensor]) -> None:
    """Give a network the weights of the ONNX file that was exported from one of its make.

    `inputs` is a picture of the shape that it takes; the statistics of the normalisations come from `batches`.
    Raises ValueError if the file is that of another network.
    """
    network.eval()
    layers = _in_order(network, inputs)
    stored = _stored(onnx.load(path))
    if len(stored) != len(layers):
        raise ValueError(f"{path} has {len(stored)} layers, the network {len(layers)}")
    with torch.no_grad():
        for folded, (weight, bias) in zip(layers, stored, strict=True):
            if tuple(folded.layer.weight.shape) != weight.shape:
                raise ValueError(f"{path} has a layer of {weight.shape} for {tuple(folded.layer.weight.shape)}")
            folded.layer.weight.copy_(torch.from_numpy(weight))
            target = folded.layer if folded.norm is None else folded.norm
            if target.bias is not None:
                target.bias.copy_(torch.from_numpy(np.zeros(len(weight), dtype=np.float32) if bias is None else bias))
        norms = [folded for folded in layers if folded.norm is not None]
        for folded in norms:
            assert folded.norm is not None
            folded.norm.weight.fill_(1.0)
            assert folded.norm.running_mean is not None and folded.norm.running_var is not None
            folded.norm.running_mean.zero_()
            folded.norm.running_var.fill_(1.0 - folded.norm.eps)
        for folded, (mean, variance) in zip(norms, _moments(network, norms, batches), strict=True):
            norm = folded.norm
            assert norm is not None and norm.running_mean is not None and norm.running_var is not None
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_(torch.sqrt(variance + norm.eps))
            norm.bias.add_(mean)


def _in_order(network: nn.Module, inputs: Tensor) -> list[_Folded]:
    """Its layers as they are used, each with the normalisation that takes what it gives."""
    layers: list[_Folded] = []

    def used(module: nn.Module, given: tuple[Tensor, ...], output: Tensor) -> None:
        if isinstance(module, nn.BatchNorm2d):
            (folded,) = (one for one in layers if one.output is given[0])
            folded.norm = module
        elif isinstance(module, (nn.Conv2d, nn.Linear)):
            layers.append(_Folded(module, output=output))

    hooks = [module.register_forward_hook(used) for module in network.modules()]
    with torch.no_grad():
        network(inputs)
    for hook in hooks:
        hook.remove()
    return layers


def _stored(model: onnx.ModelProto) -> list[tuple[Float32, Float32 | None]]:
    """Weight and bias of each layer of the file, in the order of use."""
    values = {array.name: onnx.numpy_helper.to_array(array).astype(np.float32) for array in model.graph.initializer}
    for node in model.graph.node:
        if node.op_type in ("Cast", "Identity") and node.input[0] in values:
            values[node.output[0]] = values[node.input[0]]
    weights: list[tuple[Float32, Float32 | None]] = []
    for node in model.graph.node:
        if node.op_type in ("Conv", "Gemm"):
            weights.append((values[node.input[1]], values[node.input[2]] if len(node.input) > 2 else None))
    return weights


def _moments(network: nn.Module, norms: list[_Folded], batches: Iterable[Tensor]) -> list[tuple[Tensor, Tensor]]:
    """Mean and variance of each channel that the normalisations are given, over all batches."""
    sums = [torch.zeros(3, folded.layer.weight.shape[0], dtype=torch.float64) for folded in norms]

    def add(total: Tensor, output: Tensor) -> None:
        # The mean and variance of one batch, and sums of those: squares summed in single precision would not hold.
        variance, mean = torch.var_mean(output, [axis for axis in range(output.dim()) if axis != 1], correction=0)
        count = torch.full((len(mean),), output.numel() // len(mean), dtype=torch.float64)
        mean, variance = mean.double(), variance.double()
        total += torch.stack([count, count * mean, count * (variance + mean**2)])

    hooks = [
        folded.layer.register_forward_hook(lambda _module, _given, output, total=total: add(total, output))
        for folded, total in zip(norms, sums, strict=True)
    ]
    for batch in batches:
        network(batch)
    for hook in hooks:
        hook.remove()
    moments = []
    for count, first, second in sums:
        mean = first / count
        moments.append((mean.float(), (second / count - mean**2).clamp(min=1e-8).float()))
    return moments
