"""How many of each thing are where, and what is left in the box."""

from __future__ import annotations

from collections.abc import Sequence

from rich.columns import Columns
from rich.padding import Padding
from rich.text import Text

from companion.cli.locale import translate
from companion.cli.views.board_view import BLUE_VALUE_STYLE, RED_VALUE_STYLE, meeple_sign
from companion.cli.views.tables import Column, figures, number
from companion.language.phrase import joined, named, say, say_each, term
from companion.rules.model.board import SQUARES, Tile, camels_on, meeples_on
from companion.rules.model.components import (
    CARD_COUNTS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TILE_KINDS,
    Tribe,
    camels_in_box,
)
from companion.rules.model.position import Position, count_cards, keeps_all_known, meeples_left, tiles_left

_COLUMNS = say_each("column", "board|left|box|bag|rest|players|row|hands|discards|unseen")
_BOARD, _LEFT, _BOX = _COLUMNS["board"], _COLUMNS["left"], _COLUMNS["box"]
_HEADINGS = say_each("heading", "Tiles|Meeples|Pieces|Cards")

Counts = tuple[str, list[str], list[tuple[str, *tuple[int, ...]]]]
"""A table: its heading, its columns, and its rows of a name and numbers."""


def count_tables(position: Position) -> Columns:
    """Tiles, meeples, pieces and cards: where they are, what is left, what the box has; abreast where there's room."""
    tables = []
    for heading, columns, rows in _counts(position):
        table = figures([Column(heading, wraps=False), *map(number, columns)], (), tight=True)
        for name, *numbers in rows:
            table.add_row(name, *map(str, numbers), style="bold red" if numbers[-2] < 0 else "")
        tables.append(Padding(table, (0, 0, 1, 0), expand=False))
    return Columns(tables, padding=(0, 4))


def tiles_to_come(laid: Sequence[Tile]) -> Text:
    """A line of how many of each tile are left beside those that are laid."""
    left_by_code = tiles_left(laid)
    if len(laid) == SQUARES and not any(left_by_code.values()):
        return Text(translate(say("  tiles          all thirty")))
    line = Text(translate(say("  tiles to come  ")))
    for code, left in left_by_code.items():
        style = "dim" if left == 0 else "bold red" if left < 0 else ""
        line.append(code, style=style or (BLUE_VALUE_STYLE if TILE_KINDS[code].blue else RED_VALUE_STYLE))
        line.append(f" {left}  ", style=style)
    return line


def meeples_to_come(laid: Sequence[Tile]) -> Text:
    """A line of how many meeples of each tribe are left beside those on the tiles that are laid."""
    line = Text(translate(say("  meeples left   ")))
    for tribe, left in zip(Tribe, meeples_left(laid), strict=True):
        line.append_text(meeple_sign(tribe))
        line.append(f" {left}  ", style="bold red" if left < 0 else "")
    return line


def _counts(position: Position) -> list[Counts]:
    """The last two columns are what is left and the box."""
    tiles = tiles_left(position.board)
    kinds = [(code, kind.count - tiles[code], tiles[code], kind.count) for code, kind in TILE_KINDS.items()]
    on_board = meeples_on(position.board)
    meeples = [
        (
            joined(" ", (t.letter, term(t.noun, plural=True))),
            on_board[t],
            MEEPLE_COUNTS[t] - on_board[t] - position.bag[t],
            position.bag[t],
            MEEPLE_COUNTS[t],
        )
        for t in Tribe
    ]
    pieces = [
        (term("palms", plural=True), PALMS - position.palms_left, position.palms_left, PALMS),
        (term("palaces", plural=True), PALACES - position.palaces_left, position.palaces_left, PALACES),
    ]
    for colour, count in camels_on(position.board).items():
        every = camels_in_box(colour, len(position.colours))
        pieces.append((say("{colour} camels", colour=colour), count, every - count, every))
    bag = _COLUMNS["bag" if keeps_all_known(position) else "rest"]
    counts: list[Counts] = [
        (_HEADINGS["Tiles"], [_BOARD, _LEFT, _BOX], list(kinds)),
        (_HEADINGS["Meeples"], [_BOARD, _COLUMNS["players"], bag, _BOX], list(meeples)),
        (_HEADINGS["Pieces"], [_BOARD, _LEFT, _BOX], list(pieces)),
    ]
    cards = [
        (named(card), c.row, c.hands, c.discards, c.unseen, CARD_COUNTS[card])
        for card, c in count_cards(position).items()
    ]
    if any(sum(numbers[:3]) for _, *numbers in cards):
        columns = [_COLUMNS[name] for name in ("row", "hands", "discards", "unseen")]
        counts.append((_HEADINGS["Cards"], [*columns, _BOX], list(cards)))
    return counts
