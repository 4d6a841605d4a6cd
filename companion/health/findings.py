"""What is found on a machine: one thing looked at, how it stands with it, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.language.phrase import say

REINSTALL = say("install the program anew (from a checkout: make clean setup)")
"""The remedy for what the program itself should have brought."""


class State(StrEnum):
    """How it stands with one thing: there, there but not in full, or missing although it is needed."""

    OK = "ok"
    LIMITED = "limited"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: its name, the part of the program it is for, what was found, and what to do about it."""

    part: str
    name: str
    state: State
    found: str
    remedy: str = ""
