"""Train the three networks of the board on stored examples."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pickle import UnpicklingError

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader

from companion.errors import MissingDependencyError, UnusableInputError, UsageError
from companion.lab.training.batches import locate_sample, piece_sample, tile_sample
from companion.lab.training.losses import COUNT_WEIGHT, RARE, RARE_WEIGHT, count_loss, heat_loss, teaching_loss
from companion.lab.training.networks import locate_net, piece_net, tile_net
from companion.lab.training.pretrained import PRETRAINED, load_imagenet
from companion.lab.training.stream import Examples
from companion.vision.board.pieces import PIECE_CLASSES

CPU = torch.device("cpu")

SAVED_EVERY = 50
"""Steps after which the loss is told, and weights and all that a halted training needs to go on are stored."""

TURN_PROB = 0.5
"""Chance that a batch of boards is turned by a quarter: pieces lean every way."""

AVERAGE_DECAY = 0.998

NUMERALS_ALONE = 0.7
"""Weight of the loss of what a tile's value and sign tell alone."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how a network is trained.

    `traced_share` of the samples are path-traced ones; None shows all examples alike. With `keep_statistics` the batch
    normalisations use the statistics they have, as they do in use: those of four boards are noisy. The parts of the
    network named in `frozen`, such as `down2` or `pretrained.stages.0`, stay as they are. `device` is where it is
    trained, by PyTorch's name of it: `cpu`, `cuda` or `mps`. A piece network that is `taught` learns from lessons too
    (`lessons.py`).
    """

    steps: int
    batch: int
    peak_rate: float = 2e-3
    workers: int = 2
    seed: int = 0
    traced_share: float | None = None
    keep_statistics: bool = False
    frozen: tuple[str, ...] = ()
    device: str = "cpu"
    taught: bool = False


class _MovingAverage:
    """An exponential moving average of a network's weights: steadier than the last step's."""

    def __init__(self, network: nn.Module) -> None:
        self.network = network
        self.state = {name: value.detach().clone() for name, value in network.state_dict().items()}
        self.steps = 0

    def update(self) -> None:
        self.steps += 1
        # Shorter at first: the first steps' weights are far from where they end.
        decay = min(AVERAGE_DECAY, (1 + self.steps) / (10 + self.steps))
        for name, value in self.network.state_dict().items():
            if value.dtype.is_floating_point:
                self.state[name].mul_(decay).add_(value.detach(), alpha=1 - decay)
            else:
                self.state[name].copy_(value)


def freeze_statistics(network: nn.Module) -> None:
    """Let the batch normalisations of a network in training use the statistics they have, and leave these alone."""
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()


def freeze_parts(network: nn.Module, parts: Sequence[str]) -> None:
    """Leave the parts of a network in training that are named, such as `down2` or `pretrained.stages.0`, as they are.

    Their batch normalisations keep their statistics too. Raises UsageError for a part that there is not.
    """
    there = {name for name, _ in network.named_modules() if name}
    if strange := [part for part in parts if part not in there]:
        names = ", ".join(name for name, _ in network.named_children())
        raise UsageError(f"the network has no part {', '.join(strange)}; it has {names}, and parts of these")
    for name, module in network.named_modules():
        if any(f"{name}.".startswith(f"{part}.") for part in parts):
            module.eval().requires_grad_(False)


def usable_device(name: str) -> torch.device:
    """A device by PyTorch's name of it. Raises UsageError for no name, MissingDependencyError for one not there."""
    try:
        device = torch.device(name)
    except RuntimeError:
        raise UsageError(f"{name!r} is no device; write cpu, cuda or mps") from None
    try:
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        reason = str(error).partition("\n")[0]
        raise MissingDependencyError(f"{name} cannot be used here: {reason}; train with --device cpu") from None
    return device


@cache
def knows_bfloat16(device: torch.device) -> bool:
    """Whether a device reckons with bfloat16: a step is then three times as fast, and else ten times as slow."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    capabilities = torch.cpu.get_capabilities() if device.type == "cpu" else {}
    return any(known is True for name, known in capabilities.items() if name.endswith("bf16"))


def memory_format(device: torch.device) -> torch.memory_format:
    """How pictures lie in memory where training is fastest: channels last with bfloat16, and one by one without."""
    return torch.channels_last if knows_bfloat16(device) else torch.contiguous_format


def laid_out(pictures: Tensor) -> Tensor:
    return pictures.to(memory_format=memory_format(pictures.device))


def _learning_rate(step: int, plan: Plan) -> float:
    """A linear warm-up of a hundred steps to the peak, then half a cosine down to a fiftieth of it."""
    warm_up = min(1.0, (step + 1) / 100)
    return plan.peak_rate * warm_up * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / plan.steps)))


def _optimise(
    name: str,
    network: nn.Module,
    loss_of: Callable[[Sequence[Tensor]], Tensor],
    stream: Examples,
    plan: Plan,
    folder: Path,
    say: Callable[[str], None],
) -> None:
    """Train a network on a stream's samples; its weights go to `folder`/NAME.pt now and then and at the end."""
    resume(network, folder / f"{name}.pt")
    torch.manual_seed(plan.seed)
    device = usable_device(plan.device)
    network.train().to(device, memory_format=memory_format(device))  # type: ignore[call-overload]
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.peak_rate, weight_decay=1e-4)
    if plan.keep_statistics:
        freeze_statistics(network)
    freeze_parts(network, plan.frozen)
    average = _MovingAverage(network)
    halted = folder / f"{name}.halted"
    done = _go_on(halted, network, average, optimiser) if halted.exists() else 0
    # Other samples than those before it was halted.
    stream.seed += done
    loader = DataLoader(
        stream, batch_size=plan.batch, num_workers=plan.workers, prefetch_factor=3 if plan.workers else None
    )
    started, total = time.monotonic(), 0.0
    for step, batch in enumerate(loader, done):
        if step >= plan.steps:
            break
        for group in optimiser.param_groups:
            group["lr"] = _learning_rate(step, plan)
        with torch.autocast(device.type, torch.bfloat16, enabled=knows_bfloat16(device)):
            loss = loss_of([array.to(device, non_blocking=True) for array in batch])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        average.update()
        total += float(loss.detach())
        is_whole = (step + 1) % SAVED_EVERY == 0
        if is_whole:
            pace = (time.monotonic() - started) / (step + 1 - done)
            say(f"step {step + 1}/{plan.steps} loss {total / SAVED_EVERY:.4f} {pace:.2f} s/step")
            total = 0.0
        if is_whole or step + 1 == plan.steps:
            torch.save({part: value.cpu() for part, value in average.state.items()}, folder / f"{name}.pt")
            part = halted.with_name(f"{halted.name}.part")
            torch.save((step + 1, network.state_dict(), average.state, average.steps, optimiser.state_dict()), part)
            part.replace(halted)
    halted.unlink(missing_ok=True)


def _go_on(halted: Path, network: nn.Module, average: _MovingAverage, optimiser: torch.optim.Optimizer) -> int:
    """Take up training where it was when a file was written; the number of steps done."""
    done, state, average.state, average.steps, optimised = torch.load(halted, map_location=CPU, weights_only=True)
    network.load_state_dict(state)
    optimiser.load_state_dict(optimised)
    return int(done)


def train_locate(examples: Path, folder: Path, plan: Plan, say: Callable[[str], None]) -> None:
    """Train the locating network."""
    network = locate_net()

    def loss(batch: Sequence[Tensor]) -> Tensor:
        return heat_loss(network(laid_out(batch[0])), batch[1], batch[2])

    stream = Examples(examples, locate_sample, plan.seed, plan.traced_share)
    _optimise("locate", network, loss, stream, plan, folder, say)


def train_pieces(examples: Path, folder: Path, plan: Plan, say: Callable[[str], None]) -> None:
    """Train the piece network."""
    network = piece_net()
    turns = np.random.default_rng(plan.seed)
    weights = [RARE_WEIGHT if kind in RARE else 1.0 for kind in PIECE_CLASSES]
    importance = torch.tensor(weights, device=usable_device(plan.device)).view(1, -1, 1, 1)

    def loss(batch: Sequence[Tensor]) -> Tensor:
        quarters = int(turns.random() < TURN_PROB)
        picture, heat, weight, counts, *said = (torch.rot90(array, quarters, (2, 3)) for array in batch)
        outputs = network(laid_out(picture))
        loss = heat_loss(outputs[0], heat, weight * importance) + COUNT_WEIGHT * count_loss(outputs[1], counts)
        return loss + teaching_loss(outputs, said, counts) if said else loss

    stream = Examples(examples, piece_sample, plan.seed, plan.traced_share, taught=plan.taught)
    _optimise("pieces", network, loss, stream, plan, folder, say)


def train_tiles(examples: Path, folder: Path, plan: Plan, say: Callable[[str], None]) -> None:
    """Train the tile network."""
    network = tile_net()

    def loss(batch: Sequence[Tensor]) -> Tensor:
        crops, classes = batch
        looks, numerals, _ = network.parts(laid_out(crops.flatten(0, 1)))
        # Looks alone are soon right on what is trained on: value and sign are asked by themselves too.
        weighted = ((looks + numerals, 1.0), (numerals, NUMERALS_ALONE))
        target = classes.flatten().long()
        terms = [
            weight * nn.functional.cross_entropy(logits.float(), target, label_smoothing=0.02)
            for logits, weight in weighted
        ]
        return torch.stack(terms).sum()

    stream = Examples(examples, tile_sample, plan.seed, plan.traced_share)
    _optimise("tiles", network, loss, stream, plan, folder, say)


TRAINERS = {"locate": train_locate, "pieces": train_pieces, "tiles": train_tiles}
"""What trains each network, its weights going to its name with .pt in a folder."""


def resume(network: nn.Module, path: Path) -> None:
    """Load what is stored of a network's weights, if anything is.

    Parts that were added since keep the values they begin with. Raises RuntimeError for weights of another network.
    """
    if not path.exists():
        return
    stored = torch.load(path, map_location=CPU, weights_only=True)
    if strange := network.load_state_dict(stored, strict=False).unexpected_keys:
        raise RuntimeError(f"{path} has weights of another network: {', '.join(strange[:3])}")


def put_imagenet(source: Path, folder: Path) -> None:
    """Write the weights of EfficientNet-Lite0 in the file `source` into `folder`/pieces.pt; others there stay.

    Raises UnusableInputError for a file of anything else.
    """
    network = piece_net()
    try:
        load_imagenet(network.pretrained, torch.load(source, weights_only=True))
    except (UnpicklingError, EOFError, KeyError, TypeError, RuntimeError) as error:
        raise UnusableInputError(
            f"{source} does not hold EfficientNet-Lite0's weights; see docs/training.md"
        ) from error
    path = folder / "pieces.pt"
    stored: dict[str, Tensor] = torch.load(path, weights_only=True) if path.exists() else {}
    stored |= {f"{PRETRAINED}.{name}": value for name, value in network.pretrained.state_dict().items()}
    torch.save(stored, path)
