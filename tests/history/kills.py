"""Programs that keep games, killed while they write: whatever was answered is there afterwards.

    python -m tests.history.kills 100 FOLDER

Each program is a fork that changes games as fast as it can and answers through a pipe; it is killed (SIGKILL) at some
moment, and another goes on with the same file.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from random import Random

from companion.history.database import History
from companion.history.kept import GameKey
from tests.history.games import growing, opened

LINES = 30
SEED = 7


def kill_writers(path: Path, times: int) -> int:
    """Kill so many programs one after the other; how many changes were answered in all.

    Raises AssertionError if an answered change is gone, or the file is damaged.
    """
    chance = Random(SEED)
    with opened(path) as history:
        key = history.begin(growing(LINES)[0])
    answered = 0
    for _ in range(times):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            try:
                _write_on(path, key, writing)
            finally:
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading, encoding="ascii") as answers:
            first = answers.readline()
            time.sleep(chance.uniform(0.0, 0.05))
            os.kill(child, signal.SIGKILL)
            told = [first, *answers.read().splitlines(keepends=True)]
        os.waitpid(child, 0)
        whole = [line.split() for line in told if line.endswith("\n")]
        answered += len(whole)
        with opened(path) as history:
            assert history.notices == (), history.notices
            _check(history, key, whole)
    return answered


def _write_on(path: Path, key: GameKey, answers: int) -> None:
    """Change the game until killed: now and then back, now and then finished."""
    with opened(path) as history:
        step = 0
        while True:
            step += 1
            if step % 5 == 0:
                revision = history.undo(key)
            else:
                revision = history.change(key, growing(LINES)[step % LINES], summary=str(step))
            if step % 7 == 0:
                history.finish(key)
            os.write(answers, f"{revision.number} {step % LINES} {int(step % 5 == 0)}\n".encode())


def _check(history: History, key: GameKey, answered: list[list[str]]) -> None:
    """The last answer is the current revision, or the one change after it that was done and not answered any more."""
    number, line, undone = map(int, answered[-1])
    found = {one.number: one for one in history.revisions(key)}
    assert number in found, "an answered change is gone"
    if not undone:
        assert found[number].text == growing(LINES)[line]
    numbers = sorted(found)
    assert abs(numbers.index(history.current(key).number) - numbers.index(number)) <= 1


def main() -> None:
    """Kill as often as the first argument says, with a file in the folder of the second, which is made if need be."""
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "games.sqlite3"
    times = int(sys.argv[1])
    print(f"{times} kills, {kill_writers(path, times)} answered changes, none lost")


if __name__ == "__main__":
    main()
