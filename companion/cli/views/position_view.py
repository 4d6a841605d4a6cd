"""What lies beside the board, in the terminal: row, djinns, tracks, players, and what is left in bag and box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.cli.locale import translate
from companion.cli.views.board_view import CAMEL_STYLES, QUIET_STYLE, meeple_sign
from companion.language.phrase import capitalised, counted, joined, named, say, say_as, term
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import GOODS, Colour, Tribe
from companion.rules.model.position import Position, keeps_all_known

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.table import Table
    from rich.text import Text

UNKNOWN = "?"

_PLACE = "\0"
_LISTS = (4, 5)
"""Where goods and djinns stand among a player's holdings."""
_ALL_THE_ROOM = 1000
"""Columns of a terminal in which nothing has to be broken."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything of a position but its board, to print with rich; what is unknown is a question mark."""

    position: Position

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Row, djinns, tracks and supplies, then a table of the players."""
        yield _facts(self.position, ascii_only=options.ascii_only)
        if self.position.colours:
            yield ""
            yield _players(self.position, console, options)


@dataclass(frozen=True, slots=True)
class _Entries:
    """Entries two spaces apart, in as many lines as they need; a line ends between two of them, never inside one."""

    entries: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The lines."""
        from rich.cells import cell_len
        from rich.text import Text

        lines: list[str] = []
        for entry in map(translate, self.entries):
            if lines and cell_len(longer := f"{lines[-1]}  {entry}") <= options.max_width:
                lines[-1] = longer
            else:
                lines.append(entry)
        yield Text("\n".join(lines))


def _cards_in_words(cards: Sequence[str] | None) -> str | _Entries:
    """Cards in their order, numbered from the start of the row."""
    if cards is None:
        return UNKNOWN
    if not cards:
        return say_as("cards", "none")
    return _Entries(tuple(joined(" ", (str(place), named(card))) for place, card in enumerate(cards, 1)))


def goods_in_words(goods: tuple[int, ...] | None) -> str:
    """A hand of goods: "2 fish, ivory"."""
    if goods is None:
        return UNKNOWN
    held = [
        counted(count, card) if count > 1 else term(card) for card, count in zip(GOODS, goods, strict=True) if count
    ]
    return joined(", ", held) if held else say_as("goods", "none")


def djinns_in_words(names: Sequence[str] | None) -> str:
    """Djinns with their worth in VP: "Utug (4), Nekir (6)"."""
    if names is None:
        return UNKNOWN
    if not names:
        return say_as("djinns", "none")
    return ", ".join(f"{name} ({EVERY_DJINN[name].vp})" for name in names)


def _facts(position: Position, *, ascii_only: bool) -> Table:
    from rich.table import Table

    facts = Table.grid(padding=(0, 2))
    facts.add_column(style="bold", no_wrap=True)
    facts.add_column()
    facts.add_row(say_as("heading", "Now"), _now(position))
    facts.add_row(say_as("heading", "Card row"), _cards_in_words(position.row))
    facts.add_row(say_as("heading", "Djinns"), djinns_in_words(position.djinns))
    facts.add_row(say_as("heading", "Bid order"), _colours(position.bid_order))
    facts.add_row(say_as("heading", "Turn order"), _turns(position))
    if position.discards is not None:
        tally = Counter(position.discards)
        discards = joined(", ", (counted(n, card) for card, n in tally.items()))
        facts.add_row(say_as("heading", "Discards"), discards if tally else say_as("cards", "none"))
    facts.add_row(say_as("heading", "Bag"), _bag(position, ascii_only=ascii_only))
    supply = joined(", ", (counted(position.palms_left, "palms"), counted(position.palaces_left, "palaces")))
    facts.add_row(say_as("heading", "Supply"), supply)
    return facts


def _now(position: Position) -> Text:
    from rich.text import Text

    phases = {
        None: say_as("phase", "phase ?"),
        "bid": say_as("phase", "bidding"),
        "turn": say_as("phase", "turns"),
        "end": say_as("phase", "end of the game"),
    }
    line = Text(translate(phases[position.phase]))
    if position.to_move is not None:
        # The sign of the player stands in colour where the sentence has its place.
        before, _, after = translate(say(", {player} to move", player=_PLACE)).partition(_PLACE)
        line.append(before)
        line.append_text(_coloured(position.to_move))
        line.append(after)
    return line


def _coloured(colour: Colour) -> Text:
    from rich.text import Text

    return Text(f" {translate(term(colour))} ", style=CAMEL_STYLES[colour])


def _colours(colours: Sequence[Colour] | None) -> Text:
    from rich.text import Text

    if not colours:
        return Text(UNKNOWN if colours is None else translate(say_as("a track", "empty")))
    return Text("  ").join(Text.assemble(f"{place} ", _coloured(colour)) for place, colour in enumerate(colours, 1))


def _turns(position: Position) -> Text:
    from rich.text import Text

    bids = position.turn_order
    if not bids:
        return Text(UNKNOWN if bids is None else translate(say_as("a track", "empty")))
    return Text("  ").join(
        Text.assemble(_coloured(bid.colour), translate(say(" {price} GC", price=bid.price))) for bid in bids
    )


def _bag(position: Position, *, ascii_only: bool) -> Text:
    """Meeples that are neither on the board nor known to be in front of a player."""
    from rich.text import Text

    signs = [
        Text(f"{number} ") + meeple_sign(tribe, ascii_only=ascii_only)
        for tribe, number in zip(Tribe, position.bag, strict=True)
    ]
    line = Text("  ").join(signs)
    if not keeps_all_known(position):
        line.append(translate(say("  (or in front of players)")), style=QUIET_STYLE)
    return line


def _players(position: Position, console: Console, options: ConsoleOptions) -> Table:
    """A line a player; a column a player where the terminal has no room for that in the language of the run."""
    from rich.measure import Measurement

    table = _player_lines(position, ascii_only=options.ascii_only)
    narrowest = Measurement.get(console, options.update(width=_ALL_THE_ROOM), table).minimum
    return table if narrowest <= options.max_width else _player_columns(position, ascii_only=options.ascii_only)


def _headings() -> list[str]:
    numbers = (term("GC"), *(capitalised(term(key, plural=True)) for key in ("vizier", "elder", "fakir")))
    return [*numbers, *(capitalised(term(key, plural=True)) for key in ("goods", "djinns", "camel"))]


def _player_lines(position: Position, *, ascii_only: bool) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.ASCII2 if ascii_only else box.SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    table.add_column(say_as("heading", "Player"), no_wrap=True)
    for number, heading in enumerate(_headings()):
        wraps = number in _LISTS
        table.add_column(heading, justify="left" if wraps else "right", no_wrap=not wraps)
    for colour in position.colours:
        table.add_row(_coloured(colour), *_holdings(position, colour))
    return table


def _player_columns(position: Position, *, ascii_only: bool) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.ASCII2 if ascii_only else box.SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    table.add_column(say_as("heading", "Player"), no_wrap=True)
    for colour in position.colours:
        table.add_column(_coloured(colour))
    for heading, *held in zip(_headings(), *(_holdings(position, colour) for colour in position.colours), strict=True):
        table.add_row(heading, *held)
    return table


def _holdings(position: Position, colour: Colour) -> list[str]:
    """What a player has, in the order of `_headings`."""
    player = position.player(colour)
    numbers = (player.gold, player.viziers, player.elders, player.fakirs)
    shown = [UNKNOWN if number is None else str(number) for number in numbers]
    camels = str(position.camels_left(colour))
    return [*shown, goods_in_words(player.goods), djinns_in_words(player.djinns), camels]
