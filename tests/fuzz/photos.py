"""Mutated files and spoilt pictures through the reader: only the program's own errors may come out.

python -m tests.fuzz.photos 5000 --seed 1            # mutated files, decoded; some read whole
python -m tests.fuzz.photos 60 --seed 1 --pictures   # pictures cropped, mirrored, stretched, ..., read whole
"""

from __future__ import annotations

import argparse
import io
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pillow_heif
from PIL import Image, features

from companion.errors import CompanionError
from companion.notation.files import parse_position
from companion.rules.model.board import Board
from companion.vision.load import Picture, decode_photo
from companion.vision.reading.pipeline import read_picture
from tests.vision import tables

SLOWEST_S = 20.0
"""A file that takes longer than this, in time of the processor, counts as a hang."""

WHOLE_SHARE = 0.03
"""The share of the files still decoded that are read to the end: that takes a hundred times as long."""


@dataclass
class Tally:
    """What came of the files or pictures tried."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    slowest_s: float = 0.0


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


def try_file(content: bytes, name: str, tally: Tally, *, whole: bool) -> None:
    """Decode a file, and read it to the end if `whole`; note what came of it."""
    start = time.process_time()
    try:
        picture = decode_photo(content, "table.jpg")
        outcome = "decoded"
        if whole:
            read_picture(picture)
            outcome = "read whole"
    except CompanionError as error:
        outcome = " ".join(str(error).split()[:6])
    except Exception:
        outcome = "FAULT"
        tally.faults.append(f"{name}:\n{traceback.format_exc()}")
    spent = time.process_time() - start
    if spent > SLOWEST_S:
        tally.faults.append(f"{name}: took {spent:.1f} s")
    tally.slowest_s = max(tally.slowest_s, spent)
    tally.outcomes[outcome] += 1


def fuzz_files(count: int, seed: int, *, whole_share: float = WHOLE_SHARE, keep: Path | None = None) -> Tally:
    """Try so many mutated files; the same seed tries the same ones. Those at fault are kept in a folder."""
    rng = random.Random(seed)
    files = list(sources().values())
    tally = Tally()
    for number in range(count):
        content = mutated(rng, files)
        before = len(tally.faults)
        try_file(content, f"seed {seed}, file {number}", tally, whole=rng.random() < whole_share)
        if keep is not None and len(tally.faults) > before:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{seed}-{number}.bin").write_bytes(content)
    return tally


def spoilt(rng: random.Random, photo: Picture) -> tuple[str, Picture]:
    """The photo spoilt in one way or two, and which."""
    ways: list[str] = []
    picture: Any = photo
    for _ in range(rng.choice((1, 1, 2))):
        height, width = picture.shape[:2]
        way = rng.choice(
            ("crop", "mirror", "posterise", "invert", "turn", "stretch", "jpeg", "collage", "light", "shear")
        )
        if way == "crop":
            left, right = sorted(rng.choices(range(width), k=2))
            top, bottom = sorted(rng.choices(range(height), k=2))
            if rng.random() < 0.6:
                left, top, right, bottom = left // 4, top // 4, width - left // 4, height - top // 4
            picture = picture[top : max(bottom, top + 220), left : max(right, left + 220)]
        elif way == "mirror":
            picture = picture[:, ::-1] if rng.random() < 0.5 else picture[::-1]
        elif way == "posterise":
            step = rng.choice((32, 64, 96))
            picture = picture // step * step + step // 2
        elif way == "invert":
            picture = 255 - picture
        elif way == "turn":
            matrix: Any = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(0, 360), rng.uniform(0.5, 0.8))
            picture = cv2.warpAffine(picture, matrix, (width, height), borderValue=(70, 90, 110))
        elif way == "stretch":
            size = (round(width * rng.uniform(0.4, 1.4)), round(height * rng.uniform(0.4, 1.4)))
            picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        elif way == "jpeg":
            quality = [cv2.IMWRITE_JPEG_QUALITY, rng.choice((2, 5, 10, 20))]
            picture = cv2.imdecode(cv2.imencode(".jpg", np.ascontiguousarray(picture), quality)[1], cv2.IMREAD_COLOR)
        elif way == "collage":
            other: Any = tables.OTHER_THINGS[rng.choice(sorted(tables.OTHER_THINGS))]()
            other = cv2.resize(other, (width, height), interpolation=cv2.INTER_AREA)
            picture = np.hstack([picture, other]) if rng.random() < 0.5 else np.vstack([other, picture])
        elif way == "light":
            picture = np.clip(picture * np.array([rng.uniform(0.2, 2.2) for _ in range(3)]), 0, 255).astype(np.uint8)
        else:
            matrix = np.array([[1, rng.uniform(-0.4, 0.4), 0], [rng.uniform(-0.2, 0.2), 1, 0]])
            matrix[:, 2] = (
                np.array([width, height]) / 2 * (1 - 0.7) - (matrix[:, :2] - np.eye(2)) @ (width / 2, height / 2) * 0.7
            )
            matrix[:, :2] *= 0.7
            picture = cv2.warpAffine(picture, matrix, (width, height), borderValue=(70, 90, 110))
        ways.append(way)
        picture = np.ascontiguousarray(picture, dtype=np.uint8)
    return " + ".join(ways), picture


def fuzz_pictures(count: int, seed: int) -> tuple[Tally, list[str]]:
    """Read so many spoilt photos; a line for each board read, how many tiles were wrong, and not flagged."""
    rng = random.Random(seed)
    names = sorted(path.stem for path in tables.SAMPLES.glob("*.jpg"))
    boards: dict[str, Board] = {
        name: parse_position((tables.SAMPLES / f"{name}.toml").read_text()).board for name in names
    }
    tally, lines = Tally(), []
    for number in range(count):
        name = rng.choice(names)
        ways, picture = spoilt(rng, tables.sample(name))
        start = time.process_time()
        try:
            reading = read_picture(picture)
        except CompanionError as error:
            tally.outcomes["refused"] += 1
            lines.append(f"{name} {ways}: refused: {' '.join(str(error).split()[:14])}")
        except Exception:
            tally.outcomes["FAULT"] += 1
            tally.faults.append(f"seed {seed}, picture {number}, {ways}:\n{traceback.format_exc()}")
        else:
            wrong = [square for square, tile in enumerate(reading.tiles) if tile.tile != boards[name][square]]
            missed = [square for square in wrong if square not in reading.doubtful]
            tally.outcomes["boards read"] += 1
            tally.outcomes["tiles wrong"] += len(wrong)
            tally.outcomes["tiles wrong and not flagged"] += len(missed)
            if len(wrong) > 6 and len(missed) > 2:
                tally.outcomes["boards silently wrong"] += 1
            lines.append(f"{name} {ways}: {len(wrong)} wrong, {len(missed)} not flagged, {len(reading.doubtful)} flags")
        tally.slowest_s = max(tally.slowest_s, time.process_time() - start)
    return tally, lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, help="how many files or pictures")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pictures", action="store_true", help="spoil pictures instead of files")
    parser.add_argument("--whole", type=float, default=WHOLE_SHARE, help="share of files read to the end")
    parser.add_argument("--keep", type=Path, help="folder for the files at fault")
    given = parser.parse_args()
    warnings.simplefilter("error")
    if given.pictures:
        tally, lines = fuzz_pictures(given.count, given.seed)
        print("\n".join(lines))
    else:
        tally = fuzz_files(given.count, given.seed, whole_share=given.whole, keep=given.keep)
    for outcome, number in tally.outcomes.most_common():
        print(f"{number:6}  {outcome}")
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(tally.faults)} faults; the slowest took {tally.slowest_s:.2f} s of processor time; {peak} MB at most")
    print("\n".join(tally.faults[:5]))
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
