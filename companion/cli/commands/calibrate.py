"""`companion calibrate`: `companion learn` by the name that it had when it knew the printed card alone."""

from __future__ import annotations

from functools import wraps
from typing import Any

from companion.cli.commands.learn import learn


@wraps(learn, assigned=("__annotations__",))
def calibrate(**options: Any) -> None:
    """Learn what your own pieces look like: companion learn by its older name.

    Example: companion calibrate card.jpg --overlay measured.png
    """
    learn(**options)
