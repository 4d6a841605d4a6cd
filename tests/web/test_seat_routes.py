"""Two games that differ in a hidden hand alone look the same from every seat (rules 12.2): all addresses, all forms.

Each route of the table has to be in `ASKED`, so that none that comes later is forgotten. A game in the middle of a turn
is asked for all of it, any other situation for what reaches code of its own there.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route

from companion.asking.tapping import tapped_turn
from companion.errors import UnusableInputError
from companion.history.saved import GameKey
from companion.rules.model.components import CARD_COUNTS, COINS_GC, FAKIR, GOODS, Colour
from companion.rules.model.position import Bid, Phase, Position
from companion.system.progress import TellShare
from companion.table.games import TableGame, begin_table, played
from companion.table.photo_reading import Answers, answered, table_reading
from companion.table.photos import TableReading
from companion.table.seats import conflicts
from companion.vision.reading.session import PhotoSession
from companion.vision.readings import Reading, TileReading
from companion.web.pages import player_pages
from companion.web.server.app import all_routes
from companion.web.store import adviser
from tests.web.at_table import JPEG, MID, AtTable, Phone, seen_start

BLUE, ORANGE, BLACK, PINK = Colour.BLUE, Colour.ORANGE, Colour.BLACK, Colour.PINK
Fields = Mapping[str, object]
HERE = "tests.web.test_seat_routes"


def echo(*arguments: object) -> object:
    """In place of what a worker does: its answer is all that it was given."""
    raise UnusableInputError(f"given {arguments[:-1]!r}")


def see_ivory(files: list[str], own_set: bool, board: str, answers: Answers, tell: TellShare) -> TableReading:
    """The table of these games as if it had been read, with a row in which all ivory and jewels lie."""
    shown = replace(middle(), players=(), row=("ivory", "ivory", "jewels", "fish"), to_move=None, phase=None)
    shown = replace(shown, bid_order=None, turn_order=None)
    seen = seen_start(files, own_set, board, answers, tell)
    tiles = tuple(
        TileReading(tile, seen.reading.doubts.get(square, 0.99), ("one less",) * (square in seen.reading.doubts))
        for square, tile in enumerate(shown.board)
    )
    reading = Reading(shown, tiles, turned=0, homography=seen.reading.homography)
    return answered(table_reading(PhotoSession((), reading), seen.view, seen.size, seen.crops), answers)


def middle() -> Position:
    """A game of three in the middle, with room in the row."""
    blue = replace(MID.player(BLUE), fakirs=2, djinns=("Sloar",))
    return replace(MID.with_player(blue), row=("fish", "jewels", "fakir", "wheat"), djinns=("Utug", "Al-Amin"))


def last_of_the_round() -> Position:
    return replace(middle(), bid_order=(BLACK, ORANGE, BLUE), turn_order=())


def bidding() -> Position:
    return replace(middle(), phase=Phase.BID, bid_order=(BLUE, BLACK, ORANGE), turn_order=(), to_move=BLUE)


def kandicha_plays() -> Position:
    """Black is to play before the others."""
    black = replace(middle().player(BLACK), djinns=("Kandicha",))
    order = (Bid(BLACK, 5), Bid(BLUE, 3), Bid(ORANGE, 0))
    return replace(middle().with_player(black), to_move=BLACK, bid_order=(), turn_order=order)


def own_hand_unknown() -> Position:
    blue = replace(middle().player(BLUE), fakirs=None, goods=None)
    return middle().with_player(blue)


def no_order() -> Position:
    return replace(middle(), bid_order=None, turn_order=None)


def a_turn(game: TableGame) -> str:
    """A whole turn of the game's mover, as short as it can be told."""
    told = tapped_turn(game, taps := [])
    while told.line is None:
        assert told.question is not None
        taps.append(told.question.taps[0].token)
        told = tapped_turn(game, taps)
    return told.line


def refill_owed(position: Position) -> TableGame:
    return played(game_of(position), a_turn(game_of(last_of_the_round())))


def merchant_killed(position: Position, drawn: str) -> TableGame:
    """Black has drawn a card for a merchant killed (rules 11); blue is to play."""
    return played(game_of(position), f"black: a2 > b2g > b3g > b4r; 2 assassins kill g on b3: {drawn}; palm")


def game_of(position: Position) -> TableGame:
    return begin_table(position, {}, date="2026-11-22")


def hands(position: Position, seat: Colour | None, *, rare: bool) -> Position:
    """The position with other gold and as many other cards with those whose hands the seat does not see.

    `rare`: all that is rare, all fakirs and all coins are with them, so that nothing of it can come from elsewhere.
    """
    others = [player for player in position.players if player.colour not in (seat, BLUE)]
    if seat not in (None, BLUE, PINK):
        others.append(position.player(BLUE))
    known = [player for player in position.players if player not in others]
    left = dict(CARD_COUNTS)
    for card in (*(position.row or ()), *(position.discards or ())):
        left[card] -= 1
    for player in known:
        left[FAKIR] -= player.fakirs or 0
        for card, held in zip(GOODS, player.goods or (0,) * len(GOODS), strict=True):
            left[card] -= held
    cards = [card for card in sorted(left, key=lambda card: (CARD_COUNTS[card], card)) for _ in range(left[card])]
    fakirs, goods = [card for card in cards if card == FAKIR], [card for card in cards if card != FAKIR]
    rest = COINS_GC - sum(player.gold or 0 for player in known)
    given = (goods[:8], fakirs) if rare else (goods[-8:], goods[-8 - len(fakirs) : -8])
    for player, hand, gold in zip(others, given, ((rest - 5, 5) if rare else (20, 20)), strict=True):
        counts = tuple(hand.count(good) for good in GOODS)
        position = position.with_player(replace(player, gold=gold, fakirs=hand.count(FAKIR), goods=counts))
    return position


GAME = "/games/{key}"
PLAYER = GAME + "/players/{colour}"
ACCEPTED = ("/photos", "/readings/{reading}", "/readings/{reading}/accept")


@dataclass(frozen=True)
class Situation:
    """A game as it stands, after a clean-up that is owed or a turn in which a merchant was killed.

    `asks` is what can be different there from the first situation, of which everything is asked: below the game's page.
    """

    name: str
    position: Position
    asks: tuple[str, ...] = ()
    owes: bool = False
    kills: bool = False

    @property
    def is_turn(self) -> bool:
        return self.position.phase is Phase.TURN and not self.owes

    def game(self, seat: Colour | None, *, rare: bool) -> TableGame:
        position = hands(self.position, seat, rare=rare)
        if self.kills:
            return merchant_killed(position, "fish" if rare else "ivory")
        return refill_owed(position) if self.owes else game_of(position)


SITUATIONS = (
    Situation("turn", middle()),
    Situation("bidding", bidding(), ("", "/players", "/hint", "/bid", "/play", "/turn-photos", "/shutter")),
    Situation("refill", last_of_the_round(), ("", "/refill", "/undo", "/turn", "/bid", "/hint", *ACCEPTED), owes=True),
    Situation("last turn", last_of_the_round(), ("", "/play", "/turn")),
    Situation("own hand unknown", own_hand_unknown(), ("", "/missing", "/players/{colour}", "/hint", "/play")),
    Situation("no order", no_order(), ("", "/players", "/undo", "/bid", "/hint", "/play")),
    Situation("row unknown", replace(middle(), row=None, djinns=None), ("", "/missing", "/turn", *ACCEPTED)),
    Situation(
        "merchant killed",
        kandicha_plays(),
        ("", "/undo", "/redo", "/record.txt", "/missing", "/hint", "/turn"),
        kills=True,
    ),
)

TURN = a_turn(game_of(middle())).partition(": ")[2]
TILE = {"tile": "M6:g"}
HAND = PLAYER + "/photos/none"
PLAYED: tuple[Fields, ...] = (
    {"line": TURN},
    {"line": f"use Sloar for fakir; {TURN}"},
    {"line": f"use Sloar for fakir; {TURN}", "seen": "?"},
    *({"line": f"use Sloar for fakir; {TURN}", "seen": card} for card in ("ivory", "jewels", "fakir", "gold", "fish")),
    {"line": f"use Sloar for fakir: ivory; use Sloar for fakir: ivory; {TURN}"},
    *({"line": f"{TURN}; sell {goods}"} for goods in ("ivory", "papyrus", "fish, ivory", "papyrus, spice")),
    {"line": f"{TURN} with 3 fakirs"},
    {"line": "a1 > a2g"},
    {"line": "refill: ivory"},
    {"line": "nonsense"},
)
CAME: tuple[Sequence[str], ...] = (
    ("ivory", "ivory", "jewels", "gold", "silk"),
    ("fakir",) * 5,
    ("ivory",) * 3,
    ("fish", "wheat", "spice", "silk", "gold"),
    ("jewels", "jewels"),
    ("toast",),
    (),
)
HELD: tuple[Fields, ...] = (
    {"gold": 100},
    {"gold": COINS_GC},
    {"gold": COINS_GC + 1},
    {"gold": 3, "goods.ivory": 2, "goods.jewels": 1, "fakirs": 9, "djinns": ["Sloar"]},
    {"goods.ivory": 3},
    {"fakirs": 15},
    {"fakirs": 18},
    {"gold": "x"},
)
ORDERS: tuple[Fields, ...] = (
    {"plays": ["black", "orange", "blue"], "to_move": "orange", "order": ["orange", "blue"], "played": "black"},
    {"plays": ["black", "orange", "blue"], "bidding": "1", "order": ["black", "blue", "orange"], "to_move": "black"},
    {"plays": ["black", "orange"], "to_move": "orange"},
    {"plays": ["black", "orange", "blue"], "to_move": "blue"},
)

Asked = Mapping[tuple[str, str], Sequence[tuple[str, Fields | None]]]


def at(path: str, *queries: str) -> list[tuple[str, Fields | None]]:
    return [(path + query, None) for query in (queries or ("",))]


def forms(path: str, *fields: Fields) -> list[tuple[str, Fields | None]]:
    return [(path, one) for one in (fields or ({},))]


ASKED: Asked = {
    ("GET", "/"): at("/"),
    ("GET", "/who"): at("/who"),
    ("GET", "/count"): at("/count"),
    ("POST", "/count"): forms("/count", {"gold_blue": "1", "gold_pink": "2"}, {"gold_blue": "toast"}),
    ("POST", "/language"): forms("/language", {"language": "it", "path": "/"}, {"language": "en", "path": "/"}),
    ("POST", "/seat"): forms("/seat", {"seat": "toast"}),
    ("GET", "/assets/{name}"): at("/assets/page.js"),
    ("GET", "/favicon.ico"): at("/favicon.ico"),
    ("POST", "/games"): forms("/games", {"how": "random", "plays": ["blue", "pink"]}, {"how": "code", "code": "x"}),
    ("GET", "/jobs/{job}"): at("/jobs/none"),
    ("GET", "/jobs/{job}/events"): at("/jobs/none/events"),
    ("GET", "/scans/{scan}"): at("/scans/none"),
    ("POST", "/scans/{scan}/results"): forms("/scans/none/results", {"result": "1"}),
    ("GET", "/rules"): at("/rules"),
    ("GET", "/rules/{name}"): at("/rules/Utug"),
    ("GET", "/history"): at("/history"),
    ("GET", "/history/plot.svg"): at("/history/plot.svg"),
    ("POST", "/photos"): forms("/photos", {"photos": JPEG}),
    ("POST", GAME + "/photos"): forms(GAME + "/photos", {"photos": JPEG}),
    ("GET", "/readings/{reading}"): at("/readings/{reading}"),
    ("GET", "/readings/{reading}/events"): at("/readings/{reading}/events"),
    ("GET", "/readings/{reading}/photo.jpg"): at("/readings/{reading}/photo.jpg"),
    ("GET", "/readings/{reading}/crops/{name}.jpg"): at("/readings/{reading}/crops/", "c3.jpg", "blue-1.jpg"),
    ("GET", "/readings/{reading}/tiles/{square}"): at("/readings/{reading}/tiles/c3"),
    ("POST", "/readings/{reading}/tiles/{square}"): forms("/readings/{reading}/tiles/c3", TILE, {}),
    ("POST", "/readings/{reading}/cards/{label}"): forms("/readings/{reading}/cards/row-1", {"name": "ivory"}),
    ("POST", "/readings/{reading}/accept"): forms("/readings/{reading}/accept", {"rest": "1", "row": "game"}, {}),
    ("POST", "/readings/{reading}/hand"): [
        *forms("/readings/{reading}/hand", {"colour": "orange"}, {"colour": "toast"}),
        *forms(GAME + "/photos", {"photos": JPEG}),
        *forms("/readings/{reading}/hand", {"colour": "blue"}),
    ],
    ("GET", GAME): at(GAME),
    ("GET", GAME + "/delete"): at(GAME + "/delete"),
    ("POST", GAME + "/delete"): forms(GAME + "/delete"),
    ("GET", GAME + "/events"): at(GAME + "/events"),
    ("GET", GAME + "/tiles/{square}"): at(GAME + "/tiles/c3"),
    ("POST", GAME + "/tiles/{square}"): forms(GAME + "/tiles/c3", TILE, {"kind": "toast"}),
    ("GET", GAME + "/from/{square}"): at(GAME + "/from/c3"),
    ("POST", GAME + "/undo"): forms(GAME + "/undo"),
    ("POST", GAME + "/redo"): forms(GAME + "/redo"),
    ("POST", GAME + "/clock"): forms(GAME + "/clock", {"clock": "on"}, {"clock": "off"}),
    ("GET", GAME + "/players"): at(GAME + "/players"),
    ("POST", GAME + "/players"): forms(GAME + "/players", *ORDERS),
    ("GET", PLAYER): [one for colour in Colour for one in at(PLAYER.replace("{colour}", colour))],
    ("POST", PLAYER): [
        *forms(PLAYER.replace("{colour}", "{seat}"), *HELD),
        *forms(PLAYER.replace("{colour}", "{other}"), HELD[0]),
    ],
    ("POST", PLAYER + "/photos"): forms(PLAYER.replace("{colour}", "{seat}") + "/photos", {"photos": JPEG}),
    ("GET", PLAYER + "/photos/{scan}"): at(HAND.replace("{colour}", "{seat}")),
    ("GET", PLAYER + "/photos/{scan}/photo-{number}.jpg"): at(HAND.replace("{colour}", "{other}") + "/photo-1.jpg"),
    ("GET", PLAYER + "/photos/{scan}/crops/{label}.jpg"): at(HAND.replace("{colour}", "{other}") + "/crops/blue-1.jpg"),
    ("POST", PLAYER + "/photos/{scan}/cards/{label}"): forms(HAND.replace("{colour}", "{seat}") + "/cards/blue-1"),
    ("GET", GAME + "/hint"): at(GAME + "/hint", "?level=1", "?level=3"),
    ("GET", GAME + "/bid"): at(GAME + "/bid"),
    ("GET", GAME + "/hint-on-photo.jpg"): at(GAME + "/hint-on-photo.jpg"),
    ("GET", GAME + "/hint/tiles/{square}.jpg"): at(GAME + "/hint/tiles/c3.jpg"),
    ("POST", GAME + "/hint/tiles/{square}"): forms(GAME + "/hint/tiles/c3", {"tile": "S15:yyy"}, {"tile": "toast"}),
    ("POST", GAME + "/play"): forms(GAME + "/play", *PLAYED),
    ("POST", GAME + "/turn-photos"): forms(GAME + "/turn-photos", {"photos": "1"}),
    ("GET", GAME + "/shutter"): at(GAME + "/shutter"),
    ("GET", GAME + "/photos/{reading}/{candidate}/{turn}.jpg"): at(GAME + "/photos/{reading}/0/0.jpg"),
    ("POST", GAME + "/photos/{reading}/close"): forms(GAME + "/photos/{reading}/close"),
    ("POST", GAME + "/bid"): forms(
        GAME + "/bid", *({"price": price} for price in ("0", "5", "18", "7", "")), {"price": "8", "fakirs": "1"}
    ),
    ("GET", GAME + "/refill"): at(
        GAME + "/refill", "", "?tap=ivory&tap=ivory", "?tap=fakir&tap=fakir", "?tap=ivory&tap=ivory&tap=ivory"
    ),
    ("POST", GAME + "/refill"): forms(GAME + "/refill", *({"tap": [*came, "Marid"]} for came in CAME)),
    ("GET", GAME + "/missing"): at(GAME + "/missing", "", "?part=row", "?part=row&tap=ivory", "?part=djinns"),
    ("POST", GAME + "/missing"): forms(
        GAME + "/missing",
        *({"part": "row", "tap": came} for came in CAME),
        {"part": "djinns", "tap": ["Marid"]},
        {"part": "djinns", "unknown": "1"},
    ),
    ("POST", GAME + "/finish"): forms(GAME + "/finish"),
    ("GET", GAME + "/turn"): at(
        GAME + "/turn", "", "?tap=a2", "?stops=1", "?tap=use+Sloar&tap=f", "?tap=use+Sloar&tap=ivory"
    ),
    ("GET", GAME + "/score"): at(GAME + "/score"),
    ("POST", GAME + "/points"): forms(GAME + "/points", {"hide": "1"}, {}),
    **{
        ("GET", f"{GAME}/{name}"): at(f"{GAME}/{name}")
        for name in ("sheet.pdf", "record.txt", "record.pdf", "setup-card.pdf", "points.svg")
    },
    ("GET", GAME + "/result.{kind}"): at(GAME + "/result.", "txt", "json", "csv", "png"),
}
"""All that a phone can ask of a table and send to it: by method and route, addresses and what a form sends there."""

LED_TO = ("/players/{seat}", "/turn", "/refill", "/missing")
"""Pages of a game that are looked at again after every form that was taken, if the game's own page leads there."""


@pytest.fixture(autouse=True)
def deterministic(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keys are counted, and what a worker would think about is told on the page."""
    for module, name in ((adviser, "ADVISE"), (player_pages, "SEE_HAND")):
        monkeypatch.setattr(module, name, f"{HERE}:echo")
    yield


def answers(
    folder: Path, situation: Situation, seat: Colour | None, monkeypatch: pytest.MonkeyPatch, *, rare: bool
) -> tuple[list[tuple[str, int, dict[str, str], bytes]], list[object]]:
    """All answers that a phone in a seat gets, one after another, and all that is told of at once."""
    keys = itertools.count(1)
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: f"key-{next(keys):05}")
    game = situation.game(seat, rare=rare)
    read_only = seat is None
    found: list[tuple[str, int, dict[str, str], bytes]] = []
    news: list[object] = []
    looked_at: set[str] = set()
    with AtTable(folder, see=f"{HERE}:see_ivory", read_only=read_only) as table:
        history, hub = table.services.history, table.services.hub
        publish = hub.publish

        def noting(topic: str, name: str, data: object) -> None:
            news.append((topic, name, data))
            publish(topic, name, data)

        monkeypatch.setattr(hub, "publish", noting)
        key = str(history.begin(game.text))
        history.change(GameKey(key), game.text, summary="")
        phone = table.phone(None if seat is None else seat.value)
        # Other tests look at what a browser may translate.
        phone.client.event_hooks = {}
        names = {"key": key, "seat": seat or "pink", "other": ORANGE if seat is BLUE else BLUE, "reading": "none"}

        def ask(path: str, fields: Fields | None = None) -> None:
            path = path.format(**names)
            if path.endswith("/events"):
                hub.close()
            answer = _sent(phone, path, fields)
            hub._closed = False
            found.append((f"{path} {fields}", answer.status_code, dict(answer.headers), answer.content))
            target = answer.headers.get("location", "")
            if target.startswith("/readings/") and "#" not in target:
                names["reading"] = target.split("/")[2]
            if target.startswith("/jobs/"):
                ask(target)

        for (method, route), requests in ASKED.items():
            if situation.asks and route.removeprefix(GAME) not in situation.asks:
                continue
            if read_only and method == "POST":
                # `test_guard` has each of them refused before anything is looked at.
                continue
            of_turns = route.endswith("/play") and not (situation.is_turn and seat is BLUE)
            for path, fields in requests[:2] if of_turns else requests:
                ask(path, fields)
                if method == "POST" and found[-1][1] == 303 and "{" in path:
                    ask(GAME)
                    page, now = found[-1][3].decode(), history.current(GameKey(key)).text
                    for looked in LED_TO if now not in looked_at else ():
                        if f'href="{(GAME + looked).format(**names)}"' in page:
                            ask(GAME + looked)
                    looked_at.add(now)
                    if now != game.text:
                        history.change(GameKey(key), game.text, summary="")
    return found, news


def _sent(phone: Phone, path: str, fields: Fields | None) -> Any:
    if fields is None:
        return phone.get(path)
    if "photos" in fields:
        return phone.send_photos(path, JPEG)
    return phone.post(path, fields)


def test_every_route_is_asked() -> None:
    routes = [route for route in all_routes() if isinstance(route, Route)]
    assert {(method, route.path) for route in routes for method in route.methods or ()} - set(ASKED) == {
        ("HEAD", route.path) for route in routes if "GET" in (route.methods or ())
    }


CASES = [
    *((situation, BLUE) for situation in SITUATIONS),
    *((situation, None) for situation in SITUATIONS if situation.name in ("turn", "refill")),
    *((situation, ORANGE) for situation in SITUATIONS if situation.name in ("turn", "bidding", "refill")),
    *((situation, PINK) for situation in SITUATIONS if situation.name == "refill"),
]
"""Blue decides, orange waits, pink does not play; None is a spectator."""


@pytest.mark.parametrize(
    ("situation", "seat"), CASES, ids=lambda case: case.name if isinstance(case, Situation) else case
)
def test_a_hidden_hand_changes_no_byte_of_any_answer(
    tmp_path: Path, situation: Situation, seat: Colour | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    (plain, plain_news), (rare, rare_news) = (
        answers(tmp_path / str(rare), situation, seat, monkeypatch, rare=rare) for rare in (False, True)
    )
    for answer, other in zip(plain, rare, strict=True):
        assert answer == other, answer[0]
    assert plain_news == rare_news


def test_the_two_games_differ_and_neither_is_impossible() -> None:
    for situation, seat in CASES:
        one, other = (situation.game(seat, rare=rare).position for rare in (False, True))
        assert one != other and one.without_hands(seat) == other.without_hands(seat)
        assert not conflicts(one) and not conflicts(other)
