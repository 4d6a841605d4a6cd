"""Set-ups in words, one in the order in which a table is laid (rules 2), many in a table; and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.cli.output import console
from companion.language.phrase import Phrase, counted, joined, say, say_as, say_many, term
from companion.notation.codes import encode
from companion.notation.files import to_document
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import START_GOLD_GC
from companion.rules.model.position import Position

if TYPE_CHECKING:
    from companion.advisor.advice import Fairness, FairSetup


@dataclass(frozen=True, slots=True)
class ShownSetup:
    """A set-up, the seed that gives it, and what was found about it if it was to be fair."""

    position: Position
    seed: int
    fair: FairSetup | None = None

    @property
    def spread(self) -> float | None:
        """How far its first turns lie apart, in VP, if it was to be fair."""
        return None if self.fair is None else self.fair.fairness.spread


def print_setup(shown: ShownSetup) -> None:
    """Show the table as it is laid, in the order in which it is laid (rules 2), and how fair it is if that is known."""
    from companion.cli.views.board_view import BoardView
    from companion.cli.views.position_view import djinns_in_words
    from companion.cli.views.tables import facts

    position = shown.position
    terminal = console()
    players = counted(len(position.colours), "player")
    terminal.print(say("Set-up, {players}, seed {seed}", players=players, seed=shown.seed) + "\n", style="bold")
    terminal.print(BoardView(position.board))
    terminal.print()
    rows: list[tuple[str, str]] = [
        (say("Each player"), _for_each(position)),
        (say_as("heading", "Bid order"), _numbered([term(colour.value) for colour in position.bid_order or ()])),
        (say_as("heading", "Card row"), _numbered([term(card) for card in position.row or ()])),
        (say("Djinns"), djinns_in_words(position.djinns)),
        (say("Code"), encode(position)),
    ]
    if shown.fair is not None:
        words = say(
            "all seats within {spread:.1f} VP; tiles open to a first claim: {tiles}",
            spread=shown.fair.fairness.spread,
            tiles=_open_words(shown.fair.fairness),
        )
        rows.append((say("Fairness"), words))
    terminal.print(facts(rows))


def print_setups(seed: int, shown: Sequence[ShownSetup], asked: str) -> None:
    """Show many set-ups from a seed on, a line each; `asked` are the options beside the seed that give one of them."""
    from companion.cli.views.tables import listing

    terminal = console()
    players = counted(len(shown[0].position.colours), "player")
    heading = say_many(
        "{count} set-up, {players}, from seed {seed} on",
        "{count} set-ups, {players}, from seed {seed} on",
        len(shown),
        players=players,
        seed=seed,
    )
    terminal.print(heading + "\n", style="bold")
    measured = (say("all seats within"), say("open"))
    columns = [say("seed"), *(measured if shown[0].fair is not None else (say("bid order"),))]
    rows = []
    for setup in shown:
        order = joined(" ", [term(colour.value) for colour in setup.position.bid_order or ()])
        measures = (
            [order] if setup.fair is None else [_spread_words(setup.fair.fairness), _open_words(setup.fair.fairness)]
        )
        rows.append((str(setup.seed), *measures, ", ".join(setup.position.djinns or ())))
    table = listing([*columns, term("djinns", plural=True)], rows)
    table.columns[0].justify = "right"
    terminal.print(table)
    terminal.print("\n" + say("To set one of them up: companion setup {asked} --seed SEED", asked=asked))


def _spread_words(fairness: Fairness) -> Phrase:
    if fairness.within:
        return say("{spread:.1f} VP", spread=fairness.spread)
    return say("{spread:.1f} VP, not fair", spread=fairness.spread)


def _open_words(fairness: Fairness) -> str:
    return ", ".join(SQUARE_NAMES[square] for square in fairness.open_captures) or say_as("tiles", "none")


def setup_document(shown: ShownSetup) -> dict[str, object]:
    """A set-up for JSON: a position file with its seed, and how fair it is if that is known."""
    document = {**to_document(shown.position), "seed": shown.seed}
    if shown.fair is not None:
        fairness, order = shown.fair.fairness, shown.position.bid_order or ()
        document["fair"] = {
            "spread": round(fairness.spread, 2),
            "first_turns": [
                {"player": str(colour), "value": round(one.value, 2), "error": round(one.error or 0.0, 2)}
                for colour, one in zip(order, fairness.margins, strict=False)
            ],
            "open_captures": [SQUARE_NAMES[square] for square in fairness.open_captures],
            "within": fairness.within,
            "tried": shown.fair.tried,
        }
    return document


def _for_each(position: Position) -> Phrase:
    colour = position.colours[0]
    markers = (position.bid_order or ()).count(colour)
    return say(
        "{camels}, {markers}, {coins} kept secret",
        camels=counted(position.camels_left(colour), "camel"),
        markers=counted(markers, "turn marker"),
        coins=counted(START_GOLD_GC, "GC"),
    )


def _numbered(words: Sequence[Phrase]) -> Phrase:
    """Words with their places in front, five to the line."""
    numbered = [joined("", (f"{place} ", word)) for place, word in enumerate(words, 1)]
    return joined("\n", [joined("  ", numbered[start : start + 5]) for start in range(0, len(numbered), 5)])
