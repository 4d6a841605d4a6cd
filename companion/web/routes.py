"""Every address of the table, and what answers it."""

from __future__ import annotations

from starlette.routing import BaseRoute

from companion.web.answers import Answers
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
from companion.web.result_pages import result_routes
from companion.web.scan_pages import scan_routes
from companion.web.setup_pages import setup_routes
from companion.web.turn_pages import turn_routes


def all_routes(answers: Answers) -> list[BaseRoute]:
    """The routes of the app."""
    return [
        *home_routes(answers),
        *setup_routes(answers),
        *job_routes(answers),
        *scan_routes(answers),
        *history_routes(answers),
        *reading_routes(answers),
        *game_routes(answers),
        *clock_routes(answers),
        *player_routes(answers),
        *hand_routes(answers),
        *hint_routes(answers),
        *play_routes(answers),
        *turn_routes(answers),
        *result_routes(answers),
    ]
