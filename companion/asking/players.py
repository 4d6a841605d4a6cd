"""What people type for who plays: colours with names, colours alone, names alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from companion.errors import NotationError, UsageError, printable
from companion.language.glossary import LANGUAGES, forms_in
from companion.language.phrase import Phrase, joined, listed, say, say_many, term
from companion.notation.names import check_names, fold, is_read, nearest, parse_player
from companion.rules.engine.resuming import TWO_PLAYERS
from companion.rules.model.components import COLOUR_BY_LETTER, Colour


@dataclass(frozen=True, slots=True)
class NamedPlayers:
    """Who plays: colours with a name each, "" where none was given, in the order typed; then names alone."""

    colours: dict[Colour, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    def assumed(self, free: Collection[Colour] = ()) -> dict[Colour, str]:
        """Everybody by colour, the names alone given out in the order of the colours that are free, if any are said.

        Two who give no colour are blue and pink (rules 2.1). Raises NotationError if there are more names than colours.
        """
        free = free or (TWO_PLAYERS if len(self.names) == 2 and not self.colours else tuple(Colour))
        colours = [colour for colour in free if colour not in self.colours]
        if len(self.names) > len(colours):
            left = joined(", ", map(term, colours)) or say("no colour")
            names = ", ".join(self.names)
            raise NotationError("{names}: the colours left are {left}", names=names, left=left)
        return {**self.colours, **dict(zip(colours, self.names, strict=False))}

    def given(self, placed: Mapping[Colour, str]) -> Phrase:
        """The players whose colours weren't typed, each with the colour: "Clara orange"."""
        return joined(", ", [joined(" ", (name, term(one))) for one, name in placed.items() if one not in self.colours])


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
    """Who plays: "pink Anna, black Boris", "pink black", or names alone, "Anna, Boris", also beside colours.

    Raises NotationError for a colour that is none or named twice, a name twice, or if there is nobody.
    """
    # Names go on into records, drafts and links: what no text can hold is left out here.
    text = printable(text)
    parts = _parts(text)
    if len(parts) > len(Colour):
        raise NotationError(
            say_many("{count} player named; four can play", "{count} players named; four can play", len(parts))
        )
    # A letter may be a name, and so may other languages' words for colours (Rosa): they are colours where all are, a
    # letter with a name too.
    heads = [part.replace("=", " ").split() for part in parts if part.strip("= ")]
    coloured = any(
        fold(head) in set(Colour) or (name and head.upper() in COLOUR_BY_LETTER) for head, *name in heads
    ) or all(is_read(parse_player, head) for head, *_ in heads)
    if heads and "=" not in text and not coloured:
        names = tuple(" ".join(part.split()) for part in parts)
        if names[0].isdigit() and not re.search("[,;]", text):
            raise NotationError("{number} is not a name; type who plays, such as Anna, Boris", number=names[0])
        check_names(names)
        return NamedPlayers(names=names)
    players: dict[Colour, str] = {}
    alone: list[str] = []
    for part in parts:
        word, _, name = part.replace("=", " ", 1).partition(" ")
        try:
            colour = parse_player(word)
        except NotationError:
            # Beside colours with names a name is a player whose colour was left out, unless it's a misspelt colour.
            if nearest(word, Colour) or name or "=" in text or not all(players.values()):
                raise
            alone.append(part)
            continue
        if colour in players:
            raise NotationError("{colour} is named twice; each colour plays once", colour=term(colour))
        players[colour] = " ".join(name.split())
    if not players:
        raise NotationError("no player is named; type the colours that play, such as pink Anna, black Boris")
    check_names((*players.values(), *alone))
    return NamedPlayers(players, tuple(alone))


def _parts(text: str) -> list[str]:
    """What a line says of each player, split at commas.

    Without commas it's split before each colour or word with an =; without those, into words.
    """
    parts = [part.strip() for part in re.split(r"[,;]", text) if part.strip()]
    words = parts[0].replace("=", " = ").split() if len(parts) == 1 else []
    if "=" in words:
        begins = [fold(word) in set(Colour) or after == "=" for word, after in pairwise((*words, ""))]
    elif not words or not is_read(parse_player, words[0]) or all(is_read(parse_player, word) for word in words):
        return words or parts
    else:
        colours = _colours_beside(words[0])
        begins = [fold(word) in colours for word in words]
    starts = [place for place, is_first in enumerate(begins) if is_first or not place]
    return [" ".join(words[start:end]) for start, end in zip(starts, [*starts[1:], len(words)], strict=True)]


def _colours_beside(word: str) -> set[str]:
    """The words for colours, folded, of the languages that a colour's word is of, and of English.

    Those of other languages are left to be names: pink Rosa, black Boris.
    """
    by_language = [{fold(form) for colour in Colour for form in forms_in(name, colour)} for name in LANGUAGES]
    return set(Colour).union(*(forms for forms in by_language if fold(word) in forms))
