"""The first blocks of EfficientNet-Lite0, trained on ImageNet: features that know more of the world than renders teach.

EfficientNet-Lite (Google, 2020, after "EfficientNet: Rethinking Model Scaling", 2019) is a network for phones: inverted
residual blocks (MobileNetV2, 2018) without squeeze-and-excitation, all convolutions and ReLU6. Its weights are free
under the Apache licence 2.0.
"""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

PRETRAINED = "pretrained"
"""The part of the piece network that these layers are, by its name in it."""

STEM_WIDTH = 32

STAGES = ((16, 1, 1, 3, 1), (24, 6, 2, 3, 2), (40, 6, 2, 5, 2), (80, 6, 3, 3, 2), (112, 6, 3, 5, 1))
"""Of each stage its features, how many times wider it is between, its blocks, their kernel, and the first one's stride.
Two stages more follow in the whole network, at a 32nd of the picture; most of its weights are theirs."""

TAPPED_STAGES = (1, 2, 3, 4)
"""The stages whose features are given: at a quarter, an eighth and twice at a 16th of the picture."""

NORM_EPSILON = 1e-3
"""That which the weights were trained with."""


def _conv(inputs: int, outputs: int, kernel: int, stride: int, groups: int = 1) -> list[nn.Module]:
    """A convolution padded as TensorFlow does: where it halves an even side, less before than after."""
    padding = kernel - stride
    before = padding // 2
    layers: list[nn.Module] = []
    if stride > 1:
        layers.append(nn.ZeroPad2d((before, padding - before, before, padding - before)))
    layers.append(
        nn.Conv2d(inputs, outputs, kernel, stride, 0 if stride > 1 else kernel // 2, groups=groups, bias=False)
    )
    return [*layers, nn.BatchNorm2d(outputs, NORM_EPSILON)]


class _InvertedResidual(nn.Module):
    """Widened, filtered channel by channel, narrowed; added to its input where both have one shape."""

    def __init__(self, inputs: int, outputs: int, expansion: int, kernel: int, stride: int) -> None:
        super().__init__()
        inner = inputs * expansion
        layers: list[nn.Module] = []
        if expansion > 1:
            layers += [*_conv(inputs, inner, 1, 1), nn.ReLU6(inplace=True)]
        layers += [*_conv(inner, inner, kernel, stride, inner), nn.ReLU6(inplace=True)]
        layers += _conv(inner, outputs, 1, 1)
        self.layers = nn.Sequential(*layers)
        self.is_residual = stride == 1 and inputs == outputs

    def forward(self, features: Tensor) -> Tensor:
        """The block's output."""
        result: Tensor = self.layers(features)
        return features + result if self.is_residual else result


class EfficientNetLite(nn.Module):
    """EfficientNet-Lite0 as far as a 16th of the picture."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(*_conv(3, STEM_WIDTH, 3, 2), nn.ReLU6(inplace=True))
        stages, width = [], STEM_WIDTH
        for outputs, expansion, blocks, kernel, stride in STAGES:
            first = _InvertedResidual(width, outputs, expansion, kernel, stride)
            others = (_InvertedResidual(outputs, outputs, expansion, kernel, 1) for _ in range(blocks - 1))
            stages.append(nn.Sequential(first, *others))
            width = outputs
        self.stages = nn.ModuleList(stages)

    def forward(self, picture: Tensor) -> tuple[Tensor, ...]:
        """Features of a batch of pictures (N, 3, H, W) of about 0-1, RGB: those of `TAPPED_STAGES`, in their order."""
        # It was trained on pictures from -1 to 1.
        features = self.stem(2 * picture - 1)
        tapped = []
        for number, stage in enumerate(self.stages):
            features = stage(features)
            if number in TAPPED_STAGES:
                tapped.append(features)
        return tuple(tapped)


def load_imagenet(network: EfficientNetLite, stored: Mapping[str, Tensor]) -> None:
    """Give it the weights `stored` by the names of the package `efficientnet-lite-pytorch`.

    Raises KeyError or RuntimeError for weights of another network.
    """
    parts: list[tuple[nn.Sequential, str]] = [(network.stem, "")]
    blocks = [block for block in network.stages.modules() if isinstance(block, _InvertedResidual)]
    parts += [(block.layers, f"_blocks.{number}.") for number, block in enumerate(blocks)]
    for part, prefix in parts:
        convolutions = [layer for layer in part if isinstance(layer, nn.Conv2d)]
        norms = [layer for layer in part if isinstance(layer, nn.BatchNorm2d)]
        # A block that does not widen lacks the first convolution, and its normalisations are numbered as if it had it.
        names = ("_expand_conv", "_depthwise_conv", "_project_conv") if prefix else ("_conv_stem",)
        numbers = range(3 - len(norms), 3) if prefix else range(1)
        for layer, name in zip(convolutions, names[len(names) - len(convolutions) :], strict=True):
            _copy(layer, stored, f"{prefix}{name}.")
        for norm, number in zip(norms, numbers, strict=True):
            _copy(norm, stored, f"{prefix}_bn{number}.")


def _copy(layer: nn.Module, stored: Mapping[str, Tensor], prefix: str) -> None:
    layer.load_state_dict({name: stored[prefix + name] for name in layer.state_dict()})
