"""A position as a row of choices, each with the weights of its possible values: what position codes are made of.

`choices` writes the row and `grow` reads it: it names the weights of the next choice, is sent the value
chosen, and returns the position in the end. Likely values weigh more and so cost less of a code's length.
Both are part of the code format 1 (docs/notation.md) and must not change for it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from math import comb

from companion.rules.engine.djinns import DJINNS, PROMO_DJINNS
from companion.rules.model import components
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.position import Bid, Phase, Player, Position

Weights = Sequence[int]

_KINDS = tuple(components.TILE_KINDS.values())
_CARDS = tuple(components.CARD_COUNTS)
_FAKIR_PLACE = _CARDS.index(components.FAKIR)
_DJINN_NAMES = tuple(DJINNS)
_COLOURS = tuple(components.Colour)
_PHASES = (None, *Phase)
_CAMELS = (8, 8, 11, 11)
_MEEPLES_A_TILE_AT_START = 3
_START = (1, 7)
_SIZES = (320, 272, 240, 240, 128, 80, 64, 48, 32, 16, *(1,) * (components.TOTAL_MEEPLES - 9))
_NO_CAMEL = 24
_BUILDINGS_HERE = (8, 8, 4, 2, *(1,) * 9)
_BUILDINGS_ELSEWHERE = (64, 2, *(1,) * 11)
_PHASE = (4, 4, 8, 2)
_BID_LENGTH = (4, 1, 1, 2, 4, 8)
_TURN_LENGTH = (8, 2, 2, 2, 2, 2)
_TO_MOVE_UNKNOWN = 1
_ROW_LENGTH = (4, *(1,) * components.ROW_LENGTH, 16)
_FACE_UP_LENGTH = (4, 1, 1, 2, 16)
_DISCARDS_LENGTH = (40, 10, *(1,) * sum(components.CARD_COUNTS.values()))
_LISTED = (2, 8, 1)
_HOLDINGS = (1, 1, 6)
_GOLD = (40, *(1,) * (components.COINS_GC + 1))
_KEPT = (4, *(1,) * (max(*components.MEEPLE_COUNTS, components.CARD_COUNTS[components.FAKIR]) + 1))
_GOODS_KNOWN = (1, 3)
_GOODS = (8, 4, 2, 1, 1, 1, 1)
_OWN_DJINNS_LENGTH = (4, 8, 6, 5, 4, 3, 2, *(1,) * (len(DJINNS) - 5))

_NOBODY_LISTED, _ALL_LISTED, _SOME_LISTED = range(3)
_STARTING, _NOTHING_KNOWN, _OTHER = range(3)


def _starting(colour: components.Colour) -> Player:
    return Player(
        colour,
        gold=components.START_GOLD_GC,
        viziers=0,
        elders=0,
        fakirs=0,
        goods=(0,) * len(components.GOODS),
        djinns=(),
    )


def _markers(colours: Sequence[components.Colour]) -> list[int]:
    two = len(colours) <= 2
    return [
        int(c in colours) * (2 if two and c in (components.Colour.BLUE, components.Colour.PINK) else 1)
        for c in _COLOURS
    ]


def _is_start(position: Position) -> bool:
    """A set-up as rules 2 leave it, with all that is known then."""
    return (
        all(sum(tile.meeples) == _MEEPLES_A_TILE_AT_START for tile in position.board)
        and not any(tile.camel or tile.palms or tile.palaces for tile in position.board)
        and position.players == tuple(_starting(colour) for colour in position.colours)
        and position.row is not None
        and len(position.row) == components.ROW_LENGTH
        and position.djinns is not None
        and len(position.djinns) == components.FACE_UP_DJINNS
        and position.to_move is None
        and position.phase is Phase.BID
        and position.bid_order is not None
        and [position.bid_order.count(colour) for colour in _COLOURS] == _markers(position.colours)
        and position.turn_order == ()
        and position.discards == ()
    )


def choices(position: Position) -> Iterator[int]:
    """The value of every choice that `grow` asks for, for a position that can stand on a table."""
    plain = without_promo(position)
    yield from _plain_choices(plain)
    yield next(number for number, found in enumerate(with_promo(plain)) if found == position)


def _plain_choices(position: Position) -> Iterator[int]:
    start = _is_start(position)
    colours = position.colours
    board = position.board
    yield int(start)
    yield sum(1 << place for place, colour in enumerate(_COLOURS) if colour in colours)
    yield from (_KINDS.index(tile.kind) for tile in board)
    if not start:
        yield from (sum(tile.meeples) for tile in board)
    yield from (number for tile in board for number in tile.meeples)
    if start:
        yield from map(_CARDS.index, position.row or ())
        yield from map(_DJINN_NAMES.index, position.djinns or ())
        yield from map(_COLOURS.index, position.bid_order or ())
        return
    yield from (0 if tile.camel is None else 1 + _COLOURS.index(tile.camel) for tile in board)
    yield from (tile.palms for tile in board)
    yield from (tile.palaces for tile in board)
    yield _PHASES.index(position.phase)
    yield from _named_choices(position.bid_order, _COLOURS)
    yield 0 if position.turn_order is None else 1 + len(position.turn_order)
    for bid in position.turn_order or ():
        yield from (_COLOURS.index(bid.colour), components.SPOT_PRICES_GC.index(bid.price))
    yield 0 if position.to_move is None else 1 + _COLOURS.index(position.to_move)
    yield from _named_choices(position.row, _CARDS)
    yield from _named_choices(position.djinns, _DJINN_NAMES)
    yield from _players_choices(position)
    yield from _named_choices(position.discards, _CARDS)


def _named_choices(names: Sequence[str] | None, known: Sequence[str]) -> Iterator[int]:
    yield 0 if names is None else 1 + len(names)
    yield from map(known.index, names or ())


def _players_choices(position: Position) -> Iterator[int]:
    listed = {player.colour: player for player in position.players}
    if not listed:
        yield _NOBODY_LISTED
    elif len(listed) == len(position.colours):
        yield _ALL_LISTED
    else:
        yield _SOME_LISTED
        yield from (int(colour in listed) for colour in position.colours)
    for colour in position.colours:
        if colour in listed:
            yield from _player_choices(listed[colour])


def _player_choices(player: Player) -> Iterator[int]:
    if player == _starting(player.colour):
        yield _STARTING
    elif player == Player(player.colour):
        yield _NOTHING_KNOWN
    else:
        yield _OTHER
        for number in (player.gold, player.viziers, player.elders, player.fakirs):
            yield 0 if number is None else 1 + number
        yield int(player.goods is not None)
        yield from player.goods or ()
        yield from _named_choices(player.djinns, _DJINN_NAMES)


class _Box:
    """What is left of each component while a position grows."""

    def __init__(self, colours: Sequence[components.Colour]) -> None:
        self.kinds = [kind.count for kind in _KINDS]
        self.meeples = list(components.MEEPLE_COUNTS)
        self.camels = [count * (colour in colours) for colour, count in zip(_COLOURS, _CAMELS, strict=True)]
        self.cards = list(components.CARD_COUNTS.values())
        self.djinns = [1] * len(DJINNS)
        self.gold = components.COINS_GC


def grow() -> Generator[Weights, int, Position]:
    """Build a position from choices: yields the weights of each, is sent the value chosen.

    No value of weight 0 may be sent. Whatever is chosen, it comes to an end with a position whose
    pieces are in the box.
    """
    plain = yield from _grow_plain()
    # The last choice, so that it adds nothing to the codes of games without the promo djinn: their number is used up
    # by now, and of what is left of it, 0, the first value is read.
    found = tuple(with_promo(plain))
    return found[(yield (1,) * len(found))]


def _grow_plain() -> Generator[Weights, int, Position]:
    start = bool((yield _START))
    mask = yield (1,) * 16
    colours = [colour for place, colour in enumerate(_COLOURS) if mask >> place & 1]
    box = _Box(colours)
    kinds = yield from _drawn(box.kinds, SQUARES)
    sizes = [_MEEPLES_A_TILE_AT_START] * SQUARES if start else (yield from _sizes())
    meeples = yield from _meeples(sizes, box)
    tiles = [Tile(_KINDS[kind], standing) for kind, standing in zip(kinds, meeples, strict=True)]
    if start:
        row = yield from _drawn(box.cards, components.ROW_LENGTH)
        djinns = yield from _drawn(box.djinns, components.FACE_UP_DJINNS)
        markers = _markers(colours)
        bids = yield from _drawn(markers, min(sum(markers), components.BID_SPOTS))
        return Position(
            board=tuple(tiles),
            players=tuple(_starting(colour) for colour in colours),
            row=tuple(_CARDS[card] for card in row),
            djinns=tuple(_DJINN_NAMES[djinn] for djinn in djinns),
            phase=Phase.BID,
            bid_order=tuple(_COLOURS[colour] for colour in bids),
            turn_order=(),
            discards=(),
        )
    return (yield from _grow_later(tiles, colours, box))


def _grow_later(
    tiles: list[Tile], colours: Sequence[components.Colour], box: _Box
) -> Generator[Weights, int, Position]:
    board = yield from _standing(tiles, box)
    phase = _PHASES[(yield _PHASE)]
    bids = yield from _maybe_drawn(_BID_LENGTH, _markers(colours))
    turns = yield from _turn_order(_markers(colours))
    mover = yield (_TO_MOVE_UNKNOWN, *(int(colour in colours) for colour in _COLOURS))
    row = yield from _maybe_drawn(_ROW_LENGTH, box.cards)
    djinns = yield from _maybe_drawn(_FACE_UP_LENGTH, box.djinns)
    listed = yield from _listed(colours)
    players = []
    for colour in listed:
        players.append((yield from _player(colour, box)))
    discards = yield from _maybe_drawn(_DISCARDS_LENGTH, box.cards)
    return Position(
        board=board,
        players=tuple(players),
        row=_names(row, _CARDS),
        djinns=_names(djinns, _DJINN_NAMES),
        to_move=_COLOURS[mover - 1] if mover else None,
        phase=phase,
        bid_order=None if bids is None else tuple(_COLOURS[bid] for bid in bids),
        turn_order=turns,
        discards=_names(discards, _CARDS),
    )


def _names(places: Sequence[int] | None, known: Sequence[str]) -> tuple[str, ...] | None:
    return None if places is None else tuple(known[place] for place in places)


def _drawn(left: list[int], number: int) -> Generator[Weights, int, list[int]]:
    """That many things drawn one by one from what is left, each as likely as there are of its kind."""
    drawn = []
    for _ in range(number):
        place = yield tuple(left)
        left[place] -= 1
        drawn.append(place)
    return drawn


def _maybe_drawn(lengths: Weights, left: list[int]) -> Generator[Weights, int, list[int] | None]:
    """A length, 0 for unknown and n + 1 for n, and so many things drawn."""
    length = yield lengths[: sum(left) + 2]
    return None if length == 0 else (yield from _drawn(left, length - 1))


def _sizes() -> Generator[Weights, int, list[int]]:
    """How many meeples stand on each square."""
    left = components.TOTAL_MEEPLES
    sizes = []
    for _ in range(SQUARES):
        size = yield _SIZES[: left + 1]
        left -= size
        sizes.append(size)
    return sizes


def _meeples(sizes: Sequence[int], box: _Box) -> Generator[Weights, int, list[tuple[int, ...]]]:
    """Each tile's meeples by tribe, as likely as when they are drawn from the bag."""
    found = []
    for size in sizes:
        missing = size
        counts = []
        for tribe in components.Tribe:
            own, others = box.meeples[tribe], sum(box.meeples[tribe + 1 :])
            number = yield tuple(comb(own, n) * comb(others, missing - n) for n in range(missing + 1))
            missing -= number
            counts.append(number)
        box.meeples = [left - number for left, number in zip(box.meeples, counts, strict=True)]
        found.append(tuple(counts))
    return found


def _standing(tiles: Sequence[Tile], box: _Box) -> Generator[Weights, int, Board]:
    """Camels, then palms, then palaces on the tiles."""
    owners: list[components.Colour | None] = []
    for _ in tiles:
        owner = yield (_NO_CAMEL, *box.camels)
        if owner:
            box.camels[owner - 1] -= 1
        owners.append(_COLOURS[owner - 1] if owner else None)
    palms = yield from _buildings(tiles, components.TileAction.OASIS, components.PALMS)
    palaces = yield from _buildings(tiles, components.TileAction.VILLAGE, components.PALACES)
    return tuple(
        Tile(tile.kind, tile.meeples, owner, *built)
        for tile, owner, *built in zip(tiles, owners, palms, palaces, strict=True)
    )


def _buildings(tiles: Sequence[Tile], home: components.TileAction, left: int) -> Generator[Weights, int, list[int]]:
    numbers = []
    for tile in tiles:
        weights = _BUILDINGS_HERE if tile.kind.action is home else _BUILDINGS_ELSEWHERE
        number = yield weights[: left + 1]
        left -= number
        numbers.append(number)
    return numbers


def _turn_order(markers: list[int]) -> Generator[Weights, int, tuple[Bid, ...] | None]:
    length = yield _TURN_LENGTH[: sum(markers) + 2]
    if length == 0:
        return None
    bids: list[Bid] = []
    spots = [components.TRACK_PRICES_GC.count(price) for price in components.SPOT_PRICES_GC]
    for _ in range(length - 1):
        (colour,) = yield from _drawn(markers, 1)
        (price,) = yield from _drawn(spots, 1)
        # Turns go from the dearest spot down (rules 3.3).
        spots[price + 1 :] = [0] * (len(spots) - price - 1)
        bids.append(Bid(_COLOURS[colour], components.SPOT_PRICES_GC[price]))
    return tuple(bids)


def _listed(colours: Sequence[components.Colour]) -> Generator[Weights, int, list[components.Colour]]:
    how = yield _LISTED
    if how == _SOME_LISTED:
        listed = []
        for colour in colours:
            if (yield (1, 1)):
                listed.append(colour)
        return listed
    return list(colours) if how == _ALL_LISTED else []


def _player(colour: components.Colour, box: _Box) -> Generator[Weights, int, Player]:
    holdings = yield _HOLDINGS
    if holdings != _OTHER:
        if holdings == _STARTING:
            box.gold -= components.START_GOLD_GC
            return _starting(colour)
        return Player(colour)
    gold = _or_unknown((yield _GOLD[: box.gold + 2]))
    viziers = _or_unknown((yield _KEPT[: box.meeples[components.Tribe.VIZIER] + 2]))
    elders = _or_unknown((yield _KEPT[: box.meeples[components.Tribe.ELDER] + 2]))
    fakirs = _or_unknown((yield _KEPT[: box.cards[_FAKIR_PLACE] + 2]))
    box.gold -= gold or 0
    box.meeples[components.Tribe.VIZIER] -= viziers or 0
    box.meeples[components.Tribe.ELDER] -= elders or 0
    box.cards[_FAKIR_PLACE] -= fakirs or 0
    goods: list[int] | None = None
    if (yield _GOODS_KNOWN):
        goods = []
        for place in map(_CARDS.index, components.GOODS):
            number = yield _GOODS[: box.cards[place] + 1]
            box.cards[place] -= number
            goods.append(number)
    djinns = yield from _maybe_drawn(_OWN_DJINNS_LENGTH, box.djinns)
    goods_known = None if goods is None else tuple(goods)
    return Player(
        colour,
        gold=gold,
        viziers=viziers,
        elders=elders,
        fakirs=fakirs,
        goods=goods_known,
        djinns=_names(djinns, _DJINN_NAMES),
    )


def _or_unknown(value: int) -> int | None:
    return value - 1 if value else None


(_PROMO,) = PROMO_DJINNS


def without_promo(position: Position) -> Position:
    """The position as if the promo djinn was in nobody's sight."""

    def others(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return None if names is None else tuple(name for name in names if name != _PROMO)

    players = tuple(replace(player, djinns=others(player.djinns)) for player in position.players)
    return replace(position, players=players, djinns=others(position.djinns))


def with_promo(plain: Position) -> Iterator[Position]:
    """The position itself, then with the promo djinn at each place face up, then at each with every player."""
    yield plain
    if plain.djinns is not None and len(plain.djinns) < components.FACE_UP_DJINNS:
        for djinns in _with_one_more(plain.djinns):
            yield replace(plain, djinns=djinns)
    for seat, player in enumerate(plain.players):
        for djinns in () if player.djinns is None else _with_one_more(player.djinns):
            changed = replace(player, djinns=djinns)
            yield replace(plain, players=(*plain.players[:seat], changed, *plain.players[seat + 1 :]))


def _with_one_more(djinns: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    return ((*djinns[:place], _PROMO, *djinns[place:]) for place in range(len(djinns) + 1))
