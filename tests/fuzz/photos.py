"""Sound photos in every format that is read, and ways to spoil files."""

from __future__ import annotations

import io
import random
from functools import cache

import cv2
import numpy as np
import pillow_heif
from PIL import Image, features

from tests.vision import tables


def _encoded(image: Image.Image, format: str, **options: object) -> bytes:
    stream = io.BytesIO()
    # Copies: Pillow leaves the settings of one format in an image, and another then trips over them.
    if isinstance(more := options.get("append_images"), list):
        options["append_images"] = [frame.copy() for frame in more]
    image.copy().save(stream, format, **options)
    return stream.getvalue()


@cache
def sources(width: int = 320) -> dict[str, bytes]:
    """Sound files of every kind that is read, by name, all of one small photo."""
    small = cv2.resize(tables.sample("mid"), (width, width * 3 // 4), interpolation=cv2.INTER_AREA)
    image = Image.fromarray(small[:, :, ::-1])
    clear = image.convert("RGBA")
    clear.putalpha(Image.linear_gradient("L").resize(image.size))
    deep = Image.fromarray(np.asarray(image.convert("L"), np.uint16) * 257)
    frames = [image.rotate(turn) for turn in (90, 180)]
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "phone"
    files = {
        "jpeg": _encoded(image, "JPEG", quality=80, exif=exif),
        "progressive jpeg": _encoded(image, "JPEG", quality=80, progressive=True),
        "cmyk jpeg": _encoded(image.convert("CMYK"), "JPEG", quality=60),
        "mpo": _encoded(image, "MPO", save_all=True, append_images=frames),
        "png": _encoded(image, "PNG", exif=exif),
        "clear png": _encoded(clear, "PNG"),
        "palette png": _encoded(image.quantize(64), "PNG", transparency=3),
        "deep png": _encoded(deep, "PNG"),
        "moving png": _encoded(image, "PNG", save_all=True, append_images=frames),
        "webp": _encoded(image, "WEBP", quality=70, exif=exif),
        "clear webp": _encoded(clear, "WEBP", lossless=True, method=0),
        "moving webp": _encoded(image, "WEBP", save_all=True, append_images=frames, method=0),
        "tiff": _encoded(image, "TIFF"),
        "packed tiff": _encoded(image, "TIFF", compression="tiff_lzw"),
        "zipped tiff": _encoded(image, "TIFF", compression="tiff_adobe_deflate"),
        "deep tiff": _encoded(deep, "TIFF"),
        "float tiff": _encoded(image.convert("F"), "TIFF"),
        "paged tiff": _encoded(image, "TIFF", save_all=True, append_images=frames),
        "gif": _encoded(image, "GIF"),
        "moving gif": _encoded(image, "GIF", save_all=True, append_images=frames),
        "bmp": _encoded(image, "BMP"),
        "ppm": _encoded(image, "PPM"),
    }
    if features.check("avif"):
        files["avif"] = _encoded(image, "AVIF", quality=60, speed=10)
    heic = io.BytesIO()
    pillow_heif.from_pillow(image).save(heic, quality=60)
    files["heic"] = heic.getvalue()
    return files


def mutated(rng: random.Random, files: list[bytes]) -> bytes:
    """One of the files, spoilt in some way or several."""
    content = bytearray(rng.choice(files))
    for _ in range(rng.choice((1, 1, 2, 4, 16, 64))):
        if len(content) < 8:
            break
        place = rng.randrange(len(content))
        head = rng.randrange(min(len(content), 600))
        way = rng.randrange(9)
        if way <= 1:
            content[place] = rng.randrange(256)
        elif way == 2:
            content[place] ^= 1 << rng.randrange(8)
        elif way == 3:
            content[head] = rng.choice((0, 1, 127, 128, 255))
        elif way == 4:
            content[head : head + 4] = rng.choice(
                (b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x7f\xff\xff\xff", b"\0\0\xff\xff")
            )
        elif way == 5:
            del content[place : place + rng.choice((1, 2, 3, 17, 400))]
        elif way == 6:
            content[place:place] = content[head : head + rng.choice((1, 4, 60, 3000))]
        elif way == 7:
            other = rng.choice(files)
            start = rng.randrange(len(other))
            content[place : place + 200] = other[start : start + rng.choice((4, 200, 4000))]
        elif rng.random() < 0.3:
            del content[place:]
    return bytes(content)
