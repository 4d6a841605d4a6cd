"""Work of many parts: what comes of it stands in the order of the parts, whoever did them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from math import factorial

import pytest

from companion.errors import MissingDependencyError
from companion.lab.arena.workers import Item, Result, in_order, in_this_process, workforce


def backwards(work: Callable[[Item], Result], items: Iterable[Item], /) -> Iterator[tuple[Item, Result]]:
    """Processes of which the last is the quickest."""
    for item in reversed(list(items)):
        yield item, work(item)


def test_one_process_does_one_thing_after_the_other() -> None:
    done: list[int] = []
    with workforce() as run_all:
        found = run_all(done.append, [3, 1, 2])
        assert next(found) == (3, None)
        assert done == [3]
        assert [item for item, _ in found] == [1, 2]


def test_results_stand_in_the_order_of_the_items_as_soon_as_they_can() -> None:
    assert list(in_order(backwards, str, [3, 1, 2])) == ["3", "1", "2"]
    assert list(in_order(in_this_process, str, iter(range(5)))) == list("01234")
    assert list(in_order(backwards, str, [])) == []
    done: list[int] = []
    next(in_order(in_this_process, done.append, [3, 1, 2]))
    assert done == [3]


def test_processes_do_all_of_the_work_and_say_when_one_is_gone() -> None:
    with workforce(2) as run_all:
        assert dict(run_all(factorial, range(20))) == {number: factorial(number) for number in range(20)}
        with pytest.raises(ValueError, match="not defined for negative"):
            list(run_all(factorial, [-1]))
        with pytest.raises(MissingDependencyError, match="ended unexpectedly"):
            list(run_all(os._exit, [1]))
