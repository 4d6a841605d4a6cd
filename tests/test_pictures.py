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
    path = pictures.best_turn().path
    assert json.loads(capsys.readouterr().out)["moves"][0]["line"].startswith(f"blue: {path};")
    drawn = (PROJECT / "docs/images/hint.svg").read_text(encoding="utf-8")
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>|&#160;", " ", drawn)).replace("&gt;", ">")
    steps = [step for step in path.split(" > ")]
    first = re.search(r"1\. (.*?): take", words)
    assert first is not None and re.findall(r"[a-f][1-5] ?[ywbgr]?", first[1].replace(" ", "")) == steps


def test_the_docs_on_advice_show_that_turn_in_that_sentence(
    pictures: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (PROJECT / "docs/advice.md").read_text(encoding="utf-8")
    assert main(["hint", str(pictures.TABLE), "--top", str(pictures.HINTED_TURNS)]) == 0
    sentence = capsys.readouterr().out.split("        a    ")[0].strip()
    assert sentence in page
    assert page.count(f" 1. {pictures.best_turn().headline}\n") == 2
