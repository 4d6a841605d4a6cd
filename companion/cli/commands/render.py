"""`companion render`: a picture of a position as a phone would take it, with tiles of our own drawing."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import DoubtOptions, Force, Sources, not_installed
from companion.language.phrase import say


class Scenario(StrEnum):
    """How the picture is taken."""

    TABLE = "table"
    TOPDOWN = "topdown"
    SEATED = "seated"
    TURNED = "turned"
    DIM = "dim"
    GLARE = "glare"
    CLUTTER = "clutter"


def render(
    position: Sources,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="PHOTO", help="The picture to write, .jpg or .png.")
    ],
    scenario: Annotated[Scenario, typer.Option("--scenario", help="How the picture is taken.")] = Scenario.TABLE,
    seed: Annotated[
        int, typer.Option("--seed", min=0, metavar="N", help="The same number draws the same picture.")
    ] = 1,
    width: Annotated[int, typer.Option("--width", min=400, max=6000, metavar="N", help="Width in pixels.")] = 2000,
    truth: Annotated[
        Path | None, typer.Option("--truth", metavar="FILE.json", help="Also write where everything is in the picture.")
    ] = None,
    *,
    photos: DoubtOptions,
    force: Force = False,
) -> None:
    """Draw a position as a photo of a table, to try the reader on or to show a board.

    Example: companion render mid.toml -o mid.jpg --scenario seated --seed 7
    """
    import json

    from companion.cli.inputs import input_files, open_inputs, tell
    from companion.cli.output import JSON_ENDING, PICTURE_ENDINGS, check_outputs, note
    from companion.storage import write_file

    outputs = ((output, PICTURE_ENDINGS), (truth, JSON_ENDING), (photos.overlay, PICTURE_ENDINGS))
    check_outputs(*outputs, force=force, inputs=input_files(position, photos))
    try:
        from companion.lab.rendering.photo_file import photo_of, truth_document
    except ImportError as error:
        raise not_installed("companion render", error) from None
    with ExitStack() as drafts:
        opened = open_inputs(position, photos, force=force, drafts=drafts)
        tell(opened)

        picture, known = photo_of(
            opened.position.board,
            seed=seed,
            scenario=str(scenario),
            width=width,
            lossless=output.suffix.lower() == ".png",
        )
        write_file(output, picture, force=force)
        note(say("picture written to {output}", output=output))
        if truth is not None:
            write_file(truth, (json.dumps(truth_document(known), indent=1) + "\n").encode(), force=force)
            note(say("its truth written to {truth}", truth=truth))
