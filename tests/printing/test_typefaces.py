"""No print-out may show an empty box for a letter."""

from __future__ import annotations

import io
import os
import random
import shutil
import tomllib
from itertools import product
from pathlib import Path

import pdfplumber
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTCollection, TTFont

from companion.cli.main import main
from companion.errors import MissingDependencyError
from companion.language.catalogue import translate
from companion.language.phrase import marked
from companion.printing.core import typefaces
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.raster import Raster
from companion.printing.core.typefaces import BUNDLED, LAST_RESORT, Face, Fonts, system_folders
from companion.system.installation import template_path
from tests.language.words import words_of


def test_bundled_fonts_have_all_own_words(fonts: Fonts) -> None:
    for path in template_path("setup_card.toml").parent.glob("*.toml"):
        words = tomllib.loads(path.read_text(encoding="utf-8"))["words"]
        for language, (key, text) in product(("en", "ru", "uk", "it"), words_of(words, path.stem)):
            said = translate(marked(text, key), language)
            for face in Face:
                assert all(f"{run.typeface}.ttf" == face.value[0][0] for run in fonts.runs(said, face)), said


def test_names_in_many_letters_are_drawn_by_a_bundled_font(fonts: Fonts) -> None:
    for name in ("Anna", "Łucja", "José Nuñez", "Iñaki Ærø", "Борис", "Їжак Ґава", "Αθηνά", "Հայկ", "Đặng", "T₁ ★"):
        runs = fonts.runs(name, Face.BOLD)
        assert "".join(run.text for run in runs) == name
        assert all(run.width(10) > 0 for run in runs)


def test_a_letter_of_another_font_makes_a_run_of_its_own(fonts: Fonts) -> None:
    assert [run.text for run in fonts.runs("Ann Ψ Bo", Face.REGULAR)] == ["Ann ", "Ψ", " Bo"]


def test_what_no_font_has_is_a_framed_question_mark(fonts: Fonts) -> None:
    for text, shown, lacking in (
        ("이순신", "이순신", []),
        ("똠방 王", f"{LAST_RESORT}방 {LAST_RESORT}", ["똠", "王"]),
        ("कमल", LAST_RESORT * 3, ["क", "म", "ल"]),
        ("Anna \U0001f42a\U0001f42a", f"Anna {LAST_RESORT}{LAST_RESORT}", ["\U0001f42a"]),
        ("\U0001f469\u200d\U0001f469\u200d\U0001f467\U0001f3fd!", f"{LAST_RESORT}!", ["\U0001f469"]),
        ("\U0001f600", "\U0001f600", []),
        ("\ue000\U0010ffff", LAST_RESORT * 2, ["\ue000", "\U0010ffff"]),
    ):
        assert "".join(run.text for run in fonts.runs(text, Face.REGULAR)) == shown
        assert fonts.lacking(text) == lacking


def test_the_last_resort_is_a_sign_that_shows(fonts: Fonts) -> None:
    (run,) = fonts.runs("\U0001f42a", Face.REGULAR)
    assert run.typeface == "LastResort" and run.width(10) == pytest.approx(7)
    page = Document(Box(0, 0, 40, 40), fonts, title="t", language="en")
    page.text(Box(0, 0, 30, 9), "\U0001f42a", 20)
    with pdfplumber.open(io.BytesIO(page.to_bytes())) as pdf:
        assert pdf.pages[0].chars[0]["text"] == LAST_RESORT


def test_a_letter_that_is_only_in_a_font_of_the_system_comes_from_there(tmp_path: Path) -> None:
    """Here the last resort stands in for a font that has the sign."""
    system = tmp_path / "nested"
    system.mkdir()
    shutil.copy(BUNDLED / "LastResort.ttf", system / "NanumGothic.ttf")
    (run,) = Fonts(system=(tmp_path,)).runs(LAST_RESORT, Face.REGULAR)
    assert Path(run.font).parent == system


def test_a_folder_of_ones_own_comes_before_the_system(tmp_path: Path) -> None:
    """Files that are no fonts, or none that can be embedded, are passed over."""
    own, system = tmp_path / "own", tmp_path / "system"
    own.mkdir()
    system.mkdir()
    (own / "broken.ttf").write_bytes(b"not a font")
    assert Fonts(own, system=()).lacking("王") == ["王"]
    for folder in (own, system):
        shutil.copy(BUNDLED / "LastResort.ttf", folder / "NanumGothic.ttf")
    (run,) = Fonts(own, system=(system,)).runs(LAST_RESORT, Face.REGULAR)
    assert Path(run.font).parent == own


def test_without_the_programs_own_fonts_nothing_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typefaces, "BUNDLED", tmp_path)
    with pytest.raises(MissingDependencyError, match="install the program again"):
        Fonts(system=()).runs("A", Face.REGULAR)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the user's own, which alone may have what the few bundled fonts lack."""
    bundled, own = tmp_path / "bundled", tmp_path / "own"
    bundled.mkdir()
    own.mkdir()
    shutil.copy(BUNDLED / "PTSans-Regular.ttf", bundled)
    shutil.copy(BUNDLED / "LastResort.ttf", bundled)
    monkeypatch.setattr(typefaces, "BUNDLED", bundled)
    return own


def test_a_font_that_was_cut_off_or_is_damaged_prints_or_is_passed_over(own: Path) -> None:
    whole = (BUNDLED / "DejaVuSans.ttf").read_bytes()
    damaged = [whole[: int(len(whole) * share)] for share in (0.001, 0.01, 0.1, 0.5, 0.9, 0.9999)]
    for seed in range(12):
        rng, content = random.Random(seed), bytearray(whole)
        for _ in range(rng.choice((1, 5, 200))):
            content[rng.randrange(rng.choice((300, 5000, len(content))))] = rng.randrange(256)
        damaged.append(bytes(content))
    for number, spoilt in enumerate(damaged):
        path = own / f"{number}.ttf"
        path.write_bytes(spoilt)
        page = Document(Box(0, 0, 100, 100), Fonts(own, system=()), title="t", language="en")
        page.text(Box(0, 0, 90, 9), "A★♞", 9)
        assert page.to_bytes().startswith(b"%PDF"), number
        path.unlink()


def test_what_is_named_like_a_font_and_is_no_file_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ttf")
    (tmp_path / "folder.ttf").mkdir()
    (tmp_path / "loop.ttf").symlink_to(tmp_path / "loop.ttf")
    (tmp_path / "zero.ttf").symlink_to("/dev/zero")
    assert Fonts(tmp_path, system=(tmp_path,)).lacking("王") == ["王"]


def test_each_system_keeps_its_fonts_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.delenv("WINDIR", raising=False)
    home = tmp_path.as_posix()
    for platform, folders in (
        ("linux", ["H/.local/share/fonts", "H/.fonts", "/usr/local/share/fonts", "/usr/share/fonts"]),
        ("darwin", ["H/Library/Fonts", "/Library/Fonts", "/System/Library/Fonts"]),
        ("win32", ["H/AppData/Local/Microsoft/Windows/Fonts", "C:/Windows/Fonts"]),
    ):
        monkeypatch.setattr("companion.printing.core.typefaces.sys.platform", platform)
        assert [path.as_posix() for path in system_folders()] == [path.replace("H", home, 1) for path in folders]


def test_collections_are_read_and_folders_within_a_folder_are_searched(own: Path) -> None:
    collection = TTCollection()
    collection.fonts = [TTFont(BUNDLED / name) for name in ("DejaVuSans.ttf", "PTSerif-Bold.ttf")]
    (own / "deep").mkdir()
    collection.save(own / "deep" / "two.TTC")
    fonts = Fonts(own, system=())
    first, second = fonts.runs("A★", Face.REGULAR)
    assert (Path(second.font), second.typeface) == (own / "deep" / "two.TTC", "two") and first.typeface != "two"
    page = Document(Box(0, 0, 100, 100), fonts, title="t", language="en")
    page.text(Box(0, 0, 90, 9), "★", 9)
    with pdfplumber.open(io.BytesIO(page.to_bytes())) as pdf:
        assert [(char["text"], "DejaVuSans" in char["fontname"]) for char in pdf.pages[0].chars] == [("★", True)]
    pictures = []
    for own_or_bundled in (fonts, Fonts(BUNDLED, system=())):
        drawn = Raster(Box(0, 0, 160, 80), own_or_bundled, ground="#FFFFFF")
        drawn.text(Box(0, 0, 160, 80), "★", 160)
        pictures.append(drawn.picture().tobytes())
    assert pictures[0] == pictures[1]


def test_fonts_that_cannot_be_embedded_and_scripts_that_are_not_shaped_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder([".notdef", "wang"])
    builder.setupCharacterMap({ord("王"): "wang"})
    pen = T2CharStringPen(600, None)
    builder.setupCFF("Cff", {}, {name: pen.getCharString() for name in (".notdef", "wang")}, {})
    builder.setupHorizontalMetrics({".notdef": (600, 0), "wang": (600, 0)})
    builder.setupHorizontalHeader()
    builder.setupOS2()
    builder.setupPost()
    builder.save(tmp_path / "cff.otf")
    (tmp_path / "not.ttf").write_bytes(b"not a font")
    font = TTFont(BUNDLED / "DejaVuSans.ttf")
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[ord("न")] = "A"
    font.save(tmp_path / "indic.ttf")
    sheet = tmp_path / "pad.pdf"
    names = "王न,Anna"
    options = ["--players", "2", "--names", names, "--font-dir", str(tmp_path), "-o", str(sheet)]
    assert main(["sheet", *options]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert "the font cff.otf can't be used: it has PostScript outlines (CFF)" in said
    assert "the font not.ttf can't be used: it's damaged or isn't a font" in said
    assert "1 letter is drawn in its standalone form, which its script doesn't use within a word: न (U+0928)" in said
    assert "since no font has it: 王 (U+738B)" in said
