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
from companion.vision.formats import format_hint, open_heic

if TYPE_CHECKING:
    from PIL import Image

Picture = NDArray[np.uint8]
"""A picture: (height, width, 3), 8 bits a channel, in the order blue, green, red."""

FORMATS = ("JPEG", "PNG", "WEBP", "TIFF", "GIF", "BMP", "PPM", "AVIF")
"""What is read, and HEIC where its reader is installed. Pillow knows more, some by starting other programs."""

MAX_BYTES = 80_000_000
MAX_PIXELS = 64_000_000
"""A 48-megapixel phone photo passes; a header that claims 30,000 x 30,000 does not."""

MIN_SIDE_PX = 200
WORKING_SIDE_PX = 1900
"""The reader needs no more pixels than this on the long side: photos of twice as many are halved, and so on."""

_ORIENTATION = 0x0112
"""EXIF's tag for how the phone was held."""

_REDUCIBLE = ("RGB", "RGBA", "CMYK", "YCbCr", "L")
"""Modes that can be made smaller as they are, before anything that takes memory."""

LEAST_COLOUR = 1.5
"""Mean difference between a pixel's largest and smallest channel under which a photo counts as grey."""

DIM_LEVEL = 64.0
"""Mean brightness under which a photo needs less colour than that, in proportion: dark is not grey."""


def load_photo(path: Path) -> Picture:
    """The photo in a file, see `decode_photo`.

    Raises PhotoError for whatever cannot be read, with what to do.
    """
    try:
        if path.is_dir():
            raise PhotoError(f"{path} is a folder; name a photo in it")
        if path.exists() and not path.is_file():
            # A pipe that nobody writes to would be waited for without end.
            raise PhotoError(f"{path} is no file; name a photo, or send one to standard input with - for its name")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise PhotoError(f"{path} has {size / 1e6:.0f} MB; photos up to {MAX_BYTES / 1e6:.0f} MB are read")
        content = path.read_bytes()
    except OSError as error:
        raise PhotoError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise PhotoError(f"cannot read {str(path)!r}: no file can have that name") from None
    return decode_photo(content, str(path))


def decode_photo(content: bytes, name: str) -> Picture:
    """The picture in a file's bytes, upright, its long side `WORKING_SIDE_PX` to twice that if it was longer.

    `name` is what messages call it. Raises PhotoError if it is no picture, an animation, cut off, too large or
    too small.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    if not content:
        raise PhotoError(f"{name} is empty; take or copy the photo again")
    with warnings.catch_warnings():
        # Pillow warns of what is checked here by its own limits.
        warnings.simplefilter("ignore")
        formats = (*FORMATS, "HEIF") if open_heic(content) else FORMATS
        try:
            with Image.open(io.BytesIO(content), formats=formats) as image:
                _check(image, name)
                picture = np.asarray(ImageOps.exif_transpose(_worked_down(image)))
        except PhotoError:
            raise
        except Image.DecompressionBombError:
            raise PhotoError(f"{name} claims more pixels than any phone's photo; it was not opened") from None
        except UnidentifiedImageError:
            raise PhotoError(f"{name} is not a picture that can be read{format_hint(content)}") from None
        except (
            OSError,
            ValueError,
            SyntaxError,
            EOFError,
            IndexError,
            KeyError,
            TypeError,
            RuntimeError,
            ArithmeticError,
            AttributeError,
            struct.error,
            MemoryError,
        ):
            # Pillow's decoders are written in Python where headers are read, and fail there in any of these ways.
            raise PhotoError(f"{name} is damaged or cut off; copy or take the photo again") from None
    return np.ascontiguousarray(picture[:, :, ::-1])


def is_grey(picture: Picture) -> bool:
    """Whether a picture has no colour: a scan in grey, a black and white photo."""
    brightest = picture.max(axis=2)
    colour = float(np.mean(brightest - picture.min(axis=2)))
    return colour < LEAST_COLOUR * min(1.0, float(np.mean(brightest)) / DIM_LEVEL)


def _check(image: Image.Image, name: str) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise PhotoError(
            f"{name} claims {width} x {height} pixels; photos up to {MAX_PIXELS // 1_000_000} megapixels are read: "
            "make it smaller"
        )
    if min(width, height) < MIN_SIDE_PX:
        raise PhotoError(f"{name} has only {width} x {height} pixels; a photo needs {MIN_SIDE_PX} or more on each side")
    # Phones put previews and depth maps behind a photo (MPO, HEIF): there the first picture is the photo.
    if image.format not in ("MPO", "HEIF") and getattr(image, "is_animated", False):
        raise PhotoError(f"{name} holds several pictures, an animation or pages; save the one you mean as a JPEG")


def _worked_down(image: Image.Image) -> Image.Image:
    """The image in RGB at a whole part of its size, still `WORKING_SIDE_PX` or longer if it was; JPEGs decode to it."""
    shrink = max(image.size) // WORKING_SIDE_PX
    if shrink >= 2 and image.format in ("JPEG", "MPO"):
        image.draft("RGB", (image.size[0] // shrink, image.size[1] // shrink))
        shrink = max(image.size) // WORKING_SIDE_PX
    orientation = image.getexif()
    plain = image if image.mode in _REDUCIBLE and "transparency" not in image.info else _eight_bits(image)
    flat = _on_white(plain.reduce(shrink) if shrink >= 2 else plain)
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
