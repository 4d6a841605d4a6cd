"""Sheets: questions that are asked at once, each with a line of its own, as the forms of pages ask them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from companion.asking.question import Kind, Question
from companion.errors import NotationError
from companion.language.phrase import Phrase, capitalised, named, say, say_as, term
from companion.notation.tokens import whole_number
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.scoring import category_name
from companion.rules.model.board import Tile
from companion.rules.model.components import FAKIR, GOODS, TILE_KINDS, Colour, TileKind, Tribe
from companion.rules.model.position import Player, Position
from companion.table.order import PlayerOrder, order_of
from companion.table.taps import Tap

E = TypeVar("E")
Sheet = Mapping[str, Question[Any]]
"""Questions by key. A tick's key may be that of several, and what is ticked: "djinns Utug"."""

MARKERS = 4
"""Markers on the bid order track: four people have one each, two have two each (rules 2.1)."""

MAX_OF_A_KIND = 40
_MAX_NUMBER = 999_999
_COUNTED = ("gold", "viziers", "elders", "fakirs")


def answers(sheet: Sheet, lines: Mapping[str, str]) -> dict[str, Any]:
    """The answers that lines give to a sheet. Raises NotationError for a line that is none."""
    return {key: question.parse(lines[key]) for key, question in sheet.items()}


def _sheet(*questions: Question[Any]) -> Sheet:
    return {question.key: question for question in questions}


def _number(
    key: str, words: str, known: int | None, tap: Tap, most: int | None = None, limit: int = _MAX_NUMBER
) -> Question[int | None]:
    """How many there are, None where nobody says; more than the `most` there are the rules refuse."""

    def parse(line: str) -> int | None:
        number = whole_number(line)
        if line and (number is None or number > limit):
            raise NotationError("{what}: give a number from 0 to {most}", what=words, most=limit)
        return number

    return Question(
        key, words, parse, kind=Kind.NUMBER, taps=(tap,), most=most, known="" if known is None else str(known)
    )


def _tick(key: str, words: str, known: bool) -> Question[bool]:
    return Question(key, words, bool, kind=Kind.TICK, known="1" if known else "")


def _one(key: str, words: str, known: str | None, taps: Iterable[tuple[E, Tap]], wrong: Phrase) -> Question[E]:
    by_token = {tap.token: (value, tap) for value, tap in taps}

    def parse(line: str) -> E:
        if line not in by_token:
            raise NotationError(wrong)
        return by_token[line][0]

    return Question(
        key, words, parse, kind=Kind.ONE, taps=tuple(tap for _, tap in by_token.values()), known=known or ""
    )


def _camel(colour: Colour) -> tuple[Colour | None, Tap]:
    return colour, Tap(colour.value, capitalised(term(colour)), icon=f"camel-{colour.value}")


def _nobody(words: str) -> tuple[Colour | None, Tap]:
    return None, Tap("", words)


def holdings_sheet(player: Player, name: str) -> Sheet:
    """What a player is called and has in front of them; what is left empty is not known."""
    icons = {"gold": Tap("", "", icon="gold"), "fakirs": Tap("", "", icon=f"card-{FAKIR}")}
    icons |= {"viziers": Tap("", "", tribes=(Tribe.VIZIER,)), "elders": Tap("", "", tribes=(Tribe.ELDER,))}
    words = {"gold": say("gold coins"), "fakirs": term("fakir", plural=True)}
    most = {"viziers": 16, "elders": 20, "fakirs": 18}
    goods = player.goods or (None,) * len(GOODS)
    return _sheet(
        Question("name", say("Name"), str, known=name),
        *(
            _number(key, words.get(key) or category_name(key), getattr(player, key), icons[key], most.get(key))
            for key in _COUNTED
        ),
        *(
            _number(f"goods.{good}", term(good), count, Tap("", "", icon=f"card-{good}"), 6)
            for good, count in zip(GOODS, goods, strict=True)
        ),
        *(_tick(f"djinns {djinn}", named(djinn), djinn in (player.djinns or ())) for djinn in DJINNS),
        _tick("djinns_known", say("These are all the djinns"), player.djinns is not None),
    )


def player_of(colour: Colour, told: Mapping[str, Any]) -> Player:
    """A player as the answers to `holdings_sheet` tell."""
    goods = [told[f"goods.{good}"] for good in GOODS]
    djinns = tuple(djinn for djinn in DJINNS if told[f"djinns {djinn}"])
    return Player(
        colour,
        **{name: told[name] for name in _COUNTED},
        goods=None if all(count is None for count in goods) else tuple(count or 0 for count in goods),
        djinns=djinns if djinns or told["djinns_known"] else None,
    )


def tile_sheet(tile: Tile) -> Sheet:
    """What lies and stands on a tile, piece by piece; a number left out is 0."""
    pieces = [(one.letter, term(one.noun, plural=True), tile.meeples[one], Tap("", "", tribes=(one,))) for one in Tribe]
    pieces += [
        (name, category_name(name), getattr(tile, name), Tap("", "", icon=name)) for name in ("palms", "palaces")
    ]
    camels = [_nobody(say_as("no camel on a tile", "none")), *map(_camel, Colour)]
    return _sheet(
        *(_number(*piece, limit=MAX_OF_A_KIND) for piece in pieces),
        _one("camel", say("Camel"), tile.camel, camels, say("there is no camel of that colour")),
        _one("kind", say("Tile"), tile.kind.code, map(_kind, TILE_KINDS.values()), say("choose which tile it is")),
    )


def _kind(kind: TileKind) -> tuple[TileKind, Tap]:
    return kind, Tap(kind.code, capitalised(term(kind.action)), icon=f"tile-{kind.action.value}")


def tile_of(told: Mapping[str, Any]) -> Tile:
    """A tile as the answers to `tile_sheet` tell."""
    meeples = tuple(told[tribe.letter] or 0 for tribe in Tribe)
    return Tile(told["kind"], meeples, told["camel"], told["palms"] or 0, told["palaces"] or 0)


def players_sheet(position: Position, names: Mapping[Colour, str]) -> Sheet:
    """Who plays, with names, and in which order, as the tracks show it (rules 3, 4.1)."""
    order = order_of(position)
    camels = [_camel(colour) for colour in Colour]
    wrong = say("there is no camel of that colour")

    def markers(key: str, words: str, known: tuple[Colour, ...]) -> Question[tuple[Colour, ...]]:
        def parse(line: str) -> tuple[Colour, ...]:
            if any(token not in set(Colour) for token in tokens(line)):
                raise NotationError(wrong)
            return tuple(map(Colour, tokens(line)))

        taps = tuple(tap for _, tap in camels)
        return Question(key, words, parse, kind=Kind.ORDER, taps=taps, most=MARKERS, known=", ".join(known))

    return _sheet(
        *(_tick(f"plays {colour}", capitalised(term(colour)), colour in order.plays) for colour in Colour),
        *(
            Question(f"name_{one}", say("Name of {player}", player=term(one)), str, known=names.get(one, ""))
            for one in Colour
        ),
        _one("to_move", say("Who plays next?"), order.to_move, [_nobody("?"), *camels], wrong),
        markers("order", say("to play or to bid"), order.order),
        markers("played", say("have played"), order.played),
        _tick("bidding", say("Bids are open now"), order.bidding),
    )


def order_told(told: Mapping[str, Any]) -> PlayerOrder:
    """Who plays and in which order as the answers to `players_sheet` tell."""
    plays = tuple(colour for colour in Colour if told[f"plays {colour}"])
    return PlayerOrder(plays, told["to_move"], told["order"], told["played"], told["bidding"])


def tokens(line: str) -> list[str]:
    """The taps that stand in a line."""
    return [part for part in (part.strip() for part in line.split(",")) if part]
