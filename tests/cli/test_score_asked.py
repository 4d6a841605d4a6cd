"""`companion score --ask` as it is run: what ends it early, and what is saved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.notation.files import parse_position
from companion.rules.model.components import Colour
from tests.cli.ran import Capsys, Patch, ran, written
from tests.cli.scored import ANNA_LINES, BLACK_POINTS, BOARD, BORIS_LINES, PINK_POINTS, score_json, type_in
from tests.notation.recorded_games import stuck_game

BLACK, ORANGE, BLUE, PINK = Colour

pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


def test_ask_from_nothing(monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, "pink Anna, black Boris", *ANNA_LINES, *BORIS_LINES)
    anna = [19, 6, 6, 11, 6, 5, 23, 14, 90]
    boris = [30, 13, 0, 4, 0, 0, 20, 13, 80]
    players = {"pink": dict(zip(PINK_POINTS, anna, strict=True)), "black": dict(zip(PINK_POINTS, boris, strict=True))}
    assert score_json(capsys, "--ask") == {"players": players, "finished": True, "winners": ["pink"]}
    type_in(monkeypatch, "", *ANNA_LINES, *BORIS_LINES)
    printed = ran(capsys, ["score", "--ask", "--names", "pink Anna, black Boris"])
    assert "[pink Anna, black Boris]" in printed.err
    assert "  19 gold, 2 viziers, 3 elders, 1 silk, 2 fish, 1 wheat, 3 fakirs, Jafaar, Al-Amin\n" in printed.err
    assert "  = 56 VP: gold 19, viziers 6, elders 6, djinns 11, goods 14 (ivory*, silk, fish, wheat" in printed.err
    assert "Boris  viziers  3 + 10 x 1 opponent = 13" in printed.out and "tiles    15+5 = 20" in printed.out
    assert "* Anna (pink) wins with 90 points, 10 ahead." in printed.out


def test_12_2_a_hand_of_which_cards_were_never_seen_is_asked_for(
    tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    path = written(tmp_path / "unseen.txt", stuck_game(unseen=2) + "blue: no move\n")
    type_in(monkeypatch, "", "fish, silk, fakir", "", "")
    document = score_json(capsys, path, "--ask")
    assert (document["players"]["blue"]["goods"], document["winners"]) == (3, ["blue"])
    assert "assumed" not in document
    assert main(["score", path, "-o", str(tmp_path / "end.toml")]) == 0
    assert "left out, since a position can't hold them: blue's goods" in capsys.readouterr().err


def test_ask_keeps_what_the_position_shows_and_can_add_a_player_but_not_lose_one(
    end: str, monkeypatch: Patch, capsys: Capsys
) -> None:
    type_in(monkeypatch, *[""] * 3)
    assert score_json(capsys, end, "--ask")["players"] == {"black": BLACK_POINTS, "pink": PINK_POINTS}
    type_in(monkeypatch, *[""] * 4)
    assert "[black, pink, blue Carla]" in ran(capsys, ["score", end, "--ask", "--names", "blue=Carla"]).err
    type_in(monkeypatch, "pink, blue", "pink, blue, black", *[""] * 3)
    printed = ran(capsys, ["score", end, "--ask", "--json"])
    assert "also has black" in printed.err
    assert list(json.loads(printed.out)["players"]) == ["pink", "blue", "black"]


def test_answers_that_end_early_end_kindly(tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    type_in(monkeypatch, "pink black", "3 gold", "4")
    printed = ran(capsys, ["score", "--ask", "--json", "--pdf", str(tmp_path / "sheet.pdf")], 4)
    assert "the answers ended after 3, at 'pink: number of palaces on own tiles'" in printed.err
    assert f"continue with companion score --json --pdf {tmp_path / 'sheet.pdf'} --resume" in printed.err
    assert (printed.out, list(tmp_path.iterdir())) == ("", [])
    type_in(monkeypatch, "quit")
    assert main(["score", "--resume", "--json"]) == 130, "a program waits for a document"
    assert "No score" in capsys.readouterr().err
    type_in(monkeypatch, "quit")
    assert main(["score", "--resume"]) == 0, "a person has read that there is none"


def test_save_writes_the_position_as_filled_in(tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    board = written(tmp_path / "board.txt", BOARD)
    for name in ("full.toml", "full.json"):
        out = tmp_path / name
        type_in(monkeypatch, "", "38 gold, 0 viziers, 1 elder", "41 gold, 2 viziers, 3 elders, Jafaar, goods 13 VP")
        assert main(["score", board, "--ask", "-o", str(out)]) == 0
        assert "left out, since a position can't hold them: pink's goods" in capsys.readouterr().err
        saved = parse_position(out.read_text(encoding="utf-8"))
        assert (saved.player(PINK).djinns, saved.player(PINK).goods) == (("Jafaar",), None)
        assert score_json(capsys, str(out))["players"]["black"] == BLACK_POINTS
