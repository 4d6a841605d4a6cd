"""A quantised network answers nearly as before, in whole numbers but for its first layers and its heads."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from companion.lab.__main__ import main
from companion.lab.rendering.profiles import PROFILES
from companion.lab.rendering.render import draw_photo
from companion.lab.training.dataset import load_example, make_example, save_example
from companion.lab.training.networks import PieceNet
from companion.lab.training.quantise import IN_FLOAT
from companion.vision.board.pieces import OUTPUTS
from companion.vision.board.rectify import BOARD_SIZE_PX, rectify
from companion.vision.networks import normalise, open_network


@pytest.mark.filterwarnings("ignore")
def test_a_quantised_network_answers_nearly_as_before(tmp_path: Path) -> None:
    torch.manual_seed(1)
    source, target, example = tmp_path / "pieces.onnx", tmp_path / "small.onnx", tmp_path / "0.npz"
    torch.onnx.export(
        PieceNet(3, 5, (8, 8, 8, 8, 16)).eval(),
        (torch.zeros((1, 3, BOARD_SIZE_PX[1], BOARD_SIZE_PX[0])),),
        source,
        input_names=["picture"],
        output_names=list(OUTPUTS),
        opset_version=17,
        dynamo=False,
    )
    save_example(example, make_example(*draw_photo(np.random.default_rng(3), (480, 360), PROFILES["train"])))
    assert main(["quantise", str(source), str(tmp_path), str(target)]) == 0

    stored = load_example(example)
    board = {"picture": normalise(rectify(stored.picture, stored.homography))[None]}
    for before, after in zip(
        *(open_network(path.read_bytes()).run(OUTPUTS, board) for path in (source, target)), strict=True
    ):
        error, spread = np.abs(np.asarray(after) - np.asarray(before)).mean(), np.asarray(before).std()
        assert 0 < error < 0.1 * spread
    nodes = onnx.load(target).graph.node
    made = {node.output[0]: node.op_type for node in nodes}
    convolutions = {node.name: made.get(node.input[0]) for node in nodes if node.op_type == "Conv"}
    in_float = {name for name in convolutions if name.startswith(IN_FLOAT)}
    assert {f"/{name.split('/')[1]}/" for name in in_float} | {"/pretrained/stem/"} >= set(IN_FLOAT)
    assert {convolutions[name] for name in convolutions.keys() - in_float} == {"DequantizeLinear"}
