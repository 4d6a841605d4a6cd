"""`companion hint` and `companion bid`: what they ask the search, what they show of its advice, files, time, Ctrl-C."""

from __future__ import annotations

import html
import io
import json
import os
import re
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from companion.advisor.advice import (
    DEFAULT_PLAYOUTS,
    PHOTO_PLAYOUTS,
    Budget,
    DecidingReading,
    DecidingTile,
    TurnAdvice,
)
from companion.cli.main import main
from companion.cli.progress import Progress
from companion.cli.searching import Thinking, thinking
from companion.notation.files import format_toml, parse_position
from companion.rules.model.position import Bid, Phase, Position
from companion.rules.model.state import GameState, Stage
from tests.cli.ran import Capsys, Patch, printed_json, ran, written
from tests.cli.scored import type_in
from tests.cli.searched import KnownSearch, searching
from tests.notation.recorded_example import THREE_ROUNDS
from tests.opening.readings import photo_reading_as
from tests.samples import SAMPLES

MID, START, END = (str(SAMPLES / f"{name}.toml") for name in ("mid", "start", "end"))


pytestmark = pytest.mark.usefixtures("narrow_plain_terminal")


@pytest.fixture
def search(monkeypatch: Patch) -> KnownSearch:
    return searching(monkeypatch)


def mid() -> Position:
    return parse_position(Path(MID).read_text(encoding="utf-8"))


def test_a_hint_at_each_level(search: KnownSearch, capsys: Capsys) -> None:
    printed = ran(capsys, ["hint", MID, "--top", "2"]).out
    last = " ".join(printed.splitlines()[-4:])
    assert "Lift the 7 meeples on e2 and end on e5: take 3 viziers, claim e5 (S15). +38 now; " in last
    assert printed.endswith("the best of the others.\n"), "the answer is the last thing on the screen"
    assert "lift 7" in printed and "claim" in printed
    assert re.search(r"^ 1\. .* e2 > e3. > [^:]*: take\s+3\s+viziers, claim e5 \(S15\)$", printed, re.MULTILINE)
    assert " 2. " in printed and " 3. " not in printed and "ahead, ±" not in printed
    assert re.search(" 1\\. .* e2 > e3", "\n".join(printed.splitlines()[-20:])), "it's on a screen of 24 lines"
    assert max(map(len, printed.splitlines())) <= 80
    assert search.asked == [{"table": mid(), "budget": Budget(playouts=DEFAULT_PLAYOUTS), "seed": 0}]
    assert ran(capsys, ["hint", MID, "--level", "nudge"]).out == "Look at e2: lift its 7 meeples.\n"
    printed = ran(capsys, ["hint", MID, "--level", "path"]).out
    assert " 1. e2 > e3" in printed and "lift 7" in printed and "now +" not in printed and "ahead, ±" not in printed


def test_json_holds_lines_that_a_record_takes(search: KnownSearch, tmp_path: Path, capsys: Capsys) -> None:
    printed = ran(capsys, ["hint", MID, "--top", "3", "--json"])
    document = json.loads(printed.out)
    assert (document["to_move"], [turn["value"] for turn in document["moves"]]) == ("blue", [12.4, 10.9, 9.4])
    assert printed.err == ""
    lines = THREE_ROUNDS.read_text(encoding="utf-8").splitlines()
    first = next(at for at, line in enumerate(lines) if re.match(r"(black|orange|blue|pink): [a-f][1-5] >", line))
    record = tmp_path / "game.txt"
    record.write_text("\n".join(lines[:first]) + "\n", encoding="utf-8")
    assert main(["hint", str(record), "--json", "--top", "4"]) == 0
    for turn in json.loads(capsys.readouterr().out)["moves"]:
        record.write_text("\n".join([*lines[:first], turn["line"]]) + "\n", encoding="utf-8")
        assert main(["check", str(record)]) == 0, turn["line"]
    table = search.asked[1]["table"]
    assert isinstance(table, GameState) and table.stage is Stage.MOVE, "a record tells more than its position"


def test_time_playouts_and_seed_reach_the_search(search: KnownSearch) -> None:
    assert main(["hint", MID, "--time", "2.5", "--seed", "7", "--json"]) == 0
    assert main(["bid", START, "--playouts", "200", "--json"]) == 0
    budgets = [(asked["budget"], asked["seed"]) for asked in search.asked]
    assert budgets == [(Budget(seconds=2.5), 7), (Budget(playouts=200), 0)]


WRONG = {
    **{f"hint --time {time}": "--time is in seconds, from 0.1 to 3600, not" for time in ("0", "-1", "nan", "1e9")},
    "bid --time 0.01": "--time is in seconds, from 0.1",
    "hint --time soon": "'--time'",
    "hint --time 2 --playouts 9": "one of --time and --playouts",
    "hint --playouts 0": "'--playouts'",
    "hint --top 0": "'--top'",
    "hint --level all": "'--level'",
    "hint --gain": "no such option: --gain",
    "hint --overlay a.png": "no such option: --overlay",
    "hint --picture a.gif": "a.gif: the name must end in .jpg, .jpeg, .png or .svg",
    "bid --ask": "no such option: --ask",
    "hint --player green": "green",
    "bid --player green": "green",
    "hint --player pink": "pink isn't in this game; black, orange and blue play",
    "bid --player pink": "pink isn't in this game",
}


def test_wrong_options(search: KnownSearch, subtests: pytest.Subtests, capsys: Capsys) -> None:
    for words, sentence in WRONG.items():
        with subtests.test(msg=words):
            command, *options = words.split()
            printed = ran(capsys, [command, MID, *options], 2)
            assert printed.out == "" and sentence in printed.err and len(printed.err.splitlines()) == 1
    assert not search.asked


def test_a_picture_tells_no_more_than_the_level(search: KnownSearch, tmp_path: Path, capsys: Capsys) -> None:
    picture = tmp_path / "turn.jpg"
    assert main(["hint", MID, "--picture", str(picture)]) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"written: {picture}",
        "Sums and replies: --why.",
    ]
    assert picture.read_bytes().startswith(b"\xff\xd8")
    assert "--force" in ran(capsys, ["hint", MID, "--picture", str(picture)], 2).err
    for level, there, missing in (("nudge", "Look at e2", "> e3"), ("path", "> e3", "now +38")):
        drawn = tmp_path / f"{level}.svg"
        assert main(["hint", MID, "--picture", str(drawn), "--level", level, "--top", "1"]) == 0
        text = html.unescape(drawn.read_text("utf-8"))
        assert there in text and missing not in text


def test_a_photo_is_drawn_on_itself_and_its_doubtful_tiles_are_named(
    search: KnownSearch, tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    homography = ((30.0, 0.0, 10.0), (0.0, 30.0, 20.0), (0.0, 0.0, 1.0))
    photo = photo_reading_as(mid(), monkeypatch, tmp_path / "table.png", homography=homography, doubtful=(10,))
    picture = tmp_path / "turn.png"
    assert main(["hint", photo, "--picture", str(picture), "--top", "1", "--why"]) == 0
    assert "     depends on doubtful tiles: e2" in capsys.readouterr().out.splitlines()
    seen = np.asarray(Image.open(picture).convert("RGB"))
    assert seen.shape[1] == 200 and seen.shape[0] > 200, "the photo's own size, and words below"
    assert (seen[:190, 195:] == 0).all(), "the photo itself beside the board"
    assert main(["hint", photo, "--top", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["assumed"] == ["turns depend on e2 (40% sure)."]


def test_a_tile_that_decides_is_asked_for_at_a_terminal_and_named_elsewhere(
    search: KnownSearch, tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    photo = photo_reading_as(mid(), monkeypatch, tmp_path / "table.png", doubtful=(6,))
    seen = mid().board[6]
    other = replace(seen, meeples=(1, 1, 0, 0, 0))
    readings = (DecidingReading(seen, 0.6, True, 1, "this"), DecidingReading(other, 0.4, False, None, "take that"))
    plain = search.advise

    def advise(table: Position | GameState, **more: object) -> TurnAdvice:
        advice = plain(table, **more)  # type: ignore[arg-type]
        position = table.position if isinstance(table, GameState) else table
        is_open = position.board[6] == seen
        return replace(advice, decides=(DecidingTile(6, 1.2, readings),) if is_open else ())

    monkeypatch.setattr(sys.modules["companion.advisor.search.advise"], "advise", advise)
    unasked = ran(capsys, ["hint", photo, "--top", "1"])
    assert unasked.err == "1 doubtful tile: companion read. Sums and replies: --why.\n"
    assert unasked.out.count("\nLook at a2 before you play: if you see ") == 1
    monkeypatch.setattr("companion.cli.commands.hint.is_at_terminal", lambda: True)
    type_in(monkeypatch, "2")
    printed = ran(capsys, ["hint", photo, "--top", "1"])
    assert "What's on a2?" in printed.err and "Look at a2" not in printed.out
    boards = [asked["table"].board for asked in search.asked]  # type: ignore[attr-defined]
    assert [board[6] for board in boards] == [seen, seen, other]
    assert all(asked["budget"] == Budget(playouts=PHOTO_PLAYOUTS) for asked in search.asked)
    for option in ("--no-ask", "--json"):
        assert "What's on a2?" not in ran(capsys, ["hint", photo, "--top", "1", option]).err


def test_whose_turn_it_is_is_asked_for_at_a_terminal_where_a_photo_cannot_tell(
    search: KnownSearch, tmp_path: Path, monkeypatch: Patch, capsys: Capsys
) -> None:
    board = replace(mid(), to_move=None, turn_order=None, bid_order=None)
    photo = photo_reading_as(board, monkeypatch, tmp_path / "table.png")
    second = board.colours[1]
    monkeypatch.setattr("companion.cli.commands.hint.is_at_terminal", lambda: True)
    type_in(monkeypatch, "2")
    printed = ran(capsys, ["hint", photo])
    assert "Whose turn is it?" in printed.err and "--player" not in printed.err
    told = ran(capsys, ["hint", photo, "--player", str(second)])
    assert printed.out == told.out and "Whose turn" not in told.err
    for options in (["--no-ask"], ["--json"]):
        assert "Whose turn" not in ran(capsys, ["hint", photo, *options]).err


# Bids.


def test_no_word_of_a_table_is_broken_on_a_narrow_window(
    search: KnownSearch, monkeypatch: Patch, capsys: Capsys
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    for command, words in (("bid", ["second", "viziers"]), ("score", ["black", "orange"]), ("show", ["Haurvatat"])):
        out = ran(capsys, [command, START if command == "bid" else "samples/end.toml"]).out
        assert [word for word in words if word not in out] == [], out
        assert max(map(len, out.splitlines())) <= 40


def test_a_hint_while_bids_are_open_is_about_bids(search: KnownSearch, capsys: Capsys) -> None:
    printed = ran(capsys, ["hint", START])
    assert "\nBest bid for blue: 5, to play first so far" in printed.out
    whole, cut = printed.out.splitlines(), ran(capsys, ["hint", START, "--top", "1"]).out.splitlines()
    rows = [[line for line in lines if re.match(r"(best)? +\d", line)] for lines in (cut, whole)]
    assert rows[0][0].split()[:4] == rows[1][0].split()[:4] and len(rows[0]) < len(rows[1]) and cut[-1] == whole[-1]
    for options, turns in (([], 2), (["--top", "1"], 1)):
        document = printed_json(capsys, ["hint", START, *options])
        assert (document["to_move"], document["best"], len(document["bids"])) == ("blue", 5, 2)
        assert len(document["moves"]) == turns and document["moves"][0]["path"][-1] == "a1"
    assert ran(capsys, ["hint", START, "--level", "nudge"]).out == "Look at what makes playing first worthwhile.\n"


def test_bids_are_drawn_as_a_picture(search: KnownSearch, capsys: Capsys, tmp_path: Path) -> None:
    picture = tmp_path / "bids.svg"
    assert main(["hint", START, "--picture", str(picture), "--top", "1"]) == 0
    assert f"written: {picture}" in capsys.readouterr().err.splitlines()
    drawn = picture.read_text(encoding="utf-8")
    assert "<title>Best bid for blue: 5, to play first so far" in drawn and 'aria-label="take 3 viziers' in drawn
    assert main(["hint", START, "--picture", str(picture), "--force", "--level", "nudge"]) == 0
    nudge = picture.read_text(encoding="utf-8")
    assert "<title>Look at what makes playing first worthwhile." in nudge and "take 3 viziers" not in nudge


def test_no_bids_in_a_turn_or_when_all_markers_stand_on_the_turn_order_track(
    search: KnownSearch, tmp_path: Path, capsys: Capsys
) -> None:
    """rules 3.1, 3.3"""
    assert "it's blue's turn to play" in ran(capsys, ["bid", MID], 4).err
    start = parse_position(Path(START).read_text(encoding="utf-8"))
    turn_order = tuple(map(Bid, start.bid_order or (), (12, 5, 3, 1)))
    path = tmp_path / "placed.toml"
    for phase, bid_order in ((None, ()), (Phase.BID, None)):
        placed = replace(start, phase=phase, to_move=None, bid_order=bid_order, turn_order=turn_order)
        path.write_text(format_toml(placed), encoding="utf-8")
        assert f"it's {turn_order[0].colour}'s turn" in ran(capsys, ["bid", str(path)], 4).err
    assert not search.asked
    assert "Best turns" in ran(capsys, ["hint", str(path)]).out


def test_a_finished_game_has_a_winner_and_an_impossible_one_faults(
    search: KnownSearch, tmp_path: Path, capsys: Capsys
) -> None:
    over = "The game is over. pink wins with 147 points, 1 ahead.\n"
    assert ran(capsys, ["bid", END]).out == over
    printed = ran(capsys, ["bid", END, "--json"])
    assert (json.loads(printed.out), printed.err) == ({"player": None, "bids": [], "best": None}, over)
    path = written(tmp_path / "game.toml", Path(MID).read_text(encoding="utf-8").replace("S12", "S15"))
    for command in ("hint", "bid"):
        printed = ran(capsys, [command, path], 5)
        assert printed.out == "" and "rules 1.1" in printed.err
    assert not search.asked


# Ctrl-C, progress, memory.


def test_ctrl_c_shows_the_best_so_far(monkeypatch: Patch, capsys: Capsys) -> None:
    def press(known: KnownSearch) -> None:
        # Only once the search goes on: how long a command takes to begin hangs on the machine.
        end = time.monotonic() + 20
        while not known.asked and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    for words, told in ((["hint", MID, "--top", "1"], "Best turns"), (["bid", START, "--json"], '"bids"')):
        pressing = threading.Thread(target=press, args=(searching(monkeypatch, patience_s=20),))
        # Shells start programs in the background with SIGINT ignored.
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            pressing.start()
            assert main(words) == 130
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN, "as it was before"
        finally:
            pressing.join()
            signal.signal(signal.SIGINT, before)
        printed = capsys.readouterr()
        assert told in printed.out and printed.err.splitlines()[-1] == "Stopped by Ctrl-C: this is the best so far."


def test_a_second_ctrl_c_ends_at_once() -> None:
    with pytest.raises(KeyboardInterrupt), thinking(wanted=False) as watch:
        assert not watch.stop()
        os.kill(os.getpid(), signal.SIGINT)
        while not watch.stop():
            pass
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(5)


def test_progress_is_a_bar() -> None:
    stream = io.StringIO()
    line = Progress(stream)
    line._shown = True
    watch = Thinking(line)
    for share in (0.0, 0.004, 0.5, 1.7):
        watch.progress(share)
    shown = [part[: part.index("%") + 1] for part in stream.getvalue().split("\r\x1b[2K") if part]
    bars = ("." * 20, "#" * 10 + "." * 10, "#" * 20)
    assert shown == [f"thinking [{bar}] {percent}%" for bar, percent in zip(bars, (0, 50, 100), strict=True)]


def test_too_little_memory_is_said_before_numpy_is_loaded(
    search: KnownSearch, monkeypatch: Patch, capsys: Capsys
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda what: (150_000_000, -1))
    for words in (["hint", MID], ["hint", START], ["bid", START]):
        assert "needs 240 MB of address space, but the limit is 150 MB" in ran(capsys, words, 3).err
    assert not search.asked
