"""What's beside the board, in the terminal: row, djinns, tracks, players; and how many of each thing are where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from companion.cli.locale import translate
from companion.cli.views.board_view import (
    BLUE_VALUE_STYLE,
    CAMEL_STYLES,
    QUIET_STYLE,
    RED_VALUE_STYLE,
    BoardView,
    meeple_sign,
)
from companion.cli.views.tables import Column, facts, figures, number
from companion.language.phrase import capitalised, counted, joined, named, say, say_as, say_each, term
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.board import SQUARES, Tile, camels_on, meeples_on
from companion.rules.model.components import (
    CARD_COUNTS,
    GOODS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    TILE_KINDS,
    Colour,
    Tribe,
    camels_in_box,
)
from companion.rules.model.position import Phase, Position, count_cards, keeps_all_known, meeples_left, tiles_left

UNKNOWN = "?"

_PLACE = "\0"


@dataclass(frozen=True, slots=True)
class PositionView:
    """A position to print with rich, `doubtful` squares marked; what is unknown is a question mark."""

    position: Position
    doubtful: Collection[int] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield BoardView(self.position.board, self.doubtful)
        yield ""
        yield _facts(self.position)
        if self.position.colours:
            yield ""
            yield _players(self.position)


@dataclass(frozen=True, slots=True)
class _Entries:
    """Entries two spaces apart, in as many lines as they need; a line ends between two of them, never inside one."""

    entries: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
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


def _facts(position: Position) -> Table:
    rows: list[tuple[RenderableType, RenderableType]] = [
        (say_as("heading", "Now"), _now(position)),
        (say_as("heading", "Card row"), _cards_in_words(position.row)),
        (say_as("heading", "Djinns"), djinns_in_words(position.djinns)),
        (say_as("heading", "Bid order"), _colours(position.bid_order)),
        (say_as("heading", "Turn order"), _turns(position)),
    ]
    if position.discards is not None:
        discards = joined(", ", (counted(n, card) for card, n in Counter(position.discards).items()))
        rows.append((say_as("heading", "Discards"), discards or say_as("cards", "none")))
    rows.append((say_as("heading", "Bag"), _bag(position)))
    supply = joined(", ", (counted(position.palms_left, "palms"), counted(position.palaces_left, "palaces")))
    rows.append((say_as("heading", "Supply"), supply))
    return facts(rows)


def _now(position: Position) -> Text:
    phases = say_each("phase", "phase ?|bidding|turns|end of the game").values()
    line = Text(translate(dict(zip((None, *Phase), phases, strict=True))[position.phase]))
    if position.to_move is not None:
        # The sign of the player stands in colour where the sentence has its place.
        before, _, after = translate(say(", {player} to move", player=_PLACE)).partition(_PLACE)
        line.append(before)
        line.append_text(_coloured(position.to_move))
        line.append(after)
    return line


def _coloured(colour: Colour) -> Text:
    return Text(f" {translate(term(colour))} ", style=CAMEL_STYLES[colour])


def _colours(colours: Sequence[Colour] | None) -> Text:
    if not colours:
        return Text(UNKNOWN if colours is None else translate(say_as("a track", "empty")))
    return Text("  ").join(Text.assemble(f"{place} ", _coloured(colour)) for place, colour in enumerate(colours, 1))


def _turns(position: Position) -> Text:
    bids = position.turn_order
    if not bids:
        return Text(UNKNOWN if bids is None else translate(say_as("a track", "empty")))
    return Text("  ").join(
        Text.assemble(_coloured(bid.colour), translate(say(" {price} GC", price=bid.price))) for bid in bids
    )


def _bag(position: Position) -> Text:
    """Meeples that are neither on the board nor known to be in front of a player."""
    signs = [Text(f"{count} ") + meeple_sign(tribe) for tribe, count in zip(Tribe, position.bag, strict=True)]
    line = Text("  ").join(signs)
    if not keeps_all_known(position):
        line.append(translate(say("  (or in front of players)")), style=QUIET_STYLE)
    return line


def _players(position: Position) -> Table:
    headings = [term("GC"), *(capitalised(term(key, plural=True)) for key in ("vizier", "elder", "fakir", "goods"))]
    headings += [capitalised(term(key, plural=True)) for key in ("djinns", "camel")]
    columns = [Column(say_as("heading", "Player"), wraps=False), *(Column(_coloured(one)) for one in position.colours)]
    held = (_holdings(position, colour) for colour in position.colours)
    return figures(columns, zip(headings, *held, strict=True))


def _holdings(position: Position, colour: Colour) -> list[str]:
    """What a player has, in the order of the headings."""
    player = position.player(colour)
    numbers = (player.gold, player.viziers, player.elders, player.fakirs)
    shown = [UNKNOWN if number is None else str(number) for number in numbers]
    camels = str(position.camels_left(colour))
    return [*shown, goods_in_words(player.goods), djinns_in_words(player.djinns), camels]


# How many of each thing are where.


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
