"""A game played back as a person reads it: a row a line of the record, the points after it, the scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rich.text import Text

from companion.cli.locale import translate
from companion.cli.output import console
from companion.cli.views.score_table import STYLES, print_result, record_title
from companion.cli.views.tables import Column, figures, number
from companion.language.phrase import Phrase, joined, say, say_as, term
from companion.notation.files import to_document
from companion.notation.records.corrections import changes_phrase
from companion.notation.records.lines import (
    BidsLine,
    CorrectionLine,
    Entry,
    Line,
    RefillLine,
    Remark,
    ResultLine,
    TurnLine,
    format_entry,
)
from companion.notation.records.replay import Replayed
from companion.notation.records.steps import observation_phrase, steps_phrase
from companion.notation.wording import bid_words
from companion.rules.engine.scoring import result_of_game, score
from companion.rules.model.state import GameState, Stage
from companion.table.results import result_document

_NEXT: dict[Stage, Callable[[Phrase], Phrase]] = {
    Stage.BID: lambda mover: say("{player} is to bid", player=mover),
    Stage.MOVE: lambda mover: say("{player} is to move", player=mover),
    Stage.SOW: lambda mover: say("{player} has meeples in hand to leave", player=mover),
    Stage.TRIBE: lambda mover: say("{player} is to do the tribe action", player=mover),
    Stage.TILE: lambda mover: say("{player} is to do the tile action", player=mover),
    Stage.CLOSE: lambda mover: say("{player} may use powers and sell, and then ends the turn", player=mover),
    Stage.SELL: lambda mover: say("{player} may sell more, and then ends the turn", player=mover),
    Stage.KEEP: lambda mover: say("{player} is to keep one of the djinns drawn", player=mover),
}


def decision_words(played: Replayed) -> Phrase:
    if played.owes_refill:
        return say("the row and the djinns have to be refilled")
    mover, next_is = played.state.mover, _NEXT.get(played.state.stage)
    return say("the game is over") if mover is None or next_is is None else next_is(term(mover))


def rows(played: Replayed) -> Iterator[tuple[Line, GameState]]:
    """The lines that play, each with the state after it."""
    after = {one.line: one.after for one in played.corrections}
    # A correction may end a round, as what came into the row is told by it.
    after |= {play.line: play.step.state for play in played.plays}
    state = played.start
    for line in played.record.lines:
        state = after.get(line.number, state)
        if not isinstance(line.entry, Remark):
            yield line, state


def print_game(played: Replayed) -> None:
    """Print the game and the scores on standard output."""
    header = played.record.header
    out = console()
    title = record_title(header.tag("date"), header.tag("place"))
    if title:
        out.print(Text(title, style="bold"))
    colours = played.state.position.colours
    number_of_line, turn = say_as("head of a record's lines", "line"), say_as("head of a record's lines", "turn")
    columns = [number(number_of_line, style="dim"), Column(), Column(turn, share=1)]
    columns += [number(Text(translate(term(colour)), style=STYLES[colour])) for colour in colours]
    table = figures(columns, ())
    for line, after in rows(played):
        entry = line.entry
        if isinstance(entry, ResultLine):
            continue
        who, said = _said(entry, played.steps_of(line.number))
        text = Text(translate(said))
        if line.comment:
            text.append(f"\n# {line.comment}", style="italic dim")
        style = STYLES[entry.colour] if isinstance(entry, TurnLine) else "dim"
        points = list(map(result_of_game(after).total_words, colours))
        if isinstance(entry, BidsLine) and table.row_count:
            table.add_section()
        table.add_row(str(line.number), Text(translate(who), style=style), text, *points)
    out.print(table)
    print_result(result_of_game(played.state), header.names)


def _said(entry: Entry, steps: Sequence[str]) -> tuple[Phrase, Phrase]:
    """Whose line it is, and what it says; `steps` are those of a turn."""
    match entry:
        case BidsLine():
            bids = [joined(" ", (term(colour), bid_words(bid))) for colour, bid in entry.bids]
            return say("round {number}", number=entry.round), joined(", ", bids)
        case TurnLine():
            return term(entry.colour), steps_phrase(steps, unfinished=entry.open)
        case RefillLine():
            return say("refill"), observation_phrase(entry.observation)
        case CorrectionLine():
            return say("corrected"), changes_phrase(entry.changes)
        case _:
            return joined("", ()), joined("", ())


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
        "lines": [
            {
                "line": line.number,
                "text": format_entry(line.entry),
                "comment": line.comment,
                "points": {str(colour): points.total for colour, points in score(after.position).items()},
            }
            for line, after in rows(played)
        ],
        **result_document(result_of_game(played.state)),
        "position": to_document(position),
    }
