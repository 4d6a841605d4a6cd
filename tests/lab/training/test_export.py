"""Exported networks are those that run next; folders without any are named, and nothing is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from companion.lab.__main__ import main
from companion.lab.training import export
from companion.lab.training.networks import locate_net
from companion.vision.networks import load_network


@pytest.fixture
def fresh_networks() -> Iterator[None]:
    """No network of another test is loaded, and none of this one afterwards."""
    load_network.cache_clear()
    yield
    load_network.cache_clear()


@pytest.mark.usefixtures("fresh_networks")
def test_networks_loaded_before_an_export_are_loaded_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "export", lambda weights, target: None)
    before = load_network("cards")
    assert main(["export", str(tmp_path), str(tmp_path)]) == 0
    assert load_network("cards") is not before


@pytest.mark.filterwarnings("ignore")
def test_the_networks_that_are_there_are_exported(tmp_path: Path) -> None:
    torch.save(locate_net().state_dict(), tmp_path / "locate.pt")
    assert main(["export", str(tmp_path), str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["locate.onnx"]


@pytest.mark.parametrize("name", ["empty", "missing"])
def test_folders_without_networks_are_named(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    examples, target, folder = tmp_path / "examples", tmp_path / "out", tmp_path / name
    for made in (examples, tmp_path / "empty"):
        made.mkdir()
    (examples / "0000001.npz").write_bytes(b"")
    assert main(["export", str(folder), str(target)]) == 4
    told = capsys.readouterr().err
    assert f"{folder} holds no network" in told and "locate.pt, pieces.pt, tiles.pt" in told
    assert main(["restore", str(folder), str(examples), str(target)]) == 4
    told = capsys.readouterr().err
    assert f"{folder} holds no network" in told and "locate.onnx, pieces.onnx, tiles.onnx" in told
    assert not target.exists()
