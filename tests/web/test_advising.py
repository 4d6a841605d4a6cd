"""Hints on their way: what went wrong is told, with its status, and not for ever."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from companion.errors import InUseError
from companion.language.phrase import say
from companion.rules.model.components import Colour
from companion.system.progress import TellShare
from companion.table.advising import TableAdvice
from companion.table.games import begin_table
from companion.table.order import order_of, with_order
from companion.table.seats import thought_about
from companion.web.server.app import status_of
from companion.web.store import adviser, jobs, services
from companion.web.store.adviser import Adviser
from companion.web.store.live_events import EventHub
from companion.web.store.worker import Worker, WorkerError
from tests.web.at_table import MID, AtTable

ANSWER = TableAdvice()


class Troubled(Worker):
    """A worker whose first job meets with an accident."""

    def __init__(self, accident: Exception) -> None:
        super().__init__("troubled")
        self._accidents = [accident]

    async def run(self, job: str, *arguments: object, tell: TellShare = lambda share, stage: None) -> Any:
        if self._accidents:
            raise self._accidents.pop()
        return ANSWER


def _asked(accident: Exception, *, later: bool) -> tuple[str, TableAdvice | None, str]:
    """The fault of a first question, and what the same question is answered with after it."""

    async def asked() -> tuple[str, TableAdvice | None, str]:
        adviser = Adviser(Troubled(accident), EventHub())
        first = adviser.ask("game", MID)
        while not first.has_ended:
            await asyncio.sleep(0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(jobs, "FAULT_LASTS_S", 0.0 if later else 60.0)
            second = adviser.ask("game", MID)
        while not second.has_ended:
            await asyncio.sleep(0)
        return first.fault, second.result, second.fault

    return asyncio.run(asked())


def test_a_fault_is_there_for_all_who_wait_and_then_the_question_is_thought_about_again() -> None:
    accident = WorkerError("busy")
    assert _asked(accident, later=False) == ("busy", None, "busy")
    assert _asked(accident, later=True) == ("busy", ANSWER, "")


def test_nobody_waits_for_ever_for_a_hint_that_a_fault_of_the_program_ended() -> None:
    fault, _, _ = _asked(KeyError("c3"), later=False)
    assert "a bug in the program" in fault


def test_of_too_many_hints_and_sentences_those_nobody_asks_for_are_dropped(
    table: AtTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adviser, "MAX_HINTS", 2)
    monkeypatch.setattr(services, "MAX_NOTICES", 2)

    async def asked() -> list[bool]:
        adviser = Adviser(Troubled(WorkerError("busy")), EventHub())
        first, second = adviser.ask("first", MID), adviser.ask("second", MID)
        kept = [adviser.ask("first", MID) is first]
        adviser.ask("third", MID)
        return [*kept, adviser.ask("first", MID) is first, adviser.ask("second", MID) is not second]

    assert asyncio.run(asked()) == [True, True, True]
    for phone in ("a", "b", "c"):
        table.services.notify(phone, say("Kept."))
    assert list(table.services.notices) == ["b", "c"]


class Busy(Worker):
    """A worker that never comes to an end."""

    async def run(self, job: str, *arguments: object, tell: TellShare = lambda share, stage: None) -> Any:
        await asyncio.Event().wait()


def test_a_search_whose_position_is_past_is_given_up() -> None:
    game = begin_table(MID, {}, date="2026-11-22")
    other = begin_table(with_order(MID, replace(order_of(MID), to_move=Colour.ORANGE)), {}, date="2026-11-22")

    async def asked() -> list[bool]:
        adviser = Adviser(Busy("busy"), EventHub())
        table, seat = (adviser.ask("game", thought_about(game, who)) for who in (None, Colour.BLUE))
        elsewhere = adviser.ask("another", thought_about(game, None))
        adviser.drop_past("game", game)
        await asyncio.sleep(0)
        kept = [not job.has_ended for job in (table, seat, elsewhere)]
        adviser.drop_past("game", other)
        await asyncio.wait([job.task for job in (table, seat) if job.task])
        # Whoever goes back to that position asks anew.
        return [*kept, table.has_ended, seat.has_ended, elsewhere.has_ended, adviser.ask("game", MID) is not table]

    assert asyncio.run(asked()) == [True, True, True, True, True, False, True]


def test_a_history_that_somebody_writes_is_asked_again_later() -> None:
    """Every other status is that of a page that some test asks for."""
    assert status_of(InUseError("written")) == 503
