"""What things in front of a player are worth to him at the end (rules 10), before and after his djinns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Worth:
    """VP of one thing each; `fakirs_per_good` fakirs stand for one good of choice, 0 for never.

    The defaults are a player's without djinns (rules 10.2, 10.3, 10.5); a djinn's `revalue` changes them.
    """

    vizier: int = 1
    elder: int = 2
    palm: int = 3
    palace: int = 5
    fakirs_per_good: int = 0
