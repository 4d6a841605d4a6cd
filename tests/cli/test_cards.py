"""`companion cards` and `companion kit` as whole commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader

from companion.cli.main import main


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to write into."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_cards_are_printed_and_nothing_is_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--paper", "letter", "--flip", "short"]) == 0
    said = capsys.readouterr().err
    assert "29 reference cards written to cards.pdf" in said and "turned over the short edge" in said
    assert len(PdfReader("cards.pdf").pages) == 8
    assert main(["cards"]) == 2
    assert "--force" in capsys.readouterr().err
    assert main(["cards", "--force", "--no-backs"]) == 0
    assert len(PdfReader("cards.pdf").pages) == 4


def test_pages_with_room_for_more_cards_of_rules_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "-o", "one.pdf"]) == 0
    assert "--copies 2 prints the cards of rules for 2 players on as many pages" in capsys.readouterr().err
    assert main(["cards", "--copies", "2", "-o", "two.pdf"]) == 0
    assert "--copies" not in capsys.readouterr().err
    assert len(PdfReader("one.pdf").pages) == len(PdfReader("two.pdf").pages) == 8
    assert main(["cards", "--only", "djinns", "-o", "djinns.pdf"]) == 0
    assert main(["cards", "--only", "turn", "--copies", "9", "-o", "turns.pdf"]) == 0
    assert "--copies" not in capsys.readouterr().err


def test_some_cards_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "--only", "Джафар, aids,utug", "--copies", "4", "--no-backs", "-o", "few.pdf"]) == 0
    assert "26 reference cards" in capsys.readouterr().err
    text = PdfReader("few.pdf").pages[0].extract_text()
    assert "Jafaar" in text and "Utug" in text and "Sloar" not in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--only", "Djafarr"], "did you mean 'Jafaar'"),
        (["--only", " , "], "names nothing; it takes djinns, aids, round"),
        (["--offset", "1"], "two lengths in mm"),
        (["--offset", "nan,0"], "two lengths in mm"),
        (["--offset", "0,-12"], "at most 5.5 mm across and 11.5 mm down"),
        (["--bleed", "4"], "--bleed"),
        (["--flip", "top"], "--flip"),
        (["--lang", "xx"], "xx"),
        (["-o", "cards.txt"], ".pdf"),
        (["--template", "cards.pdf"], "cards.pdf"),
    ],
)
def test_what_cannot_be_printed_is_refused(
    options: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["cards", *options]) in (2, 4)
    assert said in capsys.readouterr().err
    assert list(folder.iterdir()) == []


def test_a_template_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    from companion.installation import template_path

    text = template_path("reference_cards.toml").read_text(encoding="utf-8")
    Path("own.toml").write_text(text.replace("Put a palace on any village.", "My own words."), encoding="utf-8")
    assert main(["cards", "--only", "Bouraq", "--template", "own.toml"]) == 0
    assert "My own words." in PdfReader("cards.pdf").pages[0].extract_text()
    Path("bad.toml").write_text(text.replace("utug =", "hutug ="), encoding="utf-8")
    assert main(["cards", "--template", "bad.toml", "-o", "x.pdf"]) == 4
    assert "hutug" in capsys.readouterr().err


def _own(kind: str, old: str, new: str) -> str:
    """A template of ones own in this folder, with other words in one place."""
    from companion.installation import template_path

    text = template_path(f"{kind}.toml").read_text(encoding="utf-8")
    assert old in text
    Path(f"my_{kind}.toml").write_text(text.replace(old, new), encoding="utf-8")
    return f"my_{kind}.toml"


def test_the_kit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kit", "--ink", "light"]) == 0
    assert "both sides of the paper, turned over the long edge" in capsys.readouterr().err
    assert len(PdfReader("kit.pdf").pages) == 12
    assert main(["kit", "-o", "kit2.pdf", "--offset", "x"]) == 2


def test_the_kit_takes_a_template_of_the_cards_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    cards = _own("reference_cards", "Put a palace on any village.", "My own words.")
    assert main(["kit", "--template", cards, "--no-backs"]) == 0
    assert "My own words." in PdfReader("kit.pdf").pages[1].extract_text()
    Path("kit.pdf").unlink()
    assert main(["kit", "--template", _own("setup_card", "Lay the tiles", "Put the tiles")]) == 4
    assert "setup_card" in capsys.readouterr().err
    assert main(["kit", "--template", "none.toml"]) == 4
    assert not Path("kit.pdf").exists()
