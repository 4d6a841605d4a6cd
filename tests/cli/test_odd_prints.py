"""Prints with whatever people type: a page or a clear message, never a fault of the program, nothing half written."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.cli.main import main
from companion.errors import ExitStatus
from companion.installation import template_path
from tests.notation.recorded_example import THREE_ROUNDS

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
TOLD = {ExitStatus.DONE, ExitStatus.USAGE, ExitStatus.MISSING, ExitStatus.UNUSABLE_INPUT, ExitStatus.IMPOSSIBLE}

NAMES = [
    "A" * 60,
    f"{'Ж' * 60},{'한' * 60},{'ก' * 60}",
    "\U0001f600\U0001f3dc\ufe0f,\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\u05e2\u05d1\u05e8\u05d9\u05ea,\u0645\u0631\u062d\u0628\u0627",
    "a\x1b[31mb,c\x07d",
    "\u202eevil,x",
    "\ufdd0\uffff,\U000f0000",
    "e\u0301" * 30,
    "a,b,c,d,e",
    "pink=Anna",
    "pink=Anna,pink=B",
    "green=X",
    "=",
    ",,,",
    "",
]
PAPERS = ["a4", "Letter", "A4", "a5", "", "0x0"]
COUNTS = ["0", "1", "2", "3", "4", "5", "-1", "1e3", "nan", "\u0663", "9" * 20, ""]
OFFSETS = ["0,0", "1,-1", "x", "100,100", "nan,nan", "1,2,3", "1e308,0"]
RECORDS = ["game.txt", "torn.txt", "one.txt", "empty.txt", "nowhere.txt", "mid.toml", "sub", "", "FT1-AAAA"]
COMMANDS: dict[str, dict[str, list[str]]] = {
    "sheet": {"--players": COUNTS, "--per-page": COUNTS, "--names": NAMES, "--ink": ["light", "no"], "--form": []},
    "setup": {"--players": COUNTS, "--count": ["0", "2", "-1"], "--colours": ["pink,blue", "a", "", ","], "--json": []},
    "cards": {
        "--only": ["aids", "Utug, utug", ",", "x", ""],
        "--copies": COUNTS,
        "--offset": OFFSETS,
        "--bleed": COUNTS,
    },
    "kit": {"--offset": OFFSETS, "--bleed": COUNTS, "--flip": ["short", "x"], "--no-backs": []},
    "report": {"--boards": ["none", "turn", "x"]},
    "score": {"--names": NAMES, "--final": [], "--json": []},
}
RUNS = {"kit": 4}
"""How often a command is tried, if not a dozen times: the kit has many pages."""

OUTPUTS = [
    "out.pdf",
    "there.pdf",
    "folder.pdf",
    "nowhere/out.pdf",
    "out.txt",
    "full.pdf",
    "loop.pdf",
    "a\0b.pdf",
    "-",
    "",
]
TEMPLATES = ["score_sheet.toml", "setup_card.toml", "reference_cards.toml", "torn.txt", "nowhere.toml", "sub", ""]
THERE = b"%PDF that was there before"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all that commands are pointed at, good and bad."""
    record = THREE_ROUNDS.read_text(encoding="utf-8")
    for name, text in (("game", record), ("torn", record[:900]), ("one", record.split("\n")[0]), ("empty", "")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    for name in ("mid.toml", "end.toml"):
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    for name in ("score_sheet.toml", "setup_card.toml", "reference_cards.toml"):
        (tmp_path / name).write_bytes(template_path(name).read_bytes())
    (tmp_path / "folder.pdf").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "there.pdf").write_bytes(THERE)
    (tmp_path / "full.pdf").symlink_to("/dev/full")
    (tmp_path / "loop.pdf").symlink_to("loop.pdf")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _typed(command: str, rng: Random) -> list[str]:
    """A command with an option or two as nobody should type them."""
    options = {
        **COMMANDS[command],
        "--paper": PAPERS,
        "--lang": ["ru", "ko", "qps", "xx", ""],
        "--font-dir": ["sub", ""],
    }
    words = [command]
    if command == "report":
        words += [rng.choice(RECORDS), "--no-advice"]
    if command == "score":
        words += [rng.choice([*RECORDS, "end.toml", "end.toml", "end.toml"])]
    for name in rng.sample(list(options), 2):
        words += [name, rng.choice(options[name])] if options[name] else [name]
    if rng.random() < 0.2:
        words += ["--template", rng.choice(TEMPLATES)]
    output = rng.choice(OUTPUTS) if rng.random() < 0.3 else "out.pdf"
    return [*words, "--pdf" if command == "score" else "-o", output]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_odd_words_give_a_page_or_a_message(
    command: str, table: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = Random(f"odd {command}")
    before = set(table.iterdir())
    done = 0
    for _ in range(RUNS.get(command, 12)):
        words = _typed(command, rng)
        status = main(words)
        told = capsys.readouterr().err
        assert status in TOLD and "unforeseen" not in told and "Traceback" not in told, words
        done += status == ExitStatus.DONE
        if status == ExitStatus.DONE:
            # Without -o or in words alone nothing is written.
            (table / "out.pdf").unlink(missing_ok=True)
        else:
            assert told.startswith("companion: ") or "\ncompanion: " in told, words
        assert set(table.iterdir()) == before, words
        assert (table / "there.pdf").read_bytes() == THERE, words
    assert done
