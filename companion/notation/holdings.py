"""What a player holds, typed on one line: `41 gold, 2 viziers, 3 elders, 2 silk, fish, 3 fakirs, Jafaar`.

A number comes before or after its name (`2 silk`, `silk x2`); a name alone is one; commas separate the things. Nothing
is guessed: gold that may be coins or cards is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.errors import NotationError, quoted
from companion.language.glossary import spellings
from companion.language.phrase import Phrase, counted, joined, say, say_as, term
from companion.notation import names
from companion.notation.counted import Vocabulary, counted_names, one_line
from companion.notation.names import UnknownNameError, by_form, fold
from companion.rules.engine.scoring import Holdings
from companion.rules.model.components import CARD_COUNTS, COINS_GC, FAKIR, GOODS, MEEPLE_COUNTS, PALACES, PALMS, Tribe


@dataclass(frozen=True, slots=True)
class CardCounts:
    """Resource cards in a hand: goods in the order of `components.GOODS`, and fakirs (rules 1.4)."""

    goods: tuple[int, ...] = (0,) * len(GOODS)
    fakirs: int = 0

    def __str__(self) -> str:
        """The cards as `read_cards` reads them, a phrase: "2 silk, 1 fish, 3 fakirs"; "none" for none."""
        fakirs = [counted(self.fakirs, FAKIR)] if self.fakirs else []
        return joined(", ", parts) if (parts := _goods_words(self.goods) + fakirs) else say_as("cards", "none")


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


def read_cards(text: str) -> CardCounts:
    """The resource cards that somebody typed: "2 silk, fish, 3 fakirs", "шёлк x2, рыба"; "none" for none.

    >>> str(read_cards("fish 2, silk, fakirs x3"))
    '1 silk, 2 fish, 3 fakirs'

    Raises NotationError for anything else, and for more of a card than the box holds (rules 1.4).
    """
    line = one_line(text)
    counts: dict[str, int] = {}
    for one in () if _says_none(line) else counted_names(line, _CARDS):
        _add(counts, _CARDS.meanings[one.name], one.number)
    _check_none(counts)
    return CardCounts(tuple(counts.get(good, 0) for good in GOODS), counts.get(FAKIR, 0))


def read_holdings(line: str, *, counts_coins: bool = False) -> Holdings:
    """What a player holds, as typed; what the line doesn't name stays None.

    >>> held = read_holdings("41 gold, 2 viziers, 2 silk, Jafaar")
    >>> format_holdings(held)
    '41 gold, 2 viziers, 2 silk, Jafaar'

    One good names all goods, one djinn all djinns; "no goods", "no djinns", "no cards" (neither goods nor fakirs) and
    "0 fakirs" say that there are none. "gold" is coins where there are more than cards of the good, where there is
    none, or if the line `counts_coins`, and the good where the line names the coins too. Raises UnknownNameError for
    gold that may be either, and NotationError for anything else and for more than the box holds (rules 1.2 to 1.5).
    """
    plain = one_line(line)
    if _says_none(plain):
        raise NotationError(
            "{text}: none of what? Type something like no goods, no djinns, 0 fakirs", text=quoted(plain)
        )
    counts: dict[str, int] = {}
    unclear = []
    for one in counted_names(plain, _HOLDINGS):
        if one.name not in _EITHER:
            _add(counts, _HOLDINGS.meanings[one.name], one.number)
        elif counts_coins or one.number > CARD_COUNTS["gold"]:
            _add(counts, _COINS, one.number)
        else:
            unclear.append(one)
    for one in unclear:
        if one.number and _COINS not in counts:
            coins, cards = counted(one.number, "GC"), counted(one.number, "gold card")
            raise UnknownNameError(
                say(
                    "{word} may be coins or the good; type {coins} or {cards}",
                    word=quoted(one.typed),
                    coins=coins,
                    cards=cards,
                ),
                one.typed,
                meant=coins,
            )
        _add(counts, "gold" if _COINS in counts else _COINS, one.number)
    _check_none(counts)
    return _as_holdings(counts)


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


def _as_holdings(counts: Mapping[str, int]) -> Holdings:
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


_CARDS = Vocabulary(
    _CARD_FORMS,
    unknown=lambda word, guess: say("no resource card is called {word}{guess}", word=word, guess=guess),
    example=say("2 silk, fish, 3 fakirs"),
    only_none=_ONLY_NONE,
)
_HOLDINGS = Vocabulary(
    _ALL_FORMS,
    unknown=lambda word, guess: say("nothing that a player holds is called {word}{guess}", word=word, guess=guess),
    example=say("41 gold, 2 viziers, 2 silk, Jafaar"),
    only_none=_ONLY_NONE,
)


def _says_none(line: str) -> bool:
    return fold(line) in names.NOTHING or line in ("-", "–", "—")


def _add(counts: dict[str, int], meaning: str, number: int) -> None:
    """Count more of a thing. Raises NotationError if the box doesn't hold that many."""
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
    counts[meaning] = total
