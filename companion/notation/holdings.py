"""What a player holds, typed on one line: `41 gold, 2 viziers, 3 elders, 2 silk, fish, 3 fakirs, Jafaar`.

A number stands before its name or after it (`2 silk`, `silk 2`, `silk x2`); a name alone is one. Commas part the
things, and where each number has but one name that it can belong to they may be left out. Names are read in five
languages. What could mean two things is never guessed: it comes back as `Ambiguous`, with every reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.errors import NotationError, quoted
from companion.notation.names import (
    AND,
    CARD_NAMES,
    CARDS_TOGETHER,
    DJINN_NAMES,
    GOLD_CARD_NAMES,
    HELD_NAMES,
    NO,
    NOTHING,
    TRIBE_NAMES,
    by_form,
    fold,
    folded,
    nearest_form,
)
from companion.rules.engine.scoring import Holdings
from companion.rules.model.components import (
    CARD_COUNTS,
    COINS_GC,
    FAKIR,
    GOODS,
    MEEPLE_COUNTS,
    PALACES,
    PALMS,
    Tribe,
)

MAX_LETTERS = 500
"""Letters of a line; what a player holds is told in fewer."""

MAX_READINGS = 4
"""Readings of an ambiguous line that are still worth asking about."""

_MAX_WAYS = 64

_Read = TypeVar("_Read")
# How many of each thing a reading has found so far, in the order in which they were first named.
_Found = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CardCounts:
    """Resource cards in a hand: goods in the order of `components.GOODS`, and fakirs (rules 1.4)."""

    goods: tuple[int, ...] = (0,) * len(GOODS)
    fakirs: int = 0

    def __str__(self) -> str:
        """The cards as `read_cards` reads them: "2 silk, 1 fish, 3 fakirs"; "none" for none."""
        fakirs = [_many(self.fakirs, FAKIR)] if self.fakirs else []
        return ", ".join(_goods_words(self.goods) + fakirs) or "none"


@dataclass(frozen=True, slots=True)
class Ambiguous(Generic[_Read]):
    """A line that can be read in two ways or more: none of them is taken before somebody has chosen."""

    text: str
    readings: tuple[_Read, ...]
    told: tuple[str, ...]
    """Each reading in words that are read as it alone."""

    def __str__(self) -> str:
        """What to tell whoever typed it, every reading named as it can be typed."""
        return f"{quoted(self.text)} may mean {' or '.join(map(repr, self.told))}; type one of them"


# What a word can stand for, besides cards and djinns by their names.
_COINS, _VIZIERS, _ELDERS, _PALMS, _PALACES = "coins", "viziers", "elders", "palms", "palaces"
_ALL_GOODS, _ALL_CARDS, _ALL_DJINNS = "goods", "cards", "djinns"

_BOX: dict[str, tuple[int, str]] = {
    _COINS: (COINS_GC, "1.3"),
    _VIZIERS: (MEEPLE_COUNTS[Tribe.VIZIER], "1.2"),
    _ELDERS: (MEEPLE_COUNTS[Tribe.ELDER], "1.2"),
    _PALMS: (PALMS, "1.3"),
    _PALACES: (PALACES, "1.3"),
    **{card: (count, "1.4") for card, count in CARD_COUNTS.items()},
    **{djinn: (1, "1.5") for djinn in DJINN_NAMES},
    # These words are for saying that there is none; what there is has names of its own.
    **{word: (0, "") for word in (_ALL_GOODS, _ALL_CARDS, _ALL_DJINNS)},
}

_CARD_FORMS = {**by_form(CARD_NAMES), **by_form(GOLD_CARD_NAMES), **by_form(CARDS_TOGETHER)}
_ALL_FORMS = {
    **by_form(CARD_NAMES),
    **by_form(DJINN_NAMES),
    **by_form({_VIZIERS: TRIBE_NAMES[Tribe.VIZIER], _ELDERS: TRIBE_NAMES[Tribe.ELDER]}),
    **by_form(GOLD_CARD_NAMES),
    **by_form(CARDS_TOGETHER),
    **by_form(HELD_NAMES),
}
_MAX_WORDS = max(len(form.split()) for form in _ALL_FORMS)
# Coins and the good share their word in every language: "41 gold", "золото".
_EITHER = frozenset(map(fold, CARD_NAMES["gold"]))

_LETTER = r"[^\W\d_]"
_TOKEN = re.compile(
    rf"""(?P<part>[,;+·•，、；\n]|\.(?=\s|$))
    |(?P<times>(?:[×*]|(?<!{_LETTER})[xXхХ])\s*(?P<after>[0-9]+)(?![0-9.]|{_LETTER}))
    |(?P<number>[0-9]+)(?:\s*[x×хХX*](?!{_LETTER})|\s*[장개명](?!{_LETTER}))?(?!\.[0-9])
    |(?P<equal>[=:]|(?<=\s)[-–—](?=\s))
    |(?P<word>{_LETTER}(?:{_LETTER}|[\u0300-\u036f]|['’ʼ`´‘-](?={_LETTER}))*)
    |(?P<space>\s+)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class _Grammar(Generic[_Read]):
    """What a line may name, and what becomes of it; `either` are the folded words for coins and the good alike."""

    words: Mapping[str, str]
    folded: Mapping[str, str]
    either: frozenset[str]
    example: str
    unknown: str
    build: Callable[[_Found], _Read]
    tell: Callable[[_Read], str]


@dataclass(frozen=True, slots=True)
class _Number:
    """A number as typed; `left` if a sign binds it to the name before it."""

    value: int
    left: bool = False


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as typed and all that it can stand for."""

    text: str
    meanings: tuple[str, ...]


def read_cards(text: str) -> CardCounts | Ambiguous[CardCounts]:
    """The resource cards that somebody typed: "2 silk, fish, 3 fakirs", "шёлк x2, рыба"; "none" for none.

    >>> str(read_cards("fish 2, silk, fakirs x3"))
    '1 silk, 2 fish, 3 fakirs'
    >>> str(read_cards("ivory 2 silk"))
    "'ivory 2 silk' may mean '2 ivory, 1 silk' or '1 ivory, 2 silk'; type one of them"

    A card named twice counts twice. Raises NotationError for a word that is no card, a number without one, and more
    of a card than the box holds (rules 1.4).
    """
    line = _one_line(text)
    return CardCounts() if _says_none(line) else _read(line, _CARDS)


def read_holdings(line: str) -> Holdings | Ambiguous[Holdings]:
    """What somebody typed that a player holds; what the line does not name stays None.

    >>> held = read_holdings("41 gold, 2 viziers, 2 silk, Jafaar")
    >>> format_holdings(held)
    '41 gold, 2 viziers, 2 silk, Jafaar'

    Whoever names one good names all, and one djinn, all djinns; "no goods", "no djinns", "no cards" (neither goods
    nor fakirs) and "0 fakirs" say that there are none. "gold" is coins, or the good, whichever the numbers allow;
    `GC` and `gold card` leave no doubt. `tiles` is never set: tiles are the board's.

    Raises NotationError for an unknown word, a number without a name, what is named twice, and more than the box
    holds (rules 1.2 to 1.5).
    """
    said = _one_line(line)
    if _says_none(said):
        raise NotationError(f"{said!r} does not say of what there is none; type such as no goods, no djinns, 0 fakirs")
    return _read(said, _HOLDINGS)


def format_holdings(held: Holdings) -> str:
    """Holdings as `read_holdings` reads them, tiles aside; "" if nothing is known."""
    parts = []
    if held.gold is not None:
        parts.append(f"{held.gold} {'GC' if held.gold <= CARD_COUNTS['gold'] else 'gold'}")
    for number, noun in (
        (held.viziers, "vizier"),
        (held.elders, "elder"),
        (held.palms, "palm"),
        (held.palaces, "palace"),
    ):
        if number is not None:
            parts.append(_many(number, noun))
    if held.goods is not None:
        parts += _goods_words(held.goods, gold="gold card") or ["no goods"]
    if held.fakirs is not None:
        parts.append(_many(held.fakirs, FAKIR))
    if held.djinns is not None:
        parts += held.djinns or ["no djinns"]
    return ", ".join(parts)


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _goods_words(goods: Sequence[int], *, gold: str = "gold") -> list[str]:
    named = [(good, count) for good, count in zip(GOODS, goods, strict=True) if count]
    return [_many(count, gold) if good == "gold" != gold else f"{count} {good}" for good, count in named]


def _as_cards(found: _Found) -> CardCounts:
    counts = dict(found)
    _check_none(counts)
    return CardCounts(tuple(counts.get(good, 0) for good in GOODS), counts.get(FAKIR, 0))


def _as_holdings(found: _Found) -> Holdings:
    counts = dict(found)
    _check_none(counts)
    goods = djinns = None
    if counts.keys() & {*GOODS, _ALL_GOODS, _ALL_CARDS}:
        goods = tuple(counts.get(good, 0) for good in GOODS)
    if counts.keys() & {*DJINN_NAMES, _ALL_DJINNS}:
        djinns = tuple(name for name in counts if name in DJINN_NAMES)
    return Holdings(
        gold=counts.get(_COINS),
        viziers=counts.get(_VIZIERS),
        elders=counts.get(_ELDERS),
        fakirs=counts.get(FAKIR, 0 if _ALL_CARDS in counts else None),
        goods=goods,
        djinns=djinns,
        palms=counts.get(_PALMS),
        palaces=counts.get(_PALACES),
    )


def _check_none(counts: Mapping[str, int]) -> None:
    """Refuse what is said to be none and named all the same."""
    for word, names in ((_ALL_GOODS, GOODS), (_ALL_CARDS, CARD_COUNTS), (_ALL_DJINNS, DJINN_NAMES)):
        held = next((name for name in names if word in counts and counts.get(name)), None)
        if held is not None:
            raise NotationError(f"no {word} are said to be held, and {held} is named")


_CARDS = _Grammar(
    _CARD_FORMS,
    folded(_CARD_FORMS),
    either=frozenset(),
    example="2 silk, fish, 3 fakirs",
    unknown="no resource card is called",
    build=_as_cards,
    tell=str,
)
_HOLDINGS = _Grammar(
    _ALL_FORMS,
    folded(_ALL_FORMS),
    either=_EITHER,
    example="41 gold, 2 viziers, 2 silk, Jafaar",
    unknown="nothing to hold is called",
    build=_as_holdings,
    tell=format_holdings,
)


def _one_line(text: str) -> str:
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if len(line) > MAX_LETTERS:
        raise NotationError(f"a line of {len(line)} letters is too long to be what a player holds")
    return line


def _says_none(line: str) -> bool:
    return fold(line) in NOTHING or line in ("-", "–", "—")


def _read(line: str, grammar: _Grammar[_Read]) -> _Read | Ambiguous[_Read]:
    found: list[_Found] = [()]
    segments = [segment for segment in _segments(line, grammar) if segment]
    if not segments:
        raise NotationError(f"{quoted(line)} names nothing that is held; type such as {grammar.example}")
    for segment in segments:
        found = _with_segment(line, found, _entries(line, segment))
    readings = tuple(dict.fromkeys(map(grammar.build, found)))
    if len(readings) > MAX_READINGS:
        raise _too_many_readings(line)
    return readings[0] if len(readings) == 1 else Ambiguous(line, readings, tuple(map(grammar.tell, readings)))


def _too_many_readings(line: str) -> NotationError:
    return NotationError(f"{quoted(line)} may be many things; part them with commas, such as 2 silk, fish, 3 fakirs")


def _segments(line: str, grammar: _Grammar[_Read]) -> list[list[_Number | _Name]]:
    """The parts between commas, each as its numbers and names in order."""
    segments: list[list[_Number | _Name]] = [[]]
    words: list[str] = []
    equal = ""
    place = 0
    while place < len(line):
        match = _TOKEN.match(line, place)
        if match is None:
            raise NotationError(f"{quoted(line)}: {line[place]!r} cannot be read; part the things with commas")
        place = match.end()
        if match["space"]:
            continue
        digits = match["after"] or match["number"]
        if equal and not digits:
            raise NotationError(f"{quoted(line)}: a number has to follow {equal!r}")
        if match["word"] and fold(match["word"]) not in AND:
            words.append(match["word"])
            continue
        segments[-1] += _names(words, grammar)
        words = []
        if digits:
            # More digits than any number here has are cut off: Python reads no number of some thousand.
            number = int(digits.lstrip("0")[:6] or "0")
            segments[-1].append(_Number(number, left=bool(equal or match["after"])))
            equal = ""
        elif match["equal"]:
            if not segments[-1] or not isinstance(segments[-1][-1], _Name):
                raise NotationError(f"{quoted(line)}: no name stands before {match['equal']!r}")
            equal = match["equal"]
        else:
            segments.append([])
    if equal:
        raise NotationError(f"{quoted(line)}: a number has to follow {equal!r}")
    segments[-1] += _names(words, grammar)
    return segments


def _names(words: list[str], grammar: _Grammar[_Read]) -> list[_Number | _Name]:
    """Words side by side as names, the longest that is one first; a word for none is the number 0."""
    found: list[_Number | _Name] = []
    while words:
        for many in range(min(len(words), _MAX_WORDS), 0, -1):
            key = fold("".join(words[:many]))
            if key in grammar.folded:
                meaning = grammar.folded[key]
                meanings = (_COINS, meaning) if key in grammar.either else (meaning,)
                found.append(_Name(" ".join(words[:many]), meanings))
                words = words[many:]
                break
        else:
            if fold(words[0]) not in NO:
                guess = nearest_form(words[0], grammar.words) or nearest_form("".join(words[:2]), grammar.words)
                raise NotationError(
                    f"{grammar.unknown} {quoted(words[0])}{guess or f'; type such as {grammar.example}'}"
                )
            found.append(_Number(0))
            words = words[1:]
    return found


def _entries(line: str, segment: list[_Number | _Name]) -> list[list[tuple[_Name, int]]]:
    """Every way to give each number of a part to a name beside it, where a name takes one number at most."""
    names = [token for token in segment if isinstance(token, _Name)]
    gaps: list[_Number | None] = [None]
    for token in segment:
        if isinstance(token, _Name):
            gaps.append(None)
        elif gaps[-1] is None:
            gaps[-1] = token
        else:
            raise NotationError(
                f"{quoted(line)}: {gaps[-1].value} and {token.value} stand side by side; one number a name"
            )
    first = gaps[0]
    if not names:
        raise NotationError(f"{quoted(line)}: the number {first.value if first else 0} has no name, such as 2 silk")
    *inner, last = gaps[1:]
    # The numbers of the names so far, None where there is none yet.
    ways: list[tuple[int | None, ...]] = [(first.value if first else None,)]
    for gap in inner:
        grown: list[tuple[int | None, ...]] = []
        for way in ways:
            if gap is None:
                grown.append((*way, None))
                continue
            if way[-1] is None:
                grown.append((*way[:-1], gap.value, None))
            if not gap.left:
                grown.append((*way, gap.value))
        if len(grown) > _MAX_WAYS:
            raise _too_many_readings(line)
        ways = grown
    if last is not None:
        ways = [(*way[:-1], last.value) for way in ways if way[-1] is None]
    if not ways:
        raise NotationError(f"{quoted(line)}: a name stands between two numbers; one number a name")
    return [[(name, 1 if one is None else one) for name, one in zip(names, way, strict=True)] for way in ways]


def _with_segment(line: str, found: list[_Found], ways: list[list[tuple[_Name, int]]]) -> list[_Found]:
    """What may have been found with one part more; readings that the box does not allow are left out."""
    grown: dict[_Found, None] = {}
    faults: list[NotationError] = []
    for way in ways:
        reached = list(found)
        for name, number in way:
            before, reached = reached, []
            for known in before:
                for meaning in name.meanings:
                    try:
                        reached.append(_with_more(known, meaning, number))
                    except NotationError as error:
                        faults.append(error)
            if len(reached) > _MAX_WAYS:
                raise _too_many_readings(line)
        grown.update(dict.fromkeys(reached))
    if not grown:
        raise faults[0]
    return list(grown)


def _with_more(found: _Found, meaning: str, number: int) -> _Found:
    """What has been found with so many more of a thing. Raises NotationError if the box does not hold them."""
    counts = dict(found)
    most, rule = _BOX[meaning]
    total = counts.get(meaning, 0) + number
    if meaning in (_ALL_GOODS, _ALL_CARDS, _ALL_DJINNS) and total:
        raise NotationError(f"name the {meaning} one by one, such as 2 silk, fish, or say that there are no {meaning}")
    if meaning in DJINN_NAMES and total != 1:
        raise NotationError(f"{total} {meaning}: there is one of each djinn (rules 1.5)")
    if meaning in counts and meaning not in CARD_COUNTS:
        raise NotationError(f"{meaning} are named twice; name each once")
    if total > most:
        raise NotationError(f"{total} {_plural(meaning)}: the box holds {most} (rules {rule})")
    return tuple({**counts, meaning: total}.items())


def _plural(meaning: str) -> str:
    return "fakirs" if meaning == FAKIR else "GC" if meaning == _COINS else meaning
