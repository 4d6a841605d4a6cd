"""What a trained piece network says of the examples: soft targets for one that learns from it (distillation).

Each example is looked at once and what was seen of it kept on disk, with the board as it was seen: a teacher takes as
long for a frame as its pupil takes to learn from it (after "Distilling the Knowledge in a Neural Network", 2015, and
"FitNets", 2015, for the features).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.lab.training.batches import augmented, flipped, jittered_homography, piece_targets
from companion.lab.training.dataset import JPEG_QUALITY, load_example, write_arrays
from companion.vision.board.pieces import OUTPUTS
from companion.vision.board.rectify import rectify
from companion.vision.networks import normalise, open_network
from companion.vision.numerics import Float32

FOLDER = "lessons"
"""Where lessons lie beside the examples, under the examples' names."""


def teach(paths: list[Path], teacher: Path) -> Iterator[Path]:
    """Have the network of the ONNX file `teacher` look at each example; yields the lessons, those from before too.

    A lesson holds the rectified board as a JPEG, the homography it was rectified by, and what the network gave of it:
    logits of heat and counts, fine and coarse features.
    """
    network = open_network(teacher.read_bytes())
    for path in paths:
        lesson = lesson_path(path)
        if not lesson.exists():
            lesson.parent.mkdir(exist_ok=True)
            example = load_example(path)
            homography = jittered_homography(example.homography, np.random.default_rng(len(example.jpeg)))
            board = rectify(example.picture, homography)
            answers = network.run(OUTPUTS, {"picture": normalise(board)[None]})
            said = [np.asarray(part, dtype=np.float16)[0] for part in answers]
            jpeg = cv2.imencode(".jpg", board, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].ravel()
            write_arrays(lesson, jpeg, homography, *said)
        yield lesson


def lesson_path(example: Path) -> Path:
    """Where the lesson of an example lies."""
    return example.parent / FOLDER / example.name


def lesson_arrays(path: Path, rng: np.random.Generator) -> tuple[Float32, ...]:
    """A sample for the piece network from an example that has its lesson.

    Beside what `piece_sample` gives what the teacher said: heat, counts, fine and coarse features.
    """
    example = load_example(path)
    with np.load(lesson_path(path)) as stored:
        jpeg, homography, *halves = (stored[name] for name in stored.files)
    board = augmented(np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8), rng)
    said = (part.astype(np.float32) for part in halves)
    return flipped((normalise(board), *piece_targets(example, homography), *said), rng)
