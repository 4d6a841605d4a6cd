"""No print-out may show an empty box for a letter."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from companion.errors import CompanionError, ExitStatus, MissingDependencyError, UnusableInputError, UsageError
from companion.printing.core import typefaces
from companion.printing.core.geometry import Box
from companion.printing.core.page import Document
from companion.printing.core.template import LANGUAGES
from companion.printing.core.typefaces import BUNDLED, Face, Fonts, Run, system_folders
from companion.resources import template_path


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "ko"])
@pytest.mark.parametrize("name", ["game_review.toml", "score_sheet.toml", "setup_card.toml"])
@pytest.mark.parametrize("face", Face)
def test_bundled_fonts_have_all_own_words(fonts: Fonts, name: str, language: str, face: Face) -> None:
    text = template_path(name).read_text(encoding="utf-8")
    start = text.index(f"[words.{language}]")
    section = text[start:].split("\n[words.ko]")[0] if language != "it" else text[start:]
    for line in section.splitlines():
        runs = fonts.runs(line, face)
        assert all(f"{run.typeface}.ttf" == face.value[0] for run in runs)


@pytest.mark.parametrize(
    "name", ["Anna", "Łucja", "José Nuñez", "Iñaki Ærø", "Борис", "Їжак Ґава", "Αθηνά", "Հայկ", "Đặng", "T₁ ★"]
)
def test_names_in_many_letters_are_drawn_by_a_bundled_font(fonts: Fonts, name: str) -> None:
    runs = fonts.runs(name, Face.BOLD)
    assert "".join(run.text for run in runs) == name
    assert all(run.width(10) > 0 for run in runs)


def test_a_letter_and_its_accent_become_one(fonts: Fonts) -> None:
    assert [run.text for run in fonts.runs("Jose\u0301", Face.REGULAR)] == ["José"]


def test_a_letter_of_another_font_makes_a_run_of_its_own(fonts: Fonts) -> None:
    assert [run.text for run in fonts.runs("Ann Ψ Bo", Face.REGULAR)] == ["Ann ", "Ψ", " Bo"]


@pytest.mark.parametrize(
    ("text", "error", "status", "words"),
    [
        ("이순신", MissingDependencyError, ExitStatus.MISSING, "fonts-nanum"),
        ("王", MissingDependencyError, ExitStatus.MISSING, "fonts-nanum"),
        ("कमल", MissingDependencyError, ExitStatus.MISSING, "--font-dir"),
        ("\U0001f42a", MissingDependencyError, ExitStatus.MISSING, "U+1F42A"),
        ("שרה", UnusableInputError, ExitStatus.UNUSABLE_INPUT, "right to left"),
        ("ليلى", UnusableInputError, ExitStatus.UNUSABLE_INPUT, "right to left"),
        ("a\nb", UnusableInputError, ExitStatus.UNUSABLE_INPUT, "U+000A"),
        ("a\u200bb", UnusableInputError, ExitStatus.UNUSABLE_INPUT, "U+200B"),
    ],
    ids=["hangul", "han", "devanagari", "emoji", "hebrew", "arabic", "newline", "zero width"],
)
def test_letters_that_cannot_be_drawn_are_named(
    fonts: Fonts, text: str, error: type[CompanionError], status: ExitStatus, words: str
) -> None:
    with pytest.raises(error, match=words.replace("+", r"\+")) as caught:
        fonts.runs(text, Face.REGULAR)
    assert caught.value.status is status


def test_hangul_comes_from_the_system(hangul: None) -> None:
    runs = Fonts().runs("Kim 이순신", Face.REGULAR)
    assert [run.text for run in runs] == ["Kim ", "이순신"]


def test_a_folder_of_ones_own_comes_before_the_system(tmp_path: Path) -> None:
    """Files that are no fonts, or none that can be embedded, are passed over."""
    (tmp_path / "broken.ttf").write_bytes(b"not a font")
    with pytest.raises(MissingDependencyError):
        Fonts(tmp_path, system=()).runs("이", Face.REGULAR)
    system = tmp_path / "system" / "nested"
    system.mkdir(parents=True)
    shutil.copy(BUNDLED / "DejaVuSans.ttf", system / "NanumGothic.ttf")
    with pytest.raises(MissingDependencyError):
        Fonts(tmp_path, system=(tmp_path / "system",)).runs("이", Face.REGULAR)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--font-dir .*absent"):
        Fonts(tmp_path / "absent")


def test_a_run_is_as_wide_as_its_letters(fonts: Fonts) -> None:
    (run,) = fonts.runs("WW", Face.REGULAR)
    assert run.width(10) == pytest.approx(2 * Run("W", run.font).width(10))


@pytest.mark.parametrize("share", [0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999])
def test_a_font_that_was_cut_off_is_passed_over(share: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled, own = tmp_path / "bundled", tmp_path / "own"
    bundled.mkdir()
    own.mkdir()
    shutil.copy(BUNDLED / "PTSans-Regular.ttf", bundled)
    content = (BUNDLED / "DejaVuSans.ttf").read_bytes()
    (own / "cut.ttf").write_bytes(content[: int(len(content) * share)])
    monkeypatch.setattr(typefaces, "BUNDLED", bundled)
    page = Document(Box(0, 0, 100, 100), Fonts(own, system=()), title="t", language="en")
    try:
        page.text(Box(0, 0, 90, 9), "A★", 9)
    except MissingDependencyError:
        return
    assert page.to_bytes().startswith(b"%PDF")


def test_what_is_named_like_a_font_and_is_no_file_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.ttf")
    (tmp_path / "folder.ttf").mkdir()
    (tmp_path / "loop.ttf").symlink_to(tmp_path / "loop.ttf")
    (tmp_path / "zero.ttf").symlink_to("/dev/zero")
    with pytest.raises(MissingDependencyError):
        Fonts(tmp_path, system=(tmp_path,)).runs("이", Face.REGULAR)


@pytest.mark.parametrize("seed", range(40))
def test_a_font_damaged_inside_prints_or_is_passed_over(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    bundled, own = tmp_path / "bundled", tmp_path / "own"
    bundled.mkdir()
    own.mkdir()
    shutil.copy(BUNDLED / "PTSans-Regular.ttf", bundled)
    content = bytearray((BUNDLED / "DejaVuSans.ttf").read_bytes())
    for _ in range(rng.choice((1, 5, 200))):
        content[rng.randrange(rng.choice((300, 5000, len(content))))] = rng.randrange(256)
    (own / "damaged.ttf").write_bytes(content)
    monkeypatch.setattr(typefaces, "BUNDLED", bundled)
    page = Document(Box(0, 0, 100, 100), Fonts(own, system=()), title="t", language="en")
    try:
        page.text(Box(0, 0, 90, 9), "A★♞", 9)
    except MissingDependencyError:
        return
    assert page.to_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("platform", "folders"),
    [
        ("linux", ["H/.local/share/fonts", "H/.fonts", "/usr/local/share/fonts", "/usr/share/fonts"]),
        ("darwin", ["H/Library/Fonts", "/Library/Fonts", "/System/Library/Fonts"]),
        ("win32", ["H/AppData/Local/Microsoft/Windows/Fonts", "C:/Windows/Fonts"]),
    ],
)
def test_each_system_keeps_its_fonts_elsewhere(
    platform: str, folders: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setattr("companion.printing.core.typefaces.sys.platform", platform)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.delenv("WINDIR", raising=False)
    home = tmp_path.as_posix()
    assert [path.as_posix() for path in system_folders()] == [folder.replace("H", home, 1) for folder in folders]
