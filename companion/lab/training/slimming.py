"""A slim piece network out of the full one, layer by layer, so that training need not begin from nothing.

Of the channels that the slim network has fewer of those stay that count most (channel pruning, after He, Zhang and Sun,
2017). Then each layer in turn is fitted by least squares: given what the slim network has made of some boards so far,
it gives as nearly as it can what the full network's layer gives there.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import torch
from torch import Tensor, nn

from companion.lab.training.networks import PieceNet, piece_net, slim_piece_net
from companion.lab.training.pretrained import PRETRAINED
from companion.lab.training.restore import restore

PLACES = 2500
"""So many places of each board a layer is fitted to at most."""

RIDGE = 3e-3
"""How much a layer is held to the full network's weights, as a share of its inputs' mean square."""


class _Reached(Exception):
    """The layer that is looked at has been given its input; the rest need not be computed."""


def slim_from(exported: Path, boards: Sequence[Tensor]) -> PieceNet:
    """The slim network of the full one in an ONNX file, fitted to some boards (1, 3, H, W) of training."""
    full, slim = piece_net(), slim_piece_net()
    restore(full, exported, boards[0], boards)
    fit_slim(full.eval(), slim.eval(), boards)
    return slim


def fit_slim(full: PieceNet, slim: PieceNet, boards: Sequence[Tensor]) -> None:
    """Give a slim network the weights of the full one, fitted to boards (1, 3, H, W); both are as in use."""
    kept = _copy_kept(full, slim)
    modules = dict(slim.named_modules())
    wanted = _wanted(full, boards)
    with torch.no_grad():
        for name in _in_order(slim, boards[0]):
            places, outputs = wanted[name]
            layer, norm = modules[name], modules.get(_norm(name))
            assert isinstance(layer, nn.Conv2d)
            given = [_patches(slim, layer, board, at) for board, at in zip(boards, places, strict=True)]
            _fit(layer, norm, torch.cat(given), torch.cat(outputs)[:, kept[name]])


def _convolutions(network: nn.Module) -> dict[str, nn.Conv2d]:
    return {name: module for name, module in network.named_modules() if isinstance(module, nn.Conv2d)}


def _copy_kept(full: nn.Module, slim: nn.Module) -> dict[str, Tensor]:
    """Copy the weights that the slim network has room for; by convolution, which of the full one's outputs it has."""
    known, convolutions = _convolutions(full), _convolutions(slim)
    outputs = {name: torch.arange(layer.out_channels) for name, layer in convolutions.items()}
    inputs = {name: torch.arange(layer.weight.shape[1]) for name, layer in convolutions.items()}
    values = full.state_dict()
    for name, after in pairwise(convolutions):
        if convolutions[name].out_channels < known[name].out_channels:
            # What a channel adds to the next layer: by its weights there, and by how much it varies.
            counts = (
                known[after].weight.detach().flatten(2).norm(dim=2).norm(dim=0) * values[f"{_norm(name)}.weight"].abs()
            )
            outputs[name] = counts.topk(convolutions[name].out_channels).indices.sort().values
            inputs[after] = outputs[name]
    by_norm = {_norm(name): kept for name, kept in outputs.items()}
    with torch.no_grad():
        for name, value in slim.state_dict().items():
            part, _, field = name.rpartition(".")
            old = values[name]
            if part in convolutions:
                old = old[outputs[part]]
                old = old[:, inputs[part]] if field == "weight" else old
            elif part in by_norm and old.dim():
                old = old[by_norm[part]]
            value.copy_(old)
    return outputs


def _norm(convolution: str) -> str:
    """The name of the normalisation that takes what a convolution gives, where there is one."""
    parent, _, place = convolution.rpartition(".")
    return f"{parent}.{int(place) + 1}" if place.isdigit() else f"{parent}.norm"


def _in_order(network: nn.Module, board: Tensor) -> list[str]:
    """The names of a network's convolutions in the order of use, without those of the pretrained layers, which stay."""
    used: list[str] = []
    hooks = [
        layer.register_forward_hook(lambda _module, _given, _output, name=name: used.append(name))
        for name, layer in _convolutions(network).items()
        if not name.startswith(f"{PRETRAINED}.")
    ]
    network(board)
    for hook in hooks:
        hook.remove()
    return used


def _wanted(full: nn.Module, boards: Sequence[Tensor]) -> dict[str, tuple[list[Tensor], list[Tensor]]]:
    """Of each convolution by name some places on each board, and what it gives there (places, outputs)."""
    found: dict[str, tuple[list[Tensor], list[Tensor]]] = {name: ([], []) for name in _convolutions(full)}
    generator = torch.Generator().manual_seed(0)

    def keep(name: str, output: Tensor) -> None:
        if name.startswith(PRETRAINED):
            # The slim network's pretrained layers see the board at half its size.
            output = nn.functional.avg_pool2d(output, 2)
        output = output[0].flatten(1)
        at = torch.randperm(output.shape[1], generator=generator)[:PLACES]
        found[name][0].append(at)
        found[name][1].append(output[:, at].T.clone())

    hooks = [
        layer.register_forward_hook(lambda _module, _given, output, name=name: keep(name, output))
        for name, layer in _convolutions(full).items()
        if not name.startswith(f"{PRETRAINED}.")
    ]
    with torch.no_grad():
        for board in boards:
            full(board)
    for hook in hooks:
        hook.remove()
    return found


def _patches(network: nn.Module, layer: nn.Conv2d, board: Tensor, places: Tensor) -> Tensor:
    """What a layer of a network is given at these places of its output, (places, inputs)."""
    given: list[Tensor] = []

    def reached(_module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        given.append(inputs[0])
        raise _Reached

    hook = layer.register_forward_pre_hook(reached)
    with suppress(_Reached):
        network(board)
    hook.remove()
    around = nn.functional.unfold(given[0], layer.kernel_size, 1, layer.padding, layer.stride)  # type: ignore[arg-type]
    return around[0][:, places].T


def _fit(layer: nn.Conv2d, norm: nn.Module | None, given: Tensor, wanted: Tensor) -> None:
    """Set a layer's weights so that it makes of what it is given as nearly as it can what is wanted (ridge regression).

    What it is off in the mean goes into its bias, or into the mean that the normalisation after it takes away.
    """
    middle, offset = given.mean(0), wanted.mean(0)
    centred = given - middle
    before = layer.weight.flatten(1).T
    square = (centred.T @ centred).double()
    # Of few places no more is learnt than they tell.
    held = RIDGE * max(1.0, 100 * len(before) / len(given)) * float(square.diagonal().mean())
    lacking = (centred.T @ (wanted - offset - centred @ before)).double()
    change = torch.linalg.solve(square + held * torch.eye(len(square), dtype=torch.float64), lacking)
    after = before + change.float()
    layer.weight.copy_(after.T.reshape(layer.weight.shape))
    shift = offset - middle @ after
    if layer.bias is not None:
        layer.bias.copy_(shift)
    elif isinstance(norm, nn.BatchNorm2d):
        assert norm.running_mean is not None
        norm.running_mean.sub_(shift)
