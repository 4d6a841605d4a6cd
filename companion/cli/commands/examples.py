"""`companion examples`: what `companion read --ask` remembered of the owner's own set."""

from __future__ import annotations

import os
from typing import Annotated

import typer


def examples(
    forget: Annotated[bool, typer.Option("--forget", help="Delete all of them.")] = False,
) -> None:
    """Tell what was remembered of your own tiles and pieces, and where; or forget it.

    Example: companion examples --forget
    """
    from companion.cli.output import print_text
    from companion.vision.colour.learnt import unusual_pieces
    from companion.vision.colour.paints import PIECE_NAMES, forget_paints, is_learnt_in_use, learnt_path, load_learnt
    from companion.vision.reading.examples import examples_folder, forget_examples, load_examples

    folder = examples_folder()
    if forget:
        number = forget_examples(folder)
        paints = ", and the paints learnt from them" if forget_paints(learnt_path()) else ""
        print_text(f"{number} example{'' if number == 1 else 's'} forgotten{paints}.")
        return
    known = load_examples(folder)
    number, corrected = len(known), sum(example.tile != example.read for example in known)
    print_text(
        f"{number} tile{'' if number == 1 else 's'} of your own set, {corrected} of them corrected, in {folder}"
        if known
        else f"No examples yet. `companion read --ask` keeps what you confirm or correct, in {folder}"
    )
    learnt = unusual_pieces(load_learnt(learnt_path()))
    if learnt:
        used = "Photos are read with it." if is_learnt_in_use(os.environ) else "It is not in use: see companion doctor."
        print_text(
            f"Learnt from your answers: the paint of {', '.join(PIECE_NAMES[piece] for piece in learnt)}. {used}"
        )
