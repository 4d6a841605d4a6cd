"""Walks as people type them in a hurry, at a table: without signs between the steps, and without every letter."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.errors import IllegalMoveError, NotationError
from companion.notation.records.header import new_header
from companion.notation.records.lines import Record, format_entry
from companion.rules.engine.sowing import legal_sowings
from companion.rules.model.actions import Sowing
from companion.rules.model.board import SQUARE_NAMES, parse_square
from companion.table.playing import Playing, game_at, play_line
from tests.samples import MID


@pytest.fixture(scope="module")
def game() -> Playing:
    """A game in the middle, blue to move."""
    return game_at(Record(new_header(MID, {}, date="2026-11-29")))


def played(game: Playing, line: str) -> str:
    return format_entry(play_line(game, line).record.lines[-1].entry)


def bare(sowing: Sowing) -> str:
    """A sowing without its letters."""
    return " ".join(SQUARE_NAMES[square] for square in (sowing.start, *sowing.path))


def left(sowing: Sowing) -> object:
    """What a sowing leaves where, and the colour that it ends with: all that tells one from another (rules 4.5)."""
    return Counter(zip(sowing.path, sowing.drops, strict=True)), sowing.drops[-1]


def test_a_walk_needs_no_signs(game: Playing) -> None:
    written = "f3 > f2w > f1g > e1b > e2y"
    for typed in (
        "f3 f2w f1g e1b e2y",
        "F3>f2w>f1g>e1b>e2y",
        "f3, f2w, f1 g, e1b, e2y",
        "blue: f3 - f2w - f1g - e1b - e2y",
    ):
        assert played(game, typed).startswith(f"blue: {written}")


def test_4_5_letters_are_asked_for_only_where_it_matters_what_is_left_where(game: Playing) -> None:
    """Against every order of every hand that is tried: one that counts is played, of several some are named."""
    orders: dict[tuple[int, ...], list[Sowing]] = {}
    for sowing in legal_sowings(MID.board, range(30)):
        if len(sowing.path) <= 5:
            orders.setdefault((sowing.start, *sowing.path), []).append(sowing)
    paths = Random(1).sample(sorted(orders), 60)
    kinds = set()
    for path in paths:
        meant = {str(left(sowing)): sowing for sowing in orders[path]}
        typed = bare(orders[path][0])
        kinds.add(len(meant) > 1)
        if len(meant) == 1:
            line = played(game, typed)
            words = line.partition(": ")[2].partition(";")[0].split(" > ")
            squares, letters = words[1:], [word[2] for word in words[1:]]
            assert tuple(parse_square(word[:2]) for word in squares) == path[1:]
            assert any([tribe.letter for tribe in sowing.drops] == letters for sowing in orders[path])
        else:
            with pytest.raises(NotationError, match="say which meeple is left where") as asked:
                play_line(game, typed)
            assert SQUARE_NAMES[path[0]] + " > " in str(asked.value)
    assert kinds == {True, False}, "both are tried"


def test_a_letter_settles_what_the_others_leave_open(game: Playing) -> None:
    with pytest.raises(NotationError, match="say which meeple"):
        play_line(game, "f3 f2 f1 e1 e2")
    assert played(game, "f3 f2w f1g e1 e2").startswith("blue: f3 > f2w > f1g > e1b > e2y")


def test_a_walk_that_no_order_makes_legal_is_refused(game: Playing) -> None:
    with pytest.raises((IllegalMoveError, NotationError)) as refused:
        play_line(game, "f3 f4 f5 e5 d5")
    assert "say which meeple" not in str(refused.value)


def test_a_walk_of_too_few_tiles_says_how_many_the_hand_needs(game: Playing) -> None:
    for typed in ("f3 f2", "f3 f2w f1"):
        with pytest.raises(NotationError, match=r"f3 holds 4 meeples: name a tile for each"):
            play_line(game, typed)
