"""`companion score`: everybody's points at the end of a game, category by category."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import (
    SOURCES,
    AsJson,
    Cards,
    FontFolder,
    Force,
    Goods,
    Language,
    Names,
    Overlay,
    Paper,
    PaperSize,
    Template,
    reading_option,
)

if TYPE_CHECKING:
    from datetime import datetime

    from companion.cli.dialogue.asking import Filled
    from companion.opening.position import Opened
    from companion.rules.engine.result import GameResult
    from companion.rules.model.components import Colour
    from companion.rules.model.position import Position


def score(
    position: Annotated[list[str] | None, SOURCES] = None,
    goods: Goods = None,
    cards: Cards = None,
    overlay: Overlay = None,
    ask: Annotated[bool, typer.Option("--ask", help="Ask line by line; what the position shows is filled in.")] = False,
    final: Annotated[
        bool,
        typer.Option("--final", help="The game is over, for a position that does not say so itself."),
    ] = False,
    names: Names = None,
    as_json: AsJson = False,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="OUT.pdf", help="Also write the score sheet, filled in.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Also write the position as filled in, .toml or .json."),
    ] = None,
    force: Force = False,
    paper: PaperSize = Paper.A4,
    lang: Language = "en",
    template: Template = None,
    font_dir: FontFolder = None,
    bgstats: Annotated[
        bool, typer.Option("--bgstats", help="Also show the link that saves the play in BG Stats.")
    ] = False,
) -> None:
    """Count the points of a game, with the arithmetic of each category: who has won, or who leads so far.

    Example: companion score end.toml --pdf sheet.pdf, or companion score --ask
    """
    from companion.cli.inputs import input_files, open_inputs
    from companion.cli.output import PDF_ENDING, POSITION_ENDINGS, check_outputs, note, print_json, write_position
    from companion.cli.views.score_table import print_result, record_title, result_document
    from companion.errors import UsageError
    from companion.storage import write_file

    if not position and not ask:
        raise UsageError("name a position file or a photo to score, or give --ask to be asked line by line")
    if save is not None and not position:
        raise UsageError("--save writes a position, which needs a board: name a position file or a photo too")
    read = [*input_files(position or (), goods, cards), template]
    check_outputs((pdf, PDF_ENDING), (save, POSITION_ENDINGS), force=force, inputs=read)
    if pdf is not None:
        from companion.printing.score.sheet import check_sheet

        check_sheet(lang, template)
    if ask and position and "-" in position:
        raise UsageError("--ask reads the answers from standard input, so the position must come from a file")
    opened = (
        open_inputs(position, goods=goods, cards=cards, overlay=overlay, force=force, quiet=as_json)
        if position
        else None
    )
    header = None if opened is None else opened.header
    filled, result = _fill(opened, ask=ask, names=names, final=final)
    for sentence in (*filled.notes, *result.unknown, *_unfinished(filled.position, result, final=final)):
        note(sentence)
    date, place = (header.tag("date") or "", header.tag("place") or "") if header is not None else ("", "")
    # The points come first: a font that is missing for the sheet must not cost a long row of answers.
    if as_json:
        print_json(result_document(result))
    else:
        print_result(result, filled.names, title=record_title(date, place))
    if bgstats:
        from companion.notation.bgstats import push_link

        note("open this on the phone to save the play in BG Stats:")
        note(push_link(result, filled.names, played=_played(date)))
    if pdf is not None:
        sheet = _sheet(filled, result, date, place, paper=paper, lang=lang, template=template, font_dir=font_dir)
        write_file(pdf, sheet, force=force)
        note(f"score sheet written to {pdf}")
    if save is not None and filled.position is not None:
        write_position(save, filled.position, force=force)
        note(f"position written to {save}")
        if filled.left_out:
            note(f"not in it, as a position cannot hold them: {', '.join(filled.left_out)}")


def _fill(opened: Opened | None, *, ask: bool, names: str | None, final: bool) -> tuple[Filled, GameResult]:
    """The scores from a position, from answers or both, and how the game stands."""
    from companion.cli.dialogue.asking import Filled, ask_sheet, standard_terminal
    from companion.cli.inputs import tell
    from companion.errors import UnusableInputError
    from companion.rules.engine import scoring
    from companion.rules.engine.result import GameResult, is_finished, result_of

    named = _names(names)
    position = None
    if opened is not None:
        position = opened.position
        tell(opened)
        _check_names(named, position.colours, ask=ask)
        named = {**opened.names, **named}
    if ask:
        filled = ask_sheet(standard_terminal(), position, named)
        # A sheet that is typed without a board is one that players fill in at the end.
        finished = filled.position is None or is_finished(filled.position, final=final)
        return filled, GameResult(filled.scores, finished)
    if position is None or not position.colours:
        raise UnusableInputError(
            "nobody plays in this position: it lists no players and the board has no camels. "
            "Add [players.pink] and so on to the file, or give --ask to be asked for what each player has"
        )
    return Filled(scoring.score(position), named, position), result_of(position, final=final)


def _unfinished(position: Position | None, result: GameResult, *, final: bool) -> list[str]:
    """What to say of a game that is not over."""
    if result.finished or position is None:
        return []
    if position.phase is None:
        return [
            "The game is not over: every colour has camels left and there are legal moves (rules 9). "
            "If it is, give --final."
        ]
    if final:
        return [
            f'--final is for positions that do not say where the game stands; this one has phase "{position.phase}", '
            'so the game is not over. Say phase = "end" there, or leave phase out.'
        ]
    return []


def _played(date: str) -> datetime:
    """When the game ended: on the day that the record names, or else now."""
    from datetime import datetime

    try:
        return datetime.fromisoformat(f"{date}T12:00:00").astimezone()
    except ValueError:
        return datetime.now().astimezone()


def _names(text: str | None) -> dict[Colour, str]:
    from companion.cli.dialogue.answers import read_players

    with reading_option("--names"):
        return read_players(text) if text is not None else {}


def _check_names(named: Mapping[Colour, str], playing: tuple[Colour, ...], *, ask: bool) -> None:
    """Raises UsageError for a name whose colour is not in the game, where nobody can still be added."""
    from companion.errors import UsageError

    absent = [colour for colour in named if colour not in playing]
    if absent and not ask:
        raise UsageError(
            f"--names: {' and '.join(absent)} is not in this game; it has {', '.join(playing) or 'nobody'}"
        )


def _sheet(
    filled: Filled,
    result: GameResult,
    date: str,
    place: str,
    *,
    paper: Paper,
    lang: str,
    template: Path | None,
    font_dir: Path | None,
) -> bytes:
    """The score sheet as a PDF; it carries the position's code if the position holds all that was counted."""
    from companion.notation.codes import encode
    from companion.printing.score.sheet import filled_sheet

    code = encode(filled.position) if filled.position is not None and not filled.left_out else None
    return filled_sheet(
        result,
        names=filled.names,
        paper=str(paper),
        code=code,
        language=lang,
        template=template,
        font_dir=font_dir,
        date=date,
        place=place,
    )
