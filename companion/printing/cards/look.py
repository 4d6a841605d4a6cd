"""How cards look: a template's colours, sizes and words, with as much or as little ink as wanted."""

from __future__ import annotations

from dataclasses import dataclass

from companion.palette import PAPER
from companion.printing.core.kinds import djinn_key
from companion.printing.core.template import Table


@dataclass(frozen=True, slots=True)
class CardLook:
    """A template and its words, and whether surfaces are coloured."""

    template: Table
    words: Table
    full_ink: bool = True

    @property
    def sizes(self) -> Table:
        """The largest type sizes in points."""
        sizes: Table = self.template.type
        return sizes

    @property
    def palette(self) -> Table:
        """Colours of lettering, lines and grounds."""
        palette: Table = self.template.palette
        return palette

    @property
    def tints(self) -> dict[str, str]:
        """What emblems and icons are filled with, by name; white all of them where ink is saved."""
        named = {**self.template.tints, **self.template.tribes, "paper": PAPER, "accent": self.palette.accent}
        return {**(named if self.full_ink else dict.fromkeys(named, PAPER)), "ink": self.palette.ink}

    def power(self, djinn: str) -> tuple[str, str]:
        """What a djinn's power does, and what is to be known besides, "" for nothing."""
        key = djinn_key(djinn)
        return self.words.powers[key], self.words.notes.get(key, "")

    def surface(self, colour: str) -> str:
        """What a surface is filled with: its colour, or white where ink is saved."""
        return colour if self.full_ink else PAPER

    def on_dark(self, colour: str) -> str:
        """The lettering on the surface of a dark colour."""
        return PAPER if self.full_ink else colour

    @property
    def back_ground(self) -> str:
        """The ground of cards' backs."""
        return self.surface(self.palette.back)

    @property
    def back_line(self) -> str:
        """The lines on cards' backs."""
        line: str = self.palette.back_line if self.full_ink else self.palette.back
        return line
