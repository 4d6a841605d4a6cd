"""`companion hint`: the JSON that scripts rely on, words at 80 columns, what is assumed said on standard error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.notation.moves import parse_sowing
from companion.notation.tokens import parse_board
from companion.rules.engine.sowing import apply_sowing
from tests.cli.test_moves import ROWS

BOARD = 'board = """\n' + "\n".join(ROWS) + '\n"""\n'
GAME = (
    "format = 1\n"
    + BOARD
    + """
row = ["fakir", "ivory", "fish", "fish", "silk"]
djinns = ["Utug", "Al-Amin", "Nekir"]
to_move = "pink"
phase = "turn"
[players.pink]
gold = 41
viziers = 2
elders = 3
fakirs = 1
goods = { ivory = 1, fish = 2 }
djinns = ["Jafaar"]
[players.black]
gold = 38
"""
)


@pytest.fixture
def game(tmp_path: Path) -> Callable[..., str]:
    def write(text: str = GAME) -> str:
        path = tmp_path / "game.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_json_is_the_contract_and_its_sowings_are_legal(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", game(), "--json", "--top", "20"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {"to_move", "moves"}
    assert document["to_move"] == "pink"
    assert len(document["moves"]) == 18
    for entry in document["moves"]:
        assert set(entry) == {"from", "path", "drops", "take", "claims", "actions", "gain", "value", "why"}
        steps = [square + drop for square, drop in zip(entry["path"], entry["drops"], strict=True)]
        sown = apply_sowing(parse_board("\n".join(ROWS)), parse_sowing(">".join([entry["from"], *steps])))
        assert entry["take"] == {"colour": sown.tribe.letter, "count": sown.count}
        assert isinstance(entry["gain"], int)
        assert all(isinstance(text, str) for text in [*entry["actions"], entry["why"]])
    values = [entry["value"] for entry in document["moves"]]
    assert values == sorted(values, reverse=True)
    first = document["moves"][0]
    assert (first["gain"], first["claims"], first["path"][-1]) == (20, ["e1"], "e1")
    assert first["why"].endswith("takes Nekir for 2 elders (+6, price -4) = +20")


def test_a_person_reads_it_at_80_columns_with_like_starts_merged(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["hint", game(), "--top", "1"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        "Best turns for pink by the points they bring at once",
        "",
        " 1.  +20  f2: take 2 > f1 green > e1 blue; in hand 3 blue",
        "          claims e1 (+6)",
        "          3 builders and 1 fakir earn 12 GC for 4 x 3 blue-valued tiles (+12)",
        "          takes Nekir for 2 elders (+6, price -4)",
        "          the same from b1, e3",
    ]
    assert captured.err == "black: viziers, elders and djinns not known, taken as none.\n"


def test_long_moves_are_wrapped(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    crowded = GAME.replace("S12:yyw", "S12:yywggrrb").replace("O8:bg", "O8:b")
    assert main(["hint", game(crowded), "--top", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.strip().startswith("> ") for line in lines)


def test_a_bare_board_is_enough(game: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", game("\n".join(ROWS)), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["to_move"] == "black"
    for said in (
        "--player COLOUR",
        "black is taken to be the player to move",
        "50 GC",
        "row is not known",
        "djinns are not known",
    ):
        assert said in captured.err


def test_another_player(game: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", game(), "--player", "Black", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["to_move"] == "black"
    assert "pink to move" in captured.err


def test_9_2_no_legal_move_is_an_answer(game: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    bare = "\n".join(" ".join(token.split(":")[0] for token in row.split()) for row in ROWS)
    assert main(["hint", game(bare), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["moves"] == []
    assert "rules 9.2" in captured.err


def test_a_game_that_is_over_is_an_answer(game: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    over = GAME.replace('phase = "turn"', 'phase = "end"')
    assert main(["hint", game(over), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["moves"] == []
    assert "The game is over" in captured.err
    assert main(["hint", game(over)]) == 0
    assert capsys.readouterr().out == "No turn to suggest for pink.\n"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [(["--top", "0"], 2, "--top"), (["--player", "green"], 2, "green"), (["--player", "orang"], 2, "orange")],
)
def test_wrong_options(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, said: str
) -> None:
    assert main(["hint", game(), *arguments]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


def test_an_impossible_position_is_refused_with_its_faults(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", game(GAME.replace("S12", "S15")), "--json"]) == 5
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "rules 1.1" in captured.err
