"""The table's pages as one ASGI app, behind the guard."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from companion.errors import CompanionError, ConflictError, InUseError, NoRoomError, NoSuchGameError
from companion.history.opening import DamagedHistoryError
from companion.language.phrase import say
from companion.web.clocks import BANK_EVERY_S
from companion.web.guard import Guard
from companion.web.host_names import HostNames
from companion.web.responder import Responder, render_fault
from companion.web.routes import all_routes
from companion.web.services import Services
from companion.web.uploads import TooMuchSentError
from companion.web.watching import watch_history
from companion.web.worker import UNFORESEEN

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_LOG = logging.getLogger(__name__)

_NOT_HERE = say("There is no such page.")
_NO_GAME = say("This game is not kept here any more; the first page lists those that are.")


def table_app(services: Services, *, names: HostNames) -> ASGIApp:
    """The pages of a table; `names` are those of this machine, besides its plain addresses."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        beside = [asyncio.create_task(bank_clocks(services)), asyncio.create_task(watch_history(services))]
        yield
        for task in beside:
            task.cancel()
        services.close()

    app = Starlette(
        routes=all_routes(Responder(services)),
        lifespan=lifespan,
        exception_handlers={HTTPException: _http_fault, CompanionError: _fault, Exception: _unforeseen},
    )
    return Guard(app, key=services.key, cookie=services.cookie, names=names, clock=services.clock)


async def bank_clocks(services: Services) -> None:
    """Put the times of turn clocks into the history, again and again, whatever goes wrong with one of them."""
    logged = ""
    while True:
        await asyncio.sleep(BANK_EVERY_S)
        try:
            for key in await asyncio.to_thread(services.clocks.bank):
                services.hub.publish(key, "clock", None)
        except CompanionError:
            # What cannot be written now is written later; pages say what is wrong with the file.
            continue
        except Exception as error:
            fault = f"{type(error).__name__}: {error}"
            if fault != logged:
                _LOG.error("turn clocks could not be kept: %s", fault)
            logged = fault


def status_of(error: Exception) -> int:
    """The status of HTTP that a fault is answered with."""
    if isinstance(error, TooMuchSentError):
        return error.http_status
    if isinstance(error, NoSuchGameError):
        return 404
    if isinstance(error, ConflictError):
        return 409
    if isinstance(error, InUseError):
        return 503
    if isinstance(error, DamagedHistoryError):
        return 500
    return 507 if isinstance(error, NoRoomError) else 422


async def _fault(request: Request, error: Exception) -> Response:
    # Its own words name a command, and phones have none.
    words: str = _NO_GAME if isinstance(error, NoSuchGameError) else str(error)
    if isinstance(error, DamagedHistoryError):
        words = say("{error}. Stop the table and start it again: the file is kept as it is then.", error=words)
    return render_fault(request, words, status_of(error))


async def _http_fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words: str = _NOT_HERE if error.status_code in (404, 405) else error.detail
    return render_fault(request, words, error.status_code)


async def _unforeseen(request: Request, error: Exception) -> Response:
    return render_fault(request, UNFORESEEN, 500)
