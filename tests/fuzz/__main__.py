"""Try spoilt inputs of every class on whole commands, and count what they end in.

python -m tests.fuzz --inputs 20000 --seed 1
python -m tests.fuzz --seed 1 --number 4711      # one of them again, with what it printed
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.campaign import fuzz
from tests.fuzz.cases import CLASSES, make
from tests.fuzz.running import run


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
