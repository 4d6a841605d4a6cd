"""The games written out in `playthroughs/` are played the same today."""

from __future__ import annotations

import pytest

from tests.rules.playthroughs import FOLDER, GAMES, text


def test_a_game_written_out_is_played_the_same(subtests: pytest.Subtests) -> None:
    for name in GAMES:
        with subtests.test(name=name):
            kept = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
            assert text(name) == kept, (
                "the rules changed: read the difference, then run python -m tests.rules.playthroughs"
            )
