"""A position as a row of choices, each with the weights of its possible values: what position codes are made of.

`grow` writes the row and reads it: it names the weights of the next choice, is sent the value chosen, and returns the
position in the end. Likely values weigh more and so cost less of a code's length. The choices and their weights are
part of the code format 1 (docs/notation.md) and must not change for it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from math import comb
from typing import TypeVar

from companion.rules.engine.djinns import DJINNS, PROMO_DJINNS
from companion.rules.model import components
from companion.rules.model.board import SQUARES, Board, Tile
from companion.rules.model.position import Bid, Phase, Player, Position

Weights = Sequence[int]
_Thing = TypeVar("_Thing")
Growing = Generator[tuple[Weights, int], int, _Thing]

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
_NOTHING = Position(())


def _starting(colour: components.Colour) -> Player:
    gold, goods = components.START_GOLD_GC, components.NO_GOODS
    return Player(colour, gold=gold, viziers=0, elders=0, fakirs=0, goods=goods, djinns=())


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
        and position.players == tuple(map(_starting, position.colours))
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


class _Box:
    """What is left of each component while a position grows."""

    def __init__(self, colours: Sequence[components.Colour]) -> None:
        self.kinds = [kind.count for kind in _KINDS]
        self.meeples = list(components.MEEPLE_COUNTS)
        self.camels = [count * (colour in colours) for colour, count in zip(_COLOURS, _CAMELS, strict=True)]
        self.cards = list(components.CARD_COUNTS.values())
        self.djinns = [1] * len(DJINNS)
        self.gold = components.COINS_GC


def grow(known: Position = _NOTHING) -> Growing[Position]:
    """Build a position from choices: yields the weights of each with the value for a `known` position, is sent the
    value chosen, none of weight 0. Always ends with a position whose pieces are in the box.
    """
    plain = yield from _grow_plain(without_promo(known))
    # The last choice, so that it adds nothing to the codes of games without the promo djinn: their number is used up
    # by now, and of what is left of it, 0, the first value is read.
    tables = tuple(with_promo(plain))
    return tables[(yield (1,) * len(tables), 0 if known is _NOTHING else tables.index(known))]


def _grow_plain(known: Position) -> Growing[Position]:
    start = bool((yield _START, int(_is_start(known))))
    mask = yield (1,) * 16, sum(1 << _COLOURS.index(colour) for colour in known.colours)
    colours = [colour for place, colour in enumerate(_COLOURS) if mask >> place & 1]
    box = _Box(colours)
    kinds = yield from _drawn(box.kinds, SQUARES, (_KINDS.index(tile.kind) for tile in known.board))
    sizes = [_MEEPLES_A_TILE_AT_START] * SQUARES
    if not start:
        numbers = (sum(tile.meeples) for tile in known.board)
        sizes = yield from _numbers([_SIZES] * SQUARES, components.TOTAL_MEEPLES, numbers)
    meeples = yield from _meeples(sizes, box, (number for tile in known.board for number in tile.meeples))
    tiles = [Tile(_KINDS[kind], standing) for kind, standing in zip(kinds, meeples, strict=True)]
    if not start:
        return (yield from _grow_later(tiles, colours, box, known))
    row = yield from _things(box.cards, components.ROW_LENGTH, _CARDS, known.row)
    djinns = yield from _things(box.djinns, components.FACE_UP_DJINNS, _DJINN_NAMES, known.djinns)
    markers = _markers(colours)
    bids = yield from _things(markers, min(sum(markers), components.BID_SPOTS), _COLOURS, known.bid_order)
    board, players = tuple(tiles), tuple(map(_starting, colours))
    return Position(
        board, players=players, row=row, djinns=djinns, phase=Phase.BID, bid_order=bids, turn_order=(), discards=()
    )


def _grow_later(
    tiles: list[Tile], colours: Sequence[components.Colour], box: _Box, known: Position
) -> Growing[Position]:
    board = yield from _standing(tiles, box, known.board)
    phase = _PHASES[(yield _PHASE, _PHASES.index(known.phase))]
    bids = yield from _maybe_things(_BID_LENGTH, _markers(colours), _COLOURS, known.bid_order)
    turns = yield from _turn_order(_markers(colours), known.turn_order)
    movers = (None, *_COLOURS)
    mover = yield (_TO_MOVE_UNKNOWN, *(int(colour in colours) for colour in _COLOURS)), movers.index(known.to_move)
    row = yield from _maybe_things(_ROW_LENGTH, box.cards, _CARDS, known.row)
    djinns = yield from _maybe_things(_FACE_UP_LENGTH, box.djinns, _DJINN_NAMES, known.djinns)
    listed = yield from _listed(colours, [player.colour for player in known.players])
    players = []
    for colour in listed:
        players.append((yield from _player(known.player(colour), box)))
    discards = yield from _maybe_things(_DISCARDS_LENGTH, box.cards, _CARDS, known.discards)
    return Position(
        board=board,
        players=tuple(players),
        row=row,
        djinns=djinns,
        to_move=movers[mover],
        phase=phase,
        bid_order=bids,
        turn_order=turns,
        discards=discards,
    )


def _drawn(left: list[int], number: int, known: Iterable[int]) -> Growing[list[int]]:
    """That many things drawn one by one from what is left, each as likely as there are of its kind."""
    drawn, values = [], iter(known)
    for _ in range(number):
        place = yield tuple(left), next(values, 0)
        left[place] -= 1
        drawn.append(place)
    return drawn


def _things(
    left: list[int], number: int, things: Sequence[_Thing], known: Sequence[_Thing] | None
) -> Growing[tuple[_Thing, ...]]:
    drawn = yield from _drawn(left, number, map(things.index, known or ()))
    return tuple(things[place] for place in drawn)


def _length(lengths: Weights, left: list[int], known: Sequence[object] | None) -> Growing[int | None]:
    """How many things are known, None for unknown: 0 stands for that, and n + 1 for n."""
    return _or_unknown((yield lengths[: sum(left) + 2], 0 if known is None else 1 + len(known)))


def _maybe_things(
    lengths: Weights, left: list[int], things: Sequence[_Thing], known: Sequence[_Thing] | None
) -> Growing[tuple[_Thing, ...] | None]:
    length = yield from _length(lengths, left, known)
    return None if length is None else (yield from _things(left, length, things, known))


def _numbers(weights: Iterable[Weights], left: int, known: Iterable[int]) -> Growing[list[int]]:
    """A number for each of these weights, together no more than what is left."""
    numbers, values = [], iter(known)
    for each in weights:
        number = yield each[: left + 1], next(values, 0)
        left -= number
        numbers.append(number)
    return numbers


def _meeples(sizes: Sequence[int], box: _Box, known: Iterator[int]) -> Growing[list[tuple[int, ...]]]:
    """Each tile's meeples by tribe, as likely as when they are drawn from the bag."""
    ways = []
    for size in sizes:
        missing = size
        counts = []
        for tribe in components.Tribe:
            own, others = box.meeples[tribe], sum(box.meeples[tribe + 1 :])
            weights = tuple(comb(own, n) * comb(others, missing - n) for n in range(missing + 1))
            number = yield weights, next(known, 0)
            missing -= number
            counts.append(number)
        box.meeples = [left - number for left, number in zip(box.meeples, counts, strict=True)]
        ways.append(tuple(counts))
    return ways


def _standing(tiles: Sequence[Tile], box: _Box, known: Board) -> Growing[Board]:
    """Camels, then palms, then palaces on the tiles."""
    camels = (None, *_COLOURS)
    owners, values = [], (camels.index(tile.camel) for tile in known)
    for _ in tiles:
        owner = yield (_NO_CAMEL, *box.camels), next(values, 0)
        if owner:
            box.camels[owner - 1] -= 1
        owners.append(camels[owner])
    built = []
    for home, left, numbers in (
        (components.TileAction.OASIS, components.PALMS, [tile.palms for tile in known]),
        (components.TileAction.VILLAGE, components.PALACES, [tile.palaces for tile in known]),
    ):
        weights = (_BUILDINGS_HERE if tile.kind.action is home else _BUILDINGS_ELSEWHERE for tile in tiles)
        built.append((yield from _numbers(weights, left, numbers)))
    return tuple(
        Tile(tile.kind, tile.meeples, *standing) for tile, *standing in zip(tiles, owners, *built, strict=True)
    )


def _turn_order(markers: list[int], known: Sequence[Bid] | None) -> Growing[tuple[Bid, ...] | None]:
    length = yield from _length(_TURN_LENGTH, markers, known)
    if length is None:
        return None
    bids: list[Bid] = []
    prices = components.SPOT_PRICES_GC
    spots = [components.TRACK_PRICES_GC.count(price) for price in prices]
    values = iter([value for bid in known or () for value in (_COLOURS.index(bid.colour), prices.index(bid.price))])
    for _ in range(length):
        (colour,) = yield from _drawn(markers, 1, values)
        (price,) = yield from _drawn(spots, 1, values)
        # Turns go from the dearest spot down (rules 3.3).
        spots[price + 1 :] = [0] * (len(spots) - price - 1)
        bids.append(Bid(_COLOURS[colour], prices[price]))
    return tuple(bids)


def _listed(
    colours: Sequence[components.Colour], known: Sequence[components.Colour]
) -> Growing[Sequence[components.Colour]]:
    how = yield _LISTED, _NOBODY_LISTED if not known else _ALL_LISTED if len(known) == len(colours) else _SOME_LISTED
    if how == _SOME_LISTED:
        listed = []
        for colour in colours:
            if (yield (1, 1), int(colour in known)):
                listed.append(colour)
        return listed
    return colours if how == _ALL_LISTED else ()


def _player(known: Player, box: _Box) -> Growing[Player]:
    starting, unknown = _starting(known.colour), Player(known.colour)
    holdings = yield _HOLDINGS, {starting: _STARTING, unknown: _NOTHING_KNOWN}.get(known, _OTHER)
    if holdings != _OTHER:
        if holdings == _STARTING:
            box.gold -= components.START_GOLD_GC
        return starting if holdings == _STARTING else unknown
    viziers, elders = box.meeples[components.Tribe.VIZIER], box.meeples[components.Tribe.ELDER]
    held: dict[str, int | None] = {}
    for what, weights, left in (
        ("gold", _GOLD, box.gold),
        ("viziers", _KEPT, viziers),
        ("elders", _KEPT, elders),
        ("fakirs", _KEPT, box.cards[_FAKIR_PLACE]),
    ):
        given = getattr(known, what)
        held[what] = _or_unknown((yield weights[: left + 2], 0 if given is None else 1 + given))
    box.gold -= held["gold"] or 0
    box.meeples[components.Tribe.VIZIER] -= held["viziers"] or 0
    box.meeples[components.Tribe.ELDER] -= held["elders"] or 0
    box.cards[_FAKIR_PLACE] -= held["fakirs"] or 0
    goods: list[int] | None = None
    if (yield _GOODS_KNOWN, int(known.goods is not None)):
        goods, values = [], iter(known.goods or ())
        for place in map(_CARDS.index, components.GOODS):
            number = yield _GOODS[: box.cards[place] + 1], next(values, 0)
            box.cards[place] -= number
            goods.append(number)
    djinns = yield from _maybe_things(_OWN_DJINNS_LENGTH, box.djinns, _DJINN_NAMES, known.djinns)
    return Player(known.colour, **held, goods=None if goods is None else tuple(goods), djinns=djinns)


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
