"""What finished games tell taken together: who won how often, best and mean by category, djinns, bids."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.history.saved import SavedGame, turns_of
from companion.history.saved_results import SavedResult
from companion.language.phrase import say, term
from companion.notation.names import name_key
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

TOTAL = "total"
"""Stands beside the categories of `scoring.CATEGORIES`."""


@dataclass(frozen=True, slots=True)
class PointsFigures:
    """The mean and the best of a category over that many games in which it is known, in VP."""

    games: int
    mean: float
    best: int


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """One player by name, or all without one of a colour; shared wins count, a category never known is missing.
    `thought_s` and `turn_s` are mean times of a game and a turn, None if never measured.
    """

    name: str
    colour: Colour | None
    games: int
    won: int
    points: Mapping[str, PointsFigures]
    thought_s: float | None = None
    turn_s: float | None = None


@dataclass(frozen=True, slots=True)
class DjinnFigures:
    """A djinn that players had at the end: how often, the mean of the VP it was worth, how often its holder won."""

    name: str
    held: int
    points: float
    won: int


@dataclass(frozen=True, slots=True)
class PriceFigures:
    """A price of the bid order track in GC: how often it was paid, and how often whoever paid it won that game."""

    price: int
    paid: int
    won: int


@dataclass(frozen=True, slots=True)
class Spent:
    """One player in one game: what all bids cost in GC (or their spots), the final points, whether that player won."""

    bids: int
    points: int
    won: bool


@dataclass(frozen=True, slots=True)
class Statistics:
    """All of it; `players` by wins, then by mean, `djinns` by worth, `prices` from the cheapest."""

    games: int
    players: tuple[PlayerFigures, ...]
    djinns: tuple[DjinnFigures, ...]
    prices: tuple[PriceFigures, ...]
    spent: tuple[Spent, ...]


def statistics_of(games: Iterable[tuple[SavedGame, SavedResult]]) -> Statistics:
    """What finished games tell together, if it's known who won. A name is one whatever its case and spaces; two players
    of one name in a game are told apart by colour.
    """
    finished = [(game, result) for game, result in games if result.is_decided]
    seats: dict[str, list[tuple[Colour, SavedGame, SavedResult]]] = defaultdict(list)
    names: dict[str, tuple[str, Colour | None]] = {}
    for game, result in finished:
        known = Counter(map(name_key, game.players.values()))
        for colour in result.players:
            name = " ".join(game.players.get(colour, "").split())
            if name and known[name_key(name)] > 1:
                name = say("{name} ({colour})", name=name, colour=term(colour))
            key = name_key(name) or f"\0{colour}"
            names.setdefault(key, (name, None if name else colour))
            seats[key].append((colour, game, result))
    players = [_player(*names[key], played) for key, played in seats.items()]
    players.sort(key=lambda player: (-player.won, -player.points[TOTAL].mean, player.name))
    return Statistics(
        len(finished),
        tuple(players),
        _djinns([result for _, result in finished]),
        _prices([result for _, result in finished]),
        tuple(spent for _, result in finished for spent in _spent(result)),
    )


def _player(name: str, colour: Colour | None, played: Sequence[tuple[Colour, SavedGame, SavedResult]]) -> PlayerFigures:
    results = [result.players[own] for own, _, result in played]
    points: dict[str, PointsFigures] = {}
    for category in (*CATEGORIES, TOTAL):
        known = [result.total if category == TOTAL else result.points[category] for result in results]
        numbers = [number for number in known if number is not None]
        if numbers:
            points[category] = PointsFigures(len(numbers), sum(numbers) / len(numbers), max(numbers))
    thought = [game.clock[own] for own, game, _ in played if game.clock.get(own)]
    turns = [seconds for own, game, _ in played for seconds in turns_of(game, own)]
    won = sum(result.place == 1 for result in results)
    return PlayerFigures(name, colour, len(results), won, points, _mean(thought), _mean(turns))


def _mean(numbers: Sequence[float]) -> float | None:
    return sum(numbers) / len(numbers) if numbers else None


def _djinns(results: Sequence[SavedResult]) -> tuple[DjinnFigures, ...]:
    held: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for result in results:
        for djinn in result.djinns:
            if djinn.colour in result.players:
                held[djinn.name].append((djinn.points, result.players[djinn.colour].place == 1))
    figures = [
        DjinnFigures(name, len(all_), sum(points for points, _ in all_) / len(all_), sum(won for _, won in all_))
        for name, all_ in held.items()
    ]
    return tuple(sorted(figures, key=lambda djinn: (-djinn.points, djinn.name)))


def _prices(results: Sequence[SavedResult]) -> tuple[PriceFigures, ...]:
    paid: dict[int, list[bool]] = defaultdict(list)
    for result in results:
        for bid in result.bids:
            if bid.colour in result.players:
                paid[bid.price].append(result.players[bid.colour].place == 1)
    return tuple(PriceFigures(price, len(won), sum(won)) for price, won in sorted(paid.items()))


def _spent(result: SavedResult) -> list[Spent]:
    if not result.bids:
        return []
    return [
        Spent(
            sum(bid.price if bid.paid is None else bid.paid for bid in result.bids if bid.colour is colour),
            player.total,
            player.place == 1,
        )
        for colour, player in result.players.items()
    ]
