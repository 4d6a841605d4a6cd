"""The command that renders tiles in styles other than the game's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def tiles(
    folder: Annotated[Path, typer.Argument(help="Folder of the photos, which `accuracy` can then measure.")],
    count: Annotated[int, typer.Option(min=1, help="How many photos.")] = 48,
    first: Annotated[int, typer.Option(min=0, help="Seed of the first photo; the rest follow.")] = 0,
    shown: Annotated[
        bool, typer.Option("--shown", help="The same owners' empty tiles, for `companion learn --tiles`.")
    ] = False,
    width: Annotated[int, typer.Option(min=200, help="The longer side of the photos, in px.")] = 1700,
) -> None:
    """Render photos of tiles in other styles than the game's, with their truth."""
    from companion.lab.rendering.photo_file import store_photo
    from companion.lab.tiles.frames import style_photos

    folder.mkdir(parents=True, exist_ok=True)
    for photo in style_photos(range(first, first + count), width, shown=shown):
        store_photo(folder, *photo)
