"""The command that path-traces photos."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.lab.commands.photos import load_art
from companion.lab.commands.shared import Art, say


def world(
    folder: Annotated[Path, typer.Argument(help="Folder of the frames; those already there are left.")],
    count: Annotated[int, typer.Option(min=1, help="How many frames.")] = 1000,
    first: Annotated[int, typer.Option(min=0, help="First frame, counted from 0 in either world.")] = 0,
    held_out: Annotated[
        bool, typer.Option("--held-out", help="Families that training never sees, as photos for `accuracy`.")
    ] = False,
    art: Art = None,
    step: Annotated[int, typer.Option(min=1, help="Every step-th frame: several processes share the work.")] = 1,
    width: Annotated[int, typer.Option(min=200, help="The longer side of a frame, in px.")] = 1280,
    samples: Annotated[int, typer.Option(min=1, help="Light paths a pixel; noise is taken away afterwards.")] = 8,
    near: Annotated[bool, typer.Option("--near", help="Trace only the board's surroundings at full size.")] = False,
) -> None:
    """Path-trace training frames, or held-out photos, with their truth (needs the extra `lab-world`: Blender)."""
    from functools import partial

    from companion.lab.world.blender import trace
    from companion.lab.world.catalogue import HELD_OUT, SEEDS, TRAINING, check_seeds
    from companion.lab.world.frames import FrameSettings, write_frames

    name = HELD_OUT if held_out else TRAINING
    wanted = check_seeds(name, SEEDS[name][0] + first, count)
    folder.mkdir(parents=True, exist_ok=True)
    settings = FrameSettings(name, None if art is None else load_art(art), width)
    tracer = partial(trace, samples=samples, near=near)
    for done, path in enumerate(write_frames(folder, wanted[::step], settings, tracer), 1):
        say(f"{done} of {len(wanted[::step])}: {path.name}")
