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
from companion.vision.load import decode_photo, load_photo
from companion.vision.locate.scan import is_grey


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
        (b"\0\0\0\x18ftypheic\0\0\0\0", "damaged or cut off.*JPEG"),
        (encoded(coloured(), "JPEG")[:900], "damaged or cut off"),
        (encoded(coloured(), "PNG")[:200], "damaged or cut off"),
        (png_claiming(30_000, 30_000), "more pixels than|claims 30000"),
        (png_claiming(9_000, 9_000), "claims 9000 x 9000"),
        (png_claiming(60_000, 60_000), "more pixels than"),
        (encoded(coloured(64, 64)), "only 64 x 64"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg width="10"/>', "SVG"),
        (b"<!DOCTYPE html><html><body>login</body></html>", "web page"),
        ("Стол с фишками, снято вчера".encode()[:33], "it is text"),
        (b"\0\0\0\x20ftypisom\0\0\2\0isomiso2mp41", "a video"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", "a video"),
        (b"\x1aE\xdf\xa3\x9fB\x86\x81\1", "a video"),
        (b"RIFF\x24\0\0\0AVI LIST", "a video"),
        (b"PK\3\4\x14\0\0\0", "an archive"),
        (b"\0\0\0\x18ftypcrx \0\0\0\1", "raw file"),
        (png_claiming(200, 2_010), "strip of 200 x 2010.*10 times"),
        (png_claiming(320_000, 200), "strip of 320000 x 200"),
        (png_claiming(1, 30_000), "only 1 x 30000"),
        (b"\0\0\0\x0cJXL \r\n\x87\n", "JPEG XL"),
        (b"\0\0\0\x20ftypavif\0\0\0\0", "AVIF"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 400 300\n", "PostScript"),
    ],
    ids=[
        "empty",
        "text",
        "zeros",
        "pdf",
        "heic",
        "cut jpeg",
        "cut png",
        "huge",
        "large",
        "bomb",
        "tiny",
        "svg",
        "svg with a head",
        "web page",
        "text cut in a letter",
        "mp4",
        "mov",
        "mkv",
        "avi",
        "zip",
        "raw",
        "tall",
        "wide",
        "line",
        "jpeg xl",
        "avif",
        "postscript",
    ],
)
def test_unusable_files_end_in_one_clear_message(content: bytes, words: str) -> None:
    with pytest.raises(PhotoError, match=words) as caught:
        decode_photo(content, "table.jpg")
    assert "table.jpg" in str(caught.value)
    assert caught.value.status is ExitStatus.UNUSABLE_INPUT


def test_a_huge_claim_is_refused_before_a_pixel_is_decoded() -> None:
    assert LIMITS.photo_pixels < 30_000 * 30_000
    with pytest.raises(PhotoError):
        decode_photo(png_claiming(30_000, 30_000), "huge.png")


def test_colours_come_out_in_the_order_blue_green_red() -> None:
    picture = decode_photo(encoded(coloured()), "photo")
    assert picture.shape == (240, 320, 3)
    assert picture[10, 10].tolist() == [30, 30, 220]


@pytest.mark.parametrize(
    ("orientation", "red_corner"),
    [
        (1, (0, 0)),
        (2, (0, -1)),
        (3, (-1, -1)),
        (4, (-1, 0)),
        (5, (0, 0)),
        (6, (0, -1)),
        (7, (-1, -1)),
        (8, (-1, 0)),
        (0, (0, 0)),
        (99, (0, 0)),
    ],
    ids=str,
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


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match="there is no file .*nowhere.jpg"):
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


def moving(format: str, **options: object) -> bytes:
    """An animation of two pictures."""
    return encoded(coloured(), format, save_all=True, append_images=[coloured().rotate(180)], **options)


@pytest.mark.parametrize("format", ["GIF", "PNG", "WEBP", "TIFF"])
def test_animations_and_pages_are_refused_which_of_them_is_the_table_is_not_guessed(format: str) -> None:
    with pytest.raises(PhotoError, match="several pictures"):
        decode_photo(moving(format), "table.gif")


def test_of_a_phones_photo_with_a_preview_behind_it_the_photo_is_read() -> None:
    assert decode_photo(moving("MPO"), "photo")[20, 20, 2] > 180


def deep(format: str) -> bytes:
    """A picture in 16-bit grey, black to white from left to right."""
    values = np.tile(np.linspace(0, 65535, 320), (240, 1)).astype(np.uint16)
    return encoded(Image.fromarray(values), format)


@pytest.mark.parametrize("content", [deep("PNG"), deep("TIFF")], ids=["png", "tiff"])
def test_16_bit_grey_keeps_its_shades(content: bytes) -> None:
    row = decode_photo(content, "scan")[100, :, 0].astype(int)
    assert row[0] < 3 and abs(row[160] - 128) < 3 and row[-1] > 252


def test_16_bit_colour_is_read() -> None:
    # Pillow writes none, so the header and the rows are put together here.
    row = b"\0" + struct.pack(">3H", 60000, 2000, 30000) * 240
    header = struct.pack(">IIBBBBB", 240, 220, 16, 2, 0, 0, 0)

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    content = (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * 220)) + chunk(b"IEND", b"")
    )
    blue, green, red = (int(value) for value in decode_photo(content, "photo")[100, 100])
    assert abs(red - 234) < 3 and abs(green - 8) < 3 and abs(blue - 117) < 3


def test_numbers_that_are_none_do_not_matter() -> None:
    values = np.tile(np.linspace(0, 255, 320, dtype=np.float32), (240, 1))
    values[0] = np.nan
    values[1] = np.inf
    assert decode_photo(encoded(Image.fromarray(values), "TIFF"), "scan")[100, -1].tolist() == [255, 255, 255]


def test_a_wrong_ending_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "table.png"
    path.write_bytes(encoded(coloured(), "JPEG"))
    assert load_photo(path).shape == (240, 320, 3)


def test_a_folder_a_pipe_and_a_name_no_file_can_have_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableInputError, match="is a folder"):
        load_photo(tmp_path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(UnusableInputError, match="is a pipe"):
            load_photo(tmp_path / "pipe")
    with pytest.raises(UnusableInputError, match="no file can have that name"):
        load_photo(Path("table\0.jpg"))


def test_a_file_of_too_many_bytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "table.jpg"
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


def test_heic_is_read() -> None:
    content = heic(coloured())
    assert is_heic(content) and is_picture(content[:HEAD_BYTES])
    blue, green, red = (int(value) for value in decode_photo(content, "photo.heic")[20, 20])
    assert red > 180 and green < 80 and blue < 80


def test_heic_is_turned_upright() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    picture = decode_photo(heic(coloured(), exif), "photo.heic")
    assert picture.shape == (320, 240, 3)
    assert picture[20, -20, 2] > 180 and picture[20, 20, 2] < 80


def test_heic_larger_than_any_photo_is_refused_by_its_header() -> None:
    content = heic(coloured())
    size = struct.pack(">II", 320, 240)
    assert size in content
    with pytest.raises(PhotoError, match="claims 30000 x 30000"):
        decode_photo(content.replace(size, struct.pack(">II", 30_000, 30_000)), "photo.heic")


def cropped_heic(width: int, height: int) -> bytes:
    """A HEIC of 802 x 602 px of which its crop box leaves the middle; libheif writes the box for odd sizes alone."""
    content = heic(coloured(801, 601))
    place = content.index(b"clap") + 4
    return content[:place] + struct.pack(">IIIIiIiI", width, 1, height, 1, 0, 1, 0, 1) + content[place + 32 :]


def test_heic_is_cropped_as_its_box_says() -> None:
    picture = decode_photo(cropped_heic(600, 300), "photo.heic")
    assert picture.shape == (300, 600, 3)
    assert picture[20, 20, 2] > 180 and picture[20, -20, 1] > 150 and picture[-20, 20, 0] > 180


def test_a_crop_hides_no_picture_larger_than_any_photo() -> None:
    with pytest.raises(PhotoError, match="claims 802 x 602"):
        decode_photo(cropped_heic(600, 300), "photo.heic", replace(LIMITS, photo_pixels=400_000))


def tiff(*directories: dict[int, object], inside: bool = False, **options: object) -> bytes:
    """A TIFF of a preview with a tag for each of the first directory, and a further directory, chained or inside."""
    first = ImageFileDirectory_v2()
    for tag, value in directories[0].items():
        first[tag] = value
    content = encoded(coloured(256, 200), "TIFF", tiffinfo=first, **options)
    for directory in directories[1:]:
        ((tag, value),) = directory.items()
        more = struct.pack("<HHHIII", 1, tag, 3, 1, value, 0)
        if inside:
            # Where a tag of no account stood before.
            place = content.index(struct.pack("<HHII", _SUB, 4, 1, 1))
            content = content[: place + 8] + struct.pack("<I", len(content)) + content[place + 12 :] + more
        else:
            start = struct.unpack_from("<I", content, 4)[0]
            (number,) = struct.unpack_from("<H", content, start)
            end = start + 2 + 12 * number
            content = content[:end] + struct.pack("<I", len(content)) + content[end + 4 :] + more
    return content


_SUB = 330
RAW = {
    "dng": tiff({50706: b"\1\4\0\0"}),
    "big dng": tiff({50706: b"\1\4\0\0"}, big_tiff=True),
    "nef": tiff({_SUB: 1}, {262: 32803}, inside=True),
    "arw": tiff({_SUB: 1}, {259: 32767}, inside=True),
    "pef": tiff({}, {259: 65535}),
    "linear": tiff({}, {262: 34892}),
    "cr2": b"II*\0\x10\0\0\0CR\2\0" + b"\0" * 400,
    "iiq": b"II*\0\x10\0\0\0IIII" + b"\0" * 400,
    "raf": b"FUJIFILMCCD-RAW 0201",
    "orf": b"IIRO\x08\0\0\0",
    "orf of 2003": b"MMOR\0\0\0\x08",
    "rw2": b"IIU\0\x18\0\0\0",
    "x3f": b"FOVb\2\0\2\0",
    "crw": b"II\x1a\0\0\0HEAPCCDR",
}


@pytest.mark.parametrize("content", RAW.values(), ids=RAW)
def test_raw_files_are_refused_for_what_they_are(content: bytes) -> None:
    with pytest.raises(PhotoError, match="it is a camera's raw file; save it as JPEG"):
        decode_photo(content, "table.dng")


@pytest.mark.parametrize(
    "content",
    [tiff({_SUB: 1}, {262: 2}, inside=True), tiff({305: "Scanner 32803"}), tiff({}, big_tiff=True)]
    + [tiff({}, compression=packed) for packed in ("tiff_lzw", "jpeg", "packbits")],
)
def test_a_tiff_of_a_scanner_is_no_raw_file(content: bytes) -> None:
    assert decode_photo(content, "scan.tif").shape == (200, 256, 3)


@pytest.mark.parametrize("kept", [0.02, 0.3, 0.9])
def test_heic_cut_off_is_refused(kept: float) -> None:
    content = heic(coloured())
    with pytest.raises(PhotoError, match="damaged or cut off.*share it as JPEG"):
        decode_photo(content[: max(12, int(kept * len(content)))], "photo.heic")


def test_a_large_transparent_picture_is_made_small_before_it_is_laid_on_white() -> None:
    clear = coloured(4000, 3000).convert("RGBA")
    clear.paste((0, 0, 0, 0), (0, 0, 1000, 1000))
    picture = decode_photo(encoded(clear, "PNG", compress_level=1), "photo")
    assert picture.shape == (1500, 2000, 3)
    assert picture[100, 100].tolist() == [255, 255, 255]


@pytest.mark.parametrize("dark", [1, 30], ids=["bright", "dark"])
def test_grey_is_told_from_dark(dark: int) -> None:
    picture = decode_photo(encoded(coloured()), "photo")
    assert not is_grey((picture // dark).astype(np.uint8))
    assert is_grey(np.repeat(picture[:, :, :1] // dark, 3, axis=2))
