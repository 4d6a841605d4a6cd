"""The README's pictures of a table: one reading of its photo, and one best turn on the photo and on the board."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from companion.cli.main import main
from companion.opening.position import open_position

PROJECT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def pictures() -> ModuleType:
    spec = importlib.util.spec_from_file_location("readme_pictures", PROJECT / "docs" / "pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_overlay_shows_the_board_that_the_other_pictures_show(
    pictures: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(pictures.PUT_RIGHT))
    read = tmp_path / "read.toml"
    assert main(["read", str(pictures.TABLE.with_suffix(".jpg")), "--ask", "-o", str(read)]) == 0
    assert open_position(str(read)).position.board == open_position(str(pictures.TABLE)).position.board


def test_one_turn_is_the_best_on_the_photo_and_on_the_board(
    pictures: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", str(pictures.TABLE), "--top", str(pictures.HINTED_TURNS), "--json"]) == 0
    path = pictures.best_turn().explained.path
    assert json.loads(capsys.readouterr().out)["moves"][0]["line"].startswith(f"blue: {path};")
    drawn = (PROJECT / "docs/images/hint.svg").read_text(encoding="utf-8")
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>|&#160;", " ", drawn)).replace("&gt;", ">")
    steps = [step for step in path.split(" > ")]
    first = re.search(r"1\. (.*?): take", words)
    assert first is not None and re.findall(r"[a-f][1-5] ?[ywbgr]?", first[1].replace(" ", "")) == steps


@pytest.mark.slow
def test_the_docs_on_advice_show_what_the_program_prints(
    pictures: ModuleType, capsys: pytest.CaptureFixture[str], subtests: pytest.Subtests
) -> None:
    hint = ["hint", str(pictures.TABLE), "--top", str(pictures.HINTED_TURNS)]
    printed = ""
    for command in (hint, [*hint, "--why"], ["bid", str(PROJECT / "samples/start.toml")]):
        assert main(command) == 0
        printed += "".join(f"{line.rstrip()}\n" for line in capsys.readouterr().out.splitlines())
    page = (PROJECT / "docs/advice.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        for part in block.split("...\n"):
            with subtests.test(part):
                assert part.replace("What for\n", f"What for\n{'─' * 74}\n") in printed
