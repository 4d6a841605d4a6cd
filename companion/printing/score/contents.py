"""What stands in the boxes of a score sheet: nothing, to be written in by hand; points; or fields to type into."""

from __future__ import annotations

from companion.printing.core.geometry import Box
from companion.printing.score.pen import ScorePen


class SheetContents:
    """An empty sheet, and what others are made of: each method draws into one box; columns are counted from 0."""

    def draw_blank(self, pen: ScorePen, box: Box, name: str) -> None:
        """The "date" or the "place", after its word."""

    def draw_note(self, pen: ScorePen, box: Box) -> None:
        """What is to be known of the whole sheet, over the word for the players."""

    def draw_name(self, pen: ScorePen, box: Box, column: int) -> None:
        """A player's name over the rule below his camel."""

    def draw_count(self, pen: ScorePen, box: Box, column: int) -> None:
        """How many viziers a player has."""

    def draw_points(self, pen: ScorePen, box: Box, category: str, column: int) -> None:
        """A player's points of a category, or the total."""

    def draw_cards(self, pen: ScorePen, box: Box, good: str, column: int) -> None:
        """How many cards of a good a player has."""

    def draw_sets(self, pen: ScorePen, box: Box, column: int) -> None:
        """What a player's sets bring, added up."""

    def draw_foot(self, pen: ScorePen, box: Box) -> None:
        """Whatever is below the tables."""
