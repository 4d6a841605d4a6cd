"""The file of weights, `companion/simulation/weights.json`: read by `simulation.evaluation`, written here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.errors import UnusableInputError
from companion.simulation.evaluation import FEATURES, Floats, Weights, fitted_weights, stored_weights
from companion.storage import write_file

MADE, FEATURE_PAIRS, POLICY = "made", "features", "policy"


def weights_to_start_from(path: Path, players: int) -> Weights:
    """The weights of a file for that many players; those that ship where it is not there or has none for that many.

    Raises UnusableInputError for what is no file of weights.
    """
    stored = _read(path).get(str(players))
    if stored is None:
        return fitted_weights(players)
    try:
        return stored_weights(stored)
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableInputError(f"{path} holds no weights for {players} players: {error}") from error


def write_evaluation(path: Path, players: int, weights: Weights, made: str) -> None:
    """Put the evaluation's weights for that many players into a file beside those for others.

    `made` says how they came about. Where the file has no policy for that many, theirs is written too.
    """
    stored = _read(path)
    one = stored.setdefault(str(players), {})
    one[MADE], one[FEATURE_PAIRS] = made, _pairs(weights.table)
    one.setdefault(POLICY, _policy(weights, made))
    _write(path, stored)


def write_spread(path: Path, players: int, spread: float) -> None:
    """Put the spread of final points for that many players into a file that has their weights."""
    stored = _read(path)
    stored.setdefault(str(players), {})["spread"] = round(spread, 1)
    _write(path, stored)


def _read(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        return {}
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UnusableInputError(f"{path} is no file of weights: {error}") from error
    if not isinstance(stored, dict):
        raise UnusableInputError(f"{path} is no file of weights; name another")
    return stored


def _policy(weights: Weights, made: str) -> dict[str, Any]:
    numbers = {"discount": round(weights.discount, 2), "outbid": round(weights.outbid, 2)}
    return {MADE: made, **numbers, FEATURE_PAIRS: _pairs(weights.policy)}


def _pairs(table: Floats) -> dict[str, list[float]]:
    return {
        name: [round(float(number), 2) + 0.0 for number in pair] for name, pair in zip(FEATURES, table.T, strict=True)
    }


def _write(path: Path, stored: dict[str, dict[str, Any]]) -> None:
    write_file(path, f"{_laid_out(dict(sorted(stored.items())), 0)}\n".encode(), force=True)


def _laid_out(value: dict[str, Any], depth: int) -> str:
    """JSON with one feature a line."""
    lines = [
        f"{json.dumps(key)}: {_laid_out(part, depth + 1) if isinstance(part, dict) else json.dumps(part)}"
        for key, part in value.items()
    ]
    inner = ",\n".join(" " * (depth + 1) + line for line in lines)
    return f"{{\n{inner}\n{' ' * depth}}}"
