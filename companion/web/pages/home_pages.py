"""The first page, new games and cards scanned for them, the phone's language and seat, jobs, and what pages load."""

from __future__ import annotations

import asyncio
import mimetypes
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from companion.advisor.advice import FAIR_VP, FairSetup
from companion.asking.sheets import answers, names_of, number_in, setup_sheet, ticked
from companion.errors import CompanionError, NoSuchGameError, UnusableInputError
from companion.history.saved import GameKey, SavedGame
from companion.language.choice import known_language
from companion.language.phrase import Phrase, capitalised, say
from companion.notation.files import parse_position
from companion.notation.names import check_names
from companion.notation.outcome import Outcome
from companion.rules.engine.setup import can_play, random_setup
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.system.progress import TellShare
from companion.table.games import TableGame
from companion.table.seats import sees_all
from companion.web.pages.addresses import HERE
from companion.web.pages.forms import WHO_CAN_PLAY, filled, sent_lines
from companion.web.pages.game_visit import begin_game, game_of
from companion.web.pages.guard import KEY_PATH, set_session_cookie
from companion.web.pages.templating import ASSETS, asset_checksum
from companion.web.pages.visit import LANGUAGE_COOKIE, NO_CONTEXT, Visit, get, own_path, post
from companion.web.store.jobs import progress_events
from companion.web.store.services import Services
from companion.web.store.sessions import COOKIE_AGE_S, parse_seat

if TYPE_CHECKING:
    from companion.table.scanning import ScannedCodes

MAX_GAMES_SHOWN = 60
MAX_OPENED = 5
"""How many unfinished games are opened for a list."""

DRAWN_SEEDS = 1_000_000
"""A seed that nobody chose is below this: short enough to be said across a table."""

_KINDS = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""What browsers insist on, whatever the system's own list says."""


async def _home(visit: Visit, lines: Mapping[str, str] | None = None, fault: CompanionError | None = None) -> Response:
    """The first page: the game that is going on, the ways to begin one, the latest games, and what to scan."""
    history, invitation = visit.services.history, _invitation(visit)
    again, sheet = None if lines else await asked_again(visit), setup_sheet()
    if again is not None:
        hides_points = bool(again.settings.get("hide_points"))
        sheet = setup_sheet(again.players.keys(), again.players, again.place, hides_points=hides_points)
    games = await asyncio.to_thread(history.games, most=MAX_GAMES_SHOWN)
    listed = await asyncio.to_thread(listed_games, visit, games)
    page = visit.page(
        "home.html",
        asked=filled(sheet, lines),
        opened=fault is not None or again is not None,
        fault=fault,
        last_names=await asyncio.to_thread(history.names),
        games=listed,
        going=next((game for game in listed if not game["is_finished"]), None),
        may_delete=visit.seat is None,
        may_sit=not visit.services.read_only,
        invitation=invitation,
        notices=(*history.notices, *map(str, history.spoilt.values())),
    )
    if invitation:
        # The key is in it, and how small a page becomes tells of what is in it (BREACH).
        page.headers["Content-Encoding"] = "identity"
    return page


async def asked_again(visit: Visit) -> SavedGame | None:
    """The game whose players an address names; None where it names none that is saved."""
    with suppress(NoSuchGameError):
        key = GameKey(visit.request.query_params.get("again", ""))
        return await asyncio.to_thread(visit.services.history.game, key)
    return None


def listed_games(visit: Visit, games: Sequence[SavedGame]) -> list[dict[str, object]]:
    """Games as they stand in a list, the latest unfinished ones with their round and the points that the phone sees."""
    unfinished = [game.key for game in games if game.finished is None][:MAX_OPENED]
    return [{**_listed(game), **(_standing(visit, game) if game.key in unfinished else {})} for game in games]


def _listed(game: SavedGame) -> dict[str, object]:
    return {
        "key": game.key,
        "started": game.date,
        "place": game.place,
        "players": list(game.players.items()),
        "points": {colour: result.total_words for colour, result in game.results.items()},
        "winners": game.winners,
        "is_finished": game.finished is not None,
        "round": None,
    }


def _standing(visit: Visit, saved: SavedGame) -> dict[str, object]:
    """How a game that goes on stands; nothing of one that cannot be opened, which its own page says."""
    game = _opened(visit.services, saved)
    if game is None:
        return {}
    shows_points = sees_all(game, visit.seat) and not saved.settings.get("hide_points")
    points = {colour: game.result.total_words(colour) for colour in game.position.colours if shows_points}
    return {"round": game.round, "points": points, "players": _named(saved, game)}


def _named(saved: SavedGame, game: TableGame) -> list[tuple[Colour, str]]:
    return [(colour, saved.players.get(colour, "")) for colour in game.position.colours]


def _invitation(visit: Visit) -> str:
    """The address by which another phone comes in; "" where there is none, or the phone only looks on."""
    if visit.read_only and not visit.services.read_only:
        return ""
    url = visit.request.url
    if url.hostname in ("localhost", HERE, "::1"):
        return visit.services.address
    return f"{url.scheme}://{url.netloc}{KEY_PATH}{visit.services.key}"


async def _who(visit: Visit) -> Response:
    """Whose phone this is: asked when it comes to a game that goes on."""
    games = await asyncio.to_thread(visit.services.history.games, most=MAX_GAMES_SHOWN)
    going = next((game for game in games if game.finished is None), None)
    game = None if going is None else await asyncio.to_thread(_opened, visit.services, going)
    if visit.services.read_only or going is None or game is None:
        return visit.go_on("/")
    return visit.page("who.html", game_key=going.key, players=_named(going, game))


def _opened(services: Services, saved: SavedGame) -> TableGame | None:
    with suppress(CompanionError):
        return game_of(services.history.current(saved.key))
    return None


def _check_table(visit: Visit) -> None:
    visit.check_open()
    if visit.seat is not None:
        raise HTTPException(403, say("Only the shared phone can delete a game."))


async def _ask_to_delete(visit: Visit) -> Response:
    _check_table(visit)
    saved = await asyncio.to_thread(visit.services.history.game, GameKey(visit.param("key")))
    return visit.page("delete.html", game=_listed(saved))


async def _delete(visit: Visit) -> Response:
    _check_table(visit)
    key = GameKey(visit.param("key"))
    await visit.services.photos.forget(key)
    await asyncio.to_thread(visit.services.history.forget, key)
    return visit.go_on("/", say("The game is deleted."))


async def _language(visit: Visit) -> Response:
    chosen = known_language(visit.field("language"))
    answer = visit.go_on(own_path(visit.field("path")))
    if chosen is not None:
        answer.set_cookie(LANGUAGE_COOKIE, chosen, max_age=COOKIE_AGE_S, path="/", httponly=True, samesite="strict")
    return answer


async def _seat(visit: Visit) -> Response:
    try:
        seat = parse_seat(visit.field("seat"))
    except ValueError:
        raise UnusableInputError("there is no seat of that colour") from None
    answer = visit.go_on(own_path(visit.field("path")))
    # What was to be said to the seat before is not for this one.
    visit.services.notices.pop(visit.session.device, None)
    set_session_cookie(answer, visit.services.cookie, replace(visit.session, seat=seat), visit.services.key)
    return answer


async def _favicon(visit: Visit) -> Response:
    """The icon of what is no page and names none, such as a picture or a PDF."""
    return visit.go_on("/assets/icon-192.png")


async def _asset(visit: Visit) -> Response:
    """A file that pages load.

    Its address in a page changes with it, so that phones may keep it; where another file names it (a module, the
    manifest) they ask whether it is still the same.
    """
    known = await asyncio.to_thread(lambda: {path.name: path for path in ASSETS.iterdir() if path.is_file()})
    path = known.get(visit.param("name"))
    if path is None:
        raise HTTPException(404)
    checksum = asset_checksum(path.name)
    is_dated = visit.request.query_params.get("v") == checksum
    headers = {
        "Cache-Control": "private, max-age=31536000, immutable" if is_dated else "private, no-cache",
        "ETag": f'"{checksum}"',
    }
    if visit.request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    kind = _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return Response(await asyncio.to_thread(path.read_bytes), media_type=kind, headers=headers)


# New games: set up at random, so that all have an equally good start, or from a code.


async def _begin(visit: Visit) -> Response:
    """A new game; a fair one is looked for while its page waits."""
    sheet, services = setup_sheet(), visit.services
    lines = sent_lines(sheet, visit.form)
    try:
        # What is hidden beside a code counts for nothing.
        asked = answers(sheet, {**lines, "seed": "" if lines["how"] == "code" else lines["seed"]})
        plays = ticked(asked, "plays")
        names = {colour: name for colour, name in names_of(asked).items() if colour in plays}
        check_names(names.values())
        if asked["how"] == "code":
            if not asked["code"]:
                raise UnusableInputError("Type the code of the set-up card, or choose another way to begin.")
            position = await asyncio.to_thread(parse_position, asked["code"])
            return visit.go_on(await _save_game(services, asked, names, position))
        seed = services.random.randrange(DRAWN_SEEDS) if asked["seed"] is None else asked["seed"]
        if not can_play(plays):
            raise UnusableInputError(WHO_CAN_PLAY)
        position = random_setup(len(plays), seed, colours=plays)
    except CompanionError as error:
        return await _home(visit, lines, error)
    if asked["how"] != "fair":
        return visit.go_on(await _save_game(services, asked, names, position, {"seed": seed}))

    async def look(tell: TellShare) -> str:
        fair = await services.adviser.fair_setup(position.colours, seed, tell)
        settings = {"seed": fair.seed, "spread": round(fair.fairness.spread, 2)}
        address = await _save_game(services, asked, names, fair.position, settings)
        services.notify(visit.session.device, _fair_words(fair))
        return address

    return visit.go_on(services.jobs.begin(capitalised(say("looking for a fair set-up")), look, back="/"))


async def _save_game(
    services: Services,
    asked: Mapping[str, Any],
    names: Mapping[Colour, str],
    position: Position,
    settings: Mapping[str, object] = NO_CONTEXT,
) -> str:
    """A game begun with a position, as `setup_sheet` was answered; the address where it goes on."""
    hidden = {"hide_points": True} if asked["hide_points"] else {}
    key, game = await begin_game(
        services,
        position,
        {colour: name for colour, name in names.items() if colour in (position.colours or Colour)},
        summary="set up",
        date=asked["date"],
        place=asked["place"],
        settings={**settings, **hidden},
    )
    if game.is_over and position.colours:
        return f"/games/{key}/score"
    return f"/games/{key}" if game.playing else f"/games/{key}/players"


def _fair_words(fair: FairSetup) -> Phrase:
    if fair.fairness.within:
        return say(
            "The first turns of this set-up are worth the same to within {spread:.1f} VP.", spread=fair.fairness.spread
        )
    return say(
        "Set-ups tried: {tried}. None is fair to within {limit:.0f} VP; this is the fairest.",
        tried=fair.tried,
        limit=FAIR_VP,
    )


# Set-up cards and score sheets photographed: their code begins that game, or keeps that result.


async def _scan(visit: Visit) -> Response:
    """What the codes tell; of several tables the one that was chosen by its number from 1."""
    key = visit.param("scan")
    codes: ScannedCodes = visit.services.scans.get(key)
    chosen = number_in(visit.request.query_params.get("table"), say("the number of a code"))
    tables = codes.tables
    if chosen is not None and 1 <= chosen <= len(tables):
        tables = (tables[chosen - 1],)
    table = tables[0] if len(tables) == 1 else None
    outcome = None if table is None else codes.outcome_of(table)
    return visit.page(
        "scan.html",
        scan_key=key,
        tables=codes.tables,
        last_names=await asyncio.to_thread(visit.services.history.names),
        table=table,
        outcome=outcome,
        asked=filled(setup_sheet() if outcome is None else setup_sheet((), outcome.names, outcome.place)),
        results=list(enumerate(codes.lone_outcomes, 1)),
    )


async def _save_result(visit: Visit) -> Response:
    """Keep a result whose table no code tells; one that is saved already is not saved twice."""
    codes: ScannedCodes = visit.services.scans.get(visit.param("scan"))
    number, results = number_in(visit.field("result"), say("the number of a code")), codes.lone_outcomes
    if number is None or not 1 <= number <= len(results):
        raise HTTPException(404)
    _, new = await asyncio.to_thread(save_outcome, visit.services, results[number - 1])
    return visit.go_on("/history", say("Saved.") if new else say("This result was already saved."))


_KEEPING = threading.Lock()
"""A double tap sends a result twice at once."""


def save_outcome(services: Services, outcome: Outcome, sheet: str = "") -> tuple[GameKey, bool]:
    """The game of an outcome, which begins with its `sheet` where there is one, and whether it is new."""
    with _KEEPING:
        if (known := services.history.at_outcome(outcome.text)) is not None:
            return known, False
        key = services.history.begin(sheet or outcome.text, summary="score")
        if sheet:
            services.history.change(key, outcome.text, summary="score", new_part=True)
        services.history.finish(key)
        return key, True


# The page that waits for a job.


async def _job(visit: Visit) -> Response:
    page = visit.services.jobs.get(visit.param("job"))
    if page.job.result:
        return visit.go_on(page.job.result)
    return visit.page("job.html", key=visit.param("job"), page=page, fault=page.job.fault)


async def _job_events(visit: Visit) -> Response:
    key = visit.param("job")
    return progress_events(visit.services.jobs.get(key).job, visit.services.hub, key, visit.language)


ROUTES = (
    get("/", _home),
    get("/who", _who),
    get("/games/{key}/delete", _ask_to_delete),
    post("/games/{key}/delete", _delete),
    post("/language", _language, changes=False),
    post("/seat", _seat, changes=False),
    get("/assets/{name}", _asset),
    get("/favicon.ico", _favicon),
    post("/games", _begin),
    get("/scans/{scan}", _scan),
    post("/scans/{scan}/results", _save_result),
    get("/jobs/{job}", _job),
    get("/jobs/{job}/events", _job_events),
)
