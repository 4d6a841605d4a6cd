"""Rules 9.3 and 10: the points at the end."""

from __future__ import annotations

from typing import Any

from companion.rules.model.components import TILE_KINDS
from tests.rules.twin.selling import best_value
from tests.rules.twin.state import DJINN_VALUES, has, opponents


def own_tiles(state: dict[str, Any], colour: str) -> Any:
    return [tile for tile in state["board"] if tile["camel"] == colour]


def vizier_points(state: dict[str, Any], colour: str) -> int:
    """Rules 10.2: 1 each, 3 with Jafaar, and 10 for each opponent with strictly fewer."""
    own = state["players"][colour]["viziers"]
    beaten = [other for other in opponents(state, colour) if state["players"][other]["viziers"] < own]
    return own * (3 if has(state, colour, "Jafaar") else 1) + 10 * len(beaten)


def elder_points(state: dict[str, Any], colour: str) -> int:
    """Rules 10.3: 2 each, 4 with Shamhat."""
    return state["players"][colour]["elders"] * (4 if has(state, colour, "Shamhat") else 2)


def palm_points(state: dict[str, Any], colour: str) -> int:
    """Rules 10.5: 3 each on own tiles, 5 with Haurvatat."""
    return sum(tile["palms"] for tile in own_tiles(state, colour)) * (5 if has(state, colour, "Haurvatat") else 3)


def points(state: dict[str, Any], colour: str) -> dict[str, int]:
    """Rules 10: the points of one player by category."""
    player = state["players"][colour]
    return {
        "gold": player["gold"],
        "viziers": vizier_points(state, colour),
        "elders": elder_points(state, colour),
        "djinns": sum(DJINN_VALUES[name] for name in player["djinns"]),
        "palms": palm_points(state, colour),
        "palaces": 5 * sum(tile["palaces"] for tile in own_tiles(state, colour)),
        "tiles": sum(TILE_KINDS[tile["kind"]].vp for tile in own_tiles(state, colour)),
        "goods": best_value(player["cards"], has(state, colour, "Al-Amin")),
    }


def winners(state: dict[str, Any]) -> list[str]:
    """Rules 9.3: most points win; tied players share the win."""
    totals = {colour: sum(points(state, colour).values()) for colour in state["players"]}
    return [colour for colour, total in totals.items() if total == max(totals.values())]
