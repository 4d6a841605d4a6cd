"""What is said of tables, files and prints: no English is left in it in any other language, and no line is too wide."""

from __future__ import annotations

import io
import re
import shutil
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli.app import NAMES
from companion.resources import data_folder
from tests.language.said import say_in
from tests.notation.recorded_example import THREE_ROUNDS

SAMPLES = Path(__file__).resolve().parents[2] / "samples"

IMPOSSIBLE = """\
board = \"\"\"
O8:yyyyyyyyyyyyyyyyyw M6 M6 M6 O8 S10
O8 M4 V5 S6 M4 V5^2
O8@K M6@K M6@K M4@K M6@K S12@K
M4@K O8@K M6@K V5 M6 V5#11
M6 M6 O8 V5 O8 O8
\"\"\"
row = ["ivory", "ivory", "ivory", "fish", "fish", "fish", "fish", "fish", "fish", "fish"]
djinns = ["Utug", "Utug", "Enki", "Leta"]
to_move = "pink"
phase = "turn"
turn_order = [{ player = "black", price = 5 }, { player = "pink", price = 7 }]
[players.black]
gold = 400
viziers = 5
djinns = ["Utug"]
"""
BAD_KEYS = """\
board = ["O8 O8"]
rwo = 3
phase = "tunr"
djinns = 7
row = ["fsh", 3]
turn_order = [{ player = "pinc" }, { price = -3 }]
bid_order = ["black", "black", "black", "black", "black"]
[players.green]
gold = "many"
[players.pink]
goods = { fakir = 2, ivory = 99999 }
"""
RECORD = THREE_ROUNDS.read_text(encoding="utf-8")
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
}

SAID: dict[str, tuple[str, ...]] = {
    "check": ("check", "mid.toml"),
    "check a start": ("check", "start.toml"),
    "check what cannot be": ("check", "impossible.toml"),
    "read": ("read", "mid.jpg"),
    "read two tables": ("read", "mid.jpg", "start.jpg"),
    "read a photo of nothing": ("read", "mid.jpg", "blank.png"),
    "read a text": ("read", "mid.toml"),
    "read a missing photo": ("read", "missing.jpg"),
    "read twice": ("read", "mid.jpg", "mid.jpg"),
    "show a folder": ("show", "."),
    "show nothing": ("check", ""),
    "keys": ("check", "keys.toml"),
    "empty": ("check", "empty.toml"),
    "broken TOML": ("check", "broken.toml"),
    "broken JSON": ("check", "broken.json"),
    "rows": ("check", "rows.txt"),
    "a code": ("check", "code.txt"),
    "a damaged code": ("check", "FT1-C6ZLML7OPYYPI2QWHIGUBZ3GMO6JRZNFAIEGCJHLUAWXFFHFKIEX3Y2A"),
    "a web page": ("check", "web.jpg"),
    "a PDF": ("read", "small.pdf"),
    "a record without a setup": ("show", "record.txt"),
    "a record cut off": ("show", "short.txt"),
    "two formats": ("show", "mid.toml", "--code", "--json"),
    "goods of nobody": ("read", "mid.jpg", "--goods", "mid.jpg"),
    "goods of a strange colour": ("read", "mid.jpg", "--goods", "puce=mid.jpg"),
    "another ending": ("show", "mid.toml", "-o", "table.doc"),
    "a folder that is not there": ("show", "mid.toml", "-o", "nowhere/table.toml"),
    "a file that is there": ("markers", "-o", "there.pdf"),
    "markers": ("markers", "-o", "new.pdf"),
    "a sheet": ("sheet", "-o", "sheet.pdf"),
    "a card": ("setup", "--players", "2", "--seed", "4", "-o", "card.pdf"),
    "a board": ("setup", "--players", "2", "--seed", "4"),
    "too many players": ("setup", "--players", "9"),
    "a broken template": ("setup", "--players", "2", "--template", "cards.toml", "-o", "card.pdf"),
    "a template that is none": ("sheet", "--template", "mid.toml", "-o", "sheet.pdf"),
    "a missing template": ("sheet", "--template", "none.toml", "-o", "sheet.pdf"),
    "cards": ("cards", "-o", "cards.pdf"),
    "no such card": ("cards", "--only", "elephant", "-o", "cards.pdf"),
    "templates": ("templates",),
    "no such template": ("templates", "copy", "elephant"),
    "calibration": ("calibrate", "--show"),
    "nothing to calibrate": ("calibrate",),
    "a photo without a card": ("calibrate", "mid.jpg"),
    "examples": ("examples",),
    "doctor": ("doctor",),
    "score": ("score", "end.toml"),
    "score a text": ("score", "empty.toml"),
    "render": ("render", "mid.toml", "-o", "mid.png", "--width", "400"),
    "render over its input": ("render", "mid.toml", "-o", "mid.jpg"),
    "no such option": ("check", "--loud", "mid.toml"),
    "no such command": ("chekc",),
    "no position": ("check",),
    "no such choice": ("render", "mid.toml", "-o", "x.png", "--scenario", "moon"),
    "resume without a record": ("play", "missing.txt", "--resume"),
    "play without a setup": ("play", "new.txt"),
    "resume without a draft": ("edit", "-o", "new.toml", "--resume"),
}


KEPT = {
    "keys": "rwo row fish pink price fakir tunr fsh pinc many green bid turn phase board djinns to_move"
    " turn_order players goods fakirs player",
    "a record without a setup": "setpu setup players promo date place",
    "goods of a strange colour": "puce",
    "another ending": "table.doc .toml .json",
    "a folder that is not there": "nowhere",
    "a broken template": "words",
    "a template that is none": "kind score_sheet toml mid",
    "no such card": "djinns aids round turn tribes tiles goods end elephant",
    "templates": "game_report game_review markers reference_cards score_sheet setup_card",
    "no such template": "elephant game_report game_review markers reference_cards score_sheet setup_card",
    "no such command": "chekc check",
    "no such choice": "moon table topdown seated turned dim glare clutter",
    "doctor": "Python typer rich platformdirs filelock msgspec packaging"
    " prompt_toolkit numpy cv2 PIL pillow_heif pytesseract "
    "opencv-python-headless Tesseract eng kor osd rus ukr reportlab pikepdf bidi qrcode utf "
    "starlette uvicorn jinja2 python_multipart psutil "
    "CompanionHangul-Regular PTSans-Regular",
}
"""What stands in messages as it was given, or as it is typed: keys, choices, packages."""
TYPED = (
    "list str path int float range full light letter auto always never long short table topdown seated turned dim "
    "glare clutter nudge start path full round turn tribes tiles goods end djinns aids"
    " winner folders copy mark action player category "
    "none advice backs cut learn er tur ned Path"
)
"""Numbered and kinds of values that helps show as they are typed."""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with samples and with files that are wrong in many ways, to work in."""
    for name in ("start.toml", "mid.toml", "end.toml", "mid.jpg", "start.jpg"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    blank = np.full((600, 800, 3), (90, 120, 150), np.uint8)
    cv2.imwrite(str(tmp_path / "blank.png"), blank)
    # A short path: where a long one is broken into two lines its halves look like words.
    monkeypatch.setenv("COMPANION_HISTORY", "h")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", SAID)
def test_no_english_is_left(case: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = say_in("qps", capsys, *SAID[case])
    assert said.out or said.err
    assert set(said.english(str(table), str(data_folder()))) <= set(re.findall(r"[^\W\d_]+", KEPT.get(case, "")))
    assert said.too_wide() == []


@pytest.mark.parametrize("command", NAMES)
def test_help_has_no_english_left(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = say_in("qps", capsys, command, "--help")
    assert said.status == 0
    assert set(said.english()) <= set(TYPED.split())
    assert said.too_wide() == []


TALKS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "edit": (
        ("edit", "-o", "typed.toml"),
        (
            "?",
            "list",
            "O8 O8",
            "O8ggw M4 V5w@P#1 S6bb V5 O8",
            "q9 Ж8 O8В 8Щ O8 O8",
            ". . . . . .",
            "c3 O8ggw",
            "c3",
            "row elephant",
            "row fakir fish",
            "pink 41 gold, 2 viziers, fish",
            "green 4",
            "phase dusk",
            "turn_order pink",
            "back",
            "show",
            "done",
            "quit",
        ),
    ),
    "play": (
        ("play", "new.txt", "--players", "2", "--seed", "7"),
        (
            "?",
            "list",
            "x",
            "7",
            "18",
            "3",
            "0",
            "1",
            "5",
            "c9",
            "c3 > d9",
            "buy elephant",
            "score",
            "show",
            "undo",
            "quit",
        ),
    ),
    "score": (("score", "--ask"), ("?", "Anna, Boris", "41 gold", "elephants 3", "2 gold", "back", "quit")),
}
TALKED = {
    "edit": "done show row fakir fish ivory elephant djinns pink phase dusk turn to_move bid_order black turn_order "
    "discards none back undo list help quit bid end gold viziers green ywbgr q9",
    "play": "with fakir viziers fakirs builders kill on of pink palm palace buy fish silk take for elders pass use "
    "elder new assassins keep sell end text show score hint list back undo help quit elephant blue round bid ywg c9 d9",
    "score": "gold elephants back undo list help quit Anna Boris silk fish",
}
"""What is typed, and what helps show as it is typed."""


@pytest.mark.parametrize("case", TALKS)
def test_no_english_is_left_in_dialogues(
    case: str, table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, lines = TALKS[case]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    said = say_in("qps", capsys, *arguments)
    assert set(said.english(str(table), *lines)) <= set(re.findall(r"[^\W\d_]+", TALKED[case]))
