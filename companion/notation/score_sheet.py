"""A score sheet: who plays, what each has, what the box allows; and its file, for a game without a board."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from companion.errors import NotationError, Problem
from companion.language import phrase
from companion.language.phrase import joined, say, say_many, term
from companion.notation.files import parse_toml_file
from companion.notation.names import parse_player
from companion.notation.outcome import Outcome
from companion.notation.score_entries import Entries, Entry, entries_of, held_of, read_entry
from companion.rules.engine.legality import problems
from companion.rules.engine.scoring import CATEGORIES, Score, category_name, counted_as_0, holdings, score_holdings
from companion.rules.model.board import Tile
from companion.rules.model.components import PALACES, PALMS, TILE_KINDS, Colour
from companion.rules.model.position import HELD, Phase, Player, Position

FORMAT = 1
"""Version of the file of a score sheet without a board."""

_NOTHING = {category: read_entry(category, "none") for category in CATEGORIES}
_Text = TypeVar("_Text")


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The players in order, each with a name or "", and the lines known of each, for a `position` if there is one;
    `finished` is for those without. `unseen` are cards in hands beyond the position's.
    """

    players: Mapping[Colour, str] = field(default_factory=dict)
    entries: Mapping[Colour, Entries] = field(default_factory=dict)
    position: Position | None = None
    date: str = ""
    place: str = ""
    finished: bool = True
    unseen: Mapping[Colour, int] = field(default_factory=dict)

    @property
    def names(self) -> dict[Colour, str]:
        return {colour: name for colour, name in self.players.items() if name}

    def known(self, colour: Colour) -> dict[str, Entry]:
        return dict(self.entries.get(colour, {}))

    def with_players(self, players: Mapping[Colour, str]) -> ScoreSheet:
        """The sheet for these players, filled in with what the position shows of them."""
        entries = {
            colour: self.known(colour) or (entries_of(holdings(self.position, colour)) if self.position else {})
            for colour in players
        }
        return replace(self, players=dict(players), entries=entries)

    def with_entries(self, given: Mapping[Colour, Entries]) -> ScoreSheet:
        """The sheet with these lines in place of its own."""
        changed = {colour: {**self.known(colour), **entries} for colour, entries in given.items()}
        return replace(self, entries={**self.entries, **changed})

    def check(self) -> None:
        """Raises NotationError for more than the box holds (rules 1)."""
        if wrong := self.faults():
            sentences = (say("{problem} (rules {rule})", problem=fault.message, rule=fault.rule) for fault in wrong)
            raise NotationError(joined("\n", sentences))

    def whole(self) -> ScoreSheet:
        """The sheet with nothing on every unknown line."""
        entries = {
            colour: {category: self.known(colour).get(category, _NOTHING[category]) for category in CATEGORIES}
            for colour in self.players
        }
        return replace(self, entries=entries)

    def scores(self) -> dict[Colour, Score]:
        """The points, counted or as given; what is unknown counts nothing."""
        scores = score_holdings({colour: held_of(self.known(colour)) for colour in self.players})
        for colour in self.players:
            for category, entry in self.known(colour).items():
                if entry.points is not None:
                    scores[colour] = scores[colour].with_points(category, entry.points, entry.how)
        return scores

    def completed(self) -> Position | None:
        """The position with what the sheet says of the players; None without a board."""
        return None if self.position is None else _with_players(self.position, self.entries)

    def faults(self) -> list[Problem]:
        """What the sheet has more of than the box (rules 1); points are believed."""
        tiles = tuple(Tile(kind) for kind in TILE_KINDS.values() for _ in range(kind.count))
        bare = Position(tiles, phase=Phase.END)
        faults = problems(_with_players(self.position or bare, self.entries))
        held = [held_of(entries) for entries in self.entries.values()]
        for what, box, counted in (
            ("palms", PALMS, sum(sheet.palms or 0 for sheet in held)),
            ("palaces", PALACES, sum(sheet.palaces or 0 for sheet in held)),
        ):
            if counted > box:
                message = say(
                    "{things} on the players' tiles, but there are only {most}",
                    things=phrase.counted(counted, what),
                    most=box,
                )
                faults.append(Problem("players", "1.3", message))
        values = Counter(value for sheet in held for value in sheet.tiles or ())
        for value, counted in values.items():
            box = sum(kind.count for kind in TILE_KINDS.values() if kind.vp == value)
            if counted > box:
                message = say_many(
                    "{count} tile of {value} VP, but the box holds {most}",
                    "{count} tiles of {value} VP, but the box holds {most}",
                    counted,
                    value=value,
                    most=box,
                )
                faults.append(Problem("players", "1.1", message))
        return faults

    def notes(self) -> tuple[str, ...]:
        """Sentences about what could not be counted as rules 10 say."""
        known = {colour: line for colour in self.players if (line := self.known(colour).get("viziers"))}
        as_points = [colour for colour, line in known.items() if line.points is not None]
        counted = known.keys() - as_points
        if not as_points or not counted:
            return ()
        return (
            say(
                "the viziers of {players} were given as points, so they couldn't be compared with the others'; "
                "type how many there are",
                players=joined(say(" and "), map(term, as_points)),
            ),
        )

    def unknown(self) -> tuple[str, ...]:
        """A sentence for each player with empty lines."""
        missing = {colour: [name for name in CATEGORIES if name not in self.known(colour)] for colour in self.players}
        return tuple(counted_as_0(colour, names) for colour, names in missing.items() if names)

    def left_out(self) -> tuple[str, ...]:
        """Lines that the completed position can't hold, as "pink's tiles"."""
        position = self.completed()
        if position is None:
            return ()
        counted = score_holdings({colour: holdings(position, colour) for colour in self.players})
        scores = self.scores()
        return tuple(
            say("{player}'s {category}", player=term(colour), category=category_name(category))
            for colour in self.players
            for category in CATEGORIES
            if scores[colour].points[category] != counted[colour].points[category]
            or (category == "goods" and colour in self.unseen)
        )


def is_sheet(text: str) -> bool:
    """Whether a text means to be the file of a score sheet."""
    return text.lstrip("\ufeff \t\r\n").startswith("score_sheet")


def sheet_of(outcome: Outcome) -> ScoreSheet:
    """The score sheet of a result code, with the points of each category."""
    entries = {
        colour: {
            category: read_entry(category, f"={points}")
            for category, points in zip(CATEGORIES, all_points, strict=True)
            if points is not None
        }
        for colour, all_points in outcome.points.items()
    }
    players = {colour: outcome.names.get(colour, "") for colour in outcome.totals}
    return ScoreSheet(players, entries, date=outcome.date, place=outcome.place, finished=outcome.finished)


def format_sheet(sheet: ScoreSheet) -> str:
    """A score sheet without a board as a TOML file that `parse_sheet` reads back to the same."""
    lines = [f"score_sheet = {FORMAT}"]
    lines += [f"date = {_quoted(sheet.date)}"] if sheet.date else []
    lines += [f"place = {_quoted(sheet.place)}"] if sheet.place else []
    lines += [] if sheet.finished else ["finished = false"]
    for colour, name in sheet.players.items():
        lines += ["", f"[players.{colour}]"]
        lines += [f"name = {_quoted(name)}"] if name else []
        lines += [f"{category} = {_quoted(entry.text)}" for category, entry in sheet.known(colour).items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def parse_sheet(text: str) -> ScoreSheet:
    """The score sheet in a file. Raises NotationError that says what is wrong where."""
    document = parse_toml_file(text.removeprefix("\ufeff"))
    version = document.pop("score_sheet", None)
    if version != FORMAT:
        raise NotationError(
            "score_sheet: this program reads version {known}, not {version}",
            known=FORMAT,
            version=repr(str(version)[:20]),
        )
    date, place = (_expect(document.pop(key, ""), str, key) for key in ("date", "place"))
    finished = _expect(document.pop("finished", True), bool, "finished")
    tables = _expect(document.pop("players", {}), dict, "players")
    if document:
        key = next(iter(document))[:40]
        keys = ", ".join(("score_sheet", "date", "place", "finished", "players"))
        raise NotationError("{key}: unknown key; the keys are {keys}", key=key, keys=keys)
    players: dict[Colour, str] = {}
    entries: dict[Colour, dict[str, Entry]] = {}
    for key, value in tables.items():
        colour = _at("players", partial(parse_player, key))
        if colour in players:
            raise NotationError("{at}: {what} given twice", at=f"players.{key}", what=colour)
        table = dict(_expect(value, dict, f"players.{colour}"))
        players[colour] = _expect(table.pop("name", ""), str, f"players.{colour}.name")
        entries[colour] = {}
        for category, typed in table.items():
            where = f"players.{colour}.{category[:20]}"
            if category not in CATEGORIES:
                keys = ", ".join(("name", *CATEGORIES))
                raise NotationError("{key}: unknown key; the keys are {keys}", key=where, keys=keys)
            line = _expect(typed, str, where)
            entries[colour][category] = _at(where, partial(read_entry, category, line))
    sheet = ScoreSheet(players, entries, date=date, place=place, finished=finished)
    sheet.check()
    return sheet


def _at(where: str, read: Callable[[], _Text]) -> _Text:
    try:
        return read()
    except NotationError as error:
        raise NotationError("{what}: {value}", what=where, value=error) from None


def _expect(value: object, wanted: type[_Text], where: str) -> _Text:
    if not isinstance(value, wanted):
        expected = {str: say("{key}: expected text", key=where), bool: say("{key}: expected true or false", key=where)}
        raise NotationError(expected.get(wanted, say("{key}: expected a table", key=where)))
    return value


def _with_players(position: Position, entries: Mapping[Colour, Entries]) -> Position:
    for colour, known in entries.items():
        held = held_of(known)
        kept = {name: getattr(held, name) for name in HELD}
        position = position.with_player(Player(colour, **kept))
    return position
