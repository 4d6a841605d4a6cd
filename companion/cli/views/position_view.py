"""What's beside the board, in the terminal: row, djinns, tracks, players, and what is left in bag and box."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from companion.cli.locale import translate
from companion.cli.views.board_view import CAMEL_STYLES, QUIET_STYLE, BoardView, meeple_sign
from companion.cli.views.tables import Column, facts, figures
from companion.language.phrase import capitalised, counted, joined, named, say, say_as, say_each, term
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.components import GOODS, Colour, Tribe
from companion.rules.model.position import Phase, Position, keeps_all_known

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
