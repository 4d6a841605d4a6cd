"""How work that takes a while tells its progress."""

from __future__ import annotations

from collections.abc import Callable

TellShare = Callable[[float, str], None]
"""Takes the share that is done, 0 to 1, and the stage that begins, in words of the program's own."""
