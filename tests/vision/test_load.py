"""Photos are decoded safely: bad files end in one clear message, odd ones are read."""

from __future__ import annotations

import io
import os
import struct
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from PIL import Image
from PIL.TiffImagePlugin import ImageFileDirectory_v2

from companion.errors import ExitStatus, PhotoError, UnusableInputError
from companion.inputs import HEAD_BYTES, LIMITS, is_heic, is_picture
from companion.vision import load
from companion.vision.load import Picture, decode_photo, load_photo
from companion.vision.reading.scan import is_grey


def coloured(width: int = 320, height: int = 240) -> Image.Image:
    """A picture whose four quarters are red, green, blue and grey."""
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[: height // 2, : width // 2] = (220, 30, 30)
    pixels[: height // 2, width // 2 :] = (30, 200, 30)
    pixels[height // 2 :, : width // 2] = (30, 30, 220)
    pixels[height // 2 :, width // 2 :] = 128
    return Image.fromarray(pixels)


def is_red(picture: Picture, place: tuple[int, int] = (20, 20)) -> bool:
    blue, green, red = (int(value) for value in picture[place])
    return red > 150 and green < 100 and blue < 100


def encoded(image: Image.Image, format: str = "PNG", **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def png(width: int, height: int, bits: int, rows: bytes) -> bytes:
    """A PNG as its parts are given, true or not."""
    header = struct.pack(">IIBBBBB", width, height, bits, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)) for name, body in chunks
    )


def claiming(width: int, height: int) -> bytes:
    """A PNG of a few bytes whose header claims any size."""
    return png(width, height, 8, b"\0" * 100)


UNUSABLE: tuple[tuple[bytes, str], ...] = (
    (b"", "is empty"),
    (b"\0" * 4096, "not a picture"),
    (b"%PDF-1.7 rubbish", "PDF"),
    (b"\0\0\0\x18ftypheic\0\0\0\0", "damaged or cut off.*JPEG"),
    (encoded(coloured(), "JPEG")[:900], "damaged or cut off"),
    (encoded(coloured(), "PNG")[:200], "damaged or cut off"),
    (claiming(30_000, 30_000), "more pixels than|has 30000"),
    (claiming(9_000, 9_000), "has 9000 x 9000"),
    (encoded(coloured(64, 64)), "only 64 x 64"),
    (b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg width="10"/>', "SVG"),
    (b"<!DOCTYPE html><html><body>login</body></html>", "web page"),
    ("Стол с фишками, снято вчера".encode()[:33], "it is text"),
    (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2mp41", "a video"),
    (b"RIFF\x24\0\0\0AVI LIST", "a video"),
    (b"PK\3\4\x14\0\0\0", "an archive"),
    (b"\0\0\0\x18ftypcrx \0\0\0\1", "raw file"),
    (claiming(200, 2_010), "strip of 200 x 2010.*10 times"),
    (claiming(320_000, 200), "strip of 320000 x 200"),
    (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
    (b"\0\0\0\x20ftypavif\0\0\0\0", "AVIF"),
    (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 400 300\n", "PostScript"),
)


def test_unusable_files_end_in_one_clear_message(subtests: pytest.Subtests) -> None:
    for content, words in UNUSABLE:
        with subtests.test(words), pytest.raises(PhotoError, match=words) as caught:
            decode_photo(content, "table.jpg")
        assert "table.jpg" in str(caught.value) and caught.value.status is ExitStatus.UNUSABLE_INPUT


def test_colours_come_out_in_the_order_blue_green_red() -> None:
    picture = decode_photo(encoded(coloured()), "photo")
    assert picture.shape == (240, 320, 3)
    assert picture[10, 10].tolist() == [30, 30, 220]


def test_exif_rotation_is_applied() -> None:
    corners = {1: (0, 0), 2: (0, -1), 3: (-1, -1), 4: (-1, 0), 5: (0, 0), 6: (0, -1), 7: (-1, -1), 8: (-1, 0)}
    for orientation, red_corner in {**corners, 0: (0, 0), 99: (0, 0)}.items():
        exif = Image.Exif()
        exif[0x0112] = orientation
        picture = decode_photo(encoded(coloured(), "JPEG", quality=95, exif=exif), "photo")
        assert is_red(picture, red_corner), orientation


def test_odd_but_sound_pictures_are_read() -> None:
    for mode, format in (("CMYK", "JPEG"), ("RGBA", "PNG"), ("P", "PNG"), ("P", "GIF")):
        assert is_red(decode_photo(encoded(coloured().convert(mode), format), "photo")), (mode, format)
    for format in ("WEBP", "BMP", "TIFF"):
        assert is_red(decode_photo(encoded(coloured(), format), "photo")), format


def test_transparency_lies_on_white() -> None:
    image = coloured().convert("RGBA")
    image.putalpha(Image.fromarray(np.repeat(np.array([[0] * 160 + [255] * 160], np.uint8), 240, axis=0)))
    assert decode_photo(encoded(image), "photo")[10, 10].tolist() == [255, 255, 255]
    see_through = encoded(Image.new("RGB", (320, 240), "red"), "PNG", transparency=(255, 0, 0))
    assert decode_photo(see_through, "photo")[10, 10].tolist() == [255, 255, 255]


def test_large_photos_are_worked_down_and_stay_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    for format, size, options in (("JPEG", (2000, 1500), {}), ("PNG", (2048, 1536), {"compress_level": 1})):
        picture = decode_photo(encoded(coloured(4000, 3000), format, exif=exif, **options), "photo")
        assert picture.shape == (*size, 3) and is_red(picture, (20, -20))
    assert decode_photo(encoded(coloured(6000, 4500), "JPEG", quality=50), "photo").shape == (1536, 2048, 3)


def moving(format: str) -> bytes:
    """An animation of two pictures."""
    return encoded(coloured(), format, save_all=True, append_images=[coloured().rotate(180)])


def test_which_picture_of_several_is_the_table_is_not_guessed() -> None:
    for format in ("GIF", "PNG", "WEBP", "TIFF"):
        with pytest.raises(PhotoError, match="several pictures"):
            decode_photo(moving(format), "table.gif")
    # Behind a phone's photo lies a preview.
    assert is_red(decode_photo(moving("MPO"), "photo"))


def test_16_bits_keep_their_shades() -> None:
    values = np.tile(np.linspace(0, 65535, 320), (240, 1)).astype(np.uint16)
    for format in ("PNG", "TIFF"):
        row = decode_photo(encoded(Image.fromarray(values), format), "scan")[100, :, 0].astype(int)
        assert row[0] < 3 and abs(row[160] - 128) < 3 and row[-1] > 252
    # Pillow writes no colour of 16 bits.
    row_of_colour = b"\0" + struct.pack(">3H", 60000, 2000, 30000) * 240
    picture = decode_photo(png(240, 220, 16, row_of_colour * 220), "photo")
    assert np.abs(picture[100, 100].astype(int) - (117, 8, 234)).max() < 3


def test_files_are_taken_by_their_content_and_refused_by_what_they_are(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    path.write_bytes(encoded(coloured(), "JPEG"))
    assert load_photo(path).shape == (240, 320, 3)
    with pytest.raises(UnusableInputError, match=r"there is no file .*nowhere.jpg"):
        load_photo(tmp_path / "nowhere.jpg")
    with pytest.raises(UnusableInputError, match="is a folder"):
        load_photo(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(UnusableInputError, match="is a pipe"):
            load_photo(tmp_path / "pipe")
    with path.open("wb") as file:
        file.truncate(LIMITS.photo_bytes + 1)
    with pytest.raises(UnusableInputError, match="larger than 80 MB"):
        load_photo(path)


def heic(image: Image.Image, exif: Image.Exif | None = None) -> bytes:
    """A picture as an iPhone writes it; what encodes it is for tests alone."""
    stream, file = io.BytesIO(), pillow_heif.from_pillow(image)
    file.info["exif"] = None if exif is None else exif.tobytes()
    file.save(stream)
    return stream.getvalue()


def cropped_heic(width: int, height: int) -> bytes:
    """A HEIC of 802 x 602 px of which its crop box leaves the middle; libheif writes the box for odd sizes alone."""
    content = heic(coloured(801, 601))
    place = content.index(b"clap") + 4
    return content[:place] + struct.pack(">IIIIiIiI", width, 1, height, 1, 0, 1, 0, 1) + content[place + 32 :]


def test_heic_is_read_upright_and_cropped() -> None:
    content = heic(coloured())
    assert is_heic(content) and is_picture(content[:HEAD_BYTES])
    assert is_red(decode_photo(content, "photo.heic"))
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = decode_photo(heic(coloured(), exif), "photo.heic")
    assert turned.shape == (320, 240, 3) and is_red(turned, (20, -20)) and not is_red(turned)
    cropped = decode_photo(cropped_heic(600, 300), "photo.heic")
    assert cropped.shape == (300, 600, 3)
    assert is_red(cropped) and cropped[20, -20, 1] > 150 and cropped[-20, 20, 0] > 180


def test_heic_larger_than_any_photo_or_cut_off_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = heic(coloured())
    with pytest.raises(PhotoError, match="has 30000 x 30000"):
        decode_photo(content.replace(struct.pack(">II", 320, 240), struct.pack(">II", 30_000, 30_000)), "photo.heic")
    with monkeypatch.context() as patch, pytest.raises(PhotoError, match="has 802 x 602"):
        patch.setattr(load, "LIMITS", replace(LIMITS, photo_pixels=400_000))
        decode_photo(cropped_heic(600, 300), "photo.heic")
    for kept in (0.02, 0.3, 0.9):
        with pytest.raises(PhotoError, match=r"damaged or cut off.*share it as JPEG"):
            decode_photo(content[: max(12, int(kept * len(content)))], "photo.heic")


def tiff(tags: dict[int, object], **options: object) -> bytes:
    """A TIFF with these tags."""
    directory = ImageFileDirectory_v2()
    directory.update(tags)
    return encoded(coloured(256, 200), "TIFF", tiffinfo=directory, **options)


def test_raw_files_are_refused_for_what_they_are_and_scans_are_read() -> None:
    raw = (tiff({254: 1}), b"II*\0\x10\0\0\0CR\2\0" + b"\0" * 400, b"FUJIFILMCCD-RAW 0201", b"\0\0\0\x18ftypcrx ")
    for content in raw:
        with pytest.raises(PhotoError, match="it is a camera's raw file; save it as JPEG"):
            decode_photo(content, "table.dng")
    scans = [tiff({254: 0}), tiff({305: "Scanner"}), tiff({}, big_tiff=True)]
    for content in (*scans, *(tiff({}, compression=packed) for packed in ("tiff_lzw", "jpeg", "packbits"))):
        assert decode_photo(content, "scan.tif").shape == (200, 256, 3)


def test_grey_is_told_from_dark() -> None:
    picture = decode_photo(encoded(coloured()), "photo")
    for dark in (1, 30):
        assert not is_grey((picture // dark).astype(np.uint8))
        assert is_grey(np.repeat(picture[:, :, :1] // dark, 3, axis=2))
