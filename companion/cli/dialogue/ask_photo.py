"""`companion read --ask`: the doubtful tiles of a reading gone through, one question each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, TypeVar

from companion.cli.dialogue.asking import Terminal
from companion.cli.views.reading_view import by_doubt, why_doubtful
from companion.errors import NotationError
from companion.notation.tokens import format_tile
from companion.notation.typed import parse_typed_tile
from companion.rules.model.board import SQUARE_NAMES, Tile

if TYPE_CHECKING:
    from companion.vision.board.reading import Reading
    from companion.vision.load import Picture

Answer = TypeVar("Answer")

HOW = (
    "Enter takes the first reading, 2 the second; or type the tile (O8:wgg, V5@K#1).\n"
    "s skips a tile, q stops and keeps the rest as read, ? says this again.\n"
)


class Pass(Enum):
    """An answer that tells nothing."""

    SKIP = "skip"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Asked:
    """How a reading goes on after its questions: `answered` are the squares confirmed or corrected.

    `stopped` says that no more is to be asked.
    """

    reading: Reading
    answered: tuple[int, ...] = ()
    stopped: bool = False


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
    stopped = False
    for number, square in enumerate(doubtful, 1):
        terminal.say(f"\n{SQUARE_NAMES[square]}, {number} of {len(doubtful)}: {why_doubtful(reading, square)}\n")
        if square in pictures:
            show(pictures[square])
        answer = _ask_tile(terminal, reading, square)
        if answer is Pass.STOP:
            stopped = True
            break
        if isinstance(answer, Tile):
            remember(square, answer)
            reading = reading.corrected(square, answer)
            answered.append(square)
    terminal.say(f"\n{len(answered)} of {len(doubtful)} told; the others stay as read.\n" if answered else "\n")
    return Asked(reading, tuple(answered), stopped)


def _ask_tile(terminal: Terminal, reading: Reading, square: int) -> Tile | Pass:
    seen = reading.tiles[square]
    choices = [(seen.tile, f"{format_tile(seen.tile)}  ({seen.confidence:.0%})")]
    if seen.other is not None:
        choices.append((seen.other, format_tile(seen.other)))

    def parse(text: str) -> Tile:
        typed = parse_typed_tile(text)
        for sentence in typed.notes:
            terminal.say(f"  {sentence}\n")
        return typed.tile

    # A bare number could be a choice or a tile's value.
    return choose(terminal, SQUARE_NAMES[square], choices, parse, HOW, "type a tile with its letter, such as S{}")


def choose(
    terminal: Terminal,
    name: str,
    choices: Sequence[tuple[Answer, str]],
    parse: Callable[[str], Answer],
    how: str,
    instead: str,
) -> Answer | Pass:
    """Let a person take one of some readings, each with the words for it, or type another, or pass it over.

    `parse` makes an answer of what is typed or raises NotationError; `how` explains it all; `instead` says what to do
    about a number, "{}", that stands for no reading.
    """
    for number, (_, words) in enumerate(choices, 1):
        terminal.say(f"  {number}  {words}\n")
    while True:
        answer = terminal.ask(f"{name} [1]: " if choices else f"{name}: ")
        if answer is None or answer.lower() in ("q", "quit"):
            return Pass.STOP
        if answer.lower() in ("s", "skip") or (not answer and not choices):
            return Pass.SKIP
        if answer.lower() in ("?", "h", "help"):
            terminal.say(how)
        elif answer in ("", *map(str, range(1, len(choices) + 1))):
            return choices[int(answer or 1) - 1][0]
        elif answer.isdecimal():
            terminal.say(f"  there is no reading {answer}; {instead.format(answer)}\n")
        else:
            try:
                return parse(answer)
            except NotationError as error:
                terminal.say(f"  {error}\n")
