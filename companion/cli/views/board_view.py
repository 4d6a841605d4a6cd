"""A board in the terminal: every meeple by letter, shape and colour, so that it reads without any one of them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.notation.tokens import format_tile
from companion.rules.model.board import COLUMNS, ROWS, Board, Tile
from companion.rules.model.components import Colour, TileAction, Tribe

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

    from companion.rules.model.actions import Sowing

SHAPES = "●★▲■◆"
"""The shape of each tribe, in the order of `Tribe`."""

# Colours that stand on dark and light backgrounds alike; each piece has its letter and shape besides.
MEEPLE_STYLES: tuple[str, ...] = (
    "bold black on #f2c230",
    "bold black on #f4f1ea",
    "bold white on #1f6fd0",
    "bold white on #1d7d3c",
    "bold white on #c42f2f",
)
CAMEL_STYLES: dict[Colour, str] = {
    Colour.BLACK: "bold white on #4d4d4d",
    Colour.ORANGE: "bold black on #f08a24",
    Colour.BLUE: "bold white on #2456b8",
    Colour.PINK: "bold black on #f29ac0",
}
RED_VALUE_STYLE = "bold #e06c5c"
BLUE_VALUE_STYLE = "bold #5c9ce6"
DOUBT_STYLE = "bold black on #ffd75f"
PATH_STYLE = "bold black on #7fd4ff"
QUIET_STYLE = "dim"


_KIND_WORDS: dict[TileAction, str] = {
    TileAction.OASIS: "Oasis",
    TileAction.VILLAGE: "Village",
    TileAction.SMALL_MARKET: "Market",
    TileAction.LARGE_MARKET: "Market",
    TileAction.SACRED_PLACE: "Sacred",
}
_CELL = 11
_MARGIN = "  "
_WIDTH = len(_MARGIN) + (_CELL + 1) * COLUMNS + 1


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board to print with rich, 75 columns wide; in a narrower terminal it is the bare notation.

    `doubtful` squares, as numbers, are marked with a question mark. The steps of a `sowing` are numbered on their
    tiles, with the meeple that is left there, and the squares that are claimed are named.
    """

    board: Board
    doubtful: Collection[int] = ()
    sowing: Sowing | None = None
    claims: Collection[int] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """What rich prints, in ASCII alone where the stream can take no more."""
        if options.max_width < _WIDTH:
            yield from _bare_lines(self.board, self.doubtful)
            return
        frame = _ASCII_FRAME if options.ascii_only else _FRAME
        yield _headings()
        yield _rule(frame.top, frame)
        for row in range(ROWS):
            if row:
                yield _rule(frame.between, frame)
            yield from self._row(row, frame)
        yield _rule(frame.bottom, frame)
        yield _legend(frame, doubtful=bool(self.doubtful))
        if self.sowing is not None:
            yield _path_legend()

    def _row(self, row: int, frame: _Frame) -> list[Text]:
        """The lines of one row of tiles, as many as its fullest tile needs, at least three."""
        from rich.text import Text

        squares = range(row * COLUMNS, (row + 1) * COLUMNS)
        marks = {} if self.sowing is None else _path_marks(self.board, self.sowing, self.claims)
        cells = [_cell(self.board[square], square in self.doubtful, frame) for square in squares]
        for square, cell in zip(squares, cells, strict=True):
            if square in marks:
                cell.append(marks[square])
        height = max(len(cell) for cell in cells)
        lines = []
        for number in range(height):
            line = Text()
            line.append(f"{row + 1} " if number == 0 else _MARGIN, style="bold")
            for cell in cells:
                line.append(frame.side, style=QUIET_STYLE)
                line.append_text(cell[number] if number < len(cell) else Text(" " * _CELL))
            line.append(frame.side, style=QUIET_STYLE)
            lines.append(line)
        return lines


@dataclass(frozen=True, slots=True)
class _Frame:
    """Characters that draw the grid, and the tribes' shapes ("" where there are none)."""

    top: str
    between: str
    bottom: str
    along: str
    side: str
    shapes: str


_FRAME = _Frame("┌┬┐", "├┼┤", "└┴┘", "─", "│", SHAPES)
_ASCII_FRAME = _Frame("+++", "+++", "+++", "-", "|", "")


def _headings() -> Text:
    from rich.text import Text

    return Text(_MARGIN + "".join(f" {letter:^{_CELL}}" for letter in "abcdef"), style="bold")


def _rule(corners: str, frame: _Frame) -> Text:
    from rich.text import Text

    line = corners[0] + corners[1].join([frame.along * _CELL] * COLUMNS) + corners[2]
    return Text(_MARGIN + line, style=QUIET_STYLE)


def _cell(tile: Tile, doubtful: bool, frame: _Frame) -> list[Text]:
    """The lines of one tile: what it is, the meeples on it, and its camel, palms and palaces."""
    # A tile without meeples keeps their line free, so that camels stand at one height along the row.
    lines = [_title(tile, doubtful), *_meeple_lines(tile.meeples, frame), _belongings(tile)]
    for line in lines:
        line.truncate(_CELL, pad=True)
    return lines


def _path_marks(board: Board, sowing: Sowing, claims: Collection[int]) -> dict[int, Text]:
    """A line for each tile of a turn: "lift 4" where it begins, "2g" where the second step leaves a merchant."""
    from rich.text import Text

    marks = {sowing.start: Text(f"lift {sum(board[sowing.start].meeples)}", style=PATH_STYLE)}
    for number, (square, tribe) in enumerate(zip(sowing.path, sowing.drops, strict=True), 1):
        mark = marks.setdefault(square, Text())
        mark.append(f"{' ' if mark else ''}{number}", style=PATH_STYLE)
        mark.append(tribe.letter, style=MEEPLE_STYLES[tribe])
    for square in claims:
        mark = marks.setdefault(square, Text())
        mark.append(" claim" if mark else "claim", style="bold")
    for mark in marks.values():
        mark.truncate(_CELL, pad=True)
    return marks


def _path_legend() -> Text:
    from rich.text import Text

    legend = Text(_MARGIN)
    legend.append("lift 4", style=PATH_STYLE)
    legend.append(" take the 4 meeples, then ", style=QUIET_STYLE)
    legend.append("1", style=PATH_STYLE)
    legend.append("g", style=MEEPLE_STYLES[Tribe.MERCHANT])
    legend.append(" first step, leave a merchant, ", style=QUIET_STYLE)
    legend.append("2", style=PATH_STYLE)
    legend.append(" and so on", style=QUIET_STYLE)
    return legend


def _title(tile: Tile, doubtful: bool) -> Text:
    """Kind and value, the value in brackets if it is blue: what the colour says, said without it."""
    from rich.text import Text

    value = f"[{tile.kind.vp}]" if tile.kind.blue else f"{tile.kind.vp} "
    word = _KIND_WORDS[tile.kind.action]
    line = Text(word)
    if doubtful:
        line.append("?", style=DOUBT_STYLE)
    line.append(" " * (_CELL - len(line) - len(value)))
    line.append(value, style=BLUE_VALUE_STYLE if tile.kind.blue else RED_VALUE_STYLE)
    return line


def _meeple_lines(meeples: tuple[int, ...], frame: _Frame) -> list[Text]:
    """One line of meeples, or more where they do not fit: "●●y ▲b", from four of a tribe on "5●y"."""
    from rich.text import Text

    lines = [Text()]
    for tribe in Tribe:
        group = _group(tribe, meeples[tribe], frame)
        if not group:
            continue
        if len(lines[-1]) + len(group) + bool(lines[-1]) > _CELL:
            lines.append(Text())
        if lines[-1]:
            lines[-1].append(" ")
        lines[-1].append(group, style=MEEPLE_STYLES[tribe])
    return lines


def _group(tribe: Tribe, number: int, frame: _Frame) -> str:
    shape = frame.shapes[tribe] if frame.shapes else ""
    if number > 3:
        return f"{number}{shape}{tribe.letter}"
    return shape * number + tribe.letter * bool(number) if shape else tribe.letter * number


def _belongings(tile: Tile) -> Text:
    from rich.text import Text

    line = Text()
    if tile.camel is not None:
        line.append(f"@{tile.camel.letter}", style=CAMEL_STYLES[tile.camel])
    for sign, number in (("^", tile.palms), ("#", tile.palaces)):
        if number:
            line.append(f"{' ' if line else ''}{sign}{number}", style="bold")
    return line


def _bare_lines(board: Board, doubtful: Collection[int]) -> list[Text]:
    from rich.text import Text

    tokens = [format_tile(tile) + ("?" if square in doubtful else "") for square, tile in enumerate(board)]
    return [Text(" ".join(tokens[start : start + COLUMNS])) for start in range(0, len(tokens), COLUMNS)]


def _legend(frame: _Frame, *, doubtful: bool) -> Text:
    from rich.text import Text

    legend = Text(_MARGIN)
    for tribe in Tribe:
        legend.append_text(meeple_sign(tribe, ascii_only=not frame.shapes))
        legend.append(f" {tribe.noun}  ")
    legend.append("\n" + _MARGIN)
    legend.append("[6]", style=BLUE_VALUE_STYLE)
    legend.append(" blue-valued tile   ", style=QUIET_STYLE)
    legend.append("6", style=RED_VALUE_STYLE)
    legend.append(" red-valued tile   ^2 two palms   #1 one palace\n" + _MARGIN + "camels: ", style=QUIET_STYLE)
    for colour in Colour:
        legend.append(f"@{colour.letter}", style=CAMEL_STYLES[colour])
        legend.append(f" {colour}   ", style=QUIET_STYLE)
    if doubtful:
        legend.append("\n" + _MARGIN)
        legend.append("?", style=DOUBT_STYLE)
        legend.append(" read doubtfully: look at this tile again", style=QUIET_STYLE)
    return legend


def meeple_sign(tribe: Tribe, *, ascii_only: bool) -> Text:
    """A tribe's shape and letter on its colour; the letter alone in ASCII."""
    from rich.text import Text

    return Text(("" if ascii_only else SHAPES[tribe]) + tribe.letter, style=MEEPLE_STYLES[tribe])
