"""News: who listens hears that something changed, and nobody is waited for."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from companion.errors import InUseError, NoRoomError
from companion.history.saved import GameKey
from companion.language.catalogue import translate
from companion.language.phrase import say
from companion.system.progress import TellShare
from companion.web.server.app import again_and_again, publish_changes, save_clocks
from companion.web.server.serving import reporting_faults
from companion.web.store import live_events
from companion.web.store.jobs import progress_events, start
from companion.web.store.live_events import MAX_SUBSCRIBERS, Event, EventHub
from companion.web.store.services import Services
from tests.web.at_table import AtTable, begin, revision


def test_listeners_of_a_subject_hear_of_it_and_nobody_else() -> None:
    async def heard() -> list[bytes]:
        hub = EventHub()

        async def now() -> Event:
            return Event("changed", 1)

        line, other = hub.subscribe("a", now), hub.subscribe("b")
        told = [await anext(line), await anext(line), await anext(other)]
        hub.publish("a", "changed", 2)
        hub.publish("c", "changed", 3)
        told.append(await anext(line))
        hub.close()
        told += [event async for event in line]
        told += [event async for event in other]
        assert hub.subscribers == 0
        return told

    retry = b"retry: 2000\n\n"
    one, two = (Event("changed", number).to_bytes() for number in (1, 2))
    assert asyncio.run(heard()) == [retry, one, retry, two]
    assert two == b"event: changed\ndata: 2\n\n"


def test_who_does_not_read_holds_nobody_up_and_hears_of_the_end() -> None:
    async def told() -> int:
        hub = EventHub()
        line = hub.subscribe("a")
        await anext(line)
        for number in range(1000):
            hub.publish("a", "changed", number)
        hub.close()
        return len([event async for event in line])

    assert asyncio.run(told()) < 100


def test_what_changes_while_the_first_event_is_looked_up_is_heard() -> None:
    async def heard() -> list[bytes]:
        hub = EventHub()

        async def first() -> Event:
            hub.publish("a", "changed", 2)
            return Event("changed", 1)

        line = hub.subscribe("a", first)
        told = [await anext(line) for _ in range(3)]
        hub.close()
        return told + [event async for event in line]

    assert asyncio.run(heard())[1:] == [Event("changed", number).to_bytes() for number in (1, 2)]


def test_after_the_end_and_in_a_crowd_nobody_listens() -> None:
    async def crowd() -> tuple[int, list[bytes]]:
        hub = EventHub()
        lines = [hub.subscribe("a") for _ in range(MAX_SUBSCRIBERS)]
        for line in lines:
            await anext(line)
        late = [event async for event in hub.subscribe("a")]
        count = hub.subscribers
        hub.close()
        late += [event async for event in hub.subscribe("a")]
        for line in lines:
            await line.aclose()  # type: ignore[attr-defined]
        return count, late

    assert asyncio.run(crowd()) == (MAX_SUBSCRIBERS, [])


def test_how_far_a_job_has_come_is_told_in_the_readers_language_until_it_ends() -> None:
    async def heard() -> list[object]:
        hub, begun, ended = EventHub(), asyncio.Event(), asyncio.Event()

        async def work(tell: TellShare) -> str:
            await begun.wait()
            tell(2 / 3, say("opening"))
            await ended.wait()
            return "read"

        job = start(work, hub, "a")
        answer = progress_events(job, hub, "a", "uk")
        assert answer.headers["x-accel-buffering"] == "no"
        line = aiter(answer.body_iterator)
        told: list[object] = [await anext(line), await anext(line)]
        hub.publish("a", "changed", 4)
        told.append(await anext(line))
        begun.set()
        told.append(await anext(line))
        assert not job.has_ended
        ended.set()
        told += [event async for event in line]
        assert job.has_ended and (job.result, job.share) == ("read", 2 / 3)
        # Who comes afterwards hears of the end alone.
        return told + [event async for event in progress_events(job, hub, "a", "uk").body_iterator]

    waits, opens = (translate(say(words), "uk") for words in ("waiting for its turn", "opening"))
    now = [Event("progress", {"share": share, "say": words}) for share, words in ((0.0, waits), (0.667, opens))]
    retry, done, changed = b"retry: 2000\n\n", Event("done", None).to_bytes(), Event("changed", 4).to_bytes()
    assert asyncio.run(heard()) == [retry, now[0].to_bytes(), changed, now[1].to_bytes(), done, done]
    assert waits != "waiting for its turn" and opens != "opening"


def test_a_line_without_news_is_kept_alive_by_a_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_events, "KEEP_ALIVE_S", 0.0)

    async def heard() -> list[bytes]:
        line = EventHub().subscribe("a")
        return [await anext(line) for _ in range(3)]

    assert asyncio.run(heard()) == [b"retry: 2000\n\n", b": \n\n", b": \n\n"]


def test_clocks_and_history_are_looked_at_again_and_again_whatever_the_file_does(
    table: AtTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [NoRoomError("the disk is full"), None, ZeroDivisionError("unforeseen"), None]
    told_of: list[Exception] = []
    known: list[int | None] = []

    def save() -> list[GameKey]:
        if faults and (fault := faults.pop(0)):
            raise fault
        return [GameKey("game")]

    async def look(services: Services, before: int | None) -> int | None:
        known.append(before)
        if len(known) == 2:
            raise InUseError("somebody writes")
        return len(known)

    monkeypatch.setattr(table.services.clocks, "save", save)

    async def heard() -> list[bytes]:
        line = table.services.hub.subscribe("game")
        told = [await anext(line)]
        background = [asyncio.create_task(again_and_again(do, table.services, 0.0)) for do in (save_clocks, look)]
        told += [await anext(line), await anext(line)]
        while len(known) < 4:
            await asyncio.sleep(0)
        for task in background:
            task.cancel()
        return told

    with reporting_faults(told_of.append):
        assert asyncio.run(heard())[1:] == [Event("clock", None).to_bytes()] * 2
    assert [str(error) for error in told_of] == ["unforeseen"]
    # What is known is handed on, and stays where nothing could be looked at.
    assert known[:4] == [None, 1, 1, 3] and not faults[:1]


def test_text_in_an_event_stays_in_it() -> None:
    event = Event("progress", {"say": "one\nevent: changed\ndata: 2\n\n"})
    assert event.to_bytes().count(b"\n") == 3


def test_spectators_of_another_server_hear_of_what_is_changed_at_the_table(tmp_path: Path) -> None:
    with AtTable(tmp_path) as table, AtTable(tmp_path, read_only=True) as shown:
        phone = table.phone()
        key = begin(table, phone)

        async def heard() -> list[bytes]:
            line = shown.services.hub.subscribe(key)
            job = shown.services.hub.subscribe("a job or a photo")
            told = [await anext(line), await anext(job)]
            known = await publish_changes(shown.services, None)
            assert await publish_changes(shown.services, known) == known
            bid = {"price": "3"}
            await phone.client.post(f"/games/{key}/bid", data=bid, headers={"Origin": str(phone.client.base_url)})
            assert await publish_changes(shown.services, known) != known
            shown.services.hub.close()
            return told[:1] + [event async for event in line] + [event async for event in job]

        before = revision(table, key)
        told = shown.run(heard())
        assert revision(table, key) == before + 1
        assert told[1:] == [Event("changed", number).to_bytes() for number in (before, before + 1)]


def test_where_nobody_listens_nothing_is_looked_at(table: AtTable) -> None:
    table.services.history.close()
    assert asyncio.run(publish_changes(table.services, 3)) == 3
