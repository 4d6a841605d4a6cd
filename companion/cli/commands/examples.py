"""`companion examples`: what `companion read --ask` remembered of the owner's own set."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from companion.language.phrase import joined, say, say_many
from companion.storage import remove_kept


def examples(
    forget: Annotated[bool, typer.Option("--forget", help="Delete all of them.")] = False,
) -> None:
    """Tell what was remembered of your own tiles and pieces, and where; or forget it.

    Example: companion examples --forget
    """
    from companion.vision.colour.learnt import unusual_pieces
    from companion.vision.colour.paints import is_learnt_in_use, learnt_path, load_learnt, the_piece
    from companion.vision.reading.examples import examples_folder, forget_examples, load_examples

    folder = examples_folder()
    if forget:
        number = forget_examples(folder)
        paints = say(", and the paints learnt from them") if remove_kept(learnt_path()) else ""
        _print(
            say_many("{count} example forgotten{paints}.", "{count} examples forgotten{paints}.", number, paints=paints)
        )
        return
    known = load_examples(folder)
    number, corrected = len(known), sum(example.tile != example.read for example in known)
    _print(
        say_many(
            "{count} tile of your own set, {corrected} of them corrected, in {folder}",
            "{count} tiles of your own set, {corrected} of them corrected, in {folder}",
            number,
            corrected=corrected,
            folder=folder,
        )
        if known
        else say(
            "No examples yet. `companion read --ask` keeps what you confirm or correct, in {folder}", folder=folder
        )
    )
    learnt = unusual_pieces(load_learnt(learnt_path()))
    if learnt:
        used = (
            say("Photos are read with it.")
            if is_learnt_in_use(os.environ)
            else say("It is not in use: see companion doctor.")
        )
        _print(
            say(
                "Learnt from your answers: the paint of {learnt}. {used}",
                learnt=joined(", ", (the_piece(piece) for piece in learnt)),
                used=used,
            )
        )


def _print(sentence: str) -> None:
    """Print a sentence in lines that a terminal of 80 columns shows whole."""
    from companion.cli.locale import translate
    from companion.cli.output import print_text
    from companion.cli.wrapping import wrapped

    for line in wrapped(translate(sentence), 80):
        print_text(line)
