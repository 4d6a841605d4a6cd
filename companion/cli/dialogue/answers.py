"""What people type for a line of a score sheet: sums, cards, djinns, tiles, players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.errors import NotationError
from companion.notation.names import parse_card, parse_colour, parse_djinn
from companion.rules.engine.scoring import Holdings
from companion.rules.model.components import COLOUR_BY_LETTER, FAKIR, GOODS, TILE_KINDS, Colour

LARGEST = 9999
"""More than any line of a game gives; larger numbers are slips of the finger."""

_SUM = re.compile(r"[+-]?\d+(?:[-+*]\d+)*", re.ASCII)
_NOTHING = frozenset({"0", "-", "none", "no", "nothing"})
_WORD_OR_NUMBER = re.compile(r"\d+|[^\W\d_]+", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line filled in: what is held, by field of `Holdings`, or points as they are.

    `text` can be typed again to the same effect; it stands in brackets when the line is asked.
    """

    text: str
    held: Mapping[str, Any] = field(default_factory=dict)
    points: int | None = None

    @property
    def how(self) -> str:
        """The arithmetic of points given, as it was typed: "12+9"."""
        return self.text.removeprefix("=")


def read_entry(category: str, text: str) -> Entry:
    """What was typed for a category of `scoring.CATEGORIES`; points as they are begin with `=`.

    Raises NotationError that says what was expected.
    """
    text = " ".join(text.split())
    if text.startswith("="):
        return _as_points(text.removeprefix("="))
    if category == "djinns":
        return _djinns_or_points(text)
    if category == "tiles":
        return _tiles_or_points(text)
    if category == "goods":
        return _goods_or_points(text)
    return Entry(text, {category: 0 if text.lower() in _NOTHING else read_sum(text)})


def is_sum(text: str) -> bool:
    """Whether the text is a number or a sum such as 12+7."""
    return _SUM.fullmatch(_plain(text)) is not None


def read_sum(text: str) -> int:
    """The value of a number or a sum of products, never below 0: 12+7, 3*5+2, 20-3.

    >>> read_sum("3*5 + 2")
    17

    Raises NotationError if it is something else, negative or too large to be true.
    """
    plain = _plain(text)
    if not _SUM.fullmatch(plain):
        raise NotationError(f"{text!r} is not a number or a sum such as 12+7 or 3*5+2")
    total = 0
    for sign, product in re.findall(r"([+-]?)(\d+(?:\*\d+)*)", plain):
        value = 1
        for factor in product.split("*"):
            # Cut off before the arithmetic: a pasted line of digits is no reason to wait.
            value = min(value * int(factor.lstrip("0")[:6] or "0"), LARGEST + 1)
        total += -value if sign == "-" else value
    if total < 0:
        raise NotationError(f"{text!r} is less than 0; nothing here can be")
    if total > LARGEST:
        raise NotationError(f"{text!r} comes to more than {LARGEST}; is there a digit too many?")
    return total


def read_djinns(text: str) -> tuple[str, ...]:
    """Djinns by name, separated by commas or spaces; "none" for none.

    Raises NotationError for a name that is none, or one twice.
    """
    if text.lower() in _NOTHING:
        return ()
    words = [part.strip() for part in text.split(",") if part.strip()]
    if len(words) == 1:
        words = _djinns_in_line(words[0].split())
    names = tuple(parse_djinn(word) for word in words)
    for name, count in Counter(names).items():
        if count > 1:
            raise NotationError(f"{name} is typed twice; there is one of each djinn")
    return names


def _djinns_in_line(words: list[str]) -> list[str]:
    """Words of a line put together into names: "Al Amin" is one name in two words."""
    names = []
    while words:
        pair = " ".join(words[:2])
        taken = 2 if len(words) > 1 and not _is(parse_djinn, words[0]) and _is(parse_djinn, pair) else 1
        names.append(" ".join(words[:taken]))
        words = words[taken:]
    return names


def _is(parse: Callable[[str], str], text: str) -> bool:
    try:
        parse(text)
    except NotationError:
        return False
    return True


def read_cards(text: str) -> dict[str, int]:
    """Resource cards by name with how many: "fish 2 wheat silk", "2 fish, wheat", "fish,fish"; "none" for none.

    Numbers stand after their card, or before it if the line begins with one.

    Raises NotationError for a card that is none or a number without one.
    """
    counts: Counter[str] = Counter()
    if text.lower() in _NOTHING:
        return dict(counts)
    parts = [part for part in _WORD_OR_NUMBER.findall(text) if part.lower() != "x"]
    if not parts:
        raise NotationError(f"{text!r} names no cards; type them like this: fish 2 wheat silk")
    before = parts[0].isdecimal()
    ordered = parts if before else parts[::-1]
    number: int | None = None
    for part in ordered:
        if part.isdecimal():
            if number is not None:
                raise NotationError(f"{text!r}: {part} and {number} stand side by side; one number a card")
            number = read_sum(part)
        else:
            counts[parse_card(part)] += 1 if number is None else number
            number = None
    if number is not None:
        raise NotationError(f"{text!r}: the number {number} has no card; type them like this: fish 2 wheat silk")
    return {card: counts[card] for card in (*GOODS, FAKIR) if counts[card]}


def read_tiles(text: str) -> tuple[int, ...]:
    """Values in VP of tiles given by their codes: "S15 O8 O8".

    Raises NotationError for a code that is none.
    """
    values = []
    for code in re.split(r"[\s,+]+", text.strip()):
        kind = TILE_KINDS.get(code.upper())
        if kind is None:
            raise NotationError(
                f"{code!r} is no tile; type their points as a sum (15+8+8) or their codes: {', '.join(TILE_KINDS)}"
            )
        values.append(kind.vp)
    return tuple(values)


def read_players(text: str) -> dict[Colour, str]:
    """Who plays: colours with a name each if given, "pink Anna, black Boris" or "pink black".

    The name is "" where none was typed; the order is that of the text.

    Raises NotationError for a colour that is none or named twice, or if there is nobody.
    """
    parts = [part.strip() for part in re.split(r"[,;]", text) if part.strip()]
    if len(parts) == 1:
        parts = _players_in_line(parts[0].replace("=", " ").split())
    players: dict[Colour, str] = {}
    for part in parts:
        word, _, name = part.replace("=", " ", 1).partition(" ")
        colour = parse_player(word)
        if colour in players:
            raise NotationError(f"{colour} is named twice; each colour plays once")
        players[colour] = " ".join(name.split())
    if not players:
        raise NotationError("no player is named; type the colours that play, such as pink Anna, black Boris")
    return players


def _players_in_line(words: list[str]) -> list[str]:
    """Words of a line without commas, parted before each colour; letters part them if there is nothing else."""
    if all(_is(parse_player, word) for word in words):
        return words
    parts = words[:1]
    for word in words[1:]:
        if _is(parse_colour, word):
            parts.append(word)
        else:
            parts[-1] += " " + word
    return parts


def parse_player(text: str) -> Colour:
    """A colour by its name or the letter of its camel: "pink", "P".

    Raises NotationError with the nearest names.
    """
    return COLOUR_BY_LETTER.get(text.upper()) or parse_colour(text)


def entries_of(held: Holdings) -> dict[str, Entry]:
    """The lines that are known of a player's belongings, by category."""
    entries: dict[str, Entry] = {}
    for category in ("gold", "viziers", "elders", "palms", "palaces"):
        if (number := getattr(held, category)) is not None:
            entries[category] = Entry(str(number), {category: number})
    if held.djinns is not None:
        entries["djinns"] = Entry(", ".join(held.djinns) or "none", {"djinns": held.djinns})
    if held.tiles is not None:
        values = sorted(held.tiles, reverse=True)
        entries["tiles"] = Entry("+".join(map(str, values)) or "none", {"tiles": tuple(values)})
    if held.goods is not None or held.fakirs is not None:
        cards = dict(zip(GOODS, held.goods or (), strict=False))
        if held.fakirs:
            cards[FAKIR] = held.fakirs
        entries["goods"] = Entry(_cards_text(cards), {"goods": held.goods, "fakirs": held.fakirs})
    return entries


def _plain(text: str) -> str:
    """A sum without spaces, its multiplication signs alike; two numbers side by side stay apart."""
    joined = re.sub(r"\s*([-+*x×])\s*", r"\1", text.strip().lower())
    return joined.replace("x", "*").replace("×", "*")


def _as_points(text: str) -> Entry:
    points = read_sum(text)
    return Entry("=" + text.strip(), points=points)


def _djinns_or_points(text: str) -> Entry:
    if is_sum(text) and text not in _NOTHING:
        return _as_points(text)
    names = read_djinns(text)
    return Entry(", ".join(names) or "none", {"djinns": names})


def _tiles_or_points(text: str) -> Entry:
    if text.lower() in _NOTHING:
        return Entry("none", {"tiles": ()})
    if is_sum(text):
        return _as_points(text)
    return Entry(text.upper(), {"tiles": read_tiles(text)})


def _goods_or_points(text: str) -> Entry:
    if is_sum(text) and text not in _NOTHING:
        return _as_points(text)
    cards = read_cards(text)
    goods = tuple(cards.get(good, 0) for good in GOODS)
    return Entry(_cards_text(cards), {"goods": goods, "fakirs": cards.get(FAKIR, 0)})


def _cards_text(cards: Mapping[str, int]) -> str:
    return ", ".join(f"{card} {count}" if count > 1 else card for card, count in cards.items() if count) or "none"
