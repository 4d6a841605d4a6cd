"""How well one photo is read in the forms that it reaches the program in: other formats, light, sizes, screens.

    python -m tests.benchmarks.photo_forms ../shared/photos/real/board_clean.jpg ../shared/photos/real/test_1.jpg

The truth of a photo stands in the `truth.json` beside it. A line a form says how many of the thirty tiles are wholly
right, how many are doubtful and how many are wrong without a doubt; the last line adds them up.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from companion.errors import CompanionError
from companion.notation.tokens import parse_board
from companion.opening.position import open_position

Form = Callable[[Image.Image], bytes]
PHONE_PX = 1600


def _coded(image: Image.Image, format: str = "JPEG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def _sized(image: Image.Image, side: int) -> Image.Image:
    """The image with a long side of `side` px, if it has more."""
    return ImageOps.contain(image, (side, side)) if max(image.size) > side else image


def _lying(image: Image.Image, orientation: int) -> bytes:
    """The image stored turned, with the tag that says so."""
    turned = image.transpose({3: Image.Transpose.ROTATE_180, 6: Image.Transpose.ROTATE_90}[orientation])
    exif = Image.Exif()
    exif[0x0112] = orientation
    return _coded(turned, quality=85, exif=exif)


def _screenshot(image: Image.Image) -> bytes:
    """The photo in a phone's gallery: bars above and below."""
    width = 1080
    photo = image.resize((width, round(image.height * width / image.width)))
    screen = Image.new("RGB", (width, max(2340, photo.height + 300)), (12, 12, 14))
    screen.paste(photo, (0, (screen.height - photo.height) // 2))
    screen.paste((235, 235, 235), (40, 40, 400, 70))
    return _coded(screen, "PNG")


def _off_a_screen(image: Image.Image) -> bytes:
    """The photo photographed off a monitor: pixels' stripes, a tilt, a dark frame, a reflection."""
    photo: NDArray[np.floating] = np.asarray(_sized(image, PHONE_PX), np.float32)
    height, width = photo.shape[:2]
    photo = photo * np.where(np.arange(width) % 3 == 0, 0.8, 1.05)[None, :, None]
    photo = photo + np.linspace(40, 0, width)[None, :, None]
    framed = cv2.copyMakeBorder(photo, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=(20, 20, 20))
    frame = [[0, 0], [width + 120, 0], [width + 120, height + 120], [0, height + 120]]
    corners = np.array(frame, np.float32)
    tilted = corners + np.array([[40, 20], [-10, 50], [-30, -20], [10, -40]], np.float32)
    seen = cv2.warpPerspective(framed, cv2.getPerspectiveTransform(corners, tilted), (width + 120, height + 120))
    return _coded(Image.fromarray(np.clip(seen, 0, 255).astype(np.uint8)), quality=80)


def _tinted(image: Image.Image, red: float, green: float, blue: float) -> bytes:
    light = np.asarray(image, np.float32) * np.array([red, green, blue], np.float32)
    return _coded(Image.fromarray(np.clip(light, 0, 255).astype(np.uint8)), quality=85)


def _gamma(image: Image.Image, gamma: float) -> bytes:
    return _coded(image.point([round(255 * (value / 255) ** gamma) for value in range(256)] * 3), quality=85)


def _noisy(image: Image.Image, sigma: float) -> bytes:
    noise = np.random.default_rng(1).normal(0, sigma, (image.height, image.width, 3))
    return _coded(Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8)), quality=85)


def _shadowed(image: Image.Image) -> bytes:
    """Somebody's shadow over one half."""
    shade = np.where(np.arange(image.width) < 0.45 * image.width, 0.45, 1.0).astype(np.float32)
    shade = cv2.GaussianBlur(shade[None], (0, 0), image.width / 40)[0]
    return _coded(Image.fromarray((np.asarray(image) * shade[None, :, None]).astype(np.uint8)), quality=85)


def _heic(image: Image.Image) -> bytes:
    stream = io.BytesIO()
    pillow_heif.from_pillow(image).save(stream, quality=70)
    return stream.getvalue()


FORMS: dict[str, Form] = {
    "as it is": lambda image: _coded(image, quality=92),
    "PNG": lambda image: _coded(_sized(image, PHONE_PX), "PNG"),
    "WebP": lambda image: _coded(image, "WEBP", quality=70),
    "TIFF": lambda image: _coded(_sized(image, PHONE_PX), "TIFF"),
    "HEIC": _heic,
    "MPO": lambda image: _coded(image, "MPO", save_all=True, append_images=[_sized(image, 320)]),
    "progressive": lambda image: _coded(image, quality=70, progressive=True),
    "CMYK": lambda image: _coded(image.convert("CMYK"), quality=80),
    "stored upside down": lambda image: _lying(image, 3),
    "stored on its side": lambda image: _lying(image, 6),
    "taken upside down": lambda image: _coded(image.rotate(180), quality=85),
    "taken from the side": lambda image: _coded(image.rotate(90, expand=True), quality=85),
    "turned by 20 degrees": lambda image: _coded(image.rotate(20, expand=True, fillcolor=(90, 70, 50)), quality=85),
    "turned by 45 degrees": lambda image: _coded(image.rotate(45, expand=True, fillcolor=(90, 70, 50)), quality=85),
    "screenshot": _screenshot,
    "off a screen": _off_a_screen,
    "sent by a messenger": lambda image: _coded(_sized(image, 1280), quality=55),
    "800 px": lambda image: _coded(_sized(image, 800), quality=80),
    "640 px": lambda image: _coded(_sized(image, 640), quality=80),
    "JPEG 30": lambda image: _coded(_sized(image, PHONE_PX), quality=30),
    "JPEG 15": lambda image: _coded(_sized(image, PHONE_PX), quality=15),
    "half the light": lambda image: _tinted(image, 0.5, 0.5, 0.5),
    "a quarter of the light": lambda image: _tinted(image, 0.25, 0.25, 0.25),
    "overexposed": lambda image: _tinted(image, 1.35, 1.35, 1.35),
    "warm bulb": lambda image: _tinted(image, 1.15, 0.95, 0.65),
    "cold window": lambda image: _tinted(image, 0.8, 0.95, 1.15),
    "green tube": lambda image: _tinted(image, 0.85, 1.05, 0.85),
    "gamma 0.6": lambda image: _gamma(image, 0.6),
    "gamma 1.8": lambda image: _gamma(image, 1.8),
    "flat": lambda image: _coded(ImageEnhance.Contrast(image).enhance(0.5), quality=85),
    "harsh": lambda image: _coded(ImageEnhance.Contrast(image).enhance(1.5), quality=85),
    "pale": lambda image: _coded(ImageEnhance.Color(image).enhance(0.5), quality=85),
    "gaudy": lambda image: _coded(ImageEnhance.Color(image).enhance(1.6), quality=85),
    "noise": lambda image: _noisy(_sized(image, PHONE_PX), 18),
    "blurred": lambda image: _coded(_sized(image, PHONE_PX).filter(ImageFilter.GaussianBlur(2.5)), quality=85),
    "sharpened": lambda image: _coded(_sized(image, PHONE_PX).filter(ImageFilter.UnsharpMask(3, 200)), quality=85),
    "shadow": lambda image: _shadowed(_sized(image, PHONE_PX)),
    "wide frame": lambda image: _coded(ImageOps.expand(image, image.width // 3, (95, 75, 60)), quality=85),
    "stretched": lambda image: _coded(image.resize((image.width, round(0.8 * image.height))), quality=85),
    "greyish sepia": lambda image: _coded(Image.blend(image, ImageOps.grayscale(image).convert("RGB"), 0.6)),
    "12 megapixels": lambda image: _coded(image.resize((4032, round(4032 * image.height / image.width))), quality=80),
}


def main(photos: Sequence[str], folder: Path = Path("/tmp")) -> None:
    """Print a line a form of each photo, and the sums."""
    right = doubtful = silent = shown = 0
    for photo in map(Path, photos):
        rows = json.loads((photo.parent / "truth.json").read_text(encoding="utf-8"))[photo.name]["rows"]
        truth = parse_board("\n".join(rows))
        image = Image.open(photo).convert("RGB")
        for name, form in FORMS.items():
            target = folder / f"form-{photo.stem}.bin"
            target.write_bytes(form(image))
            shown += len(truth)
            try:
                opened = open_position(str(target), checked=False)
            except CompanionError as error:
                print(f"{photo.name}, {name}: {error}", flush=True)
                continue
            assert opened.reading is not None
            reading = opened.reading.reading
            # A board read half-turned is right too.
            wrong = min(
                (
                    {square for square, tile in enumerate(reading.position.board) if tile != told[square]}
                    for told in (truth, truth[::-1])
                ),
                key=len,
            )
            right += len(truth) - len(wrong)
            doubtful += len(reading.doubtful)
            silent += len(wrong.difference(reading.doubtful))
            print(
                f"{photo.name}, {name}: {len(truth) - len(wrong)} right, {len(reading.doubtful)} doubtful", flush=True
            )
    print(
        f"{right} of {shown} tiles right, {30 * doubtful / shown:.2f} doubtful a board, {silent} wrong without a doubt"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
