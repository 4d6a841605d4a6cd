"""docs/arena.md: its bot plays, and what it says of files and documents is so."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from companion.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs/arena.md"
TEXT = PAGE.read_text(encoding="utf-8")


def _named(section: str) -> set[str]:
    """The names in the first column of the tables under a heading."""
    part = TEXT.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return {name for row in re.findall(r"^\| (`.*?) \|", part, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}


def test_the_page_s_bot_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    (tmp_path / "collectors.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (line,) = re.findall(r"`(companion arena collectors:.*?)`", TEXT.replace("\n", " "))
    words = [*line.split()[1:], "--games", "6", "--seed", "2", "--json"]
    words[words.index("greedy")] = "random"
    assert main(words) == 0
    bots = {one["bot"]: one for one in json.loads(capsys.readouterr().out)["bots"]}
    assert bots["collectors:Collector"]["points"]["mean"] > bots["random"]["points"]["mean"]
    assert main(["arena", "collectors:Collector:most=5", "random", "--games", "2"]) == 0


def test_the_file_and_the_document_have_what_the_page_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.jsonl"
    assert main(["arena", "random", "--games", "2", "-o", str(path), "--json"]) == 0
    head, game, _ = map(json.loads, path.read_text().splitlines())
    assert _named("The file of games") == head.keys() | game.keys()
    document = json.loads(capsys.readouterr().out)
    said = TEXT.split("`companion arena --json` prints")[1]
    for name in (*document, *document["bots"][0], *document["bots"][0]["wins"]):
        assert f"`{name}`" in said, name


def test_every_bot_of_the_program_is_on_the_page() -> None:
    from companion.arena.registry import KNOWN_BOTS

    table = set(re.findall(r"^\| `([\w-]+)` \|", TEXT.split("\n## ")[0], re.MULTILINE))
    assert table == KNOWN_BOTS.keys()
