"""`python -m tests.vision.cards.measure`: how well cards are read on composed photos, scenario by scenario.

With an owner's photo of cards and its lines (`PHOTO "spice pottery ... / fakir ..."`) those faces are laid out too.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np

from companion.lab.rendering.card_art import draw_card
from companion.lab.rendering.other_cards import draw_other_card
from companion.lab.rendering.tile_art import standard_art
from companion.vision.cards.detection import CardDetection, find_cards
from companion.vision.load import load_photo
from companion.vision.numerics import project
from tests.vision.cards.tables import CARD_MM, Camera, Laid, camera_matrix, deal, lines_of, photograph

SIZE = (2016, 1512)
PHOTOS = 6

SCENARIOS: dict[str, dict[str, tuple[float, float]]] = {
    "from above": {},
    "oblique": {"slant": (30, 48)},
    "dim and warm": {"slant": (0, 25), "light": (0.25, 0.45), "warmth": (0.5, 1.1), "noise": (3, 6)},
    "bright": {"slant": (0, 25), "light": (1.25, 1.5)},
    "edge to edge": {"slant": (0, 30), "gap": (0.0, 0.7)},
    "small": {"slant": (0, 30), "view": (850, 1000)},
    "among others": {"slant": (0, 35), "others": (5, 9)},
}
"""What differs from a photo from above in good light: each number is drawn from within its bounds."""

USUAL = {
    "slant": (0, 12),
    "light": (0.75, 1.05),
    "warmth": (-0.2, 0.3),
    "noise": (1, 3),
    "gap": (3, 10),
    "view": (540, 680),
    "others": (0, 0),
}


def scene(scenario: str, rng: np.random.Generator) -> tuple[list[list[str]], list[Laid], Camera, dict[str, float]]:
    """The lines laid, all that lies on the table, the camera, and what else was drawn for it."""
    drawn = {name: float(rng.uniform(*bounds)) for name, bounds in (USUAL | SCENARIOS[scenario]).items()}
    counts = [[9], [6, 6], [9, 3], [5, 4]][int(rng.integers(4))]
    dealt = deal(rng, sum(counts))
    names = [dealt[sum(counts[:line]) : sum(counts[: line + 1])] for line in range(len(counts))]
    laid = lines_of(names, drawn["gap"], rng)
    for _ in range(round(drawn["others"])):
        laid.append(
            Laid(None, rng.uniform(-260, 260), rng.choice([-190, 190]) + rng.normal(0, 12), rng.uniform(0, 360))
        )
    quarter = int(rng.integers(4))
    # What lies across a wide photo needs more room than what lies along it.
    view = drawn["view"] * (4 / 3 if quarter % 2 else 1)
    return names, laid, Camera(90 * quarter + float(rng.uniform(-15, 15)), drawn["slant"], 900, view), drawn


def match(sights: Sequence[CardDetection], laid: Sequence[Laid], camera: Camera) -> Counter[str]:
    """How the cards seen compare with those laid: told, wrong, flagged, missed, invented."""
    to_px = camera_matrix(camera, SIZE)
    left = {at: card for at, card in enumerate(laid) if card.name is not None}
    count: Counter[str] = Counter()
    for sight in sights:
        middle = np.mean(sight.corners_px, axis=0)
        near = None
        for at, card in left.items():
            place = project(to_px, np.array([(card.x, card.y), (card.x + CARD_MM[0] / 3, card.y)]))
            if np.linalg.norm(place[0] - middle) < np.linalg.norm(place[1] - place[0]):
                near = at
        if near is None:
            count["invented" if sight.card is not None else "flagged besides"] += 1
            continue
        name = left.pop(near).name
        count["told" if sight.card == name else "flagged" if sight.card is None else "wrong"] += 1
    count["missed"] += len(left)
    return count


def measure(scenario: str, face: Callable[[Laid, np.random.Generator], np.ndarray], photos: int) -> Counter[str]:
    """The counts over some photos of a scenario, and how many photos were read without a mistake."""
    total: Counter[str] = Counter()
    for number in range(photos):
        rng = np.random.default_rng([number, *scenario.encode()])
        names, laid, camera, drawn = scene(scenario, rng)
        light = (drawn["light"], drawn["warmth"])
        photo = photograph(laid, lambda card, rng=rng: face(card, rng), rng, camera, SIZE, light, drawn["noise"])  # type: ignore[misc]
        sights = find_cards(photo)
        total += match(sights, laid, camera)
        lines = [[sight.card for sight in sights if sight.line == line] for line in range(len(names))]
        total["photos right"] += lines == names and len(sights) == sum(map(len, names))
        total["photos"] += 1
    return total


def own_face(card: Laid, rng: np.random.Generator) -> np.ndarray:
    """The project's own art; tiles and other cards for what is no resource card."""
    if card.name is not None:
        return draw_card(card.name, rng)
    if rng.random() < 0.5:
        return draw_other_card(rng)
    tiles = [picture for pictures in standard_art().values() for picture in pictures]
    return tiles[int(rng.integers(len(tiles)))]


def main(photo: Path | None, lines: str) -> None:
    """Print the table; with a photo of cards, also for those, whose `lines` are told."""
    faces: dict[str, Callable[[Laid, np.random.Generator], np.ndarray]] = {"own art": own_face}
    if photo is not None:
        from companion.lab.training.card_stock import cut_cards

        laid = [line.split() for line in lines.split("/")]
        cut = {name: face for name, _, face in cut_cards(load_photo(photo), laid)}
        faces["owner's cards"] = lambda card, rng: own_face(card, rng) if card.name is None else cut[card.name]
    columns = ("told", "wrong", "flagged", "missed", "invented", "flagged besides", "photos right", "photos")
    print(f"{'':15}{'':15}" + "".join(f"{column:>16}" for column in columns))
    for art, face in faces.items():
        for scenario in SCENARIOS:
            cv2.setRNGSeed(0)
            count = measure(scenario, face, PHOTOS)
            print(f"{art:15}{scenario:15}" + "".join(f"{count[column]:16}" for column in columns), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photo", type=Path, nargs="?", metavar="PHOTO", help="a photo of an owner's cards")
    parser.add_argument("lines", nargs="?", default="", metavar="LINES", help="those cards, lines separated by /")
    given = parser.parse_args()
    if (given.photo is None) != (not given.lines):
        parser.error("PHOTO and LINES go together")
    main(given.photo, given.lines)
