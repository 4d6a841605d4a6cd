"""Many cases one after the other, in one process or several, counted; those at fault are kept."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import get_context
from multiprocessing.pool import Pool
from pathlib import Path

from tests.fuzz.cases import Case, make
from tests.fuzz.running import Outcome, run

KEPT = Path("out") / "fuzz"
"""Where inputs at fault are kept."""

PIECE = 100
"""Inputs that a process is given at once."""


def keep(case: Case, outcome: Outcome, name: str, folder: Path = KEPT) -> Path:
    """Keep an input at fault, with its command line and what was wrong."""
    place = folder / name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    for file, content in {**case.files, "stdin": case.stdin, **{f"kept/{k}": v for k, v in case.kept.items()}}.items():
        path = place / file.replace("*", "draft.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    told = f"companion {' '.join(map(repr, case.words))}\n\n" + "\n\n".join(outcome.faults)
    (place / "fault.txt").write_text(told, encoding="utf-8", errors="backslashreplace")
    return place


def fuzz(
    inputs: int, seed: int, only: str | None = None, jobs: int = 1
) -> tuple[dict[str, Counter[int]], list[str], float]:
    """Run so many cases: statuses by class, the faults, and the longest that one took in processor's seconds."""
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    faults: list[str] = []
    slowest = 0.0
    pieces = [(range(first, min(first + PIECE, inputs)), seed, only) for first in range(0, inputs, PIECE)]
    with _workers(jobs) as pool:
        for results in pool.imap(_piece, pieces) if pool else map(_piece, pieces):
            for kind, status, seconds, fault in results:
                counts[kind][status] += 1
                slowest = max(slowest, seconds)
                if fault:
                    faults.append(fault)
                    print(fault, file=sys.stderr, flush=True)
    return counts, faults, slowest


def _workers(jobs: int) -> AbstractContextManager[Pool | None]:
    """Processes that are replaced now and then, since libraries hold on to memory.

    Not those of concurrent.futures, which in Python 3.11 can wait for ever once they are to be replaced.
    """
    return nullcontext() if jobs == 1 else get_context("spawn").Pool(jobs, maxtasksperchild=8)


def _piece(given: tuple[range, int, str | None]) -> list[tuple[str, int, float, str]]:
    """Some cases, run one after the other: class, status, seconds and fault of each."""
    numbers, seed, only = given
    results = []
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        for number in numbers:
            kind, case = make(seed, number, only)
            outcome = run(case, Path(name) / str(number))
            fault = ""
            if outcome.faults:
                place = keep(case, outcome, f"{kind}-{seed}-{number}")
                fault = f"{kind}, --seed {seed} --number {number}, kept in {place}: {outcome.faults[0][:600]}"
            results.append((kind, outcome.status, outcome.seconds, fault))
    return results
