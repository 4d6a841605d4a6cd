"""The samples: each photo with the position that it shows, and the command that drew it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.notation.files import parse_position
from companion.rules.engine.legality import problems

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
README = (SAMPLES / "README.md").read_text(encoding="utf-8")


def test_every_sample_photo_has_its_truth_its_command_and_a_fair_size() -> None:
    photos = sorted(SAMPLES.glob("*.jpg"))
    assert photos
    for photo in photos:
        assert problems(parse_position(photo.with_suffix(".toml").read_text(encoding="utf-8"))) == []
        assert f"photo samples/{photo.stem}.toml samples/{photo.name} --scenario" in README
        picture = cv2.imdecode(np.frombuffer(photo.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None and picture.shape[1] >= 2000 and photo.stat().st_size < 900_000
