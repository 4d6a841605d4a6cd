"""The photo reader's three small networks, as PyTorch modules.

All take RGB pictures scaled to about 0-1 (see `companion.vision.networks.normalise`) in NCHW order.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from companion.lab.training.pretrained import STAGES, TAPPED_STAGES, EfficientNetLite
from companion.vision.board.pieces import COUNT_LOGITS, PIECE_CLASSES
from companion.vision.board.rectify import TILE_PX
from companion.vision.board.tiles import TILE_CLASSES
from companion.vision.networks import HEAT_STRIDE

CELLS_A_TILE = TILE_PX // HEAT_STRIDE

ATTENTION_HEADS = 4
"""Ways in which a cell of the board is compared with the others."""

NUMERAL_HEADS = 4
"""Places of a tile that are looked at: its value, its sign, and what tells which way up it lies."""

TOGETHER = 96
"""Width of the layer in which a tile's value and sign are put together."""

LOOKS_WEIGHT = 0.5
"""How much a tile's looks count beside value and sign. On tiles in the styles of training, kept apart, whole and half
came to the same; half is wrong less often where a printing's looks are known to nobody."""

PEAK_SHARPNESS = 50.0
"""How fast a cell beside a peak of heat stops counting as one."""


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


class _Residual(nn.Module):
    """Two convolutions whose output is added to their input (a residual block); begins as the identity.

    `inner` is the width between them, where it is not that of the features themselves.
    """

    def __init__(self, channels: int, inner: int | None = None) -> None:
        super().__init__()
        inner = channels if inner is None else inner
        self.first = _conv(channels, inner)
        self.second = nn.Conv2d(inner, channels, 3, 1, 1, bias=False)
        self.norm = nn.BatchNorm2d(channels)
        nn.init.zeros_(self.norm.weight)
        self.relu = nn.ReLU(inplace=True)

    def forward(self, features: Tensor) -> Tensor:
        """The features with the block's output added."""
        result: Tensor = self.relu(features + self.norm(self.second(self.first(features))))
        return result


class _SelfAttention(nn.Module):
    """Multi-head self-attention over the cells (after "Attention Is All You Need", 2017); begins as the identity.

    All palms of a box are cut and painted alike, and so are its meeples: what is hard to tell on one tile stands in
    full view on another.
    """

    def __init__(self, channels: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query_key_value = nn.Conv2d(channels, 3 * channels, 1)
        self.output = nn.Conv2d(channels, channels, 1, bias=False)
        nn.init.zeros_(self.output.weight)

    def forward(self, features: Tensor) -> Tensor:
        """The features with the block's output added."""
        boards, channels, rows, columns = features.shape
        projected = self.query_key_value(features).reshape(
            boards, 3, self.heads, channels // self.heads, rows * columns
        )
        query, key, value = projected[:, 0], projected[:, 1], projected[:, 2]
        # Scaled by the root of a head's width, so that the softmax does not saturate at the start.
        weights = torch.softmax(query.transpose(2, 3) @ key * (channels // self.heads) ** -0.5, 3)
        attended = (value @ weights.transpose(2, 3)).reshape(boards, channels, rows, columns)
        result: Tensor = features + self.output(attended)
        return result


def _silent(inputs: int, outputs: int) -> nn.Conv2d:
    """A convolution of one cell that gives nothing at first, so that it can be added to a network already trained."""
    layer = nn.Conv2d(inputs, outputs, 1)
    nn.init.zeros_(layer.weight)
    nn.init.zeros_(layer.bias)  # type: ignore[arg-type]
    return layer


class PieceNet(HeatmapNet):
    """Heat of the pieces' feet, and how many of each kind of piece every tile holds.

    Takes a rectified board (N, 3, H, W), `TILE_PX` a tile, with its rim of half a tile. Output: heat logits
    (N, 11, H/4, W/4), and logits (N, COUNT_LOGITS, rows, columns) over the numbers on each tile, see
    `companion.vision.board.pieces`.

    24 GMAC a look, which quantised (`quantise`) cost as much as 16 would in single precision.
    """

    def __init__(self, channels: int, counts: int, widths: tuple[int, int, int, int, int]) -> None:
        super().__init__(channels, widths)
        first, second, third, fourth, fifth = widths
        self.more4 = _Residual(second)
        self.more8 = nn.Sequential(*(_Residual(third) for _ in range(2)))
        self.more16 = nn.Sequential(*(_Residual(fourth) for _ in range(4)))
        self.more32 = _Residual(fifth)
        self.attention = _SelfAttention(fifth, ATTENTION_HEADS)
        self.more32_again = _Residual(fifth)
        # Once more: what a cell has gathered from the whole board is compared in turn.
        self.attention_again = _SelfAttention(fifth, ATTENTION_HEADS)
        self.more32_last = _Residual(fifth)
        # Wider between than without: room for shapes, where it costs least.
        self.wide8 = nn.Sequential(*(_Residual(third, 2 * third) for _ in range(2)))
        self.wide16 = nn.Sequential(*(_Residual(fourth, 2 * fourth) for _ in range(3)))
        self.wide32 = _Residual(fifth, 2 * fifth)
        self.back8 = _Residual(second, 2 * second)
        # What photos of all the world have taught; the zero weights make it begin without effect.
        self.pretrained = EfficientNetLite()
        at4, at8, *at16 = (STAGES[stage][0] for stage in TAPPED_STAGES)
        self.pretrained4 = _silent(at4, second)
        self.pretrained8 = _silent(at8, third)
        self.pretrained16 = _silent(sum(at16), fourth)
        self.pool = nn.MaxPool2d(2)
        self.count16 = _conv(second + channels, 96, 2)
        self.count32 = _conv(96 + third, 128, 2)
        self.count64 = nn.Sequential(_conv(128, 144, 2), _Residual(144))
        self.more_count16 = nn.Sequential(*(_Residual(96, 192) for _ in range(2)))
        self.more_count32 = _Residual(128, 192)
        self.count_tile = nn.Sequential(
            nn.Conv2d(144, 192, 2, 2, bias=False), nn.BatchNorm2d(192), nn.ReLU(inplace=True), nn.Dropout2d(0.1)
        )
        # How many palms touch is told by what one alone looks like, on whichever tile it stands.
        self.count_attention = _SelfAttention(192, ATTENTION_HEADS)
        self.count_head = nn.Conv2d(192, counts, 1)
        # Detections counted one by one correct the counts; the zero weights make it begin without effect.
        self.peak_pool = nn.MaxPool2d(3, 1, 1)
        self.over_tile = nn.AvgPool2d(CELLS_A_TILE)
        self.correction = nn.Sequential(nn.Conv2d(192 + 2 * channels, 160, 1), nn.ReLU(inplace=True))
        self.correction_head = nn.Conv2d(160, counts, 1, bias=False)
        nn.init.zeros_(self.correction_head.weight)

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # type: ignore[override]
        """Heat logits and count logits of a batch of boards; features, fine ones beside the heat and coarse ones.

        The features (N, 48, H/4, W/4) and (N, 112, H/8, W/8) are what pieces are compared by
        (`board.piece_embeddings`).
        """
        known4, known8, *known16 = self.pretrained(picture)
        at4 = self.more4(self.down4(self.down2(picture))) + self.pretrained4(known4)
        before8 = self.more8(self.down8(at4)) + self.pretrained8(known8)
        at8 = self.wide8(before8)
        at16 = self.more16(self.down16(at8)) + self.pretrained16(torch.cat(known16, 1))
        at16 = self.wide16(at16)
        at32 = self.more32_again(self.attention(self.more32(self.down32(at16))))
        at32 = self.wide32(self.more32_last(self.attention_again(at32)))
        at16 = self.up16(at16 + self.grow(self.side32(at32)))
        at8 = self.back8(self.up8(at8 + self.grow(at16)))
        at4 = self.up4(at4 + self.grow(at8))
        heat: Tensor = self.head(at4)
        probabilities = torch.sigmoid(heat.detach())
        counted = self.count16(torch.cat([at8, self.pool(probabilities)], 1))
        counted = self.more_count32(self.count32(torch.cat([self.more_count16(counted), at16], 1)))
        # The rim of half a tile is one cell by now: what is left is two cells a tile.
        tiles = self.count_attention(self.count_tile(self.count64(counted)[:, :, 1:-1, 1:-1]))
        peaks = probabilities * torch.relu(1 - PEAK_SHARPNESS * (self.peak_pool(probabilities) - probabilities))
        rim = CELLS_A_TILE // 2
        detections = [self.over_tile(cells[:, :, rim:-rim, rim:-rim]) for cells in (peaks, probabilities)]
        # Means over a tile times its cells: the number of peaks, and heat that is about one a piece.
        features = torch.cat([tiles, detections[0] * CELLS_A_TILE**2, detections[1] * CELLS_A_TILE], 1)
        counts: Tensor = self.count_head(tiles) + self.correction_head(self.correction(features))
        return heat, counts, at4, torch.cat([at8, before8], 1)


class _Looks(nn.Module):
    """What a tile looks like as a whole, small: its pictures are known in the printing that was trained on most."""

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
        # Residual blocks that begin by changing nothing: they were added to a network already trained.
        self.more8 = _Residual(64)
        self.more16 = _Residual(96)
        self.head = nn.Linear(96 * 3 * 3, classes)
        self.drop = nn.Dropout(0.2)

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and features of a batch of tile pictures, 96 x 96 px."""
        at8 = self.more8(self.features[:5](picture))
        at16 = self.more16(self.features[5](at8))
        features = torch.flatten(self.features[6](at16), 1)
        logits: Tensor = self.head(self.drop(features))
        return logits, features


class _Numerals(nn.Module):
    """Reads a tile's value and sign wherever they stand: features of every place, weighed by attention over places.

    Its first layers are made like the piece network's, so that training can begin with what those have learnt.
    """

    def __init__(self, classes: int, heads: int) -> None:
        super().__init__()
        self.down2 = _conv(3, 24, 2)
        self.down4 = nn.Sequential(_conv(24, 48, 2), _conv(48, 48))
        self.more4 = _Residual(48)
        self.down8 = nn.Sequential(_conv(48, 64, 2), _conv(64, 64))
        self.more8 = nn.Sequential(_Residual(64), _Residual(64))
        self.wide8 = nn.Sequential(_conv(64, 96), _Residual(96))
        # Begin by changing nothing: they were added to a network already trained.
        self.deep8 = nn.Sequential(_Residual(96), _Residual(96))
        self.where = nn.Conv2d(96, heads, 1)
        self.drop = nn.Dropout(0.1)
        self.what = nn.Linear(96 * heads, classes)
        # Value and sign together, beside what each says for itself.
        self.together = nn.Sequential(nn.Linear(96 * heads, TOGETHER), nn.ReLU(inplace=True))
        self.together_what = nn.Linear(TOGETHER, classes)
        nn.init.zeros_(self.together_what.weight)
        nn.init.zeros_(self.together_what.bias)

    def forward(self, picture: Tensor) -> Tensor:
        """Logits of a batch of tile pictures, 144 x 144 px."""
        at8 = self.deep8(self.wide8(self.more8(self.down8(self.more4(self.down4(self.down2(picture)))))))
        weights = torch.softmax(self.where(at8).flatten(2), 2)
        pooled = self.drop((weights @ at8.flatten(2).transpose(1, 2)).flatten(1))
        logits: Tensor = self.what(pooled) + self.together_what(self.together(pooled))
        return logits


class TileNet(nn.Module):
    """From a picture of one tile to logits over kind x quarter turn (index = kind * 4 + turn), and "none of these".

    Two parts add their evidence: what the tile looks like as a whole, and its value and sign read wherever they stand,
    which are what printings have in common (rules 1.1). The second output are the features (N, 864) of its looks:
    tiles of one kind and printing are near one another in them, so that an owner's own tiles can be known by a picture
    of each.
    """

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.looks = _Looks(classes)
        self.numerals = _Numerals(classes, NUMERAL_HEADS)

    def forward(self, picture: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and features of a batch of tile pictures, 144 x 144 px."""
        looks, numerals, features = self.parts(picture)
        return LOOKS_WEIGHT * looks + numerals, features

    def parts(self, picture: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Logits by looks, logits by value and sign, and features."""
        looks, features = self.looks(nn.functional.interpolate(picture, size=(96, 96), mode="bilinear"))
        return looks, self.numerals(picture), features


def locate_net() -> HeatmapNet:
    """The network that finds tile corners and tile centres in a whole photo."""
    return HeatmapNet(2, (16, 32, 48, 64, 96))


def piece_net() -> PieceNet:
    """The network that finds the pieces' feet on the rectified board, a channel a class, and counts them."""
    return PieceNet(len(PIECE_CLASSES), COUNT_LOGITS, (24, 48, 64, 96, 128))


def tile_net() -> TileNet:
    """The network that tells a tile's kind and quarter turn, or that it is none of the box."""
    return TileNet(TILE_CLASSES)
