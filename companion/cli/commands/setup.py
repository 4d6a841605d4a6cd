"""`companion setup`: a random set-up of the table, in words, as JSON or as a card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import FontFolder, Force, Paper, PaperSize, Template, reading_option

if TYPE_CHECKING:
    from companion.advisor.search.fairness import FairSetup
    from companion.rules.model.components import Colour

FAIR_TIME_S = 8.5
"""After this a fair set-up is no longer looked for; starting and printing take the rest of ten seconds."""

DRAWN_SEEDS = 1_000_000
"""A seed that nobody chose is below this: short enough to be said across a table."""


def setup(
    players: Annotated[int, typer.Option("--players", min=2, max=4, help="How many play.")] = 2,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", min=0, help="The same seed gives the same set-up; drawn if not given.", show_default=False
        ),
    ] = None,
    fair: Annotated[
        bool, typer.Option("--fair", help="Draw until all seats have an equally good start; at most 10 seconds.")
    ] = False,
    colours: Annotated[
        str | None,
        typer.Option("--colours", metavar="A,B,...", help="Colours of 3 or 4 players.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="CARD.pdf", help="Write a set-up card to print.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the position and its seed as one JSON document.")
    ] = False,
    paper: PaperSize = Paper.A4,
    template: Template = None,
    font_dir: FontFolder = None,
    force: Force = False,
) -> None:
    """Set up a table at random: board, meeples, cards, djinns and bid order.

    Example: companion setup --players 3 --seed 42 -o card.pdf, or companion setup --players 4 --fair
    """
    from companion.cli.output import PDF_ENDING, check_outputs, note, print_json
    from companion.cli.speech import print_language
    from companion.errors import UsageError
    from companion.language.glossary import LANGUAGES
    from companion.rules.engine.setup import random_setup
    from companion.storage import write_file

    check_outputs((output, PDF_ENDING), force=force, inputs=[template])
    chosen = _read_colours(colours)
    used = seed if seed is not None else _draw_seed()
    try:
        position = random_setup(players, used, colours=chosen)
    except ValueError as error:
        raise UsageError(f"--colours: {error}") from None
    found = _find_fair(players, used, chosen) if fair else None
    if found is not None:
        position, used = found.position, found.seed
    if output is not None:
        from companion.printing.setup.card import setup_card

        card = setup_card(
            position,
            seed=used,
            spread=None if found is None else found.fairness.spread,
            paper=paper,
            language=print_language(),
            template=template,
            font_dir=font_dir,
        )
        write_file(output, card, force=force)
        measure = "" if found is None else f"; first turns within {found.fairness.spread:.1f} VP"
        note(f"set-up card written to {output}; --players {players} --seed {used} gives the same again{measure}")
    elif template is not None or font_dir is not None or print_language() not in LANGUAGES:
        from companion.printing.setup.card import check_card

        # Without a card nothing is printed, but what there is not is refused all the same.
        check_card(print_language(), template, font_dir)
    if as_json:
        from companion.notation.files import to_document

        document = {**to_document(position), "seed": used}
        if found is not None:
            from companion.cli.views.setup_view import fairness_document

            document["fair"] = fairness_document(position, found)
        print_json(document)
    elif output is None:
        from companion.cli.views.setup_view import print_setup

        print_setup(position, used, None if found is None else found.fairness)


def _find_fair(players: int, seed: int, colours: tuple[Colour, ...] | None) -> FairSetup:
    """The first fair set-up from a seed on, or the fairest that the time allows, which is then said."""
    import time

    from companion.advisor.search.fairness import FAIR_VP, TRIES, fair_setup
    from companion.cli.output import note
    from companion.cli.progress import progress

    end = time.monotonic() + FAIR_TIME_S
    with progress("looking for a fair set-up") as line:
        found = fair_setup(
            players,
            seed,
            colours=colours,
            progress=lambda share: line.say(f"looking for a fair set-up: {share:.0%} of those to look at"),
            stop=lambda: time.monotonic() > end,
        )
    if not found.fairness.within:
        over = "" if found.tried == TRIES else " in the time there was"
        note(
            f"None of the {found.tried} set-ups from seed {seed} on{over} is fair to {FAIR_VP:.0f} VP; this is the "
            "fairest of them. Another --seed may do better."
        )
    return found


def _draw_seed() -> int:
    import secrets

    return secrets.randbelow(DRAWN_SEEDS)


def _read_colours(text: str | None) -> tuple[Colour, ...] | None:
    from companion.notation.names import parse_colour

    if text is None:
        return None
    with reading_option("--colours"):
        return tuple(parse_colour(word.strip()) for word in text.split(","))
