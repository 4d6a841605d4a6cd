"""A board in the terminal: every meeple by letter, shape and colour, so that it reads without any one of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from textwrap import wrap

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from companion.cli.locale import translate
from companion.drawing.palette import CAMELS, TRIBES, is_light
from companion.language.phrase import Phrase, say, say_as, term
from companion.rules.model.actions import Sowing
from companion.rules.model.board import COLUMNS, ROWS, Board, Tile
from companion.rules.model.components import Colour, TileAction, Tribe

SHAPES = "●★▲■◆"
"""The shape of each tribe, in the order of `Tribe`."""


def _sign_style(colour: str) -> str:
    return f"bold {'black' if is_light(colour) else 'white'} on {colour.lower()}"


MEEPLE_STYLES = tuple(_sign_style(TRIBES[tribe.noun]) for tribe in Tribe)
CAMEL_STYLES = {colour: _sign_style(CAMELS[colour.value]) for colour in Colour}
RED_VALUE_STYLE = "bold #e06c5c"
BLUE_VALUE_STYLE = "bold #5c9ce6"
DOUBT_STYLE = "bold black on #ffd75f"
PATH_STYLE = "bold black on #7fd4ff"
QUIET_STYLE = "dim"

_KIND_WORDS: dict[TileAction, Phrase] = {
    TileAction.OASIS: say_as("in 7 columns of a drawn board", "Oasis"),
    TileAction.VILLAGE: say_as("in 7 columns of a drawn board", "Village"),
    TileAction.SMALL_MARKET: say_as("in 7 columns of a drawn board", "Market"),
    TileAction.LARGE_MARKET: say_as("in 7 columns of a drawn board", "Market"),
    TileAction.SACRED_PLACE: say_as("in 7 columns of a drawn board", "Sacred"),
}
_CELL = 11
_MARGIN = "  "
_WIDTH = len(_MARGIN) + (_CELL + 1) * COLUMNS + 1


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board to print with rich, 75 columns wide, bare notation in less. `doubtful` squares have a question mark, the
    steps of a `sowing` numbers, and claims are named.
    """

    board: Board
    doubtful: Collection[int] = ()
    sowing: Sowing | None = None
    claims: Collection[int] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.max_width < _WIDTH:
            yield from _bare_lines(self.board, self.doubtful, options.max_width)
            return
        yield Text(_MARGIN + "".join(f" {letter:^{_CELL}}" for letter in "abcdef"), style="bold")
        yield _rule("┌┬┐")
        for row in range(ROWS):
            if row:
                yield _rule("├┼┤")
            yield from self._row(row)
        yield _rule("└┴┘")
        for line in (
            *_legend(doubtful=bool(self.doubtful)),
            *([] if self.sowing is None else [_path_legend(self.sowing)]),
        ):
            for part in line.wrap(console, options.max_width - len(_MARGIN)):
                yield Text(_MARGIN) + part

    def _row(self, row: int) -> list[Text]:
        """The lines of one row of tiles, as many as its fullest tile needs, at least three."""
        squares = range(row * COLUMNS, (row + 1) * COLUMNS)
        marks = {} if self.sowing is None else _path_marks(self.sowing, self.claims)
        cells = [_cell(self.board[square], square in self.doubtful) for square in squares]
        for square, cell in zip(squares, cells, strict=True):
            if square in marks:
                cell += marks[square]
        height = max(len(cell) for cell in cells)
        lines = []
        for number in range(height):
            line = Text()
            line.append(f"{row + 1} " if number == 0 else _MARGIN, style="bold")
            for cell in cells:
                line.append("│", style=QUIET_STYLE)
                line.append_text(cell[number] if number < len(cell) else Text(" " * _CELL))
            line.append("│", style=QUIET_STYLE)
            lines.append(line)
        return lines


def _rule(corners: str) -> Text:
    line = corners[0] + corners[1].join(["─" * _CELL] * COLUMNS) + corners[2]
    return Text(_MARGIN + line, style=QUIET_STYLE)


def _cell(tile: Tile, doubtful: bool) -> list[Text]:
    """The lines of one tile: what it is, the meeples on it, and its camel, palms and palaces."""
    # A tile without meeples keeps their line free, so that camels stand at one height along the row.
    lines = [_title(tile, doubtful), *_meeple_lines(tile.meeples), _belongings(tile)]
    for line in lines:
        line.truncate(_CELL, pad=True)
    return lines


def tile_line(tile: Tile) -> str:
    """A tile in one line, as the board draws it: "Oasis    8  ■g ◆r  ^3"."""
    title, *lines = (line.plain.strip() for line in _cell(tile, False))
    return "  ".join([title, *filter(None, lines)])


def _path_marks(sowing: Sowing, claims: Collection[int]) -> dict[int, list[Text]]:
    """Lines for each tile of a turn: "lift 4" where it begins, "2g" where the second step leaves a merchant."""
    lifted = Text(translate(say("lift {count}", count=len(sowing.path))), style=PATH_STYLE)
    marks: dict[int, list[Text]] = {sowing.start: [lifted]}
    for number, (square, tribe) in enumerate(zip(sowing.path, sowing.drops, strict=True), 1):
        step = Text.assemble((str(number), PATH_STYLE), (tribe.letter, MEEPLE_STYLES[tribe]))
        marks.setdefault(square, []).append(step)
    for square in claims:
        claim = say_as("a camel is put on the tile", "claim")
        marks.setdefault(square, []).append(Text(translate(claim), style="bold"))
    return {square: _in_cell(of_tile) for square, of_tile in marks.items()}


def _in_cell(marks: list[Text]) -> list[Text]:
    """Marks side by side, in as many lines of a cell as they need."""
    lines = [Text()]
    for mark in marks:
        if lines[-1] and lines[-1].cell_len + 1 + mark.cell_len > _CELL:
            lines.append(Text())
        lines[-1].append_text(Text(" ") + mark if lines[-1] else mark)
    for line in lines:
        line.truncate(_CELL, pad=True)
    return lines


def _path_legend(sowing: Sowing) -> Text:
    tribe = sowing.drops[0]
    step = Text.assemble(("1", PATH_STYLE), (tribe.letter, MEEPLE_STYLES[tribe]))
    return _filled(
        say("{lift} take all meeples, {first} the first step and the meeple left, {second} and so on"),
        lift=Text(translate(say("lift {count}", count=len(sowing.path))), style=PATH_STYLE),
        first=step,
        second=Text("2", style=PATH_STYLE),
    )


def _filled(sentence: Phrase, **signs: Text) -> Text:
    """A quiet sentence in the language of the run, with a sign in the place of each name in braces."""
    filled = Text()
    for place, part in enumerate(re.split(r"\{(\w+)\}", translate(sentence))):
        if place % 2:
            filled.append_text(signs[part])
        else:
            filled.append(part, style=QUIET_STYLE)
    return filled


def _title(tile: Tile, doubtful: bool) -> Text:
    """Kind and value, the value in brackets if it is blue: what the colour says, said without it."""
    value = f"[{tile.kind.vp}]" if tile.kind.blue else f"{tile.kind.vp} "
    # A word that is too long gives way: the letters of kinds are one to each.
    line = Text(translate(_KIND_WORDS[tile.kind.action]))
    line.truncate(_CELL - len(value) - doubtful)
    if doubtful:
        line.append("?", style=DOUBT_STYLE)
    line.append(" " * (_CELL - line.cell_len - len(value)))
    line.append(value, style=BLUE_VALUE_STYLE if tile.kind.blue else RED_VALUE_STYLE)
    return line


def _meeple_lines(meeples: tuple[int, ...]) -> list[Text]:
    """One line of meeples, or more where they do not fit: "●●y ▲b", from four of a tribe on "5●y"."""
    lines = [Text()]
    for tribe in filter(meeples.__getitem__, Tribe):
        number, shape = meeples[tribe], SHAPES[tribe]
        group = (f"{number}{shape}" if number > 3 else shape * number) + tribe.letter
        if len(lines[-1]) + len(group) + bool(lines[-1]) > _CELL:
            lines.append(Text())
        if lines[-1]:
            lines[-1].append(" ")
        lines[-1].append(group, style=MEEPLE_STYLES[tribe])
    return lines


def _belongings(tile: Tile) -> Text:
    line = Text()
    if tile.camel is not None:
        line.append(f"@{tile.camel.letter}", style=CAMEL_STYLES[tile.camel])
    for sign, number in (("^", tile.palms), ("#", tile.palaces)):
        if number:
            line.append(f"{' ' if line else ''}{sign}{number}", style="bold")
    return line


def _bare_lines(board: Board, doubtful: Collection[int], width: int) -> Iterator[Text]:
    """Each row after its number, in as many lines as it needs."""
    tokens = [str(tile) + ("?" if square in doubtful else "") for square, tile in enumerate(board)]
    for row in range(ROWS):
        words = " ".join([str(row + 1), *tokens[row * COLUMNS : (row + 1) * COLUMNS]])
        lines = wrap(words, width, subsequent_indent=_MARGIN, break_long_words=False, break_on_hyphens=False)
        yield from map(Text, lines)


def _legend(*, doubtful: bool) -> Iterator[Text]:
    """What signs and colours mean, a line each: tribes, tiles, camels, doubts."""
    signs = [(meeple_sign(tribe), term(tribe.noun)) for tribe in Tribe]
    yield Text("  ").join(sign + Text(f" {translate(name)}") for sign, name in signs)
    blue, red = Text("[6]", style=BLUE_VALUE_STYLE), Text("6", style=RED_VALUE_STYLE)
    tiles = say("{blue} blue-valued tile   {red} red-valued tile   ^2 two palms   #1 one palace")
    yield _filled(tiles, blue=blue, red=red)
    camels = Text(f"{translate(say('camels:'))} ", style=QUIET_STYLE)
    for colour in Colour:
        camels.append(f"@{colour.letter}", style=CAMEL_STYLES[colour])
        camels.append(f" {translate(term(colour))}   ", style=QUIET_STYLE)
    yield camels
    if doubtful:
        yield _filled(say("{sign} not sure: please check this tile"), sign=Text("?", style=DOUBT_STYLE))


def meeple_sign(tribe: Tribe) -> Text:
    """A tribe's shape and letter on its colour."""
    return Text(SHAPES[tribe] + tribe.letter, style=MEEPLE_STYLES[tribe])
