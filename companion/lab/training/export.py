"""The trained networks as ONNX files, and trainable ones out of such files again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn
from torch.utils.data import DataLoader

from companion.errors import UnusableInputError
from companion.lab.training.batches import locate_sample, piece_sample, tile_sample
from companion.lab.training.networks import locate_net, piece_net, tile_net
from companion.lab.training.restore import restore
from companion.lab.training.stream import Examples
from companion.vision.board.pieces import OUTPUTS
from companion.vision.board.rectify import BOARD_SIZE_PX
from companion.vision.board.tiles import CROP_PX, CROPS_A_BATCH

NETWORKS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...], list[str]]] = {
    "locate": (locate_net, (1, 3, 512, 512), ["scores"]),
    "pieces": (piece_net, (1, 3, BOARD_SIZE_PX[1], BOARD_SIZE_PX[0]), list(OUTPUTS)),
    "tiles": (tile_net, (CROPS_A_BATCH, 3, CROP_PX, CROP_PX), ["scores", "features"]),
}
"""Each network by name, with the shape of its input in use and the names of its outputs."""

STATISTICS_BATCHES = 70
"""Batches of examples that the statistics of batch normalisations are taken from."""


def export(folder: Path, target: Path) -> None:
    """Write the trained networks as ONNX files, their weights in half precision.

    Raises UnusableInputError if there is none in the folder.
    """
    stored = _networks_in(folder, ".pt")
    target.mkdir(parents=True, exist_ok=True)
    for name, file in stored.items():
        make, shape, outputs = NETWORKS[name]
        network = make()
        network.load_state_dict(torch.load(file, weights_only=True))
        network.eval()
        path = target / f"{name}.onnx"
        torch.onnx.export(
            network,
            (torch.zeros(shape),),
            path,
            input_names=["picture"],
            output_names=outputs,
            opset_version=17,
            dynamo=False,
        )
        paddings = [layer.padding for layer in network.modules() if isinstance(layer, nn.ZeroPad2d)]
        onnx.save(halved(with_paddings(onnx.load(path), paddings)), path)


def restore_all(source: Path, examples: Path, target: Path) -> None:
    """Write the weights that training goes on from for each exported network in `source`; see `restore.py`.

    Raises UnusableInputError if there is none, and ValueError if a file is that of another network than today's.
    """
    stored = _networks_in(source, ".onnx")
    target.mkdir(parents=True, exist_ok=True)
    samples = {"locate": locate_sample, "pieces": piece_sample, "tiles": tile_sample}
    for name, exported in stored.items():
        make, shape, _ = NETWORKS[name]
        network = make()
        loader = DataLoader(Examples(examples, samples[name], seed=0), batch_size=4)
        pictures = (batch[0].flatten(0, -4) for batch in islice(loader, STATISTICS_BATCHES))
        restore(network, exported, torch.zeros(shape), pictures)
        torch.save(network.state_dict(), target / f"{name}.pt")


def _networks_in(folder: Path, suffix: str) -> dict[str, Path]:
    """The files of those of `NETWORKS` that there are, by name. Raises UnusableInputError if there are none."""
    files = {name: folder / f"{name}{suffix}" for name in NETWORKS if (folder / f"{name}{suffix}").is_file()}
    if not files:
        expected = ", ".join(f"{name}{suffix}" for name in NETWORKS)
        raise UnusableInputError(f"{folder} holds no network; one of these must be there: {expected}")
    return files


def with_paddings(model: onnx.ModelProto, paddings: Sequence[tuple[int, int, int, int]]) -> onnx.ModelProto:
    """The model with its layers of zero padding made part of the convolutions behind them, which saves copies.

    `paddings` are theirs in the order of use: left, right, top and bottom. PyTorch's convolutions know no padding that
    is wider on one side.
    """
    nodes = list(model.graph.node)
    layers = [node for node in nodes if node.op_type == "Pad"]
    for layer, (left, right, top, bottom) in zip(layers, paddings, strict=True):
        (convolution,) = (node for node in nodes if layer.output[0] in node.input)
        convolution.input[0] = layer.input[0]
        (pads,) = (attribute for attribute in convolution.attribute if attribute.name == "pads")
        pads.ints[:] = [top, left, bottom, right]
    needed = {output.name for output in model.graph.output}
    needed_nodes = []
    # From the end: what nothing after it needs is left out, such as the sizes of those layers.
    for node in reversed(nodes):
        if needed & set(node.output):
            needed_nodes.append(node)
            needed |= set(node.input)
    del model.graph.node[:]
    model.graph.node.extend(reversed(needed_nodes))
    return model


def halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with its large weights stored in half precision and cast back: half the size, the same answers."""
    casts = []
    # Vectors stay whole: they are small, and batch normalisation needs their precision.
    for weights in model.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT and len(weights.dims) > 1:
            name = weights.name
            weights.CopyFrom(
                onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weights).astype(np.float16), name + "_half")
            )
            casts.append(onnx.helper.make_node("Cast", [name + "_half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend(casts + nodes)
    return model
