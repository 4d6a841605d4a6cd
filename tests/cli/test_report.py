"""`companion report` as a user meets it; the search is another's, so that it takes no time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from companion.advisor.search import reviewing
from companion.cli.main import main
from tests.advisor.scripted_judge import ScriptedJudge
from tests.cli.ran import Capsys, Patch, ran
from tests.notation.recorded_example import THREE_ROUNDS
from tests.printing.checks import page_texts


@pytest.fixture
def game(tmp_path: Path, judged: list[tuple[int, int]], monkeypatch: Patch) -> Path:
    monkeypatch.chdir(tmp_path)
    return Path(shutil.copy(THREE_ROUNDS, tmp_path / "game.txt"))


def text_of(path: Path) -> str:
    return " ".join(" ".join(page_texts(path)).split())


def test_a_report_with_advice(game: Path, judged: list[tuple[int, int]], capsys: Capsys) -> None:
    out, err = ran(capsys, ["report", str(game), "--boards", "none", "--playouts", "300", "--seed", "5"])
    assert out == "" and "written: report.pdf" in err and "The game isn" in err
    said = text_of(game.with_name("report.pdf"))
    assert "Luck and skill" in said and "better: " in said
    assert judged == [(300, 5)]


def test_without_advice_nothing_is_searched(game: Path, judged: list[tuple[int, int]], capsys: Capsys) -> None:
    told = "".join(ran(capsys, ["report", str(game), "--no-advice", "-o", "own.pdf", "--lang", "ru"]))
    assert "own.pdf" in told and "written" not in told, "what is said of the file is in the reader's language"
    said = text_of(game.with_name("own.pdf"))
    assert "Отчёт о партии" in said and "Удача и мастерство" not in said
    assert "a2 > b2b > c2y > d2b; 2 строителя: 4 мон.; пас" in said
    assert judged == []


def test_a_record_that_broke_off_has_a_report_of_what_there_is(game: Path, capsys: Capsys) -> None:
    lines = game.read_text(encoding="utf-8").splitlines()
    game.write_text("\n".join([*lines[:10], "pink: d2 > d1w"]), encoding="utf-8")
    err = ran(capsys, ["report", str(game), "--boards", "turn"]).err
    assert "The record breaks off in line 11; that line is left out." in err
    assert "The game isn" in err
    assert "Round 1" in text_of(game.with_name("report.pdf"))
    game.write_text("\n".join(lines[:8]) + "\n", encoding="utf-8")
    assert main(["report", str(game), "--force"]) == 0
    assert "The board at the start" in text_of(game.with_name("report.pdf"))


def test_what_is_wrong_is_said_before_the_work_and_nothing_is_written(
    game: Path, judged: list[tuple[int, int]], monkeypatch: Patch, capsys: Capsys
) -> None:
    for options in ("--no-advice --playouts 100", "--no-advice --seed 1", "--lang xx", "-o report.txt", "--playouts 1"):
        assert main(["report", str(game), *options.split()]) == 2
    whole = game.read_text(encoding="utf-8")
    game.write_text(whole + "\nblue: a1 > f5y\n", encoding="utf-8")
    capsys.readouterr()
    err = ran(capsys, ["report", str(game)], 5).err
    assert "line 30" in err and "game.txt" in err and judged == []

    class Stopped(ScriptedJudge):
        def margins(self, states: object) -> list[object]:  # type: ignore[override]
            raise KeyboardInterrupt

    game.write_text(whole, encoding="utf-8")
    monkeypatch.setattr(reviewing, "SearchJudge", lambda playouts, seed: Stopped())
    assert main(["report", str(game)]) == 130
    assert [path.name for path in game.parent.iterdir()] == ["game.txt"]
