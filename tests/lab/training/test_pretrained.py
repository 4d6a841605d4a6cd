"""The layers trained on ImageNet: loaded by name, they work as a plain twin does, and others rest on them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from companion.lab.__main__ import main
from companion.lab.training.export import with_paddings
from companion.lab.training.networks import PieceNet, piece_net
from companion.lab.training.pretrained import EfficientNetLite, load_imagenet
from companion.lab.training.train import resume
from companion.vision.networks import open_network

# Inputs, outputs, expansion, kernel and stride of each block, as the paper's table and its "Lite" revision list them.
BLOCKS = [
    (32, 16, 1, 3, 1),
    (16, 24, 6, 3, 2),
    (24, 24, 6, 3, 1),
    (24, 40, 6, 5, 2),
    (40, 40, 6, 5, 1),
    (40, 80, 6, 3, 2),
    (80, 80, 6, 3, 1),
    (80, 80, 6, 3, 1),
    (80, 112, 6, 5, 1),
    (112, 112, 6, 5, 1),
    (112, 112, 6, 5, 1),
]

GIVEN = (2, 4, 7, 10)
"""The last blocks of the stages whose features are given."""


def norm_weights(name: str, channels: int) -> dict[str, Tensor]:
    return {
        f"{name}.weight": torch.rand(channels) + 0.5,
        f"{name}.bias": torch.randn(channels) * 0.1,
        f"{name}.running_mean": torch.randn(channels) * 0.1,
        f"{name}.running_var": torch.rand(channels) + 0.5,
        f"{name}.num_batches_tracked": torch.tensor(7),
    }


def filters(outputs: int, inputs: int, kernel: int) -> Tensor:
    return torch.randn(outputs, inputs, kernel, kernel) * (2 / (inputs * kernel**2)) ** 0.5


@pytest.fixture(scope="module")
def stored() -> dict[str, Tensor]:
    """Weights by the names of the package that carries the trained ones; those of later layers are not needed."""
    torch.manual_seed(5)
    weights = {"_conv_stem.weight": filters(32, 3, 3), **norm_weights("_bn0", 32), "_fc.bias": torch.zeros(1000)}
    for number, (inputs, outputs, expansion, kernel, _) in enumerate(BLOCKS):
        block, inner = f"_blocks.{number}.", inputs * expansion
        if expansion > 1:
            weights |= {f"{block}_expand_conv.weight": filters(inner, inputs, 1), **norm_weights(f"{block}_bn0", inner)}
        weights |= {
            f"{block}_depthwise_conv.weight": filters(inner, 1, kernel),
            **norm_weights(f"{block}_bn1", inner),
            f"{block}_project_conv.weight": filters(outputs, inner, 1),
            **norm_weights(f"{block}_bn2", outputs),
        }
    return weights


def plain(stored: dict[str, Tensor], picture: Tensor) -> list[Tensor]:
    """The features as the paper tells them, straight from the stored weights, with TensorFlow's padding."""

    def convolved(features: Tensor, name: str, norm: str, stride: int = 1, groups: int = 1) -> Tensor:
        weight = stored[f"{name}.weight"]
        total = max(weight.shape[2] - stride, 0)
        features = functional.pad(features, (total // 2, total - total // 2) * 2)
        features = functional.conv2d(features, weight, stride=stride, groups=groups)
        mean, variance, scale, shift = (
            stored[f"{norm}.{part}"][:, None, None] for part in ("running_mean", "running_var", "weight", "bias")
        )
        return (features - mean) / torch.sqrt(variance + 1e-3) * scale + shift

    features = convolved(picture * 2 - 1, "_conv_stem", "_bn0", 2).clamp(0, 6)
    given = []
    for number, (inputs, outputs, expansion, _, stride) in enumerate(BLOCKS):
        block, inner = f"_blocks.{number}.", features
        if expansion > 1:
            inner = convolved(inner, f"{block}_expand_conv", f"{block}_bn0").clamp(0, 6)
        inner = convolved(inner, f"{block}_depthwise_conv", f"{block}_bn1", stride, inputs * expansion).clamp(0, 6)
        inner = convolved(inner, f"{block}_project_conv", f"{block}_bn2")
        features = features + inner if stride == 1 and inputs == outputs else inner
        if number in GIVEN:
            given.append(features)
    return given


def test_loaded_weights_work_as_the_plain_twin(stored: dict[str, Tensor]) -> None:
    network = EfficientNetLite()
    load_imagenet(network, stored)
    picture = torch.rand(2, 3, 96, 128)
    with torch.no_grad():
        found = network.eval()(picture)
    twin = plain(stored, picture)
    assert [tuple(one.shape) for one in found] == [(2, 24, 24, 32), (2, 40, 12, 16), (2, 80, 6, 8), (2, 112, 6, 8)]
    assert all(torch.allclose(one, other, atol=1e-3) for one, other in zip(found, twin, strict=True))
    assert all(one.std() > 0.1 for one in found)


def test_weights_of_another_network_are_refused(stored: dict[str, Tensor]) -> None:
    with pytest.raises(KeyError, match=r"_blocks\.3\._expand_conv"):
        load_imagenet(EfficientNetLite(), {name: v for name, v in stored.items() if "3._expand_conv" not in name})
    with pytest.raises(RuntimeError, match="size mismatch"):
        load_imagenet(EfficientNetLite(), stored | {"_conv_stem.weight": torch.zeros(40, 3, 3, 3)})


def test_a_network_grown_by_them_answers_as_before(stored: dict[str, Tensor]) -> None:
    torch.manual_seed(1)
    network = PieceNet(3, 5, (8, 8, 8, 8, 16)).eval()
    picture = torch.rand(1, 3, 512, 768)
    with torch.no_grad():
        before = network(picture)
        load_imagenet(network.pretrained, stored)
        after = network(picture)
        torch.nn.init.ones_(network.pretrained8.weight)
        used = network(picture)
    assert all(torch.equal(one, other) for one, other in zip(before, after, strict=True))
    assert not torch.equal(before[0], used[0])


@pytest.mark.filterwarnings("ignore")
def test_exported_without_layers_of_padding_it_answers_the_same(stored: dict[str, Tensor], tmp_path: Path) -> None:
    network, picture = EfficientNetLite().eval(), torch.rand(1, 3, 96, 128)
    load_imagenet(network, stored)
    names = [f"features{number}" for number in range(4)]
    path = tmp_path / "lite.onnx"
    torch.onnx.export(
        network, (picture,), path, input_names=["picture"], output_names=names, opset_version=17, dynamo=False
    )
    paddings = [layer.padding for layer in network.modules() if isinstance(layer, torch.nn.ZeroPad2d)]
    assert paddings == [(0, 1, 0, 1), (0, 1, 0, 1), (1, 2, 1, 2), (0, 1, 0, 1)]
    fused = with_paddings(onnx.load(path), paddings)
    assert "Pad" in {node.op_type for node in onnx.load(path).graph.node}
    assert {node.op_type for node in fused.graph.node} == {"Constant", "Mul", "Sub", "Conv", "Clip", "Add"}
    onnx.save(fused, path)
    answers = open_network(path.read_bytes()).run(names, {"picture": picture.numpy()})
    with torch.no_grad():
        told = network(picture)
    assert all(np.allclose(one, other, atol=1e-3) for one, other in zip(answers, told, strict=True))


def test_they_are_put_beside_what_was_learnt(stored: dict[str, Tensor], tmp_path: Path) -> None:
    torch.save(stored, tmp_path / "lite.pth")
    learnt = {"head.bias": torch.full((11,), 7.0)}
    torch.save(learnt, tmp_path / "pieces.pt")
    assert main(["imagenet", str(tmp_path / "lite.pth"), str(tmp_path)]) == 0
    network = piece_net()
    resume(network, tmp_path / "pieces.pt")
    now = network.state_dict()
    assert torch.equal(now["head.bias"], learnt["head.bias"])
    assert torch.equal(now["pretrained.stem.1.weight"], stored["_conv_stem.weight"])


@pytest.mark.parametrize("content", [b"", b"# A page", b"PK"])
def test_other_files_than_their_weights_are_named(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "lite.pth"
    source.write_bytes(content)
    assert main(["imagenet", str(source), str(tmp_path)]) == 4
    assert f"{source} does not hold EfficientNet-Lite0's weights" in capsys.readouterr().err
    torch.save({"other.weight": torch.zeros(3)}, source)
    assert main(["imagenet", str(source), str(tmp_path)]) == 4
    assert not (tmp_path / "pieces.pt").exists()
