"""The words below an overlay: what was read, and what the letters and signs on the photo mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.language.phrase import Phrase, joined, say, term
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour, Tribe
from companion.vision.board.reading import Reading


def findings(reading: Reading, labels: Sequence[str], most: int) -> Iterator[Phrase]:
    """What was read, a line each; at most so many of the doubtful squares, in their order."""
    doubtful = reading.doubtful
    if reading.code is not None:
        yield say("Position taken from the code in the picture.")
    elif not doubtful:
        yield say("All 30 tiles read clearly.")
    else:
        yield say("Tiles to look at again: {count} of 30", count=len(doubtful))
        for square in doubtful[:most]:
            tile = reading.tiles[square]
            why = joined("; ", tile.doubts[:2]) if tile.doubts else say("read with little confidence")
            yield joined("", (f"{SQUARE_NAMES[square]}  {labels[square]}  ({tile.confidence:.0%}): ", why))
        if len(doubtful) > most:
            yield say("and {count} more", count=len(doubtful) - most)


def signs() -> Phrase:
    """What the letters and signs on the photo mean."""
    tribes = [joined(" ", (tribe.letter, term(tribe.noun))) for tribe in Tribe]
    camels = [joined(" ", (colour.letter, term(colour.value))) for colour in Colour]
    buildings = [joined(" ", ("^", term("palms"))), joined(" ", ("#", term("palaces")))]
    return say(
        "{tribes}   camels: {camels}   {buildings}",
        tribes=joined("  ", tribes),
        camels=joined("  ", camels),
        buildings=joined("  ", buildings),
    )
