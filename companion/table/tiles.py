"""A tile as a person tells it by taps: what was picked of what was offered, or put together piece by piece."""

from __future__ import annotations

from collections.abc import Mapping

from companion.errors import NotationError
from companion.language.phrase import Phrase, say, term
from companion.notation.tokens import parse_tile, whole_number
from companion.rules.engine.scoring import category_name
from companion.rules.model.board import Tile
from companion.rules.model.components import TILE_KINDS, Colour, Tribe

MAX_OF_A_KIND = 40


def tile_from_form(fields: Mapping[str, str]) -> Tile:
    """The tile of a form: `tile` as a token ("O8:ggr^2@K"), or `kind`, a number for each tribe's letter, `camel`,
    `palms` and `palaces`; a number left out is 0.

    Raises NotationError for what is no tile.
    """
    if fields.get("tile"):
        return parse_tile(fields["tile"])
    code, camel = fields.get("kind", ""), fields.get("camel", "")
    if code not in TILE_KINDS:
        raise NotationError("choose which tile it is")
    if camel and camel not in set(Colour):
        raise NotationError("there is no camel of that colour")
    kind = TILE_KINDS[code]
    meeples = tuple(_number(fields.get(tribe.letter, ""), term(tribe.noun, plural=True)) for tribe in Tribe)
    palms = _number(fields.get("palms", ""), term("palms"))
    palaces = _number(fields.get("palaces", ""), term("palaces"))
    return Tile(kind, meeples, Colour(camel) if camel else None, palms, palaces)


def sent_tile_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """The fields of a form, right or wrong, as `tile_fields` has them. Raises NotationError for a token of no tile."""
    if fields.get("tile"):
        return tile_fields(parse_tile(fields["tile"]))
    numbers = (*(tribe.letter for tribe in Tribe), "palms", "palaces")
    counts = {name: fields.get(name, "").strip() or "0" for name in numbers}
    return {**counts, "camel": fields.get("camel", ""), "kind": fields.get("kind", "")}


def tile_label(field: str) -> Phrase:
    """What a field of the form of a tile is called."""
    if field in ("camel", "kind"):
        return say("Camel") if field == "camel" else say("Tile")
    tribes = {tribe.letter: term(tribe.noun, plural=True) for tribe in Tribe}
    return tribes.get(field) or category_name(field)


def tile_fields(tile: Tile) -> dict[str, str]:
    """A tile as the fields of a form, which `tile_from_form` reads again."""
    meeples = {tribe.letter: str(tile.meeples[tribe]) for tribe in Tribe}
    camel = "" if tile.camel is None else tile.camel.value
    return {**meeples, "palms": str(tile.palms), "palaces": str(tile.palaces), "camel": camel, "kind": tile.kind.code}


def _number(text: str, what: str) -> int:
    number = whole_number(text.strip() or "0")
    if number is None or number > MAX_OF_A_KIND:
        raise NotationError("{what}: give a number from 0 to {most}", what=what, most=MAX_OF_A_KIND)
    return number
