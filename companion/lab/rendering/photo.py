"""From light to a phone's picture: lens, exposure, tint, noise, sharpening, JPEG."""

from __future__ import annotations

import cv2
import numpy as np

from companion.lab.rendering.camera import View
from companion.lab.rendering.scene import Look
from companion.lab.rendering.textures import Floats, Image

_NOISE_SIDE = 512
_COARSE = 32

_BRIGHTEST = 1.0
"""Light (1 is white before the shoulder) that all of a picture but its brightest spots is let up to."""


def bend(picture: Floats, view: View) -> Floats:
    """The picture as the lens bends it."""
    if view.barrel == 0:
        return picture
    width, height = view.size
    u, v = np.meshgrid(np.linspace(0, width, width // _COARSE + 2), np.linspace(0, height, height // _COARSE + 2))
    # The coarse grid's ends are the picture's edges, so it is made finer by hand, not by resize's half pixels.
    straight = view.unbend(np.dstack([u, v])) - 0.5
    columns = (np.arange(width, dtype=np.float32) + 0.5) * (u.shape[1] - 1) / width
    rows = (np.arange(height, dtype=np.float32) + 0.5) * (u.shape[0] - 1) / height
    grid_u, grid_v = np.meshgrid(columns, rows)
    fine = cv2.remap(straight.astype(np.float32), grid_u, grid_v, cv2.INTER_LINEAR)
    return np.asarray(
        cv2.remap(picture, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.float32
    )


def _vignette(size: tuple[int, int], loss: float) -> Floats:
    width, height = size
    x, y = np.linspace(-1, 1, 33), np.linspace(-1, 1, 25)
    away = (x[None] ** 2 * width**2 + y[:, None] ** 2 * height**2) / (width**2 + height**2)
    return np.asarray(cv2.resize((1 - loss * away).astype(np.float32), size), np.float32)


def _blurred(picture: Image, look: Look, scale: float) -> Image:
    if look.motion_px * scale > 0.8:
        length = look.motion_px * scale
        span = int(length) + 3 | 1
        kernel = np.zeros((span, span), np.float32)
        step = length / 2 * np.array([np.cos(np.radians(look.motion_angle)), np.sin(np.radians(look.motion_angle))])
        ends = np.round((span // 2 + np.stack([-step, step])) * 16).astype(int)
        cv2.line(kernel, ends[0].tolist(), ends[1].tolist(), 1.0, 1, cv2.LINE_8, 4)
        picture = np.asarray(cv2.filter2D(picture, -1, kernel / kernel.sum()), np.uint8)
    if look.blur_px * scale > 0.25:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), look.blur_px * scale), np.uint8)
    return picture


def _noise(size: tuple[int, int], deviation: float, rng: np.random.Generator) -> Floats:
    """Grainy noise over the whole picture, one patch laid out again and again."""
    width, height = size
    patch = rng.standard_normal((_NOISE_SIDE, _NOISE_SIDE, 3), dtype=np.float32)
    # Phones smooth noise: it is not quite independent from pixel to pixel, nor from colour to colour.
    patch = 0.7 * patch + 0.6 * patch.mean(2, keepdims=True) + 0.5 * cv2.blur(patch, (3, 3))
    patch *= np.float32(255 * deviation)
    down, across = -(-height // _NOISE_SIDE), -(-width // _NOISE_SIDE)
    return np.tile(patch, (down, across, 1))[:height, :width]


def _curve(look: Look) -> Floats:
    """From linear light (0 to 1 in 1024 steps) to brightness 0 to 255, with the phone's soft shoulder."""
    light = np.linspace(0, 1, 1024)
    grey = light ** (1 / 2.2)
    bent = 0.5 + (grey - 0.5) * look.contrast
    bent = grey + (bent - grey) * 4 * grey * (1 - grey)
    return np.asarray(255 * np.clip(bent, 0, 1), np.float32)


def develop(linear: Floats, view: View, look: Look, rng: np.random.Generator) -> Image:
    """A finished picture (BGR) of linear light as a phone would make it."""
    size = view.size
    scale = max(size) / 1500
    linear = bend(linear, view)
    levels = (linear[::16, ::16] * np.asarray(look.balance, np.float32)).mean(2)
    # Phones spare the bright parts: they expose for the middle, but not at the cost of everything pale.
    middling, bright = float(levels.mean()), float(np.quantile(levels, look.spared))
    gain = min(look.exposure / max(middling, 1e-4), _BRIGHTEST / max(bright, 1e-4))
    falling = _vignette(size, look.vignette) * np.float32(gain)
    for channel in range(3):
        linear[..., channel] *= falling * np.float32(look.balance[channel])
    # A shoulder keeps bright spots from clipping at once: light above 0.6 is compressed.
    np.minimum(linear, 4, out=linear)
    over = np.maximum(linear - np.float32(0.6), 0)
    linear -= over - np.float32(0.4) * over / (over + np.float32(0.55))
    index = np.clip(linear * 1023, 0, 1023).astype(np.int16)
    picture = _curve(look)[index]
    if abs(look.saturation - 1) > 0.01:
        grey = picture.mean(2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(look.saturation)
    picture = np.clip(picture, 0, 255)
    flat = _blurred(picture.astype(np.uint8), look, scale)
    noisy = flat + _noise(size, look.noise, rng)
    if look.sharpen > 0.05:
        noisy += np.float32(look.sharpen) * (noisy - cv2.GaussianBlur(noisy, (0, 0), 1.2 * max(scale, 0.5)))
    finished = np.asarray(np.clip(noisy, 0, 255), np.uint8)
    coded = cv2.imencode(".jpg", finished, [cv2.IMWRITE_JPEG_QUALITY, look.quality])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
