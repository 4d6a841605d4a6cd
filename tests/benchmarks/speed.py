"""How fast the commands are: whole cold processes on two cores, medians of several runs, and ratios.

    python tests/benchmarks/speed.py            # all of it, a Markdown table on standard output
    python tests/benchmarks/speed.py --runs 3 hint read

Not a test: nothing fails here, since a busy machine would decide. docs/speed.md keeps the figures.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "samples"
CORES = 2
EMPTY_PROGRAM = """import typer

app = typer.Typer()


@app.command()
def main() -> None:
    pass


app()
"""
ENLARGE = """import sys
from PIL import Image

image = Image.open(sys.argv[1])
width = round((12_000_000 * image.width / image.height) ** 0.5)
height = round(12_000_000 / width)
image.resize((width, height), Image.Resampling.LANCZOS).save(sys.argv[2], quality=92)
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A command to time: its name, its words after `companion`, and the most it may take where a target is set."""

    name: str
    words: Sequence[str]
    most_s: float | None = None
    most_mb: float | None = None
    most_times_empty: float | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """The runs after the warm-up.

    `times_s` from start to end and `cpu_s` of work, all cores together, in seconds; a busy machine lengthens the first
    much more than the second. `peak_mb` is the largest resident memory of a run in MB (10^6 bytes).
    """

    times_s: tuple[float, ...]
    cpu_s: tuple[float, ...]
    peak_mb: float

    @property
    def median_s(self) -> float:
        """The middle one of the times."""
        return statistics.median(self.times_s)


def cases(folder: Path) -> list[Case]:
    """What is timed; `folder` takes what the commands write."""
    mid, end, game = (str(SAMPLES / name) for name in ("mid.toml", "end.toml", "game.txt"))

    def printed(name: str) -> list[str]:
        return ["-o", str(folder / name), "--force"]

    return [
        Case("--help", ["--help"], most_times_empty=2.0),
        Case("hint", ["hint", mid], most_s=0.9, most_mb=400.0),
        Case("bid", ["bid", str(SAMPLES / "start.toml")], most_s=0.9, most_mb=400.0),
        Case("read", ["read", str(folder / "12mp.jpg"), "--json"], most_s=2.5, most_mb=700.0),
        Case("hint PHOTO", ["hint", str(folder / "12mp.jpg")]),
        Case("sheet", ["sheet", *printed("sheet.pdf")], most_s=0.5),
        Case("score --pdf", ["score", end, "--pdf", str(folder / "score.pdf"), "--force"], most_s=0.5),
        Case("score", ["score", end]),
        Case("setup card", ["setup", "--players", "4", "--seed", "7", *printed("card.pdf")], most_s=0.5),
        Case("setup, 100 cards", ["setup", "--seed", "7", "--count", "100", *printed("pack.pdf")], 6.0, 200.0),
        Case("cards", ["cards", *printed("cards.pdf")]),
        Case("kit", ["kit", *printed("kit.pdf")], most_s=2.0),
        Case("report --no-advice", ["report", game, "--no-advice", *printed("report.pdf")]),
        Case("report", ["report", game, *printed("advised.pdf")]),
        Case("moves", ["moves", mid]),
        Case("check", ["check", mid]),
        Case("show", ["show", mid]),
    ]


def run_once(command: Sequence[str]) -> tuple[float, float, float]:
    """One cold process: seconds from start to end, seconds of work, and its peak resident memory in MB.

    Raises CalledProcessError if the command fails; a time for that would mean nothing.
    """
    # Settings of a developer's Python, such as writing no bytecode, are not what a player has.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    began = time.perf_counter()
    process = subprocess.Popen(
        command, env=plain, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    words = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    took = time.perf_counter() - began
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command), stderr=words)
    # Linux counts in KiB, macOS in bytes.
    return took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


def measure(commands: Sequence[Sequence[str]], runs: int) -> list[Measured]:
    """Several cold processes of each command, after one that warms the disk's cache and is not counted.

    The commands take turns, so that a machine that is busy for a while is as busy for one as for another.
    """
    rounds = [[run_once(command) for command in commands] for _ in range(runs + 1)][1:]
    measured = []
    for results in zip(*rounds, strict=True):
        times, cpu, peaks = zip(*results, strict=True)
        measured.append(Measured(times, cpu, max(peaks)))
    return measured


def row(name: str, measured: Measured, empty: Measured, case: Case | None = None) -> str:
    """One line of the table."""
    ratio = measured.median_s / empty.median_s
    targets, verdicts = [], []
    if case is not None:
        for most, unit, value in (
            (case.most_s, " s", measured.median_s),
            (case.most_mb, " MB", measured.peak_mb),
            (case.most_times_empty, " x empty", ratio),
        ):
            if most is not None:
                targets.append(f"{most:g}{unit}")
                verdicts.append(value <= most)
    verdict = ("met" if all(verdicts) else "MISSED") if verdicts else ""
    low, high = min(measured.times_s), max(measured.times_s)
    return (
        f"| {name} | {measured.median_s:.2f} | {low:.2f} - {high:.2f} | {statistics.median(measured.cpu_s):.2f} "
        f"| {measured.peak_mb:.0f} | {ratio:.1f} "
        f"| {', '.join(targets)} | {verdict} |"
    )


def machine() -> str:
    """The processor, system and Python that the figures are from."""
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return f"{model or platform.machine()}, {CORES} cores, {platform.system()}, Python {platform.python_version()}"


def commit() -> str:
    """The commit that was measured, with a mark if files were changed since."""
    answer = subprocess.run(
        ["git", "describe", "--always", "--dirty=, with changes", "--exclude=*"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    return answer.stdout.strip() or "not a checkout"


def lines(runs: int, chosen: Sequence[str]) -> Iterator[str]:
    """The table, once all is measured."""
    program = [str(Path(sys.executable).parent / "companion")]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "empty.py").write_text(EMPTY_PROGRAM)
        photo = str(SAMPLES / "mid.jpg")
        subprocess.run([sys.executable, "-c", ENLARGE, photo, str(folder / "12mp.jpg")], check=True)
        timed = [case for case in cases(folder) if not chosen or case.words[0].lstrip("-") in chosen]
        commands = [[sys.executable, str(folder / "empty.py"), "--help"]]
        commands += [[*program, *case.words] for case in timed]
        empty, *measured = measure(commands, runs)
    yield f"{time.strftime('%Y-%m-%d')}, commit {commit()}; {machine()}; {runs} runs each after a warm-up."
    yield ""
    yield "| command | median s | range s | CPU s | peak MB | x empty | target | |"
    yield "|---|---|---|---|---|---|---|---|"
    yield row("an empty Typer program, --help", empty, empty)
    for case, result in zip(timed, measured, strict=True):
        yield row(f"companion {case.name}", result, empty, case)


def main() -> None:
    """Print the table for the commands named, or for all."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--runs", type=int, default=7, help="runs of each command after the warm-up")
    options.add_argument("commands", nargs="*", help="only these commands, such as hint or read")
    given = options.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    for line in lines(given.runs, given.commands):
        print(line)


if __name__ == "__main__":
    main()
