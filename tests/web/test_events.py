"""News: who listens hears that something changed, and nobody is waited for."""

from __future__ import annotations

import asyncio

from companion.web.events import MAX_SUBSCRIBERS, Event, EventHub


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
        told += [one async for one in line]
        told += [one async for one in other]
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
        return len([one async for one in line])

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
        return told + [one async for one in line]

    assert asyncio.run(heard())[1:] == [Event("changed", number).to_bytes() for number in (1, 2)]


def test_after_the_end_and_in_a_crowd_nobody_listens() -> None:
    async def crowd() -> tuple[int, list[bytes]]:
        hub = EventHub()
        lines = [hub.subscribe("a") for _ in range(MAX_SUBSCRIBERS)]
        for line in lines:
            await anext(line)
        late = [one async for one in hub.subscribe("a")]
        count = hub.subscribers
        hub.close()
        late += [one async for one in hub.subscribe("a")]
        for line in lines:
            await line.aclose()  # type: ignore[attr-defined]
        return count, late

    assert asyncio.run(crowd()) == (MAX_SUBSCRIBERS, [])


def test_text_in_an_event_stays_in_it() -> None:
    event = Event("progress", {"say": "one\nevent: changed\ndata: 2\n\n"})
    assert event.to_bytes().count(b"\n") == 3
