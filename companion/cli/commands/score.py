"""`companion score`: everybody's points at the end of a game, category by category."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.dialogue.score_session import ScoreSession, check_sheet_file
from companion.cli.inputs import check_answers, input_files, open_inputs, tell
from companion.cli.options import (
    SOURCES,
    AsJson,
    Force,
    Names,
    PhotoOptions,
    PrintOptions,
    Resume,
    reading_option,
)
from companion.cli.output import POSITION_ENDINGS, check_outputs, is_at_terminal, note, print_json
from companion.errors import ExitStatus, UsageError, printable, quoted
from companion.notation.codes import encode
from companion.notation.files import format_json
from companion.notation.outcome import ResultAloneError, outcome_of, push_link
from companion.notation.score_sheet import ScoreSheet, format_sheet, sheet_of
from companion.opening.text import SheetAloneError
from companion.rules.engine.scoring import GameResult, is_finished, result_of
from companion.rules.model.position import Position
from companion.storage import write_file
from companion.system.local_time import noon_of, now


def score(
    position: Annotated[list[str] | None, SOURCES] = None,
    *,
    photos: PhotoOptions,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask what each player has; the board fills in what it shows.")
    ] = False,
    resume: Resume = False,
    final: Annotated[
        bool, typer.Option("--final", help="The game is over, for a position that doesn't say so itself.")
    ] = False,
    names: Names = None,
    date: Annotated[str | None, typer.Option(metavar="DATE", help="When it was played: 2026-02-14.")] = None,
    place: Annotated[str | None, typer.Option(metavar="PLACE", help="Where it was played.")] = None,
    as_json: AsJson = False,
    pdf: Annotated[Path | None, typer.Option(metavar="OUT.pdf", help="Also write the score sheet, filled in.")] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Also save what you entered: the position, or without a board the score sheet (.toml).",
        ),
    ] = None,
    force: Force = False,
    page: PrintOptions,
    bgstats: Annotated[
        bool,
        typer.Option(
            "--bgstats",
            help="Also show how to save the play in BG Stats: a QR code to scan, a link where none can be "
            "drawn; with --pdf also a QR code on a page after the sheet.",
        ),
    ] = False,
) -> None:
    """Count the points of a game, with the arithmetic of each category: who has won, or who leads so far.

    Example: companion score end.toml --pdf sheet.pdf, or companion score --ask
    """
    from companion.cli.views.score_table import print_outcome, print_result, record_title
    from companion.notation.score_entries import read_day
    from companion.table.results import result_document

    sources, was_asked = position or [], False
    if not sources and not (ask or resume):
        if not is_at_terminal() or photos.given:
            raise UsageError("give a position file or a photo to score, or --ask to be asked line by line")
        sources, ask, was_asked = _asked_sources(), True, True
    if resume and names is not None:
        raise UsageError("--resume continues with the answers you gave; leave out --names")
    ask = ask or resume
    check_answers(ask, sources)
    read = [*input_files(sources, photos), page.template]
    if save is not None and not sources:
        check_sheet_file(save)
    check_outputs((pdf, (".pdf",)), (save, POSITION_ENDINGS), force=force, inputs=read)
    if pdf is not None:
        from companion.printing.core.kinds import SCORE
        from companion.printing.core.page import begin

        begin(SCORE, language=page.how["language"], template=page.template, font_dir=page.font_dir)
    with reading_option("--date"):
        day = None if date is None else read_day(date)
    where = None if place is None else " ".join(printable(place).split())
    session = ScoreSession(sources, date=day, place=where, today=_played("").date().isoformat(), was_asked=was_asked)
    photos.check_used(not resume and sources)
    if resume:
        session.resume()
    else:
        opened = None
        if sources:
            try:
                opened = open_inputs(sources, photos, quiet=as_json)
                tell(opened)
            except ResultAloneError as alone:
                if photos.given:
                    raise
                if not alone.outcome.points:
                    if ask or pdf or save or bgstats:
                        raise
                    print_outcome(alone.outcome, as_json=as_json)
                    return
                session.saved = sheet_of(alone.outcome)
            except SheetAloneError as alone:
                if photos.given:
                    raise
                session.saved = alone.sheet
        session.begin(opened, names, ask=ask)
    with session.asked() if ask else nullcontext(True) as is_whole:
        if not is_whole:
            if as_json:
                # A program waits for a document, and there is none.
                raise typer.Exit(int(ExitStatus.INTERRUPTED))
            return
        if final:
            session.sheet = replace(session.sheet, finished=True)
        sheet = session.sheet
        result = _result(sheet, final=final, asked=ask)
        for sentence in (*sheet.notes(), *result.unknown):
            note(sentence)
        if result.unknown and not ask and not as_json:
            note("--ask asks for the rest.")
        _note_unfinished(sheet.position, result, final=final)
        # The points come first: a font that is missing for the sheet must not cost a long row of answers.
        if as_json:
            print_json(result_document(result))
        else:
            print_result(result, sheet.names, title=record_title(sheet.date, sheet.place))
        if (ask or bgstats) and sheet.date and noon_of(sheet.date) is None:
            note(
                "{date} isn't a date, so the game is saved under today's; --date 2026-02-14 sets it",
                date=quoted(sheet.date),
            )
        if ask and pdf is None and not as_json and is_at_terminal():
            from companion.asking.score_questions import sheet_file
            from companion.cli.dialogue.loop import answered

            pdf = answered(sheet_file(force=force))
        link = push_link(result, sheet.names, played=_played(sheet.date), place=sheet.place) if bgstats else None
        if link is not None:
            _tell_play(link, result, as_json=as_json, is_printed=pdf is not None)
        if pdf is not None:
            write_file(pdf, _sheet(session, result, page, link), force=force)
            note("score sheet written to {path}", path=pdf)
        if save is not None:
            session.save(save, force=force)
        if ask and result.finished:
            _save(session, result, sources)


def _asked_sources() -> list[str]:
    """What is to be scored, as a person says; nothing where everything is typed. Raises KeyboardInterrupt for quit."""
    from companion.asking.score_questions import score_source
    from companion.cli.dialogue.loop import answered

    source = answered(score_source())
    if source is None:
        raise KeyboardInterrupt
    return [source] if source else []


def _result(sheet: ScoreSheet, *, final: bool, asked: bool) -> GameResult:
    """How the game stands by a sheet; one without a board says itself whether the game is over."""
    if sheet.position is not None and not asked:
        return result_of(sheet.position, unseen=sheet.unseen, final=final)
    finished = sheet.finished if sheet.position is None else is_finished(sheet.position, final=final)
    return GameResult(sheet.scores(), finished, sheet.unknown())


def _save(session: ScoreSession, result: GameResult, sources: list[str]) -> None:
    """Keep the game in the history: the position, or the sheet if there is no board, and the outcome as scored."""
    from companion.cli.history_recorder import save_score

    position = session.sheet.completed()
    filled = format_sheet(session.sheet) if position is None else format_json(position)
    date = _played(session.sheet.date).date().isoformat()
    outcome = outcome_of(result, session.sheet.names, date=date, place=session.sheet.place)
    save_score([filled, outcome.text], sources)


def _note_unfinished(position: Position | None, result: GameResult, *, final: bool) -> None:
    if result.finished or position is None:
        return
    if position.phase is None:
        note(
            "The game doesn't look finished: it ends after the round in which somebody places their last camel or "
            "nobody can move (rules 9). If it is over, add --final."
        )
    elif final:
        note(
            'This position has phase "{phase}", so the game isn\'t over, whatever --final says. '
            'Write phase = "end" there, or leave phase out.',
            phase=position.phase,
        )


def _played(date: str) -> datetime:
    """When the game ended: on the day that the record names, or else now."""
    return noon_of(date) or now()


def _tell_play(link: str, result: GameResult, *, as_json: bool, is_printed: bool) -> None:
    """Show the link to BG Stats as a QR code where the window holds one, in letters only where none can be drawn."""
    from companion.cli.views.address_view import QrInTerminal
    from companion.printing.core.qr import MAX_LONG_BYTES

    if not result.finished:
        note("the game isn't over, so the play for BG Stats has no winner")
    elif not result.winners:
        note("something that counts isn't known, so the play for BG Stats has no winner")
    code = QrInTerminal(link, is_long=True) if len(link) <= MAX_LONG_BYTES else None
    if code is None:
        note("the names are too long for a QR code of the play for BG Stats")
    elif not as_json and code.fits_window:
        note("scan this with the phone to save the play in BG Stats:")
        code.print()
        return
    if code is None or as_json or not code.can_be_drawn:
        note("open this on the phone to save the play in BG Stats:")
        note(link)
    else:
        note(
            "to see the play for BG Stats as a QR code, make the window {columns} columns by {lines} lines",
            columns=code.columns,
            lines=len(code.lines) + 1,
        )
    if code is not None and not is_printed:
        note("--pdf prints it as a QR code, on a page after the sheet")


def _sheet(session: ScoreSession, result: GameResult, page: PrintOptions, play_link: str | None) -> bytes:
    """The score sheet as a PDF; it carries the position's code if the position holds all that was counted."""
    from companion.printing.core.qr import MAX_LONG_BYTES
    from companion.printing.score.sheet import filled_sheet

    sheet = session.sheet
    position = sheet.completed()
    return filled_sheet(
        result,
        names=sheet.names,
        code=encode(position) if position is not None and not sheet.left_out() else None,
        date=sheet.date,
        place=sheet.place,
        play_link=play_link if play_link is not None and len(play_link) <= MAX_LONG_BYTES else None,
        **page.how,
    )
