"""Can this position stand on a table? Every fault by place and rule number; `oddities` has what merely looks odd.

A fault is a contradiction to what is in the box or to how the tracks are filled (rules 1 to 3); a position
may hold any number of them, so all are named at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping

from companion.errors import ImpossiblePositionError, Problem
from companion.language.phrase import counted, joined, named, say, say_as, say_many, term
from companion.rules.engine.djinns import EVERY_DJINN
from companion.rules.model.board import SQUARE_NAMES, SQUARES, SURROUNDINGS, camels_on, meeples_on, palaces_on, palms_on
from companion.rules.model.components import (
    BID_SPOTS,
    CARD_COUNTS,
    COINS_GC,
    FACE_UP_DJINNS,
    FAKIR,
    GOODS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    ROW_LENGTH,
    TILE_KINDS,
    TRACK_PRICES_GC,
    Colour,
    TileAction,
    Tribe,
    camels_in_box,
    markers_each,
)
from companion.rules.model.position import Phase, Position

TRIBE_COLOURS: tuple[str, ...] = ("yellow", "white", "blue", "green", "red")
"""The meeples' colours in words, by tribe (rules 1.2)."""


def problems(position: Position) -> list[Problem]:
    """Every fault of a position; an empty list if it can stand on a table.

    What is unknown is never a fault. Faults come in a steady order: board, pieces, cards, djinns, tracks.
    """
    # Nothing else can be said of a position that does not hold together.
    if faults := malformed(position):
        return faults
    return [problem for check in _CHECKS for problem in check(position)]


def check_position(position: Position) -> None:
    """Raises ImpossiblePositionError with every fault if the position cannot stand on a table."""
    faults = problems(position)
    if faults:
        raise ImpossiblePositionError(faults)


def malformed(position: Position) -> list[Problem]:
    """Faults of form: tuples of a wrong length and numbers below 0, which nothing can be reckoned with."""
    return [*_sizes(position), *_negatives(position)]


def _sizes(position: Position) -> Iterator[Problem]:
    if len(position.board) != SQUARES:
        yield Problem(
            "board",
            "2.3",
            say("a board has {squares} tiles, not {number}", squares=SQUARES, number=len(position.board)),
        )
    for square, tile in enumerate(position.board):
        if len(tile.meeples) != len(Tribe):
            yield Problem(
                _square(square),
                "1.2",
                say(
                    "meeples are counted by {tribes} tribes, not by {number}",
                    tribes=len(Tribe),
                    number=len(tile.meeples),
                ),
            )
    for player in position.players:
        if player.goods is not None and len(player.goods) != len(GOODS):
            yield Problem(
                player.colour,
                "1.4",
                say("goods are counted by {kinds} kinds, not by {number}", kinds=len(GOODS), number=len(player.goods)),
            )


def _negatives(position: Position) -> Iterator[Problem]:
    for square, tile in enumerate(position.board):
        counts = {tribe.noun: count for tribe, count in zip(Tribe, tile.meeples, strict=False)}
        for what, count in {**counts, "palms": tile.palms, "palaces": tile.palaces}.items():
            if count < 0:
                yield Problem(_square(square), "1.3" if what.startswith("pal") else "1.2", counted(count, what))
    for player in position.players:
        goods = dict(zip(GOODS, player.goods or (), strict=False))
        own = {"vizier": player.viziers, "elder": player.elders}
        numbers = [("1.3", {"GC": player.gold}), ("1.2", own), ("1.4", {"fakir": player.fakirs, **goods})]
        for rule, held in numbers:
            for what, number in held.items():
                if number is not None and number < 0:
                    yield Problem(player.colour, rule, counted(number, what))


def _square(square: int) -> str:
    return SQUARE_NAMES[square] if square < SQUARES else "board"


def max_markers(position: Position, colour: Colour) -> int:
    """Turn markers that the player can have at most, going by the colours known (rules 1.5, 2.1)."""
    return 2 if len(position.colours) <= 2 and colour in (Colour.BLUE, Colour.PINK) else 1


def _players(position: Position) -> Iterator[Problem]:
    for colour, number in Counter(player.colour for player in position.players).items():
        if number > 1:
            yield Problem(
                colour, "1.5", say("{colour} is listed {times} among the players", colour=colour, times=_times(number))
            )


def _tiles(position: Position) -> Iterator[Problem]:
    for kind in TILE_KINDS.values():
        squares = [SQUARE_NAMES[square] for square, tile in enumerate(position.board) if tile.kind is kind]
        if len(squares) > kind.count:
            yield Problem(
                "board",
                "1.1",
                say(
                    "{number} tiles {code} ({squares}), but there {are}",
                    number=len(squares),
                    code=kind.code,
                    squares=joined(", ", squares),
                    are=_are(kind.count),
                ),
            )


def _meeples(position: Position) -> Iterator[Problem]:
    on_board = meeples_on(position.board)
    kept = {
        Tribe.VIZIER: _sum(p.viziers for p in position.players),
        Tribe.ELDER: _sum(p.elders for p in position.players),
    }
    for tribe in Tribe:
        in_front = kept.get(tribe, 0)
        if on_board[tribe] + in_front <= MEEPLE_COUNTS[tribe]:
            continue
        what = say(
            "{number} {colour} meeples ({tribe})",
            number=on_board[tribe] + in_front,
            colour=term(TRIBE_COLOURS[tribe]),
            tribe=term(tribe.noun, plural=True),
        )
        spread = (
            say(
                ", {on_board} on the board and {in_front} in front of players",
                on_board=on_board[tribe],
                in_front=in_front,
            )
            if in_front
            else ""
        )
        where = "board" if on_board[tribe] > MEEPLE_COUNTS[tribe] else "players"
        yield Problem(
            where,
            "1.2",
            say("{what}{spread}, but there {are}", what=what, spread=spread, are=_are(MEEPLE_COUNTS[tribe])),
        )


def _palms_and_palaces(position: Position) -> Iterator[Problem]:
    palms, palaces = palms_on(position.board), palaces_on(position.board)
    for number, box, what in ((palms, PALMS, "palms"), (palaces, PALACES, "palaces")):
        if number > box:
            yield Problem(
                "board",
                "1.3",
                say("{pieces} on the board, but there {are}", pieces=counted(number, what), are=_are(box)),
            )


def _camels(position: Position) -> Iterator[Problem]:
    for colour, number in camels_on(position.board).items():
        box = camels_in_box(colour, len(position.colours))
        if number > box:
            among = (
                say(" in a game of {number}", number=len(position.colours)) if box < camels_in_box(colour, 2) else ""
            )
            yield Problem(
                colour,
                "1.5",
                say(
                    "{number} {colour} camels on the board, but there {are}{among}",
                    number=number,
                    colour=colour,
                    are=_are(box),
                    among=among,
                ),
            )


def _coins(position: Position) -> Iterator[Problem]:
    gold = _sum(player.gold for player in position.players)
    if gold > COINS_GC:
        yield Problem(
            "players",
            "1.3",
            say(
                "the players hold {gold} GC, but all coins together are worth {coins_gc}", gold=gold, coins_gc=COINS_GC
            ),
        )


def _cards(position: Position) -> Iterator[Problem]:
    if position.row is not None and len(position.row) > ROW_LENGTH:
        yield Problem(
            "row",
            "2.6",
            say(
                "{number} cards in the row, but it holds {row_length}", number=len(position.row), row_length=ROW_LENGTH
            ),
        )
    places: dict[str, Counter[str]] = {
        "row": Counter(position.row or ()),
        "discards": Counter(position.discards or ()),
    }
    for player in position.players:
        places[player.colour] = Counter(dict(zip(GOODS, player.goods or (0,) * len(GOODS), strict=True)))
        places[player.colour][FAKIR] = player.fakirs or 0
    for card in dict.fromkeys([*CARD_COUNTS, *(name for held in places.values() for name in held)]):
        held = {place: counts[card] for place, counts in places.items() if counts[card]}
        box = CARD_COUNTS.get(card, 0)
        if sum(held.values()) > box:
            spread = joined("", (" (", _spread(held), ")")) if len(held) > 1 else ""
            yield Problem(
                _first_over(held, box, "cards"),
                "1.4",
                say_many(
                    "{count} {card} card{spread}, but there {are}",
                    "{count} {card} cards{spread}, but there {are}",
                    sum(held.values()),
                    card=named(card),
                    spread=spread,
                    are=_cards_are(box),
                ),
            )


def _djinns(position: Position) -> Iterator[Problem]:
    face_up = position.djinns or ()
    if len(face_up) > FACE_UP_DJINNS:
        yield Problem(
            "djinns",
            "2.7",
            say(
                "{number} djinns lie face up, but only {face_up_djinns} ever do",
                number=len(face_up),
                face_up_djinns=FACE_UP_DJINNS,
            ),
        )
    places: dict[str, list[str]] = {}
    for name in face_up:
        places.setdefault(name, []).append("djinns")
    for player in position.players:
        for name in player.djinns or ():
            places.setdefault(name, []).append(player.colour)
    for name, found in places.items():
        if name not in EVERY_DJINN:
            yield Problem(found[0], "11", say("there is no djinn {name}", name=name))
        elif len(found) > 1:
            shown = joined(
                say(" and "),
                (say("face up") if place == "djinns" else say("with {place}", place=place) for place in found),
            )
            yield Problem(
                found[-1],
                "1.5",
                say(
                    "{name} is there {times} ({shown}), but each djinn exists once",
                    name=name,
                    times=_times(len(found)),
                    shown=shown,
                ),
            )


def _bid_order(position: Position) -> Iterator[Problem]:
    track = position.bid_order or ()
    if len(track) > BID_SPOTS:
        yield Problem(
            "bid_order",
            "1.6",
            say(
                "{number} markers on the bid order track, which has {bid_spots} spots",
                number=len(track),
                bid_spots=BID_SPOTS,
            ),
        )
    yield from _markers(position, track, "bid_order")


def _turn_order(position: Position) -> Iterator[Problem]:
    track = position.turn_order or ()
    if len(track) > BID_SPOTS:
        yield Problem(
            "turn_order",
            "2.1",
            say(
                "{number} markers on the turn order track, but a game has {bid_spots} at most",
                number=len(track),
                bid_spots=BID_SPOTS,
            ),
        )
    yield from _markers(position, [bid.colour for bid in track], "turn_order")
    prices = [bid.price for bid in track]
    for price, number in Counter(prices).items():
        spots = TRACK_PRICES_GC.count(price)
        if spots == 0:
            known = ", ".join(map(str, dict.fromkeys(TRACK_PRICES_GC)))
            yield Problem(
                "turn_order",
                "1.6",
                say("no spot of the turn order track costs {price}; the prices are {known}", price=price, known=known),
            )
        elif number > spots:
            one = say("three spots cost 0") if price == 0 else say("one spot costs {price}", price=price)
            yield Problem(
                "turn_order",
                "3.2" if price == 0 else "3.1",
                say("{number} markers at price {price}, but {one}", number=number, price=price, one=one),
            )
    if any(earlier < later for earlier, later in zip(prices, prices[1:], strict=False)):
        shown = " ".join(map(str, prices))
        yield Problem(
            "turn_order", "3.3", say("the prices run {shown}, but turns go from the dearest spot down", shown=shown)
        )


def _tracks(position: Position) -> Iterator[Problem]:
    """Markers that lie on one track each, and are more than a player has on both together (rules 2.1, 4.1)."""
    bidding, playing = position.bid_order or (), tuple(bid.colour for bid in position.turn_order or ())
    # One colour known alone may play in a game of two, in which everybody has two markers.
    most = markers_each(max(2, len(position.colours)))
    for colour in position.colours:
        number = bidding.count(colour) + playing.count(colour)
        if number > most >= max(bidding.count(colour), playing.count(colour)):
            yield Problem(
                colour,
                "2.1",
                say("{number} {colour} markers, but {colour} has {most}", number=number, colour=colour, most=most),
            )


def _markers(position: Position, colours: Iterable[Colour], track: str) -> Iterator[Problem]:
    for colour, number in Counter(colours).items():
        most = max_markers(position, colour)
        if number > most:
            yield Problem(
                track,
                "1.5",
                say("{number} {colour} markers, but {colour} has {most}", number=number, colour=colour, most=most),
            )


_CHECKS: tuple[Callable[[Position], Iterator[Problem]], ...] = (
    _players,
    _tiles,
    _meeples,
    _palms_and_palaces,
    _camels,
    _coins,
    _cards,
    _djinns,
    _bid_order,
    _turn_order,
    _tracks,
)


def _sum(numbers: Iterable[int | None]) -> int:
    return sum(number or 0 for number in numbers)


def _are(number: int) -> str:
    return say("is only 1") if number == 1 else say("are only {number}", number=number) if number else say("are none")


def _cards_are(number: int) -> str:
    """The same of cards, which Korean counts in a way of their own."""
    if number < 2:
        return say_as("cards", "is only 1") if number else _are(0)
    return say_as("cards", "are only {number}", number=number)


def _times(number: int) -> str:
    return say("twice") if number == 2 else say_many("{count} time", "{count} times", number)


def _spread(held: Mapping[str, int]) -> str:
    return joined(", ", (_lying(place, number) for place, number in held.items()))


def _lying(place: str, number: int) -> str:
    """How many cards lie in the row, among the discards or with a player."""
    if place == "row":
        return say("{number} in the row", number=number)
    if place == "discards":
        return say("{number} discarded", number=number)
    return say("{number} with {colour}", number=number, colour=place)


def _first_over(held: Mapping[str, int], box: int, otherwise: str) -> str:
    """The place that alone holds more than the box has, or `otherwise` if only all together do."""
    return next((place for place, number in held.items() if number > box), otherwise)


def warnings(position: Position) -> list[str]:
    """What the components allow and the rules make unlikely or impossible: worth a second look, no fault.

    Each is a sentence with the square or the part of the position, and the rule.
    """
    if len(position.board) != SQUARES:
        return []
    return [*_stray_buildings(position), *_out_of_turn(position), *_short_supplies(position)]


def _stray_buildings(position: Position) -> Iterator[str]:
    for square, tile in enumerate(position.board):
        near = {position.board[other].kind.action for other in SURROUNDINGS[square]} | {tile.kind.action}
        if tile.palms and TileAction.OASIS not in near:
            yield say(
                "{square}: a palm with no oasis on the tile or around it (rules 6.1, 11.2)", square=SQUARE_NAMES[square]
            )
        if tile.palaces and TileAction.VILLAGE not in near:
            yield say(
                "{square}: a palace with no village on the tile or around it (rules 6.2, 11.2)",
                square=SQUARE_NAMES[square],
            )


def _out_of_turn(position: Position) -> Iterator[str]:
    waiting = [bid.colour for bid in position.turn_order or ()]
    mover = position.to_move
    if position.phase is Phase.END and waiting:
        yield say("turn_order: markers are still to play, but the game is over (rules 9.1)")
    elif not waiting or mover is None or position.phase is Phase.BID:
        return
    # A marker leaves the track when its turn begins (rules 4.1), so the mover may be missing from it.
    elif waiting[0] is not mover and waiting.count(mover) == max_markers(position, mover):
        yield say(
            "to_move: {mover} is to move, but {waiting} plays first on the turn order track (rules 3.3)",
            mover=mover,
            waiting=waiting[0],
        )


def _short_supplies(position: Position) -> Iterator[str]:
    if position.phase is not Phase.BID:
        return
    if position.row is not None and len(position.row) < ROW_LENGTH:
        yield say_many(
            "row: {count} card at the bidding, where clean-up leaves {row_length} (rules 8.1)",
            "row: {count} cards at the bidding, where clean-up leaves {row_length} (rules 8.1)",
            len(position.row),
            row_length=ROW_LENGTH,
        )
    if position.djinns is not None and len(position.djinns) < FACE_UP_DJINNS:
        number = len(position.djinns)
        yield say(
            "djinns: {number} face up at the bidding, where clean-up leaves {face_up_djinns} (rules 8.1)",
            number=number,
            face_up_djinns=FACE_UP_DJINNS,
        )
