"""`python -m tests.vision.cards.measure_djinns`: how many face-up djinns are told by their titles, by language."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

import numpy as np

from companion.lab.rendering.djinn_cards import HANGUL_TYPEFACES, TYPEFACES, draw_djinn_card
from companion.language.glossary import glossary
from companion.rules.engine.djinns import DJINNS
from companion.vision.cards.titles import face_up, read_titles
from companion.vision.load import Picture
from tests.vision.cards.tables import Camera, Laid, photograph

SIZE = (2016, 1512)
LANGUAGES = ("en", "it", "ru", "uk", "ko")


def spellings_of(language: str, djinn: str) -> list[str]:
    """How a card in that language may spell a djinn: in its letters where it has any, else in Latin ones."""
    entry = glossary()[djinn]
    return list(entry.also[language] or entry.forms[language])


def djinn_photo(language: str, rng: np.random.Generator) -> tuple[Picture, list[str]]:
    """Three cards side by side, photographed from some side; and the djinns from the left."""
    djinns = [list(DJINNS)[int(at)] for at in rng.permutation(len(DJINNS))[:3]]
    capitals = rng.random() < 0.4
    faces = {}
    for djinn in djinns:
        written = spellings_of(language, djinn)
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


def measure(language: str, photos: int, seed: int, only: Sequence[str] | None) -> Counter[str]:
    """The counts over some photos in a language; `only` those of Tesseract's data that are named by language."""
    count: Counter[str] = Counter()
    for number in range(photos):
        photo, djinns = djinn_photo(language, np.random.default_rng([seed, number, *language.encode()]))
        titles = read_titles(photo, only)
        told = face_up(titles)
        count["photos"] += 1
        count["cards"] += 3
        count["right"] += len(set(told) & set(djinns))
        count["wrong"] += len(set(told) - set(djinns))
        count["flagged"] += sum(title.name is None for title in titles)
        count["whole"] += list(told) == djinns
    return count


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=LANGUAGES)
    parser.add_argument("--cards", nargs="+", choices=LANGUAGES, default=LANGUAGES)
    options = parser.parse_args(arguments)
    columns = ("photos", "cards", "right", "wrong", "flagged", "whole")
    print(f"{'':6}" + "".join(f"{column:>10}" for column in columns))
    for language in options.cards:
        count = measure(language, options.photos, options.seed, options.only)
        print(f"{language:6}" + "".join(f"{count[column]:10}" for column in columns), flush=True)


if __name__ == "__main__":
    main()
