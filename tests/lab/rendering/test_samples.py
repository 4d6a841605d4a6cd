from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.errors import ExitStatus
from companion.lab.__main__ import main
from companion.notation.files import parse_position
from companion.rules.engine.legality import problems

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
PHOTOS = sorted(SAMPLES.glob("*.jpg"))
COMMANDS = [
    shlex.split(line)[3:]
    for line in (SAMPLES / "README.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("python -m companion.lab photo ")
]


def decoded(path: Path) -> NDArray[Any]:
    return np.asarray(cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR))


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda path: path.stem)
def test_every_sample_photo_has_its_truth_and_a_fair_size(photo: Path) -> None:
    position = parse_position(photo.with_suffix(".toml").read_text(encoding="utf-8"))
    assert problems(position) == []
    assert photo.stat().st_size < 900_000
    assert decoded(photo).shape[1] >= 2000


def test_the_readme_says_how_every_photo_is_made() -> None:
    assert {Path(command[2]).name for command in COMMANDS} == {photo.name for photo in PHOTOS}


def test_a_sample_photo_can_be_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = next(command for command in COMMANDS if "samples/mid.jpg" in command)
    again = tmp_path / "mid.jpg"
    monkeypatch.chdir(SAMPLES.parent)
    assert main([str(again) if part == "samples/mid.jpg" else part for part in command]) == ExitStatus.DONE
    kept, made = (
        cv2.resize(decoded(path), (600, 450), interpolation=cv2.INTER_AREA) for path in (SAMPLES / "mid.jpg", again)
    )
    # Another build of OpenCV may round otherwise here and there.
    assert np.abs(kept.astype(int) - made).mean() < 1
