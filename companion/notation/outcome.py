"""A game's outcome as a few lines of text, as the result code of a score sheet holds it (docs/notation.md).

Five Tribes, 2026-02-14, Lviv
1. Anna (black) 208 = 41+25+6+17+15+10+31+63
2. orange 172 = 35+2+8+8+10+0+39+70
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from urllib.parse import quote

from companion.errors import PhotoError, printable
from companion.language.phrase import say
from companion.notation.names import name_key
from companion.rules.engine.scoring import CATEGORIES, GameResult, known_total
from companion.rules.model.components import Colour

TITLE = "Five Tribes"
"""What every result code begins with."""

MAX_LETTERS = 3000
"""The largest QR code holds fewer."""

_NOT_KNOWN = "?"
_GOING_ON = "not over yet"
_PARTS = r"(?:\d{1,4}|\?)"
_LINE = re.compile(
    rf"(?:(?P<rank>\d)\. )?(?:(?P<name>.+) \((?P<named>{{colours}})\)|(?P<colour>{{colours}})) (?P<total>\d{{1,4}})"
    rf"(?: = (?P<points>{_PARTS}(?:\+{_PARTS}){{more}}))?".replace("{colours}", "|".join(Colour)).replace(
        "{more}", f"{{{len(CATEGORIES) - 1}}}"
    )
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class Outcome:
    """Everybody's points at the end of a game, or so far, as the lines have them; `decided` if it's known who won.
    `points` are as in `CATEGORIES`, None for unknown ones, a colour missing without room.
    """

    totals: Mapping[Colour, int]
    finished: bool
    decided: bool
    names: Mapping[Colour, str] = field(default_factory=dict)
    points: Mapping[Colour, tuple[int | None, ...]] = field(default_factory=dict)
    date: str = ""
    place: str = ""

    def total_words(self, colour: Colour) -> str:
        """A player's points in all as far as they are known: "44", or "44 + ?"."""
        is_whole = self.decided or None not in self.points.get(colour, ())
        return known_total(self.totals[colour], is_whole=is_whole)

    @cached_property
    def text(self) -> str:
        """The text of its code: a line with date and place, then a line a player, with ranks if it's decided."""
        lines = [", ".join(part for part in (TITLE, self.date, self.place) if part)]
        for colour, total in self.totals.items():
            rank = 1 + sum(other > total for other in self.totals.values())
            who = f"{self.names[colour]} ({colour})" if self.names.get(colour) else str(colour)
            line = f"{rank}. {who} {total}" if self.decided else f"{who} {total}"
            if points := self.points.get(colour):
                line += " = " + "+".join(_NOT_KNOWN if number is None else str(number) for number in points)
            lines.append(line)
        return "\n".join(lines if self.finished else [*lines, _GOING_ON])


def outcome_of(result: GameResult, names: Mapping[Colour, str], *, date: str = "", place: str = "") -> Outcome:
    """The whole outcome of a game, the best first, with each name and place on one line."""
    best_first = dict(sorted(result.scores.items(), key=lambda scored: -scored[1].total))
    return Outcome(
        {colour: score.total for colour, score in best_first.items()},
        result.finished,
        bool(result.winners),
        {colour: _on_a_line(name) for colour, name in names.items()},
        {colour: tuple(score.known.values()) for colour, score in best_first.items()},
        _on_a_line(date),
        _on_a_line(place),
    )


def _on_a_line(text: str) -> str:
    return " ".join(printable(text).split())


def parse_outcome(text: str) -> Outcome | None:
    """The outcome in a text; None if it's some other text."""
    head, *lines = text.strip().splitlines() or [""]
    finished = lines[-1:] != [_GOING_ON]
    lines = lines if finished else lines[:-1]
    title, *rest = head.split(", ", 1)
    if title != TITLE or len(text) > MAX_LETTERS or not 1 <= len(lines) <= len(Colour):
        return None
    where = rest[0] if rest else ""
    date, _, place = where.partition(", ")
    if not _DATE.fullmatch(date):
        date, place = "", where
    totals: dict[Colour, int] = {}
    names: dict[Colour, str] = {}
    points: dict[Colour, tuple[int | None, ...]] = {}
    ranked = set()
    for line in lines:
        match = _LINE.fullmatch(line)
        if match is None or (colour := Colour(match["named"] or match["colour"])) in totals:
            return None
        totals[colour] = int(match["total"])
        ranked.add(match["rank"] is not None)
        if match["name"]:
            names[colour] = match["name"]
        if match["points"]:
            own = tuple(None if part == _NOT_KNOWN else int(part) for part in match["points"].split("+"))
            if sum(number or 0 for number in own) != totals[colour]:
                return None
            points[colour] = own
    return Outcome(totals, finished, ranked == {True}, names, points, date, place)


class ResultAloneError(PhotoError):
    """Photos that show the result of a game, on a score sheet without a position, and nothing else."""

    def __init__(self, name: str, outcome: Outcome) -> None:
        self.name = name
        self.outcome = outcome
        super().__init__(
            say("{name} is a score sheet without a position; companion score {name} shows the points", name=name)
        )


ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="

SOURCE_NAME = "Five Tribes companion"
"""Part of a play's identity in the app: with a new name all plays sent before would come up twice."""

BGG_ID = 157354
"""Five Tribes on BoardGameGeek; the app wants a number, not text."""


def push_link(result: GameResult, names: Mapping[Colour, str], *, played: datetime, place: str = "") -> str:
    """The link for a game that ended at `played`, a time with its zone. The same players and points on one day are one
    play; without known winners there are no ranks.
    """
    shown = {colour: names.get(colour) or str(colour).capitalize() for colour in result.scores}
    known = Counter(map(name_key, shown.values()))
    # The app takes two players of one name for one.
    shown = {one: f"{name.strip()} ({one})" if known[name_key(name)] > 1 else name for one, name in shown.items()}
    moment, totals = played.astimezone(UTC), [score.total for score in result.scores.values()]
    players = [
        {
            "name": shown[colour],
            "sourcePlayerId": shown[colour] if names.get(colour) else str(colour),
            "role": str(colour),
            "score": score.total,
            # Tied players share a rank.
            **({"rank": 1 + sum(other > score.total for other in totals)} if result.winners else {}),
            # Without both of these the app for Android refuses the play.
            "winner": colour in result.winners,
            "startPlayer": False,
        }
        for colour, score in result.scores.items()
    ]
    play = json.dumps([f"{moment:%Y-%m-%d}", players], sort_keys=True)
    data = {
        "sourceName": SOURCE_NAME,
        "sourcePlayId": hashlib.sha256(play.encode()).hexdigest()[:16],
        "playDate": f"{moment:%Y-%m-%d %H:%M:%S}",
        "game": {
            "name": "Five Tribes",
            "sourceGameId": "five-tribes",
            "bggId": BGG_ID,
            "highestWins": True,
            "noPoints": False,
        },
        "players": players,
    }
    if place:
        data["location"] = place
    # These needn't be escaped, which keeps the link's QR code small.
    return ADDRESS + quote(json.dumps(data, ensure_ascii=False, separators=(",", ":")), safe=",:'()!*")
