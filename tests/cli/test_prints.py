"""`companion sheet`, `cards`, `kit` and `templates`: options that reach the print, and refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdf import PdfReader

from companion.cli.main import main
from companion.errors import ExitStatus
from companion.printing.core.template import originals
from companion.system.installation import template_path
from tests.cli.ran import Capsys, Patch, ran
from tests.printing.checks import page_texts

TEMPLATES = template_path("setup_card.toml").parent


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: Patch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def text_of(name: str) -> str:
    return page_texts(name)[0]


def pages_of(name: str) -> int:
    return len(PdfReader(name).pages)


def own(kind: str, old: str, new: str) -> str:
    """A template of one's own in this folder, with other words in one place."""
    text = template_path(f"{kind}.toml").read_text(encoding="utf-8")
    assert old in text
    Path(f"my_{kind}.toml").write_text(text.replace(old, new), encoding="utf-8")
    return f"my_{kind}.toml"


def test_a_pad_and_its_options(capsys: Capsys) -> None:
    out, err = ran(capsys, ["sheet"])
    assert out == "" and "score_sheet.pdf" in err and "4 to the page" in err
    assert text_of("score_sheet.pdf").count("Viziers") == 4
    options = ["--per-page", "2", "--names", "Анна, Bo,Łucja", "--paper", "Letter", "--ink", "Light"]
    assert main(["sheet", "-o", "pad.pdf", "--lang", "ru", *options]) == 0
    assert pages_of("pad.pdf") == 1 and float(PdfReader("pad.pdf").pages[0].mediabox.width) == pytest.approx(792)
    assert text_of("pad.pdf").count("Старейшины") == text_of("pad.pdf").count("Łucja") == 2
    template = own("score_sheet", '"Viziers"', '"Grand viziers"')
    assert main(["sheet", "--names", "pink=Anna,black=Bo", "--per-page", "1", "--template", template, "--force"]) == 0
    text = text_of("score_sheet.pdf")
    assert text.index("pink") < text.index("Anna") < text.index("black") < text.index("Bo") and "Grand viziers" in text
    assert main(["sheet", "--players", "2", "--names", "Anna\udcff\uffff,Boris\x01", "-o", "odd.pdf"]) == 0


def test_letters_that_no_font_has_are_named_once(capsys: Capsys) -> None:
    names = "\U0001f42a \U00012000 \U0001f42a,Anna,Борис,שרה"
    assert main(["sheet", "--names", names, "--per-page", "1"]) == 0
    (told,) = [line for line in capsys.readouterr().err.splitlines() if "no font" in line]
    assert told.startswith("2 letters are drawn as question marks in frames") and "--font-dir" in told
    assert told.count("U+1F42A") == told.count("U+12000") == 1
    assert main(["sheet", "--names", f"{''.join(map(chr, range(0x12000, 0x1203C)))},Bo", "--force"]) == 0
    (told,) = [line for line in capsys.readouterr().err.splitlines() if "no font" in line]
    assert told.startswith("60 letters") and told.count("U+120") == 8 and "and 52 more" in told


def test_cards(capsys: Capsys) -> None:
    told = ran(capsys, ["cards", "--paper", "letter", "--flip", "short"]).err
    assert "35 reference cards written to cards.pdf" in told and "turned over the short edge" in told
    assert pages_of("cards.pdf") == 8
    told = ran(capsys, ["cards", "--only", "Джафар, aids,utug", "--copies", "4", "--no-backs", "-o", "few.pdf"]).err
    assert "26 reference cards" in told and "on one side" in told
    assert "Jafaar" in text_of("few.pdf") and "Utug" in text_of("few.pdf") and "Sloar" not in text_of("few.pdf")
    template = own("reference_cards", "Put a palace on any village.", "My own words.")
    assert main(["cards", "--only", "Bouraq", "--template", template, "--force"]) == 0
    assert "My own words." in text_of("cards.pdf")
    assert main(["kit", "--template", template, "--no-backs", "--ink", "light"]) == 0
    assert any("My own words." in page for page in page_texts("kit.pdf"))


def test_templates_are_listed_and_copied(capsys: Capsys) -> None:
    lines = ran(capsys, ["templates"]).out.splitlines()
    assert {path.stem for path in TEMPLATES.glob("*.toml")} >= {original.name for original in originals()}
    for original in originals():
        (line,) = (line for line in lines if line.split()[:1] == [original.name])
        assert original.commands and all(command.split()[1] in line for command in original.commands)
    assert main(["templates", "copy", "setup_card"]) == 0
    assert Path("setup_card.toml").read_bytes() == (TEMPLATES / "setup_card.toml").read_bytes()
    assert main(["setup", "--seed", "1", "--template", "setup_card.toml", "-o", "own.pdf"]) == 0
    assert main(["setup", "--seed", "1", "-o", "card.pdf"]) == 0
    assert Path("own.pdf").read_bytes() == Path("card.pdf").read_bytes()


WRONG = {
    "sheet --players 3 --names A,B": "3 players need 3 names",
    "sheet --names A": "2, 3 or 4",
    "sheet --per-page 3": "1, 2, 4",
    "sheet --names puce=Anna,pink=Bo": "--names",
    "sheet --template none.toml": "none.toml",
    "cards --only Djafarr": "did you mean 'Jafaar'",
    "cards --only ,": "names nothing; it takes djinns, aids, round",
    "cards --offset 1": "two lengths in mm",
    "cards --offset nan,0": "two lengths in mm",
    "cards --offset 0,-12": "at most 5.5 mm across and 11.5 mm down",
    "cards --bleed 4": "--bleed",
    "cards --flip top": "--flip",
    "cards --lang xx": "xx",
    "cards -o cards.txt": ".pdf",
    "kit --offset x": "two lengths in mm",
    "kit --template none.toml": "none.toml",
    "templates copy": "give the template to copy: ",
    "templates copy poster": "no template 'poster'",
    "templates list setup_card": "takes no name",
    "templates copy setup_card -o a.txt": ".toml",
    "sheet -o there.pdf": "--force",
    "cards -o there.pdf": "--force",
    "setup -o " + "a" * 300 + ".pdf": "name",
}


def test_what_is_wrong_is_said_and_nothing_is_written(here: Path, subtests: pytest.Subtests, capsys: Capsys) -> None:
    Path("broken.toml").write_text("format = 1\nkind = 'score_sheet'\n")
    Path("there.pdf").write_text("mine")
    for words, message in WRONG.items():
        with subtests.test(msg=words[:60]):
            assert main(words.split()) in (ExitStatus.USAGE, ExitStatus.UNUSABLE_INPUT)
            out, err = capsys.readouterr()
            assert message in err and out == ""
            assert {path.name for path in here.iterdir()} == {"broken.toml", "there.pdf"}
    assert Path("there.pdf").read_text() == "mine"
