"""Kill commands that write, at any moment, and look at what is left: nothing lost, nothing half written, no litter.

python -m tests.fuzz.kills --count 200 --seed 1
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion.notation.records.lines import parse_record
from companion.resources import DISTRIBUTION
from tests.fuzz.running import half_written
from tests.notation.recorded_example import THREE_ROUNDS

PROJECT = Path(__file__).resolve().parents[2]
SAMPLES = PROJECT / "samples"
MAX_S = 300.0
"""Seconds after which a command that is not killed counts as hanging."""

SOONEST, LATEST = 0.2, 1.1
"""When a command is killed, in parts of the time that it takes: while Python starts there is nothing to lose."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A command that writes: its words and the lines typed into it.

    `outputs` are written in one piece and lie there before, `old` by content, in every other run. `acknowledged`
    tells from what it printed which of the lines typed it has accepted; they must be kept. `next_run` is what a
    person would run next in that folder.
    """

    words: tuple[str, ...]
    lines: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()
    acknowledged: Callable[[str, Sequence[str]], list[str]] | None = None
    next_run: tuple[str, ...] = ("setup", "-o", "next.pdf", "--force")
    files: dict[str, Path] = field(default_factory=dict)


def _noted(printed: str, lines: Sequence[str]) -> list[str]:
    """Comments into a record: each is answered by "noted"."""
    return [line.removeprefix("# ") for line in lines if line.startswith("# ")][: printed.count("noted")]


def _echoed(printed: str, lines: Sequence[str]) -> list[str]:
    """Lines of a conversation: a line shown is an answer taken when the next is shown."""
    shown = [line for line in lines if len(line) > 3 and line in printed]
    return shown[:-1]


ROWS = tuple((SAMPLES / "start.toml").read_text(encoding="utf-8").split('"""')[1].split("\n")[1:6])
NOTES = tuple(f"# note {number} of the game" for number in range(12))

SCENARIOS: dict[str, Scenario] = {
    "play": Scenario(
        ("play", "game.txt", "--players", "2", "--seed", "3"),
        NOTES,
        acknowledged=_noted,
        next_run=("play", "game.txt", "--resume"),
    ),
    "play on": Scenario(
        ("play", "game.txt", "--resume"),
        NOTES,
        acknowledged=_noted,
        next_run=("play", "game.txt", "--resume"),
        files={"game.txt": THREE_ROUNDS},
    ),
    "edit": Scenario(
        ("edit", "-o", "out.toml"), ROWS, acknowledged=_echoed, next_run=("edit", "-o", "out.toml", "--resume")
    ),
    "score": Scenario(
        ("score", "--ask"),
        ("pink Anna, black Boris", "41 gold, 11 viziers", "2", "1", "15+8", "37 gold, 3 viziers", "0"),
        acknowledged=_echoed,
        next_run=("score", "--ask", "--resume"),
    ),
    "read": Scenario(
        ("read", "mid.jpg", "-o", "out.toml", "--overlay", "out.png", "--force"),
        outputs=("out.toml", "out.png"),
        files={"mid.jpg": SAMPLES / "mid.jpg"},
    ),
    "setup": Scenario(("setup", "--seed", "4", "-o", "out.pdf", "--force"), outputs=("out.pdf",)),
    "sheet": Scenario(("sheet", "-o", "out.pdf", "--force"), outputs=("out.pdf",)),
    "score pdf": Scenario(
        ("score", "end.toml", "--pdf", "out.pdf", "-o", "out.json", "--force"),
        outputs=("out.pdf", "out.json"),
        files={"end.toml": SAMPLES / "end.toml"},
    ),
    "replay": Scenario(
        ("replay", "game.txt", "-o", "out.toml", "--force"),
        outputs=("out.toml",),
        files={"game.txt": THREE_ROUNDS},
    ),
    "edit in place": Scenario(
        ("edit", "out.toml", "-o", "out.toml", "--force"), ("show", "done"), outputs=("out.toml",)
    ),
}


@dataclass(frozen=True, slots=True)
class Killed:
    """What came of a run: what was wrong, whether it was running when it was killed, and whether it was writing."""

    faults: list[str]
    running: bool
    writing: bool
    seconds: float


class Running:
    """A command that runs in a process of its own, with pipes to it."""

    def __init__(self, words: Sequence[str], work: Path, environment: dict[str, str]) -> None:
        taken, self._stdin = os.pipe()
        self._stdout, given = os.pipe()
        self.printed = b""
        self.status: int | None = None
        words = [sys.executable, "-m", "companion", *words]
        process = subprocess.Popen(words, stdin=taken, stdout=given, stderr=given, cwd=work, env=environment)
        # It is waited for by its number.
        self._pid, process.returncode = process.pid, 0
        os.close(taken)
        os.close(given)
        os.set_blocking(self._stdout, False)

    def type(self, text: str) -> None:
        """Type into it, if it still listens."""
        with suppress(BrokenPipeError):
            os.write(self._stdin, text.encode())

    def hang_up(self) -> None:
        """End its standard input."""
        os.close(self._stdin)
        self._stdin = -1

    def runs(self) -> bool:
        """Whether it runs still; what it printed is taken in."""
        if self.status is None:
            done, status = os.waitpid(self._pid, os.WNOHANG)
            if done:
                self.status = os.waitstatus_to_exitcode(status)
        with suppress(BlockingIOError):
            while text := os.read(self._stdout, 65536):
                self.printed += text
        return self.status is None

    def wait(self, until: float) -> None:
        """Wait until it ends or the time (monotonic) has come."""
        while self.runs() and time.monotonic() < until:
            time.sleep(0.0005)

    def kill(self) -> bool:
        """Kill it; whether it was running."""
        running = self.runs()
        if running:
            os.kill(self._pid, signal.SIGKILL)
            _, status = os.waitpid(self._pid, 0)
            self.status = os.waitstatus_to_exitcode(status)
        self.runs()
        for end in (self._stdin, self._stdout):
            if end >= 0:
                os.close(end)
        return running


def kill(scenario: Scenario, folder: Path, rng: random.Random, seconds: float | None) -> Killed:
    """Run a scenario in an empty folder and kill it after so many seconds, or let it end if there are none."""
    work, home = folder / "work", folder / "home"
    work.mkdir(parents=True)
    environment = {
        **os.environ,
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PYTHONUNBUFFERED": "1",
        "PYTHONPATH": str(PROJECT),
    }
    for name, source in scenario.files.items():
        (work / name).write_bytes(source.read_bytes())
    old = rng.random() < 0.5 or scenario.words[1] in scenario.outputs
    before = {name: _old(name) for name in scenario.outputs if old}
    for name, content in before.items():
        (work / name).write_bytes(content)
    began = time.monotonic()
    command = Running(scenario.words, work, environment)
    until = began + (MAX_S if seconds is None else seconds)
    for line in scenario.lines:
        command.type(f"{line}\n")
        command.wait(min(until, time.monotonic() + rng.random() * 0.02))
    if seconds is None:
        command.hang_up()
    command.wait(until)
    took = time.monotonic() - began
    running = command.kill()
    writing = any(path.name.startswith(".companion-") for path in folder.rglob("*"))
    faults = _half_written(scenario, work, before)
    if command.status != 0:
        told = command.printed.decode("utf-8", "replace")
        faults += _lost(scenario, work, home / "data" / DISTRIBUTION, told)
    after = Running(scenario.next_run, work, environment)
    after.type("quit\n")
    after.hang_up()
    after.wait(time.monotonic() + MAX_S)
    after.kill()
    told = after.printed.decode("utf-8", "replace")
    if after.status not in (0, 4) or "damaged" in told or "companion: unexpected" in told:
        faults.append(f"the next run ends in status {after.status}: {told[-500:]}")
    left = [path.name for path in folder.rglob("*") if path.name.startswith(".companion-")]
    if left:
        faults.append(f"{', '.join(left)} lies about after the next run")
    return Killed(faults, running, writing, took)


def _old(name: str) -> bytes:
    """What lies in an output's place before: a whole file where that is read, and else a word."""
    return (SAMPLES / "end.toml").read_bytes() if name.endswith(".toml") else b"old"


def _half_written(scenario: Scenario, work: Path, before: dict[str, bytes]) -> list[str]:
    faults = []
    for name in (*scenario.outputs, "game.txt"):
        path = work / name
        if path.exists() and path.read_bytes() != before.get(name):
            wrong = half_written(path)
            if wrong:
                faults.append(f"{name} is not whole: {wrong}")
        elif not path.exists() and name in before:
            faults.append(f"{name} is gone")
    return faults


def _lost(scenario: Scenario, work: Path, data: Path, printed: str) -> list[str]:
    """Lines that were accepted and are kept nowhere."""
    if scenario.acknowledged is None:
        return []
    record = work / "game.txt"
    if record.exists():
        parse_record(record.read_text(encoding="utf-8"))
    texts = [path.read_text(encoding="utf-8") for path in (record, *data.rglob("*.json")) if path.is_file()]
    texts += [path.read_text(encoding="utf-8") for path in work.glob("out.*")]
    kept = "\n".join(texts)
    return [f"lost: {line!r}" for line in scenario.acknowledged(printed, scenario.lines) if line not in kept]


def kills(count: int, seed: int) -> tuple[Counter[str], Counter[str], list[str]]:
    """Kill so many commands: how many of each, how many of those were running and writing, and the faults."""
    done: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    faults: list[str] = []
    seconds: dict[str, float] = {}
    names = list(SCENARIOS)
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        for number in range(count):
            rng = random.Random(f"{seed}:{number}")
            kind = names[number % len(names)]
            if number // len(names) % 10 == 0:
                # How long it takes depends on what else the machine does.
                whole = kill(SCENARIOS[kind], Path(name) / f"{number}-whole", rng, None)
                faults += [f"{kind}, not killed: {fault}" for fault in whole.faults]
                seconds[kind] = whole.seconds
            moment = seconds[kind] * (SOONEST + (LATEST - SOONEST) * rng.random())
            killed = kill(SCENARIOS[kind], Path(name) / str(number), rng, moment)
            done[kind] += 1
            caught["running"] += killed.running
            caught["writing"] += killed.writing
            for fault in killed.faults:
                faults.append(f"{kind}, --seed {seed}, kill {number}: {fault}")
                print(faults[-1], file=sys.stderr, flush=True)
    return done, caught, faults


def main() -> int:
    """The command; status 1 if there were faults."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    done, caught, faults = kills(given.count, given.seed)
    print(", ".join(f"{kind} {number}" for kind, number in done.items()))
    took = time.monotonic() - began
    print(
        f"{done.total()} kills, {caught['running']} while it ran, {caught['writing']} in the midst of writing; "
        f" {len(faults)} faults; {took:.0f} s; seed {given.seed}"
    )
    print("\n".join(faults[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
