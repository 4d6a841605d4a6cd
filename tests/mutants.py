"""A random sample of mutants: how many of them the tests notice.

    python -m tests.mutants --count 300 --seed 20261121

mutmut makes every mutant of rules, notation, advisor and printing (pyproject.toml has its settings) and learns which
tests reach which function; of all mutants a sample is drawn with the seed and tried. `tests/mutants_equivalent.txt`
lists, with a reason each, the mutants that change nothing that anybody could see; they are counted apart.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MUTANTS = PROJECT / "mutants"
EQUIVALENT = Path(__file__).with_name("mutants_equivalent.txt")

STATUSES = {0: "survived", 33: "no tests", 5: "no tests", None: "not tried"}
"""What mutmut's exit codes mean; all others are tests that failed, or that never ended."""


def main() -> int:
    """Draw, run and report; the exit status is 1 if fewer than `--least` per cent are killed."""
    options = _options()
    _mutmut("run", "--max-children", str(options.jobs), "companion.printing.core.ruler*")
    names = sorted(name for name in _exit_codes() if name.startswith(f"companion.{options.part}"))
    drawn = sorted(random.Random(options.seed).sample(names, min(options.count, len(names))))
    if options.list:
        print(*drawn, sep="\n")
        return 0
    before, equivalent = _exit_codes(), set(_equivalent())
    lived = [name for name in drawn if STATUSES.get(before[name], "killed") != "killed" and name not in equivalent]
    _mutmut("run", "--max-children", str(options.jobs), *(lived if options.again else drawn))
    return _report(drawn, options.least)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Try a random sample of mutants.")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=90.0, help="per cent that must be killed")
    parser.add_argument("--part", default="", help="such as printing or rules.engine, instead of all four")
    parser.add_argument("--again", action="store_true", help="try only those of the sample that lived before")
    parser.add_argument("--list", action="store_true", help="print the sample and try nothing")
    return parser.parse_args()


def _mutmut(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "mutmut", *words], cwd=PROJECT, check=True, stdout=subprocess.DEVNULL)


def _exit_codes() -> dict[str, int | None]:
    """The exit code of each mutant's tests, None where it was not tried yet."""
    codes: dict[str, int | None] = {}
    for path in MUTANTS.rglob("*.meta"):
        codes.update(json.loads(path.read_text(encoding="utf-8"))["exit_code_by_key"])
    return codes


def _equivalent() -> Iterator[str]:
    if EQUIVALENT.exists():
        for line in EQUIVALENT.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                yield line.split()[0]


def _report(drawn: Sequence[str], least: float) -> int:
    codes, equivalent = _exit_codes(), set(_equivalent())
    status = {name: STATUSES.get(codes[name], "killed") for name in drawn}
    for name in drawn:
        if status[name] != "killed":
            print(f"{status[name]}{' (equivalent)' if name in equivalent else ''}: {name}")
    counted = Counter("equivalent" if s != "killed" and n in equivalent else s for n, s in status.items())
    by_part = Counter((name.split(".")[1], status[name]) for name in drawn)
    for part in sorted({part for part, _ in by_part}):
        print(part, {s: n for (p, s), n in by_part.items() if p == part})
    tried = len(drawn) - counted["equivalent"]
    share = 100 * counted["killed"] / tried
    print(f"{counted['killed']} of {tried} killed ({share:.1f}%), {counted['equivalent']} equivalent")
    return 0 if share >= least else 1


if __name__ == "__main__":
    sys.exit(main())
