"""How cards look: a template's colours, sizes and words, with as much or as little ink as wanted."""

from __future__ import annotations

from dataclasses import dataclass, fields

from companion.printing.cards.template import (
    CardPalette,
    CardParts,
    CardSizes,
    CardsTemplate,
    CardWords,
    TimingTints,
)
from companion.printing.core.djinn_words import djinn_key

WHITE = "#FFFFFF"


@dataclass(frozen=True, slots=True)
class CardLook:
    """A template and its words, and whether surfaces are coloured."""

    template: CardsTemplate
    words: CardWords
    full_ink: bool = True

    @property
    def parts(self) -> CardParts:
        """Heights of a card's parts in mm."""
        return self.template.card

    @property
    def sizes(self) -> CardSizes:
        """The largest type sizes in points."""
        return self.template.type

    @property
    def palette(self) -> CardPalette:
        """Colours of lettering, lines and grounds."""
        return self.template.palette

    @property
    def timings(self) -> TimingTints:
        """Grounds behind emblems."""
        return self.template.timings

    @property
    def tints(self) -> dict[str, str]:
        """What emblems and icons are filled with, by name; white all of them where ink is saved."""
        named = {
            field.name: getattr(table, field.name)
            for table in (self.template.tints, self.template.tribes)
            for field in fields(table)
        }
        named |= {"paper": WHITE, "accent": self.palette.accent}
        return {**(named if self.full_ink else dict.fromkeys(named, WHITE)), "ink": self.palette.ink}

    def power(self, djinn: str) -> tuple[str, str]:
        """What a djinn's power does, and what is to be known besides, "" for nothing."""
        key = djinn_key(djinn)
        return getattr(self.words.powers, key), getattr(self.words.notes, key)

    def surface(self, colour: str) -> str:
        """What a surface is filled with: its colour, or white where ink is saved."""
        return colour if self.full_ink else WHITE

    def on_dark(self, colour: str) -> str:
        """The lettering on the surface of a dark colour."""
        return WHITE if self.full_ink else colour

    @property
    def back_ground(self) -> str:
        """The ground of cards' backs."""
        return self.surface(self.palette.back)

    @property
    def back_line(self) -> str:
        """The lines on cards' backs."""
        return self.palette.back_line if self.full_ink else self.palette.back
