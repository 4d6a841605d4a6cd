"""Decode a photo safely: size checked before a pixel is decoded, rotated as EXIF says, 8-bit BGR."""

from __future__ import annotations

import io
import re
import struct
import warnings
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.inputs import LIMITS, format_hint, is_heic, is_raw, read_file
from companion.language.phrase import say

if TYPE_CHECKING:
    from PIL import Image

Picture = NDArray[np.uint8]
"""A picture: (height, width, 3), 8 bits a channel, in the order blue, green, red."""

FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "GIF", "BMP", "PPM", "AVIF")
"""What Pillow reads for us, beside HEIC. It knows more formats, some by starting other programs."""

WORKING_SIDE_PX = 2048
"""The reader needs no more pixels than this on the long side: larger photos are made so large first."""

DRAFT_SIDE_PX = 1800
"""JPEGs decode to a half, a quarter or an eighth for nearly nothing, and are still large enough from this size on."""

PALETTE = 256
"""The most colours that a picture with a palette has; a photo has thousands."""

_ORIENTATION = 0x0112
"""EXIF's tag for how the phone was held."""

_EXIF, _TIME_TAKEN, _SUBSECONDS = 0x8769, 0x9003, 0x9291
"""EXIF's tags for what the camera noted, and in it for when the shutter was released, with parts of a second."""

_DAMAGE = (
    *(OSError, ValueError, SyntaxError, EOFError, LookupError, TypeError, RuntimeError, ArithmeticError),
    *(AttributeError, struct.error, MemoryError),
)
"""How Pillow's decoders may fail: they are written in Python where headers are read."""

_REDUCIBLE = ("RGB", "RGBA", "CMYK", "YCbCr", "L")
"""Modes that can be made smaller as they are, before anything that takes memory."""


def load_photo(path: Path) -> Picture:
    """The photo in a file, see `decode_photo`.

    Raises UnusableInputError, or PhotoError for what is no photo to be read, with what to do.
    """
    return decode_photo(read_file(path, LIMITS.photo_bytes, say("name a photo")), str(path))


def decode_photo(content: bytes, name: str) -> Picture:
    """The picture in a file's bytes, upright, its long side `WORKING_SIDE_PX` at most.

    `name` is what messages call it. Raises PhotoError if it is no picture, an animation, cut off, too large or
    too small by `LIMITS`.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    if not content:
        raise PhotoError("{name} is empty; take or copy the photo again", name=name)
    with warnings.catch_warnings():
        # Pillow warns of what is checked here by limits of its own.
        warnings.simplefilter("ignore")
        try:
            with _opened(content) as image:
                _check(image, _coded_size(image, content), name)
                picture = np.asarray(ImageOps.exif_transpose(_worked_down(image)))
        except PhotoError:
            raise
        except Image.DecompressionBombError:
            raise PhotoError(
                "{name} claims to have more pixels than any phone photo; it wasn't opened", name=name
            ) from None
        except UnidentifiedImageError:
            raise PhotoError(
                "{name} is not a picture that can be read{why}",
                name=name or say("the code"),
                why=format_hint(content),
            ) from None
        except _DAMAGE:
            again = say(", or share it as JPEG") if is_heic(content) else ""
            raise PhotoError(
                "{name} is damaged or cut off; copy or take the photo again{again}", name=name, again=again
            ) from None
    return np.ascontiguousarray(picture[:, :, ::-1])


def time_taken(content: bytes) -> str:
    """When a photo was taken, as EXIF has it: "2026:02:14 19:05:33.12"; "" where it doesn't say."""
    with suppress(*_DAMAGE), _opened(content) as image:
        taken = image.getexif().get_ifd(_EXIF)
        if when := str(taken.get(_TIME_TAKEN, "")).strip("\0 "):
            return f"{when}.{taken.get(_SUBSECONDS, '')}"
    return ""


def has_few_colours(picture: Picture) -> bool:
    """Whether a picture's colours were reduced to those of a palette, as a GIF's are. Every fourth pixel is enough."""
    colours = picture[::4, ::4].astype(np.int32) @ np.array([1, 256, 65536], np.int32)
    return len(np.unique(colours)) <= PALETTE


def _opened(content: bytes) -> Image.Image:
    """The image of a file's bytes with its header read and no pixel decoded; HEIC by a reader of its own."""
    from PIL import Image, UnidentifiedImageError

    if is_raw(content):
        # What Pillow would open is a small preview.
        raise UnidentifiedImageError
    if not is_heic(content):
        return Image.open(io.BytesIO(content), formats=FORMATS)
    from pillow_heif import HeifImageFile

    image: Image.Image = HeifImageFile(io.BytesIO(content))  # type: ignore[no-untyped-call]
    return image


def _coded_size(image: Image.Image, content: bytes) -> tuple[int, int]:
    """Width and height to be decoded, px: a HEIC that is cropped holds more than the image shows."""
    claimed = [image.size]
    if is_heic(content):
        claimed += [struct.unpack(">II", size) for size in re.findall(rb"ispe\0{4}(.{8})", content, re.DOTALL)]
    return max(claimed, key=lambda size: size[0] * size[1])


def _check(image: Image.Image, coded: tuple[int, int], name: str) -> None:
    width, height = coded
    if width * height > LIMITS.photo_pixels:
        raise PhotoError(
            "{name} has {width} x {height} pixels; photos can have up to {photo_pixels} megapixels: make it smaller",
            name=name,
            width=width,
            height=height,
            photo_pixels=LIMITS.photo_pixels // 1_000_000,
        )
    width, height = image.size
    if min(width, height) < LIMITS.min_side_px:
        raise PhotoError(
            "{name} has only {width} x {height} pixels; a photo needs {min_side_px} or more on each side",
            name=name,
            width=width,
            height=height,
            min_side_px=LIMITS.min_side_px,
        )
    if max(width, height) > LIMITS.longest_strip * min(width, height):
        raise PhotoError(
            "{name} is a strip of {width} x {height} pixels; a photo's long side can be at most {times} "
            "times its short side: crop it, or take another photo",
            name=name,
            width=width,
            height=height,
            times=LIMITS.longest_strip,
        )
    # Phones put previews and depth maps behind a photo (MPO, HEIF): there the first picture is the photo.
    if image.format not in ("MPO", "HEIF") and getattr(image, "is_animated", False):
        raise PhotoError(
            "{name} holds several pictures, an animation or pages; save the one you mean as a JPEG", name=name
        )


def _worked_down(image: Image.Image) -> Image.Image:
    """The image in RGB, its long side `WORKING_SIDE_PX` at most."""
    from PIL import Image

    if image.format in ("JPEG", "MPO"):
        part = DRAFT_SIDE_PX / max(image.size)
        image.draft("RGB", (round(image.size[0] * part), round(image.size[1] * part)))
    part = WORKING_SIDE_PX / max(image.size)
    size = (max(round(image.size[0] * part), 1), max(round(image.size[1] * part), 1))
    orientation = image.getexif()
    plain = image if image.mode in _REDUCIBLE and "transparency" not in image.info else _eight_bits(image)
    flat = _on_white(plain.resize(size, Image.Resampling.BOX) if part < 1 else plain)
    small = flat if flat.mode == "RGB" else flat.convert("RGB")
    if _ORIENTATION in orientation:
        small.getexif()[_ORIENTATION] = orientation[_ORIENTATION]
    return small


def _eight_bits(image: Image.Image) -> Image.Image:
    """The image in 8 bits a channel, with its transparency if it has any; 16-bit greys are scaled."""
    from PIL import Image

    if image.mode.startswith("I") or image.mode == "F":
        values = np.nan_to_num(np.asarray(image, dtype=np.float32), posinf=0.0, neginf=0.0)
        top = 65535.0 if values.max(initial=0.0) > 255 else 255.0
        return Image.fromarray(np.clip(values * (255 / top), 0, 255).astype(np.uint8))
    has_alpha = image.mode in ("LA", "PA", "La", "RGBa") or "transparency" in image.info
    return image.convert("RGBA" if has_alpha else "RGB")


def _on_white(image: Image.Image) -> Image.Image:
    """The image with what is transparent in it laid on white paper."""
    from PIL import Image

    if image.mode != "RGBA":
        return image
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
