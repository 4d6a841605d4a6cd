"""No English is left in what commands print in another language, and no line is too wide."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from typer import Exit

from companion.cli.app import NAMES
from companion.cli.locale import speaking, translate
from companion.cli.progress import Progress
from companion.cli.searching import leave_if, thinking
from companion.history.database import open_history
from companion.history.opening import history_path
from companion.notation.records.lines import format_record
from companion.resources import data_folder
from tests.history.games import clock, setup_text
from tests.language.output import Output, english_left, run_in
from tests.notation.recorded_example import THREE_ROUNDS
from tests.notation.recorded_games import random_record

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

IMPOSSIBLE = '''\
board = """
O8:yyyyyyyyyyyyyyyyyw M6 M6 M6 O8 S10 / O8 M4 V5 S6 M4 V5^2 / O8@K M6@K M6@K M4@K M6@K S12@K
M4@K O8@K M6@K V5 M6 V5#11 / M6 M6 O8 V5 O8 O8
"""
row = ["ivory", "ivory", "ivory", "fish", "fish", "fish", "fish", "fish", "fish", "fish"]
djinns = ["Utug", "Utug", "Enki", "Leta"]
to_move = "pink"
phase = "turn"
turn_order = [{ player = "black", price = 5 }, { player = "pink", price = 7 }]
players.black = { gold = 400, viziers = 5, djinns = ["Utug"] }
'''
BAD_KEYS = """\
board = ["O8 O8"]
rwo = 3
phase = "tunr"
djinns = 7
row = ["fsh", 3]
turn_order = [{ player = "pinc" }, { price = -3 }]
bid_order = ["black", "black", "black", "black", "black"]
players.green = { gold = "many" }
players.pink = { goods = { fakir = 2, ivory = 99999 } }
"""
BARE = """\
O8:ggw M4:ybr M4 V5:w@P#1 S6:bb V5 / V5:r O8@K^1 S12:yyw M6:g O8 O8:bg / O8 M4:ww M6 M6:y M6:bb M6:r
V5:g S10 O8:yg M6:w M6 M6 / M4:r S15:b S6 V5 S6@P S6
"""
RECORD = THREE_ROUNDS.read_text(encoding="utf-8")
FIRST_TURN = next(line for line in RECORD.splitlines() if line.startswith("blue:"))
FILES = {
    "impossible.toml": IMPOSSIBLE,
    "keys.toml": BAD_KEYS,
    "empty.toml": "",
    "broken.toml": "board = [",
    "broken.json": '{"board": ',
    "rows.txt": "O8 O9 X1:q O8@Z\n",
    "code.txt": "FT1-AAAA",
    "web.jpg": "<html></html>",
    "small.pdf": "%PDF-1.7",
    "record.txt": RECORD.replace("setup", "setpu", 1),
    "short.txt": "\n".join(RECORD.splitlines()[:4]),
    "cards.toml": 'format = 2\nkind = "setup_card"\n',
    "there.pdf": "mine",
    "bare.toml": BARE,
    "short_game.txt": "\n".join(RECORD.splitlines()[: RECORD.splitlines().index(FIRST_TURN) + 1]) + "\n",
}


COMMANDS = {
    "check mid.toml": "",
    "check start.toml": "",
    "check impossible.toml": "",
    "check keys.toml": "rwo row fish pink price fakir tunr fsh pinc many green bid turn phase board djinns to_move"
    " turn_order players goods fakirs player end",
    "check empty.toml": "",
    "check broken.toml": "",
    "check broken.json": "",
    "check rows.txt": "",
    "check code.txt": "",
    "check FT1-C6ZLML7OPYYPI2QWHIGUBZ3GMO6JRZNFAIEGCJHLUAWXFFHFKIEX3Y2A": "",
    "check web.jpg": "",
    "check ''": "",
    "check": "",
    "check --loud mid.toml": "",
    "chekc": "chekc check",
    "show .": "",
    "show record.txt": "setpu setup players promo date place",
    "show short.txt": "",
    "show mid.toml --code --json": "",
    "show mid.toml -o table.doc": "table.doc .toml .json",
    "show mid.toml -o nowhere/table.toml": "nowhere",
    "read mid.jpg": "",
    "read mid.jpg mid.jpg": "",
    "read mid.jpg --goods mid.jpg": "",
    "read mid.jpg --goods puce=mid.jpg": "puce",
    "read mid.toml": "",
    "read missing.jpg": "",
    "read small.pdf": "",
    "sheet -o sheet.pdf": "",
    "sheet -o there.pdf": "",
    "sheet --template mid.toml -o sheet.pdf": "kind score_sheet toml mid",
    "sheet --template none.toml -o sheet.pdf": "",
    "setup --players 2 --seed 4 -o card.pdf": "",
    "setup --players 2 --seed 4": "",
    "setup --players 9": "",
    "setup --players 2 --template cards.toml -o card.pdf": "words",
    "cards -o cards.pdf --only aids": "",
    "cards --only elephant -o cards.pdf": "djinns aids round turn tribes tiles goods end elephant",
    "templates": "copy game_report game_review markers reference_cards score_sheet setup_card",
    "templates copy elephant": "elephant game_report game_review markers reference_cards score_sheet setup_card",
    "score end.toml": "",
    "score empty.toml": "",
    "play missing.txt --resume": "",
    "play new.txt": "",
    "edit -o new.toml --resume": "",
    "moves mid.toml --list --top 3": "",
    "moves mid.toml --from d3": "",
    "moves mid.toml --from x9": "",
    "replay game.txt": "",
    "replay game.txt --to 12": "",
    "hint mid.toml --playouts 60 --top 4": "",
    "hint game.txt --playouts 60": "",
    "hint mid.toml --playouts 60 --level nudge": "",
    "hint mid.toml --playouts 60 --level path": "",
    "hint mid.toml --gain --top 12": "",
    "hint mid.toml --gain --player orange": "",
    "hint start.toml --playouts 60": "",
    "hint start.toml --playouts 60 --picture hint.png": "",
    "hint end.toml": "",
    "hint bare.toml --playouts 60 --top 2": "",
    "hint bare.toml --gain": "",
    "hint mid.toml --time 0": "",
    "hint mid.toml --gain --time 3": "",
    "hint mid.toml --time 1 --playouts 3": "",
    "bid start.toml --playouts 60": "",
    "bid mid.toml": "",
    "bid bare.toml --playouts 60": "",
    "arena greedy random --games 2": "random greedy",
    "arena nobody": "nobody random greedy one-ply best",
    "arena greedy random greedy random --players 3": "random greedy",
    "arena greedy random --resume": "",
}
"""Commands, and what stands in their output as it was given or is typed: keys, choices, names."""
SLOW = {
    "review short_game.txt --playouts 50": "",
    "read mid.jpg start.jpg": "",
    "read mid.jpg blank.png": "",
    "cards -o cards.pdf": "",
    "doctor": "Python typer rich platformdirs filelock msgspec packaging prompt_toolkit numpy cv2 PIL pillow_heif"
    " pytesseract opencv-python-headless Tesseract eng kor osd rus ukr reportlab pikepdf bidi qrcode utf"
    " starlette uvicorn jinja2 python_multipart psutil fontTools CompanionHangul-Regular PTSans-Regular",
}
KEYS = ("aaaa1111bbbb", "cccc2222dddd")
HISTORY = (
    f"|{KEYS[0]}|{KEYS[1]}|none-such|--forget|{KEYS[0]} --forget|--backup copy.sqlite3|--export games.json"
    "|--import missing.json|--plot plot.svg|--keep|--no-history|--keep --no-history|-o x.txt|--forget --force"
).split("|")
NAMES_GIVEN = ("Enter", "12 for the first move is dear", "Марія", "민수", "Київ")
TYPED = (
    "list str path int float range full light letter auto always never long short nudge start path full round turn"
    " tribes tiles goods end djinns aids winner"
    " table topdown seated turned dim glare clutter folders copy mark action player category none advice backs cut"
    " learn er tur ned Path"
)
"""Values of options that helps show as they are typed."""
DIALOGUES = {
    "edit -o typed.toml": (
        "?|list|O8 O8|O8ggw M4 V5w@P#1 S6bb V5 O8|q9 Ж8 O8В 8Щ O8 O8|. . . . . .|c3 O8ggw|c3|row elephant"
        "|row fakir fish|pink 41 gold, 2 viziers, fish|green 4|phase dusk|turn_order pink|back|show|done|quit",
        "done show row fakir fish ivory elephant djinns pink phase dusk turn to_move bid_order black turn_order"
        " discards none back undo list help quit bid end gold viziers green ywbgr q9",
    ),
    "play new.txt --players 2 --seed 7": (
        "?|list|x|7|18|3|0|1|5|c9|c3 > d9|buy elephant|score|show|undo|quit",
        "with fakir viziers fakirs builders kill on of pink palm palace buy fish silk take for elders pass use elder"
        " new assassins keep sell end text show score hint list back undo help quit elephant blue round bid ywg c9 d9",
    ),
    "score --ask": (
        "?|Anna, Boris|41 gold|elephants 3|2 gold|back|quit",
        "gold elephants back undo list help quit Anna Boris silk fish",
    ),
    "hint bare.toml --ask --gain --top 1": (
        "pink 41 gold, 2 viziers|help|2 palms|black",
        "back undo list help quit Enter en ru uk ko it",
    ),
}
"""What is typed into commands that ask, and what their helps show as it is typed."""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with samples and with files that are wrong in many ways, to work in."""
    for name in ("start.toml", "mid.toml", "end.toml", "mid.jpg", "start.jpg"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    shutil.copy(THREE_ROUNDS, tmp_path / "game.txt")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    cv2.imwrite(str(tmp_path / "blank.png"), np.full((600, 800, 3), (90, 120, 150), np.uint8))
    # A short path: where a long one is broken into two lines its halves look like words.
    monkeypatch.setenv("COMPANION_HISTORY", "h")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def look(output: Output, kept: str, *given: str) -> None:
    """Fail if a command printed nothing, English other than what was given, or a line that is too wide."""
    assert output.out or output.err
    assert set(output.english(*given, *NAMES_GIVEN)) <= set(re.findall(r"[^\W\d_]+", kept))
    assert output.too_wide() == []


def test_commands(table: Path, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests) -> None:
    for command, kept in COMMANDS.items():
        with subtests.test(command):
            look(run_in("qps", capsys, *shlex.split(command)), kept, str(table), str(data_folder()))


@pytest.mark.slow
def test_commands_in_other_languages(
    table: Path, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    for command, kept in SLOW.items():
        with subtests.test(command):
            look(run_in("qps", capsys, *shlex.split(command)), kept, str(table), str(data_folder()))
    for command in COMMANDS:
        for language in ("ru", "uk", "ko"):
            with subtests.test(f"{command} in {language}"):
                output = run_in(language, capsys, *shlex.split(command))
                look(output, COMMANDS[command], str(table), str(data_folder()))


def test_helps(capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests) -> None:
    for command in NAMES:
        with subtests.test(command):
            output = run_in("qps", capsys, command, "--help")
            assert output.status == 0
            look(output, TYPED)


def test_dialogues(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    for command, (typed, kept) in DIALOGUES.items():
        lines = typed.split("|")
        with subtests.test(command):
            monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
            output = run_in("qps", capsys, *shlex.split(command))
            assert set(output.english(str(table), *lines)) <= set(kept.split())


def test_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    monkeypatch.chdir(tmp_path)
    keys = iter(KEYS)
    with open_history(history_path(os.environ), now=clock(), new_key=lambda: next(keys)) as history:
        history.finish(history.begin(format_record(random_record(2, 3)[0])))
        history.begin(setup_text())
    for words in HISTORY:
        with subtests.test(words):
            look(run_in("qps", capsys, "history", *words.split()), "none such copy sqlite FILE", *KEYS)
    history_path(os.environ).write_bytes(b"spoilt" * 999)
    output = run_in("qps", capsys, "history")
    damaged = next(history_path(os.environ).parent.glob("*.damaged-*"))
    assert output.english(*KEYS, str(damaged)) == []


def test_progress_of_a_search(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    messages: list[str] = []
    monkeypatch.setattr(Progress, "say", lambda line, text: messages.append(translate(text)))
    with speaking("qps"):
        with thinking() as watch:
            watch.progress(0.5)
        with pytest.raises(Exit):
            leave_if(True)
    messages.append(capsys.readouterr().err)
    assert len(messages) == 3 and all(messages)
    assert english_left("\n".join(messages), "qps") == []
    assert "50%" in messages[1]
