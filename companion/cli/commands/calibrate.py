"""`companion calibrate`: learn the paints of the owner's own pieces from a photo of the calibration card."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.cli.options import AsJson, Force
from companion.language.phrase import say


def calibrate(
    photo: Annotated[
        Path | None,
        typer.Argument(
            metavar="PHOTO",
            help="The photo: the card of companion markers from above, one piece of each kind in its field.",
            show_default=False,
        ),
    ] = None,
    overlay: Annotated[
        Path | None, typer.Option("--overlay", help="Write the card with what was measured on it (.jpg or .png).")
    ] = None,
    show: Annotated[bool, typer.Option("--show", help="Show the calibration in use.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Drop the calibration in use.")] = False,
    as_json: AsJson = False,
    force: Force = False,
) -> None:
    """Learn the paints of your own pieces from one photo; photos are read with them from then on.

    Example: companion calibrate card.jpg --overlay measured.png
    """
    from companion.cli.output import PICTURE_ENDINGS, check_outputs, note, print_json
    from companion.errors import UsageError
    from companion.resources import check_address_space
    from companion.storage import write_file, write_private

    chosen = [photo is not None, show, forget]
    if sum(chosen) != 1:
        raise UsageError(say("give a photo of the calibration card, or --show, or --forget: one of the three"))
    if overlay is not None and photo is None:
        raise UsageError(say("--overlay goes with a photo of the card"))
    check_outputs((overlay, PICTURE_ENDINGS), force=force, inputs=[photo])
    from companion.vision.colour.paints import forget_paints, format_paints, load_paints, paints_path

    path = paints_path()
    if forget:
        there = forget_paints(path)
        if as_json:
            print_json({"calibrated": False, "paints": None})
        note(say("the calibration is dropped") if there else say("there was no calibration"))
        return
    if photo is None:
        paints = load_paints(path)
        if paints is None and not as_json:
            note(say("there is no calibration: photos are read as with usual paints"))
    else:
        check_address_space()
        from companion.opening.photos import open_photo
        from companion.vision.colour.paint_card import read_card

        reading = read_card(open_photo(photo))
        paints = reading.paints
        if overlay is not None:
            from companion.vision.colour.paint_card import draw_card
            from companion.vision.reading.overlay import encode_picture

            write_file(overlay, encode_picture(draw_card(reading), overlay.suffix), force=force)
        write_private(path, format_paints(paints).encode())
    from companion.cli.views.paints_view import paints_document, print_paints

    if as_json:
        print_json(paints_document(paints))
    elif paints is not None:
        print_paints(paints)
    if photo is not None and paints is not None:
        from companion.vision.colour.recolour import look_alikes

        for pair in look_alikes(paints):
            note(say("{pair} and {pair2} look alike: only their shapes tell them apart", pair=pair[0], pair2=pair[1]))
        note(
            say(
                "kept in {path}; photos are read with these paints from now on (companion calibrate "
                "--forget drops them)",
                path=path,
            )
        )
        if overlay is not None:
            note(say("written: {overlay}", overlay=overlay))
