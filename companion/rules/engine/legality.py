"""Can this position stand on a table? Every fault by place and rule number, of what is in the box and on the tracks
(rules 1 to 3); `warnings` has what merely looks odd.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.errors import ImpossiblePositionError, Problem
from companion.language.phrase import Phrase, counted, joined, listed, named, say, say_many, term
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
    """Every fault of a position, none if it can stand on a table: board, pieces, cards, djinns, tracks."""
    # Nothing else can be said of a position that does not hold together.
    if faults := malformed(position):
        return faults
    return [*_limits(position), *_unknown_djinns(position), *_prices(position)]


def check_position(position: Position) -> None:
    """Raises ImpossiblePositionError with every fault if the position cannot stand on a table."""
    faults = problems(position)
    if faults:
        raise ImpossiblePositionError(faults)


def check_form(position: Position) -> None:
    """Raises ImpossiblePositionError for what can't be computed with, such as a board of five tiles."""
    if faults := malformed(position):
        raise ImpossiblePositionError(faults)


def malformed(position: Position) -> list[Problem]:
    """Faults of form: tuples of a wrong length and numbers below 0, which can't be computed with."""
    return [*_sizes(position), *_negatives(position)]


def _sizes(position: Position) -> Iterator[Problem]:
    if len(position.board) != SQUARES:
        yield _other_length("board", "2.3", term("tile", plural=True), len(position.board), SQUARES)
    for square, tile in enumerate(position.board):
        if len(tile.meeples) != len(Tribe):
            yield _other_length(_name(square), "1.2", term("tribe", plural=True), len(tile.meeples), len(Tribe))
    for player in position.players:
        if player.goods is not None and len(player.goods) != len(GOODS):
            yield _other_length(player.colour, "1.4", term("goods", plural=True), len(player.goods), len(GOODS))


def _other_length(where: str, rule: str, what: Phrase, number: int, wanted: int) -> Problem:
    return Problem(where, rule, say("{what}: {number}, not {wanted}", what=what, number=number, wanted=wanted))


def _negatives(position: Position) -> Iterator[Problem]:
    for square, tile in enumerate(position.board):
        if min(*tile.meeples, tile.palms, tile.palaces) >= 0:
            continue
        counts = {tribe.noun: count for tribe, count in zip(Tribe, tile.meeples, strict=False)}
        for what, count in {**counts, "palms": tile.palms, "palaces": tile.palaces}.items():
            if count < 0:
                yield Problem(_name(square), "1.3" if what.startswith("pal") else "1.2", counted(count, what))
    for player in position.players:
        goods = dict(zip(GOODS, player.goods or (), strict=False))
        own = {"vizier": player.viziers, "elder": player.elders}
        numbers = [("1.3", {"GC": player.gold}), ("1.2", own), ("1.4", {"fakir": player.fakirs, **goods})]
        for rule, held in numbers:
            for what, number in held.items():
                if number is not None and number < 0:
                    yield Problem(player.colour, rule, counted(number, what))


def _name(square: int) -> str:
    return SQUARE_NAMES[square] if square < SQUARES else "board"


def max_markers(position: Position, colour: Colour) -> int:
    """The most turn markers that the player can have, going by the colours known (rules 1.5, 2.1)."""
    return 2 if len(position.colours) <= 2 and colour in (Colour.BLUE, Colour.PINK) else 1


def _too_many(where: str, rule: str, what: Phrase, number: int, most: int) -> Problem:
    return Problem(where, rule, say("{what}: {number}, at most {most}", what=what, number=number, most=most))


def _limits(position: Position) -> Iterator[Problem]:
    """Too many of what is limited by the box and the tracks, in the order of the rules."""
    for colour, number in Counter(player.colour for player in position.players).items():
        if number > 1:
            yield _too_many(colour, "1.5", say("entries for {colour} among the players", colour=colour), number, 1)
    for kind in TILE_KINDS.values():
        squares = [SQUARE_NAMES[square] for square, tile in enumerate(position.board) if tile.kind is kind]
        if len(squares) > kind.count:
            what = say("{code} tiles ({squares})", code=kind.code, squares=joined(", ", squares))
            yield _too_many("board", "1.1", what, len(squares), kind.count)
    yield from _pieces(position)
    if len(position.row or ()) > ROW_LENGTH:
        yield _too_many("row", "2.6", say("cards in the row"), len(position.row or ()), ROW_LENGTH)
    for card, box in CARD_COUNTS.items():
        yield from _lying("1.4", card, _cards_by_place(position, card), box, "cards")
    if len(position.djinns or ()) > FACE_UP_DJINNS:
        yield _too_many("djinns", "2.7", say("djinns face up"), len(position.djinns or ()), FACE_UP_DJINNS)
    for name in EVERY_DJINN:
        places = {"djinns": (position.djinns or ()).count(name)}
        places |= {player.colour: (player.djinns or ()).count(name) for player in position.players}
        yield from _lying("1.5", name, places, 1, next((at for at in reversed(places) if places[at]), "djinns"))
    yield from _markers(position)


def _pieces(position: Position) -> Iterator[Problem]:
    on_board = meeples_on(position.board)
    kept = {
        Tribe.VIZIER: sum(player.viziers or 0 for player in position.players),
        Tribe.ELDER: sum(player.elders or 0 for player in position.players),
    }
    for tribe, box in zip(Tribe, MEEPLE_COUNTS, strict=True):
        if (number := on_board[tribe] + kept.get(tribe, 0)) > box:
            colour, name = term(TRIBE_COLOURS[tribe]), term(tribe.noun, plural=True)
            what = say("{colour} meeples ({tribe})", colour=colour, tribe=name)
            yield _too_many("board" if on_board[tribe] > box else "players", "1.2", what, number, box)
    if (palms := palms_on(position.board)) > PALMS:
        yield _too_many("board", "1.3", term("palms", plural=True), palms, PALMS)
    if (palaces := palaces_on(position.board)) > PALACES:
        yield _too_many("board", "1.3", term("palaces", plural=True), palaces, PALACES)
    for camel, number in camels_on(position.board).items():
        if number > (box := camels_in_box(camel, len(position.colours))):
            yield _too_many(camel, "1.5", say("{colour} camels on the board", colour=camel), number, box)
    if (gold := sum(player.gold or 0 for player in position.players)) > COINS_GC:
        yield _too_many("players", "1.3", say("gold of all players in GC"), gold, COINS_GC)


def _cards_by_place(position: Position, card: str) -> dict[str, int]:
    places = {"row": (position.row or ()).count(card), "discards": (position.discards or ()).count(card)}
    for player in position.players:
        if card == FAKIR:
            places[player.colour] = player.fakirs or 0
        elif player.goods is not None:
            places[player.colour] = player.goods[GOODS.index(card)]
    return places


def _lying(rule: str, name: str, places: dict[str, int], most: int, otherwise: str) -> Iterator[Problem]:
    """A card or djinn of which too many lie, with every place; the fault is where too many lie, or `otherwise`."""
    lying = {place: number for place, number in places.items() if number}
    if sum(lying.values()) > most:
        shown = [_at_place(place, number) for place, number in lying.items()]
        where = next((place for place, number in lying.items() if number > most), otherwise)
        what = say("{text} ({how})", text=named(name), how=joined(", ", shown)) if len(shown) > 1 else term(name)
        yield _too_many(where, rule, what, sum(lying.values()), most)


def _at_place(place: str, number: int) -> Phrase:
    match place:
        case "row":
            return say("{number} in the row", number=number)
        case "discards":
            return say("{number} discarded", number=number)
        case "djinns":
            return say("{number} face up", number=number)
        case colour:
            return say("{number} with {colour}", number=number, colour=colour)


def _markers(position: Position) -> Iterator[Problem]:
    """Markers on the tracks, each track by itself and both together (rules 1.5, 1.6, 2.1, 3.1, 4.1)."""
    bidding = position.bid_order or ()
    order = position.turn_order or ()
    playing = tuple(bid.colour for bid in order)
    # One colour known alone may play in a game of two, in which everybody has two markers.
    each = markers_each(max(2, len(position.colours)))
    for track, rule, what, colours in (
        ("bid_order", "1.6", say("markers on the bid order track"), bidding),
        ("turn_order", "2.1", say("markers on the turn order track"), playing),
    ):
        if len(colours) > BID_SPOTS:
            yield _too_many(track, rule, what, len(colours), BID_SPOTS)
        for colour, number in Counter(colours).items():
            if number > (most := max_markers(position, colour)):
                yield _too_many(track, "1.5", say("{colour} markers", colour=colour), number, most)
    for price, number in Counter(bid.price for bid in order).items():
        if (spots := TRACK_PRICES_GC.count(price)) and number > spots:
            what = say("markers at price {price}", price=price)
            yield _too_many("turn_order", "3.1" if price else "3.2", what, number, spots)
    for colour in position.colours:
        both = bidding.count(colour) + playing.count(colour)
        if max(bidding.count(colour), playing.count(colour)) <= each < both:
            yield _too_many(colour, "2.1", say("{colour} markers", colour=colour), both, each)


def _unknown_djinns(position: Position) -> Iterator[Problem]:
    for where, names in (("djinns", position.djinns), *((p.colour, p.djinns) for p in position.players)):
        for name in names or ():
            if name not in EVERY_DJINN:
                yield Problem(where, "11", say("there is no djinn {name}", name=name))


def _prices(position: Position) -> Iterator[Problem]:
    """Prices on the turn order track that it doesn't have, or that don't run down (rules 1.6, 3.3)."""
    prices = [bid.price for bid in position.turn_order or ()]
    known = ", ".join(map(str, dict.fromkeys(TRACK_PRICES_GC)))
    for price in dict.fromkeys(prices):
        if price not in TRACK_PRICES_GC:
            message = say("no spot costs {price}; the prices are {known}", price=price, known=known)
            yield Problem("turn_order", "1.6", message)
    if any(earlier < later for earlier, later in zip(prices, prices[1:], strict=False)):
        shown = " ".join(map(str, prices))
        message = say("the prices run {shown}, but turns go from the dearest spot down", shown=shown)
        yield Problem("turn_order", "3.3", message)


def warnings(position: Position) -> list[str]:
    """What the components allow and the rules make unlikely or impossible, a sentence each: no fault."""
    if len(position.board) != SQUARES:
        return []
    return [*_stray_buildings(position), *_out_of_turn(position), *_short_supplies(position)]


def missing_players(position: Position) -> Iterator[str]:
    """A sentence where two play who cannot play alone: what a position leaves out is unknown, and so no fault."""
    pair = position.colours
    if len(pair) == len(position.players) == 2 and set(pair) != {Colour.BLUE, Colour.PINK}:
        yield say(
            "players: {players} can't play alone, since two players are blue and pink (rules 2.1); add whoever is "
            "missing",
            players=listed([term(colour) for colour in pair]),
        )


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
            "row: {count} card before the bidding, but clean-up leaves {row_length} (rules 8.1)",
            "row: {count} cards before the bidding, but clean-up leaves {row_length} (rules 8.1)",
            len(position.row),
            row_length=ROW_LENGTH,
        )
    if position.djinns is not None and len(position.djinns) < FACE_UP_DJINNS:
        number = len(position.djinns)
        yield say(
            "djinns: {number} face up before the bidding, but clean-up leaves {face_up_djinns} (rules 8.1)",
            number=number,
            face_up_djinns=FACE_UP_DJINNS,
        )
