"""News of what other programs change in the history: a server for spectators beside this one, or a command."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from companion.errors import CompanionError, NoSuchGameError
from companion.history.kept import GameKey
from companion.web.services import Services

LOOK_EVERY_S = 1.0


async def watch_history(services: Services) -> None:
    """Look again and again whether another program has written in the history, and tell the pages that listen."""
    known: int | None = None
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        # What cannot be looked at now is looked at later; pages say what is wrong with the file.
        with suppress(CompanionError):
            known = await tell_of_others(services, known)


async def tell_of_others(services: Services, known: int | None) -> int | None:
    """Tell pages which revision of their game is current, if another program has written since `known`.

    Pages that show that revision already pass it over. Gives what is known now, for the next time. Raises what the
    history raises.
    """
    topics = services.hub.topics
    if not topics:
        return known
    now = await asyncio.to_thread(services.history.written_by_others)
    if now != known:
        for topic in topics:
            # Photos and jobs have lines too.
            with suppress(NoSuchGameError):
                revision = await asyncio.to_thread(services.history.current, GameKey(topic))
                services.hub.publish(topic, "changed", revision.number)
    return now
