"""The tags at the start of a game record: when, where and by whom it was played, and from which position."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.errors import ImpossiblePositionError, NotationError, quoted
from companion.notation import codes
from companion.notation.files import format_toml, parse_position
from companion.notation.names import check_names, parse_colour, parse_djinn
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from companion.rules.model.state import NOTHING_HIDDEN

_PLAYER = "player "
TAGS = ("date", "place", *(f"{_PLAYER}{colour}" for colour in Colour), "promo", "unseen", "djinn discards", "setup")
"""The tags, "setup" last."""

_AFTER_THE_PLAYERS = TAGS[TAGS.index("promo") :]

_CARDS = re.compile(r"(?P<colour>\w+)\s+(?P<cards>\d{1,2})", re.IGNORECASE)
_MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Header:
    """The tags of a record in order, by key; "#" is a comment, "" a blank line, "setup" (a code or a file) the last."""

    tags: tuple[tuple[str, str], ...]

    def tag(self, key: str) -> str | None:
        """The value of a tag; None if it is not there."""
        return next((value for name, value in self.tags if name == key), None)

    @property
    def names(self) -> dict[Colour, str]:
        named = {colour: self.tag(f"player {colour}") for colour in Colour}
        return {colour: name for colour, name in named.items() if name}

    @property
    def promo(self) -> bool:
        return self.tag("promo") == "yes"

    @property
    def hidden(self) -> dict[Colour, int]:
        """Cards in players' hands that nobody else has seen. Raises NotationError if the tag cannot be read."""
        return _hidden(self.tag("unseen") or "")

    @property
    def djinn_discards(self) -> tuple[str, ...]:
        """The djinns put away. Raises NotationError if the tag cannot be read."""
        return _djinns(self.tag("djinn discards") or "")

    @property
    def setup(self) -> Position:
        """The position that the game begins with. Raises NotationError if the tag cannot be read."""
        return parse_position(self.tag("setup") or "")


def new_header(
    position: Position,
    names: Mapping[Colour, str],
    *,
    date: str = "",
    place: str = "",
    promo: bool = False,
    hidden: Mapping[Colour, int] = NOTHING_HIDDEN,
    djinn_discards: Sequence[str] = (),
) -> Header:
    """The header of a new record; the set-up is a code, or a position file if its hands don't fit together."""
    tags = [("date", date), ("place", place)]
    tags += [(f"player {colour}", names.get(colour, "")) for colour in position.colours]
    tags += [("promo", "yes" if promo else "")]
    tags += [("unseen", ", ".join(f"{colour} {hidden[colour]}" for colour in position.colours if hidden.get(colour)))]
    tags += [("djinn discards", ", ".join(djinn_discards))]
    known = ((key, " ".join(value.split())) for key, value in tags if value.strip())
    try:
        setup = codes.encode(position)
    except ImpossiblePositionError:
        setup = format_toml(position).strip()
    return Header((*known, ("setup", setup)))


def renamed(header: Header, names: Mapping[Colour, str]) -> Header:
    """The header with other names of players, without empty ones."""
    others = [(key, value) for key, value in header.tags if not key.startswith(_PLAYER)]
    tags = [(f"{_PLAYER}{colour}", " ".join(names.get(colour, "").split())) for colour in Colour]
    after = next(number for number, (key, _) in enumerate(others) if key in _AFTER_THE_PLAYERS)
    return Header((*others[:after], *((key, name) for key, name in tags if name), *others[after:]))


def check_players(header: Header) -> None:
    """Raises NotationError, with the line, for a player's name that another player has."""
    names: list[str] = []
    for number, (key, value) in enumerate(header.tags, 2):
        names += [value] if key.startswith(_PLAYER) else []
        try:
            check_names(names)
        except NotationError as error:
            raise NotationError("line {number}: {error}", number=number, error=error) from None


def check_tag(key: str, value: str) -> None:
    """Raises NotationError for a tag with a wrong value; the set-up is read later."""
    if key == "promo" and value not in ("yes", "no"):
        raise NotationError("promo is yes or no, not {value}", value=quoted(value, _MAX_SHOWN))
    if key == "unseen":
        _hidden(value)
    if key == "djinn discards":
        _djinns(value)


def _hidden(text: str) -> dict[Colour, int]:
    hidden: dict[Colour, int] = {}
    for part in _parts(text):
        match = _CARDS.fullmatch(part)
        if match is None:
            raise NotationError(
                "{text} is not a number of unseen cards; write something like pink 2", text=quoted(part, _MAX_SHOWN)
            )
        hidden[parse_colour(match["colour"])] = int(match["cards"])
    return hidden


def _djinns(text: str) -> tuple[str, ...]:
    return tuple(map(parse_djinn, _parts(text)))


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text.strip() else []
