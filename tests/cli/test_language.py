"""The language of a run: --lang anywhere, COMPANION_LANG, the locale; what reads JSON and files meets English."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

from rich.cells import cell_len

from companion.cli.locale import language_for, print_language, run_language
from companion.cli.main import main
from companion.errors import ExitStatus
from companion.language.catalogue import lengthened
from tests.cli.ran import Capsys, Patch, printed_json, ran
from tests.notation.examples import EXAMPLE_TOML


def test_an_option_before_or_after_the_command(capsys: Capsys) -> None:
    for words in ("--lang qps score", "score --lang qps", "score --lang=qps", "--lang=qps score"):
        assert lengthened("Count the points") in ran(capsys, [*words.split(), "--help"]).out


def test_wrong_usage_is_told_in_the_language_of_the_run(capsys: Capsys, monkeypatch: Patch) -> None:
    monkeypatch.setenv("COMPANION_LANG", "qps")
    assert f"{lengthened('no such option')}: --nonsense" in ran(capsys, ["score", "--nonsense"], ExitStatus.USAGE).err


def test_an_option_that_is_missing_stands_in_whole_quotes(capsys: Capsys) -> None:
    assert "«-o / --output»" in ran(capsys, ["edit", "--lang", "ru"], ExitStatus.USAGE).err
    assert "'-o / --output'" in ran(capsys, ["edit"], ExitStatus.USAGE).err


def test_words_that_were_meant_are_those_of_the_language(tmp_path: Path, capsys: Capsys) -> None:
    table = tmp_path / "table.toml"
    for language, typed, meant in (("en", "слоновя", "'ivory'"), ("ru", "ivry", "'слоновая кость'")):
        table.write_text(EXAMPLE_TOML.replace('discards = ["fish"', f'discards = ["{typed}"'), encoding="utf-8")
        assert meant in ran(capsys, ["--lang", language, "check", str(table)], ExitStatus.UNUSABLE_INPUT).err


def test_a_run_leaves_no_language_behind() -> None:
    main(["--lang", "ru", "--version"])
    assert (run_language(), print_language()) == ("en", "en")


def test_json_is_english_in_any_language(capsys: Capsys) -> None:
    english = printed_json(capsys, ["score", "samples/end.toml"])
    for language in ("ko", "qps"):
        assert printed_json(capsys, ["score", "samples/end.toml", "--lang", language]) == english


def test_the_score_fits_80_columns_in_the_widest_language(capsys: Capsys, monkeypatch: Patch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    printed = ran(capsys, ["score", "samples/end.toml", "--names", "Anna,Boris,Chloe,Dmitri", "--lang", "qps"]).out
    assert max(map(cell_len, printed.splitlines())) <= 80 and "…" not in printed


def test_answers_are_asked_for_and_understood_in_russian(capsys: Capsys, monkeypatch: Patch) -> None:
    lines = ["розовый Анна, чёрный Борис", "41 мон., 2 визиря, 2 шёлка, рыба, 3 факира, Jafaar", "0", "1", "15+8"]
    lines += ["товары 13 ПО, визири 12+10 ПО", "нет", "нет", "нет"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n".join(lines) + "\n"))
    printed = ran(capsys, ["score", "--ask", "--lang", "ru", "--json"])
    assert "Кто играет?" in printed.err and "перед игроком" in printed.err
    players = json.loads(printed.out)["players"]
    assert (players["pink"]["gold"], players["pink"]["tiles"]) == (41, 23)
    assert (players["black"]["goods"], players["black"]["viziers"]) == (13, 22)


def test_a_terminal_without_the_letters_of_the_locale_is_spoken_to_in_english(monkeypatch: Patch) -> None:
    environment = {"LANG": "ko_KR.EUC-KR"}
    assert language_for([], environment) == "ko"
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="latin-1"))
    assert language_for([], environment) == "en"
    assert language_for(["score", "--lang", "ko"], environment) == "ko"
    assert language_for(["score", "--", "--lang", "ko"], environment) == "en"
