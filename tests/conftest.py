"""The two tiers of tests, and steady examples: a test must not fail one time in two.

The first tier is what `make test` runs. The second (`--all`, `make test-all`) adds the tests marked `slow`, the
folders `lab`, `fuzz` and `benchmarks`, and four times as many examples.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from hatch_build import compile_catalogues

if "PYTEST_XDIST_WORKER" in os.environ:
    # Processes that share the cores only wait for each other's threads: numpy and OpenCV, in commands that tests start
    # too, get one each. Both read this when they are first imported, which is after this file.
    os.environ.update(OPENBLAS_NUM_THREADS="1", OPENCV_FOR_THREADS_NUM="1")

settings.register_profile("steady", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("thorough", settings.get_profile("steady"), max_examples=200)
settings.load_profile("steady")

_users = count()
TESTS = Path(__file__).parent
SECOND_TIER = {TESTS / "lab", TESTS / "fuzz", TESTS / "benchmarks"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="the second tier too: slow tests, the lab, fuzz and benchmarks")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--all"):
        settings.load_profile("thorough")
    if not hasattr(config, "workerinput"):
        # What `make` does before; whoever starts pytest by itself may have changed a translation, or fetched one.
        compile_catalogues()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    # True keeps pytest out; None leaves the decision to others.
    return (not config.getoption("--all") and collection_path in SECOND_TIER) or None


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has folders for the user's data and cache to itself; they are not there before it makes them."""
    home = tmp_path_factory.getbasetemp() / f"user-{next(_users)}"
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.delenv("COMPANION_HISTORY", raising=False)


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program speaks English to tests, whatever language this machine has."""
    monkeypatch.setenv("COMPANION_LANG", "en")


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    gc.disable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--all"):
        slow = [item for item in items if item.get_closest_marker("slow")]
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]
    if hasattr(config, "workerinput"):
        # By their files, since all processes have to have one order, and each may have found them in its own.
        items.sort(key=lambda item: item.path)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if os.environ.get("PYTEST_XDIST_WORKER", "gw0")[-1] in "13579" and isinstance(collector, pytest.Directory):
        # Every other process begins at the other end: a file is compiled, which takes most of collecting, by whichever
        # comes to it first, and the others find it done.
        report.result.reverse()
    return report


def pytest_collection_finish() -> None:
    # Modules and tests stay to the end: looking through them again and again takes a third of collecting.
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session", autouse=True)
def remembered_pictures(tmp_path_factory: pytest.TempPathFactory) -> None:
    """A picture is looked at once, by all processes of a run together."""
    if "cv2" in sys.modules:
        # Only then does anything here read pictures; the rules are tested without waiting for OpenCV.
        from tests.vision_memo import remember

        base = tmp_path_factory.getbasetemp()
        base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
        # Whoever runs tests again and again may name a folder that stays.
        folder = Path(os.environ.get("TESTS_NETWORKS", base / "networks"))
        folder.mkdir(exist_ok=True)
        remember(folder)
