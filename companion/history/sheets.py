"""Score sheets without a board, as `companion score --save` writes them: who plays, and what he plainly has.

Lines of such a sheet are as they were typed. Points come from the outcome beside it; here only djinns are asked for.
"""

from __future__ import annotations

from datetime import date

from companion.errors import NotationError
from companion.language.phrase import say
from companion.notation.holdings import CardCounts, read_cards
from companion.notation.names import parse_colour, parse_djinn
from companion.notation.toml_text import parse_toml
from companion.rules.engine.scoring import Holdings
from companion.rules.model.components import Colour

_BEGINNING = "score_sheet"


def is_sheet_text(text: str) -> bool:
    """Whether a text means to be such a sheet."""
    return text.startswith(_BEGINNING)


def sheet_heading(text: str) -> tuple[str, str]:
    """The day of a game (2026-02-14) and its place, "" where not told. Raises NotationError for what is no TOML."""
    document = parse_toml(text)
    day = str(document.get("date", ""))
    try:
        date.fromisoformat(day)
    except ValueError:
        day = ""
    return day, str(document.get("place", ""))


def sheet_lines(text: str) -> dict[Colour, dict[str, str]]:
    """The lines of each player by category, and his "name". Raises NotationError for what is no sheet."""
    players = parse_toml(text).get("players", {})
    if not isinstance(players, dict) or not all(isinstance(lines, dict) for lines in players.values()):
        raise NotationError(say("the score sheet has no table of players"))
    return {parse_colour(colour): {key: str(line) for key, line in lines.items()} for colour, lines in players.items()}


def sheet_holdings(text: str) -> dict[Colour, Holdings]:
    """What each player has, where a line says it plainly: numbers, cards and djinns by name; None for all else."""
    found = {}
    for colour, lines in sheet_lines(text).items():
        cards = _cards(lines.get("goods", ""))
        found[colour] = Holdings(
            viziers=_number(lines.get("viziers", "")),
            elders=_number(lines.get("elders", "")),
            palms=_number(lines.get("palms", "")),
            palaces=_number(lines.get("palaces", "")),
            goods=cards.goods if cards else None,
            fakirs=cards.fakirs if cards else None,
            djinns=_djinns(lines.get("djinns", "")),
        )
    return found


def _number(line: str) -> int | None:
    return int(line) if line.isascii() and line.isdecimal() and len(line) < 5 else None


def _cards(line: str) -> CardCounts | None:
    try:
        found = read_cards(line)
    except NotationError:
        return None
    return found if isinstance(found, CardCounts) else None


def _djinns(line: str) -> tuple[str, ...] | None:
    try:
        return tuple(parse_djinn(name) for name in line.split(", "))
    except NotationError:
        return None
