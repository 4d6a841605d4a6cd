"""The photo reader's three small networks, as PyTorch modules.

All take RGB pictures scaled to about 0-1 (see `companion.vision.networks.normalise`) in NCHW order.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def _conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class HeatmapNet(nn.Module):
    """A small U-shaped network from a picture to heatmaps at a quarter of its size.

    Used twice: to find tile corners and centres in a whole photo, and pieces on the rectified board.
    Output: (N, channels, H/4, W/4), logits of "one stands here".
    """

    def __init__(self, channels: int, widths: tuple[int, int, int, int, int]) -> None:
        super().__init__()
        first, second, third, fourth, fifth = widths
        self.down2 = _conv(3, first, 2)
        self.down4 = nn.Sequential(_conv(first, second, 2), _conv(second, second))
        self.down8 = nn.Sequential(_conv(second, third, 2), _conv(third, third))
        self.down16 = nn.Sequential(_conv(third, fourth, 2), _conv(fourth, fourth))
        self.down32 = nn.Sequential(_conv(fourth, fifth, 2), _conv(fifth, fifth))
        self.side32 = _conv(fifth, fourth, kernel=1)
        self.up16 = nn.Sequential(_conv(fourth, fourth), _conv(fourth, third, kernel=1))
        self.up8 = nn.Sequential(_conv(third, third), _conv(third, second, kernel=1))
        self.up4 = nn.Sequential(_conv(second, second), _conv(second, second))
        self.head = nn.Conv2d(second, channels, 1)
        # Almost nowhere stands anything: start from that, or the first steps are lost on it.
        nn.init.constant_(self.head.bias, -4.0)  # type: ignore[arg-type]
        self.grow = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, picture: Tensor) -> Tensor:
        """Heatmap logits of a batch of pictures."""
        at4 = self.down4(self.down2(picture))
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        at32 = self.down32(at16)
        at16 = self.up16(at16 + self.grow(self.side32(at32)))
        at8 = self.up8(at8 + self.grow(at16))
        at4 = self.up4(at4 + self.grow(at8))
        heat: Tensor = self.head(at4)
        return heat


class TileNet(nn.Module):
    """From a picture of one tile to logits over kind x quarter turn (index = kind * 4 + turn)."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _conv(3, 16, 2),
            _conv(16, 32, 2),
            _conv(32, 32),
            _conv(32, 64, 2),
            _conv(64, 64),
            _conv(64, 96, 2),
            _conv(96, 96, 2),
        )
        self.head = nn.Linear(96 * 3 * 3, classes)
        self.drop = nn.Dropout(0.2)

    def forward(self, picture: Tensor) -> Tensor:
        """Logits of a batch of tile pictures, 96 x 96 px."""
        logits: Tensor = self.head(self.drop(torch.flatten(self.features(picture), 1)))
        return logits


def locate_net() -> HeatmapNet:
    """The network that finds tile corners and tile centres in a whole photo."""
    return HeatmapNet(2, (16, 32, 48, 64, 96))


def piece_net() -> HeatmapNet:
    """The network that finds the pieces' feet on the rectified board, a channel a class."""
    return HeatmapNet(11, (24, 48, 64, 96, 128))


def tile_net() -> TileNet:
    """The network that tells a tile's kind and quarter turn."""
    return TileNet(8 * 4)
