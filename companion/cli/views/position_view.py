"""What lies beside the board, in the terminal: row, djinns, tracks, players, and what is left in bag and box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.cli.views.board_view import CAMEL_STYLES, QUIET_STYLE, meeple_sign
from companion.rules.engine.djinns.registry import EVERY_DJINN
from companion.rules.model.components import GOODS, Colour, Tribe
from companion.rules.model.inventory import keeps_all_known
from companion.rules.model.position import Player, Position

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table
    from rich.text import Text

UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything of a position but its board, to print with rich; what is unknown is a question mark."""

    position: Position

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Row, djinns, tracks and supplies, then a table of the players."""
        yield _facts(self.position, ascii_only=options.ascii_only)
        if self.position.colours:
            yield ""
            yield _players(self.position, ascii_only=options.ascii_only)


def cards_in_words(cards: Sequence[str] | None) -> str:
    """Cards in their order, numbered from the start of the row."""
    if cards is None:
        return UNKNOWN
    return "  ".join(f"{place} {card}" for place, card in enumerate(cards, 1)) or "none"


def goods_in_words(goods: tuple[int, ...] | None) -> str:
    """A hand of goods: "2 fish, ivory"."""
    if goods is None:
        return UNKNOWN
    held = [f"{count} {card}" if count > 1 else card for card, count in zip(GOODS, goods, strict=True) if count]
    return ", ".join(held) or "none"


def djinns_in_words(names: Sequence[str] | None) -> str:
    """Djinns with their worth in VP: "Utug (4), Nekir (6)"."""
    if names is None:
        return UNKNOWN
    return ", ".join(f"{name} ({EVERY_DJINN[name].vp})" for name in names) or "none"


def _facts(position: Position, *, ascii_only: bool) -> Table:
    from rich.table import Table
    from rich.text import Text

    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column()
    facts.add_row("Now", _now(position))
    facts.add_row("Card row", cards_in_words(position.row))
    facts.add_row("Djinns", djinns_in_words(position.djinns))
    facts.add_row("Bid order", _colours(position.bid_order))
    facts.add_row("Turn order", _turns(position))
    if position.discards is not None:
        tally = Counter(position.discards)
        facts.add_row("Discards", ", ".join(f"{n} {card}" for card, n in tally.items()) or "none")
    facts.add_row("Bag", _bag(position, ascii_only=ascii_only))
    facts.add_row("Supply", Text(f"{position.palms_left} palms, {position.palaces_left} palaces"))
    return facts


def _now(position: Position) -> Text:
    from rich.text import Text

    phases = {None: "phase ?", "bid": "bidding", "turn": "turns", "end": "end of the game"}
    line = Text(phases[position.phase])
    if position.to_move is not None:
        line.append(", ")
        line.append_text(_coloured(position.to_move))
        line.append(" to move")
    return line


def _coloured(colour: Colour) -> Text:
    from rich.text import Text

    return Text(f" {colour} ", style=CAMEL_STYLES[colour])


def _colours(colours: Sequence[Colour] | None) -> Text:
    from rich.text import Text

    if not colours:
        return Text(UNKNOWN if colours is None else "empty")
    return Text("  ").join(Text.assemble(f"{place} ", _coloured(colour)) for place, colour in enumerate(colours, 1))


def _turns(position: Position) -> Text:
    from rich.text import Text

    bids = position.turn_order
    if not bids:
        return Text(UNKNOWN if bids is None else "empty")
    return Text("  ").join(Text.assemble(_coloured(bid.colour), f" {bid.price} GC") for bid in bids)


def _bag(position: Position, *, ascii_only: bool) -> Text:
    """Meeples that are neither on the board nor known to be in front of a player."""
    from rich.text import Text

    signs = [
        Text(f"{number} ") + meeple_sign(tribe, ascii_only=ascii_only)
        for tribe, number in zip(Tribe, position.bag, strict=True)
    ]
    line = Text("  ").join(signs)
    if not keeps_all_known(position):
        line.append("  (or in front of players)", style=QUIET_STYLE)
    return line


def _players(position: Position, *, ascii_only: bool) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.ASCII2 if ascii_only else box.SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    table.add_column("Player")
    for heading in ("GC", "Viziers", "Elders", "Fakirs"):
        table.add_column(heading, justify="right")
    for heading in ("Goods", "Djinns"):
        table.add_column(heading)
    table.add_column("Camels", justify="right")
    for colour in position.colours:
        player = position.player(colour)
        camels = position.camels_left(colour)
        table.add_row(_coloured(colour), *_holdings(player), str(camels))
    return table


def _holdings(player: Player) -> list[str]:
    numbers = (player.gold, player.viziers, player.elders, player.fakirs)
    shown = [UNKNOWN if number is None else str(number) for number in numbers]
    return [*shown, goods_in_words(player.goods), djinns_in_words(player.djinns)]
