"""The games that are kept, and what they tell taken together."""

from __future__ import annotations

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.history.kept import KeptGame
from companion.history.statistics import Statistics, statistics_of
from companion.web.home_pages import MAX_GAMES_SHOWN, listed_game
from companion.web.responder import Responder, page_language

MAX_DIGITS = 6
"""Of the number of a page."""


def history_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _HistoryPages(responder)
    return [Route("/history", pages.history), Route("/history/plot.svg", pages.plot)]


class _HistoryPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def history(self, request: Request) -> Response:
        """A page of the games, and who won how often: what is counted are finished games, whose hands all have seen."""
        asked = request.query_params.get("page", "1")
        page = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= MAX_DIGITS else 0
        first = (page - 1) * MAX_GAMES_SHOWN
        # One more than is shown tells whether there are earlier ones.
        games = await asyncio.to_thread(self._games, max(0, first))
        if page < 1 or (page > 1 and not games):
            raise HTTPException(404)
        statistics = await asyncio.to_thread(self._statistics)
        return self._responder.page(
            request,
            "history.html",
            games=[listed_game(game) for game in games[:MAX_GAMES_SHOWN]],
            later=f"/history?page={page - 1}" if page > 1 else None,
            earlier=f"/history?page={page + 1}" if len(games) > MAX_GAMES_SHOWN else None,
            statistics=statistics,
            players=statistics.players if statistics.games else None,
            plot_url="/history/plot.svg" if statistics.games else None,
        )

    async def plot(self, request: Request) -> Response:
        from companion.printing.plots.history import history_plot

        statistics = await asyncio.to_thread(self._statistics)
        if not statistics.games:
            raise HTTPException(404)
        content = await asyncio.to_thread(history_plot, statistics, ".svg", language=page_language(request))
        return Response(content, media_type="image/svg+xml")

    def _games(self, first: int) -> tuple[KeptGame, ...]:
        return self._services.history.games(first=first, most=MAX_GAMES_SHOWN + 1)

    def _statistics(self) -> Statistics:
        return statistics_of(self._services.history.finished_games())
