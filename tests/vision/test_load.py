"""Photos are decoded safely: bad files end in one clear message, odd ones are read."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from companion.errors import ExitStatus, PhotoError
from companion.vision.load import MAX_PIXELS, decode_photo, load_photo


def coloured(width: int = 320, height: int = 240) -> Image.Image:
    """A picture whose four quarters are red, green, blue and grey."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2] = (220, 30, 30)
    pixels[: height // 2, width // 2 :] = (30, 200, 30)
    pixels[height // 2 :, : width // 2] = (30, 30, 220)
    pixels[height // 2 :, width // 2 :] = 128
    return Image.fromarray(pixels)


def encoded(image: Image.Image, format: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def png_claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header claims any size."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello, this is text", "not a picture"),
        (b"\0" * 4096, "not a picture"),
        (b"%PDF-1.7 rubbish", "PDF"),
        (b"\0\0\0\x18ftypheic\0\0\0\0", "HEIC"),
        (encoded(coloured(), "JPEG")[:900], "damaged or cut off"),
        (encoded(coloured(), "PNG")[:200], "damaged or cut off"),
        (png_claiming(30_000, 30_000), "more pixels than|claims 30000"),
        (png_claiming(9_000, 9_000), "claims 9000 x 9000"),
        (png_claiming(60_000, 60_000), "more pixels than"),
        (encoded(coloured(64, 64)), "only 64 x 64"),
    ],
    ids=["empty", "text", "zeros", "pdf", "heic", "cut jpeg", "cut png", "huge", "large", "bomb", "tiny"],
)
def test_unusable_files_end_in_one_clear_message(content: bytes, words: str) -> None:
    with pytest.raises(PhotoError, match=words) as caught:
        decode_photo(content, "table.jpg")
    assert "table.jpg" in str(caught.value)
    assert caught.value.status is ExitStatus.UNUSABLE_INPUT


def test_a_huge_claim_is_refused_before_a_pixel_is_decoded() -> None:
    assert MAX_PIXELS < 30_000 * 30_000
    with pytest.raises(PhotoError):
        decode_photo(png_claiming(30_000, 30_000), "huge.png")


def test_colours_come_out_in_the_order_blue_green_red() -> None:
    picture = decode_photo(encoded(coloured()), "photo")
    assert picture.shape == (240, 320, 3)
    assert picture[10, 10].tolist() == [30, 30, 220]


@pytest.mark.parametrize(
    ("orientation", "red_corner"), [(1, (0, 0)), (3, (-1, -1)), (6, (0, -1)), (8, (-1, 0))], ids=str
)
def test_exif_rotation_is_applied(orientation: int, red_corner: tuple[int, int]) -> None:
    image = coloured()
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = decode_photo(encoded(image, "JPEG", quality=95, exif=exif), "photo")
    blue, green, red = (int(value) for value in picture[red_corner])
    assert red > 180 and green < 80 and blue < 80


@pytest.mark.parametrize(
    ("image", "format"),
    [
        (coloured().convert("CMYK"), "JPEG"),
        (coloured().convert("RGBA"), "PNG"),
        (coloured().convert("P"), "PNG"),
        (coloured().convert("P"), "GIF"),
        (coloured(), "WEBP"),
        (coloured(), "BMP"),
        (coloured(), "TIFF"),
    ],
    ids=["cmyk", "alpha", "palette", "gif", "webp", "bmp", "tiff"],
)
def test_odd_but_sound_pictures_are_read(image: Image.Image, format: str) -> None:
    picture = decode_photo(encoded(image, format), "photo")
    blue, green, red = (int(value) for value in picture[20, 20])
    assert red > 150 and green < 100 and blue < 100


def test_transparency_lies_on_white() -> None:
    image = coloured().convert("RGBA")
    image.putalpha(Image.fromarray(np.repeat(np.array([[0] * 160 + [255] * 160], np.uint8), 240, axis=0)))
    assert decode_photo(encoded(image), "photo")[10, 10].tolist() == [255, 255, 255]


def test_a_missing_file_is_named(tmp_path: object) -> None:
    from pathlib import Path

    assert isinstance(tmp_path, Path)
    with pytest.raises(PhotoError, match="nowhere.jpg"):
        load_photo(tmp_path / "nowhere.jpg")


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
def test_large_photos_are_worked_down_and_stay_upright(format: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = decode_photo(encoded(coloured(4000, 3000), format, exif=exif), "photo")
    assert picture.shape == (2000, 1500, 3)
    blue, green, red = (int(value) for value in picture[20, -20])
    assert red > 180 and green < 80 and blue < 80


def test_a_photo_of_48_megapixels_is_quartered() -> None:
    assert decode_photo(encoded(coloured(8000, 6000), "JPEG", quality=50), "photo").shape == (1500, 2000, 3)
