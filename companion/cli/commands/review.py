"""`companion review`: a recorded game looked back on, decision by decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import AsJson, FontFolder, Force, Paper, PaperSize, Template
from companion.language.phrase import say


def review(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A game record, or - for standard input.", show_default=False)
    ],
    pdf: Annotated[
        Path | None,
        typer.Option("--pdf", metavar="REPORT.pdf", help="Write a report to print.", show_default=False),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="CURVE.svg", help="Write the curve of the margins.", show_default=False),
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts", min=50, max=1_000_000, metavar="N", help="Replies played a decision.", show_default=False
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, metavar="N", help="The same seed gives the same review.")] = 0,
    as_json: AsJson = False,
    paper: PaperSize = Paper.A4,
    template: Template = None,
    font_dir: FontFolder = None,
    force: Force = False,
) -> None:
    """Look back on a recorded game: what each bid and turn lost, what was luck, which turns decided it.

    Example: companion review game.txt --pdf report.pdf
    """
    from companion.advisor.search.judging import REVIEW_PLAYOUTS, review_record
    from companion.cli.locale import print_language
    from companion.cli.output import PDF_ENDING, SVG_ENDING, check_outputs, note, print_json, written_words
    from companion.cli.progress import progress
    from companion.cli.views.review_view import print_review, review_document
    from companion.cli.views.score_table import record_title
    from companion.language.glossary import LANGUAGES
    from companion.opening.text import open_record
    from companion.storage import write_file

    lang = print_language()
    check_outputs((pdf, PDF_ENDING), (svg, SVG_ENDING), force=force, inputs=[game, template])
    if pdf is not None or svg is not None or template is not None or font_dir is not None or lang not in LANGUAGES:
        from companion.printing.review.report import check_report

        check_report(lang, template, font_dir)
    played = open_record(game)
    with progress(say("looking back")) as line:
        found = review_record(
            played,
            playouts=REVIEW_PLAYOUTS if playouts is None else playouts,
            seed=seed,
            progress=lambda text, share: line.say(say("looking back: {share:.0%}, {what}", share=share, what=text)),
        )
    title = record_title(played.record.header.tag("date"), played.record.header.tag("place"))
    files: dict[Path, bytes] = {}
    if pdf is not None:
        from companion.printing.review.report import review_report

        files[pdf] = review_report(found, title=title, paper=paper, language=lang, template=template, font_dir=font_dir)
    if svg is not None:
        from companion.printing.review.report import review_svg

        files[svg] = review_svg(found, language=lang, template=template, font_dir=font_dir)
    for path, content in files.items():
        write_file(path, content, force=force)
    if as_json:
        print_json(review_document(found))
    else:
        print_review(found, title)
    for sentence in (*found.assumed, *found.notes):
        note(sentence)
    for path in files:
        note(written_words(path))
