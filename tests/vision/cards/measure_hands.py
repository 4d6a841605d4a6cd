"""`python -m tests.vision.cards.measure_hands`: how well hands of cards that cover one another are counted, way by way.

With an owner's photo of cards and its lines, as for `measure`, those faces are laid too; with `--grounds FOLDER` the
hands lie on photographs or renders of that folder (.jpg).
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.lab.rendering.card_art import draw_card
from companion.lab.rendering.hands import Way, lay_hand, tellable
from companion.vision.cards.hands import find_hand
from companion.vision.load import Picture, load_photo
from tests.vision.cards.tables import CARD_MM, Camera, Laid, deal, photograph

SIZE = (2016, 1512)
STRIPS = (0.28, 0.7)
Face = Callable[[Laid, np.random.Generator], np.ndarray]


@dataclass(frozen=True)
class HandPhoto:
    """A photo of a hand; `names` all its cards, `tellable` those of which a symbol is to be seen."""

    photo: Picture
    names: list[str]
    tellable: list[str]


def hand_photo(
    way: Way, rng: np.random.Generator, face: Face, grounds: Sequence[Picture] = (), names: Sequence[str] = ()
) -> HandPhoto:
    """A hand laid that way, photographed from somewhere in some light: `names`, or 1 to 12 cards off a deck."""
    names = list(names) or deal(rng, int(rng.integers(1, 13)))
    hand = lay_hand(names, way, rng, STRIPS)
    around = float(rng.uniform(0, 2 * np.pi))
    c, s = np.cos(around), np.sin(around)
    laid = [
        Laid(
            card.name,
            CARD_MM[0] * (c * card.x - s * card.y),
            CARD_MM[0] * (s * card.x + c * card.y),
            float(np.degrees(card.turn + around)),
        )
        for card in hand
    ]
    reach = max(np.hypot(card.x, card.y) for card in laid) + 50
    camera = Camera(float(rng.uniform(0, 360)), float(rng.uniform(0, 40)), 700, max(2.75 * reach, 230))
    ground = grounds[int(rng.integers(len(grounds)))] if grounds else None
    light = (float(rng.uniform(0.4, 1.2)), float(rng.uniform(-0.2, 0.7)))
    photo = photograph(
        laid, lambda card: face(card, rng), rng, camera, SIZE, light, float(rng.uniform(1, 5)), ground=ground
    )
    return HandPhoto(photo, list(names), tellable(hand))


def own_face(card: Laid, rng: np.random.Generator) -> np.ndarray:
    """The project's own art."""
    return draw_card(card.name or "", rng)


def measure(way: Way, photos: int, face: Face, grounds: Sequence[Picture], seed: int) -> Counter[str]:
    """The counts over some photos of hands laid one way."""
    count: Counter[str] = Counter()
    for number in range(photos):
        shot = hand_photo(way, np.random.default_rng([seed, number, *way.encode()]), face, grounds)
        seen = find_hand(shot.photo)
        told, best = Counter(card.card for card in seen if card.card), Counter(card.likely[0] for card in seen)
        truth, clear = Counter(shot.names), Counter(shot.tellable)
        count["hands"] += 1
        count["cards"] += len(shot.names)
        count["tellable"] += len(shot.tellable)
        count["found"] += len(seen)
        count["right"] += (best & truth).total()
        count["wrong"] += (told - truth).total()
        count["flagged"] += sum(card.card is None for card in seen)
        count["whole"] += best == truth
        count["whole_tellable"] += best == clear
        count["silent"] += best != clear and all(card.card is not None for card in seen)
    return count


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--owner", nargs=2, metavar=("PHOTO", "LINES"))
    parser.add_argument("--grounds", type=Path)
    options = parser.parse_args(arguments)
    faces: dict[str, Face] = {"own art": own_face}
    if options.owner:
        from companion.lab.training.card_stock import cut_cards

        lines = [line.split() for line in options.owner[1].split("/")]
        cut = {name: face for name, _, face in cut_cards(load_photo(Path(options.owner[0])), lines)}
        faces = {"owner's": lambda card, rng: cut[card.name or ""]}
    grounds = [load_photo(path) for path in sorted(options.grounds.glob("*.jpg"))[:12]] if options.grounds else []
    columns = ("hands", "cards", "tellable", "found", "right", "wrong", "flagged", "whole", "whole_tellable", "silent")
    print(f"{'':18}" + "".join(f"{column:>15}" for column in columns))
    for art, face in faces.items():
        total: Counter[str] = Counter()
        for way in Way:
            cv2.setRNGSeed(0)
            count = measure(way, options.photos, face, grounds, options.seed)
            total += count
            print(f"{art:9}{way:9}" + "".join(f"{count[column]:15}" for column in columns), flush=True)
        print(f"{art:9}{'all':9}" + "".join(f"{total[column]:15}" for column in columns), flush=True)


if __name__ == "__main__":
    main()
