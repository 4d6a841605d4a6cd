"""Train the three networks of the board on stored examples, average and export them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from companion.errors import MissingDependencyError, UsageError
from companion.lab.training.batches import locate_sample, piece_sample, tile_sample
from companion.lab.training.dataset import example_pools, load_example, pick_example
from companion.lab.training.networks import locate_net, piece_net, tile_net
from companion.lab.training.pretrained import load_imagenet
from companion.lab.training.restore import restore
from companion.vision.board.pieces import GROUPS, PIECE_CLASSES
from companion.vision.board.rectify import BOARD_SIZE_PX
from companion.vision.board.tiles import CROP_PX, CROPS_A_BATCH
from companion.vision.numerics import Float32

FOCAL_ALPHA = 2.0
"""How much less a cell counts in the loss that is already right."""

FOCAL_BETA = 4.0
"""How much less a cell counts as "nothing here" the nearer it lies to a point."""

COUNT_WEIGHT = 0.5
"""Weight of the counts' loss beside the heat's."""

RARE = ("palm", "palace")
RARE_WEIGHT = 2.5
"""Weight of palms and palaces in the losses: there are ten meeples for each of them, and they look like anything."""

TURN_PROB = 0.5
"""Chance that a batch of boards is turned by a quarter: pieces lean every way."""

NUMERALS_ALONE = 0.7
"""Weight of the loss of what a tile's value and sign tell alone."""

TILES_A_BOARD = 24

PRETRAINED = "pretrained"
"""The piece network's part that was trained on ImageNet, by its name in it."""

RESCAN_AFTER = 400
"""Samples after which the folder of examples is listed again."""

STATISTICS_BATCHES = 70
"""So many batches of four boards the statistics of the averaged network are taken from."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How long and how a network is trained.

    `traced_share` of the samples are path-traced ones; None shows all examples alike. `known_rate` is the learning rate
    of weights that are trained further, as a share of that of new ones. With `keep_statistics` the batch normalisations
    use the statistics they have, as they do in use: those of four boards are noisy. The parts of the network named in
    `frozen`, such as `down2` or `pretrained.stages.0`, stay as they are. `device` is where it is trained, by PyTorch's
    name of it: `cpu`, `cuda` or `mps`.
    """

    steps: int
    batch: int
    peak_rate: float = 2e-3
    workers: int = 2
    seed: int = 0
    traced_share: float | None = None
    known_rate: float = 1.0
    keep_statistics: bool = False
    frozen: tuple[str, ...] = ()
    device: str = "cpu"


class Examples(IterableDataset[tuple[Float32, ...]]):
    """Endless samples from the stored examples of a folder in random order; newly stored ones are taken up."""

    def __init__(
        self,
        folder: Path,
        sample: Callable[[Path, np.random.Generator], tuple[Float32, ...]],
        seed: int,
        traced_share: float | None = None,
    ) -> None:
        self.folder = folder
        self.sample = sample
        self.seed = seed
        self.traced_share = traced_share

    def __iter__(self) -> Iterator[tuple[Float32, ...]]:
        worker = get_worker_info()
        torch.set_num_threads(1)
        rng = np.random.default_rng([self.seed, 0 if worker is None else worker.id])
        while True:
            pools = example_pools(sorted(self.folder.glob("*.npz")), self.traced_share)
            for _ in range(RESCAN_AFTER):
                yield self.sample(pick_example(pools, rng), rng)


def locate_arrays(path: Path, rng: np.random.Generator) -> tuple[Float32, ...]:
    """A sample for the locating network from a stored example."""
    picture, heat = locate_sample(load_example(path), rng)
    return picture, heat, np.ones((1, *heat.shape[1:]), dtype=np.float32)


def piece_arrays(path: Path, rng: np.random.Generator) -> tuple[Float32, ...]:
    """A sample for the piece network from a stored example."""
    return piece_sample(load_example(path), rng)


def tile_arrays(path: Path, rng: np.random.Generator) -> tuple[Float32, ...]:
    """Samples for the tile network from a stored example."""
    crops, classes = tile_sample(load_example(path), rng, TILES_A_BOARD)
    return crops, classes.astype(np.float32)


def heat_loss(logits: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """Focal loss of heatmaps (after CornerNet, 2018): points count in full, their surroundings little."""
    probabilities = torch.sigmoid(logits.float()).clamp(1e-5, 1 - 1e-5)
    is_point = (target > 0.999).float()
    hit = -((1 - probabilities) ** FOCAL_ALPHA) * torch.log(probabilities) * is_point
    miss = -((1 - target) ** FOCAL_BETA) * probabilities**FOCAL_ALPHA * torch.log(1 - probabilities) * (1 - is_point)
    return ((hit + miss) * weight).sum() / is_point.sum().clamp(min=1.0)


def count_loss(logits: Tensor, classes: Tensor) -> Tensor:
    """Cross entropy of the counts, summed over the groups, mean over tiles and boards."""
    total = torch.zeros((), device=logits.device)
    for number, group in enumerate(GROUPS):
        own = logits[:, group.first : group.first + group.size].float()
        importance = RARE_WEIGHT if group.kind in RARE else 1.0
        total = total + importance * nn.functional.cross_entropy(own, classes[:, number].long())
    return total


class _MovingAverage:
    """An exponential moving average of a network's weights: steadier than the last step's."""

    def __init__(self, network: nn.Module, decay: float = 0.998) -> None:
        self.network = network
        self.decay = decay
        self.state = {name: value.detach().clone() for name, value in network.state_dict().items()}
        self.steps = 0

    def update(self) -> None:
        self.steps += 1
        # Shorter at first: the first steps' weights are far from where they end.
        decay = min(self.decay, (1 + self.steps) / (10 + self.steps))
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

    Their batch normalisations keep their statistics too.
    """
    for name, module in network.named_modules():
        if any(f"{name}.".startswith(f"{part}.") for part in parts):
            module.eval().requires_grad_(False)


def _learning_rate(step: int, plan: Plan) -> float:
    """A linear warm-up of a hundred steps to the peak, then half a cosine down to a fiftieth of it."""
    warm_up = min(1.0, (step + 1) / 100)
    return plan.peak_rate * warm_up * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / plan.steps)))


def _optimise(
    networks: Sequence[nn.Module],
    stream: Examples,
    plan: Plan,
    losses: Callable[[Sequence[Tensor]], Tensor],
    folder: Path,
    names: Sequence[str],
    known: frozenset[str],
    say: Callable[[str], None],
) -> None:
    torch.manual_seed(plan.seed)
    device = usable_device(plan.device)
    for network in networks:
        network.to(device, memory_format=memory_format(device))  # type: ignore[call-overload]
    parameters = [parameter for network in networks for parameter in network.parameters()]
    optimiser = torch.optim.AdamW(
        parameter_groups(networks, known, plan.known_rate), lr=plan.peak_rate, weight_decay=1e-4
    )
    for network in networks:
        if plan.keep_statistics:
            freeze_statistics(network)
        freeze_parts(network, plan.frozen)
    averages = [_MovingAverage(network) for network in networks]
    loader = DataLoader(
        stream, batch_size=plan.batch, num_workers=plan.workers, prefetch_factor=3 if plan.workers else None
    )
    started, total = time.monotonic(), 0.0
    for step, batch in enumerate(loader):
        if step >= plan.steps:
            break
        for group in optimiser.param_groups:
            group["lr"] = group["share"] * _learning_rate(step, plan)
        with torch.autocast(device.type, torch.bfloat16, enabled=knows_bfloat16(device)):
            loss = losses([array.to(device, non_blocking=True) for array in batch])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(parameters, 5.0)
        optimiser.step()
        for average in averages:
            average.update()
        total += float(loss.detach())
        if (step + 1) % 50 == 0:
            pace = (time.monotonic() - started) / (step + 1)
            say(f"step {step + 1}/{plan.steps} loss {total / 50:.4f} {pace:.2f} s/step")
            total = 0.0
        if (step + 1) % 400 == 0 or step + 1 == plan.steps:
            for name, average in zip(names, averages, strict=True):
                torch.save({part: value.cpu() for part, value in average.state.items()}, folder / f"{name}.pt")


def train_locate(examples: Path, folder: Path, plan: Plan, say: Callable[[str], None]) -> None:
    """Train the locating network; its weights go to `folder`/locate.pt now and then and at the end."""
    network = locate_net()
    known = resume(network, folder / "locate.pt")
    network.train()

    def losses(batch: Sequence[Tensor]) -> Tensor:
        return heat_loss(network(_laid_out(batch[0])), batch[1], batch[2])

    _optimise(
        [network],
        Examples(examples, locate_arrays, plan.seed, plan.traced_share),
        plan,
        losses,
        folder,
        ["locate"],
        known,
        say,
    )


def train_pieces(examples: Path, folder: Path, plan: Plan, say: Callable[[str], None]) -> None:
    """Train the piece network; its weights go to `folder`/pieces.pt now and then and at the end."""
    network = piece_net()
    known = resume(network, folder / "pieces.pt")
    network.train()
    turns = np.random.default_rng(plan.seed)
    weights = [RARE_WEIGHT if kind in RARE else 1.0 for kind in PIECE_CLASSES]
    importance = torch.tensor(weights, device=usable_device(plan.device)).view(1, -1, 1, 1)

    def losses(batch: Sequence[Tensor]) -> Tensor:
        quarters = int(turns.random() < TURN_PROB)
        picture, heat, weight, counts = (torch.rot90(array, quarters, (2, 3)) for array in batch)
        heat_logits, count_logits, *_ = network(_laid_out(picture))
        return heat_loss(heat_logits, heat, weight * importance) + COUNT_WEIGHT * count_loss(count_logits, counts)

    _optimise(
        [network],
        Examples(examples, piece_arrays, plan.seed, plan.traced_share),
        plan,
        losses,
        folder,
        ["pieces"],
        known,
        say,
    )


def train_tiles(examples: Path, folder: Path, plan: Plan, say: Callable[[str], None]) -> None:
    """Train the tile network; its weights go to `folder`/tiles.pt now and then and at the end."""
    network = tile_net()
    known = resume(network, folder / "tiles.pt")
    network.train()

    def losses(batch: Sequence[Tensor]) -> Tensor:
        crops, classes = batch
        looks, numerals, _ = network.parts(_laid_out(crops.flatten(0, 1)))
        # Looks alone are soon right on what is trained on: value and sign are asked by themselves too.
        told = ((looks + numerals, 1.0), (numerals, NUMERALS_ALONE))
        target = classes.flatten().long()
        terms = [
            weight * nn.functional.cross_entropy(logits.float(), target, label_smoothing=0.02)
            for logits, weight in told
        ]
        return torch.stack(terms).sum()

    _optimise(
        [network],
        Examples(examples, tile_arrays, plan.seed, plan.traced_share),
        plan,
        losses,
        folder,
        ["tiles"],
        known,
        say,
    )


CPU = torch.device("cpu")


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
def knows_bfloat16(device: torch.device = CPU) -> bool:
    """Whether a device reckons with bfloat16: a step is then three times as fast, and else ten times as slow."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    capabilities = torch.cpu.get_capabilities() if device.type == "cpu" else {}
    return any(known is True for name, known in capabilities.items() if name.endswith("bf16"))


def memory_format(device: torch.device = CPU) -> torch.memory_format:
    """How pictures lie in memory where training is fastest: channels last with bfloat16, and one by one without."""
    return torch.channels_last if knows_bfloat16(device) else torch.contiguous_format


def _laid_out(pictures: Tensor) -> Tensor:
    return pictures.to(memory_format=memory_format(pictures.device))


def resume(network: nn.Module, path: Path) -> frozenset[str]:
    """Load what is stored of a network's weights, if anything is; the names of those.

    Parts that were added since keep the values they begin with. Raises RuntimeError for weights of another network.
    """
    if not path.exists():
        return frozenset()
    stored: dict[str, Tensor] = torch.load(path, map_location=CPU, weights_only=True)
    strange = network.load_state_dict(stored, strict=False).unexpected_keys
    if strange:
        raise RuntimeError(f"{path} has weights of another network: {', '.join(strange[:3])}")
    return frozenset(stored)


def put_imagenet(source: Path, folder: Path) -> None:
    """Write the weights of EfficientNet-Lite0 in the file `source` into `folder`/pieces.pt; others there stay.

    Raises KeyError or RuntimeError for a file of another network.
    """
    network = piece_net()
    load_imagenet(network.pretrained, torch.load(source, weights_only=True))
    path = folder / "pieces.pt"
    stored: dict[str, Tensor] = torch.load(path, weights_only=True) if path.exists() else {}
    # Its weights alone: what is not stored counts as new when training goes on.
    stored |= {f"{PRETRAINED}.{name}": value for name, value in network.pretrained.state_dict().items()}
    torch.save(stored, path)


def parameter_groups(
    networks: Sequence[nn.Module], known: frozenset[str], known_rate: float
) -> list[dict[str, object]]:
    """The weights by how fast they are trained: `share` is 1 for new ones, `known_rate` for those `known` by name."""
    named = [pair for network in networks for pair in network.named_parameters()]
    groups = (
        ([parameter for name, parameter in named if (name in known) is is_known], share)
        for is_known, share in ((True, known_rate), (False, 1.0))
    )
    return [{"params": parameters, "share": share} for parameters, share in groups if parameters]


def mean_weights(states: Sequence[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of the weights of networks of one make, by name."""
    return {
        name: torch.stack([state[name].float() for state in states]).mean(0).to(first.dtype)
        for name, first in states[0].items()
    }


def average_pieces(sources: Sequence[Path], examples: Path, target: Path, batches: int = STATISTICS_BATCHES) -> None:
    """Write `target`/pieces.pt, the mean of the sources' pieces.pt.

    The statistics of the batch normalisation belong to each network's own weights, so they are taken anew, from
    the examples; those of the pretrained layers, which are the same in all, stay.
    """
    network = piece_net()
    network.load_state_dict(mean_weights([torch.load(folder / "pieces.pt", weights_only=True) for folder in sources]))
    network.train().to(memory_format=memory_format())  # type: ignore[call-overload]
    network.pretrained.eval()
    norms = [
        module
        for name, module in network.named_modules()
        if isinstance(module, nn.BatchNorm2d) and not name.startswith(f"{PRETRAINED}.")
    ]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    loader = DataLoader(Examples(examples, piece_arrays, seed=0), batch_size=4)
    turns = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for number, (picture, *_) in enumerate(loader, 1):
            quarters = int(torch.rand((), generator=turns) < TURN_PROB)
            network(_laid_out(torch.rot90(picture, quarters, (2, 3))))
            if number == batches:
                break
    target.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), target / "pieces.pt")


NETWORKS: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...], list[str]]] = {
    "locate": (locate_net, (1, 3, 512, 512), ["scores"]),
    "pieces": (piece_net, (1, 3, BOARD_SIZE_PX[1], BOARD_SIZE_PX[0]), ["heat", "counts", "fine", "coarse"]),
    "tiles": (tile_net, (CROPS_A_BATCH, 3, CROP_PX, CROP_PX), ["scores", "features"]),
}
"""Each network by name, with the shape of its input in use and the names of its outputs."""


def export(folder: Path, target: Path) -> None:
    """Write the trained networks as ONNX files for OpenCV, their weights in half precision."""
    for name, (make, shape, outputs) in NETWORKS.items():
        stored = folder / f"{name}.pt"
        if not stored.exists():
            continue
        network = make()
        network.load_state_dict(torch.load(stored, weights_only=True))
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


def restore_all(source: Path, examples: Path, target: Path, batches: int = STATISTICS_BATCHES) -> None:
    """Write the weights that training goes on from for each exported network in `source`; see `restore.py`.

    Raises ValueError if a file is that of another network than today's.
    """
    target.mkdir(parents=True, exist_ok=True)
    samples = {"locate": locate_arrays, "pieces": piece_arrays, "tiles": tile_arrays}
    for name, (make, shape, _) in NETWORKS.items():
        exported = source / f"{name}.onnx"
        if not exported.exists():
            continue
        network = make()
        loader = DataLoader(Examples(examples, samples[name], seed=0), batch_size=4)
        pictures = (batch[0].flatten(0, -4) for batch in islice(loader, batches))
        restore(network, exported, torch.zeros(shape), pictures)
        torch.save(network.state_dict(), target / f"{name}.pt")


def with_paddings(model: onnx.ModelProto, paddings: Sequence[tuple[int, int, int, int]]) -> onnx.ModelProto:
    """The model with its layers of zero padding made part of the convolutions behind them, which saves copies.

    `paddings` are theirs in the order of use: left, right, top and bottom. PyTorch's convolutions know no padding that
    is wider on one side.
    """
    fused = onnx.ModelProto()
    fused.CopyFrom(model)
    nodes = list(fused.graph.node)
    layers = [node for node in nodes if node.op_type == "Pad"]
    for layer, (left, right, top, bottom) in zip(layers, paddings, strict=True):
        (convolution,) = (node for node in nodes if layer.output[0] in node.input)
        convolution.input[0] = layer.input[0]
        (pads,) = (attribute for attribute in convolution.attribute if attribute.name == "pads")
        pads.ints[:] = [top, left, bottom, right]
    needed = {output.name for output in fused.graph.output}
    kept = []
    # From the end: what nothing after it needs is left out, such as the sizes of those layers.
    for node in reversed(nodes):
        if needed & set(node.output):
            kept.append(node)
            needed |= set(node.input)
    del fused.graph.node[:]
    fused.graph.node.extend(reversed(kept))
    return fused


def halved(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with its large weights stored in half precision and cast back: half the size, the same answers."""
    small = onnx.ModelProto()
    small.CopyFrom(model)
    casts = []
    # Vectors stay whole: they are small, and batch normalisation needs their precision.
    for weights in small.graph.initializer:
        if weights.data_type == onnx.TensorProto.FLOAT and len(weights.dims) > 1:
            name = weights.name
            weights.CopyFrom(
                onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(weights).astype(np.float16), name + "_half")
            )
            casts.append(onnx.helper.make_node("Cast", [name + "_half"], [name], to=onnx.TensorProto.FLOAT))
    nodes = list(small.graph.node)
    del small.graph.node[:]
    small.graph.node.extend(casts + nodes)
    return small
