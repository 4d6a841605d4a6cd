"""All games for a spreadsheet: a row for each player of each game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.history.kept import KeptGame
from companion.notation.spreadsheet import CsvForm, csv_bytes
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour

HEADINGS = ("game", "date", "place", "finished", "player", "name", *CATEGORIES, "total", "rank", "won", "seconds")


def games_csv(games: Iterable[KeptGame], form: CsvForm) -> bytes:
    """Games as a CSV file, headings first, in English in every language; points in VP, empty where they are not known.

    `game` is the key, `finished` its time with the zone, empty while it goes on; `rank` counts from 1, shared by tied
    players, empty where it is not known, and `won` is 1 for each who has won (rules 9.3). `seconds` is the time at the
    turn clock, where one ran.
    """
    return csv_bytes([HEADINGS, *(row for game in games for row in _rows(game))], form)


def _rows(game: KeptGame) -> Iterator[list[object]]:
    for colour in Colour:
        if colour not in game.players and colour not in game.results:
            continue
        finished = None if game.finished is None else game.finished.isoformat()
        about = [game.key, game.date, game.place, finished, str(colour), game.players.get(colour, "")]
        result = game.results.get(colour)
        time = round(game.clock[colour], 1) if game.clock.get(colour) else None
        if result is None:
            yield [*about, *([None] * (len(CATEGORIES) + 3)), time]
        else:
            points = [result.points[category] for category in CATEGORIES]
            yield [*about, *points, result.total, result.place or None, int(colour in game.winners), time]
