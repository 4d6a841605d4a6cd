"""Photos in other tones show what was hard to see, and nothing else."""

from __future__ import annotations

import numpy as np

from companion.vision.tone import with_gamma, with_local_contrast


def test_local_contrast_lifts_what_lies_in_a_shadow_and_keeps_its_colours() -> None:
    rng = np.random.default_rng(4)
    scene = np.clip(rng.normal((60, 90, 150), 12, (128, 128, 3)), 0, 255)
    scene[:, :64] *= 0.4
    shadowed = scene.astype(np.uint8)
    lifted = with_local_contrast(shadowed, limit=2.5, squares=4)
    before, after = shadowed[:, :60].reshape(-1, 3), lifted[:, :60].reshape(-1, 3)
    assert after.std(axis=0).min() > 1.5 * before.std(axis=0).max()
    assert np.all(np.diff(after.mean(axis=0)) > 0), "still red, then green, then blue"


def test_gamma_spreads_what_is_pale_and_leaves_black_and_white() -> None:
    levels = np.repeat(np.array([[0, 200, 250, 255]], np.uint8)[..., None], 3, axis=2)
    dark = with_gamma(levels, 1.6)[0, :, 1].astype(int)
    assert dark[[0, 3]].tolist() == [0, 255]
    assert dark[2] - dark[1] > 70, "they lay 50 apart"
