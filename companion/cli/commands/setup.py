"""`companion setup`: a random set-up of the table, or many, in words, as JSON or as cards."""

from __future__ import annotations

import secrets
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.options import Force, InkOptions, reading_option
from companion.cli.output import check_outputs, note, note_many, print_json
from companion.cli.progress import bar, progress
from companion.language.glossary import LANGUAGES
from companion.language.phrase import say, say_many
from companion.notation.names import parse_colour
from companion.rules.engine.setup import default_colours, random_setup
from companion.storage import write_file

if TYPE_CHECKING:
    from companion.advisor.advice import FairSetup
    from companion.cli.views.setup_view import ShownSetup
    from companion.language.phrase import Phrase
    from companion.rules.model.components import Colour

FAIR_TIME_S = 8.5
"""After this a fair set-up is no longer looked for; starting and printing take the rest of ten seconds."""

DRAWN_SEEDS = 1_000_000
"""A seed that nobody chose is below this: short enough to be said across a table."""

MAX_SETUPS = 10_000
"""More set-ups than this at once are a mistake."""


def setup(
    players: Annotated[
        int | None, typer.Option(min=2, max=4, help="How many players: 2, or all of --colours, if not given.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="The same seed gives the same set-up; random if not given.")
    ] = None,
    fair: Annotated[
        bool,
        typer.Option("--fair", help="Search until all seats have an equally good start; at most 10 seconds for one."),
    ] = False,
    count: Annotated[int, typer.Option(min=1, max=MAX_SETUPS, help="How many set-ups, from the seed on.")] = 1,
    colours: Annotated[str | None, typer.Option(metavar="A,B,...", help="Colours of 3 or 4 players.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="CARD.pdf", help="Write a card to print for each.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the position and its seed as one JSON document.")
    ] = False,
    per_page: Annotated[int, typer.Option(min=1, max=2, help="Cards on a page: 1, or 2 to cut apart.")] = 1,
    *,
    page: InkOptions,
    force: Force = False,
) -> None:
    """Set up a random table: board, meeples, cards, djinns and bid order.

    Example: companion setup --players 3 --seed 42 -o card.pdf, or companion setup --players 4 --fair
    """
    from companion.cli.views.setup_view import ShownSetup, print_setup, print_setups, setup_document

    check_outputs((output, (".pdf",)), force=force, inputs=[page.template])
    chosen = _read_colours(colours)
    players = players or (2 if chosen is None else len(chosen))
    asked = f"--players {players}" + ("" if colours is None else f" --colours {shlex.quote(colours)}")
    first = seed if seed is not None else secrets.randbelow(DRAWN_SEEDS)
    with reading_option("--colours"):
        random_setup(players, first, colours=chosen)
    if fair:
        found = (
            [_find_fair(players, first, chosen, is_asked=seed is not None)]
            if count == 1
            else _find_many(players, first, count, chosen)
        )
        shown = [ShownSetup(one.position, one.seed, one) for one in found]
    else:
        seeds = range(first, first + count)
        shown = [ShownSetup(random_setup(players, one, colours=chosen), one) for one in seeds]
    how = page.how
    if output is not None:
        from companion.printing.setup.card import LaidTable, setup_pack

        tables = [LaidTable(one.position, one.seed, one.spread) for one in shown]
        with progress(say("drawing set-up cards")) as line:
            cards = setup_pack(
                tables,
                per_page=per_page,
                progress=lambda done: line.say(_progress_words(say("drawing set-up cards"), done, len(tables))),
                **how,
            )
        write_file(output, cards, force=force)
        note(_written(output, asked, first, shown))
    elif page.template is not None or page.font_dir is not None or how["language"] not in LANGUAGES:
        from companion.printing.core.kinds import SETUP
        from companion.printing.core.page import begin

        # Without a card nothing is printed, but what there is not is refused all the same.
        begin(SETUP, language=how["language"], template=page.template, font_dir=page.font_dir)
    if as_json:
        documents = [setup_document(one) for one in shown]
        print_json(documents[0] if count == 1 else {"players": players, "seed": first, "setups": documents})
    elif output is None and count == 1:
        print_setup(shown[0])
    elif output is None:
        print_setups(first, shown, asked)


def _find_fair(players: int, seed: int, colours: tuple[Colour, ...] | None, *, is_asked: bool) -> FairSetup:
    """The first fair set-up from a seed on, or the fairest in the time; either is told where it wasn't asked for."""
    from companion.advisor.advice import FAIR_VP
    from companion.table.advising import fair_table

    with progress(say("looking for a fair set-up")) as line:
        found = fair_table(
            colours or default_colours(players),
            seed,
            FAIR_TIME_S,
            lambda share, doing: line.say(say("{doing}: {share:.0%}", doing=doing, share=share)),
        )
    if not found.fairness.within:
        note(
            "Set-ups tried from seed {seed} on: {tried}. None is fair to within {limit:.0f} VP; this is the fairest. "
            "Another --seed may do better.",
            tried=found.tried,
            seed=seed,
            limit=FAIR_VP,
        )
    elif found.seed != seed and is_asked:
        note("Seed {seed} isn't fair to all seats; the next one that is: {found}.", seed=seed, found=found.seed)
    return found


def _find_many(players: int, seed: int, count: int, colours: tuple[Colour, ...] | None) -> list[FairSetup]:
    """That many fair set-ups from a seed on; notes say which aren't fair."""
    from companion.advisor.advice import FAIR_VP
    from companion.advisor.search.fairness import TRIES, fair_setup

    found: list[FairSetup] = []
    looking = say("looking for fair set-ups")
    with progress(looking) as line:
        # No two searches look at the same seeds, and the first is that of a single set-up.
        for number in range(count):
            found.append(fair_setup(players, seed + number * TRIES, colours=colours))
            line.say(_progress_words(looking, len(found), count))
    unfair = [str(setup.seed) for setup in found if not setup.fairness.within]
    if unfair:
        note_many(
            "{count} of {all} set-ups not fair to within {limit:.0f} VP, by seed: {seeds}. It is the fairest of the "
            "{tries} tried for it. Another --seed may do better.",
            "{count} of {all} set-ups not fair to within {limit:.0f} VP, by seed: {seeds}. Each is the fairest of "
            "the {tries} tried for it. Another --seed may do better.",
            len(unfair),
            all=count,
            limit=FAIR_VP,
            seeds=", ".join(unfair),
            tries=TRIES,
        )
    return found


def _progress_words(work: Phrase, done: int, of: int) -> Phrase:
    return say("{work} {bar} {done} of {all}", work=work, bar=bar(done, of), done=done, all=of)


def _written(output: Path, asked: str, seed: int, shown: list[ShownSetup]) -> Phrase:
    """What is said when cards are written, and how they come out again, beside the seed by what was `asked`."""
    first = shown[0]
    if len(shown) > 1:
        fair = "" if first.fair is None else " --fair"
        return say_many(
            "{count} set-up card written to {file}; {again} gives the same again",
            "{count} set-up cards written to {file}; {again} gives the same again",
            len(shown),
            file=output,
            again=f"{asked} --seed {seed}{fair} --count {len(shown)}",
        )
    again = f"{asked} --seed {first.seed}"
    if first.spread is None:
        return say("set-up card written to {file}; {again} gives the same again", file=output, again=again)
    return say(
        "set-up card written to {file}; {again} gives the same again; all seats within {spread:.1f} VP",
        file=output,
        again=again,
        spread=first.spread,
    )


def _read_colours(text: str | None) -> tuple[Colour, ...] | None:
    if text is None:
        return None
    with reading_option("--colours"):
        return tuple(parse_colour(word.strip()) for word in text.split(","))
