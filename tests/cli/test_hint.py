"""`companion hint` and `companion bid`: what they ask the search, what they show of its advice, files, time, Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pypdf import PdfReader

from companion.advisor.advice import DEFAULT_PLAYOUTS, Budget
from companion.cli.main import main
from companion.cli.progress import Progress
from companion.cli.searching import Thinking, thinking
from companion.notation.files import format_toml, parse_position
from companion.rules.model.components import Colour
from companion.rules.model.position import Bid, Phase, Position
from companion.rules.model.state import GameState, Stage
from tests.cli.searched import KnownSearch, searching
from tests.notation.recorded_example import THREE_ROUNDS
from tests.opening.readings import photo_reading_as

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MID = str(SAMPLES / "mid.toml")
START = str(SAMPLES / "start.toml")
END = str(SAMPLES / "end.toml")


@pytest.fixture(autouse=True)
def eighty_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def search(monkeypatch: pytest.MonkeyPatch) -> KnownSearch:
    return searching(monkeypatch)


def mid() -> Position:
    return parse_position(Path(MID).read_text(encoding="utf-8"))


def test_a_hint_shows_the_board_with_the_path_and_the_turns(
    search: KnownSearch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", MID, "--top", "2"]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0].split() == list("abcdef")
    assert "3y 7y claim" in captured.out and "lift 7" in captured.out
    assert " 1. e2 > e3y > e4w > e5y > d5g > d4r > e4r > e5y: take 3 viziers, claim e5 (S15)" in lines
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in captured.out, "no colour where nobody looks"
    assert search.asked == [{"table": mid(), "budget": Budget(playouts=DEFAULT_PLAYOUTS), "seed": 0}]


def test_levels_tell_as_much_as_was_asked_for(search: KnownSearch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", MID, "--level", "nudge"]) == 0
    assert re.fullmatch(r"Look at e2: lift its 7 meeples\.\n", capsys.readouterr().out)
    assert main(["hint", MID, "--level", "path"]) == 0
    told = capsys.readouterr().out
    assert " 1. e2 > e3y" in told and "lift 7" in told
    assert "now +" not in told and "ahead, ±" not in told


def test_json_of_a_hint(search: KnownSearch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", MID, "--top", "3", "--json"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert (document["to_move"], len(document["moves"])) == ("blue", 3)
    assert [entry["value"] for entry in document["moves"]] == [12.4, 10.9, 9.4]
    assert captured.err == ""


def test_the_line_is_what_a_record_holds(search: KnownSearch, tmp_path: Path) -> None:
    lines = THREE_ROUNDS.read_text(encoding="utf-8").splitlines()
    first = next(at for at, line in enumerate(lines) if re.match(r"(black|orange|blue|pink): [a-f][1-5] >", line))
    record = tmp_path / "game.txt"
    record.write_text("\n".join(lines[:first]) + "\n", encoding="utf-8")
    stream = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", stream)
        assert main(["hint", str(record), "--json", "--top", "4"]) == 0
    for entry in json.loads(stream.getvalue())["moves"]:
        record.write_text("\n".join([*lines[:first], entry["line"]]) + "\n", encoding="utf-8")
        assert main(["check", str(record)]) == 0, entry["line"]
    table = search.asked[0]["table"]
    assert isinstance(table, GameState) and table.stage is Stage.MOVE, "a record tells more than its position"


def test_time_playouts_and_seed_reach_the_search(search: KnownSearch) -> None:
    assert main(["hint", MID, "--time", "2.5", "--seed", "7", "--json"]) == 0
    assert main(["bid", START, "--playouts", "200", "--json"]) == 0
    assert [(asked["budget"], asked["seed"]) for asked in search.asked] == [
        (Budget(seconds=2.5), 7),
        (Budget(playouts=200), 0),
    ]


@pytest.mark.parametrize("command", ["hint", "bid"])
@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "1e9", "0.01"])
def test_an_absurd_time_is_refused_in_a_line(
    command: str, seconds: str, search: KnownSearch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([command, MID, "--time", seconds]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("companion: --time is in seconds, from 0.1 to 3600, not ")
    assert len(captured.err.splitlines()) == 1
    assert not search.asked


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["hint", "--time", "soon"], "'--time'"),
        (["hint", "--time", "2", "--playouts", "9"], "one of --time and --playouts"),
        (["hint", "--playouts", "0"], "'--playouts'"),
        (["hint", "--seed", "-1"], "'--seed'"),
        (["hint", "--level", "all"], "'--level'"),
        (["hint", "--gain", "--time", "2"], "leave out --time or --gain"),
        (["hint", "--gain", "--level", "path"], "leave out --level or --gain"),
        (["hint", "--gain", "--picture", "a.png"], "leave out --picture or --gain"),
        (["hint", "--picture", "a.gif"], "a.gif: the name must end in .jpg, .jpeg, .png or .svg"),
        (["hint", "--pdf", "a.txt"], "a.txt: the name must end in .pdf"),
        (["hint", "--picture", "a.png", "--overlay", "a.png"], "named for two files"),
        (["hint", "--player", "green"], "green"),
        (["bid", "--player", "green"], "green"),
    ],
)
def test_wrong_options(
    arguments: list[str], said: str, search: KnownSearch, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *options = arguments
    assert main([command, MID, *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and said in captured.err
    assert not search.asked


def test_files_are_not_written_over_unasked(
    search: KnownSearch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    there = tmp_path / "turn.png"
    there.write_bytes(b"mine")
    assert main(["hint", MID, "--picture", str(there)]) == 2
    assert there.read_bytes() == b"mine" and "--force" in capsys.readouterr().err
    assert main(["hint", MID, "--picture", str(there), "--force"]) == 0
    assert there.read_bytes().startswith(b"\x89PNG")


def test_a_picture_and_a_page(search: KnownSearch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture, page = tmp_path / "turn.jpg", tmp_path / "turn.pdf"
    assert main(["hint", MID, "--picture", str(picture), "--pdf", str(page), "--paper", "letter"]) == 0
    assert capsys.readouterr().err.splitlines() == [f"written: {picture}", f"written: {page}"]
    assert picture.read_bytes().startswith(b"\xff\xd8")
    sheets = PdfReader(io.BytesIO(page.read_bytes())).pages
    assert numbered(page) == [1, 2, 3, 4, 5], "as many turns as are printed"
    text = " ".join(sheets[0].extract_text().split())
    assert "1. e2 > e3y > e4w" in text and "2. e2 > f2y" in text and "3. f3 > f2w" in text
    assert float(sheets[0].mediabox.width) == pytest.approx(612, abs=1)
    assert main(["hint", MID, "--pdf", str(page), "--force", "--top", "12"]) == 0
    assert numbered(page) == [*range(1, 13)]
    assert main(["hint", MID, "--pdf", str(page), "--force", "--top", "1"]) == 0
    assert numbered(page) == [1]


def numbered(pdf: Path) -> list[int]:
    """The numbers of the turns on pages, in order."""
    return [int(number) for number in re.findall(r"(\d+)\. [a-f][1-5] >", words_on(pdf))]


def test_a_page_tells_no_more_than_the_level(search: KnownSearch, tmp_path: Path) -> None:
    for level, told, untold in (("nudge", "Look at e2", "> e3y"), ("path", "> e3y", "now +38")):
        page = tmp_path / f"{level}.pdf"
        assert main(["hint", MID, "--pdf", str(page), "--level", level]) == 0
        text = " ".join(PdfReader(io.BytesIO(page.read_bytes())).pages[0].extract_text().split())
        assert told in text and untold not in text


def test_a_photo_is_drawn_on_itself(search: KnownSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    photo = photo_reading_as(
        mid(), monkeypatch, tmp_path / "table.png", homography=((30.0, 0.0, 10.0), (0.0, 30.0, 20.0), (0.0, 0.0, 1.0))
    )
    picture = tmp_path / "turn.png"
    assert main(["hint", photo, "--picture", str(picture), "--level", "path"]) == 0
    seen = np.asarray(Image.open(io.BytesIO(picture.read_bytes())).convert("RGB"))
    assert seen.shape[1] == 200 and seen.shape[0] > 200, "the photo's own size, and words below"
    assert (seen[:190, 195:] == 0).all(), "the photo itself beside the board"
    blue = np.argwhere(np.abs(seen.astype(int) - (0x0B, 0x7F, 0xC7)).max(axis=2) < 30)
    assert np.median(blue, axis=0) == pytest.approx((20 + 30 * 1.5, 10 + 30 * 4.5), abs=16)


def test_a_doubtful_tile_is_named_where_a_turn_rests_on_it(
    search: KnownSearch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = photo_reading_as(mid(), monkeypatch, tmp_path / "table.png", doubtful=(10,))
    assert main(["hint", photo, "--top", "1"]) == 0
    assert "     rests on e2, read with 40%" in capsys.readouterr().out.splitlines()
    assert main(["hint", photo, "--top", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["assumed"] == ["turns rest on e2, read with 40%."]


# Bids.


def test_bids_in_a_table(search: KnownSearch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bid", START]) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    assert lines[0] == "Best bid for blue: 5, to play first so far; expected to end 6.2 ahead, ± 0.3"
    assert re.search(r"best +5 +first so far +\+6\.2 ± 0\.3 +only as first: take 3 viziers on a1", captured.out)
    assert captured.err.splitlines()[0] == "black: gold not known."
    assert main(["bid", START, "--player", "pink", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["player"], document["best"]) == ("pink", 5)
    assert {"price", "fakirs", "value", "error"} <= set(document["bids"][0])


def test_a_hint_while_bids_are_open_is_about_bids(
    search: KnownSearch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["hint", START]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Best bid for blue: 5, to play first so far")
    assert "The bids are still open" in captured.err
    assert main(["hint", START, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["to_move"], document["best"], len(document["bids"])) == ("blue", 5, 2)
    assert document["moves"][0]["path"][-1] == "a1"
    assert main(["hint", START, "--level", "nudge"]) == 0
    assert capsys.readouterr().out == "Look at what is worth playing first.\n"


def test_bids_are_drawn_as_a_picture_and_pages(
    search: KnownSearch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture, pages = tmp_path / "bids.svg", tmp_path / "bids.pdf"
    assert main(["hint", START, "--picture", str(picture), "--pdf", str(pages)]) == 0
    assert capsys.readouterr().err.splitlines()[-2:] == [f"written: {picture}", f"written: {pages}"]
    drawn = picture.read_text(encoding="utf-8")
    assert "<title>Best bid for blue: 5, to play first so far" in drawn and 'aria-label="take 3 viziers' in drawn
    first, second = "Bid 5, to play first so far; expected", "Bid 3, to play second so far; expected"
    text = words_on(pages)
    assert text.startswith("Bids for blue") and first in text and second in text
    assert "only as first: take 3 viziers on a1" in text and "lift" in text
    assert main(["hint", START, "--pdf", str(pages), "--force", "--top", "1"]) == 0
    assert first in words_on(pages) and second not in words_on(pages)
    assert main(["hint", START, "--pdf", str(pages), "--force", "--level", "nudge"]) == 0
    assert words_on(pages).endswith("Look at what is worth playing first.")
    assert "lift" not in words_on(pages)


def words_on(pdf: Path) -> str:
    """All that a PDF says, in one line."""
    return " ".join(" ".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(pdf.read_bytes())).pages)


def test_as_many_turns_and_bids_are_shown_as_are_wished_for(
    search: KnownSearch, capsys: pytest.CaptureFixture[str]
) -> None:
    def bids_and_turns(*words: str) -> tuple[int, int]:
        capsys.readouterr()
        assert main(["hint", START, "--json", *words]) == 0
        document = json.loads(capsys.readouterr().out)
        return len(document["bids"]), len(document["moves"])

    bids, turns = bids_and_turns()
    assert bids_and_turns("--top", "9") == (bids, turns) and turns > 1
    assert bids_and_turns("--top", "1") == (bids, 1), "the turns are cut, and the bids are told whole"
    assert main(["hint", START]) == 0
    whole = capsys.readouterr().out.split()
    assert main(["hint", START, "--top", "1"]) == 0
    shown = capsys.readouterr().out.split()
    assert len(shown) < len(whole) and shown == whole[: len(shown)]


def test_no_bids_in_a_turn(search: KnownSearch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bid", MID]) == 4
    assert "blue is to play a turn; companion hint says which" in capsys.readouterr().err
    assert not search.asked


@pytest.mark.parametrize("phase", [None, Phase.BID])
@pytest.mark.parametrize("bid_order", [(), None])
def test_no_bids_when_all_markers_stand_on_the_turn_order_track(
    phase: Phase | None,
    bid_order: tuple[Colour, ...] | None,
    search: KnownSearch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """rules 3.1, 3.3"""
    start = parse_position(Path(START).read_text(encoding="utf-8"))
    turn_order = tuple(map(Bid, start.bid_order or (), (12, 5, 3, 1)))
    path = tmp_path / "placed.toml"
    placed = replace(start, phase=phase, to_move=None, bid_order=bid_order, turn_order=turn_order)
    path.write_text(format_toml(placed), encoding="utf-8")
    assert main(["bid", str(path)]) == 4
    assert f"{turn_order[0].colour} is to play a turn; companion hint says which" in capsys.readouterr().err
    assert not search.asked
    assert main(["hint", str(path)]) == 0
    assert "Best turns" in capsys.readouterr().out
    assert main(["hint", str(path), "--gain", "--top", "1", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["to_move"] == turn_order[0].colour and "bids are still open" not in told.err


def test_a_finished_game_has_no_bids_but_a_winner(search: KnownSearch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bid", END]) == 0
    assert capsys.readouterr().out == "The game is over. pink wins with 147 points, 1 ahead.\n"
    assert main(["bid", END, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"player": None, "bids": [], "best": None}
    assert captured.err == "The game is over. pink wins with 147 points, 1 ahead.\n"


@pytest.mark.parametrize("command", ["hint", "bid"])
def test_an_impossible_position_is_refused_with_its_faults(
    command: str, search: KnownSearch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.toml"
    path.write_text(Path(MID).read_text(encoding="utf-8").replace("S12", "S15"), encoding="utf-8")
    assert main([command, str(path)]) == 5
    captured = capsys.readouterr()
    assert captured.out == "" and "rules 1.1" in captured.err
    assert not search.asked


# Ctrl-C.


@pytest.mark.parametrize(
    ("command", "told"), [(["hint", MID, "--top", "1"], "Best turns"), (["bid", START], "Best bid")]
)
@pytest.mark.parametrize("as_json", [False, True])
def test_ctrl_c_shows_the_best_so_far(
    command: list[str],
    told: str,
    as_json: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    search = searching(monkeypatch, patience_s=20)

    def press() -> None:
        # Only once the search goes on: how long a command takes to begin hangs on the machine.
        end = time.monotonic() + 20
        while not search.asked and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    pressing = threading.Thread(target=press)
    # Shells start programs in the background with SIGINT ignored.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        pressing.start()
        assert main([*command, *(["--json"] if as_json else [])]) == 130
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN, "as it was before"
    finally:
        pressing.join()
        signal.signal(signal.SIGINT, before)
    captured = capsys.readouterr()
    if as_json:
        assert json.loads(captured.out)
    else:
        assert told in captured.out
    assert captured.err.splitlines()[-1] == "Stopped by Ctrl-C: this is the best so far."


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
    shown = [part for part in stream.getvalue().split("\r\x1b[2K") if part]
    assert [part[: part.index("%") + 1] for part in shown] == [
        f"thinking [{'.' * 20}] 0%",
        f"thinking [{'#' * 10}{'.' * 10}] 50%",
        f"thinking [{'#' * 20}] 100%",
    ]


def test_a_bidding_position_without_a_mover(search: KnownSearch, tmp_path: Path) -> None:
    path = tmp_path / "bids.toml"
    start = parse_position(Path(START).read_text(encoding="utf-8"))
    assert start.phase is Phase.BID
    path.write_text(format_toml(replace(start, to_move=None)), encoding="utf-8")
    assert main(["bid", str(path), "--player", "orange", "--json"]) == 0
    assert search.asked[0]["table"] == replace(start, to_move=None)
    assert Colour.ORANGE in start.colours


@pytest.mark.parametrize("command", [["hint", MID], ["hint", START], ["bid", START]], ids=["turn", "bids", "bid"])
def test_too_little_memory_is_said_before_numpy_is_loaded(
    command: list[str], search: KnownSearch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda what: (150_000_000, -1))
    assert main(command) == 3
    assert (
        "thinking about a turn takes 240 MB of address space, and this program may have 150 MB"
        in capsys.readouterr().err
    )
    assert not search.asked
