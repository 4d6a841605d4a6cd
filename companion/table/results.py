"""How a game stands, for people and for other programs: a sentence, text, JSON and CSV."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from companion.language.phrase import Phrase, joined, listed, say, say_as, say_many, term
from companion.notation.spreadsheet import csv_bytes
from companion.rules.engine.scoring import CATEGORIES, GameResult, category_name
from companion.rules.model.components import Colour


def player_name(colour: Colour, names: Mapping[Colour, str]) -> str:
    """How a player is spoken of: "Anna (pink)", or the colour where there is no name."""
    name = names.get(colour)
    return say("{name} ({colour})", name=name, colour=term(colour)) if name else term(colour)


def standing(result: GameResult, names: Mapping[Colour, str]) -> Phrase:
    """One sentence about who has won, or who leads while the game goes on or something is unknown (rules 9.3)."""
    ahead = result.ahead
    total = result.scores[ahead[0]].total
    known = bool(result.unknown)
    who = listed([player_name(colour, names) for colour in ahead])
    points = say_many("{count} point", "{count} points", total)
    if len(result.scores) == 1:
        said = say("{who} has {points}", who=who, points=points)
        known_said = say("{who} has {points}, going by what's known", who=who, points=points)
    elif len(ahead) > 1:
        said = say("{who} are level with {points} each", who=who, points=points)
        known_said = say("{who} are level with {points} each, going by what's known", who=who, points=points)
        if result.winners:
            said = say("{who} share the win with {points} each", who=who, points=points)
    else:
        by = total - max(score.total for colour, score in result.scores.items() if colour not in ahead)
        said = say("{who} leads with {points}, {by} ahead", who=who, points=points, by=by)
        known_said = say("{who} leads with {points}, {by} ahead, going by what's known", who=who, points=points, by=by)
        if result.winners:
            said = say("{who} wins with {points}, {by} ahead", who=who, points=points, by=by)
    unfinished = "" if result.finished else say("; the game isn't over")
    return joined("", (known_said if known else said, unfinished, "."))


def result_document(result: GameResult) -> dict[str, object]:
    """How a game stands, for JSON; `assumed` is there when something that counts is not known."""
    document: dict[str, object] = {
        "players": {str(colour): {**score.points, "total": score.total} for colour, score in result.scores.items()},
        "finished": result.finished,
        **ahead_document(result),
    }
    if result.unknown:
        document["assumed"] = list(result.unknown)
    return document


def ahead_document(result: GameResult) -> dict[str, list[str]]:
    """Who is known to have won a game that is over, or leads in one that goes on, for JSON."""
    who, colours = ("winners", result.winners) if result.finished else ("leaders", result.leaders)
    return {who: list(map(str, colours))}


def result_json(result: GameResult, names: Mapping[Colour, str]) -> str:
    """The result as a JSON document: that of `result_document`, and the players' names where they are known."""
    document = result_document(result)
    if names:
        document["names"] = {str(colour): name for colour, name in names.items()}
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def result_csv(result: GameResult, names: Mapping[Colour, str], language: str) -> bytes:
    """The result as CSV, a line a player, always English; points that are not known are empty."""
    rows: list[list[object]] = [["player", "name", *CATEGORIES, "total"]]
    for colour, score in result.scores.items():
        rows.append([str(colour), names.get(colour, ""), *score.known.values(), score.total])
    return csv_bytes(rows, language)


def result_text(result: GameResult, names: Mapping[Colour, str], title: str, speak: Callable[[str], str]) -> str:
    """The result as plain text, who has won first; `speak` says phrases in the reader's language."""
    lines = [title, ""] if title else []
    lines.append(speak(standing(result, names)))
    for colour, score in sorted(result.scores.items(), key=lambda scored: -scored[1].total):
        parts = [
            speak(joined(" ", (category_name(category), str(points))))
            for category, points in score.points.items()
            if points
        ]
        who = speak(player_name(colour, names))
        total = speak(say_as("of the score", "total"))
        lines.append(f"{who}: {', '.join([*parts, f'{total} {result.total_words(colour)}'])}")
    return "\n".join(lines) + "\n"
