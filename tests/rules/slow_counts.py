"""A slow, plain enumerator that walks every sowing of a board: the twin of `companion.rules.engine.counting`.

Written from rules 4.2 to 4.7 alone; it shares no code with the package. `python -m tests.rules.slow_counts`
walks the positions of `data/perft.json` again and writes their counts, which takes a few minutes.
"""

from __future__ import annotations

import json
from pathlib import Path

TABLE = Path(__file__).parent / "data" / "perft.json"
NAMES = [column + row for row in "12345" for column in "abcdef"]


def letters(token: str) -> str:
    """The meeples of a tile's token: "bgg" of "O8:bgg@K^1"."""
    if ":" not in token:
        return ""
    return "".join(c for c in token.split(":")[1].split("@")[0] if c in "ywbgr")


def beside(name: str) -> list[str]:
    column, row = ord(name[0]), int(name[1])
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [f"{chr(c)}{r}" for c, r in around if ord("a") <= c <= ord("f") and 1 <= r <= 5]


BESIDE = {name: beside(name) for name in NAMES}


class Walker:
    """Walks every sowing from one start and remembers what each leaves."""

    def __init__(self, tiles: dict[str, str], start: str) -> None:
        self.tiles = {**tiles, start: ""}
        self.start = start
        self.sequences = 0
        self.boards: set[tuple[object, ...]] = set()
        self.outcomes: set[tuple[object, ...]] = set()
        if tiles[start]:
            self.step(start, "", tiles[start])

    def step(self, here: str, before: str, hand: str) -> None:
        for there in BESIDE[here]:
            if there == before:
                continue
            for meeple in sorted(set(hand)):
                standing = self.tiles[there]
                left = hand.replace(meeple, "", 1)
                self.tiles[there] = standing + meeple
                if left:
                    self.step(there, here, left)
                elif meeple in standing:
                    self.arrive(there, meeple)
                self.tiles[there] = standing

    def arrive(self, end: str, colour: str) -> None:
        count = self.tiles[end].count(colour)
        after = dict(self.tiles)
        after[end] = after[end].replace(colour, "")
        board = tuple("".join(sorted(after[name])) for name in NAMES)
        self.sequences += 1
        self.boards.add((board, end, colour, count))
        self.outcomes.add((self.start, end, colour, count, not after[end]))


def slow_counts(rows: list[str]) -> dict[str, object]:
    """The three counts and `sequences` by start tile (those with meeples) of a board given as five rows."""
    tokens = " ".join(rows).split()
    tiles = {name: letters(token) for name, token in zip(NAMES, tokens, strict=True)}
    walkers = {name: Walker(tiles, name) for name in NAMES if tiles[name]}
    return {
        "sequences": sum(walker.sequences for walker in walkers.values()),
        "boards": len(set().union(*(walker.boards for walker in walkers.values()))),
        "outcomes": len(set().union(*(walker.outcomes for walker in walkers.values()))),
        "by_start": {name: walker.sequences for name, walker in walkers.items()},
    }


if __name__ == "__main__":
    cases = json.loads(TABLE.read_text(encoding="utf-8"))
    for case in cases:
        case.update(slow_counts(case["rows"]))
        print(case["name"], case["sequences"], case["boards"], case["outcomes"], flush=True)
    TABLE.write_text(json.dumps(cases, indent=1) + "\n", encoding="utf-8")
