"""Training goes on from stored weights, and parts of a network can rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from companion.errors import MissingDependencyError, UsageError
from companion.lab.rendering.profiles import PROFILES
from companion.lab.rendering.render import draw_photo
from companion.lab.training import losses, train
from companion.lab.training.dataset import make_example, save_example
from companion.lab.training.networks import locate_net, tile_net
from companion.lab.training.train import Plan, freeze_parts, freeze_statistics, resume, train_locate, usable_device


def small(*widths: int) -> nn.Sequential:
    torch.manual_seed(1)
    return nn.Sequential(*(nn.Linear(2, width) for width in widths))


def layer(network: nn.Sequential, number: int) -> nn.Linear:
    found = network[number]
    assert isinstance(found, nn.Linear)
    return found


def test_parts_added_since_keep_their_values(tmp_path: Path) -> None:
    before = small(3)
    nn.init.constant_(layer(before, 0).weight, 7.0)
    torch.save(before.state_dict(), tmp_path / "net.pt")
    grown = small(3, 4)
    fresh = layer(grown, 1).weight.detach().clone()
    resume(grown, tmp_path / "net.pt")
    kept = layer(grown, 0).weight
    assert torch.equal(kept, torch.full_like(kept, 7.0)) and torch.equal(layer(grown, 1).weight, fresh)


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    torch.save(small(3, 4).state_dict(), tmp_path / "net.pt")
    with pytest.raises(RuntimeError, match="another network"):
        resume(small(3), tmp_path / "net.pt")


def test_frozen_statistics_rest_while_the_weights_are_trained() -> None:
    network = nn.Sequential(nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4)).train()
    norm = network[1]
    assert isinstance(norm, nn.BatchNorm2d) and norm.running_mean is not None
    freeze_statistics(network)
    network(torch.randn(2, 3, 8, 8) + 5).sum().backward()
    assert torch.equal(norm.running_mean, torch.zeros(4)) and norm.weight.grad is not None


def test_the_statistics_of_frozen_parts_rest_too() -> None:
    network = tile_net().train()
    freeze_parts(network, ["looks", "numerals.down2"])
    before = {name: value.clone() for name, value in network.state_dict().items()}
    network(torch.rand(2, 3, 144, 144))
    changed = {name for name, value in network.state_dict().items() if not torch.equal(value, before[name])}
    assert changed and not any(name.startswith(("looks.", "numerals.down2.")) for name in changed)
    assert any(name.startswith("numerals.down4.") for name in changed)


@pytest.mark.parametrize("part", ["down3", "", "down", "head.weight.x"])
def test_parts_that_there_are_not_are_named(part: str) -> None:
    network = locate_net()
    with pytest.raises(UsageError, match=rf"no part {part}; it has .*down2, .*head"):
        freeze_parts(network, ["down2", part])
    assert all(parameter.requires_grad for parameter in network.parameters())


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    save_example(folder / "0.npz", make_example(*draw_photo(np.random.default_rng(3), (480, 360), PROFILES["train"])))
    return folder


def test_frozen_parts_stay_as_they_are(examples: Path, tmp_path: Path) -> None:
    plan = Plan(steps=2, batch=1, workers=0, frozen=("down2", "down4"), keep_statistics=True)
    torch.manual_seed(2)
    first = locate_net()
    torch.save(first.state_dict(), tmp_path / "locate.pt")
    train_locate(examples, tmp_path, plan, lambda line: None)
    after = torch.load(tmp_path / "locate.pt", weights_only=True)
    changed = {name.split(".")[0] for name, value in first.state_dict().items() if not torch.equal(value, after[name])}
    assert not {"down2", "down4"} & changed and {"down8", "head"} <= changed
    train_locate(examples, tmp_path, replace(plan, frozen=("down4.1",)), lambda line: None)
    again = torch.load(tmp_path / "locate.pt", weights_only=True)
    changed = {name.removesuffix(".0.weight") for name, value in after.items() if not torch.equal(value, again[name])}
    # A part of a part can be named as well.
    assert {"down2", "down4.0", "down8.0"} <= changed and "down4.1" not in changed


@pytest.mark.parametrize(("known", "dtype"), [(True, torch.bfloat16), (False, torch.float32)])
def test_half_precision_is_used_where_the_processor_knows_it(
    known: bool, dtype: torch.dtype, examples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loss, reckoned = losses.heat_loss, []

    def noted(logits: torch.Tensor, *target: torch.Tensor) -> torch.Tensor:
        reckoned.append(logits.dtype)
        return loss(logits, *target)

    monkeypatch.setattr(train, "heat_loss", noted)
    monkeypatch.setattr(train, "knows_bfloat16", lambda device: known)
    train_locate(examples, tmp_path, Plan(steps=1, batch=1, workers=0), lambda line: None)
    assert reckoned == [dtype]
    stored = torch.load(tmp_path / "locate.pt", weights_only=True)
    assert {value.dtype for value in stored.values() if value.is_floating_point()} == {torch.float32}


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("gpu", UsageError, "'gpu' is no device; write cpu, cuda or mps"),
        ("cuda:99", MissingDependencyError, "cuda:99 cannot be used here: .*; train with --device cpu"),
    ],
)
def test_a_device_that_is_not_there_is_told(name: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        usable_device(name)
