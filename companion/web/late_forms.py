"""Forms that come after somebody else has changed what they are about: what each phone told is kept, field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.language.phrase import Phrase, joined, say, say_as, term
from companion.rules.engine.scoring import category_name
from companion.rules.model.board import Tile
from companion.rules.model.components import Tribe
from companion.rules.model.position import Position
from companion.table.games import TableGame
from companion.table.tiles import sent_tile_fields, tile_fields
from companion.web.game_views import GameView, game_of
from companion.web.services import Services


@dataclass(frozen=True, slots=True)
class Merged:
    """The fields of a form as they are to be kept, and the those that somebody else told otherwise meanwhile, as they
    are now.
    """

    fields: Mapping[str, str]
    told_by_both: Mapping[str, str] = field(default_factory=dict)

    def fault(self, said: Callable[[str, str], Phrase]) -> Phrase:
        """What to say where two phones have told the same fields; `said` gives a field in words, and how it is now."""
        return say(
            "This was changed meanwhile: {fields}. What you typed stands here still: if it holds now too, keep it.",
            fields=joined("; ", [said(name, now) for name, now in self.told_by_both.items()]),
        )


def field_words(what: Phrase, value: str) -> Phrase:
    """A field in words: what it is called, and what stands in it."""
    return say("{what}: {value}", what=what, value=value or "?")


def merged(shown: Mapping[str, str] | None, sent: Mapping[str, str], now: Mapping[str, str]) -> Merged:
    """What was sent of a form, where that is otherwise than it was `shown`; all else as it is `now`.

    `shown` is None where nobody knows any more what the form showed: then all that was sent is taken as told.
    """
    fields, both = dict(now), dict[str, str]()
    for name, value in sent.items():
        known, there = None if shown is None else shown.get(name, ""), now.get(name, "")
        if value == known:
            continue
        fields[name] = value
        if there not in (known, value):
            both[name] = there
    return Merged(fields, both)


def shown_position(services: Services, seen: GameView, number: int | None) -> Position | None:
    """The game's position at the revision that a form was made of, whole; None where that is kept no longer.

    A form without a number tells all anew, of the game as it stands.
    """
    if number in (None, seen.revision.number):
        return seen.game.position
    looked_at = services.history.revision(seen.key, number)
    game: TableGame | None = None if looked_at is None else game_of(looked_at)
    return None if game is None else game.position


def merged_tile(shown: Tile | None, sent: Mapping[str, str], now: Tile) -> Merged:
    """`merged` of the form of a tile. Raises NotationError where a whole tile was sent that is none."""
    return merged(None if shown is None else tile_fields(shown), sent_tile_fields(sent), tile_fields(now))


def said_of_tile(field_name: str, value: str) -> Phrase:
    """A field of the form of a tile in words."""
    tribes = {tribe.letter: tribe.noun for tribe in Tribe}
    if field_name in tribes:
        return field_words(term(tribes[field_name], plural=True), value)
    if field_name == "camel":
        return field_words(say("Camel"), term(value) if value else say_as("no camel on a tile", "none"))
    return field_words(say("Tile") if field_name == "kind" else category_name(field_name), value)
