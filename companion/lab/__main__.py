"""`python -m companion.lab`: render photos, measure the reader on them, train its networks; see docs/training.md.

The advice's weights are fitted here, and it is judged: how much its first turns and bids lose; see docs/advice.md.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import typer

from companion.errors import CompanionError, ExitStatus, system_reason
from companion.lab.commands.advice import fit, spread, strength, weigh
from companion.lab.commands.many import read, review
from companion.lab.commands.networks import (
    art,
    calibrate,
    covering,
    embeddings,
    export,
    imagenet,
    owners,
    quantise,
    restore,
    teach,
    train,
)
from companion.lab.commands.photos import accuracy, games, heldout, records, render, sides, turns, world
from companion.lab.commands.shared import say

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Render photos of tables, measure the photo reader on them, train its networks; fit and measure advice.",
)

COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Render photos": (render, heldout, games, world, owners),
    "Measure the reader": (accuracy, turns, records, sides),
    "Train its networks": (art, imagenet, restore, teach, train, export, quantise, calibrate, embeddings, covering),
    "Many files": (read, review),
    "Fit and measure the advice": (fit, spread, weigh, strength),
}
"""The commands by what they are for, in the order that help shows."""

for purpose, commands in COMMANDS.items():
    for command in commands:
        app.command(rich_help_panel=purpose)(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command of the lab and return its exit status; None takes the process's own arguments."""
    try:
        app(args=None if arguments is None else list(arguments), prog_name="python -m companion.lab")
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except CompanionError as error:
        say(f"companion.lab: {error}")
        return int(error.status)
    except OSError as error:
        where = "" if error.filename is None else f"{error.filename}: "
        say(f"companion.lab: {where}{system_reason(error)}")
        return int(ExitStatus.UNUSABLE_INPUT)
    except ModuleNotFoundError as error:
        extra = "lab-world" if error.name == "bpy" else "lab"
        say(f"companion.lab: {error.name} is not installed; get it with: .venv/bin/pip install -e '.[{extra}]'")
        return int(ExitStatus.MISSING)
    return int(ExitStatus.DONE)


if __name__ == "__main__":
    sys.exit(main())
