"""A game played back as a person reads it: a row a line of the record, the points after it, the scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.cli.output import console
from companion.cli.views.score_table import STYLES, print_result, record_title, result_document
from companion.notation.files import to_document
from companion.notation.records.lines import BidsLine, Line, Remark, ResultLine, TurnLine, format_entry
from companion.notation.records.replay import Replayed
from companion.rules.engine.result import result_of
from companion.rules.engine.scoring import player_points
from companion.rules.model.components import Colour
from companion.rules.model.state import GameState, Stage

_DECISIONS = {
    Stage.BID: "{mover} is to bid",
    Stage.MOVE: "{mover} is to move",
    Stage.SOW: "{mover} has meeples in hand to leave",
    Stage.TRIBE: "{mover} is to do the tribe action",
    Stage.TILE: "{mover} is to do the tile action",
    Stage.CLOSE: "{mover} may use powers and sell, and then ends the turn",
    Stage.SELL: "{mover} may sell more, and then ends the turn",
    Stage.KEEP: "{mover} is to keep one of the djinns drawn",
    Stage.END: "the game is over",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a record that was played, and the state after it."""

    line: Line
    after: GameState


def decision_words(played: Replayed) -> str:
    """What comes next, in words."""
    if played.owes_refill:
        return "the row and the djinns are to be refilled"
    return _DECISIONS[played.state.stage].format(mover=played.state.mover)


def rows(played: Replayed) -> Iterator[Row]:
    """The lines that play, each with the state after it."""
    after = {play.line: play.step.state for play in played.plays}
    state = played.start
    for line in played.record.lines:
        state = after.get(line.number, state)
        if not isinstance(line.entry, Remark):
            yield Row(line, state)


def print_game(played: Replayed) -> None:
    """Print the game and the scores on standard output."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    header = played.record.header
    out = console()
    title = record_title(header.tag("date"), header.tag("place"))
    if title:
        out.print(Text(title, style="bold"))
    colours = played.state.position.colours
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1))
    table.add_column("line", justify="right", style="dim")
    table.add_column("")
    table.add_column("turn", ratio=1)
    for colour in colours:
        table.add_column(Text(str(colour), style=STYLES[colour]), justify="right")
    for row in rows(played):
        if isinstance(row.line.entry, ResultLine):
            continue
        who, _, said = format_entry(row.line.entry).partition(":")
        text = Text(said.strip())
        if row.line.comment:
            text.append(f"\n# {row.line.comment}", style="italic dim")
        style = STYLES[row.line.entry.colour] if isinstance(row.line.entry, TurnLine) else "dim"
        points = [str(player_points(row.after.position, colour)) for colour in colours]
        if isinstance(row.line.entry, BidsLine) and table.row_count:
            table.add_section()
        table.add_row(str(row.line.number), Text(who, style=style), text, *points)
    out.print(table)
    print_result(result_of(played.state.position), header.names)


def replay_document(played: Replayed) -> dict[str, object]:
    """The game for JSON: the lines with the points after each, the scores, and the position at the end."""
    position, header = played.state.position, played.record.header
    return {
        "format": 1,
        "date": header.tag("date"),
        "place": header.tag("place"),
        "names": {str(colour): name for colour, name in header.names.items()},
        "over": played.state.is_over,
        "next": decision_words(played),
        "lines": [_line_document(row, position.colours) for row in rows(played)],
        **result_document(result_of(position)),
        "position": to_document(position),
    }


def _line_document(row: Row, colours: tuple[Colour, ...]) -> dict[str, object]:
    points = {str(colour): player_points(row.after.position, colour) for colour in colours}
    return {
        "line": row.line.number,
        "text": format_entry(row.line.entry),
        "comment": row.line.comment,
        "points": points,
    }
