"""Try spoilt inputs of every class on whole commands, and count what they end in.

python -m tests.fuzz --inputs 20000 --seed 1
python -m tests.fuzz --seed 1 --number 4711      # one of them again, with what it printed
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import get_context
from pathlib import Path

from tests.fuzz.cases import CLASSES, Case, make
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
        for results in pool.map(_piece, pieces) if pool else map(_piece, pieces):
            for kind, status, seconds, fault in results:
                counts[kind][status] += 1
                slowest = max(slowest, seconds)
                if fault:
                    faults.append(fault)
                    print(fault, file=sys.stderr, flush=True)
    return counts, faults, slowest


def _workers(jobs: int) -> AbstractContextManager[ProcessPoolExecutor | None]:
    if jobs == 1:
        return nullcontext()
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), max_tasks_per_child=8)


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


def main() -> int:
    """The command; status 1 if there were faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=20_000, help="how many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=sorted(CLASSES), help="one class of inputs")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once")
    parser.add_argument("--number", type=int, help="run this one again")
    given = parser.parse_args()
    began = time.monotonic()
    if given.number is not None:
        kind, case = make(given.seed, given.number, given.only)
        with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
            outcome = run(case, Path(name) / "one")
        print(kind, case.words, outcome.status, *outcome.faults, sep="\n")
        return 1 if outcome.faults else 0
    counts, faults, slowest = fuzz(given.inputs, given.seed, given.only, given.jobs)
    statuses = sorted({status for counted in counts.values() for status in counted})
    print(f"{'class':12}{'inputs':>8}" + "".join(f"{'status ' + str(status):>12}" for status in statuses))
    for kind in sorted(counts):
        print(f"{kind:12}{counts[kind].total():8}" + "".join(f"{counts[kind][status]:12}" for status in statuses))
    total = sum(counts.values(), Counter[int]())
    print(f"{'all':12}{total.total():8}" + "".join(f"{total[status]:12}" for status in statuses))
    took = time.monotonic() - began
    print(f"{len(faults)} faults; the slowest took {slowest:.1f} s; {took:.0f} s in all; seed {given.seed}")
    print("\n".join(faults[:30]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
