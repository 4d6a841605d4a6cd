"""New games: set up at random, so that all have an equally good start, or from a code."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError, UnusableInputError
from companion.language.phrase import Phrase, say
from companion.notation.files import parse_position
from companion.progress import TellShare
from companion.rules.engine.setup import random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.web.game_views import begin_game
from companion.web.home_pages import home_context
from companion.web.responder import Responder, session_of
from companion.web.setup_form import WHO_CAN_PLAY, SetUpForm, sent_seed, sent_setup
from companion.web.uploads import sent_form

if TYPE_CHECKING:
    from companion.advisor.search.fairness import FairSetup

DRAWN_SEEDS = 1_000_000
"""A seed that nobody chose is below this: short enough to be said across a table."""


def setup_routes(responder: Responder) -> list[BaseRoute]:
    """The route that begins games."""
    return [Route("/games", _SetUpPages(responder).begin, methods=["POST"])]


class _SetUpPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services

    async def begin(self, request: Request) -> Response:
        """A new game; a fair one is looked for while its page waits."""
        self._responder.check_open()
        async with sent_form(request) as form:
            asked = sent_setup(form)
        try:
            if asked.how == "code":
                if not asked.code:
                    raise UnusableInputError(say("Type the code of the set-up card, or choose another way to begin."))
                return self._responder.go_on(
                    request, await self._keep(asked, await asyncio.to_thread(parse_position, asked.code))
                )
            seed = sent_seed(asked.seed)
            if seed is None:
                seed = self._services.random.randrange(DRAWN_SEEDS)
            position = drawn_setup(asked.plays, seed)
        except CompanionError as error:
            context = await asyncio.to_thread(home_context, self._services)
            return self._responder.page(request, "home.html", context, status=422, asked=asked, fault=str(error))
        if asked.how != "fair":
            return self._responder.go_on(request, await self._keep(asked, position, {"seed": seed}))
        device = session_of(request).device

        async def look(tell: TellShare) -> str:
            found = await self._services.adviser.fair_setup(position.colours, seed, tell)
            leads_to = await self._keep(asked, found.position, fair_settings(found))
            self._services.toast(device, fair_words(found))
            return leads_to

        job = self._services.jobs.begin(say("Looking for a fair set-up"), look, back="/")
        return self._responder.go_on(request, f"/jobs/{job.key}")

    async def _keep(self, asked: SetUpForm, position: Position, settings: Mapping[str, object] | None = None) -> str:
        """A game begun with a position; the address where it goes on."""
        names = {colour: name for colour, name in asked.names.items() if colour in (position.colours or Colour)}
        hidden = {"hide_points": True} if asked.hides_points else {}
        key, game = await begin_game(
            self._responder,
            position,
            names,
            told="set up",
            date=asked.date,
            place=asked.place,
            settings={**(settings or {}), **hidden},
        )
        if game.is_over and position.colours:
            return f"/games/{key}/score"
        return f"/games/{key}" if game.playing else f"/games/{key}/players"


def drawn_setup(colours: tuple[Colour, ...], seed: int) -> Position:
    """The set-up that a seed gives. Raises UnusableInputError if nobody can play so."""
    try:
        return random_setup(len(colours), seed, colours=colours)
    except ValueError:
        raise UnusableInputError(WHO_CAN_PLAY) from None


def fair_settings(found: FairSetup) -> dict[str, object]:
    """What is kept of a fair set-up beside its position: what its card says of it."""
    return {"seed": found.seed, "spread": round(found.fairness.spread, 2)}


def fair_words(found: FairSetup) -> Phrase:
    """How fair the set-up is that was found."""
    from companion.advisor.search.fairness import FAIR_VP

    if found.fairness.within:
        return say(
            "The first turns of this set-up are worth the same to within {spread:.1f} VP.", spread=found.fairness.spread
        )
    return say(
        "Set-ups tried: {tried}. None is fair to {limit:.0f} VP; this is the fairest.",
        tried=found.tried,
        limit=FAIR_VP,
    )
