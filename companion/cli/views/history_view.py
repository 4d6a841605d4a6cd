"""Games that are kept: as a list, one of them, and what all of them tell; in words and as JSON (docs/json.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.table import Table
from rich.text import Text

from companion.cli.locale import translate
from companion.cli.output import console
from companion.cli.views.score_table import WON
from companion.cli.views.tables import print_table
from companion.history.kept import KeptGame, Revision
from companion.history.results import KeptResult
from companion.history.statistics import TOTAL, PlayerFigures, Statistics
from companion.history.turn_times import turn_times, turns_of
from companion.language.phrase import Phrase, clock_time, decimal, joined, percentage, say, say_as, say_many, term
from companion.local_time import local
from companion.rules.engine.scoring import CATEGORIES, category_name
from companion.rules.model.components import Colour

SHOWN_KEY = 8
"""Letters of a key that the list shows; so many tell games apart, and more may be typed."""
BAR = 20
"""Characters of the longest bar."""
_NAME = 12
"""Letters of a name above a column of figures."""
_LONGEST = 40
"""Letters of a name or a place in a list."""
_MOST_PLAYERS = 4
_MOST_DJINNS = 10


def print_games(games: Sequence[KeptGame]) -> None:
    """Print the list of games, the latest first; a star marks who has won."""
    table = _table()
    for heading in (say_as("head of games", "game"), say_as("head of games", "date"), say_as("head of games", "place")):
        table.add_column(translate(heading), overflow="fold")
    table.add_column(translate(say_as("head of games", "players")), overflow="fold")
    for game in games:
        table.add_row(
            game.key[:SHOWN_KEY], Text(_cut(game.date)), Text(_cut(game.place)), Text(translate(_players(game)))
        )
    console().print(table)


def _players(game: KeptGame) -> Phrase:
    """Everybody, the winner first: "* Anna 121, Boris 97"; without points while the game goes on."""
    order = sorted(game.players, key=lambda colour: game.results[colour].place if colour in game.results else 0)
    words = [
        joined("", (WON if colour in game.winners else "", _name(game.players[colour], colour), _points(game, colour)))
        for colour in order
    ]
    listed = joined(", ", words)
    return listed if game.finished else say("{players} (not over)", players=listed or say("nobody yet"))


def _points(game: KeptGame, colour: Colour) -> str:
    return f" {game.results[colour].total}" if colour in game.results else ""


def _name(name: str, colour: Colour | None) -> str:
    return _cut(name) or (term(colour) if colour is not None else "")


def _cut(text: str, most: int = _LONGEST) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def print_game(game: KeptGame, result: KeptResult | None, revisions: Sequence[Revision]) -> None:
    """Print one game: who, when, what came out of it, and how often it was changed."""
    out = console()
    where = joined(", ", [part for part in (game.date, game.place) if part])
    out.print(Text(translate(joined(": ", (game.key, where))), style="bold"))
    out.print(Text(translate(_players(game))))
    steps = say_many(
        "{count} revision, the last on {time}", "{count} revisions, the last on {time}", len(revisions), time=_at(game)
    )
    out.print(Text(translate(steps)))
    if game.clock:
        out.print()
        out.print(_times(game))
    if result is None:
        return
    table = _table(show_footer=True)
    table.add_column(translate(term("VP")), footer=translate(say_as("of the score", "total")))
    for colour, one in result.players.items():
        mark = WON if one.place == 1 and len(result.players) > 1 else ""
        name = Text(translate(_name(game.players.get(colour, ""), colour)))
        table.add_column(name, footer=Text(f"{mark}{one.total}"), justify="right")
    for category in CATEGORIES:
        table.add_row(
            translate(category_name(category)),
            *("?" if (points := one.points[category]) is None else str(points) for one in result.players.values()),
        )
    out.print()
    out.print(table)
    for held in result.djinns:
        who = _name(game.players.get(held.colour, ""), held.colour)
        out.print(
            Text(translate(say("{djinn} was worth {points} VP to {who}", djinn=held.name, points=held.points, who=who)))
        )


def _times(game: KeptGame) -> Table:
    """What each took at the turn clock: in all, on average for a turn, and for each of his turns."""
    table = _table()
    table.add_column(translate(say("at the turn clock")))
    table.add_column(translate(say_as("of the turn clock", "in all")), justify="right", no_wrap=True)
    table.add_column(translate(say_as("of the turn clock", "mean turn")), justify="right", no_wrap=True)
    table.add_column(translate(say_as("of the turn clock", "each turn")), overflow="fold")
    for colour, seconds in game.clock.items():
        turns = turns_of(game, colour)
        table.add_row(
            Text(translate(_name(game.players.get(colour, ""), colour))),
            clock_time(seconds),
            clock_time(sum(turns) / len(turns)) if turns else "",
            Text("  ".join(map(clock_time, turns))),
        )
    return table


def _at(game: KeptGame) -> str:
    return f"{local(game.changed):%Y-%m-%d %H:%M}"


def print_statistics(found: Statistics) -> None:
    """Print what all finished games tell."""
    out = console()
    out.print()
    print_table(out, _wins(found.players))
    out.print()
    print_table(out, _categories(found.players[:_MOST_PLAYERS]))
    if timed := [one for one in found.players if one.thought_s is not None]:
        out.print()
        print_table(out, _mean_times(timed))
    if found.djinns:
        out.print()
        print_table(out, _djinns(found))
    if found.prices:
        out.print()
        out.print(_prices(found))


def _wins(players: Sequence[PlayerFigures]) -> Table:
    table = _table()
    table.add_column(translate(say_as("head of figures", "player")), overflow="fold")
    for heading in (
        say_as("head of figures", "games"),
        say_as("head of figures", "won"),
        say_as("head of figures", "mean"),
        say_as("head of figures", "best"),
        "",
    ):
        table.add_column(translate(heading), justify="right", no_wrap=True)
    table.add_column("")
    for one in players:
        total = one.points[TOTAL]
        table.add_row(
            Text(translate(_name(one.name, one.colour))),
            str(one.games),
            str(one.won),
            translate(decimal(total.mean)),
            str(total.best),
            translate(percentage(one.won / one.games)),
            _bar(one.won, one.games),
        )
    return table


def _mean_times(players: Sequence[PlayerFigures]) -> Table:
    """The mean time of a game, and of a turn, of those who were timed."""
    table = _table()
    table.add_column(translate(say("at the turn clock")), overflow="fold")
    for heading in (say_as("of the turn clock", "mean game"), say_as("of the turn clock", "mean turn")):
        table.add_column(translate(heading), justify="right", no_wrap=True)
    for one in players:
        times = ("" if seconds is None else clock_time(seconds) for seconds in (one.thought_s, one.turn_s))
        table.add_row(Text(translate(_name(one.name, one.colour))), *times)
    return table


def _categories(players: Sequence[PlayerFigures]) -> Table:
    """Mean and best of each category for those who have won most."""
    table = _table()
    table.add_column(translate(say("mean / best, VP")))
    for one in players:
        name = translate(_name(one.name, one.colour))
        table.add_column(Text(_cut(name, _NAME)), justify="right", no_wrap=True)
    for category in CATEGORIES:
        table.add_row(translate(category_name(category)), *(_mean_and_best(one, category) for one in players))
    return table


def _mean_and_best(player: PlayerFigures, category: str) -> str:
    figures = player.points.get(category)
    return "?" if figures is None else f"{translate(decimal(figures.mean))} / {figures.best:>2}"


def _djinns(found: Statistics) -> Table:
    table = _table()
    table.add_column(translate(say_as("head of figures", "djinn")))
    for heading in (
        say_as("head of figures", "held"),
        say_as("head of figures", "worth, VP"),
        say_as("head of figures", "won"),
    ):
        table.add_column(translate(heading), justify="right", no_wrap=True)
    for one in found.djinns[:_MOST_DJINNS]:
        table.add_row(
            one.name, str(one.held), translate(decimal(one.points)), translate(percentage(one.won / one.held))
        )
    return table


def _prices(found: Statistics) -> Table:
    table = _table()
    for heading in (
        say_as("head of figures", "bid, GC"),
        say_as("head of figures", "paid"),
        say_as("head of figures", "won"),
    ):
        table.add_column(translate(heading), justify="right", no_wrap=True)
    table.add_column("")
    for one in found.prices:
        table.add_row(str(one.price), str(one.paid), translate(percentage(one.won / one.paid)), _bar(one.won, one.paid))
    return table


def _bar(part: int, whole: int) -> str:
    return "#" * round(BAR * part / whole)


def _table(*, show_footer: bool = False) -> Table:
    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, show_footer=show_footer)


def game_document(game: KeptGame) -> dict[str, Any]:
    """A game of the list, for JSON."""
    return {
        "game": str(game.key),
        "date": game.date,
        "place": game.place,
        "started": game.started.isoformat(),
        "finished": None if game.finished is None else game.finished.isoformat(),
        "names": {str(colour): name for colour, name in game.players.items() if name},
        "colours": [str(colour) for colour in game.players],
        "players": {
            str(colour): {**one.points, "total": one.total, "place": one.place or None}
            for colour, one in game.results.items()
        },
        "winners": [str(colour) for colour in game.winners],
        "clock": {str(colour): round(seconds, 1) for colour, seconds in game.clock.items()},
    }


def whole_game_document(game: KeptGame, result: KeptResult | None, revisions: Sequence[Revision]) -> dict[str, Any]:
    """One game with all that is known of it, for JSON."""
    document = game_document(game)
    if result is not None:
        document["djinns"] = [
            {"player": str(one.colour), "djinn": one.name, "points": one.points} for one in result.djinns
        ]
        document["bids"] = [
            {"round": one.round, "player": str(one.colour), "price": one.price, "paid": one.paid} for one in result.bids
        ]
    document["turns"] = [
        {
            "part": one.part,
            "phase": str(one.phase),
            "turn": one.turn,
            "player": str(one.colour),
            "seconds": round(one.seconds, 1),
        }
        for one in turn_times(game)
    ]
    document["revisions"] = [
        {"number": one.number, "part": one.part, "kind": str(one.kind), "at": one.at.isoformat(), "told": one.summary}
        for one in revisions
    ]
    return document


def statistics_document(found: Statistics) -> dict[str, Any]:
    """What all finished games tell, for JSON."""
    return {
        "games": found.games,
        "players": [
            {
                "name": one.name or None,
                "colour": None if one.colour is None else str(one.colour),
                "games": one.games,
                "won": one.won,
                "points": _points_document(one.points),
                "seconds": None if one.thought_s is None else round(one.thought_s, 1),
                "turn_seconds": None if one.turn_s is None else round(one.turn_s, 1),
            }
            for one in found.players
        ],
        "djinns": [
            {"djinn": one.name, "held": one.held, "points": round(one.points, 3), "won": one.won}
            for one in found.djinns
        ],
        "bids": [{"price": one.price, "paid": one.paid, "won": one.won} for one in found.prices],
        "spent": [{"bids": one.bids, "points": one.points, "won": one.won} for one in found.spent],
    }


def _points_document(points: Mapping[str, Any]) -> dict[str, Any]:
    return {
        category: {"games": one.games, "mean": round(one.mean, 3), "best": one.best} for category, one in points.items()
    }
