"""Measure what tiles told bring to other photos, for docs/calibration.md: `python docs/own_examples.py`.

Each owner has a drawn box of pieces and six photos. Of three the true tile is told for every doubtful one, as a person
does with `companion read --ask`; the other three are read without and with what was learnt from it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from calibration import FILLINGS, OWNERS, PROFILES, SIZE, Hsv, Tally, figures, painted, write_figures

from companion.errors import PhotoError
from companion.lab.rendering.boards import random_board
from companion.lab.rendering.pieces import PieceSet, make_piece_set
from companion.lab.rendering.render import render
from companion.lab.rendering.sampling import sample_scene
from companion.rules.model.board import Board
from companion.vision.board.reading import Reading
from companion.vision.colour.learnt import LabelledTile, learn_paints, seen_pieces, unusual_pieces
from companion.vision.colour.paints import PIECE_NAMES
from companion.vision.load import Picture
from companion.vision.locate.grid import Lattice
from companion.vision.locate.markers import find_board
from companion.vision.reading.own_set import OwnSet
from companion.vision.reading.pipeline import read_board

BEGIN, END = "<!-- figures: made by docs/own_examples.py -->\n", "<!-- end of the examples' figures -->\n"
SEED = 830_000
TAUGHT = MEASURED = 3
USUAL, DRAWN = 4, 6
"""Owners with usual pieces, and with three kinds of piece in paints drawn at random, besides those of OWNERS."""


def owners() -> Iterator[tuple[str, PieceSet, int]]:
    """Names, boxes and seeds."""
    names: list[tuple[str, dict[str, Hsv]]] = [(f"usual paints, box {n}", {}) for n in range(1, USUAL + 1)]
    names += [(name, dict(hsv)) for name, hsv in OWNERS.items() if hsv]
    for number in range(DRAWN):
        rng = np.random.default_rng((SEED, number, 3))
        pieces = rng.choice(["y", "w", "b", "g", "r", "O", "B", "P", "palm", "palace"], 3, replace=False)
        hsv = {str(p): (rng.uniform(0, 360), rng.uniform(0.1, 0.9), rng.uniform(0.3, 0.85)) for p in pieces}
        drawn = ", ".join(PIECE_NAMES[piece].removeprefix("the ") for piece in hsv)
        names.append((f"drawn at random: {drawn}", hsv))
    for number, (name, hsv) in enumerate(names):
        rng = np.random.default_rng((SEED, number, 5))
        yield name, painted(make_piece_set(rng), hsv, rng), SEED + 100 * number


def photo(box: PieceSet, seed: int) -> tuple[Picture, Lattice, Board]:
    """A photo of these pieces in which the board is found."""
    for attempt in range(20):
        rng = np.random.default_rng((seed, attempt))
        board = random_board(FILLINGS[seed % len(FILLINGS)], rng)
        scene = replace(sample_scene(rng, board, PROFILES[(seed // 100 + seed) % len(PROFILES)]), box=box)
        picture, _ = render(scene, rng, SIZE)
        try:
            return picture, find_board(picture), board
        except PhotoError:
            continue
    raise SystemExit(f"no board is found with seed {seed}")


def told(picture: Picture, reading: Reading, board: Board, key: str) -> list[LabelledTile]:
    """The doubtful tiles as a person tells them."""
    same = sum(seen.tile.kind is true.kind for seen, true in zip(reading.tiles, board, strict=True))
    turned = board[::-1]
    if sum(seen.tile.kind is true.kind for seen, true in zip(reading.tiles, turned, strict=True)) > same:
        board = turned
    feet = {square: reading.tiles[square].detections for square in reading.doubtful}
    pieces = seen_pieces(picture, np.array(reading.homography), feet)
    return [LabelledTile(board[square], pieces[square], key) for square in reading.doubtful]


def measure(only: str) -> list[tuple[str, list[str], Tally, Tally]]:
    """For each owner what was learnt, and the tallies without and with it."""
    rows = []
    for name, box, seed in owners():
        if only not in name:
            continue
        tiles: list[LabelledTile] = []
        for number in range(TAUGHT):
            picture, lattice, board = photo(box, seed + number)
            tiles += told(picture, read_board(picture, lattice), board, str(number))
        paints = learn_paints(tiles)
        without, having = Tally(), Tally()
        for number in range(TAUGHT, TAUGHT + MEASURED):
            picture, lattice, board = photo(box, seed + number)
            before = read_board(picture, lattice)
            without.add(before, board)
            having.add(before if paints is None else read_board(picture, lattice, own=OwnSet(paints)), board)
        rows.append((name, [PIECE_NAMES[piece] for piece in unusual_pieces(paints)], without, having))
        print(len(tiles), *rows[-1], file=sys.stderr, flush=True)
    return rows


def table(rows: list[tuple[str, list[str], Tally, Tally]]) -> str:
    """The figures as a table in Markdown."""
    lines = [
        "| pieces | learnt | wholly right without | with | wrong and not flagged without | with | flagged a board "
        "without | with |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, learnt, without, having in rows:
        pieces = ", ".join(piece.removeprefix("the ") for piece in learnt) or "–"
        lines.append(f"| {name} | {pieces} {figures(without, having, MEASURED)}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure, print, and write the table into the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="only owners whose name has this in it")
    parser.add_argument("--dry", action="store_true", help="print only")
    options = parser.parse_args()
    text = table(measure(options.only))
    print(text)
    if not options.dry:
        write_figures(text, BEGIN, END)


if __name__ == "__main__":
    main()
