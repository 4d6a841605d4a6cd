"""A finished game as `companion score` is given it, with its points, and what somebody types who is asked."""

from __future__ import annotations

import io
import sys
from typing import Any

from tests.cli.ran import Capsys, Patch, printed_json

BOARD = """O8 M4 M4 V5@P#1 S6 V5
V5 O8@K^1 S12 M6 O8 O8
O8 M4 M6 M6 M6 M6
V5 S10 O8@P^2 M6 M6 M6
M4 S15 S6 V5 S6@P S6"""
END = f'''format = 1
board = """
{BOARD}
"""
phase = "end"
[players.pink]
gold = 41
viziers = 2
elders = 3
fakirs = 4
goods = {{ ivory = 1, fish = 2, wheat = 1 }}
djinns = ["Jafaar", "Al-Amin"]
[players.black]
gold = 38
viziers = 0
elders = 1
goods = {{}}
djinns = []
'''
PINK_POINTS = {
    "gold": 41,
    "viziers": 16,
    "elders": 6,
    "djinns": 11,
    "palms": 6,
    "palaces": 5,
    "tiles": 19,
    "goods": 22,
    "total": 126,
}
BLACK_POINTS = {
    "gold": 38,
    "viziers": 0,
    "elders": 2,
    "djinns": 0,
    "palms": 3,
    "palaces": 0,
    "tiles": 8,
    "goods": 0,
    "total": 51,
}
BARE_BOARD = BOARD.replace("@P", "").replace("@K", "")
ANNA_LINES = ["12+7 gold, 2 viziers, 3 elders, 2 fish, wheat, silk, 3 fakirs, Jafaar, al amin", "2", "1", "S15 O8"]
BORIS_LINES = ["30 gold, viziers 3, utug, goods 13 VP", "0", "", "15+5"]


class BrokenOff(io.StringIO):
    """Standard input that is broken off where its lines end."""

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        if not (line := super().readline()):
            raise KeyboardInterrupt
        return line


def type_in(monkeypatch: Patch, *lines: str) -> None:
    """Have lines typed in; "^C" as the last breaks off, else the input ends."""
    text = "".join(f"{line}\n" for line in lines if line != "^C")
    monkeypatch.setattr(sys, "stdin", BrokenOff(text) if lines[-1:] == ("^C",) else io.StringIO(text))


def score_json(capsys: Capsys, *arguments: str) -> Any:
    return printed_json(capsys, ["score", *arguments])
