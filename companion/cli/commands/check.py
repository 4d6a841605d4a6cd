"""`companion check`: what is where, what is left in the box, and every fault of an impossible position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from companion.cli.colouring import ColourChoice, ColourOption
from companion.cli.options import AsJson, Ask, Cards, Force, Goods, Overlay, PositionFile, Sources

if TYPE_CHECKING:
    from rich.table import Table

    from companion.rules.model.position import Position


def check(
    position: Sources,
    goods: Goods = None,
    cards: Cards = None,
    ask: Ask = False,
    overlay: Overlay = None,
    output: PositionFile = None,
    force: Force = False,
    as_json: AsJson = False,
    colour: ColourOption = ColourChoice.AUTO,
) -> None:
    """Check a position against what is in the box: exit status 0 if it can stand on a table, 5 if not.

    Example: companion check table.toml
    """
    from companion.cli.inputs import open_inputs, tell
    from companion.cli.output import print_json
    from companion.errors import ExitStatus
    from companion.rules.engine.legality import problems

    opened = open_inputs(
        position,
        goods=goods,
        cards=cards,
        ask=ask,
        overlay=overlay,
        output=output,
        force=force,
        quiet=as_json,
        checked=False,
    )
    faults = problems(opened.position)
    if as_json:
        found = [{"where": fault.where, "rule": fault.rule, "message": fault.message} for fault in faults]
        print_json({"valid": not faults, "problems": found})
    else:
        from companion.cli.colouring import coloured_console

        console = coloured_console(colour)
        for pair in _tables(opened.position, ascii_only=console.options.ascii_only):
            console.print(pair)
            console.print()
        for fault in faults:
            console.print(f"{fault.where}: {fault.message} (rules {fault.rule})", style="bold red", markup=False)
        console.print(_verdict(len(faults)), style="bold")
    tell(opened)
    if faults:
        raise typer.Exit(int(ExitStatus.IMPOSSIBLE))


def _verdict(faults: int) -> str:
    if not faults:
        return "This position can stand on a table."
    return f"This position cannot stand on a table: {faults} fault{'s' if faults > 1 else ''}."


def _tables(position: Position, *, ascii_only: bool) -> list[Table]:
    """Tiles, meeples, pieces and cards: where they are, what is left, what the box has; two tables abreast."""
    from rich import box
    from rich.table import Table

    tables = []
    for heading, columns, rows in _counts(position):
        table = Table(
            box=box.ASCII2 if ascii_only else box.SIMPLE_HEAD,
            show_edge=False,
            padding=(0, 1),
            pad_edge=False,
            collapse_padding=True,
        )
        table.add_column(heading)
        for column in columns:
            table.add_column(column, justify="right")
        for name, *numbers in rows:
            table.add_row(name, *map(str, numbers), style="bold red" if numbers[-2] < 0 else "")
        tables.append(table)
    pairs = []
    for first in range(0, len(tables), 2):
        pair = Table.grid(padding=(0, 4))
        pair.add_row(*tables[first : first + 2])
        pairs.append(pair)
    return pairs


Counts = tuple[str, list[str], list[tuple[str, *tuple[int, ...]]]]


def _counts(position: Position) -> list[Counts]:
    """Tables of counts: a heading, columns, rows; the last two columns are what is left and the box."""
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
    from companion.rules.model.inventory import count_cards, keeps_all_known, tiles_left

    tiles = tiles_left(position.board)
    kinds = [(code, kind.count - tiles[code], tiles[code], kind.count) for code, kind in TILE_KINDS.items()]
    on_board = meeples_on(position.board)
    meeples = [
        (
            f"{t.letter} {t.noun}s",
            on_board[t],
            MEEPLE_COUNTS[t] - on_board[t] - position.bag[t],
            position.bag[t],
            MEEPLE_COUNTS[t],
        )
        for t in Tribe
    ]
    pieces = [
        ("palms", PALMS - position.palms_left, position.palms_left, PALMS),
        ("palaces", PALACES - position.palaces_left, position.palaces_left, PALACES),
    ]
    for colour, number in camels_on(position.board).items():
        box = camels_in_box(colour, len(position.colours))
        pieces.append((f"{colour} camels", number, box - number, box))
    counts: list[Counts] = [
        ("Tiles", ["board", "left", "box"], list(kinds)),
        (
            "Meeples",
            ["board", "players", "bag" if keeps_all_known(position) else "rest", "box"],
            list(meeples),
        ),
        ("Pieces", ["board", "left", "box"], list(pieces)),
    ]
    cards = [
        (card, c.row, c.hands, c.discards, c.unseen, CARD_COUNTS[card]) for card, c in count_cards(position).items()
    ]
    if any(sum(numbers[:3]) for _, *numbers in cards):
        counts.append(("Cards", ["row", "hands", "discards", "unseen", "box"], list(cards)))
    return counts
