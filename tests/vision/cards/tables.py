"""Photos of laid-out cards, composed for tests: a pinhole camera over a table, not as in training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from companion.language.glossary import glossary
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import CARD_COUNTS
from companion.vision.cards.hands import find_hand
from companion.vision.cards.outlines import Quad
from companion.vision.cards.title_lines import TitleLine, find_card_faces, find_title_lines
from companion.vision.load import Picture
from companion.vision.numerics import project
from companion.vision.readings import CardDetection
from tests.vision.cards.faces import HANGUL_TYPEFACES, TYPEFACES, card_faces, draw_djinn_card

CARD_MM = (44.0, 67.0)
SIZE = (2016, 1512)
STRIPS = (0.28, 0.7)


@dataclass(frozen=True)
class Laid:
    """A card on the table: its middle in mm, turned clockwise by degrees; `name` None for what is no resource card."""

    name: str | None
    x: float
    y: float
    turn: float


@dataclass(frozen=True)
class Camera:
    """Looks at the middle of the table, `side` degrees round it, `slant` degrees from straight down."""

    side: float = 0.0
    slant: float = 0.0
    away_mm: float = 750.0
    view_mm: float = 560.0


def camera_matrix(camera: Camera, size: tuple[int, int]) -> np.ndarray:
    """Table mm to px: a 3 x 3 homography."""
    turn, slant = np.radians([camera.side, camera.slant])
    c, s = np.cos(turn), np.sin(turn)
    across = np.array([c, s, 0])
    eye = camera.away_mm * np.array([-s * np.sin(slant), c * np.sin(slant), np.cos(slant)])
    forward = -eye / np.linalg.norm(eye)
    down = np.cross(across, forward)
    focal = size[0] * camera.away_mm / camera.view_mm
    rows = np.stack([across, down, forward])
    view = np.column_stack([rows[:, 0], rows[:, 1], -rows @ eye])
    lens = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    return lens @ view


def lines_of(
    names: Sequence[Sequence[str | None]], gap: float = 6.0, rng: np.random.Generator | None = None
) -> list[Laid]:
    """Cards in straight lines around the table's middle; with `rng` laid by hand, not by a machine."""
    laid = []
    for number, line in enumerate(names):
        for place, name in enumerate(line):
            x = (place - (len(line) - 1) / 2) * (CARD_MM[0] + gap)
            y = (number - (len(names) - 1) / 2) * (CARD_MM[1] + 16)
            dx, dy, turn = (
                (0.0, 0.0, 0.0) if rng is None else (rng.normal(0, gap / 6), rng.normal(0, 2.0), rng.normal(0, 1.5))
            )
            laid.append(Laid(name, x + dx, y + dy, turn))
    return laid


def table(rng: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """A table top: one colour, boards or stripes of light, a little grain. Floats 0 to 1, BGR."""
    high, wide = size[1], size[0]
    base = rng.uniform(0.05, 0.95) * np.exp(rng.normal(0, 0.25, 3))
    ramp = np.linspace(-1, 1, wide)[None] * rng.normal(0, 0.2) + np.linspace(-1, 1, high)[:, None] * rng.normal(0, 0.2)
    boards = np.repeat(rng.normal(0, 0.06, high // 60 + 1), 60)[:high, None] * (rng.random() < 0.6)
    grain = cv2.resize(rng.normal(0, 0.05, (high // 3, wide // 40)), (wide, high), interpolation=cv2.INTER_LINEAR)
    return np.clip(base * (1 + ramp + boards + grain)[..., None], 0, 1).astype(np.float32)


def rounded(size: tuple[int, int]) -> np.ndarray:
    """1 where a card of that width and height has board, 0 beyond its round corners."""
    wide, high = size
    radius = wide // 14
    shape = np.zeros((high, wide), np.float32)
    cv2.rectangle(shape, (radius, 0), (wide - 1 - radius, high - 1), 1.0, -1)
    cv2.rectangle(shape, (0, radius), (wide - 1, high - 1 - radius), 1.0, -1)
    for x in (radius, wide - 1 - radius):
        for y in (radius, high - 1 - radius):
            cv2.circle(shape, (x, y), radius, 1.0, -1)
    return shape


def own_face(card: Laid) -> np.ndarray:
    """A resource card's face."""
    return card_faces()[card.name or ""]


def photograph(
    laid: Sequence[Laid],
    face: Callable[[Laid], np.ndarray],
    rng: np.random.Generator,
    camera: Camera,
    size: tuple[int, int] = (2016, 1512),
    light: tuple[float, float] = (1.0, 0.0),
    noise: float = 2.0,
) -> np.ndarray:
    """The cards on a table, BGR. `light` is (brightness, warmth in stops between red and blue)."""
    fine = (size[0] * 3 // 2, size[1] * 3 // 2)
    picture = table(rng, fine)
    to_px = np.diag([1.5, 1.5, 1.0]) @ camera_matrix(camera, size)
    for card in laid:
        art = face(card)
        high, wide = art.shape[:2]
        c, s = np.cos(np.radians(card.turn)), np.sin(np.radians(card.turn))
        to_mm = np.array([[c, -s, card.x], [s, c, card.y], [0, 0, 1]]) @ np.array(
            [[CARD_MM[0] / wide, 0, -CARD_MM[0] / 2], [0, CARD_MM[1] / high, -CARD_MM[1] / 2], [0, 0, 1]]
        )
        shape = rounded((wide, high))
        warp = to_px @ to_mm
        corners = project(warp, np.array([(0, 0), (wide, 0), (wide, high), (0, high)]))
        left, top = np.maximum(corners.min(axis=0) - 20, 0).astype(int)
        right, bottom = np.minimum(corners.max(axis=0) + 20, fine).astype(int)
        if right <= left or bottom <= top:
            continue
        warp = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ warp
        cover = cv2.warpPerspective(shape, warp, (right - left, bottom - top))[..., None]
        seen = cv2.warpPerspective(art, warp, (right - left, bottom - top)).astype(np.float32) / 255
        shadow = np.roll(cv2.blur(cover, (9, 9)), (4, 4), (0, 1))[..., None] * 0.35
        part = picture[top:bottom, left:right]
        part[...] = part * (1 - cover) * (1 - shadow * (1 - cover)) + seen * cover
    brightness, warmth = light
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    small *= (255 * brightness * 2.0 ** np.array([-warmth / 2, 0, warmth / 2])).astype(np.float32)
    small += noise * rng.standard_normal(small.shape, dtype=np.float32)
    return np.clip(small, 0, 255).astype(np.uint8)


def deal(rng: np.random.Generator, count: int) -> list[str]:
    """So many cards off a shuffled deck (rules 1.4)."""
    deck = [card for card, number in CARD_COUNTS.items() for _ in range(number)]
    return [deck[at] for at in rng.permutation(len(deck))[:count]]


def hand_table(cards: Sequence[str], djinns: Sequence[str], rng: np.random.Generator) -> Picture:
    """What one player has on one table: cards above, six a row, and djinns below on the right."""
    faces = {djinn: draw_djinn_card(djinn, TYPEFACES[0], rng) for djinn in djinns}
    laid = [
        Laid(name, -125 + at % 6 * 50 + rng.normal(0, 1), -100 + at // 6 * 76, rng.normal(0, 2))
        for at, name in enumerate(cards)
    ]
    laid += [Laid(djinn, 40 + at * 54, 75 + rng.normal(0, 2), rng.normal(0, 2)) for at, djinn in enumerate(djinns)]

    def face(card: Laid) -> np.ndarray:
        return faces[card.name or ""] if card.name in faces else own_face(card)

    return photograph(laid, face, rng, Camera(0, float(rng.uniform(0, 18)), 520, 380), (1400, 1050), (0.95, 0.1), 2)


def lay_hand(names: Sequence[str], way: str, rng: np.random.Generator) -> list[Laid]:
    """A hand as people lay it, around the middle, the lowest card first.

    A "fan" around a point below it, a "row", a "column", or "sorted": columns side by side, each of one kind.
    """
    strip, (wide, high) = float(rng.uniform(*STRIPS)) * CARD_MM[0], CARD_MM
    steps = np.arange(len(names)) - (len(names) - 1) / 2
    turns = np.zeros(len(names))
    if way == "fan":
        radius = float(rng.uniform(0.9, 2.6)) * high
        turns = steps * min(strip / (radius + 0.4 * high), 2.2 / len(names))
        places = radius * np.column_stack([np.sin(turns), 1 - np.cos(turns)])
    elif way == "sorted":
        names, kinds = sorted(names), sorted(set(names))
        above = [names[:number].count(name) for number, name in enumerate(names)]
        columns = np.array([kinds.index(name) for name in names]) - (len(kinds) - 1) / 2
        places = np.column_stack([columns * float(rng.uniform(1.02, 1.25)) * wide, strip * np.array(above)])
    else:
        places = np.outer(steps * strip, (1, 0) if way == "row" else (0, 1))
    loose = 0.02 + 0.05 * rng.random()
    places = places + rng.normal(0, loose * wide, places.shape) * (0.5, 1)
    turns = np.degrees(turns + rng.normal(0, 0.6 * loose, len(names)))
    laid = [Laid(name, x, y, turn) for name, (x, y), turn in zip(names, places, turns, strict=True)]
    # Each card may lie under the one laid before it: what shows is the other side.
    return laid[::-1] if way in ("fan", "row") and rng.random() < 0.5 else laid


def hand_photo(way: str, rng: np.random.Generator, names: Sequence[str]) -> Picture:
    """A hand laid that way, photographed from somewhere in some light."""
    hand = lay_hand(names, way, rng)
    around = float(rng.uniform(0, 360))
    c, s = np.cos(np.radians(around)), np.sin(np.radians(around))
    laid = [Laid(card.name, c * card.x - s * card.y, s * card.x + c * card.y, card.turn + around) for card in hand]
    reach = max(np.hypot(card.x, card.y) for card in laid) + 50
    camera = Camera(float(rng.uniform(0, 360)), float(rng.uniform(0, 40)), 700, max(2.75 * reach, 230))
    light = (float(rng.uniform(0.4, 1.2)), float(rng.uniform(-0.2, 0.7)))
    return photograph(laid, own_face, rng, camera, SIZE, light, float(rng.uniform(1, 5)))


HAND = ["fish", "silk", "fakir", "ivory", "wheat", "fish"]


@cache
def fan() -> tuple[CardDetection, ...]:
    """What is seen of a hand held as a fan."""
    return find_hand(hand_photo("fan", np.random.default_rng(5), HAND))


@cache
def titled() -> tuple[Picture, list[Quad], list[TitleLine]]:
    """A photo of three djinns, with the faces of cards and the lines of print that are seen in it."""
    photo, _ = djinn_photo("it", np.random.default_rng(6))
    faces = find_card_faces(photo)
    return photo, faces, find_title_lines(photo, faces)


def djinn_photo(language: str, rng: np.random.Generator) -> tuple[Picture, list[str]]:
    """Three cards side by side, photographed from some side; and the djinns from the left."""
    djinns = [list(DJINNS)[int(at)] for at in rng.permutation(len(DJINNS))[:3]]
    capitals = rng.random() < 0.4
    faces = {}
    for djinn in djinns:
        # In the letters of that language where it has any, else in Latin ones.
        written = list(glossary()[djinn].also[language] or glossary()[djinn].forms[language])
        title = written[int(rng.integers(len(written)))]
        types = HANGUL_TYPEFACES if language == "ko" and not title.isascii() else TYPEFACES
        typeface = types[int(rng.integers(len(types)))]
        faces[djinn] = draw_djinn_card(title.upper() if capitals else title, typeface, rng)
    laid = [
        Laid(djinn, (at - 1) * 52 + rng.normal(0, 1.5), rng.normal(0, 3), rng.normal(0, 3))
        for at, djinn in enumerate(djinns)
    ]
    side = 90 * int(rng.integers(4)) + float(rng.uniform(-10, 10))
    camera = Camera(side, float(rng.uniform(0, 30)), 500, 250 if round(side / 90) % 2 == 0 else 330)
    light = (float(rng.uniform(0.6, 1.1)), float(rng.uniform(-0.1, 0.5)))
    photo = photograph(laid, lambda card: faces[card.name or ""], rng, camera, SIZE, light, float(rng.uniform(1, 4)))
    return photo, djinns
