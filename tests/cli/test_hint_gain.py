"""`companion hint --gain`: the JSON, words at 80 columns, what is assumed said on standard error."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.advisor.search.gains import hints
from companion.cli.main import main
from companion.cli.views.hint_view import doubtful_squares
from companion.notation.codes import encode
from companion.notation.files import parse_position
from companion.notation.records.lines import parse_record
from companion.notation.records.replay import replay
from companion.notation.tokens import parse_board, parse_sowing
from companion.rules.engine.scoring import player_points
from companion.rules.model.board import SQUARE_NAMES
from companion.rules.model.components import Colour
from tests.cli.test_moves import ROWS
from tests.notation.recorded_example import THREE_ROUNDS
from tests.opening.readings import photo_reading_as
from tests.rules.sown import apply_sowing

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
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
    assert main(["hint", "--gain", game(), "--json", "--top", "20"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {"to_move", "moves", "assumed"}
    assert document["assumed"][-1].startswith("The discards are not known")
    assert any(text.startswith("9 viziers are seen nowhere: ") for text in document["assumed"])
    assert document["to_move"] == "pink"
    assert len(document["moves"]) == 18
    for entry in document["moves"]:
        assert set(entry) == {"from", "path", "drops", "take", "claims", "actions", "gain", "value", "why", "line"}
        steps = [square + drop for square, drop in zip(entry["path"], entry["drops"], strict=True)]
        sown = apply_sowing(parse_board("\n".join(ROWS)), parse_sowing(">".join([entry["from"], *steps])))
        assert entry["take"] == {"colour": sown.tribe.letter, "count": sown.count}
        assert isinstance(entry["gain"], int)
        assert all(isinstance(text, str) for text in [*entry["actions"], entry["why"]])
    values = [entry["value"] for entry in document["moves"]]
    assert values == sorted(values, reverse=True)
    first = document["moves"][0]
    assert (
        first["line"] == "pink: b1 > c1y > d1r > e1b: claim e1; 3 builders with 1 fakir: 12 GC; take Nekir for 2 elders"
    )
    assert (first["gain"], first["claims"], first["path"][-1]) == (20, ["e1"], "e1")
    assert first["why"].endswith("takes Nekir for 2 elders (+6, price -4) = +20")


def test_a_person_reads_it_at_80_columns_with_like_starts_merged(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["hint", "--gain", game(), "--top", "1"]) == 0
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
    assert "9 viziers are seen nowhere" in captured.err


def test_long_moves_are_wrapped(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    crowded = GAME.replace("S12:yyw", "S12:yywggrrb").replace("O8:bg", "O8:b")
    assert main(["hint", "--gain", game(crowded), "--top", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    assert any(line.strip().startswith("> ") for line in lines)


def test_a_bare_board_is_enough(game: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", "--gain", game("\n".join(ROWS)), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["to_move"] == "black"
    for said in (
        "--player COLOUR",
        "black is taken to be the player to move",
        "two opponents (orange and blue) assumed",
        "row is not known",
        "djinns are not known",
    ):
        assert said in captured.err


def test_another_player(game: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", "--gain", game(), "--player", "Black", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["to_move"] == "black"
    assert "pink to move" in captured.err


def test_9_2_no_legal_move_is_an_answer(game: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    bare = "\n".join(" ".join(token.split(":")[0] for token in row.split()) for row in ROWS)
    assert main(["hint", "--gain", game(bare), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["moves"] == []
    assert "rules 9.2" in captured.err


def test_a_game_that_is_over_is_an_answer(game: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    over = GAME.replace('phase = "turn"', 'phase = "end"').replace('to_move = "pink"\n', "")
    assert main(["hint", "--gain", game(over), "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"to_move": None, "moves": []}
    assert captured.err == "The game is over. pink leads in what is known with 89 points, 40 ahead.\n"
    assert main(["hint", "--gain", game(over)]) == 0
    captured = capsys.readouterr()
    assert captured.out == "The game is over. pink leads in what is known with 89 points, 40 ahead.\n"
    assert captured.err == "", "no advice to look at another colour"
    assert main(["hint", "--gain", str(SAMPLES / "end.toml")]) == 0
    assert capsys.readouterr().out == "The game is over. pink wins with 147 points, 1 ahead.\n"


def test_what_a_hint_rests_on_stands_in_its_own_line(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    unsure = GAME.replace("viziers = 2", "viziers = 1").replace("black", "orange").replace("@K", "@O")
    path = game(unsure.replace('djinns = ["Jafaar"]', 'djinns = ["Sloar", "Utug"]').replace('["Utug", ', "["))
    assert main(["hint", "--gain", path, "--top", "30"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "Best turns for pink by the points they bring at once, those that are not sure (~) as they are to be"
    )
    assert lines[1] == "expected"
    assert any(
        re.fullmatch(r" {10}\+10 if orange has fewer than 3 viziers but at least 1 \(\d\d% likely\)", x) for x in lines
    )
    assert any(re.match(r"[ \d]\d\. +~\+\d+  \w\d: take", line) for line in lines)
    assert main(["hint", "--gain", path, "--top", "30", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [entry["value"] for entry in document["moves"]] == sorted(
        (entry["value"] for entry in document["moves"]), reverse=True
    )
    why = next(entry["why"] for entry in document["moves"] if "takes 2 viziers (+2)" in entry["why"])
    assert "; +10 if orange has fewer than 3 viziers but at least 1" in why


@pytest.mark.parametrize(
    ("doubtful", "said"),
    [
        (("f2",), "rests on f2, read with 40%"),
        (("f1",), "rests on f1, read with 40%"),
        (("e1",), "rests on e1, read with 40%"),
        (("e1", "f2", "a1"), "rests on f2, read with 40%, and e1, read with 40%"),
        (("a1",), None),
        ((), None),
    ],
    ids=["start", "passed", "end", "several", "beside", "none"],
)
def test_a_hint_that_rests_on_a_doubtful_tile_says_so(
    doubtful: tuple[str, ...],
    said: str | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    squares = tuple(map(SQUARE_NAMES.index, doubtful))
    photo = photo_reading_as(parse_position(GAME), monkeypatch, tmp_path / "table.png", doubtful=squares)
    assert main(["hint", "--gain", photo, "--top", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2] == " 1.  +20  f2: take 2 > f1 green > e1 blue; in hand 3 blue"
    assert [line.strip() for line in lines if "rests on" in line] == ([] if said is None else [said])


def test_a_tile_claimed_from_afar_is_rested_on_too() -> None:
    position = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    one = next(one for one in hints(position, 50).moves if set(one.explanation.claims) - set(one.sowing.path))
    start, end, *_, claimed = one.sowing.start, one.sowing.end, *one.explanation.claims
    assert claimed not in (start, *one.sowing.path)
    doubts = {claimed: 0.4, end: 0.5, start: 0.6}
    assert doubtful_squares(one, doubts) == (start, end, claimed)


def test_json_says_once_which_doubtful_tiles_turns_rest_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    position = parse_position(GAME)
    for doubtful, resting in ((("e1",), ["turns rest on e1, read with 40%."]), (("a1",), [])):
        squares = tuple(map(SQUARE_NAMES.index, doubtful))
        photo = photo_reading_as(position, monkeypatch, tmp_path / "table.png", doubtful=squares)
        assert main(["hint", "--gain", photo, "--top", "3", "--json"]) == 0
        assumed = json.loads(capsys.readouterr().out)["assumed"]
        assert [text for text in assumed if "rest on" in text] == resting


def test_a_hint_that_may_not_be_legal_says_when_it_is(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", "--gain", game(GAME.replace("gold = 41\n", "")), "--top", "40"]) == 0
    assert re.search(r"^ {10}only if pink has [36] GC$", capsys.readouterr().out, re.MULTILINE)


def test_the_line_of_a_hint_is_what_a_record_holds(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    record = THREE_ROUNDS.read_text(encoding="utf-8")
    lines = record.splitlines()
    first = next(
        number for number, line in enumerate(lines) if re.match(r"(black|orange|blue|pink): [a-f][1-5] >", line)
    )
    begun = "\n".join(lines[:first]) + "\n"
    path = game(begun)
    assert main(["hint", "--gain", path, "--json", "--top", "8"]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert len(moves) == 8
    for entry in moves:
        assert main(["check", game(begun + entry["line"] + "\n")]) == 0, entry["line"]
        capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [(["--top", "0"], 2, "--top"), (["--player", "green"], 2, "green"), (["--player", "orang"], 2, "orange")],
)
def test_wrong_options(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, said: str
) -> None:
    assert main(["hint", "--gain", game(), *arguments]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err


def test_an_impossible_position_is_refused_with_its_faults(
    game: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", "--gain", game(GAME.replace("S12", "S15")), "--json"]) == 5
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "rules 1.1" in captured.err


@pytest.mark.parametrize("options", [["--gain"], ["--playouts", "200"]], ids=lambda options: str(options[0]))
def test_a_hint_goes_on_from_what_was_paid_for_in_the_turn_11_9(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mid = parse_position((SAMPLES / "mid.toml").read_text(encoding="utf-8"))
    mover = mid.player(mid.to_move or Colour.BLUE)
    start = encode(mid.with_player(replace(mover, elders=4, djinns=("Echidna",))))
    record = tmp_path / "game.txt"
    record.write_text(
        f"Five Tribes record 1\nsetup: {start}\n\n{mover.colour}: use Echidna for 2 elders ...\n", encoding="utf-8"
    )
    assert main(["hint", str(record), "--json", "--top", "60", *options]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert any("blue-valued tile" in action and action.endswith(" x 2") for one in moves for action in one["actions"])
    before = replay(parse_record(record.read_text(encoding="utf-8"))).state
    for one in moves:
        assert "Echidna" not in one["why"] and "Echidna" not in one["line"]
        after = replay(parse_record(record.read_text(encoding="utf-8") + one["line"] + "\n")).plays[-1].before
        assert player_points(after.position, mover.colour) - player_points(before.position, mover.colour) == one["gain"]
