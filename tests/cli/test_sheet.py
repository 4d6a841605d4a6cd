"""`companion sheet` as a user meets it."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from pypdf import PdfReader

from companion.cli.main import main
from companion.errors import ExitStatus
from companion.installation import template_path


def _text(path: Path) -> str:
    return PdfReader(io.BytesIO(path.read_bytes())).pages[0].extract_text()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_pad_without_any_option(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert main(["sheet"]) == ExitStatus.DONE
    out, err = capsys.readouterr()
    assert out == "" and "score_sheet.pdf" in err and "4 to the page" in err
    assert _text(here / "score_sheet.pdf").count("Viziers") == 4


def test_options_reach_the_sheet(here: Path) -> None:
    options = ["--per-page", "2", "--pages", "3", "--lang", "ru", "--names", "Анна, Bo,Łucja", "--paper", "letter"]
    assert main(["sheet", "-o", "pad.pdf", "--ink", "light", *options]) == ExitStatus.DONE
    reader = PdfReader(io.BytesIO((here / "pad.pdf").read_bytes()))
    assert len(reader.pages) == 3 and float(reader.pages[0].mediabox.width) == pytest.approx(792), (
        "two A5-like sheets side by side"
    )
    text = _text(here / "pad.pdf")
    assert text.count("Старейшины") == 2 and text.count("Łucja") == 2


def test_names_by_colour_stand_under_their_camels(here: Path) -> None:
    assert main(["sheet", "--names", "pink=Anna,black=Bo", "--per-page", "1"]) == ExitStatus.DONE
    text = _text(here / "score_sheet.pdf")
    assert text.index("pink") < text.index("Anna") < text.index("black") < text.index("Bo")


@pytest.mark.parametrize("more", [[], ["--form"], ["--per-page", "1"]], ids=["pad", "form", "one"])
def test_letters_that_no_font_has_are_named_once(
    capsys: pytest.CaptureFixture[str], here: Path, more: list[str]
) -> None:
    names = "\U0001f42a \U00012000 \U0001f42a,Anna,Борис,שרה"
    assert main(["sheet", "--names", names, "--lang", "en", *more]) == ExitStatus.DONE
    err = capsys.readouterr().err
    (told,) = [line for line in err.splitlines() if "no font" in line]
    assert told.startswith("2 letters are drawn as question marks in frames") and "--font-dir" in told
    assert told.count("U+1F42A") == told.count("U+12000") == 1
    assert main(["sheet", "--names", "Anna,Борис,Łucja,שרה", "--force"]) == ExitStatus.DONE
    assert "no font" not in capsys.readouterr().err


def test_of_many_letters_without_a_font_the_first_are_named(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    names = "".join(map(chr, range(0x12000, 0x1203C)))
    assert main(["sheet", "--names", f"{names},Bo"]) == ExitStatus.DONE
    (told,) = [line for line in capsys.readouterr().err.splitlines() if "no font" in line]
    assert told.startswith("60 letters") and told.count("U+120") == 8 and "and 52 more" in told


def test_a_copied_template_is_used(here: Path) -> None:
    own = template_path("score_sheet.toml").read_text(encoding="utf-8").replace('"Viziers"', '"Grand viziers"')
    (here / "mine.toml").write_text(own, encoding="utf-8")
    assert main(["sheet", "--template", "mine.toml"]) == ExitStatus.DONE
    assert "Grand viziers" in _text(here / "score_sheet.pdf")


def test_nothing_is_overwritten_without_force(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / "pad.pdf").write_text("mine")
    assert main(["sheet", "-o", "pad.pdf"]) == ExitStatus.USAGE
    assert "--force" in capsys.readouterr().err and (here / "pad.pdf").read_text() == "mine"
    assert main(["sheet", "-o", "pad.pdf", "--force"]) == ExitStatus.DONE
    assert (here / "pad.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["--players", "1"], ExitStatus.USAGE, "--players"),
        (["--players", "3", "--names", "A,B"], ExitStatus.USAGE, "3 players need 3 names"),
        (["--names", "A"], ExitStatus.USAGE, "2, 3 or 4"),
        (["--names", "A,B,C,D,E"], ExitStatus.USAGE, "2, 3 or 4"),
        (["--per-page", "3"], ExitStatus.USAGE, "1, 2, 4"),
        (["--pages", "0"], ExitStatus.USAGE, "--pages"),
        (["--paper", "b5"], ExitStatus.USAGE, "letter"),
        (["--ink", "pale"], ExitStatus.USAGE, "light"),
        (["--lang", "de"], ExitStatus.USAGE, "en, ru, uk, ko, it"),
        (["--names", "puce=Anna,pink=Bo"], ExitStatus.USAGE, "--names"),
        (["--template", "broken.toml"], ExitStatus.UNUSABLE_INPUT, "broken.toml"),
    ],
)
def test_wrong_usage_is_told_and_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str], here: Path, arguments: list[str], status: ExitStatus, message: str
) -> None:
    (here / "broken.toml").write_text("format = 1\nkind = 'score_sheet'\n")
    assert main(["sheet", *arguments]) == status
    out, err = capsys.readouterr()
    assert message in err and out == "" and "Traceback" not in err
    assert [path.name for path in here.iterdir()] == ["broken.toml"]


def test_names_that_no_encoding_can_write_are_printed_all_the_same(tmp_path: Path) -> None:
    for form in ([], ["--form"]):
        assert (
            main(["sheet", *form, "--names", "Anna\udcff\uffff,Boris\x01", "-o", str(tmp_path / "pad.pdf"), "--force"])
            == 0
        )
