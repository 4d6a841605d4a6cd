"""Corrections of a position in the middle of a game, as a line of its record.

`c3 O8:gw@P; blue gold 12; row fish, silk; to move ?`: each change names a thing and how it is now, `?` if unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import NotationError, quoted
from companion.language.phrase import Phrase, joined, say_as, say_each, term
from companion.notation.names import parse_colour, parse_djinn
from companion.notation.records.steps import parse_cards
from companion.notation.tokens import parse_tile
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import GOODS, Colour
from companion.rules.model.position import Bid, Phase, Player, Position
from companion.rules.model.state import GameState

_MAX_SHOWN = 40
_COLOURED_NUMBER = re.compile(r"(?P<colour>\w+)\s+(?P<number>\d{1,2})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is corrected ("c3", "blue gold", "row"), and its parts now; None if they are unknown."""

    of: str
    values: tuple[str, ...] | None


def _number(text: str) -> list[str]:
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII):
        raise NotationError("{text} is not a number", text=quoted(text, _MAX_SHOWN))
    return [str(int(text))]


def _coloured_number(text: str) -> list[str]:
    match = _COLOURED_NUMBER.fullmatch(text)
    if match is None:
        raise NotationError(
            "{text} is not a colour with a number; write something like pink 2", text=quoted(text, _MAX_SHOWN)
        )
    return [f"{parse_colour(match['colour'])} {int(match['number'])}"]


def _phase(text: str) -> list[str]:
    if text.lower() not in list(Phase):
        raise NotationError(
            "{text} is not a phase; the phases are {phases}", text=quoted(text, _MAX_SHOWN), phases=joined(", ", Phase)
        )
    return [text.lower()]


_Read = Callable[[str], list[str]]
_SINGLE: dict[str, _Read] = {
    **dict.fromkeys(SQUARE_NAMES, lambda text: [str(parse_tile(text))]),
    **{f"{colour} {what}": _number for colour in Colour for what in ("gold", "viziers", "elders", "fakirs")},
    "phase": _phase,
    "to move": lambda text: [str(parse_colour(text))],
}
_LISTS: dict[str, _Read] = {
    **{f"{colour} goods": parse_cards for colour in Colour},
    **{f"{colour} djinns": lambda text: [parse_djinn(text)] for colour in Colour},
    "row": parse_cards,
    "discards": parse_cards,
    "djinns": lambda text: [parse_djinn(text)],
    "players": lambda text: [str(parse_colour(text))],
    "bid order": lambda text: [str(parse_colour(text))],
    "turn order": _coloured_number,
    # Not in the position: cards that nobody else has seen, and the djinns put away.
    "unseen": _coloured_number,
    "djinn discards": lambda text: [parse_djinn(text)],
}
_ALWAYS_KNOWN = frozenset({*SQUARE_NAMES, "players", "unseen", "djinn discards"})
_HELD = re.compile(rf"(?P<colour>{'|'.join(Colour)}) (?P<what>gold|viziers|elders|fakirs|goods|djinns)")


def parse_changes(text: str) -> tuple[Change, ...]:
    """The changes after the colon of a line. Raises NotationError for anything else, or the same thing twice."""
    changes = tuple(_change(" ".join(part.split())) for part in text.split(";"))
    named = [change.of for change in changes]
    twice = next((of for of in named if named.count(of) > 1), None)
    if twice is not None:
        raise NotationError("{change} is corrected twice on this line", change=quoted(twice))
    return changes


def _change(text: str) -> Change:
    words, plain = text.split(" "), text.lower().split(" ")
    # The longest first: "djinn discards Utug" is not about "djinns".
    of = next((of for size in (2, 1) if (of := " ".join(plain[:size])) in _SINGLE or of in _LISTS), None)
    value = "" if of is None else " ".join(words[of.count(" ") + 1 :])
    if of is None or not value:
        raise NotationError(
            "{text} is not a correction; write something like c3 O8:gw, blue gold 12 or row fish, silk",
            text=quoted(text, _MAX_SHOWN),
        )
    if value == "?" and of not in _ALWAYS_KNOWN:
        return Change(of, None)
    if of in _SINGLE:
        return Change(of, tuple(_SINGLE[of](value)))
    if value.lower() == "none":
        return Change(of, ())
    return Change(of, tuple(item for part in value.split(",") for item in _LISTS[of](part.strip())))


def changes_phrase(changes: Iterable[Change]) -> Phrase:
    """The changes in a row, in the reader's language; in English as `parse_changes` reads them."""
    return joined("; ", map(_change_phrase, changes))


_OF_WORDS = say_each(
    "put right, in a record",
    "gold|viziers|elders|fakirs|goods|djinns|phase|to move|row|discards|players|bid order|turn order|unseen"
    "|djinn discards",
)
_PHASE_WORDS = say_each("a phase, in a record", "bid|turn|end")


def _change_phrase(change: Change) -> Phrase:
    words: list[str] = [_OF_WORDS.get(change.of, change.of)]
    if held := _HELD.fullmatch(change.of):
        words = [term(held["colour"]), _OF_WORDS[held["what"]]]
    now = "?" if change.values is None else joined(", ", [_value_phrase(change.of, value) for value in change.values])
    return joined(" ", [*words, now or say_as("put right, in a record", "none")])


def _value_phrase(of: str, value: str) -> str:
    if of == "phase":
        return _PHASE_WORDS[value]
    if _LISTS.get(of) is _coloured_number:
        colour, number = value.split(" ")
        return joined(" ", (term(colour), number))
    is_named = of == "to move" or (of in _LISTS)
    return term(value) if is_named else value


def changes_between(before: Position, after: Position) -> tuple[Change, ...]:
    """How a position differs from the one before it; `with_changes` leads back to `after`."""
    return tuple(_between(before, after))


def _between(before: Position, after: Position) -> Iterator[Change]:
    who = tuple(str(player.colour) for player in after.players)
    if who != tuple(str(player.colour) for player in before.players):
        yield Change("players", who)
    for name, was, now in zip(SQUARE_NAMES, before.board, after.board, strict=True):
        if was != now:
            yield Change(name, (str(now),))
    for player in after.players:
        old, new = _held(before.player(player.colour)), _held(player)
        yield from (Change(f"{player.colour} {what}", new[what]) for what in new if new[what] != old[what])
    old, new = _off_board(before), _off_board(after)
    yield from (Change(what, new[what]) for what in new if new[what] != old[what])


def _held(player: Player) -> dict[str, tuple[str, ...] | None]:
    counts = {"gold": player.gold, "viziers": player.viziers, "elders": player.elders, "fakirs": player.fakirs}
    goods = None
    if player.goods is not None:
        goods = tuple(good for good, count in zip(GOODS, player.goods, strict=True) for _ in range(count))
    return {
        **{what: None if count is None else (str(count),) for what, count in counts.items()},
        "goods": goods,
        "djinns": player.djinns,
    }


def _off_board(position: Position) -> dict[str, tuple[str, ...] | None]:
    turns = position.turn_order
    return {
        "row": position.row,
        "djinns": position.djinns,
        "discards": position.discards,
        "phase": None if position.phase is None else (position.phase.value,),
        "to move": None if position.to_move is None else (position.to_move.value,),
        "bid order": None if position.bid_order is None else tuple(map(str, position.bid_order)),
        "turn order": None if turns is None else tuple(f"{bid.colour} {bid.price}" for bid in turns),
    }


def with_changes(position: Position, changes: Iterable[Change]) -> Position:
    for change in changes:
        position = _with_change(position, change.of, change.values)
    return position


def _with_change(position: Position, of: str, values: tuple[str, ...] | None) -> Position:
    if of in SQUARE_NAMES and values is not None:
        square = SQUARE_NAMES.index(of)
        return position.with_board((*position.board[:square], parse_tile(values[0]), *position.board[square + 1 :]))
    if held := _HELD.fullmatch(of):
        player, what = position.player(Colour(held["colour"])), held["what"]
        now: Any = values
        if values is not None and what != "djinns":
            now = tuple(map(values.count, GOODS)) if what == "goods" else int(values[0])
        return position.with_player(replace(player, **{what: now}))
    if of == "players":
        return replace(position, players=tuple(position.player(Colour(colour)) for colour in values or ()))
    if of in _FIELDS:
        changed: dict[str, Any] = {of.replace(" ", "_"): None if values is None else _FIELDS[of](values)}
        return replace(position, **changed)
    return position


def _bid(text: str) -> Bid:
    colour, price = text.split(" ")
    return Bid(Colour(colour), int(price))


_FIELDS: dict[str, Callable[[tuple[str, ...]], Any]] = {
    **dict.fromkeys(("row", "djinns", "discards"), tuple),
    "phase": lambda values: Phase(values[0]),
    "to move": lambda values: Colour(values[0]),
    "bid order": lambda values: tuple(map(Colour, values)),
    "turn order": lambda values: tuple(map(_bid, values)),
}
"""How the fields of a position are read from a change."""


def unseen_changes(state: GameState) -> tuple[Change, ...]:
    """The unseen cards in hands and the djinns put away, as changes."""
    unseen = tuple(f"{colour} {number}" for colour, number in state.unseen.items())
    return Change("unseen", unseen), Change("djinn discards", state.djinn_discards)


def corrected_unseen(changes: Iterable[Change]) -> tuple[dict[Colour, int] | None, tuple[str, ...] | None]:
    """The unseen cards in hands and the djinns put away, by the changes; None each if they don't say."""
    values = {change.of: change.values for change in changes}
    unseen = values.get("unseen")
    numbers = None if unseen is None else {bid.colour: bid.price for bid in map(_bid, unseen)}
    return numbers, values.get("djinn discards")
