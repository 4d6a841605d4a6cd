"""The page of both tracks on a table with markers on some spots, as a phone would take it (rules 1.6, 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.lab.rendering.boards import start_board
from companion.lab.rendering.calibration_photo import page_photo
from companion.lab.rendering.camera import BOARD_MM, set_up
from companion.lab.rendering.pieces import CAMEL, MEEPLE, Cut, PieceSet, squared
from companion.lab.rendering.sampling import sample_scene
from companion.lab.rendering.scene import LYING, STANDING
from companion.lab.rendering.solids import Solid, build
from companion.lab.rendering.textures import Image
from companion.notation.fiducials import (
    MARKER_MODULES,
    TRACK_MARKER_MM,
    TRACK_MARKERS,
    TRACK_PRICES,
    TRACK_SPOT_MM,
    TRACKS_MM,
    bid_spot,
    dark_modules,
    track_marker_corner,
    turn_spot,
)
from companion.rules.model.components import BID_SPOTS, Colour

PX_PER_MM = 6
RIM_MM = (11.0, 33.0, 11.0, 60.0)
"""Paper around the tracks at the left, top, right and bottom; what is printed below them is left out."""

_PAPER, _INK, _GREY = (244, 244, 244), (30, 34, 40), (100, 110, 116)
_GROUND, _GOLD = (238, 247, 252), (78, 190, 236)
_PAWN = ((-3.2, 4.5), (-2.6, 0.5), (-1.2, -0.6), (1.2, -0.6), (2.6, 0.5), (3.2, 4.5))
"""The outline of a marker's body on an empty spot, in mm from its middle."""


@dataclass(frozen=True, slots=True)
class Markers:
    """The colours on the spots of the turn order track, from the dearest, and of the bid order track; None for none."""

    turn: tuple[Colour | None, ...]
    bid: tuple[Colour | None, ...]


def tracks_page() -> Image:
    """The upper part of the page of the bid as printed, `PX_PER_MM`: squares, spots, prices; lines stand for words."""
    left, top, right, bottom = RIM_MM
    size = (round((left + TRACKS_MM[0] + right) * PX_PER_MM), round((top + TRACKS_MM[1] + bottom) * PX_PER_MM))
    page = np.full((size[1], size[0], 3), _PAPER, np.uint8)

    def px(x: float, y: float) -> tuple[int, int]:
        return round((x + left) * PX_PER_MM), round((y + top) * PX_PER_MM)

    module = TRACK_MARKER_MM / MARKER_MODULES
    for place, number in enumerate(TRACK_MARKERS):
        x, y = track_marker_corner(place)
        for column, row in dark_modules(number):
            (x0, y0), (x1, y1) = (
                px(x + column * module, y + row * module),
                px(x + (column + 1) * module, y + (row + 1) * module),
            )
            page[y0:y1, x0:x1] = 24
    half = TRACK_SPOT_MM / 2 - 0.8
    for x, y in (*map(turn_spot, range(len(TRACK_PRICES))), *map(bid_spot, range(BID_SPOTS))):
        cv2.rectangle(page, px(x - half, y - half), px(x + half, y + half), _GROUND, -1)
        cv2.rectangle(page, px(x - half, y - half), px(x + half, y + half), _INK, 2, cv2.LINE_AA)
        body = np.array([px(x + dx, y + dy) for dx, dy in _PAWN], np.int32)
        cv2.fillPoly(page, [body], (255, 255, 255), cv2.LINE_AA)
        cv2.polylines(page, [body], True, _GREY, 1, cv2.LINE_AA)
        cv2.circle(page, px(x, y - 2.4), round(2 * PX_PER_MM), (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(page, px(x, y - 2.4), round(2 * PX_PER_MM), _GREY, 1, cv2.LINE_AA)
    for number, price in enumerate(TRACK_PRICES):
        x, y = turn_spot(number)
        coin = px(x, y + TRACK_SPOT_MM / 2 + 3.5)
        cv2.circle(page, coin, round(3.1 * PX_PER_MM), _GOLD if price else (255, 255, 255), -1, cv2.LINE_AA)
        cv2.circle(page, coin, round(3.1 * PX_PER_MM), _INK, 1, cv2.LINE_AA)
        cv2.putText(page, str(price), (coin[0] - 8, coin[1] + 6), cv2.FONT_HERSHEY_DUPLEX, 0.5, _INK, 1, cv2.LINE_AA)
    for number in range(BID_SPOTS):
        x, y = bid_spot(number)
        cv2.putText(page, str(number + 1), px(x - 8.4, y - 4.4), cv2.FONT_HERSHEY_DUPLEX, 0.9, _GREY, 2, cv2.LINE_AA)
    for y in (56.0, 59.5, 65.0, 68.5, 73.0, 77.0):
        cv2.line(page, px(88, y), px(172, y), _INK, 3)
    for (x, wide), y in (((17, 26), 6.5), ((0, 26), 54.0), ((0, 12), 45.0), ((173, 12), 45.0), ((50, 84), 86.5)):
        cv2.line(page, px(x, y), px(x + wide, y), _INK, 5)
    return page


def tracks_photo(
    rng: np.random.Generator,
    box: PieceSet,
    markers: Markers,
    *,
    profile: str = "topdown",
    size: tuple[int, int] = (2000, 1500),
    turn: float = 0.0,
    far: float = 1.0,
) -> Image:
    """A picture (BGR) of `size` (width, height) px of the page with markers in the paints of that box's camels.

    `profile` is one of `sampling.PROFILES` and gives lamps and camera; `turn` turns the camera, in degrees; `far` is
    how many times as far away as need be it is.
    """
    scene = sample_scene(rng, start_board(rng), profile)
    camera = replace(scene.camera, place=(0.5, 0.5), azimuth=turn + scene.camera.azimuth % 16 - 8)
    left, top, right, bottom = RIM_MM
    wide, high = left + TRACKS_MM[0] + right, TRACKS_MM[1] + 2 * top
    if round(turn / 90) % 2:
        wide, high = high, wide
    scale = 0.85 / far * min(size[0] / wide, size[1] / high)
    camera = replace(camera, share=max(BOARD_MM[0] * scale / size[0], BOARD_MM[1] * scale / size[1]))
    scene = replace(scene, box=box, camera=camera, tiles=(), extras=(), pieces=())
    corner = (BOARD_MM[0] - TRACKS_MM[0]) / 2, (BOARD_MM[1] - TRACKS_MM[1]) / 2
    solids = list(_standing(markers, corner, box, rng, set_up(camera, size).eye))
    return page_photo(scene, tracks_page(), (corner[0] - left, corner[1] - top), PX_PER_MM, solids, size, rng)


def _standing(
    markers: Markers, corner: tuple[float, float], box: PieceSet, rng: np.random.Generator, eye: np.ndarray
) -> list[Solid]:
    """The markers on their spots, set there by hand; all of one cut, some lying."""
    cut = (box.cuts[MEEPLE], _pawn(rng), box.cuts[CAMEL])[int(rng.choice(3, p=(0.4, 0.4, 0.2)))]
    finish = box.finishes[CAMEL]
    lying = float(rng.choice((0.0, 0.3)))
    solids = []
    spots = [(colour, turn_spot(number)) for number, colour in enumerate(markers.turn)]
    spots += [(colour, bid_spot(number)) for number, colour in enumerate(markers.bid)]
    for colour, (x, y) in spots:
        if colour is not None:
            place = (corner[0] + x + float(rng.normal(0, 1.5)), corner[1] + y + float(rng.normal(0, 1.5)), 0.0)
            pose = LYING if rng.random() < lying else STANDING
            angle = float(rng.uniform(-40, 40))
            paint = box.paints[CAMEL, colour.letter]
            solids.append(build(cut, place, angle, pose, paint, eye, gloss=finish.gloss, grain=finish.grain))
    return solids


def _pawn(rng: np.random.Generator) -> Cut:
    """A slim marker: a round head on a body, 9 to 12 mm wide and 16 to 22 mm high."""
    wide, high = float(rng.uniform(9, 12)), float(rng.uniform(16, 22))
    right = np.array([(0.25, 1.0), (0.32, 0.85), (0.25, 0.7), (0.36, 0.4), (0.5, 0.12), (0.5, 0.0)])
    outline = np.vstack([right, right[::-1] * [-1, 1]]) * [wide, high]
    return squared(outline, wide * 0.9, 0.6)


def deal_markers(rng: np.random.Generator, players: Sequence[Colour]) -> Markers:
    """Markers as they stand in some moment of a round: before the bids, between them, or as turns are taken."""
    order = [player for player in players for _ in range(2 if len(players) == 2 else 1)]
    order = [order[int(at)] for at in rng.permutation(len(order))]
    moved = int(rng.integers(0, len(order) + 1))
    priced = [number for number, price in enumerate(TRACK_PRICES) if price]
    zeros = [number for number, price in enumerate(TRACK_PRICES) if not price]
    turn: list[Colour | None] = [None] * len(TRACK_PRICES)
    low = int(rng.integers(0, min(moved, 3) + 1))
    places = [priced[int(at)] for at in rng.permutation(len(priced))[: moved - low]] + zeros[:low]
    for colour, place in zip(order[:moved], places, strict=True):
        turn[place] = colour
    bid: list[Colour | None] = [*order[moved:], *[None] * moved, *[None] * (BID_SPOTS - len(order))]
    return Markers(tuple(turn), tuple(bid))
