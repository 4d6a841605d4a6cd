"""Train the network that puts pictures of pieces as points: near, where they are of one kind of one owner.

Each step shows it owners (after "Prototypical Networks", 2017): pieces shown in one photo, and pieces of a board that
are to be told by them alone. Colours are turned anyhow for a whole owner, so that it cannot know what a merchant looks
like.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from companion.lab.training.owners import Pictures, load_owner
from companion.lab.training.train import halved
from companion.vision.board.likeness import CELL_MM, CROP_MM, NOTHING
from companion.vision.networks import MAX_LEVEL
from companion.vision.numerics import Float32

DIMENSIONS = 48
QUERIES = 44
OWNERS_A_STEP = 4
PLAIN, SWAPPED = 0.35, 0.25
"""Shares of owners in their own colours, and with the channels exchanged; the others have all hues turned."""

_UNSHOWN = -30.0


def _conv(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class LikenessNet(nn.Module):
    """From a piece's picture (N, 3, 24, 20) to a point (N, `DIMENSIONS`)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(_conv(3, 32), _conv(32, 64, 2), _conv(64, 96, 2), _conv(96, 96))
        self.fc = nn.Linear(96 * 6 * 5, DIMENSIONS)
        self.drop = nn.Dropout(0.1)
        self.nothing = nn.Parameter(torch.tensor(-3.0))

    def forward(self, pictures: Tensor) -> Tensor:
        """The points of a batch."""
        points: Tensor = self.fc(self.drop(torch.flatten(self.body(pictures), 1)))
        return points


def logits_of(shown: Tensor, classes: Tensor, seen: Tensor, nothing: Tensor) -> Tensor:
    """Logits (N, classes and `NOTHING`) of pieces seen by their squared distances to those shown."""
    squared = ((seen[:, None] - shown[None]) ** 2).sum(2)
    logits = torch.full((len(seen), NOTHING), _UNSHOWN)
    logits[:, classes] = -squared
    return torch.cat([logits, nothing.expand(len(seen), 1)], 1)


def draw_colours(rng: np.random.Generator) -> Callable[[Float32], Float32]:
    """What is done to all colours (..., 3) of an owner, in light relative to white."""
    draw = rng.random()
    if draw < PLAIN:
        return lambda light: light
    if draw < PLAIN + SWAPPED:
        order = rng.permutation(3)
        return lambda light: light[..., order]
    grey = np.ones(3) / np.sqrt(3)
    across = np.array([[0, -grey[2], grey[1]], [grey[2], 0, -grey[0]], [-grey[1], grey[0], 0]])
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.eye(3) + np.sin(angle) * across + (1 - np.cos(angle)) * across @ across
    onto = np.outer(grey, grey)
    turn = (onto + rng.uniform(0.6, 1.3) * (np.eye(3) - onto)) @ turn
    return lambda light: np.clip(light @ turn.T.astype(np.float32), 0, MAX_LEVEL)


def batch_of(seen: Pictures, rng: np.random.Generator, colours: Callable[[Float32], Float32]) -> Float32:
    """The network's input for pictures: moved and mirrored a little, under a light of their own."""
    light = seen.pictures.astype(np.float32) / seen.level.astype(np.float32)
    for number, picture in enumerate(light):
        down, across = int(rng.integers(-3, 4)), int(rng.integers(-2, 3))
        light[number] = np.roll(picture, (down, across), axis=(0, 1))
        if rng.random() < 0.5:
            light[number] = light[number, :, ::-1]
    light *= np.exp(rng.normal(0, 0.1) + rng.normal(0, 0.05, 3)).astype(np.float32)
    light *= np.exp(rng.normal(0, 0.05, (len(light), 1, 1, 1))).astype(np.float32)
    width, height = CROP_MM
    cells = light.reshape(len(light), height // CELL_MM, CELL_MM, width // CELL_MM, CELL_MM, 3).mean((2, 4))
    turned = colours(np.clip(cells, 0, MAX_LEVEL))
    return np.ascontiguousarray(np.sqrt(turned)[..., ::-1].transpose(0, 3, 1, 2), dtype=np.float32)


def picked(seen: Pictures, places: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Pictures:
    """Some of the pictures."""
    return Pictures(seen.pictures[places], seen.classes[places], seen.level)


def draw_queries(board: Pictures, rng: np.random.Generator) -> Pictures:
    """Some of a board's pieces; rare kinds are taken more often than they stand there."""
    weights = 1 / np.sqrt(np.bincount(board.classes, minlength=NOTHING + 1)[board.classes])
    count = min(QUERIES, len(board.classes))
    return picked(board, rng.choice(len(board.classes), count, replace=False, p=weights / weights.sum()))


def train_likeness(
    owners: Sequence[Path], target: Path, steps: int, seed: int, say: Callable[[str], None]
) -> LikenessNet:
    """Train the network on stored owners and write it to `target` as ONNX; its logit of nothing is said at the end."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = LikenessNet()
    network.train()
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=1e-3)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * min(1.0, (step + 1) / 50) * (0.03 + 0.97 * 0.5 * (1 + np.cos(np.pi * step / steps)))
        loss = torch.zeros(())
        for _ in range(OWNERS_A_STEP):
            shown, *boards = load_owner(owners[int(rng.integers(len(owners)))])
            queries, colours = draw_queries(boards[int(rng.integers(len(boards)))], rng), draw_colours(rng)
            both = np.concatenate([batch_of(shown, rng, colours), batch_of(queries, rng, colours)])
            points = network(torch.from_numpy(both))
            first, classes = len(shown.classes), torch.from_numpy(shown.classes)
            logits = logits_of(points[:first], classes, points[first:], network.nothing)
            loss = loss + nn.functional.cross_entropy(logits, torch.from_numpy(queries.classes)) / OWNERS_A_STEP
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        if (step + 1) % 50 == 0:
            say(f"step {step + 1}/{steps} loss {float(loss.detach()):.3f}")
    network.eval()
    width, height = CROP_MM
    torch.onnx.export(
        network,
        (torch.zeros(2, 3, height // CELL_MM, width // CELL_MM),),
        target,
        input_names=["pictures"],
        output_names=["points"],
        dynamic_axes={"pictures": {0: "pieces"}, "points": {0: "pieces"}},
        opset_version=17,
        dynamo=False,
    )
    onnx.save(halved(onnx.load(target)), target)
    say(f"likeness.NOTHING_LIKE = {float(network.nothing):.2f}")
    return network
