"""Photos: sent, read, looked at tile by tile, and taken into a game."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from starlette.responses import Response

from companion.asking.sheets import answers, number_in, tile_of, tile_sheet
from companion.errors import (
    CompanionError,
    ConflictError,
    ImpossiblePositionError,
    NotationError,
    Problem,
    fault_line,
)
from companion.history.saved import GameKey
from companion.language.phrase import Phrase, say
from companion.notation.files import format_json, parse_position
from companion.notation.score_entries import clear_day
from companion.notation.tokens import format_board, parse_tile, whole_number
from companion.rules.engine.legality import problems
from companion.rules.model.board import SQUARE_NAMES, Board, Tile, parse_square
from companion.table.advising import TableAdvice
from companion.table.comparing import (
    TablePart,
    TileCheck,
    board_to_compare,
    check_of,
    corrected_since,
    moved_tiles,
    offered_for,
    part_differences,
    photographed,
    tiles_to_check,
    tiles_to_look_at,
)
from companion.table.games import open_table
from companion.table.photos import TableReading
from companion.table.seats import Seat, Spectator, may_change, visible_position
from companion.web.pages.forms import REVISION, filled, merged, sent_lines, sent_name
from companion.web.pages.game_pages import asked_square
from companion.web.pages.game_visit import GameView, GameVisit, begin_game, game_post, game_view
from companion.web.pages.visit import Visit, cached_picture, get, post
from companion.web.store.jobs import Job, progress_events
from companion.web.store.sent_photos import SentPhotos

READ = say("read from photos")
GONE_ON = say(
    "The game has moved on since this photo was added, so your change wasn't made: tap a tile on this board to "
    "correct it."
)
_SAME = say("The photo matches the game.")
_GOES_ON = say("The game continues from the photo.")


async def _send(visit: Visit) -> Response:
    photos = await visit.services.photos.begin(await visit.photos(), None)
    return visit.go_on(f"/readings/{photos.key}")


async def _send_for_game(visit: GameVisit) -> Response:
    board = format_board(visit.view.game.position.board)
    photos = await visit.services.photos.begin(await visit.photos(), visit.view.key, board)
    return visit.go_on(f"/readings/{photos.key}")


async def _reading(visit: Visit) -> Response:
    photos = await _photos(visit)
    job: Job[Any] = photos.job
    if photos.seen is not None:
        advice = await _thought_about(visit, photos, photos.seen)
        if advice is None or advice.has_ended:
            return await _read_page(visit, photos, photos.seen)
        job = advice
    if photos.codes is not None:
        return visit.go_on(f"/scans/{visit.services.scans.put(photos.codes, photos.key)}")
    context: dict[str, object] = {"reading_id": photos.key, "game_key": photos.game, "job": job}
    if job.fault:
        context |= await _holders(visit, photos)
        return visit.page("reading.html", context, stage="failed", fault=job.fault)
    return visit.page("reading.html", context, stage="reading")


async def _thought_about(visit: Visit, photos: SentPhotos, seen: TableReading) -> Job[TableAdvice] | None:
    """What the next turn hangs on of the tiles to check; None where none are asked about, or nobody is known to play.

    That is by what lies open, so that no seat learns by it what others hold (rules 12.2).
    """
    if photos.advice is None and photos.accepted is None and (game := await _game(visit, photos)) is not None:
        board = _compared(seen, game)
        after = visible_position(photographed(game.game, seen.position), Spectator.SPECTATOR)
        asked = [parse_square(check.label) for check in tiles_to_check(seen, board)]
        others = seen.as_read.alternatives
        doubts = {square: others[square] for square in asked if square in others}
        if (
            doubts
            and board is not None
            and after.to_move is not None
            and not (game.game.is_over or game.game.is_bidding)
        ):
            photos.advice = visit.services.adviser.ask(photos.key, after, doubts)
    return photos.advice


def _look_well(photos: SentPhotos, checks: Sequence[TileCheck]) -> tuple[str | None, bool]:
    """The tile to be looked at most closely, first where most is at stake, and whether the best turn hangs on it."""
    turns = None if photos.advice is None or photos.advice.result is None else photos.advice.result.turns
    for tile in () if turns is None else turns.worth_a_look:
        if SQUARE_NAMES[tile.square] in [check.label for check in checks]:
            return SQUARE_NAMES[tile.square], True
    return (checks[0].label if checks else None), False


async def _read_page(
    visit: Visit, photos: SentPhotos, seen: TableReading, fault: CompanionError | None = None
) -> Response:
    game = await _game(visit, photos, visit.seat)
    if game is None:
        faults: Sequence[Problem] = problems(seen.position)
    else:
        faults = game.new_faults(photographed(game.game, seen.position_in(game.game.position.board)))
    board = _compared(seen, game)
    checks, cards, told = tiles_to_look_at(seen, board), seen.open_doubts, seen.corrected
    first, decides = _look_well(photos, checks)
    labels = [*(check.label for check in checks), *(card.label for card in cards)]
    waiting = [label for label in labels if label not in told]
    return visit.page(
        "reading.html",
        {**_check_context(photos, seen, board), **({} if seen.shows_board else await _holders(visit, photos))},
        fault=fault,
        game_key=photos.game,
        revision=None if game is None else game.revision.number,
        stage="done",
        seen=seen,
        shows_board=seen.shows_board,
        photo_url=f"/readings/{photos.key}/photo.jpg" if seen.view is not None else None,
        photo_size=seen.size,
        checks=sorted(checks, key=lambda check: check.label != first),
        decides=decides,
        cards=cards,
        told=told,
        waiting=len(waiting),
        open=[parse_square(label) for label in waiting if label in SQUARE_NAMES],
        moved=[] if board is None else [one for one in moved_tiles(seen, board) if one not in checks],
        is_other_table=game is not None and board is None,
        parts=part_differences(game.game.position, seen.position) if game is not None else (),
        told_squares=seen.corrected_tiles,
        faults=[fault_line(problem) for problem in faults],
    )


def _check_context(photos: SentPhotos, seen: TableReading, board: Board | None) -> dict[str, object]:
    """What tiles are shown with beside what they may be."""
    return {
        "reading_id": photos.key,
        "crops": seen.crops,
        "answered": photos.answered,
        "offers_of": lambda name: offered_for(seen, board, parse_square(name)),
        "in_game": {} if board is None else dict(zip(SQUARE_NAMES, board, strict=True)),
    }


async def _holders(visit: Visit, photos: SentPhotos) -> dict[str, object]:
    """Whose hand photos without a board may show: the players whose hands the seat may tell (rules 12.2)."""
    game = None if photos.accepted is not None else await _game(visit, photos, visit.seat)
    if game is None:
        return {"holders": ()}
    holders = [colour for colour in game.position.colours if may_change(game.game, visit.seat, colour)]
    return {"holders": holders, "names": game.names}


async def _events(visit: Visit) -> Response:
    photos = await _photos(visit)
    job: Job[Any] = photos.job if photos.advice is None else photos.advice
    return progress_events(job, visit.services.hub, photos.key, visit.language)


async def _photo(visit: Visit) -> Response:
    return cached_picture(visit.request, (await _seen(visit)).view)


async def _crop(visit: Visit) -> Response:
    return cached_picture(visit.request, (await _seen(visit)).crops.get(visit.param("name")))


async def _tile(visit: Visit, lines: Mapping[str, str] | None = None, fault: CompanionError | None = None) -> Response:
    photos, seen, square = await _photos(visit), await _seen(visit), asked_square(visit)
    board = _compared(seen, await _game(visit, photos))
    return visit.page(
        "tile.html",
        _check_context(photos, seen, board),
        fault=fault,
        check=check_of(seen, board, square),
        square=square,
        asked=filled(tile_sheet(seen.position.board[square]), lines),
        shown=str(seen.position.board[square]),
    )


async def _answer_tile(visit: Visit) -> Response:
    """An answer about a tile; back to the photo, where the tile is."""
    photos, square, lines = await _photos(visit), asked_square(visit), None
    try:
        answered = whole_number(visit.field("answered"))
        if token := visit.field("tile"):
            tile = parse_tile(token)
        else:
            # What somebody else has told of other parts of the tile since stays so.
            now, shown = tile_sheet((await _seen(visit)).position.board[square]), visit.field("shown")
            before = tile_sheet(parse_tile(shown)) if shown else now
            answered = photos.answered(SQUARE_NAMES[square]) if shown else answered
            lines, fault = merged(before, sent_lines(before, visit.form), now, visit.form)
            if fault:
                raise fault
            tile = tile_of(answers(now, lines))
        await visit.services.photos.tell_tile(photos, square, tile, answered)
    except (NotationError, ConflictError) as error:
        return await _tile(visit, lines, error)
    return visit.go_on(f"/readings/{photos.key}#{SQUARE_NAMES[square]}")


async def _answer_card(visit: Visit) -> Response:
    photos, seen = await _photos(visit), await _seen(visit)
    try:
        await visit.services.photos.tell_card(photos, visit.param("label"), visit.field("name"))
    except CompanionError as error:
        return await _read_page(visit, photos, seen, error)
    return visit.go_on(f"/readings/{photos.key}")


async def _accept(visit: Visit) -> Response:
    """The reading as it stands now goes into its game, or begins one.

    A second time it leads there again, and what was told since is put right in the game. With `rest`, the tiles
    that the phone showed as still to be looked at are taken as told.
    """
    photos, jobs = await _photos(visit), visit.services.photos
    confirmed, expected = _sent_tiles(visit.field("rest")), number_in(visit.field("revision"), REVISION)
    unchanged = {part for part in TablePart if visit.field(part) == "game"}
    seen = await _seen(visit)
    try:
        async with photos.writing:
            if photos.accepted is None:
                await _check_game(visit, photos, expected)
            await jobs.confirm(photos, confirmed)
            # Another phone may have told of a tile meanwhile.
            seen = await jobs.seen(photos)
            toast = None
            if photos.accepted is None:
                toast = await _take_over(visit, photos, seen, unchanged)
            elif photos.taken not in ("", format_json(seen.position)):
                toast = await put_right(visit, photos, seen)
    except ImpossiblePositionError as error:
        return await _read_page(visit, photos, seen, error)
    game = open_table(visit.services.history.current(GameKey(str(photos.accepted))).text)
    asks_who_plays = game.mover is None and not game.is_over and toast is not GONE_ON
    return visit.go_on(f"/games/{photos.accepted}{'/players' if asks_who_plays else ''}", toast)


async def _check_game(visit: Visit, photos: SentPhotos, expected: int | None) -> None:
    """Raises ConflictError where the game that photos are for has gone on since they were shown beside it."""
    game = await _game(visit, photos)
    if game is not None and expected not in (None, game.revision.number):
        raise ConflictError("The game has moved on: compare what the photo shows with the game as it is now.")


async def _take_over(
    visit: Visit, photos: SentPhotos, seen: TableReading, unchanged: Collection[TablePart]
) -> Phrase | None:
    """Make a game of a reading, or take it into its own; what is to be said of that."""
    jobs = visit.services.photos
    game = await _game(visit, photos, visit.seat)
    if game is None:
        await jobs.accept(photos, await _begin(visit, seen), seen.position)
        return None
    before = game.game.position
    position = photographed(game.game, seen.position_in(before.board), unchanged)
    if position != before:
        if faults := game.new_faults(position):
            raise ImpossiblePositionError(faults)
        await game.change(await game.continued(position), READ)
    await jobs.accept(photos, game.key, seen.position)
    return _SAME if position == before else _GOES_ON


async def put_right(visit: Visit, photos: SentPhotos, seen: TableReading) -> Phrase:
    """Take what was told since the reading went into a game into that game; what is to be said of that."""
    game = await game_view(visit.services, str(photos.accepted), visit.seat)
    position = corrected_since(game.game, parse_position(photos.taken), seen.position)
    if position is None:
        return GONE_ON
    if photos.game is not None and (faults := game.new_faults(position)):
        raise ImpossiblePositionError(faults)
    if position != game.game.position:
        await game.change(await game.continued(position), READ)
    await visit.services.photos.accept(photos, game.key, seen.position)
    return _GOES_ON


async def _begin(visit: Visit, seen: TableReading) -> str:
    outcome = seen.reading.outcome
    names, date = ({}, "") if outcome is None else (dict(outcome.names), clear_day(outcome.date))
    place = "" if outcome is None else sent_name(outcome.place)
    key, _ = await begin_game(visit.services, seen.position, names, summary=str.__str__(READ), date=date, place=place)
    return key


async def _photos(visit: Visit) -> SentPhotos:
    return await visit.services.photos.find(visit.param("reading"))


async def _seen(visit: Visit) -> TableReading:
    return await visit.services.photos.seen(await _photos(visit))


async def _game(visit: Visit, photos: SentPhotos, seat: Seat = None) -> GameView | None:
    """The game that photos were sent for, as it stands, for a phone in a seat; None for photos of a new one."""
    return None if photos.game is None else await game_view(visit.services, photos.game, seat)


def _sent_tiles(text: str) -> dict[int, Tile]:
    """Tiles by square as a button names them ("c3=V5:yy a1=S15"). Raises NotationError for what is none."""
    pairs = [part.partition("=") for part in text.split()]
    return {parse_square(name): parse_tile(tile) for name, _, tile in pairs}


def _compared(seen: TableReading, game: GameView | None) -> Board | None:
    return None if game is None else board_to_compare(seen, game.game.position.board)


ROUTES = (
    post("/photos", _send, reads_form=False),
    game_post("/photos", _send_for_game, reads_form=False),
    get("/readings/{reading}", _reading),
    get("/readings/{reading}/events", _events),
    get("/readings/{reading}/photo.jpg", _photo),
    get("/readings/{reading}/crops/{name}.jpg", _crop),
    get("/readings/{reading}/tiles/{square}", _tile),
    post("/readings/{reading}/tiles/{square}", _answer_tile),
    post("/readings/{reading}/cards/{label}", _answer_card),
    post("/readings/{reading}/accept", _accept),
)
