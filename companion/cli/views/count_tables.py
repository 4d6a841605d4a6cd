"""How many of each thing are where, and what is left in the box."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from companion.language.phrase import joined, named, say, say_as, term
from companion.rules.model.board import camels_on, meeples_on
from companion.rules.model.components import (
    CARD_COUNTS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TILE_KINDS,
    Tribe,
    camels_in_box,
)
from companion.rules.model.position import Position, count_cards, keeps_all_known, tiles_left

_BOARD, _LEFT, _BOX = say_as("column", "board"), say_as("column", "left"), say_as("column", "box")

_BETWEEN = 4
"""Columns of the terminal between two tables."""
_ALL_THE_ROOM = 1000

Counts = tuple[str, list[str], list[tuple[str, *tuple[int, ...]]]]
"""A table: its heading, its columns, and its rows of a name and numbers."""


def count_tables(position: Position, console: Console) -> list[Table]:
    """Tiles, meeples, pieces and cards: where they are, what is left, what the box has.

    Two tables stand abreast where the console has room for both.
    """
    tables = []
    for heading, columns, rows in _counts(position):
        table = Table(
            box=box.ASCII2 if console.options.ascii_only else box.SIMPLE_HEAD,
            show_edge=False,
            padding=(0, 1),
            pad_edge=False,
            collapse_padding=True,
        )
        table.add_column(heading, no_wrap=True)
        for column in columns:
            table.add_column(column, justify="right", no_wrap=True)
        for name, *numbers in rows:
            table.add_row(name, *map(str, numbers), style="bold red" if numbers[-2] < 0 else "")
        tables.append(table)
    pairs = []
    for first in range(0, len(tables), 2):
        pair = Table.grid(padding=(0, _BETWEEN))
        pair.add_row(*tables[first : first + 2])
        wide = sum(_width(table, console) for table in tables[first : first + 2]) + _BETWEEN
        abreast = wide <= console.width
        pairs += [pair] if abreast else tables[first : first + 2]
    return pairs


def _width(table: Table, console: Console) -> int:
    """How many columns of the terminal a table takes where it has all the room that it wants."""
    return Measurement.get(console, console.options.update(width=_ALL_THE_ROOM), table).maximum


def _counts(position: Position) -> list[Counts]:
    """Tables of counts: a heading, columns, rows; the last two columns are what is left and the box."""
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
    for colour, number in camels_on(position.board).items():
        every = camels_in_box(colour, len(position.colours))
        pieces.append((say("{colour} camels", colour=colour), number, every - number, every))
    bag = say_as("column", "bag") if keeps_all_known(position) else say_as("column", "rest")
    counts: list[Counts] = [
        (say_as("heading", "Tiles"), [_BOARD, _LEFT, _BOX], list(kinds)),
        (
            say_as("heading", "Meeples"),
            [_BOARD, say_as("column", "players"), bag, _BOX],
            list(meeples),
        ),
        (say_as("heading", "Pieces"), [_BOARD, _LEFT, _BOX], list(pieces)),
    ]
    cards = [
        (named(card), c.row, c.hands, c.discards, c.unseen, CARD_COUNTS[card])
        for card, c in count_cards(position).items()
    ]
    if any(sum(numbers[:3]) for _, *numbers in cards):
        columns = [
            say_as("column", "row"),
            say_as("column", "hands"),
            say_as("column", "discards"),
            say_as("column", "unseen"),
        ]
        counts.append((say_as("heading", "Cards"), [*columns, _BOX], list(cards)))
    return counts
