"""Measure what a calibration brings and write its table into docs/calibration.md: `python docs/calibration.py`.

Tables are drawn with pieces in paints that no copy of the game has, each set of paints is calibrated from one drawn
photo of the card under another lamp, and every photo is read without and with that calibration.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import PhotoError
from companion.lab.rendering.boards import random_board
from companion.lab.rendering.calibration_photo import calibration_photo
from companion.lab.rendering.pieces import CAMEL, MEEPLE, PieceSet, make_paint, make_piece_set
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.printing.markers.pages import markers_pdf
from companion.rules.model.board import Board
from companion.vision.board.reading import Reading
from companion.vision.board.rectify import rectify
from companion.vision.colour.paint_card import draw_card, read_card
from companion.vision.colour.paints import Paints
from companion.vision.colour.recolour import recolour
from companion.vision.locate.markers import find_board
from companion.vision.reading.own_set import OwnSet
from companion.vision.reading.pipeline import read_board

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
BEGIN, END = "<!-- figures: made by docs/calibration.py -->\n", "<!-- end of figures -->\n"
SIZE = (1440, 1080)
CARD_SIZE = (1080, 1440)
PROFILES = ("table", "topdown", "seated", "dim")
FILLINGS = ("start", "mid", "mid", "end")

Hsv = tuple[float, float, float]
OWNERS: dict[str, Mapping[str, Hsv]] = {
    "usual paints": {},
    "viziers of orange yellow, assassins of wine": {"y": (40, 0.9, 0.9), "r": (340, 0.75, 0.42)},
    "merchants of teal, builders of purple": {"g": (176, 0.7, 0.45), "b": (275, 0.55, 0.45)},
    "elders of grey": {"w": (210, 0.04, 0.5)},
    "palaces of blue, palms of white": {"palace": (212, 0.5, 0.62), "palm": (45, 0.05, 0.88)},
    "camels of brown, turquoise and violet": {"O": (20, 0.6, 0.36), "B": (172, 0.55, 0.66), "P": (290, 0.45, 0.6)},
    "all pastel": {
        "y": (55, 0.45, 0.92), "b": (218, 0.45, 0.78), "g": (135, 0.4, 0.66), "r": (355, 0.5, 0.82),
        "O": (24, 0.5, 0.92), "P": (336, 0.35, 0.86),
    },
}  # fmt: skip


@dataclass(slots=True)
class Tally:
    """What was read of some photos: tiles wholly right, wrong but not flagged, flagged, of so many."""

    tiles: int = 0
    whole: int = 0
    unflagged: int = 0
    flagged: int = 0

    def add(self, reading: Reading, truth: Board) -> None:
        """Count one photo; a board told half-turned counts as right."""
        tiles = reading.tiles
        if _told(tuple(reversed(tiles)), truth) > _told(tiles, truth):
            tiles = tuple(reversed(tiles))
        for seen, true in zip(tiles, truth, strict=True):
            self.tiles += 1
            self.whole += seen.tile == true
            self.flagged += seen.is_doubtful
            self.unflagged += seen.tile != true and not seen.is_doubtful


def _told(tiles: tuple[object, ...], truth: Board) -> int:
    return sum(seen.tile.kind is true.kind for seen, true in zip(tiles, truth, strict=True))  # type: ignore[attr-defined]


def painted(box: PieceSet, paints: Mapping[str, Hsv], rng: np.random.Generator) -> PieceSet:
    """The box with pieces in these paints."""
    changed = dict(box.paints)
    for piece, hsv in paints.items():
        kind = MEEPLE if piece in "ywbgr" else CAMEL if piece in "KOBP" else piece
        changed[kind, piece if kind in (MEEPLE, CAMEL) else ""] = make_paint(hsv, rng)
    return replace(box, paints=changed)


def _calibrated(box: PieceSet, seed: int) -> Paints:
    """The paints measured on a photo of the card, under the first lamp that leaves no glare on it."""
    for attempt in range(20):
        rng = np.random.default_rng((seed, 77, attempt))
        try:
            return read_card(
                calibration_photo(rng, box, profile="table" if attempt % 2 else "topdown", size=CARD_SIZE)
            ).paints
        except PhotoError:
            continue
    raise SystemExit("no photo of the card could be read")


def measure(count: int, only: str, folder: Path | None) -> list[tuple[str, int, Tally, Tally]]:
    """For each owner: the number of photos, and the tallies without and with a calibration."""
    rows = []
    for number, (name, hsv) in enumerate(OWNERS.items()):
        if only not in name:
            continue
        without, having, photos = Tally(), Tally(), 0
        for photo in range(count):
            seed = 1000 * number + photo
            rng = np.random.default_rng((seed, 5))
            box = painted(make_piece_set(rng), hsv, rng)
            board = random_board(FILLINGS[photo % len(FILLINGS)], rng)
            scene = sample_scene(rng, board, PROFILES[(photo + number) % len(PROFILES)])
            scene = replace(scene, box=box)
            picture, _ = render(scene, rng, SIZE)
            try:
                lattice = find_board(picture)
            except PhotoError:
                continue
            paints = _calibrated(box, seed)
            before, after = read_board(picture, lattice), read_board(picture, lattice, own=OwnSet(paints))
            without.add(before, board)
            having.add(after, board)
            photos += 1
            if folder is not None:
                cv2.imwrite(str(folder / f"{number}_{photo}.png"), picture)
                (folder / f"{number}_{photo}.npy").write_bytes(lattice.homography.tobytes())
        rows.append((name, photos, without, having))
        print(name, photos, without, having, file=sys.stderr, flush=True)
    return rows


def table(rows: list[tuple[str, int, Tally, Tally]]) -> str:
    """The figures as a table in Markdown."""
    lines = [
        "| pieces | photos | wholly right without | with | wrong and not flagged without | with | flagged a board "
        "without | with |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, photos, without, having in rows:
        lines.append(f"| {name} | {photos} {figures(without, having, photos)}")
    return "\n".join(lines) + "\n"


def figures(without: Tally, having: Tally, photos: int) -> str:
    """The last six columns of a row: tiles right, wrong and not flagged, and flags a board, each without and with."""
    shares = [f"{100 * one.whole / max(one.tiles, 1):.1f}%" for one in (without, having)]
    flags = [f"{one.flagged / max(photos, 1):.1f}" for one in (without, having)]
    return f"| {shares[0]} | {shares[1]} | {without.unflagged} | {having.unflagged} | {flags[0]} | {flags[1]} |"


def write_figures(text: str, begin: str, end: str) -> None:
    """Put a table into the page between its marks."""
    page = DOCS / "calibration.md"
    head, _, rest = page.read_text(encoding="utf-8").partition(begin)
    page.write_text(f"{head}{begin}{text}{end}{rest.partition(end)[2]}", encoding="utf-8")


def _picture(path: Path) -> NDArray[np.uint8]:
    """A picture that has just been written, (height, width, 3) BGR."""
    picture = cv2.imread(str(path))
    assert picture is not None, path
    return picture.astype(np.uint8)


def draw_pictures() -> None:
    """The pictures of the page, into docs/images: the print, a card measured, and a board before and after."""
    with tempfile.TemporaryDirectory() as name:
        pdf = Path(name) / "markers.pdf"
        pdf.write_bytes(markers_pdf())
        subprocess.run(["pdftoppm", "-r", "50", "-png", pdf, pdf.with_suffix("")], check=True)
        sheets = [_picture(sheet) for sheet in sorted(Path(name).glob("*.png"))]
    rim = [cv2.copyMakeBorder(sheet, 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=(120, 120, 120)) for sheet in sheets]
    cv2.imwrite(str(IMAGES / "markers.png"), np.hstack(rim), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    rng = np.random.default_rng(12)
    box = painted(make_piece_set(rng), OWNERS["merchants of teal, builders of purple"], rng)
    photo = calibration_photo(rng, box, profile="table", size=CARD_SIZE)
    reading = read_card(photo)
    both = [cv2.resize(one, (round(600 * one.shape[1] / one.shape[0]), 600), interpolation=cv2.INTER_AREA)
            for one in (photo, draw_card(reading))]  # fmt: skip
    cv2.imwrite(str(IMAGES / "calibration.jpg"), np.hstack(both), [cv2.IMWRITE_JPEG_QUALITY, 82])
    scene = replace(sample_scene(rng, random_board("start", rng), "topdown"), box=box)
    picture, _ = render(scene, rng, SIZE)
    board = rectify(picture, find_board(picture).homography)
    shown = np.hstack([board, recolour(board, reading.paints)])
    cv2.imwrite(str(IMAGES / "recoloured.jpg"), shown, [cv2.IMWRITE_JPEG_QUALITY, 82])


def main() -> None:
    """Measure, print, and write the table into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=8, help="photos of each set of paints")
    parser.add_argument("--only", default="", help="only sets of paints whose name has this in it")
    parser.add_argument("--keep", type=Path, help="a folder to keep the photos in")
    parser.add_argument("--pictures", action="store_true", help="draw the page's pictures and leave")
    parser.add_argument("--dry", action="store_true", help="print only")
    options = parser.parse_args()
    if options.pictures:
        draw_pictures()
        return
    text = table(measure(options.count, options.only, options.keep))
    print(text)
    if not options.dry:
        write_figures(text, BEGIN, END)


if __name__ == "__main__":
    main()
