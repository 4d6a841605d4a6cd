"""What people type for who plays: colours with names, colours alone, names alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from companion.errors import NotationError, UsageError, printable
from companion.language.glossary import LANGUAGES, forms_in
from companion.language.phrase import joined, listed, say, say_many, term
from companion.notation.names import check_names, fold, is_read, parse_player
from companion.rules.model.components import COLOUR_BY_LETTER, Colour


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
            left = joined(", ", map(term, colours)) or say("no colour")
            names = ", ".join(self.names)
            raise NotationError("{names}: the colours left are {left}", names=names, left=left)
        return {**self.colours, **dict(zip(colours, self.names, strict=False))}


def check_named(placed: Iterable[Colour], there: Iterable[Colour]) -> None:
    """Raises NotationError where somebody who is in the game already is not named."""
    if absent := set(there).difference(placed):
        raise NotationError(
            "this position also has {players}; name every colour that plays",
            players=listed([term(colour) for colour in Colour if colour in absent]),
        )


def check_playing(placed: Iterable[Colour], playing: Iterable[Colour]) -> None:
    """Raises UsageError where the option names somebody who does not play."""
    there = list(playing)
    if absent := [colour for colour in placed if colour not in there]:
        raise UsageError(
            "--names: {absent} is not in this game; it has {playing}",
            absent=listed([term(colour) for colour in absent]),
            playing=joined(", ", map(term, there)) or say("nobody"),
        )


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
    coloured = any(map(_is_plain_colour, heads)) or all(is_read(parse_player, head) for head in heads)
    if heads and "=" not in text and not coloured:
        return NamedPlayers(names=_names_alone(parts))
    players: dict[Colour, str] = {}
    for part in parts:
        word, _, name = part.replace("=", " ", 1).partition(" ")
        colour = parse_player(word)
        if colour in players:
            raise NotationError("{colour} is named twice; each colour plays once", colour=term(colour))
        players[colour] = " ".join(name.split())
    if not players:
        raise NotationError("no player is named; type the colours that play, such as pink Anna, black Boris")
    check_names(players.values())
    return NamedPlayers(players)


def _names_alone(parts: list[str]) -> tuple[str, ...]:
    names = tuple(" ".join(part.split()) for part in parts)
    if len(names) == 1 and names[0].isdigit():
        raise NotationError("{number} is not a name; type who plays, such as Anna, Boris", number=names[0])
    check_names(names)
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
    if all(is_read(parse_player, word) for word in words) or not is_read(parse_player, words[0]):
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
    return fold(word) in set(Colour) or word.upper() in COLOUR_BY_LETTER
