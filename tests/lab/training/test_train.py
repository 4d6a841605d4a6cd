"""Training goes on from stored weights, and parts that were added since learn at a rate of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from companion.lab.training.train import parameter_groups, resume


def small(*widths: int) -> nn.Sequential:
    torch.manual_seed(1)
    return nn.Sequential(*(nn.Linear(2, width) for width in widths))


def layer(network: nn.Sequential, number: int) -> nn.Linear:
    found = network[number]
    assert isinstance(found, nn.Linear)
    return found


def test_parts_added_since_keep_their_values_and_learn_faster(tmp_path: Path) -> None:
    before = small(3)
    nn.init.constant_(layer(before, 0).weight, 7.0)
    torch.save(before.state_dict(), tmp_path / "net.pt")
    grown = small(3, 4)
    fresh = layer(grown, 1).weight.detach().clone()
    known = resume(grown, tmp_path / "net.pt")
    assert known == {"0.weight", "0.bias"}
    kept = layer(grown, 0).weight
    assert torch.equal(kept, torch.full_like(kept, 7.0)) and torch.equal(layer(grown, 1).weight, fresh)
    old, new = parameter_groups([grown], known, 0.25)
    assert (old["share"], new["share"]) == (0.25, 1.0)
    assert [old["params"], new["params"]] == [list(grown[0].parameters()), list(grown[1].parameters())]


def test_without_stored_weights_all_are_new(tmp_path: Path) -> None:
    network = small(3)
    known = resume(network, tmp_path / "net.pt")
    assert known == frozenset()
    assert [group["share"] for group in parameter_groups([network], known, 0.25)] == [1.0]


def test_weights_of_another_network_are_refused(tmp_path: Path) -> None:
    torch.save(small(3, 4).state_dict(), tmp_path / "net.pt")
    with pytest.raises(RuntimeError, match="another network"):
        resume(small(3), tmp_path / "net.pt")
