"""What lies in front of one player, typed on one line: "41 gold, 2 viziers, 2 silk, fish, 3 fakirs, Jafaar"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.errors import NotationError
from companion.language.glossary import spellings
from companion.language.phrase import joined, say
from companion.notation.holdings import format_holdings, holdings_words, read_holdings
from companion.notation.names import CARD_NAMES, CARDS_TOGETHER, HELD_NAMES, NOTHING, TRIBE_NAMES, fold
from companion.notation.score_entries import (
    Entries,
    Entry,
    entries_of,
    held_of,
    is_sum,
    read_entry,
    with_plain_sums,
)
from companion.rules.engine.djinns import DJINNS
from companion.rules.engine.scoring import Holdings, category_name, in_front, score_holdings
from companion.rules.model.components import GOODS, NO_GOODS, TILE_KINDS, Colour, Tribe
from companion.rules.model.position import Player
from companion.table.results import player_name

EXAMPLE = say("41 gold, 2 viziers, 3 elders, 2 silk, fish, 3 fakirs, Jafaar")

LINE_HELP = joined(
    "\n",
    (
        "  " + EXAMPLE,
        say("  A number before or after its name (2 silk, silk x2); a name alone is one."),
        say("  Sums are fine (12+7 gold), and so are names in ru, uk, ko and it."),
        say("  Points end in VP: goods 13 VP, viziers 12+10 VP."),
    ),
)

WORDS = (
    *("gold", "viziers", "elders", "fakirs", "palms", "palaces", "tiles", "none"),
    *(good for good in GOODS if good != "gold"),
    *DJINNS,
)
"""What Tab completes on such a line."""

ON_THE_BOARD = ("palms", "palaces", "tiles")
"""Categories that a board tells of a player, so that they are asked only without one."""

_SUM = r"\d[\d\s+*-]*"
_POINTS = re.compile(rf"(?P<category>[^\d:=]+?)\s*[:=]?\s*(?P<sum>{_SUM})\s*(?P<unit>[^\W\d]+)")
_TILES = re.compile(r"(?:own\s+)?(?P<name>[^\W\d]+(?:\s+[^\W\d]+)?)\s*[:=]?\s+(?P<tiles>\S.*)", re.IGNORECASE)
_CODES = re.compile(rf"(?:(?:{'|'.join(TILE_KINDS)})\b[\s+]*)+", re.IGNORECASE)
_UNITS = frozenset(map(fold, spellings("unit")["VP"]))
_CATEGORIES = {
    fold(form): category
    for category, forms in {
        "gold": (*HELD_NAMES["coins"], *CARD_NAMES["gold"]),
        "viziers": TRIBE_NAMES[Tribe.VIZIER],
        "elders": TRIBE_NAMES[Tribe.ELDER],
        "djinns": HELD_NAMES["djinns"],
        "palms": HELD_NAMES["palms"],
        "palaces": HELD_NAMES["palaces"],
        "tiles": spellings("thing")["tile"],
        "goods": CARDS_TOGETHER["goods"],
    }.items()
    for form in forms
}


def read_line(text: str) -> dict[str, Entry]:
    """What a line tells, by category of `scoring.CATEGORIES`; "none" tells that there is nothing, "" nothing.

    Goods and fakirs are one category: a line that names either tells both, fakirs not named being unknown.
    Raises NotationError for what is no part of such a line.
    """
    if text.strip() == "-" or fold(text) in NOTHING:
        return entries_of(Holdings(gold=0, viziers=0, elders=0, fakirs=0, goods=NO_GOODS, djinns=()))
    entries: dict[str, Entry] = {}
    tiles: list[str] = []
    rest: list[str] = []
    for part in filter(None, (part.strip() for part in re.split(r"[,;]", text))):
        points, named = _POINTS.fullmatch(part), _TILES.fullmatch(part)
        if points and fold(points["unit"]) in _UNITS and (category := _CATEGORIES.get(fold(points["category"]))):
            entries[category] = read_entry(category, "=" + points["sum"])
        elif named and _CATEGORIES.get(fold(named["name"])) == "tiles":
            tiles.append(named["tiles"])
        elif _CODES.fullmatch(part):
            tiles.append(part)
        else:
            rest.append(with_plain_sums(part))
    if tiles:
        entries["tiles"] = read_entry("tiles", ("+" if all(map(is_sum, tiles)) else " ").join(tiles))
    if rest:
        held = entries_of(read_holdings(", ".join(rest)))
        if twice := held.keys() & entries.keys():
            names = joined(say(" and "), map(category_name, sorted(twice)))
            raise NotationError("{categories} given twice: as things held and as points", categories=names)
        entries |= held
    return entries


def read_held(text: str) -> Holdings:
    """What a line tells of a player of a known board. Raises NotationError too for what the board tells, and points."""
    entries = read_line(text)
    if on_board := [category for category in entries if category in ON_THE_BOARD]:
        things = joined(say(" and "), map(category_name, on_board))
        raise NotationError("{things} come from the board: change the tiles there", things=things)
    if points := [category for category, entry in entries.items() if entry.points is not None]:
        things = joined(say(" and "), map(category_name, points))
        raise NotationError("{things}: type what the player holds, not points", things=things)
    return held_of(entries)


def _with_points(category: str, entry: Entry) -> str:
    """An entry as a part of a line."""
    if category == "tiles":
        text = entry.text if not entry.text.startswith("=") else entry.text[1:]
        return say("tiles {tiles}", tiles=text)
    return say("{category} {points} VP", category=category_name(category), points=entry.how)


def format_entries(entries: Entries) -> str:
    """What is known of a player as such a line, tiles and points too; "" if nothing is."""
    return joined(", ", _words(entries))


def _words(entries: Entries) -> list[str]:
    typed = [
        _with_points(category, entry)
        for category, entry in entries.items()
        if entry.points is not None or category == "tiles"
    ]
    return [*holdings_words(held_of(entries)), *typed]


def echo(entries: Entries) -> str:
    """What was understood of a player, without what there is none of."""
    parts = [part for part in _words(entries) if not re.match(r"0 |no |tiles none$", part)]
    return joined(", ", parts) if parts else say("nothing")


def player_line(player: Player, names: Mapping[Colour, str]) -> str:
    """What is known of a player of a position, with what their goods sell for: "pink: 2 silk, 1 fish (goods 4 VP)"."""
    held = in_front(player)
    line = format_entries(entries_of(held)) or say("nothing known")
    if any(held.goods or ()):
        points = score_holdings({player.colour: held})[player.colour].goods
        line = say("{holdings} (goods {points} VP)", holdings=format_holdings(held), points=points)
    return say("{what}: {value}", what=player_name(player.colour, names), value=line)


def points_line(entries: Entries, colour: Colour) -> str:
    """The points of what a line told, category by category: "47 VP: gold 41, viziers 6"."""
    held = held_of(entries)
    score = score_holdings({colour: held})[colour]
    for category, entry in entries.items():
        if entry.points is not None:
            score = score.with_points(category, entry.points, entry.how)
    parts: list[str] = []
    for category, points in score.points.items():
        if points and category in entries:
            part = joined(" ", (category_name(category), str(points)))
            how = score.arithmetic[category] if category == "goods" and score.sets else ""
            parts.append(say("{text} ({how})", text=part, how=how) if how else part)
    total = sum(points for category, points in score.points.items() if category in entries)
    if not parts:
        return say("{points} VP", points=0)
    return say("{points} VP: {categories}", points=total, categories=joined(", ", parts))
