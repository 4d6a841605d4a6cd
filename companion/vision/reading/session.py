"""Photos of a table from the first look to the last answer: what was seen, what is known, and what people said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256

from companion.errors import UnusableInputError
from companion.notation.tokens import parse_tile
from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.rules.model.components import Colour
from companion.vision.board.decision import corrected_tiles, decide_board
from companion.vision.board.evidence import BoardEvidence
from companion.vision.load import Picture
from companion.vision.reading.doubts import correct_cards, doubts
from companion.vision.reading.shots import Shot
from companion.vision.readings import Reading


@dataclass(frozen=True)
class PhotoSession:
    """Photos of one table, and the answers to what is doubtful in them.

    `shots` are the photos of the table, `goods` those of the cards that players have laid out; `evidence` is what all
    of them show of the board, None where it was not read from photos alone. `as_read` is the reading before anybody was
    asked. `answers` are by the labels of doubts or by squares' names, as a person typed or tapped them.
    """

    shots: tuple[Shot, ...]
    as_read: Reading
    evidence: BoardEvidence | None = None
    goods: Mapping[Colour, Shot] = field(default_factory=dict)
    answers: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def reading(self) -> Reading:
        """What `decide` makes of it, worked out once."""
        return decide(self)

    def answered(self, answers: Mapping[str, str]) -> PhotoSession:
        """The same with answers to doubts, or with any tile by its square's name, in place of earlier ones.

        Raises NotationError for what is no such answer, UnusableInputError if nothing of that name is doubtful.
        """
        known = {doubt.label for doubt in (*doubts(self.as_read), *doubts(self.reading))}.union(SQUARE_NAMES)
        for label in answers:
            if label not in known:
                raise UnusableInputError("there is no question called {label} about this photo", label=label)
        after = replace(self, answers={**self.answers, **answers})
        # Answers that mean nothing are refused here.
        _ = after.reading
        return after

    def without_pictures(self) -> PhotoSession:
        """What answers are taken with; the photos, most of its size, are left out."""
        return replace(self, shots=(), goods={})

    def board_picture(self) -> Picture:
        """The photo that shows the board as it was read, or the first if a code gave it."""
        return self.shots[next(iter(self.as_read.views), 0)].picture

    @property
    def keys(self) -> tuple[str, ...]:
        """What identifies these pictures, whatever their files are called."""
        named = [("table", shot) for shot in self.shots]
        named += [(f"goods {colour}", shot) for colour, shot in sorted(self.goods.items())]
        return tuple(f"{name} {sha256(shot.picture.tobytes()).hexdigest()[:16]}" for name, shot in named)


def decide(session: PhotoSession) -> Reading:
    """The reading of photos with all answers, whatever order they came in."""
    reading, others = session.as_read, dict(session.answers)
    tiles = {parse_square(label): parse_tile(others.pop(label)) for label in SQUARE_NAMES if label in others}
    if tiles:
        # Several photos' doubts name the photos, which the evidence alone doesn't.
        evidence = session.evidence
        decided = decide_board(evidence).tiles if evidence is not None and len(reading.views) > 1 else None
        after = corrected_tiles(reading.tiles, evidence, tiles, decided)
        board = tuple(tile.tile for tile in after)
        reading = replace(reading, tiles=after, position=reading.position.with_board(board))
    return correct_cards(reading, others)
