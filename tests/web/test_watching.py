"""What another program changes in the history reaches the pages of this one."""

from __future__ import annotations

import asyncio
from pathlib import Path

from companion.web.app import publish_changes
from companion.web.events import Event
from tests.web.at_table import AtTable
from tests.web.test_game import begin, revision


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
            return told[:1] + [one async for one in line] + [one async for one in job]

        before = revision(table, key)
        told = shown.run(heard())
        assert revision(table, key) == before + 1
        assert told[1:] == [Event("changed", number).to_bytes() for number in (before, before + 1)]


def test_where_nobody_listens_nothing_is_looked_at(table: AtTable) -> None:
    table.services.history.close()
    assert asyncio.run(publish_changes(table.services, 3)) == 3
