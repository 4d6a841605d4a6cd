"""`python -m tests.vision.cards.measure_tracks`: how often markers on the printed tracks are told, by kind of photo."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

import numpy as np

from companion.errors import PhotoError
from companion.lab.rendering.pieces import make_piece_set
from companion.lab.rendering.track_photo import Markers, deal_markers, tracks_photo
from companion.rules.model.components import Colour
from companion.vision.cards.tracks import TracksReading, find_tracks
from companion.vision.load import Picture

TABLES = ((Colour.BLUE, Colour.PINK), (Colour.BLACK, Colour.ORANGE, Colour.PINK), tuple(Colour))


def tracks_shot(profile: str, rng: np.random.Generator) -> tuple[Picture, Markers]:
    """A photo of the page in some moment of a round of 2 to 4 players, from some side; and where the markers stand."""
    markers = deal_markers(rng, TABLES[int(rng.integers(len(TABLES)))])
    box = make_piece_set(rng)
    turn, far = 90.0 * int(rng.integers(4)), float(rng.uniform(1.0, 2.2))
    return tracks_photo(rng, box, markers, profile=profile, turn=turn, far=far), markers


def compare(seen: TracksReading | None, markers: Markers) -> Counter[str]:
    """The counts of one photo."""
    truth = (*markers.turn, *markers.bid)
    count = Counter(photos=1, markers=sum(colour is not None for colour in truth))
    if seen is None:
        return count
    pairs = list(zip(truth, (*seen.turn, *seen.bid), strict=True))
    wrong = [spot for colour, spot in pairs if spot.colour is not colour]
    count["found"] = 1
    count["right"] = sum(colour is not None and spot.colour is colour for colour, spot in pairs)
    count["made up"] = sum(colour is None and spot.colour is not None for colour, spot in pairs)
    count["doubtful"] = sum(not spot.is_sure for _, spot in pairs)
    count["silent"] = sum(spot.is_sure for spot in wrong)
    count["whole"] = not wrong
    return count


def measure(profile: str, photos: int, seed: int) -> Counter[str]:
    """The counts over some photos of a profile; a page that is refused is not found."""
    total: Counter[str] = Counter()
    for number in range(photos):
        photo, markers = tracks_shot(profile, np.random.default_rng([seed, number, *profile.encode()]))
        try:
            seen = find_tracks(photo)
        except PhotoError:
            seen = None
        total += compare(seen, markers)
    return total


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--profiles", nargs="+", default=["table", "seated", "dim", "glare", "train"])
    options = parser.parse_args(arguments)
    columns = ("photos", "found", "markers", "right", "made up", "doubtful", "silent", "whole")
    print(f"{'':10}" + "".join(f"{column:>10}" for column in columns))
    for profile in options.profiles:
        count = measure(profile, options.photos, options.seed)
        print(f"{profile:10}" + "".join(f"{count[column]:10}" for column in columns), flush=True)


if __name__ == "__main__":
    main()
