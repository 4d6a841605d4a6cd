"""The tables of `samples/`: where they lie, and their positions."""

from __future__ import annotations

from pathlib import Path

from companion.notation.files import parse_position

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
START, MID, END, EVENING = (
    parse_position((SAMPLES / f"{name}.toml").read_text(encoding="utf-8"))
    for name in ("start", "mid", "end", "evening")
)
"""A game that begins, one in the middle with blue to move, one that is over, and a long one."""
