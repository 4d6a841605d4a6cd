"""What people type for a line of a score sheet: sums, cards, djinns, tiles, players."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.cli.dialogue.question import AmbiguousAnswerError
from companion.errors import NotationError, printable
from companion.language.glossary import LANGUAGES, forms_in
from companion.language.phrase import joined, say, say_as, say_many, term
from companion.notation.holdings import Ambiguous, CardCounts, read_cards
from companion.notation.names import NOTHING, fold, parse_colour, parse_djinn
from companion.rules.engine.scoring import Holdings
from companion.rules.model.components import COLOUR_BY_LETTER, TILE_KINDS, Colour
from companion.rules.model.goods import NO_GOODS, best_goods_value

MAX_POINTS = 9999
"""More than any line of a game gives; larger numbers are slips of the finger."""

_SUM = re.compile(r"[+-]?\d+(?:[-+*]\d+)*", re.ASCII)
_NOTHING = frozenset({"0", "-", "none", "no", "nothing"}) | NOTHING
_NONE = say_as("answer", "none")


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
        raise NotationError(say("{text} is not a number or a sum such as 12+7 or 3*5+2", text=repr(text)))
    total = 0
    for sign, product in re.findall(r"([+-]?)(\d+(?:\*\d+)*)", plain):
        value = 1
        for factor in product.split("*"):
            # Cut off before the arithmetic: a pasted line of digits is no reason to wait.
            value = min(value * int(factor.lstrip("0")[:6] or "0"), MAX_POINTS + 1)
        total += -value if sign == "-" else value
    if total < 0:
        raise NotationError(say("{text} is less than 0; nothing here can be", text=repr(text)))
    if total > MAX_POINTS:
        raise NotationError(
            say("{text} comes to more than {most}; is there a digit too many?", text=repr(text), most=MAX_POINTS)
        )
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
            raise NotationError(say("{name} is typed twice; there is one of each djinn", name=name))
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


def read_tiles(text: str) -> tuple[int, ...]:
    """Values in VP of tiles given by their codes: "S15 O8 O8".

    Raises NotationError for a code that is none.
    """
    values = []
    for code in re.split(r"[\s,+]+", text.strip()):
        kind = TILE_KINDS.get(code.upper())
        if kind is None:
            raise NotationError(
                say(
                    "{code} is not a tile; type the tiles’ points as a sum (15+8+8) or their codes: {codes}",
                    code=repr(code),
                    codes=", ".join(TILE_KINDS),
                )
            )
        values.append(kind.vp)
    return tuple(values)


@dataclass(frozen=True, slots=True)
class NamedPlayers:
    """Who plays, in the order typed: colours with a name each, "" where none was given; or names alone."""

    colours: dict[Colour, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    def assumed(self, free: Iterable[Colour] = Colour) -> dict[Colour, str]:
        """Everybody by colour, the names alone given out in the order of the colours that are free.

        Raises NotationError if there are more names than colours.
        """
        colours = [colour for colour in free if colour not in self.colours]
        if len(self.names) > len(colours):
            left = (
                say("only {colours} to give out", colours=joined(", ", map(term, colours)))
                if colours
                else say("no colour to give out")
            )
            raise NotationError(
                say_many(
                    "{count} name, {names}, and {left}",
                    "{count} names, {names}, and {left}",
                    len(self.names),
                    names=", ".join(self.names),
                    left=left,
                )
            )
        return {**self.colours, **dict(zip(colours, self.names, strict=False))}


def read_players(text: str) -> NamedPlayers:
    """Who plays: "pink Anna, black Boris", "pink black", or names alone, "Anna, Boris".

    Raises NotationError for a colour that is none or named twice, a name twice, or if there is nobody.
    """
    # Names go on into records, drafts and links: what no text can hold is left out here.
    text = printable(text)
    parts = [part.strip() for part in re.split(r"[,;]", text) if part.strip()]
    if len(parts) == 1:
        words = parts[0].replace("=", " = ").split()
        parts = _with_equals_signs(words) if "=" in words else _players_in_line(words)
    # Other languages' words for colours may be names (Rosa): they are colours only where all are.
    heads = [part.replace("=", " ").split()[0] for part in parts if part.strip("= ")]
    coloured = any(map(_is_plain_colour, heads)) or all(_is(parse_player, head) for head in heads)
    if heads and "=" not in text and not coloured:
        return NamedPlayers(names=_names_alone(parts))
    players: dict[Colour, str] = {}
    for part in parts:
        word, _, name = part.replace("=", " ", 1).partition(" ")
        colour = parse_player(word)
        if colour in players:
            raise NotationError(say("{colour} is named twice; each colour plays once", colour=term(colour)))
        players[colour] = " ".join(name.split())
    if not players:
        raise NotationError(say("no player is named; type the colours that play, such as pink Anna, black Boris"))
    return NamedPlayers(players)


def _names_alone(parts: list[str]) -> tuple[str, ...]:
    names = tuple(" ".join(part.split()) for part in parts)
    for name, count in Counter(names).items():
        if count > 1:
            raise NotationError(say("{name} is named twice; give each player a name of his own", name=name))
    if len(names) > len(Colour):
        raise NotationError(
            say_many("{count} player named; four can play", "{count} players named; four can play", len(names))
        )
    return names


def _with_equals_signs(words: list[str]) -> list[str]:
    """Words of a line without commas, parted before each word with an = after it, and before colours in English."""
    first = {place - 1 for place, word in enumerate(words) if word == "="}
    return _parted(words, lambda place: place in first or fold(words[place]) in set(Colour))


def _players_in_line(words: list[str]) -> list[str]:
    """Words of a line without commas, parted before each colour; letters part them if there is nothing else."""
    if all(_is(parse_player, word) for word in words) or not _is(parse_player, words[0]):
        return words
    colours = _colours_beside(words[0])
    return _parted(words, lambda place: fold(words[place]) in colours)


def _parted(words: list[str], begins: Callable[[int], bool]) -> list[str]:
    """The parts of a line, each of them beginning at a place where one begins."""
    parts: list[str] = []
    for place, word in enumerate(words):
        if begins(place) or not parts:
            parts.append(word)
        else:
            parts[-1] += " " + word
    return parts


def _colours_beside(word: str) -> set[str]:
    """The words for colours, folded, of the languages that a colour's word is of, and of English.

    Those of other languages are left to be names: pink Rosa, black Boris.
    """
    by_language = [{fold(form) for colour in Colour for form in forms_in(name, colour)} for name in LANGUAGES]
    return set(Colour).union(*(forms for forms in by_language if fold(word) in forms))


def _is_plain_colour(word: str) -> bool:
    """Whether a word is a colour's English name or its camel's letter."""
    return fold(word) in set(Colour) or word.upper() in COLOUR_BY_LETTER


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


def _djinns_or_points(text: str) -> Entry:
    if is_sum(text) and text not in _NOTHING:
        return _as_points(text)
    names = read_djinns(text)
    return Entry(", ".join(names) or _NONE, {"djinns": names})


def _tiles_or_points(text: str) -> Entry:
    if text.lower() in _NOTHING:
        return Entry(_NONE, {"tiles": ()})
    if is_sum(text):
        return _as_points(text)
    return Entry(text.upper(), {"tiles": read_tiles(text)})


def _goods_or_points(text: str) -> Entry:
    if is_sum(text) and text not in _NOTHING:
        return _as_points(text)
    found = read_cards(text)
    if isinstance(found, Ambiguous):
        raise ambiguous(text, [(_worth(cards), str(cards)) for cards in found.readings])
    return Entry(str(found), {"goods": found.goods, "fakirs": found.fakirs})


def ambiguous(text: str, readings: Iterable[tuple[str, str]]) -> AmbiguousAnswerError:
    """The fault of a line with two readings: words for each, and a line that says just that."""
    return AmbiguousAnswerError(text, tuple(readings))


def _worth(cards: CardCounts) -> str:
    """Cards with what they sell for: "2 silk, 1 fish (4 VP)"."""
    return say("{cards} ({points} VP)", cards=cards, points=best_goods_value(cards.goods))
