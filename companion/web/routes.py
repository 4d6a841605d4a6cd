"""Every address of the table, and what answers it."""

from __future__ import annotations

from starlette.routing import BaseRoute

from companion.web.clock_pages import clock_routes
from companion.web.game_pages import game_routes
from companion.web.hand_pages import hand_routes
from companion.web.hint_pages import hint_routes
from companion.web.history_pages import history_routes
from companion.web.home_pages import home_routes
from companion.web.job_pages import job_routes
from companion.web.play_pages import play_routes
from companion.web.player_pages import player_routes
from companion.web.reading_pages import reading_routes
from companion.web.responder import Responder
from companion.web.result_pages import result_routes
from companion.web.scan_pages import scan_routes
from companion.web.setup_pages import setup_routes
from companion.web.turn_pages import turn_routes


def all_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of the app."""
    return [
        *home_routes(responder),
        *setup_routes(responder),
        *job_routes(responder),
        *scan_routes(responder),
        *history_routes(responder),
        *reading_routes(responder),
        *game_routes(responder),
        *clock_routes(responder),
        *player_routes(responder),
        *hand_routes(responder),
        *hint_routes(responder),
        *play_routes(responder),
        *turn_routes(responder),
        *result_routes(responder),
    ]
