"""Decode a photo safely: size checked before a pixel is decoded, rotated as EXIF says, 8-bit BGR."""

from __future__ import annotations

import io
import struct
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError

if TYPE_CHECKING:
    from PIL import Image

Picture = NDArray[np.uint8]
"""A picture: (height, width, 3), 8 bits a channel, in the order blue, green, red."""

MAX_BYTES = 80_000_000
MAX_PIXELS = 64_000_000
"""A 48-megapixel phone photo passes; a header that claims 30,000 x 30,000 does not."""

MIN_SIDE_PX = 200
WORKING_SIDE_PX = 1900
"""The reader needs no more pixels than this on the long side: photos of twice as many are halved, and so on."""

_ORIENTATION = 0x0112
"""EXIF's tag for how the phone was held."""

LEAST_COLOUR = 1.5
"""Mean difference between a pixel's largest and smallest channel under which a photo counts as grey."""


def load_photo(path: Path) -> Picture:
    """The photo in a file, see `decode_photo`.

    Raises PhotoError for whatever cannot be read, with what to do.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise PhotoError(
                f"{path} has {path.stat().st_size / 1e6:.0f} MB; photos up to {MAX_BYTES / 1e6:.0f} MB are read"
            )
        content = path.read_bytes()
    except OSError as error:
        raise PhotoError(f"cannot read {path}: {error.strerror}") from None
    return decode_photo(content, str(path))


def decode_photo(content: bytes, name: str) -> Picture:
    """The picture in a file's bytes, upright, its long side `WORKING_SIDE_PX` to twice that if it was longer.

    `name` is what messages call it. Raises PhotoError if it is no picture, cut off, too large or too small.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    if not content:
        raise PhotoError(f"{name} is empty; take or copy the photo again")
    with warnings.catch_warnings():
        # Pillow warns of what is checked here by its own limits.
        warnings.simplefilter("ignore")
        try:
            with Image.open(io.BytesIO(content)) as image:
                _check_size(image, name)
                picture = np.asarray(ImageOps.exif_transpose(_worked_down(image)))
        except PhotoError:
            raise
        except Image.DecompressionBombError:
            raise PhotoError(f"{name} claims more pixels than any phone's photo; it was not opened") from None
        except UnidentifiedImageError:
            raise PhotoError(f"{name} is not a picture that can be read{_format_hint(content)}") from None
        except (
            OSError,
            ValueError,
            SyntaxError,
            EOFError,
            IndexError,
            KeyError,
            TypeError,
            struct.error,
            MemoryError,
        ):
            raise PhotoError(f"{name} is damaged or cut off; copy or take the photo again") from None
    return np.ascontiguousarray(picture[:, :, ::-1])


def is_grey(picture: Picture) -> bool:
    """Whether a picture has no colour: a scan in grey, a black and white photo."""
    return float(np.mean(picture.max(axis=2) - picture.min(axis=2))) < LEAST_COLOUR


def _check_size(image: Image.Image, name: str) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise PhotoError(
            f"{name} claims {width} x {height} pixels; photos up to {MAX_PIXELS // 1_000_000} megapixels are read: "
            "make it smaller"
        )
    if min(width, height) < MIN_SIDE_PX:
        raise PhotoError(f"{name} has only {width} x {height} pixels; a photo needs {MIN_SIDE_PX} or more on each side")


def _worked_down(image: Image.Image) -> Image.Image:
    """The image in RGB at a whole part of its size, still `WORKING_SIDE_PX` or longer if it was; JPEGs decode to it."""
    shrink = max(image.size) // WORKING_SIDE_PX
    if shrink >= 2 and image.format == "JPEG":
        image.draft("RGB", (image.size[0] // shrink, image.size[1] // shrink))
        shrink = max(image.size) // WORKING_SIDE_PX
    orientation = image.getexif()
    flat = _eight_bits(image)
    coloured = flat if flat.mode == "RGB" else flat.convert("RGB")
    small = coloured.reduce(shrink) if shrink >= 2 else coloured
    if _ORIENTATION in orientation:
        small.getexif()[_ORIENTATION] = orientation[_ORIENTATION]
    return small


def _eight_bits(image: Image.Image) -> Image.Image:
    """Flatten what phones do not make: 16-bit greys are scaled, transparency goes on white."""
    from PIL import Image

    if image.mode.startswith("I") or image.mode == "F":
        values = np.asarray(image, dtype=np.float64)
        top = 65535.0 if values.max(initial=0.0) > 255 else 255.0
        return Image.fromarray(np.clip(values / top * 255, 0, 255).astype(np.uint8))
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layered = image.convert("RGBA")
        ground = Image.new("RGBA", layered.size, "white")
        return Image.alpha_composite(ground, layered)
    return image


def _format_hint(content: bytes) -> str:
    if content[4:12] in (b"ftypheic", b"ftypheix", b"ftypmif1", b"ftypmsf1", b"ftyphevc"):
        return ": it is HEIC; share or save it as JPEG (iPhone: Settings, Camera, Formats, Most Compatible)"
    if content[:4] == b"%PDF":
        return ": it is a PDF; send a photo or a picture of the page"
    return "; JPEG and PNG are"
