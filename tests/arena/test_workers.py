"""Work of many parts: what comes of it stands in the order of the parts, whoever did them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import pytest

from companion.arena.workers import Item, Result, in_order, in_this_process, workforce
from companion.errors import UsageError


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


def test_results_stand_in_the_order_of_the_items() -> None:
    assert list(in_order(backwards, str, [3, 1, 2])) == ["3", "1", "2"]
    assert list(in_order(in_this_process, str, iter(range(5)))) == list("01234")
    assert list(in_order(backwards, str, [])) == []


def test_what_stands_first_is_handed_over_before_the_rest_is_done() -> None:
    done: list[int] = []
    found = in_order(in_this_process, done.append, [3, 1, 2])
    next(found)
    assert done == [3]


def test_processes_here_and_a_scheduler_elsewhere_are_too_much() -> None:
    with pytest.raises(UsageError, match="give one of them"), workforce(2, "tcp://x:1"):
        pass
