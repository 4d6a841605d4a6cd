"""The three counts of moves (rules 4.2 to 4.7), against tables, against plain walking, under symmetry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from companion.errors import UnusableInputError
from companion.notation.tokens import format_rows, parse_board
from companion.rules.engine.counting import MAX_BOARD_HAND, count_boards, count_moves, sowing_outcomes
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.board import COLUMNS, SQUARE_NAMES, Board, Tile, empty_tile, parse_square
from tests.rules.slow_counts import slow_counts
from tests.strategies import boards

SHARED = Path(__file__).resolve().parents[2] / "../shared/cases/sow_cases.json"
PERFT = json.loads((Path(__file__).parent / "data" / "perft.json").read_text(encoding="utf-8"))


def check(rows: list[str], expected: dict[str, object], by_start: dict[str, int]) -> None:
    """Compare all counts; the message lists every start tile that is off."""
    counts = count_moves(parse_board("\n".join(rows)))
    found = dict(zip(SQUARE_NAMES, counts.by_start, strict=True))
    off = [f"{name}: {found[name]} instead of {by_start.get(name, 0)}" for name in SQUARE_NAMES]
    off = [line for line, name in zip(off, SQUARE_NAMES, strict=True) if found[name] != by_start.get(name, 0)]
    assert not off, "sequences by start tile:\n" + "\n".join(off)
    three = {name: getattr(counts, name) for name in ("sequences", "boards", "outcomes")}
    assert three == {name: expected[name] for name in three}


def test_own_table(subtests: pytest.Subtests) -> None:
    for case in PERFT:
        with subtests.test(case=case):
            check(case["rows"], case, case["by_start"])


def thinned(board: Board, most: int) -> Board:
    """The board without the meeples of tiles that hold more than `most`."""
    return tuple(tile if sum(tile.meeples) <= most else empty_tile(tile.kind.code) for tile in board)


@settings(max_examples=12)
@given(boards(colours=()))
def test_agrees_with_walking_on_crowded_and_sparse_boards(board: tuple[Tile, ...]) -> None:
    rows = format_rows(thinned(board, 4))
    slow = slow_counts(rows)
    check(rows, slow, slow["by_start"])


@settings(max_examples=12)
@given(boards(colours=()))
def test_outcomes_are_those_of_the_listed_sowings(board: tuple[Tile, ...]) -> None:
    sparse = thinned(board, 3)
    listed = {(sowing.start, sowing.end, sowing.tribe) for sowing in legal_sowings(sparse)}
    assert {(outcome.start, outcome.end, outcome.tribe) for outcome in sowing_outcomes(sparse)} == listed


@settings(max_examples=6)
@given(boards(colours=()))
def test_counts_of_each_start_add_up(board: tuple[Tile, ...]) -> None:
    crowded = thinned(board, 8)
    parts = [count_moves(crowded, [start]) for start in range(len(crowded))]
    whole = count_moves(crowded)
    assert tuple(part.sequences for part in parts) == whole.by_start
    assert sum(part.boards or 0 for part in parts) == whole.boards
    assert sum(part.outcomes for part in parts) == whole.outcomes


def test_a_hand_too_large_for_boards_is_still_counted_otherwise() -> None:
    rows = [["M6"] * COLUMNS for _ in range(5)]
    rows[2][2] = "M6:" + "y" * (MAX_BOARD_HAND + 1)
    board = parse_board("/".join(" ".join(row) for row in rows))
    counts = count_moves(board)
    assert counts.boards is None
    assert counts.sequences == counts.by_start[parse_square("c3")] > 10**5
    with pytest.raises(UnusableInputError, match="c3 holds 17 meeples"):
        count_boards(board)
