"""What one player has, by photo: looked at by that player's seat alone, and kept when he says so (rules 12.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.errors import CompanionError
from companion.history.kept import GameKey
from companion.language.phrase import say, term
from companion.progress import TellShare
from companion.rules.engine.djinns import DJINNS
from companion.rules.model.components import Colour
from companion.table.hands import SeenHand
from companion.table.seats import Seat
from companion.web.game_views import GameView, game_view, requested_view
from companion.web.player_pages import asked_colour, colour_to_tell, holdings_typed
from companion.web.reading_pages import found_photos
from companion.web.responder import Responder
from companion.web.scans import PhotoForms, ResultCache
from companion.web.uploads import sent_form

SEE_HAND = "companion.table.seeing_hands:see_hand"
"""What looks at photos of a hand, for a worker."""

MAX_HANDS = 40
"""Hands remembered; a photo as it is shown takes some 0.3 MB."""

_NOT_YOUR_PHOTO = say("This photo is for the player's own phone that took it.")


@dataclass(frozen=True, slots=True)
class HandScan:
    """What photos of a player's things told, of which game they are, and the seat that sent them."""

    hand: SeenHand
    game: GameKey
    colour: Colour
    seat: Seat


def hand_routes(responder: Responder) -> list[BaseRoute]:
    """The routes of these pages."""
    pages = _HandPages(responder)
    place = "/games/{key}/players/{colour}/photos"
    return [
        Route(place, pages.send, methods=["POST"]),
        Route("/readings/{reading}/hand", pages.take_from_table, methods=["POST"]),
        Route(place + "/{scan}", pages.hand),
        Route(place + "/{scan}/photo-{number:int}.jpg", pages.photo),
        Route(place + "/{scan}/crops/{label}.jpg", pages.crop),
        Route(place + "/{scan}/cards/{label}", pages.tell, methods=["POST"]),
    ]


class _HandPages:
    def __init__(self, responder: Responder) -> None:
        self._responder = responder
        self._services = responder.services
        self._forms = PhotoForms(responder)
        self._results: ResultCache[HandScan] = ResultCache(MAX_HANDS)

    async def send(self, request: Request) -> Response:
        """Photos of what a player has; nothing of them is written to disk."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        colour = asked_colour(request, seen)
        return self._begin(request, seen, colour, await self._forms.photos(request))

    async def take_from_table(self, request: Request) -> Response:
        """Photos that were sent as of the table and show what a player has: no longer kept, and looked at as his."""
        self._responder.check_open()
        sent = await found_photos(self._services.readings, request)
        if sent.game is None:
            raise HTTPException(404)
        seen = await game_view(self._responder, GameKey(sent.game), self._responder.seat(request))
        async with sent_form(request) as form:
            colour = colour_to_tell(str(form.get("colour", "")), seen)
        return self._begin(request, seen, colour, await self._services.readings.withdraw(sent))

    def _begin(self, request: Request, seen: GameView, colour: Colour, photos: list[bytes]) -> Response:
        place = f"/games/{seen.key}/players/{colour.value}"

        async def see(tell: TellShare) -> str:
            # What others hold is not known to a seat, and so to nothing that is told of its photo.
            hand: SeenHand = await self._services.reader.run(SEE_HAND, photos, seen.position, colour, tell=tell)
            return f"{place}/photos/{self._results.put(HandScan(hand, seen.key, colour, seen.seat))}"

        job = self._services.jobs.begin(say("Looking at what {player} has", player=term(colour)), see, back=place)
        return self._responder.go_on(request, f"/jobs/{job.key}")

    async def hand(self, request: Request) -> Response:
        """What was found: first what is in doubt, then the form, filled in."""
        seen = await requested_view(self._responder, request)
        return self._page(request, seen, self._found(request, seen))

    def _page(self, request: Request, seen: GameView, scan: HandScan, fault: str | None = None) -> Response:
        hand = scan.hand
        before = seen.position.player(scan.colour)
        after = hand.player(before)
        return self._responder.page(
            request,
            "hand.html",
            seen.context,
            status=200 if fault is None else 422,
            scan_key=request.path_params["scan"],
            colour=scan.colour,
            hand=hand,
            questions=() if request.query_params.get("fill") else hand.questions,
            left_open=len(hand.questions),
            player=after,
            typed=holdings_typed(after),
            djinns=list(DJINNS),
            fault=fault,
        )

    async def photo(self, request: Request) -> Response:
        scan = self._found(request, await requested_view(self._responder, request))
        number = int(request.path_params["number"])
        if not 1 <= number <= len(scan.hand.photos):
            raise HTTPException(404)
        return _own_picture(scan.hand.photos[number - 1].content)

    async def crop(self, request: Request) -> Response:
        scan = self._found(request, await requested_view(self._responder, request))
        content = (scan.hand.crops or {}).get(request.path_params["label"])
        if content is None:
            raise HTTPException(404)
        return _own_picture(content)

    async def tell(self, request: Request) -> Response:
        """An answer about a card, a coin or a title; nothing of the game changes by it."""
        self._responder.check_open()
        seen = await requested_view(self._responder, request)
        self._found(request, seen)
        async with sent_form(request) as form:
            answer = str(form.get("name", ""))
        # Looked up after the form has come: another answer may have come meanwhile.
        scan = self._found(request, seen)
        try:
            hand = scan.hand.with_answer(request.path_params["label"], answer)
        except CompanionError as error:
            return self._page(request, seen, scan, str(error))
        key = request.path_params["scan"]
        self._results.change(key, replace(scan, hand=hand))
        return self._responder.go_on(request, f"/games/{seen.key}/players/{scan.colour.value}/photos/{key}")

    def _found(self, request: Request, seen: GameView) -> HandScan:
        """The photos of an address, for the seat that sent them."""
        colour = asked_colour(request, seen)
        scan = self._results.get(request.path_params["scan"])
        if (scan.game, scan.colour, scan.seat) != (seen.key, colour, seen.seat):
            raise HTTPException(403, _NOT_YOUR_PHOTO)
        return scan


def _own_picture(content: bytes) -> Response:
    """A picture that a phone must not keep: its next seat may be another."""
    return Response(content, media_type="image/jpeg", headers={"Cache-Control": "no-store"})
