"""The process that does what takes seconds: its crash, its limits and its end are nothing to the pages."""

from __future__ import annotations

import asyncio
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import CompanionError
from companion.language.catalogue import translate
from companion.rules.model.components import TILE_KINDS
from companion.table.photos import TableReading
from companion.web.store import worker as worker_module
from companion.web.store.sent_photos import SEE
from companion.web.store.worker import MAX_WAITING, Worker, WorkerError
from tests.samples import SAMPLES

JOBS = "tests.web.jobs:"


@pytest.fixture
def worker() -> Iterator[Worker]:
    one = Worker("test")
    yield one
    one.close()


def test_jobs_are_done_in_one_process_after_another(worker: Worker) -> None:
    told: list[tuple[float, str]] = []

    async def jobs() -> list[int]:
        first = await worker.run(f"{JOBS}doubled", 21, tell=lambda share, stage: told.append((share, stage)))
        here = [await worker.run(f"{JOBS}process") for _ in range(2)]
        return [first, *here]

    doubled, one, other = asyncio.run(jobs())
    assert doubled == 42 and one == other == worker.process_id != os.getpid()
    assert told == [(0.5, "half of it")]


def test_without_a_job_the_process_ends_and_the_next_job_begins_another() -> None:
    idle = Worker("test", idle_s=0)

    async def jobs() -> list[int]:
        here = []
        for _ in range(2):
            here.append(await idle.run(f"{JOBS}process"))
            while idle.process_id is not None:
                await asyncio.sleep(0.01)
        return here

    one, other = asyncio.run(asyncio.wait_for(jobs(), 60))
    assert one != other


def test_faults_come_back_in_words_that_can_be_said_in_any_language(worker: Worker) -> None:
    with pytest.raises(CompanionError, match="x is no photo") as fault:
        asyncio.run(worker.run(f"{JOBS}refused", "x"))
    assert translate(str(fault.value), "qps") != str(fault.value)
    with pytest.raises(CompanionError, match="unexpected ZeroDivisionError: never mind"):
        asyncio.run(worker.run(f"{JOBS}wrong"))


def test_a_crash_is_told_and_the_next_job_is_done(worker: Worker) -> None:
    with pytest.raises(WorkerError, match="stopped unexpectedly"):
        asyncio.run(worker.run(f"{JOBS}killed"))
    assert asyncio.run(worker.run(f"{JOBS}doubled", 4)) == 8


def test_what_cannot_be_sent_is_a_fault_of_that_job_alone(worker: Worker) -> None:
    with pytest.raises(CompanionError, match="unexpected"):
        asyncio.run(worker.run(f"{JOBS}unsendable"))
    with pytest.raises(CompanionError, match="no_such_job"):
        asyncio.run(worker.run(f"{JOBS}no_such_job"))
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        asyncio.run(worker.run(f"{JOBS}given_back", lambda: None))
    assert asyncio.run(worker.run(f"{JOBS}doubled", 4)) == 8


@pytest.mark.skipif(sys.platform != "linux", reason="other systems keep to no such limit")
def test_a_job_gets_no_more_memory_than_its_process_may_have() -> None:
    limited = Worker("test", memory=600_000_000)
    try:
        with pytest.raises(CompanionError, match="enough memory"):
            asyncio.run(limited.run(f"{JOBS}greedy", 900_000_000))
        assert asyncio.run(limited.run(f"{JOBS}greedy", 1_000_000)) == 1_000_000
    finally:
        limited.close()


def test_a_job_that_takes_too_long_is_given_up(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    assert asyncio.run(worker.run(f"{JOBS}doubled", 1)) == 2
    monkeypatch.setattr(worker_module, "MAX_JOB_S", 0.2)
    with pytest.raises(WorkerError, match="took too long"):
        asyncio.run(worker.run(f"{JOBS}slow", 20.0))
    assert worker.process_id is None


def test_a_job_that_nobody_waits_for_is_stopped_and_its_process_does_the_next(worker: Worker) -> None:
    async def stopped() -> tuple[int, int, int]:
        begun = asyncio.Event()
        before = await worker.run("tests.web.jobs:process")
        endless = asyncio.create_task(worker.run("tests.web.jobs:endless", tell=lambda share, stage: begun.set()))
        await begun.wait()
        # One that waits its turn goes without the one before it.
        waiting = asyncio.create_task(worker.run("tests.web.jobs:doubled", 3))
        waits_too = asyncio.create_task(worker.run("tests.web.jobs:doubled", 4))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert not endless.done()
        endless.cancel()
        return before, await worker.run("tests.web.jobs:process"), await waits_too

    before, after, doubled = asyncio.run(stopped())
    assert (before, doubled) == (after, 8)


def test_who_comes_when_too_many_wait_is_sent_away(worker: Worker) -> None:
    async def crowd() -> list[object]:
        jobs = [worker.run(f"{JOBS}doubled", number) for number in range(MAX_WAITING + 1)]
        return list(await asyncio.gather(*jobs, return_exceptions=True))

    *done, last = asyncio.run(crowd())
    assert done == [2 * number for number in range(MAX_WAITING)]
    assert isinstance(last, WorkerError) and "try again in a minute" in str(last)


def test_the_process_ends_with_the_worker(worker: Worker) -> None:
    number = asyncio.run(worker.run(f"{JOBS}process"))
    worker.close()
    until = time.monotonic() + 60
    while time.monotonic() < until and Path(f"/proc/{number}").exists():
        time.sleep(0.02)
    assert not Path(f"/proc/{number}").exists()


def test_closed_in_the_middle_of_a_job_it_ends_that_and_begins_no_other(worker: Worker) -> None:
    async def closed() -> list[object]:
        jobs = [asyncio.create_task(worker.run(f"{JOBS}slow", 20.0)) for _ in range(2)]
        while worker.process_id is None:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        await asyncio.to_thread(worker.close)
        return list(await asyncio.wait_for(asyncio.gather(*jobs, return_exceptions=True), 60))

    ended = asyncio.run(closed())
    assert all(isinstance(one, WorkerError) for one in ended), ended
    assert worker.process_id is None
    with pytest.raises(WorkerError):
        asyncio.run(worker.run(f"{JOBS}doubled", 1))


@pytest.mark.slow
def test_a_photo_is_read_with_its_pictures(worker: Worker) -> None:
    shares: list[float] = []

    async def read() -> TableReading:
        seen: TableReading = await worker.run(
            SEE, [str(SAMPLES / "mid.jpg")], False, "", (), tell=lambda share, stage: shares.append(share)
        )
        return seen

    seen = asyncio.run(read())
    assert seen.view is not None and seen.view.startswith(b"\xff\xd8") and max(seen.size) <= 1800
    assert {"a1", "c3", "f5"} <= set(seen.crops) and len(seen.crops) >= 30
    assert set(seen.as_read.doubtful) == set(seen.open_squares)
    assert shares == sorted(shares) and shares[0] == 0 and len(set(shares)) >= 4


def test_a_board_from_another_process_has_the_kinds_of_tiles_of_this_one(worker: Worker) -> None:
    """A photo in the middle of a game is held against its board by kinds of tiles (rules 1.1)."""
    kinds = list(TILE_KINDS.values())
    assert all(
        one is kind for one, kind in zip(asyncio.run(worker.run(f"{JOBS}given_back", kinds)), kinds, strict=True)
    )


def test_pages_need_neither_numpy_nor_opencv(tmp_path: Path) -> None:
    """What is decided of photos, and all that is drawn on one, is done beside: pages are answered meanwhile."""
    absent = "import sys; sys.modules.update(dict.fromkeys(['numpy', 'cv2', 'onnxruntime']))"
    walk = f"{absent}; from pathlib import Path; from tests.web.lean import main; main(Path({str(tmp_path)!r}))"
    done = subprocess.run([sys.executable, "-c", walk], capture_output=True, text=True, cwd=SAMPLES.parent)
    assert done.returncode == 0, done.stderr
