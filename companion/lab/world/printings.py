"""Families of tile art: one set of pictures as other printings, other years and other printers would show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np

from companion.lab.rendering.textures import Floats, Image, rough_noise, smooth_noise
from companion.lab.rendering.tile_art import BADGE, DISC

Ink = Callable[[Floats, np.random.Generator], Floats]
"""What a printing makes of a picture (side, side, 3), BGR 0 to 1; the generator is the same for all tiles of a box."""


def _grey(picture: Floats) -> Floats:
    return np.asarray(picture @ np.array([0.114, 0.587, 0.299], np.float32), np.float32)[..., None]


def _saturated(picture: Floats, share: float) -> Floats:
    grey = _grey(picture)
    return np.asarray(grey + (picture - grey) * np.float32(share), np.float32)


def _as_drawn(picture: Floats, rng: np.random.Generator) -> Floats:
    return np.asarray(picture * np.float32(rng.uniform(0.92, 1.06)), np.float32)


def _faded(picture: Floats, rng: np.random.Generator) -> Floats:
    """Years in the sun: paler, and the blue lasts longest."""
    pale = _saturated(picture, float(rng.uniform(0.4, 0.75)))
    lifted = 1 - (1 - pale) * float(rng.uniform(0.5, 0.8))
    return np.asarray(lifted * np.exp(rng.normal(0, 0.04, 3)), np.float32)


def _deep(picture: Floats, rng: np.random.Generator) -> Floats:
    """Much ink: dark and full colours."""
    full = np.maximum(_saturated(picture, float(rng.uniform(1.0, 1.3))), 0)
    return np.asarray(full ** float(rng.uniform(1.3, 2.0)), np.float32)


def _toned(picture: Floats, rng: np.random.Generator) -> Floats:
    """Another paper: cream, pink, greenish or cold."""
    return np.asarray(picture * (0.94 * np.exp(rng.normal(0, 0.045, 3))), np.float32)


def _pale(picture: Floats, rng: np.random.Generator) -> Floats:
    """A pale ground on which white pieces hardly show."""
    ground = np.array([0.86, 0.92, 0.95]) * np.exp(rng.normal(0, 0.03, 3))
    share = float(rng.uniform(0.35, 0.6))
    far = np.clip(np.abs(picture - np.median(picture, axis=(0, 1))).max(2, keepdims=True) * 2.2, 0, 1)
    return np.asarray(picture * (1 - share * (1 - far)) + ground * share * (1 - far), np.float32)


def _worn(picture: Floats, rng: np.random.Generator) -> Floats:
    """Scuffed edges, scratches and a stain."""
    side = picture.shape[0]
    across = np.abs(np.linspace(-1, 1, side, dtype=np.float32))
    edge = np.maximum(across[None], across[:, None])
    scuff = np.clip((edge - 0.9) / 0.1 + 0.5 * rough_noise(rng, (side, side), 4, 12), 0, 1) * (edge > 0.86)
    marks = np.zeros((side, side), np.float32)
    for _ in range(int(rng.integers(2, 14))):
        start = rng.integers(0, side, 2)
        end = start + rng.normal(0, side / 6, 2)
        cv2.line(marks, start.tolist(), end.astype(int).tolist(), float(rng.uniform(0.1, 0.5)), 1, cv2.LINE_AA)
    bare = np.clip(np.maximum(0.7 * scuff, marks), 0, 1)[..., None]
    stained = picture * (1 - 0.12 * np.clip(smooth_noise(rng, (side, side), (3, 3)), 0, 1))[..., None]
    return np.asarray(stained * (1 - bare) + np.float32(0.84) * bare, np.float32)


def _inked(picture: Floats, rng: np.random.Generator) -> Floats:
    """Flat colours within heavy lines."""
    flat = np.asarray(cv2.bilateralFilter(picture, 7, 0.25, 5), np.float32)
    lines = cv2.Laplacian(cv2.GaussianBlur(_grey(picture)[..., 0], (0, 0), 1.2), cv2.CV_32F, ksize=3)
    dark = np.clip(1 - float(rng.uniform(3, 7)) * np.maximum(lines, 0), 0.15, 1)[..., None]
    levels = float(rng.integers(4, 9))
    grey = np.maximum(_grey(flat), 0.02)
    # Steps of brightness alone: steps of each colour would turn parchment pink and green.
    return np.asarray(flat * (np.maximum(np.round(grey * levels), 0.5) / levels / grey) * dark, np.float32)


def _signs(side: int) -> Floats:
    """Where value, builders' mark and badge are, 0 to 1: what every printing has to keep apart by colour."""
    mask = np.zeros((side, side), np.float32)
    for (x, y), reach in ((DISC, 0.14), (BADGE, 0.2), ((0.95, 0.045), 0.05)):
        cv2.circle(mask, (round(x * side), round(y * side)), round(reach * side), 1.0, -1)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), side / 120), np.float32)[..., None]


def _engraved(picture: Floats, rng: np.random.Generator) -> Floats:
    """Brown hatching on paper, the signs in colour."""
    side = picture.shape[0]
    grey = cv2.GaussianBlur(_grey(picture)[..., 0], (0, 0), side / 200)
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    step = side / float(rng.uniform(90, 130))
    hatch = 0.5 + 0.5 * np.sin(2 * np.pi * (x + y) / step)
    drawn = np.clip((grey - 0.35 * hatch - 0.12) * 3, 0, 1)[..., None]
    paper, ink = np.array([0.8, 0.88, 0.92]), np.array([0.14, 0.22, 0.34])
    signs = _signs(side)
    return np.asarray((ink + (paper - ink) * drawn) * (1 - signs) + picture * signs, np.float32)


def _moonlit(picture: Floats, rng: np.random.Generator) -> Floats:
    """The country by night: blue and dark, the signs as bright as ever."""
    signs = _signs(picture.shape[0])
    night = _grey(picture) ** 1.6 * np.array([0.72, 0.5, 0.36]) * float(rng.uniform(0.8, 1.1))
    night = 0.8 * night + 0.2 * picture * 0.5
    return np.asarray(night * (1 - signs) + picture * signs, np.float32)


def _home_printed(picture: Floats, rng: np.random.Generator) -> Floats:
    """Printed at home and cut by hand: white paper, a white margin, streaks, colours that do not quite meet."""
    side = picture.shape[0]
    margin = float(rng.uniform(0.015, 0.05))
    streaks = 1 + 0.05 * smooth_noise(rng, (side, side), (60, 2))[..., None]
    layers = [np.roll(picture[..., k], (int(rng.integers(-2, 3)), int(rng.integers(-2, 3))), (0, 1)) for k in range(3)]
    printed = np.clip(1 - (1 - np.dstack(layers)) * 0.82 * streaks, 0, 1)
    across = np.abs(np.linspace(-1, 1, side, dtype=np.float32))
    edge = (np.maximum(across[None], across[:, None]) > 1 - 2 * margin)[..., None]
    return np.asarray(np.where(edge, np.float32(0.95), printed), np.float32)


PRINTINGS: Mapping[str, Ink] = {
    "as-drawn": _as_drawn,
    "faded": _faded,
    "deep": _deep,
    "toned": _toned,
    "pale": _pale,
    "worn": _worn,
    "inked": _inked,
    "engraved": _engraved,
    "moonlit": _moonlit,
    "home-printed": _home_printed,
}
"""What a printing makes of tile art, by family."""


def printed(picture: Image, family: str, seed: int) -> Image:
    """A tile's picture (BGR uint8) as that printing shows it; the seed is the box's."""
    light = np.asarray(picture / np.float32(255), np.float32)
    ink = PRINTINGS[family](light, np.random.default_rng(seed))
    return np.asarray(np.clip(ink * 255, 0, 255), np.uint8)
