"""A piece network in whole numbers of 8 bits: the same answers for six tenths of the work, in half the file.

Ranges of activations are measured on boards (static quantisation). Weights are scaled by output channel and take 7
bits, so that processors without VNNI, which add up pairs of products in 16 bits, answer as those with it do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import onnx
from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from companion.lab.training.dataset import load_example
from companion.vision.board.rectify import rectify
from companion.vision.networks import normalise
from companion.vision.numerics import Float32

BOARDS = 8
"""How many boards are enough: it's the ranges that count."""

IN_FLOAT = ("/pretrained/stem/", "/down2/", "/head/", "/count_head/", "/correction/", "/correction_head/")
"""What the picture goes in by and the answers come out of stays in single precision; it takes little time."""

QUANTISED = ("Conv", "Add", "Relu", "Clip", "Concat", "Resize", "MaxPool", "AveragePool")
"""Operations that are quantised: not the softmax of attention, nor what is multiplied by it."""


class _Boards(CalibrationDataReader):
    """Rectified boards of examples, one at a time, as the network takes them."""

    def __init__(self, examples: Sequence[Path]) -> None:
        self._boards = self._rectified(examples)

    @staticmethod
    def _rectified(examples: Sequence[Path]) -> Iterator[dict[str, Float32]]:
        for path in examples:
            example = load_example(path)
            yield {"picture": normalise(rectify(example.picture, example.homography))[None]}

    def get_next(self) -> dict[str, Float32] | None:
        """The next board, None after the last."""
        return next(self._boards, None)


def quantise(source: Path, examples: Sequence[Path], target: Path) -> None:
    """Write the exported piece network `source` to `target`, quantised on `BOARDS` of the examples."""
    spread = examples[:: max(len(examples) // BOARDS, 1)][:BOARDS]
    with TemporaryDirectory() as folder:
        folded = Path(folder) / "folded.onnx"
        _fold_constants(source, folded)
        nodes = onnx.load(folded).graph.node
        quantize_static(
            folded,
            target,
            _Boards(spread),
            quant_format=QuantFormat.QDQ,
            op_types_to_quantize=list(QUANTISED),
            nodes_to_exclude=[node.name for node in nodes if node.name.startswith(IN_FLOAT)],
            per_channel=True,
            reduce_range=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )


def _fold_constants(source: Path, target: Path) -> None:
    """Write a network with all that depends on no picture worked out: its weights are cast from half precision."""
    settings = SessionOptions()
    settings.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_BASIC
    settings.optimized_model_filepath = str(target)
    InferenceSession(source, settings, providers=["CPUExecutionProvider"])
