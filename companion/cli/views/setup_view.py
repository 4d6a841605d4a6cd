"""Set-ups in words, one in the order in which a table is laid (rules 2), many in a table; and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.table import Table

from companion.cli.output import console
from companion.cli.views.board_view import BoardView
from companion.cli.views.position_view import djinns_in_words
from companion.notation.codes import encode
from companion.notation.files import to_document
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import START_GOLD_GC
from companion.rules.model.position import Position

if TYPE_CHECKING:
    from companion.advisor.search.fairness import Fairness, FairSetup


@dataclass(frozen=True, slots=True)
class ShownSetup:
    """A set-up, the seed that gives it, and what was found about it if it was to be fair."""

    position: Position
    seed: int
    found: FairSetup | None = None

    @property
    def spread(self) -> float | None:
        """How far its first turns lie apart, in VP, if it was to be fair."""
        return None if self.found is None else self.found.fairness.spread


def print_setup(shown: ShownSetup) -> None:
    """Show the table as it is laid, in the order in which it is laid (rules 2), and how fair it is if that is known."""
    position = shown.position
    terminal = console()
    terminal.print(f"Set-up for {len(position.colours)} players, seed {shown.seed}\n", style="bold")
    terminal.print(BoardView(position.board))
    terminal.print()
    facts = _facts(position, djinns_in_words(position.djinns), encode(position))
    if shown.found is not None:
        facts.add_row("Fairness", fairness_words(position, shown.found.fairness))
    terminal.print(facts)


def print_setups(seed: int, shown: Sequence[ShownSetup], asked: str) -> None:
    """Show many set-ups from a seed on, a line each; `asked` are the options beside the seed that give one of them."""
    terminal = console()
    players = len(shown[0].position.colours)
    terminal.print(f"{len(shown)} set-ups for {players} players from seed {seed} on\n", style="bold")
    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False)
    table.add_column("seed", justify="right")
    for name in ("first turns within", "open") if shown[0].found is not None else ("bid order",):
        table.add_column(name)
    table.add_column("djinns")
    for one in shown:
        if one.found is None:
            facts = [" ".join(one.position.bid_order or ())]
        else:
            facts = [_spread_words(one.found.fairness), _open_words(one.found.fairness)]
        table.add_row(str(one.seed), *facts, ", ".join(one.position.djinns or ()))
    terminal.print(table)
    terminal.print(f"\nTo lay one of them: companion setup {asked} --seed SEED")


def _spread_words(fairness: Fairness) -> str:
    return f"{fairness.spread:.1f} VP" + ("" if fairness.within else ", not fair")


def _open_words(fairness: Fairness) -> str:
    return ", ".join(SQUARE_NAMES[square] for square in fairness.open_captures) or "none"


def fairness_words(position: Position, fairness: Fairness) -> str:
    """How fair a set-up is, in a sentence."""
    order = position.bid_order or ()
    places = ", ".join(f"{colour} {one.value:+.1f}" for colour, one in zip(order, fairness.margins, strict=False))
    return (
        f"first turns within {fairness.spread:.1f} VP (expected margin in playing order: {places}); "
        f"tiles open to a first claim: {_open_words(fairness)}"
    )


def setup_document(shown: ShownSetup) -> dict[str, object]:
    """A set-up for JSON: a position file with its seed, and how fair it is if that is known."""
    document = {**to_document(shown.position), "seed": shown.seed}
    if shown.found is not None:
        document["fair"] = fairness_document(shown.position, shown.found)
    return document


def fairness_document(position: Position, found: FairSetup) -> dict[str, object]:
    """How fair a set-up is, for JSON."""
    fairness = found.fairness
    return {
        "spread": round(fairness.spread, 2),
        "first_turns": [
            {"player": str(colour), "value": round(one.value, 2), "error": round(one.error or 0.0, 2)}
            for colour, one in zip(position.bid_order or (), fairness.margins, strict=False)
        ],
        "open_captures": [SQUARE_NAMES[square] for square in fairness.open_captures],
        "within": fairness.within,
        "tried": found.tried,
    }


def _facts(position: Position, djinns: str, code: str) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    table.add_row("Each player", _for_each(position))
    table.add_row("Bid order", _numbered(position.bid_order or ()))
    table.add_row("Card row", _numbered(position.row or ()))
    table.add_row("Djinns", djinns)
    table.add_row("Code", code)
    return table


def _for_each(position: Position) -> str:
    colour = position.colours[0]
    markers = (position.bid_order or ()).count(colour)
    plural = "" if markers == 1 else "s"
    return f"{position.camels_left(colour)} camels, {markers} turn marker{plural}, {START_GOLD_GC} GC kept secret"


def _numbered(words: Sequence[str]) -> str:
    """Words with their places in front, five to the line."""
    numbered = [f"{place} {word}" for place, word in enumerate(words, 1)]
    return "\n".join("  ".join(numbered[start : start + 5]) for start in range(0, len(numbered), 5))
