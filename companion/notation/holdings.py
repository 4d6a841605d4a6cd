"""What a player holds, typed on one line: `41 gold, 2 viziers, 3 elders, 2 silk, fish, 3 fakirs, Jafaar`.

A number comes before or after its name (`2 silk`, `silk x2`); a name alone is one. Commas are only needed where a
number could belong to two names. Nothing is guessed: what can mean two things comes back as `Ambiguous`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from companion.errors import NotationError, quoted
from companion.language.glossary import spellings
from companion.language.phrase import Phrase, counted, joined, say, say_as, term
from companion.notation import names
from companion.notation.counted import MAX_WAYS, Counted, Vocabulary, counted_names, one_line, too_many_ways
from companion.notation.names import by_form, fold
from companion.rules.engine.scoring import Holdings
from companion.rules.model.components import CARD_COUNTS, COINS_GC, FAKIR, GOODS, MEEPLE_COUNTS, PALACES, PALMS, Tribe

MAX_READINGS = 4
"""With more readings, an ambiguous line is refused."""

_Read = TypeVar("_Read")
# How many of each thing a reading holds so far, in the order of their names.
_Found = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class CardCounts:
    """Resource cards in a hand: goods in the order of `components.GOODS`, and fakirs (rules 1.4)."""

    goods: tuple[int, ...] = (0,) * len(GOODS)
    fakirs: int = 0

    def __str__(self) -> str:
        """The cards as `read_cards` reads them, a phrase: "2 silk, 1 fish, 3 fakirs"; "none" for none."""
        fakirs = [counted(self.fakirs, FAKIR)] if self.fakirs else []
        return joined(", ", parts) if (parts := _goods_words(self.goods) + fakirs) else say_as("cards", "none")


@dataclass(frozen=True, slots=True)
class Ambiguous(Generic[_Read]):
    """A line that can be read in several ways; somebody has to choose one."""

    text: str
    readings: tuple[_Read, ...]
    words: tuple[str, ...]
    """A line for each reading that has no other."""

    def __str__(self) -> str:
        """A sentence with all readings as they can be typed."""
        words = joined(say(" or "), map(repr, self.words))
        return say("{text} may mean {words}; type one of them", text=quoted(self.text), words=words)


# What a word can stand for, apart from cards and djinns.
_COINS, _VIZIERS, _ELDERS, _PALMS, _PALACES = "coins", "viziers", "elders", "palms", "palaces"
_ALL_GOODS, _ALL_CARDS, _ALL_DJINNS = "goods", "cards", "djinns"
_TILES, _CAMELS = "tiles", "camels"

# Words that only say that there is none.
_ONLY_NONE = frozenset((_ALL_GOODS, _ALL_CARDS, _ALL_DJINNS, _TILES, _CAMELS))

_BOX: dict[str, tuple[int, str]] = {
    _COINS: (COINS_GC, "1.3"),
    _VIZIERS: (MEEPLE_COUNTS[Tribe.VIZIER], "1.2"),
    _ELDERS: (MEEPLE_COUNTS[Tribe.ELDER], "1.2"),
    _PALMS: (PALMS, "1.3"),
    _PALACES: (PALACES, "1.3"),
    **{card: (count, "1.4") for card, count in CARD_COUNTS.items()},
    **{djinn: (1, "1.5") for djinn in names.DJINN_NAMES},
    **{word: (0, "") for word in _ONLY_NONE},
}

_CARD_FORMS = {**by_form(names.CARD_NAMES), **by_form(names.GOLD_CARD_NAMES), **by_form(names.CARDS_TOGETHER)}
_ALL_FORMS = {
    **by_form(names.CARD_NAMES),
    **by_form(names.DJINN_NAMES),
    **by_form({_VIZIERS: names.TRIBE_NAMES[Tribe.VIZIER], _ELDERS: names.TRIBE_NAMES[Tribe.ELDER]}),
    **by_form(names.GOLD_CARD_NAMES),
    **by_form(names.CARDS_TOGETHER),
    **by_form(names.HELD_NAMES),
    **by_form({_TILES: spellings("thing")["tile"], _CAMELS: spellings("thing")["camel"]}),
}
# Coins and the good share their word in every language: "41 gold", "золото".
_EITHER = frozenset(map(fold, names.CARD_NAMES["gold"]))


@dataclass(frozen=True, slots=True)
class _Grammar(Generic[_Read]):
    """What a line may name; `either` are the folded words that mean both coins and the good."""

    vocabulary: Vocabulary
    either: frozenset[str]
    build: Callable[[_Found], _Read]
    tell: Callable[[_Read], str]


def read_cards(text: str) -> CardCounts | Ambiguous[CardCounts]:
    """The resource cards that somebody typed: "2 silk, fish, 3 fakirs", "шёлк x2, рыба"; "none" for none.

    >>> str(read_cards("fish 2, silk, fakirs x3"))
    '1 silk, 2 fish, 3 fakirs'
    >>> str(read_cards("ivory 2 silk"))
    "'ivory 2 silk' may mean '2 ivory, 1 silk' or '1 ivory, 2 silk'; type one of them"

    Raises NotationError for anything else, and for more of a card than the box holds (rules 1.4).
    """
    line = one_line(text)
    return CardCounts() if _says_none(line) else _read(line, _CARDS)


def read_holdings(line: str) -> Holdings | Ambiguous[Holdings]:
    """What a player holds, as typed; what the line doesn't name stays None.

    >>> held = read_holdings("41 gold, 2 viziers, 2 silk, Jafaar")
    >>> format_holdings(held)
    '41 gold, 2 viziers, 2 silk, Jafaar'

    One good names all goods, one djinn all djinns; "no goods", "no djinns", "no cards" (neither goods nor fakirs) and
    "0 fakirs" say that there are none. "gold" is coins or the good, whichever the numbers allow; "0 gold" is 0 coins.
    Raises NotationError for anything else, and for more than the box holds (rules 1.2 to 1.5).
    """
    plain = one_line(line)
    if _says_none(plain):
        raise NotationError(
            "{text}: none of what? Type something like no goods, no djinns, 0 fakirs", text=quoted(plain)
        )
    return _read(plain, _HOLDINGS)


def format_holdings(held: Holdings) -> Phrase:
    """Holdings as `read_holdings` reads them, without tiles; "" if nothing is known."""
    return joined(", ", holdings_words(held))


def holdings_words(held: Holdings) -> list[str]:
    """The parts of `format_holdings`, one for each thing."""
    parts: list[str] = []
    if held.gold is not None:
        few = held.gold <= CARD_COUNTS["gold"]
        parts.append(counted(held.gold, "GC") if few else say("{count} gold", count=held.gold))
    for what, noun in (("viziers", "vizier"), ("elders", "elder"), ("palms", "palms"), ("palaces", "palaces")):
        if (number := getattr(held, what)) is not None:
            parts.append(counted(number, noun))
    if held.goods is not None:
        parts += _goods_words(held.goods, gold="gold card") or [say("no goods")]
    if held.fakirs is not None:
        parts.append(counted(held.fakirs, FAKIR))
    if held.djinns is not None:
        parts += held.djinns or [say("no djinns")]
    return parts


def _goods_words(goods: Sequence[int], *, gold: str = "gold") -> list[str]:
    return [counted(count, gold if good == "gold" else good) for good, count in zip(GOODS, goods, strict=True) if count]


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
    if counts.keys() & {*names.DJINN_NAMES, _ALL_DJINNS}:
        djinns = tuple(name for name in counts if name in names.DJINN_NAMES)
    return Holdings(
        gold=counts.get(_COINS),
        viziers=counts.get(_VIZIERS),
        elders=counts.get(_ELDERS),
        fakirs=counts.get(FAKIR, 0 if _ALL_CARDS in counts else None),
        goods=goods,
        djinns=djinns,
        palms=counts.get(_PALMS),
        palaces=counts.get(_PALACES),
        tiles=() if _TILES in counts else None,
    )


def _check_none(counts: Mapping[str, int]) -> None:
    """Refuse a line such as "no goods, fish"."""
    for word, together in ((_ALL_GOODS, GOODS), (_ALL_CARDS, CARD_COUNTS), (_ALL_DJINNS, names.DJINN_NAMES)):
        held = next((name for name in together if word in counts and counts.get(name)), None)
        if held is not None:
            raise NotationError(
                "the line says no {things}, but names {named}", things=term(word, plural=True), named=term(held)
            )


_CARDS = _Grammar(
    Vocabulary(
        _CARD_FORMS,
        unknown=lambda word, guess: say("no resource card is called {word}{guess}", word=word, guess=guess),
        example=say("2 silk, fish, 3 fakirs"),
        only_none=_ONLY_NONE,
    ),
    either=frozenset(),
    build=_as_cards,
    tell=str,
)
_HOLDINGS = _Grammar(
    Vocabulary(
        _ALL_FORMS,
        unknown=lambda word, guess: say("nothing that a player holds is called {word}{guess}", word=word, guess=guess),
        example=say("41 gold, 2 viziers, 2 silk, Jafaar"),
        only_none=_ONLY_NONE,
    ),
    either=_EITHER,
    build=_as_holdings,
    tell=format_holdings,
)


def _says_none(line: str) -> bool:
    return fold(line) in names.NOTHING or line in ("-", "–", "—")


def _read(line: str, grammar: _Grammar[_Read]) -> _Read | Ambiguous[_Read]:
    found: list[_Found] = [()]
    for ways in counted_names(line, grammar.vocabulary):
        found = _with_part(line, found, ways, grammar)
    # "0 gold" without other coins is 0 coins.
    found = [reading for reading in found if ("gold", 0) not in reading or _COINS in dict(reading)] or found
    readings = tuple(dict.fromkeys(map(grammar.build, found)))
    if len(readings) > MAX_READINGS:
        raise too_many_ways(line)
    return readings[0] if len(readings) == 1 else Ambiguous(line, readings, tuple(map(grammar.tell, readings)))


def _with_part(line: str, found: list[_Found], ways: list[Counted], grammar: _Grammar[_Read]) -> list[_Found]:
    """The readings with one more part, as far as the box allows them."""
    grown: dict[_Found, None] = {}
    faults: list[NotationError] = []
    for way in ways:
        reached = list(found)
        for name, number in way:
            before, reached = reached, []
            meaning = grammar.vocabulary.meanings[name]
            for known in before:
                for thing in (_COINS, meaning) if name in grammar.either else (meaning,):
                    try:
                        reached.append(_with_more(known, thing, number))
                    except NotationError as error:
                        faults.append(error)
            if len(reached) > MAX_WAYS:
                raise too_many_ways(line)
        grown.update(dict.fromkeys(reached))
    if not grown:
        raise faults[0]
    return list(grown)


def _with_more(found: _Found, meaning: str, number: int) -> _Found:
    """A reading with more of a thing. Raises NotationError if the box doesn't hold so many."""
    counts = dict(found)
    most, rule = _BOX[meaning]
    total = counts.get(meaning, 0) + number
    if meaning in (_ALL_GOODS, _ALL_CARDS, _ALL_DJINNS) and total:
        things = term(meaning, plural=True)
        if meaning == _ALL_DJINNS:
            raise NotationError("name the djinns one by one, such as Jafaar, Utug, or say that there are no djinns")
        raise NotationError(
            "name the {things} one by one, such as 2 silk, fish, or say that there are no {things}", things=things
        )
    if meaning in (_TILES, _CAMELS) and total:
        raise NotationError(
            "tiles are counted by their points and camels by their tiles, which the board shows; without a "
            "board, type points or codes, such as tiles 15+8 or tiles S15 O8"
        )
    if meaning in names.DJINN_NAMES and total != 1:
        raise NotationError("{count} {djinn}: there is one of each djinn (rules 1.5)", count=total, djinn=meaning)
    key = {_COINS: "GC", _VIZIERS: "vizier", _ELDERS: "elder"}.get(meaning, meaning)
    if meaning in counts and meaning not in CARD_COUNTS:
        things = term(meaning if meaning == _COINS else key, plural=True)
        raise NotationError("{things} are named twice; name each once", things=things)
    if total > most:
        things = counted(total, key)
        raise NotationError("{things}: the box holds {most} (rules {rule})", things=things, most=most, rule=rule)
    return tuple({**counts, meaning: total}.items())
