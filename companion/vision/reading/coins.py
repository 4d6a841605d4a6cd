"""What coins in photos mean: a player's gold (rules 1.3, 10.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import PhotoError
from companion.language.phrase import say, say_many, term
from companion.rules.model.components import COINS, Colour
from companion.vision.cards.coins import CoinDetection
from companion.vision.reading.holdings import find_loose_coins
from companion.vision.reading.table import Shot, TableReading


def read_coins(coins: Mapping[Colour, Shot], tell: Callable[[str], None]) -> dict[Colour, tuple[CoinDetection, ...]]:
    """The coins in photos of what players have laid out, beside cards or alone. Raises PhotoError without any."""
    found = {}
    for colour, shot in coins.items():
        tell(say("{name}: counting coins", name=shot.name))
        found[colour] = find_loose_coins(shot.picture)
        if not found[colour]:
            raise PhotoError(
                say(
                    "{shot}: no coins found; lay them out singly, their numbers up, and photograph them from above",
                    shot=shot.name,
                )
            )
    return found


def add_coins(table: TableReading, coins: Mapping[Colour, tuple[CoinDetection, ...]]) -> TableReading:
    """The table's reading with players' gold; unknown where a coin shows no number."""
    position, notes = table.reading.position, [*table.reading.notes]
    for colour, found in coins.items():
        position = position.with_player(replace(position.player(colour), gold=gold_of(found)))
        notes += _faults(colour, found)
    return replace(table, reading=replace(table.reading, position=position, notes=tuple(notes)), coins=coins)


@dataclass(frozen=True, slots=True)
class DoubtfulCoin:
    """A coin of a player not told for sure, by its number from 0, or one that shows no number."""

    holder: Colour
    number: int
    detection: CoinDetection

    @property
    def label(self) -> str:
        """What the coin is called, by whose it is and its place from 1: "pink-coin-3"."""
        return f"{self.holder}-coin-{self.number + 1}"


def doubtful_coins(table: TableReading) -> list[DoubtfulCoin]:
    """The coins of all players that somebody should look at again."""
    return [
        DoubtfulCoin(colour, number, coin)
        for colour, coins in table.coins.items()
        for number, coin in enumerate(coins)
        if not coin.is_sure
    ]


def correct_coin(table: TableReading, doubtful: DoubtfulCoin, value: int) -> TableReading:
    """The table's reading with a doubtful coin as a person says it is, in GC; 0 for something that is no coin."""
    coins = list(table.coins[doubtful.holder])
    coins[doubtful.number] = replace(doubtful.detection, value=value, confidence=1.0)
    old = set(_faults(doubtful.holder, table.coins[doubtful.holder]))
    position = table.reading.position
    position = position.with_player(replace(position.player(doubtful.holder), gold=gold_of(coins)))
    notes = (*(note for note in table.reading.notes if note not in old), *_faults(doubtful.holder, coins))
    reading = replace(table.reading, position=position, notes=notes)
    return replace(table, reading=reading, coins={**table.coins, doubtful.holder: tuple(coins)})


def gold_of(coins: Sequence[CoinDetection]) -> int | None:
    """What the coins are worth in GC; None if one of them shows no number."""
    values = [coin.value for coin in coins]
    return None if None in values else sum(value for value in values if value is not None)


def count_values(coins: Sequence[CoinDetection]) -> dict[int, int]:
    """How many coins there are of each value, the dearest first; those without a number left out."""
    counts = Counter(coin.value for coin in coins)
    return {value: counts[value] for value in sorted(COINS, reverse=True) if counts[value]}


def _faults(colour: Colour, coins: Sequence[CoinDetection]) -> Iterator[str]:
    blank = sum(coin.value is None for coin in coins)
    if blank:
        yield say_many(
            "{count} coin of {player} shows no number, so the gold is not known: turn it over",
            "{count} coins of {player} show no number, so the gold is not known: turn them over",
            blank,
            player=term(colour),
        )
    for value, number in count_values(coins).items():
        if number > COINS[value]:
            yield say(
                "{player}: {number} coins of {value} were counted, and the box holds {most} (rules 1.3); count again",
                player=term(colour),
                number=number,
                value=value,
                most=COINS[value],
            )
