"""Sheets: questions that are asked at once, each with a line of its own, as the forms of pages ask them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from companion.asking.question import Kind, Question, Tap
from companion.asking.seating import read_markers
from companion.errors import NotationError, UnusableInputError
from companion.language.phrase import Phrase, capitalised, named, say, say_as, term
from companion.notation.score_entries import Entries, Entry, clear_day, entries_of, read_entry
from companion.notation.tokens import whole_number
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.scoring import Holdings, category_name
from companion.rules.model.board import Tile
from companion.rules.model.components import FAKIR, GOODS, TILE_KINDS, Colour, Tribe
from companion.rules.model.position import Player, Position
from companion.table.order import PlayerOrder, order_of

E = TypeVar("E")
NO_NAMES: Mapping[Colour, str] = MappingProxyType({})
Sheet = Mapping[str, Question[Any]]
"""Questions by key. A tick's key may be that of several, and what is ticked: "djinns Utug"."""

MARKERS = 4
"""Markers on the bid order track: four people have one each, two have two each (rules 2.1)."""

MAX_PIECES = 40
MAX_DIGITS, MAX_SEED_DIGITS = 6, 18
_MAX_NUMBER = 10**MAX_DIGITS - 1
_MAX_CODE = 2000

TYPED = ("gold", "viziers", "elders", "tiles", "palms", "palaces")
"""What a score pad has typed of each player, as numbers or sums; goods and djinns are tapped."""


def answers(sheet: Sheet, lines: Mapping[str, str]) -> dict[str, Any]:
    """The answers that lines give to a sheet. Raises NotationError for a line that is none."""
    return {key: question.parse(lines[key]) for key, question in sheet.items()}


def _sheet(*questions: Question[Any]) -> Sheet:
    return {question.key: question for question in questions}


def number_in(text: object, what: Phrase, digits: int = MAX_DIGITS) -> int | None:
    """The whole number in a field, None where it was left empty. Raises UnusableInputError for anything else."""
    plain = "".join(text.split()) if isinstance(text, str) else ""
    if plain and not (plain.isascii() and plain.isdecimal() and len(plain) <= digits):
        raise UnusableInputError("{what}: enter a whole number", what=what)
    return int(plain) if plain else None


def _number(
    key: str, words: str, known: int | None, tap: Tap, most: int | None = None, limit: int = _MAX_NUMBER
) -> Question[int | None]:
    """How many there are, None if nobody says; the rules tell of more than the `most` there are."""

    def parse(line: str) -> int | None:
        number = whole_number(line)
        if line and (number is None or number > limit):
            raise NotationError("{what}: give a number from 0 to {most}", what=words, most=limit)
        return number

    line = "" if known is None else str(known)
    return Question(key, words, parse, kind=Kind.NUMBER, taps=(tap,), most=most, known=line)


def _tick(key: str, words: str, known: bool) -> Question[bool]:
    return Question(key, words, bool, kind=Kind.TICK, known="1" if known else "")


def _one(key: str, words: str, known: str | None, taps: Mapping[Tap, E], wrong: Phrase) -> Question[E]:
    values = {tap.token: value for tap, value in taps.items()}

    def parse(line: str) -> E:
        if line not in values:
            raise NotationError(wrong)
        return values[line]

    return Question(key, words, parse, kind=Kind.ONE, taps=tuple(taps), known=known or "")


def _ticks(key: str, known: Collection[Colour]) -> list[Question[bool]]:
    return [_tick(f"{key} {one}", capitalised(term(one)), one in known) for one in Colour]


def ticked(given: Mapping[str, Any], key: str) -> tuple[Colour, ...]:
    """The players of whom something is ticked."""
    return tuple(colour for colour in Colour if given[f"{key} {colour}"])


def _names(known: Mapping[Colour, str]) -> list[Question[str]]:
    called = {one: say("Name of {player}", player=term(one)) for one in Colour}
    return [Question(f"name_{one}", words, str, known=known.get(one, "")) for one, words in called.items()]


def names_of(given: Mapping[str, Any]) -> dict[Colour, str]:
    """The players' names as the answers to a sheet tell."""
    return {colour: name for colour in Colour if (name := given[f"name_{colour}"])}


_CAMELS = {Tap(one.value, capitalised(term(one)), icon=f"camel-{one.value}"): one for one in Colour}
_NO_CAMEL = say("there is no camel of that colour")
_COUNTED = {
    "gold": (say("gold coins"), Tap("", "", icon="gold"), None),
    "viziers": (category_name("viziers"), Tap("", "", tribes=(Tribe.VIZIER,)), 16),
    "elders": (category_name("elders"), Tap("", "", tribes=(Tribe.ELDER,)), 20),
    "fakirs": (term("fakir", plural=True), Tap("", "", icon=f"card-{FAKIR}"), 18),
}
"""What a player has that is counted, besides goods: its name, what shows it, and how many there are."""


def holdings_sheet(player: Player, name: str) -> Sheet:
    """What a player is called and has in front of them; what is left empty is not known."""
    goods = zip(GOODS, player.goods or (None,) * len(GOODS), strict=True)
    return _sheet(
        Question("name", say("Name"), str, known=name),
        *(_number(key, words, getattr(player, key), tap, most) for key, (words, tap, most) in _COUNTED.items()),
        *(_number(f"goods.{good}", term(good), count, Tap("", "", icon=f"card-{good}"), 6) for good, count in goods),
        *(_tick(f"djinns {djinn}", named(djinn), djinn in (player.djinns or ())) for djinn in DJINNS),
        _tick("djinns_known", say("These are all the djinns"), player.djinns is not None),
    )


def player_of(colour: Colour, given: Mapping[str, Any]) -> Player:
    """A player as the answers to `holdings_sheet` tell."""
    goods = [given[f"goods.{good}"] for good in GOODS]
    djinns = tuple(djinn for djinn in DJINNS if given[f"djinns {djinn}"])
    return Player(
        colour,
        **{name: given[name] for name in _COUNTED},
        goods=None if all(count is None for count in goods) else tuple(count or 0 for count in goods),
        djinns=djinns if djinns or given["djinns_known"] else None,
    )


def tile_sheet(tile: Tile) -> Sheet:
    """What lies and stands on a tile, piece by piece; a number left out is 0."""
    tribes = (
        _number(
            one.letter, term(one.noun, plural=True), tile.meeples[one], Tap("", "", tribes=(one,)), None, MAX_PIECES
        )
        for one in Tribe
    )
    built = (
        _number(name, category_name(name), getattr(tile, name), Tap("", "", icon=name), None, MAX_PIECES)
        for name in ("palms", "palaces")
    )
    camels: Mapping[Tap, Colour | None] = {Tap("", say_as("no camel on a tile", "none")): None, **_CAMELS}
    kinds = {
        Tap(code, capitalised(term(kind.action)), icon=f"tile-{kind.action.value}"): kind
        for code, kind in TILE_KINDS.items()
    }
    camel = _one("camel", say("Camel"), tile.camel, camels, _NO_CAMEL)
    return _sheet(
        *tribes, *built, camel, _one("kind", say("Tile"), tile.kind.code, kinds, say("choose which tile it is"))
    )


def tile_of(given: Mapping[str, Any]) -> Tile:
    """A tile as the answers to `tile_sheet` tell."""
    meeples = tuple(given[tribe.letter] or 0 for tribe in Tribe)
    return Tile(given["kind"], meeples, given["camel"], given["palms"] or 0, given["palaces"] or 0)


def players_sheet(position: Position, names: Mapping[Colour, str]) -> Sheet:
    """Who plays, with names, and in which order, as the tracks show it (rules 3, 4.1)."""
    order = order_of(position)

    def markers(key: str, words: str, known: tuple[Colour, ...]) -> Question[tuple[Colour, ...]]:
        taps, line = tuple(_CAMELS), ", ".join(known)
        return Question(key, words, lambda line: read_markers(line, {}), kind=Kind.ORDER, taps=taps, known=line)

    return _sheet(
        *_ticks("plays", order.plays),
        *_names(names),
        _one("to_move", say("Who plays next?"), order.to_move, {Tap("", "?"): None, **_CAMELS}, _NO_CAMEL),
        markers("order", say("to play or to bid"), order.order),
        markers("played", say("have played"), order.played),
        _tick("bidding", say("Bids are open now"), order.bidding),
    )


def order_from(given: Mapping[str, Any]) -> PlayerOrder:
    """Who plays and in which order as the answers to `players_sheet` tell."""
    return PlayerOrder(ticked(given, "plays"), given["to_move"], given["order"], given["played"], given["bidding"])


def setup_sheet(
    plays: Collection[Colour] = (Colour.BLUE, Colour.PINK),
    names: Mapping[Colour, str] = NO_NAMES,
    place: str = "",
    *,
    hides_points: bool = False,
) -> Sheet:
    """A new game: who plays, how the table is laid, and where; `date` is that of a sheet that was scanned."""
    ways = tuple(Tap(how, words) for how, words in _HOW.items())
    seed = say("The number of a set-up, up to 18 digits")
    return _sheet(
        *_ticks("plays", plays),
        *_names(names),
        Question("how", say("How"), str, kind=Kind.ONE, taps=ways, known="random"),
        Question("code", say("The code of a set-up card, to use that one"), str, most=_MAX_CODE),
        Question("seed", seed, lambda line: number_in(line, seed, MAX_SEED_DIGITS)),
        Question("place", say("Place (optional)"), str, known=place),
        Question("date", say("When was it played?"), clear_day),
        _tick("hide_points", say("Hide the points until the end"), hides_points),
    )


_HOW = {
    "random": say("Shuffled"),
    "fair": say("Shuffled so that all seats have an equally good start (this takes a while)"),
    "code": say("From a code"),
}


def pad_sheet(names: Mapping[Colour, str]) -> Sheet:
    """A score pad: a column for each colour, in which nothing is known yet."""
    return _sheet(*_names(names), *(question for colour in Colour for question in _column(colour)))


def _column(colour: Colour) -> Iterator[Question[Any]]:
    for category in TYPED:
        yield Question(f"{category}_{colour}", category_name(category), partial(_entry, colour, category))
    for good in GOODS:
        yield _number(f"goods.{good}_{colour}", term(good), None, Tap("", "", icon=f"card-{good}"), 6)
    for djinn in DJINNS:
        yield _tick(f"djinn {djinn} {colour}", named(djinn), known=False)


def _entry(colour: Colour, category: str, line: str) -> Entry | None:
    try:
        return read_entry(category, line) if line else None
    except NotationError as error:
        what = category_name(category)
        raise NotationError("{player}, {what}: {fault}", player=term(colour), what=what, fault=error) from None


def entries_from(given: Mapping[str, Any], colour: Colour) -> Entries:
    """What the answers to `pad_sheet` tell of a player, by category."""
    goods = tuple(given[f"goods.{good}_{colour}"] or 0 for good in GOODS)
    djinns = tuple(djinn for djinn in DJINNS if given[f"djinn {djinn} {colour}"])
    typed = {category: entry for category in TYPED if (entry := given[f"{category}_{colour}"]) is not None}
    return {**typed, **entries_of(Holdings(goods=goods if any(goods) else None, djinns=djinns or None))}


def tokens(line: str) -> list[str]:
    """The taps that stand in a line."""
    return [part for part in (part.strip() for part in line.split(",")) if part]
