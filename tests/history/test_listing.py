"""All games for a spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path

from companion.history.listing import HEADINGS, games_csv
from companion.notation.spreadsheet import CsvForm
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour
from tests.history.games import growing, opened, setup_text


def test_there_is_a_row_for_each_player_of_each_game(tmp_path: Path) -> None:
    with opened(tmp_path / "games.sqlite3") as history:
        going = history.begin(setup_text(), names={Colour.PINK: '=HYPERLINK("x")', Colour.BLUE: 'Анна, "A"\nB'})
        over = history.begin(growing(3)[2])
        result = history.finish(over)
        games = sorted(history.games(), key=lambda game: game.key == over)
        rows = list(csv.DictReader(io.StringIO(games_csv(games, CsvForm()).decode("utf-8-sig"), newline="")))
    assert tuple(rows[0]) == HEADINGS
    assert [(row["game"], row["player"]) for row in rows] == [
        (going, "blue"),
        (going, "pink"),
        (over, "blue"),
        (over, "pink"),
    ]
    assert [row["name"] for row in rows[:2]] == ['Анна, "A"\nB', '\'=HYPERLINK("x")']
    assert all(row[heading] == "" for row in rows[:2] for heading in ("finished", *CATEGORIES, "total", "rank", "won"))
    for row in rows[2:]:
        own = result.players[Colour(row["player"])]
        assert [row[category] for category in CATEGORIES] == [str(own.points[category]) for category in CATEGORIES]
        assert (row["total"], row["rank"]) == (str(own.total), str(own.place))
        assert row["won"] == str(int(own.place == 1)) and row["finished"].endswith("+00:00")
