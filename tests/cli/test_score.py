"""`companion score` as it is run: from positions, records and photos, as JSON and table, and what is refused."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import pytest

from companion.cli.views.score_table import verdict
from companion.notation.records.lines import parse_record
from companion.notation.tokens import parse_board
from companion.rules.engine.scoring import CATEGORIES, GameResult, Score
from companion.rules.model.components import Colour
from companion.rules.model.position import Position
from tests.cli.ran import Capsys, Patch, ran, written
from tests.cli.scored import BARE_BOARD, BLACK_POINTS, BOARD, END, PINK_POINTS, score_json, type_in
from tests.notation.recorded_example import THREE_ROUNDS
from tests.opening.readings import photo_reading_as
from tests.samples import SAMPLES

BLACK, ORANGE, BLUE, PINK = Colour
SHARED = Path(__file__).resolve().parents[2] / "../shared/cases/scoring_cases.json"

pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


def test_json_is_the_contracts(end: str, capsys: Capsys) -> None:
    document = score_json(capsys, end)
    assert document == {"players": {"black": BLACK_POINTS, "pink": PINK_POINTS}, "finished": True, "winners": ["pink"]}
    assert list(document["players"]["pink"]) == list(PINK_POINTS)


def test_the_table_shows_points_winner_and_arithmetic(end: str, capsys: Capsys) -> None:
    printed = ran(capsys, ["score", end, "--names", "pink=Anna"])
    lines = [" ".join(line.split()) for line in printed.out.splitlines()]
    assert lines[1:3] == ["Anna", "VP black pink"]
    assert lines[4:12] == [f"{name} {BLACK_POINTS[name]} {PINK_POINTS[name]}" for name in CATEGORIES]
    assert lines[13:16] == ["total 51 * 126", "", "* Anna (pink) wins with 126 points, 75 ahead."]
    assert lines[17:21] == [
        "black elders 1 x 2 = 2",
        "palms 1 x 3 = 3",
        "",
        "Anna viziers 2 x 3 (Jafaar) + 10 x 1 opponent = 16",
    ]
    assert " ".join(lines[-2:]) == "goods ivory, jewels*, gold*, fish, wheat 21 + fish 1 (* = 2 fakirs, Al-Amin) = 22"
    assert printed.err == ""


def test_what_is_unknown_is_said_and_nobody_has_won_yet(tmp_path: Path, capsys: Capsys) -> None:
    board = written(tmp_path / "board.txt", BOARD)
    printed = ran(capsys, ["score", board])
    assert re.search(r"gold +\? +\?\n", printed.out) and re.search(r"total +\d+ \+ \? +\d+ \+ \?\n", printed.out)
    assert "\npink leads with 30 points, 19 ahead, going by what's known.\n" in printed.out
    assert "*" not in printed.out
    assert "pink: gold, viziers, elders, djinns, goods not known, counted as 0" in printed.err
    assert "--ask asks for the rest." in printed.err


def test_rules_9_3_the_verdict() -> None:
    for scores, finished, known, sentence in (
        ({PINK: 7, BLACK: 7, BLUE: 3}, True, True, "* Anna (pink) and black share the win with 7 points each."),
        ({PINK: 7, BLACK: 5, BLUE: 3}, True, True, "* Anna (pink) wins with 7 points, 2 ahead."),
        ({PINK: 7}, True, True, "Anna (pink) has 7 points."),
        ({PINK: 7}, True, False, "Anna (pink) has 7 points, going by what's known."),
        ({BLACK: 1, BLUE: 5}, True, False, "blue leads with 5 points, 4 ahead, going by what's known."),
        ({BLACK: 1, BLUE: 5}, False, True, "blue leads with 5 points, 4 ahead; the game isn't over."),
        ({BLACK: 5, BLUE: 5}, False, True, "black and blue are level with 5 points each; the game isn't over."),
    ):
        points = {colour: Score(gold=total) for colour, total in scores.items()}
        assert verdict(GameResult(points, finished, () if known else ("?",)), {PINK: "Anna"}) == sentence


def test_rules_9_3_nobody_wins_a_game_of_which_something_that_counts_is_not_known(
    end: str, tmp_path: Path, capsys: Capsys
) -> None:
    path = written(tmp_path / "end.toml", re.sub(r"goods = .*\n", "", END))
    document = score_json(capsys, path)
    assert (document["finished"], document["winners"], len(document["assumed"])) == (True, [], 2)
    printed = ran(capsys, ["score", path, "--bgstats"]).err
    assert "something that counts isn't known, so the play for BG Stats has no winner\n" in printed
    assert "%22winner%22:true" not in printed and "%22rank%22" not in printed


def test_a_game_that_goes_on_has_a_leader_and_no_winner(tmp_path: Path, capsys: Capsys) -> None:
    phase = "turn"
    path = written(tmp_path / "mid.toml", END.replace('"end"', f'"{phase}"'))
    document = score_json(capsys, path)
    assert (document["finished"], document["leaders"]) == (False, ["pink"])
    assert "winners" not in document
    printed = ran(capsys, ["score", path, "--final", "--bgstats"])
    assert "\npink leads with 126 points, 75 ahead; the game isn't over.\n" in printed.out
    assert f'phase "{phase}", so the game isn\'t over' in printed.err
    assert "the game isn't over, so the play for BG Stats has no winner\n" in printed.err
    assert "%22winner%22:false" in printed.err and "%22winner%22:true" not in printed.err


def test_a_position_without_a_phase_is_an_end_where_rules_9_allow_it(tmp_path: Path, capsys: Capsys) -> None:
    path = tmp_path / "open.toml"
    going_on = END.replace('phase = "end"\n', "").replace("M4 M4", "M4:ww M4:w")
    path.write_text(going_on, encoding="utf-8")
    assert score_json(capsys, str(path))["leaders"] == ["pink"]
    printed = ran(capsys, ["score", str(path)])
    assert "pink leads" in printed.out and "add --final" in printed.err
    assert score_json(capsys, str(path), "--final")["winners"] == ["pink"]
    path.write_text(going_on.replace("M4:ww M4:w", "M4 M4"), encoding="utf-8")
    assert score_json(capsys, str(path))["winners"] == ["pink"], "rules 9.2: nobody can move"


def test_a_photos_board_and_notes_are_used(tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    photo = photo_reading_as(
        Position(parse_board(BOARD)), monkeypatch, tmp_path / "table.jpg", notes=("c4 is doubtful",)
    )
    type_in(monkeypatch, *[""] * 3)
    document = score_json(capsys, photo, "--ask")
    assert document["players"]["pink"] == {**dict.fromkeys(PINK_POINTS, 0), "palms": 6, "palaces": 5, "tiles": 19} | {
        "total": 30
    }
    assert "c4 is doubtful" in ran(capsys, ["score", photo]).err


def test_wrong_use_ends_in_one_kind_message(
    end: str, tmp_path: Path, subtests: pytest.Subtests, capsys: Capsys
) -> None:
    bare, twice = tmp_path / "bare.txt", tmp_path / "twice.toml"
    bare.write_text(BARE_BOARD, encoding="utf-8")
    twice.write_text(END.replace("djinns = []", 'djinns = ["Jafaar"]'), encoding="utf-8")
    for arguments, status, words in (
        ("", 2, "give a position file or a photo"),
        ("- --ask", 2, "must come from a file"),
        ("--resume", 4, "there is no draft to continue"),
        ("--resume --names Anna", 2, "leave out --names"),
        (f"{end} --names Al,Bo,Cy", 2, "the colours left are black, pink"),
        (f"{end} --names green=Anna", 2, "--names: no player's colour"),
        (f"{end} --names blue=Anna", 2, "blue is not in this game; it has black, pink"),
        (f"{end} -o {end}", 2, "is an input of this command"),
        (f"{end} -o {twice}", 2, "--force"),
        (f"{end} --pdf x.pdf --template absent", 4, "there is no file absent"),
        (f"{end} --date 14.13.2026", 2, "14.13.2026' is not a date"),
        ("missing.toml", 4, "there is no file missing.toml"),
        (str(bare), 4, "nobody plays in this position"),
        (str(twice), 5, "(rules 1.5)"),
        ("sheet.toml --goods pink=cards.jpg", 4, "there is no file"),
        ("--ask --goods pink=cards.jpg", 2, "need a position or photos"),
        (f"{end} --resume --cards cards.jpg", 2, "need a position or photos"),
    ):
        with subtests.test(msg=arguments):
            printed = ran(capsys, ["score", *arguments.split()], status)
            assert words in " ".join(printed.err.split()) and printed.out == ""
    assert Path(end).read_text(encoding="utf-8") == END


# --- cases of other engines: 41 follow from their positions, 4 are score sheets with points typed in ---


@pytest.mark.skipif(not SHARED.exists(), reason="the shared cases are not beside this checkout")
def test_every_shared_case_comes_out_of_the_command(tmp_path: Path, monkeypatch: Patch, capsys: Capsys) -> None:
    typed_in = []
    for case in json.loads(SHARED.read_text(encoding="utf-8"))["cases"]:
        path = written(tmp_path / f"{case['id']}.json", json.dumps(case["position"]))
        document = score_json(capsys, path)
        if any(document["players"][colour] != expected for colour, expected in case["expected"].items()):
            typed_in.append(case["id"])
            lines = [""]
            for colour, shown in document["players"].items():
                expected = case["expected"].get(colour, shown)
                wrong = {name for name in CATEGORIES if shown[name] != expected[name]}
                # Only where the position shows nothing at all may points be typed for it.
                assert all(shown[name] == 0 for name in wrong), case["id"]
                lines.append(", ".join(f"{name} {expected[name]} VP" for name in CATEGORIES if name in wrong))
            type_in(monkeypatch, *lines)
            document = score_json(capsys, path, "--ask")
        for colour, expected in case["expected"].items():
            assert document["players"][colour] == expected, (case["id"], colour)
        if "winners" in case:
            assert document["winners"] == case["winners"], case["id"]
    assert typed_in == ["score-a19", "score-a28", "score-a33", "score-b08"]


# --- game records ---


def test_names_date_and_place_of_a_record_reach_terminal_and_sheet(tmp_path: Path, capsys: Capsys) -> None:
    from tests.printing.checks import page_texts

    record, out = str(THREE_ROUNDS), tmp_path / "sheet.pdf"
    header = parse_record(Path(record).read_text(encoding="utf-8")).header
    date, place = header.tag("date"), header.tag("place")
    assert date and place and header.names
    printed = ran(capsys, ["score", record, "--pdf", str(out), "--bgstats"])
    assert printed.out.startswith(f"{date}, {place}\n")
    assert f"%22playDate%22:%22{date}%20" in printed.err
    assert f"%22location%22:%22{quote(place)}%22" in printed.err
    sheet = page_texts(out)[0]
    for words in (date, place, *header.names.values()):
        assert words in sheet
    for name in header.names.values():
        assert name in printed.out
    colour, name = next(iter(header.names.items()))
    printed = ran(capsys, ["score", record, "--names", f"{colour}=Zoë"])
    assert "Zoë" in printed.out and name not in printed.out


def test_players_of_one_name_are_refused_by_the_line_of_the_record(tmp_path: Path, capsys: Capsys) -> None:
    text = THREE_ROUNDS.read_text(encoding="utf-8")
    line = next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith("player pink:"))
    blue = next(line for line in text.split("\n") if line.startswith("player blue:")).partition(": ")[2]
    same = re.sub("player pink: .*", f"player pink: {blue.upper()} ", text)
    for command in ("score", "replay", "show"):
        told = ran(capsys, [command, written(tmp_path / "same.txt", same)], 4).err
        assert f"line {line}: {blue.upper()} is named twice; give each player a different name" in told
    told = ran(capsys, ["score", str(THREE_ROUNDS), "--names", f"pink={blue.lower()}"], 2).err
    assert "--names: " in told and "is named twice" in told


def test_a_record_s_day_is_read_where_it_is_clear_and_told_of_where_it_is_not(tmp_path: Path, capsys: Capsys) -> None:
    text = THREE_ROUNDS.read_text(encoding="utf-8")
    today = f"%22playDate%22:%22{datetime.now(UTC).date().isoformat()}"
    for told, day in (
        *((clear, "2026-02-14") for clear in ("14.02.2026", "2026-02-14 20:30", "2026. 2. 14.", "14. 2. 2026")),
        *((unclear, "") for unclear in ("2026-13-45", "yesterday", "3/4/2026", "30.02.2026")),
    ):
        record = written(tmp_path / "game.txt", re.sub("date: .*", f"date: {told}", text))
        err = ran(capsys, ["score", record, "--bgstats"]).err
        assert (f"%22playDate%22:%22{day}%20" if day else today) in err, told
        assert ("isn't a date, so the game is saved under today's" in err) == (not day), told


def test_a_score_sheet_comes_from_standard_input_as_from_a_file(
    monkeypatch: Patch, capsys: Capsys, tmp_path: Path
) -> None:
    sheet = 'score_sheet = 1\n[players.pink]\ngold = "12+7"\n[players.black]\ngold = "3"\n'
    from_file = score_json(capsys, written(tmp_path / "sheet.toml", sheet))
    type_in(monkeypatch, *sheet.splitlines())
    assert score_json(capsys, "-") == from_file and from_file["players"]["pink"]["gold"] == 19
    goods = ["--goods", f"pink={SAMPLES / 'mid.jpg'}"]
    assert "is a score sheet without a board" in ran(capsys, ["score", str(tmp_path / "sheet.toml"), *goods], 4).err
