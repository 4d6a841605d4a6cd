"""A photo of a table, and what was found in it before all photos are put together."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import CompanionError, PhotoError
from companion.rules.model.position import Position
from companion.vision.board.evidence import BoardEvidence
from companion.vision.load import Picture
from companion.vision.readings import CardDetection, TitleDetection


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo: the name that messages call it by, the picture (H, W, 3), BGR, and what was found in it.

    `titled` asks for the titles of djinns in it, whatever else it shows. `board` is the evidence of the sultanate, None
    without one; `code` and `coded` are the position code and its position; `fault` says why no sultanate was found.
    `titles` are None if they were not looked for, or could not be by `title_fault`.
    """

    name: str
    picture: Picture
    titled: bool = False
    board: BoardEvidence | None = None
    code: str | None = None
    coded: Position | None = None
    fault: PhotoError | None = None
    cards: tuple[CardDetection, ...] = ()
    titles: tuple[TitleDetection, ...] | None = None
    title_fault: CompanionError | None = None

    @property
    def has_cards(self) -> bool:
        """Whether a resource card was seen, or some djinn recognised by its title."""
        return bool(self.cards) or any(title.name is not None for title in self.titles or ())
