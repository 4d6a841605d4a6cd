"""`companion read --ask`: the doubtful tiles of a reading gone through, one question each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.cli.asking import Terminal
from companion.cli.reading_view import by_doubt, why_doubtful
from companion.errors import NotationError
from companion.notation.tokens import format_tile
from companion.notation.typed import parse_typed_tile
from companion.rules.board import SQUARE_NAMES, Tile

if TYPE_CHECKING:
    from companion.vision.load import Picture
    from companion.vision.reading import Reading

HOW = (
    "Enter takes the first reading, 2 the second; or type the tile (O8:wgg, V5@K#1).\n"
    "s skips a tile, q stops and keeps the rest as read, ? says this again.\n"
)


@dataclass(frozen=True, slots=True)
class Asked:
    """How a reading goes on after its questions: `answered` are the squares confirmed or corrected."""

    reading: Reading
    answered: tuple[int, ...] = ()


def ask_tiles(
    terminal: Terminal,
    reading: Reading,
    pictures: Mapping[int, Picture],
    show: Callable[[Picture], None],
    remember: Callable[[int, Tile], None],
) -> Asked:
    """Ask for every doubtful tile, least sure first, until the answers end.

    `pictures` are those of the doubtful tiles by square; `remember` is told of each answer at once, so that
    nothing answered is lost.
    """
    doubtful = by_doubt(reading)
    if not doubtful:
        terminal.say("All 30 tiles read clearly: nothing to ask.\n")
        return Asked(reading)
    terminal.say(f"{len(doubtful)} of 30 tiles {'is' if len(doubtful) == 1 else 'are'} doubtful. {HOW}")
    answered: list[int] = []
    for number, square in enumerate(doubtful, 1):
        terminal.say(f"\n{SQUARE_NAMES[square]}, {number} of {len(doubtful)}: {why_doubtful(reading, square)}\n")
        if square in pictures:
            show(pictures[square])
        answer = _ask(terminal, reading, square)
        if answer is None:
            break
        if isinstance(answer, Tile):
            remember(square, answer)
            reading = reading.told(square, answer)
            answered.append(square)
    terminal.say(f"\n{len(answered)} of {len(doubtful)} told; the others stay as read.\n" if answered else "\n")
    return Asked(reading, tuple(answered))


def _ask(terminal: Terminal, reading: Reading, square: int) -> Tile | str | None:
    """The tile told; "s" if it is skipped; None to stop, or at the end of the answers."""
    seen = reading.tiles[square]
    choices = [seen.tile, *([seen.other] if seen.other is not None else [])]
    for number, tile in enumerate(choices, 1):
        sure = f"  ({seen.confidence:.0%})" if number == 1 else ""
        terminal.say(f"  {number}  {format_tile(tile)}{sure}\n")
    while True:
        answer = terminal.ask(f"{SQUARE_NAMES[square]} [1]: ")
        if answer is None or answer.lower() in ("q", "quit"):
            return None
        if answer.lower() in ("s", "skip"):
            return "s"
        if answer.lower() in ("?", "h", "help"):
            terminal.say(HOW)
        elif answer in ("", *map(str, range(1, len(choices) + 1))):
            return choices[int(answer or 1) - 1]
        elif answer.isdecimal():
            # A bare number could be a choice or a tile's value.
            terminal.say(f"  there is no reading {answer}; type a tile with its letter, such as S{answer}\n")
        else:
            try:
                typed = parse_typed_tile(answer)
            except NotationError as error:
                terminal.say(f"  {error}\n")
                continue
            for sentence in typed.notes:
                terminal.say(f"  {sentence}\n")
            return typed.tile
