"""Games that are kept: as a list, one of them, and what all of them tell; in words and as JSON (docs/json.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from companion.cli.locale import translate
from companion.cli.output import console
from companion.cli.views.score_table import WON, points_table, record_title
from companion.cli.views.tables import Column, figures, number
from companion.history.saved import Revision, SavedGame, turn_times, turns_of
from companion.history.saved_results import SavedResult
from companion.history.statistics import TOTAL, PlayerFigures, Statistics
from companion.language.phrase import Phrase, clock_time, decimal, joined, percentage, say, say_each, say_many, term
from companion.rules.engine.scoring import CATEGORIES, category_name
from companion.rules.model.components import Colour
from companion.system.local_time import local

SHOWN_KEY = 8
"""Letters of a key that the list shows; this many tell games apart, and more may be typed."""
_BAR_CELLS = 20
"""Characters of the longest bar."""
_MAX_HEADING = 12
"""Letters of a name above a column of figures."""
_MAX_TEXT = 40
"""Letters of a name or a place in a list."""
_MAX_PLAYERS = 4
_MAX_DJINNS = 10


def print_games(games: Sequence[SavedGame]) -> None:
    """Print the list of games, the latest first; a star marks who has won."""
    columns = say_each("head of games", "game|date|place|players").values()
    rows = [(game.key[:SHOWN_KEY], _cut(game.date), _cut(game.place), _players(game)) for game in games]
    console().print(figures(columns, rows))


def _players(game: SavedGame) -> Phrase:
    """Everybody, the winner first: "* Anna 121, Boris 97"; without points while the game goes on."""
    points = {colour: f" {result.total_words}" for colour, result in game.results.items()}
    order = sorted(game.players, key=lambda colour: game.results[colour].place if colour in game.results else 0)
    words = [
        joined("", (WON if colour in game.winners else "", _name(game.players[colour], colour), points.get(colour, "")))
        for colour in order
    ]
    listed = joined(", ", words)
    return listed if game.finished else say("{players} (not over)", players=listed or say("nobody yet"))


def _name(name: str, colour: Colour | None) -> str:
    return _cut(name) or (term(colour) if colour is not None else "")


def _cut(text: str, most: int = _MAX_TEXT) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def print_game(game: SavedGame, result: SavedResult | None, revisions: Sequence[Revision]) -> None:
    """Print one game: who, when, what came out of it, and how often it was changed."""
    out = console()
    out.print(joined(": ", (game.key, record_title(game.date, game.place))), style="bold")
    out.print(_players(game))
    changed = f"{local(game.changed):%Y-%m-%d %H:%M}"
    count = len(revisions)
    out.print(
        say_many("{count} revision, the last on {time}", "{count} revisions, the last on {time}", count, time=changed)
    )
    if game.clock:
        out.print()
        out.print(_times(game))
    if result is None:
        return
    players = []
    for colour, player in result.players.items():
        mark = WON if player.place == 1 and len(result.players) > 1 else ""
        points = [player.points[category] for category in CATEGORIES]
        players.append((_name(game.players.get(colour, ""), colour), f"{mark}{player.total_words}", points))
    out.print()
    out.print(points_table(players))
    for held in result.djinns:
        who = _name(game.players.get(held.colour, ""), held.colour)
        out.print(say("{djinn} was worth {points} VP to {who}", djinn=held.name, points=held.points, who=who))


def _times(game: SavedGame) -> Table:
    """What each took on the turn clock: in all, on average for a turn, and for each turn."""
    total, mean_turn, each_turn = say_each("of the turn clock", "in all|mean turn|each turn").values()
    columns = [Column(say("on the turn clock")), number(total), number(mean_turn), Column(each_turn)]
    rows = []
    for colour, seconds in game.clock.items():
        turns = turns_of(game, colour)
        mean = clock_time(sum(turns) / len(turns)) if turns else ""
        name = _name(game.players.get(colour, ""), colour)
        rows.append((name, clock_time(seconds), mean, "  ".join(map(clock_time, turns))))
    return figures(columns, rows)


def print_statistics(statistics: Statistics) -> None:
    """Print what all finished games tell."""
    out = console()
    tables = [_wins(statistics.players), _categories(statistics.players[:_MAX_PLAYERS])]
    if timed := [player for player in statistics.players if player.thought_s is not None]:
        tables.append(_mean_times(timed))
    if statistics.djinns:
        tables.append(_djinns(statistics))
    if statistics.prices:
        tables.append(_prices(statistics))
    for table in tables:
        out.print()
        out.print(table)


def _wins(players: Sequence[PlayerFigures]) -> Table:
    heading, *numbers = say_each("head of figures", "player|games|won|mean|best").values()
    columns = [Column(heading), *map(number, numbers), number(), Column()]
    rows = [
        (
            _name(player.name, player.colour),
            str(player.games),
            str(player.won),
            decimal(player.points[TOTAL].mean),
            str(player.points[TOTAL].best),
            percentage(player.won / player.games),
            _bar(player.won, player.games),
        )
        for player in players
    ]
    return figures(columns, rows)


def _mean_times(players: Sequence[PlayerFigures]) -> Table:
    """The mean time of a game, and of a turn, of those who were timed."""
    means = say_each("of the turn clock", "mean game|mean turn").values()
    columns = [Column(say("on the turn clock")), *map(number, means)]
    rows = []
    for player in players:
        times = ("" if seconds is None else clock_time(seconds) for seconds in (player.thought_s, player.turn_s))
        rows.append((_name(player.name, player.colour), *times))
    return figures(columns, rows)


def _categories(players: Sequence[PlayerFigures]) -> Table:
    """Mean and best of each category for those who have won most."""
    names = [number(_cut(translate(_name(player.name, player.colour)), _MAX_HEADING)) for player in players]
    rows = [
        (category_name(category), *(_mean_and_best(player, category) for player in players)) for category in CATEGORIES
    ]
    return figures([Column(say("mean / best, VP")), *names], rows)


def _mean_and_best(player: PlayerFigures, category: str) -> str:
    found = player.points.get(category)
    return "?" if found is None else f"{translate(decimal(found.mean))} / {found.best:>2}"


def _djinns(statistics: Statistics) -> Table:
    heading, *numbers = say_each("head of figures", "djinn|held|worth, VP|won").values()
    rows = [
        (djinn.name, str(djinn.held), decimal(djinn.points), percentage(djinn.won / djinn.held))
        for djinn in statistics.djinns[:_MAX_DJINNS]
    ]
    return figures([Column(heading), *map(number, numbers)], rows)


def _prices(statistics: Statistics) -> Table:
    columns = [*map(number, say_each("head of figures", "bid, GC|paid|won").values()), Column()]
    rows = [
        (str(bid.price), str(bid.paid), percentage(bid.won / bid.paid), _bar(bid.won, bid.paid))
        for bid in statistics.prices
    ]
    return figures(columns, rows)


def _bar(part: int, whole: int) -> str:
    return "#" * round(_BAR_CELLS * part / whole)


def game_document(game: SavedGame) -> dict[str, Any]:
    return {
        "game": str(game.key),
        "date": game.date,
        "place": game.place,
        "started": game.started.isoformat(),
        "finished": None if game.finished is None else game.finished.isoformat(),
        "names": {str(colour): name for colour, name in game.players.items() if name},
        "colours": [str(colour) for colour in game.players],
        "players": {
            str(colour): {**player.points, "total": player.total, "place": player.place or None}
            for colour, player in game.results.items()
        },
        "winners": [str(colour) for colour in game.winners],
        "clock": {str(colour): round(seconds, 1) for colour, seconds in game.clock.items()},
    }


def whole_game_document(game: SavedGame, result: SavedResult | None, revisions: Sequence[Revision]) -> dict[str, Any]:
    document = game_document(game)
    if result is not None:
        document["djinns"] = [
            {"player": str(one.colour), "djinn": one.name, "points": one.points} for one in result.djinns
        ]
        document["bids"] = [
            {"round": one.round, "player": str(one.colour), "price": one.price, "paid": one.paid} for one in result.bids
        ]
    document["turns"] = [
        {"part": one.part, "phase": one.phase, "turn": one.turn, "player": one.colour, "seconds": round(one.seconds, 1)}
        for one in turn_times(game)
    ]
    document["revisions"] = [
        {"number": one.number, "part": one.part, "kind": str(one.kind), "at": one.at.isoformat(), "told": one.summary}
        for one in revisions
    ]
    return document


def statistics_document(statistics: Statistics) -> dict[str, Any]:
    return {
        "games": statistics.games,
        "players": [
            {
                "name": one.name or None,
                "colour": None if one.colour is None else str(one.colour),
                "games": one.games,
                "won": one.won,
                "points": {
                    category: {"games": points.games, "mean": round(points.mean, 3), "best": points.best}
                    for category, points in one.points.items()
                },
                "seconds": None if one.thought_s is None else round(one.thought_s, 1),
                "turn_seconds": None if one.turn_s is None else round(one.turn_s, 1),
            }
            for one in statistics.players
        ],
        "djinns": [
            {"djinn": one.name, "held": one.held, "points": round(one.points, 3), "won": one.won}
            for one in statistics.djinns
        ],
        "bids": list(map(asdict, statistics.prices)),
        "spent": list(map(asdict, statistics.spent)),
    }
