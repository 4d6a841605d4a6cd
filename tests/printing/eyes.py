"""Prints as other eyes and other printers see them: in grey, with three kinds of colour blindness, in black and white.

    python -m tests.printing.eyes      # draws the pictures of docs/images; run by `make pictures`

Colour blindness is that of Machado, Oliveira and Fernandes (2009), in full, on linear light. Black and white is what a
fax makes at 150 dots to the inch: each dot is one or the other.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from PIL import Image

from tests.printing.checks import Line, Print

DPI = 150
MM = DPI / 25.4
IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
_AROUND_MM = 0.5
_STRAY = 60
"""Distance of two colours, of 255 a channel, from which they are told apart while looking for a text's ground."""

_SHOWN = {"card": (0, (8, 8, 92, 76)), "sheet": (0, (8, 8, 92, 76)), "kit": (7, (74, 104, 126, 178))}
"""What the pictures show of a print: the number of its page, then left, top, width and height in mm."""
_SMALLER = {"kit": 0.5}
"""Cards are shown whole, and smaller for that."""
_FILES = {"kit": "cards"}

_WHITE_FROM = 160
"""The grey of 255 from which a fax leaves a dot white: set as they come, they rather keep pale writing than lose it."""

_LEFT = 0.5
"""A text can be read whose ink is half there."""

Pixels = np.ndarray

_MACHADO: dict[str, list[list[float]]] = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(pixels: Pixels) -> Pixels:
    """sRGB from 0 to 255 as linear light from 0 to 1."""
    share = np.asarray(pixels, dtype=np.float64) / 255
    return np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)


def _as_srgb(light: Pixels) -> Pixels:
    light = np.clip(light, 0, 1)
    share = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.rint(share * 255).astype(np.uint8)


def luminance(pixels: Pixels) -> Pixels:
    """How light sRGB colours are, from 0 to 1 (WCAG 2)."""
    return linear(pixels) @ np.array([0.2126, 0.7152, 0.0722])


def in_grey(pixels: Pixels) -> Pixels:
    """As a printer without colours prints it."""
    return np.repeat(_as_srgb(luminance(pixels))[..., None], 3, axis=-1)


def colour_blind(kind: str) -> Callable[[Pixels], Pixels]:
    """As somebody sees it who lacks one kind of cones."""
    matrix = np.array(_MACHADO[kind])
    return lambda pixels: _as_srgb(linear(pixels) @ matrix.T)


def faxed(pixels: Pixels) -> Pixels:
    """As a fax prints it: black or white."""
    return np.where(in_grey(pixels) < _WHITE_FROM, 0, 255).astype(np.uint8)


EYES: dict[str, Callable[[Pixels], Pixels]] = {
    "in colour": lambda pixels: pixels,
    "in grey": in_grey,
    **{kind: colour_blind(kind) for kind in _MACHADO},
}


def contrast(ink: Pixels, ground: Pixels) -> float:
    """How clearly a colour stands on another, from 1 to 21 (WCAG 2)."""
    lighter, darker = sorted((float(luminance(ink)), float(luminance(ground))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def pictures(pdf: bytes, dpi: float = DPI) -> list[Pixels]:
    """All pages of a PDF, rows by columns of red, green and blue."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [np.asarray(page.render(scale=dpi / 72).to_pil().convert("RGB")) for page in document]


def faint_texts(one: Print, least: float) -> list[str]:
    """Texts that stand out less than that from their ground for some eye, or get lost in black and white."""
    found = []
    pages = pictures(one.pdf)
    for line, ground in _grounds(one, pages):
        ink = np.array([round(part * 255) for part in line.colour])
        for name, eye in EYES.items():
            seen = contrast(eye(ink), eye(ground))
            if seen < least:
                found.append(f"page {line.page}: {line.text!r} {name}: {seen:.1f}")
        if (left := _left_by_a_fax(line, pages[line.page], ink, ground)) < _LEFT:
            found.append(f"page {line.page}: {line.text!r} in black and white: {left:.2f} of it is left")
    return found


def _left_by_a_fax(line: Line, page: Pixels, ink: Pixels, ground: Pixels) -> float:
    """How much of a text's ink is there in black and white, as a share of what is there in grey."""
    x, y = int(line.box.x * MM), int(line.box.y * MM)
    part = page[y : int(line.box.bottom * MM) + 1, x : int(line.box.right * MM) + 1]
    grounds, inks = (float(in_grey(colour)[0]) for colour in (ground, ink))
    if abs(grounds - inks) < 1:
        return 0.0
    covered = np.clip((grounds - in_grey(part)[..., 0]) / (grounds - inks), 0, 1).sum()
    told = (faxed(part)[..., 0] != faxed(ground)[0]).sum()
    return float(told / max(covered, 1.0))


def _grounds(one: Print, pages: list[Pixels]) -> Iterator[tuple[Line, Pixels]]:
    """Each text with the commonest colour around its letters that is not their own."""
    for line in one.lines:
        if not line.text:
            continue
        box = line.box.inset(-_AROUND_MM)
        page = pages[line.page]
        part = page[int(box.y * MM) : int(box.bottom * MM) + 1, int(box.x * MM) : int(box.right * MM) + 1].reshape(
            -1, 3
        )
        ink = np.array([part * 255 for part in line.colour])
        other = part[np.abs(part.astype(int) - ink).max(axis=1) > _STRAY]
        if len(other):
            colours, counts = np.unique(other // 8, axis=0, return_counts=True)
            commonest = colours[counts.argmax()]
            yield line, np.median(other[(other // 8 == commonest).all(axis=1)], axis=0)
        else:
            yield line, ink


def turned(page: Pixels, degrees: float) -> Pixels:
    """A picture turned, on white."""
    height, width = page.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    return cv2.warpAffine(page, matrix, (width, height), flags=cv2.INTER_LINEAR, borderValue=(255, 255, 255))


def main() -> int:
    """Draw a part of the set-up card, of the score sheet and of the cards as each eye sees it, side by side."""
    from tests.printing.prints import printed

    ways = {**EYES, "fax": faxed}
    for name, (number, shown) in _SHOWN.items():
        left, top, width, height = (round(length * MM) for length in shown)
        part = pictures(printed(name))[number][top : top + height, left : left + width]
        rows = [np.hstack([way(part) for way in list(ways.values())[at : at + 3]]) for at in (0, 3)]
        whole = Image.fromarray(np.vstack(rows))
        share = _SMALLER.get(name, 1.0)
        whole = whole.resize((round(whole.width * share), round(whole.height * share)), Image.Resampling.LANCZOS)
        # Few greens are among many browns: each colour that is there has to be in the palette, however rare it is.
        whole.quantize(256, method=Image.Quantize.MAXCOVERAGE).save(
            IMAGES / f"eyes-{_FILES.get(name, name)}.png", optimize=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
