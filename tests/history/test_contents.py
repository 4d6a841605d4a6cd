"""What the texts and settings of games tell: what each is, who plays, when and where, how long turns took; as CSV."""

from __future__ import annotations

import csv
import io
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import NotationError
from companion.history import saved_results
from companion.history.saved import TURN_TIMES, TurnTime, turn_times, turns_of, with_time
from companion.history.saved_results import Contents, GamePart, TextKind, compute_result, contents_of
from companion.history.transfer import HEADINGS, games_csv
from companion.rules.engine.scoring import CATEGORIES
from companion.rules.model.components import Colour
from companion.rules.model.position import Phase
from tests.history.games import growing, opened, setup_text


def test_the_day_and_the_place_of_a_sheet() -> None:
    for lines, day, place in (
        ('date = "2026-02-14"\nplace = "Lviv"\n', "2026-02-14", "Lviv"),
        ('place = "Lviv"\n', "", "Lviv"),
        ('date = "last Friday"\n', "", ""),
        ("", "", ""),
    ):
        told = contents_of(f'score_sheet = 1\n{lines}[players.pink]\nname = "Anna"\n')
        assert told == Contents(TextKind.SHEET, {Colour.PINK: "Anna"}, day, place)


def test_a_sheet_is_known_by_what_score_knows_it_by() -> None:
    assert contents_of('\ufeff\n score_sheet = 1\n[players.P]\ngold = "3+2"\n').players == {Colour.PINK: ""}
    with pytest.raises(NotationError, match=r"players\.pink\.gold: 'many' is not a number"):
        contents_of('score_sheet = 1\n[players.pink]\ngold = "many"\n')


def test_no_text_is_longer_than_a_game_or_has_a_result_without_a_board(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = 'score_sheet = 1\n[players.pink]\nname = "Anna"\n'
    for most, is_read in ((len(sheet), True), (len(sheet) - 1, False)):
        monkeypatch.setattr(saved_results, "MAX_LETTERS", most)
        with nullcontext() if is_read else pytest.raises(NotationError, match="longer than any game's"):
            assert contents_of(sheet).kind is TextKind.SHEET
    with pytest.raises(NotationError, match="without a board has no result"):
        compute_result([GamePart(TextKind.SHEET, sheet)])


def test_times_of_one_turn_are_added_and_no_others(tmp_path: Path) -> None:
    time = TurnTime(1, Phase.TURN, 2, Colour.BLUE, 40.0)
    others = [replace(time, part=2), replace(time, phase=Phase.BID), replace(time, turn=3)]
    others.append(replace(time, colour=Colour.PINK))
    with opened(tmp_path / "games.sqlite3") as history:
        key = history.begin(setup_text())
        for timed in (time, *others, replace(time, seconds=2.5), replace(time, turn=9, seconds=0.4)):
            history.change_settings(key, with_time(history.game(key), timed))
        assert turn_times(history.game(key)) == (replace(time, seconds=42.5), *others)
        assert turns_of(history.game(key), Colour.BLUE) == [42.5, 40.0, 40.0]
        for odd in (3, [3], [[1, "turn", 1, "red", 2]], [["x", "turn", 1, "pink", 2]]):
            history.change_settings(key, {TURN_TIMES: odd})
            assert turn_times(history.game(key)) == ()


def test_a_table_has_a_row_for_each_player_of_each_game(tmp_path: Path) -> None:
    with opened(tmp_path / "games.sqlite3") as history:
        going = history.begin(setup_text(), names={Colour.PINK: '=HYPERLINK("x")', Colour.BLUE: 'Анна, "A"\nB'})
        history.set_clock(going, {Colour.BLUE: 12.34})
        over = history.begin(growing(3)[2])
        result = history.finish(over)
        games = sorted(history.games(), key=lambda game: game.key == over)
        rows = list(csv.DictReader(io.StringIO(games_csv(games, "en").decode("utf-8-sig"), newline="")))
    assert tuple(rows[0]) == HEADINGS
    players = [(key, colour) for key in (going, over) for colour in ("blue", "pink")]
    assert [(row["game"], row["player"]) for row in rows] == players
    assert [row["name"] for row in rows[:2]] == ['Анна, "A"\nB', '\'=HYPERLINK("x")']
    assert [row["seconds"] for row in rows] == ["12.3", "", "", ""]
    assert all(row[heading] == "" for row in rows[:2] for heading in ("finished", *CATEGORIES, "total", "rank", "won"))
    for row in rows[2:]:
        own = result.players[Colour(row["player"])]
        assert [row[category] for category in CATEGORIES] == [str(own.points[category]) for category in CATEGORIES]
        assert (row["total"], row["rank"]) == (str(own.total), str(own.place))
        assert row["won"] == str(int(own.place == 1)) and row["finished"].endswith("+00:00")
