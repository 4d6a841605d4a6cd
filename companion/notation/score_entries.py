"""What people type on a line of a score sheet, as `Entry`: sums, cards, djinns, tiles."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from typing import Any

from companion.errors import NotationError, quoted
from companion.language.phrase import say_as
from companion.notation.holdings import CardCounts, read_cards, read_holdings
from companion.notation.names import NOTHING, UnknownNameError, fold, is_read, parse_djinn
from companion.rules.engine.scoring import Holdings
from companion.rules.model.components import NO_GOODS, TILE_KINDS

MAX_POINTS = 9999
"""No line of a game gives more."""

_INNER_SUM = re.compile(r"(?<![\d.])\d+(?:\s*[-+*]\s*\d+)+")
_SUM = re.compile(r"[+-]?\d+(?:[-+*]\d+)*", re.ASCII)
_DAY = re.compile(
    r"(?:(?P<year>\d{4})[-./]\s?(?P<month>\d{1,2})[-./]\s?(?P<day>\d{1,2})\.?"
    r"|(?P<last_day>\d{1,2})\.\s?(?P<last_month>\d{1,2})\.\s?(?P<last_year>\d{4}))(?:[T ,]+\d{1,2}[:.]\d\d.*)?"
)
"""With slashes, half of the world writes the month before the day."""
_NONE = say_as("answer", "none")


@dataclass(frozen=True, slots=True)
class Entry:
    """A line: what is held, by field of `Holdings`, or points. `text` can be typed again to the same effect."""

    text: str
    held: Mapping[str, Any] = field(default_factory=dict)
    points: int | None = None

    @property
    def how(self) -> str:
        """The arithmetic of points given, as it was typed: "12+9"."""
        return self.text.removeprefix("=")


Entries = Mapping[str, Entry]
"""The known lines of one player's score sheet by category."""


def read_entry(category: str, text: str) -> Entry:
    """The line typed for a category of `scoring.CATEGORIES`; points begin with `=`. Raises NotationError."""
    text = " ".join(text.split())
    if text.startswith("="):
        return _as_points(text.removeprefix("="))
    if category in _READERS:
        return _as_points(text) if is_sum(text) and not says_nothing(text) else _READERS[category](text)
    if says_nothing(text):
        return Entry(text, {category: 0})
    if is_sum(text) or not any(map(str.isalpha, text)):
        return Entry(text, {category: read_sum(text)})
    number = _named_number(category, text)
    return Entry(str(number), {category: number})


def with_plain_sums(text: str) -> str:
    """A text with the sums in it worked out: "12+7 gold" becomes "19 gold". Raises what `read_sum` raises."""
    return _INNER_SUM.sub(lambda sum_: str(read_sum(sum_[0])), text)


def _named_number(category: str, text: str) -> int:
    """The number in a line such as "3 palms". Raises NotationError for anything else."""
    try:
        held = read_holdings(with_plain_sums(text), counts_coins=category == "gold")
    except UnknownNameError as error:
        if error.nearest:
            raise
        held = Holdings()
    if [thing.name for thing in fields(held) if getattr(held, thing.name) is not None] == [category]:
        return int(getattr(held, category))
    return read_sum(text)


def is_sum(text: str) -> bool:
    """Whether the text is a number or a sum such as 12+7."""
    return _SUM.fullmatch(_plain(text)) is not None


def read_sum(text: str) -> int:
    """The value of a number or a sum of products, never below 0: 12+7, 3*5+2, 20-3.

    >>> read_sum("3*5 + 2")
    17

    Raises NotationError if it's something else, negative or too large.
    """
    plain = _plain(text)
    if not _SUM.fullmatch(plain):
        raise NotationError("{text} is not a number or a sum such as 12+7 or 3*5+2", text=quoted(text))
    total = 0
    for sign, product in re.findall(r"([+-]?)(\d+(?:\*\d+)*)", plain):
        value = 1
        for factor in product.split("*"):
            # Cut off before the arithmetic, in case somebody pastes thousands of digits.
            value = min(value * int(factor.lstrip("0")[:6] or "0"), MAX_POINTS + 1)
        total += -value if sign == "-" else value
    if total < 0:
        raise NotationError("{text} is less than 0; nothing here can be", text=quoted(text))
    if total > MAX_POINTS:
        raise NotationError(
            "{text} comes to more than {most}; is there a digit too many?", text=quoted(text), most=MAX_POINTS
        )
    return total


def read_djinns(text: str) -> tuple[str, ...]:
    """Djinns by name, separated by commas or spaces; "none" for none. Raises NotationError for anything else."""
    if says_nothing(text):
        return ()
    words = [part.strip() for part in text.split(",") if part.strip()]
    if len(words) == 1:
        words = _djinns_in_line(words[0].split())
    names = tuple(parse_djinn(word) for word in words)
    for name, count in Counter(names).items():
        if count > 1:
            raise NotationError("{name} is typed twice; there is one of each djinn", name=name)
    return names


def _djinns_in_line(words: list[str]) -> list[str]:
    """Words of a line put together into names: "Al Amin" is one name in two words."""
    names = []
    while words:
        pair = " ".join(words[:2])
        taken = 2 if len(words) > 1 and not is_read(parse_djinn, words[0]) and is_read(parse_djinn, pair) else 1
        names.append(" ".join(words[:taken]))
        words = words[taken:]
    return names


def read_tiles(text: str) -> tuple[int, ...]:
    """Values in VP of tiles given by their codes: "S15 O8 O8". Raises NotationError for a wrong code."""
    values = []
    for code in re.split(r"[\s,+]+", text.strip()):
        kind = TILE_KINDS.get(code.upper())
        if kind is None:
            raise NotationError(
                "{code} is not a tile; type the tiles’ points as a sum (15+8+8) or their codes: {codes}",
                code=quoted(code),
                codes=", ".join(TILE_KINDS),
            )
        values.append(kind.vp)
    return tuple(values)


def held_of(entries: Entries) -> Holdings:
    """What a player holds by these lines."""
    return Holdings(**{name: value for entry in entries.values() for name, value in entry.held.items()})


def entries_of(held: Holdings) -> dict[str, Entry]:
    """The lines that follow from what a player holds, by category."""
    entries: dict[str, Entry] = {}
    for category in ("gold", "viziers", "elders", "palms", "palaces"):
        if (number := getattr(held, category)) is not None:
            entries[category] = Entry(str(number), {category: number})
    if held.djinns is not None:
        entries["djinns"] = Entry(", ".join(held.djinns) or _NONE, {"djinns": held.djinns})
    if held.tiles is not None:
        values = sorted(held.tiles, reverse=True)
        entries["tiles"] = Entry("+".join(map(str, values)) or _NONE, {"tiles": tuple(values)})
    if held.goods is not None or held.fakirs is not None:
        cards = CardCounts(held.goods or NO_GOODS, held.fakirs or 0)
        entries["goods"] = Entry(str(cards), {"goods": held.goods, "fakirs": held.fakirs})
    return entries


def _plain(text: str) -> str:
    """A sum without spaces, its multiplication signs alike; two numbers side by side stay apart."""
    joined = re.sub(r"\s*([-+*x×])\s*", r"\1", text.strip().lower())
    return joined.replace("x", "*").replace("×", "*")


def _as_points(text: str) -> Entry:
    points = read_sum(text)
    return Entry("=" + text.strip(), points=points)


def _djinns(text: str) -> Entry:
    names = read_djinns(text)
    return Entry(", ".join(names) or _NONE, {"djinns": names})


def _tiles(text: str) -> Entry:
    return Entry(_NONE, {"tiles": ()}) if says_nothing(text) else Entry(text.upper(), {"tiles": read_tiles(text)})


def _goods(text: str) -> Entry:
    cards = read_cards(text)
    return Entry(str(cards), {"goods": cards.goods, "fakirs": cards.fakirs})


_READERS = {"djinns": _djinns, "tiles": _tiles, "goods": _goods}


def says_nothing(line: str) -> bool:
    return line.strip() == "-" or fold(line) in NOTHING


def read_day(text: str) -> str:
    """The day that was typed, as 2026-02-14. Raises NotationError if there is no such day, or two that it may be.

    >>> read_day("14.02.2026"), read_day("2026/2/14 20:30")
    ('2026-02-14', '2026-02-14')
    """
    try:
        if (match := _DAY.fullmatch(text.strip())) is None:
            return date.fromisoformat(text.strip()).isoformat()
        return date(*(int(match[part] or match[f"last_{part}"]) for part in ("year", "month", "day"))).isoformat()
    except ValueError:
        raise NotationError(
            "{text} is not a date; write it as year-month-day, such as 2026-02-14", text=quoted(text)
        ) from None


def clear_day(text: str) -> str:
    """The day that a text tells, as 2026-02-14; "" where it tells none, or not clearly."""
    return read_day(text) if is_read(read_day, text) else ""
